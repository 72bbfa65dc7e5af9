// Modules that write a value of a distribution.
#include "distributions.h"
#include "modules.h"

namespace {

using namespace vectors;  // NOLINT: a test

Own<td_module> normal_module(const KeyList &in, const KeyList &out, const td_probabilistic_options &options) {
  std::vector<td_key> raw_in = raw(in), raw_out = raw(out);
  Err err;
  td_module *m;
  must(td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, raw_in.data(), raw_in.size(), raw_out.data(),
                               raw_out.size(), &options, &m, err),
       err, "a probabilistic module");
  return Own<td_module>(m);
}

KeyList keys_or(const Object &v, const char *name, const char *otherwise) {
  return keys_of(v.contains(name) ? v.at(name) : json::parse(otherwise));
}

bool flag(const Object &v, const char *name) {
  return v.contains(name) && v.at(name).as_bool();
}

const Kind prob_keys("prob_keys", [](const Object &v) {
  td_probabilistic_options options = TD_PROBABILISTIC_OPTIONS_INIT;
  options.return_log_prob = flag(v, "return_log_prob");
  options.aggregate = flag(v, "aggregate");
  Own<td_module> m =
      normal_module(keys_or(v, "in_keys_arg", R"(["loc", "scale"])"), keys_or(v, "out_keys_arg", R"(["a"])"), options);
  check_keys(in_keys(m.get()), keys_of(v.at("in_keys")), "the in-keys");
  check_keys(out_keys(m.get()), keys_of(v.at("out_keys")), "the out-keys");
  Err err;
  td_keys *keys;
  must(td_module_log_prob_keys(m.get(), &keys, err), err, "log_prob_keys");
  check_keys(keys_of(Own<td_keys>(keys).get()), keys_of(v.at("log_prob_keys")), "the log-probability keys");
});

// The dims before those of the data are the samples; the last dim is that of the features.
const Kind prob("prob", [](const Object &v) {
  const Object &shapes = v.at("shapes").as_object();
  std::vector<int64_t> all;
  for (const json::value &d : shapes.at("loc").as_array()) all.push_back(d.as_int64());
  const int64_t samples = all[0], batch = all[1], features = all[2];
  td_probabilistic_options options = TD_PROBABILISTIC_OPTIONS_INIT;
  options.default_interaction = TD_INTERACTION_RANDOM;
  options.return_log_prob = shapes.contains("a_log_prob");
  options.num_samples = &samples;
  options.n_num_samples = 1;
  Own<td_module> m =
      normal_module(keys_of(json::parse(R"(["loc", "scale"])")), keys_of(json::parse(R"(["a"])")), options);
  Err err;
  td_dict *handle, *result;
  must(td_dict_new(&batch, 1, nullptr, &handle, err), err, "a dict");
  Own<td_dict> data(handle);
  const int64_t dims[] = {batch, features};
  for (const char *name : {"loc", "scale"}) {
    td_tensor *t;
    must(td_tensor_full(dims, 2, TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32, TD_NO_STR, &t, err), err, name);
    must(td_dict_set(handle, TD_KEY(name), Own<td_tensor>(t).get(), err), err, name);
  }
  must(td_module_run(m.get(), handle, nullptr, &result, err), err, "run");
  Own<td_dict> hold(result);
  check(result != handle && leaf_keys(handle).size() == 2, "the input is as it was");
  int64_t got[8];
  const size_t n = td_dict_batch_size(result, got, 8);
  check(n == v.at("out_batch").as_array().size(), "the batch size");
  for (size_t i = 0; i < n; ++i) check(got[i] == v.at("out_batch").as_array()[i].as_int64(), "the batch size");
  for (const auto &[name, shape] : shapes) {
    std::string key(name);
    td_tensor *t;
    must(td_dict_get(result, TD_KEY(key.c_str()), &t, err), err, key);
    check_shape(Own<td_tensor>(t).get(), shape, key);
  }
});

const Kind rng("rng", [](const Object &v) {
  Err err;
  td_generator *handle;
  must(td_generator_new(static_cast<uint64_t>(v.at("seed").as_int64()), &handle, err), err, "a generator");
  Own<td_generator> generator(handle);
  const auto n = static_cast<int64_t>(v.at("value").as_array().size());
  Own<td_dist> d = distribution("Normal", json::parse(R"({"loc": 0, "scale": 1})").as_object(), TD_DTYPE_FLOAT32);
  td_tensor *t;
  must(td_dist_rsample(d.get(), &n, 1, handle, &t, err), err, "rsample");
  check_values(Own<td_tensor>(t).get(), v.at("value"), 1e-7, "the sample");

  must(td_generator_seed(handle, static_cast<uint64_t>(v.at("seed").as_int64()), err), err, "a seed");
  td_probabilistic_options options = TD_PROBABILISTIC_OPTIONS_INIT;
  options.default_interaction = TD_INTERACTION_RANDOM;
  options.generator = handle;
  options.num_samples = &n;
  options.n_num_samples = 1;
  Own<td_module> m =
      normal_module(keys_of(json::parse(R"(["loc", "scale"])")), keys_of(json::parse(R"(["a"])")), options);
  Own<td_dict> data = params_of(json::parse(R"({"loc": 0, "scale": 1})").as_object(), TD_DTYPE_FLOAT32);
  td_dict *result;
  must(td_module_run(m.get(), data.get(), nullptr, &result, err), err, "run");
  Own<td_dict> hold(result);
  must(td_dict_get(result, TD_KEY("a"), &t, err), err, "a");
  check_values(Own<td_tensor>(t).get(), v.at("via_module_generator_0"), 1e-7, "the module's sample");
});

// ---- Deterministic values: "LogNormal(0,1)" has its parameters in its name, in the order that the original has
struct Typical {
  const char *name, *order, *params;  // where the name has none
};
const Typical typicals[] = {
    {"Bernoulli", "probs", R"({"probs": 0.3})"},
    {"Categorical", "", R"({"probs": [0.2, 0.5, 0.3]})"},
    {"OneHotCategorical", "", R"({"probs": [0.2, 0.5, 0.3]})"},
    {"LogNormal", "loc scale", R"({"loc": 0, "scale": 1})"},
    {"Normal", "loc scale", R"({"loc": 0, "scale": 1})"},
    {"Uniform", "low high", R"({"low": 0, "high": 1})"},
    {"Beta", "concentration1 concentration0", R"({"concentration1": 2, "concentration0": 3})"},
    {"Gamma", "concentration rate", R"({"concentration": 2, "rate": 3})"},
    {"Exponential", "rate", R"({"rate": 1.5})"},
    {"Geometric", "probs", R"({"probs": 0.3})"},
    {"Poisson", "rate", R"({"rate": 2.5})"},
    {"RelaxedBernoulli", "probs", R"({"probs": 0.3})"},
    {"Cauchy", "loc scale", R"({"loc": 0, "scale": 1})"},
    {"Independent(Categorical)", "", R"({"probs": [[0.1, 0.7, 0.2], [0.6, 0.3, 0.1]]})"},
};

Own<td_dist> typical(const std::string &id) {
  for (const Typical &t : typicals) {
    std::string name(t.name);
    if (id.rfind(name, 0) != 0 || (id.size() > name.size() && id[name.size()] != '(')) continue;
    Object params = json::parse(t.params).as_object();
    std::string arguments = id.substr(name.size()), order = t.order;
    for (char &c : arguments)
      if (c == '(' || c == ')' || c == ',') c = ' ';
    for (size_t at = 0, word = 0; at < arguments.size() && word < order.size();) {
      at = arguments.find_first_not_of(' ', at);
      if (at == std::string::npos) break;
      size_t end = arguments.find(' ', at), stop = order.find(' ', word);
      params[order.substr(word, stop - word)] = std::stod(arguments.substr(at, end - at));
      at = end;
      word = stop == std::string::npos ? order.size() : stop + 1;
    }
    if (name == "RelaxedBernoulli") params["temperature"] = 0.5;
    return distribution(name, params, TD_DTYPE_FLOAT64);
  }
  throw Failure("a distribution that this program does not know");
}

td_status give_dist(void *dist, const td_dict *, td_dist **out, td_error **) {
  td_dist_retain(static_cast<td_dist *>(dist));
  *out = static_cast<td_dist *>(dist);
  return TD_OK;
}

const Kind deterministic("deterministic", [](const Object &v) {
  std::string id(v.at("id").as_string());
  Own<td_dist> d = typical(id.substr(id.find('.') + 1));
  Err err;
  td_tensor *t;
  must(td_dist_interact(d.get(), TD_INTERACTION_DETERMINISTIC, TD_NO_DIMS, 0, nullptr, &t, err), err, "a value");
  check_values(Own<td_tensor>(t).get(), v.at("value"), 1e-9, "the value");

  td_module *handle;
  must(td_module_probabilistic_function(TD_CALLBACKS(td_dist_function, give_dist, d.get(), nullptr), nullptr, 0,
                                        TD_KEY("a"), 1, nullptr, &handle, err),
       err, "a module");
  Own<td_module> m(handle);
  Own<td_dict> data = dict_of({});
  must(td_module_forward(handle, data.get(), err), err, "forward");
  must(td_dict_get(data.get(), TD_KEY("a"), &t, err), err, "a");
  check_values(Own<td_tensor>(t).get(), v.at("value"), 1e-9, "the module's value");
});

}  // namespace
