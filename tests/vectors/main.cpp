// nn_vectors FILE...: replays the vectors of each file; a kind that nobody replays is a failure.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>

#include "vectors.h"

#include <boost/json/src.hpp>

namespace vectors {

namespace {

std::map<std::string, std::function<void(const Object &)>> &kinds() {
  static std::map<std::string, std::function<void(const Object &)>> table;
  return table;
}

}  // namespace

Kind::Kind(const char *name, std::function<void(const Object &)> replay) {
  kinds()[name] = std::move(replay);
}

void check(bool holds, const std::string &what) {
  if (!holds) throw Failure(what);
}

void must(td_status status, const Err &err, const std::string &what) {
  check(status == TD_OK, what + ": " + err.message());
}

void refused(td_status status, const Err &err, const std::string &what) {
  check(status != TD_OK, what + " succeeded");
  check(err.get() && td_error_code(err.get()) == status, what + ": the error object is of another status");
  check(!err.message().empty(), what + ": the error says nothing");
  check(status != TD_ERR_INTERNAL, what + ": " + err.message());
}

// ---- Keys
Key::Key(const json::value &v) {
  if (v.is_string()) {
    parts_.emplace_back(v.as_string());
    return;
  }
  for (const json::value &part : v.as_array()) parts_.emplace_back(part.as_string());
}

Key key_of(const td_key &k) {
  Key key;
  for (size_t i = 0; i < k.n; ++i) key.parts_.emplace_back(k.parts[i].data, k.parts[i].size);
  return key;
}

const td_key *Key::get() const {
  views_.clear();
  for (const std::string &p : parts_) views_.push_back({p.data(), p.size()});
  key_ = {views_.data(), views_.size()};
  return &key_;
}

std::string Key::text() const {
  std::string out;
  for (const std::string &p : parts_) out += (out.empty() ? "" : ".") + p;
  return out;
}

KeyList keys_of(const json::value &list) {
  KeyList out;
  for (const json::value &k : list.as_array()) out.emplace_back(k);
  return out;
}

KeyList keys_of(const td_keys *list) {
  KeyList out;
  for (size_t i = 0; i < td_keys_size(list); ++i) {
    td_key k;
    Err err;
    must(td_keys_get(list, i, &k, err), err, "td_keys_get");
    out.push_back(key_of(k));
  }
  return out;
}

std::vector<td_key> raw(const KeyList &keys) {
  std::vector<td_key> out;
  for (const Key &k : keys) out.push_back(*k.get());
  return out;
}

void check_keys(const KeyList &got, const KeyList &expected, const std::string &what) {
  auto text = [](const KeyList &keys) {
    std::string out;
    for (const Key &k : keys) out += ' ' + k.text();
    return out;
  };
  check(got == expected, what + " are" + text(got) + ", not" + text(expected));
}

// ---- Numbers
double number(const json::value &v) {
  if (v.is_string()) return std::stod(std::string(v.as_string()));
  if (v.is_bool()) return v.as_bool();
  return v.to_number<double>();
}

std::vector<double> flat(const json::value &v) {
  if (!v.is_array()) return {number(v)};
  std::vector<double> out;
  for (const json::value &part : v.as_array())
    for (double d : flat(part)) out.push_back(d);
  return out;
}

Own<td_tensor> tensor(const json::value &v, td_dtype dtype) {
  std::vector<int64_t> dims;
  for (const json::value *at = &v; at->is_array(); at = &at->as_array()[0]) {
    dims.push_back(static_cast<int64_t>(at->as_array().size()));
    if (at->as_array().empty()) break;
  }
  std::vector<double> numbers = flat(v);
  Err err;
  td_tensor *wide, *out;
  must(td_tensor_copy_from(numbers.data(), TD_DTYPE_FLOAT64, dims.data(), dims.size(), &wide, err), err, "a tensor");
  Own<td_tensor> hold(wide);
  must(td_tensor_to(wide, dtype, TD_NO_STR, &out, err), err, "a tensor");
  return Own<td_tensor>(out);
}

std::vector<double> values(const td_tensor *t) {
  Err err;
  td_tensor *plain, *wide, *dense;
  must(td_tensor_detach(t, &plain, err), err, "detach");
  Own<td_tensor> a(plain);
  must(td_tensor_to(plain, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, err), err, "to");
  Own<td_tensor> b(wide);
  must(td_tensor_contiguous(wide, &dense, err), err, "contiguous");
  Own<td_tensor> c(dense);
  const void *data;
  must(td_tensor_data(dense, &data, err), err, "data");
  const auto *numbers = static_cast<const double *>(data);
  return {numbers, numbers + td_tensor_numel(dense)};
}

std::vector<int64_t> shape(const td_tensor *t) {
  int64_t dims[16];
  size_t n = td_tensor_shape(t, dims, 16);
  return {dims, dims + n};
}

void check_values(const td_tensor *t, const json::value &expected, double tolerance, const std::string &what) {
  std::vector<double> got = values(t), wanted = flat(expected);
  check(got.size() == wanted.size(), what + " has " + std::to_string(got.size()) + " elements");
  for (size_t i = 0; i < got.size(); ++i) {
    bool same = got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i])) ||
                std::fabs(got[i] - wanted[i]) <= tolerance * std::fmax(1.0, std::fabs(wanted[i]));
    check(same,
          what + '[' + std::to_string(i) + "] = " + std::to_string(got[i]) + ", not " + std::to_string(wanted[i]));
  }
}

Own<td_module> made(const std::string &type, const std::string &config, uint64_t seed) {
  Err err;
  td_generator *rng;
  must(td_generator_new(seed, &rng, err), err, "a generator");
  Own<td_generator> hold(rng);
  td_module *m;
  must(td_module_new({type.data(), type.size()}, {config.data(), config.size()}, rng, &m, err), err, type);
  return Own<td_module>(m);
}

// ---- Replaying
struct Counts {
  int passed = 0, failed = 0, unknown = 0;
};

static void replay(const Object &vector, Counts &counts) {
  std::string kind(vector.at("kind").as_string());
  auto found = kinds().find(kind);
  if (found == kinds().end()) {
    ++counts.unknown;
    std::printf("%s: nobody replays this kind\n", std::string(vector.at("id").as_string()).c_str());
    return;
  }
  try {
    found->second(vector);
    ++counts.passed;
  } catch (const std::exception &e) {
    ++counts.failed;
    std::printf("%s: %s\n", std::string(vector.at("id").as_string()).c_str(), e.what());
  }
}

}  // namespace vectors

int main(int argc, char **argv) {
  vectors::Counts counts;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const boost::json::value all = boost::json::parse(text);
    for (const auto &v : all.as_object().at("vectors").as_array()) vectors::replay(v.as_object(), counts);
  }
  int64_t live = 0;
  for (int kind = 0; kind <= TD_OBJECT_SCOPE; ++kind)
    if (kind != TD_OBJECT_OP && kind != TD_OBJECT_MAPPING) live += td_live_objects(kind);
  std::printf("%d passed, %d failed, %d of kinds that nobody replays, %d objects left\n", counts.passed, counts.failed,
              counts.unknown, static_cast<int>(live));
  return counts.failed > 0 || counts.unknown > 0 || counts.passed == 0 || live != 0;
}
