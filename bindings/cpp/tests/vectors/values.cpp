// Keys and numbers as the vectors write them, and what is checked of them.
#include <algorithm>
#include <cmath>

#include "vectors.hpp"

namespace vectors {

void check(bool holds, const std::string& what) {
  if (!holds) throw Failure(what);
}

Error refused(const std::function<void()>& function, const std::string& what) {
  try {
    function();
  } catch (const Error& e) {
    check(!std::string(e.what()).empty(), what + ": the error says nothing");
    check(e.status() != TD_ERR_INTERNAL, what + ": " + e.what());
    return e;
  }
  throw Failure(what + " succeeded");
}

std::string text(const json::value& v) {
  return json::value_to<std::string>(v);
}

bool flag(const object& v, const char* name) {
  return v.contains(name) && v.at(name).as_bool();
}

Key key_of(const json::value& v) {
  if (v.is_string()) return Key(text(v));
  return Key(json::value_to<std::vector<std::string>>(v));
}

std::vector<Key> keys_of(const json::value& list) {
  std::vector<Key> out;
  for (const json::value& k : list.as_array()) out.push_back(key_of(k));
  return out;
}

void check_keys(const std::vector<Key>& got, const std::vector<Key>& expected, const std::string& what) {
  auto joined = [](const std::vector<Key>& keys) {
    std::string out;
    for (const Key& k : keys) out += ' ' + k.joined();
    return out;
  };
  check(got == expected, what + " are" + joined(got) + ", not" + joined(expected));
}

void check_same_set(std::vector<Key> got, std::vector<Key> expected, const std::string& what) {
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  check_keys(got, expected, what);
}

double number(const json::value& v) {
  if (v.is_string()) return std::stod(text(v));
  if (v.is_bool()) return v.as_bool();
  return v.to_number<double>();
}

static std::vector<double> flat(const json::value& v) {
  if (!v.is_array()) return {number(v)};
  std::vector<double> out;
  for (const json::value& part : v.as_array())
    for (double d : flat(part)) out.push_back(d);
  return out;
}

Tensor tensor(const json::value& v, DType dtype) {
  Shape shape;
  for (const json::value* at = &v; at->is_array(); at = &at->as_array()[0]) {
    shape.push_back(static_cast<std::int64_t>(at->as_array().size()));
    if (at->as_array().empty()) break;
  }
  return Tensor::of(flat(v), shape).to(dtype);
}

std::vector<double> values(const Tensor& t) {
  return t.detach().to(DType::float64).to_vector<double>();
}

Shape ints(const json::value& list) {
  return json::value_to<std::vector<std::int64_t>>(list);
}

void check_values(const Tensor& t, const json::value& expected, double tolerance, const std::string& what) {
  const std::vector<double> got = values(t), wanted = flat(expected);
  check(got.size() == wanted.size(), what + " has " + std::to_string(got.size()) + " elements");
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool same = got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i])) ||
                      std::fabs(got[i] - wanted[i]) <= tolerance * std::fmax(1.0, std::fabs(wanted[i]));
    check(same,
          what + '[' + std::to_string(i) + "] = " + std::to_string(got[i]) + ", not " + std::to_string(wanted[i]));
  }
}

void check_shape(const Tensor& t, const json::value& expected, const std::string& what) {
  check(t.shape() == ints(expected), "the shape of " + what);
}

void check_leaf_values(const Dict& d, const json::array& expected, double tolerance) {
  check(leaf_keys(d).size() == expected.size(), "there are " + std::to_string(leaf_keys(d).size()) + " leaves");
  for (const json::value& leaf : expected) {
    const Key key = key_of(leaf.at(0));
    check_values(d.get(key), leaf.at(1), tolerance, key.joined());
  }
}

DType dtype_of(const object& v) {
  return v.contains("dtype") && text(v.at("dtype")) == "float32" ? DType::float32 : DType::float64;
}

Dict dict_of(const std::vector<Key>& keys) {
  Dict out{Ints()};
  float value = 0;
  for (const Key& k : keys) out.set(k, Tensor::scalar(value++));
  return out;
}

}  // namespace vectors
