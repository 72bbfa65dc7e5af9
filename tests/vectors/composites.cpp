// Several distributions under keys: what they give together.
#include "distributions.h"
#include "modules.h"

namespace {

using namespace vectors;  // NOLINT: a test

// The numbers of Python are float64 here, those of a categorical value too.
constexpr double tolerance = 1e-9;

void check_dict(td_status status, td_dict *d, const Err &err, const json::value &expected, const char *what) {
  must(status, err, what);
  Own<td_dict> hold(d);
  try {
    check_leaf_values(d, expected.as_array(), tolerance);
  } catch (const Failure &f) {
    throw Failure(std::string(what) + ": " + f.what());
  }
}

Own<td_dict> leaves_of(const json::array &leaves, const std::vector<int64_t> &batch) {
  Err err;
  td_dict *d;
  must(td_dict_new(batch.data(), batch.size(), nullptr, &d, err), err, "a dict");
  Own<td_dict> out(d);
  for (const json::value &leaf : leaves) {
    Key key(leaf.as_array()[0]);
    must(td_dict_set(d, key.get(), tensor(leaf.as_array()[1], TD_DTYPE_FLOAT64).get(), err), err, key.text());
  }
  return out;
}

Own<td_dist> composite_of(const json::array &spec, const std::vector<int64_t> &batch) {
  Err err;
  td_dict *d;
  must(td_dict_new(batch.data(), batch.size(), nullptr, &d, err), err, "a dict");
  Own<td_dict> params(d);
  KeyList names;
  std::vector<std::string> types;
  for (const json::value &part : spec) {
    names.emplace_back(part.at("name"));
    types.push_back(type_of(std::string(part.at("dist").as_string())));
    Own<td_dict> given = params_of(part.at("params").as_object(), TD_DTYPE_FLOAT64);
    must(td_dict_set_batch_size(given.get(), batch.data(), batch.size(), err), err, "the batch size");
    must(td_dict_set_dict(d, names.back().get(), given.get(), err), err, names.back().text());
  }
  std::vector<td_dist_part> parts;
  for (size_t i = 0; i < names.size(); ++i)
    parts.push_back({*names[i].get(), {types[i].data(), types[i].size()}, TD_NO_STR, nullptr});
  td_dist *made;
  must(td_dist_composite(d, parts.data(), parts.size(), &made, err), err, "a composite");
  return Own<td_dist>(made);
}

const Kind composite("composite", [](const Object &v) {
  std::vector<int64_t> batch;
  for (const json::value &d : v.at("batch").as_array()) batch.push_back(d.as_int64());
  Own<td_dist> d = composite_of(v.at("parts").as_array(), batch);
  Own<td_dict> sample = leaves_of(v.at("sample").as_array(), batch);
  Err err;
  td_dict *out = nullptr;
  td_tensor *t = nullptr;
  td_status status = td_dist_log_prob_dict(d.get(), sample.get(), 0, &out, err);
  check_dict(status, out, err, v.at("log_prob"), "log_prob");
  must(td_dist_log_prob_sum(d.get(), sample.get(), &t, err), err, "the sum");
  check_values(Own<td_tensor>(t).get(), v.at("log_prob_sum"), tolerance, "the sum of the log-probabilities");
  status = td_dist_get_dict(d.get(), TD_DIST_STAT_ENTROPY, &out, err);
  check_dict(status, out, err, v.at("entropy"), "entropy");
  must(td_dist_get(d.get(), TD_DIST_STAT_ENTROPY, &t, err), err, "the entropy");
  check_values(Own<td_tensor>(t).get(), v.at("entropy_sum"), tolerance, "the sum of the entropies");
  if (v.contains("mean")) {
    status = td_dist_get_dict(d.get(), TD_DIST_STAT_MEAN, &out, err);
    check_dict(status, out, err, v.at("mean"), "mean");
  }
  if (v.contains("mode")) {
    status = td_dist_get_dict(d.get(), TD_DIST_STAT_MODE, &out, err);
    check_dict(status, out, err, v.at("mode"), "mode");
  }
  if (v.contains("deterministic_sample")) {
    status = td_dist_interact_dict(d.get(), TD_INTERACTION_DETERMINISTIC, nullptr, 0, 0, nullptr, &out, err);
    check_dict(status, out, err, v.at("deterministic_sample"), "deterministic_sample");
  }
  const int64_t four = 4;
  must(td_dist_sample_dict(d.get(), &four, 1, nullptr, &out, err), err, "sample");
  Own<td_dict> draws(out);
  for (const json::value &leaf : v.at("shape_of_draws").as_array()) {
    Key key(leaf.as_array()[0]);
    must(td_dict_get(out, key.get(), &t, err), err, key.text());
    check_shape(Own<td_tensor>(t).get(), leaf.as_array()[1], key.text());
  }
  if (v.at("cdf").is_null()) {
    refused(td_dist_cdf_dict(d.get(), sample.get(), err), err, "cdf");
    return;
  }
  must(td_dist_cdf_dict(d.get(), sample.get(), err), err, "cdf");
  check_leaf_values(sample.get(), v.at("cdf").as_array(), tolerance);
});

}  // namespace
