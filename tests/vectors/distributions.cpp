// What distributions are, give and refuse.
#include "distributions.h"

#include <cctype>
#include <cmath>

#include "modules.h"

namespace vectors {

std::string type_of(const std::string &name) {
  if (name == "OneHotCategorical(tensordict)") return "td.int_one_hot_categorical";
  std::string plain = name.substr(0, name.find('(')), out = "td.";
  for (size_t i = 0; i < plain.size(); ++i) {
    auto at = [&](size_t j) { return j < plain.size() ? static_cast<unsigned char>(plain[j]) : 0; };
    bool starts_word = i > 0 && std::isupper(at(i)) && (std::islower(at(i - 1)) || std::islower(at(i + 1)));
    if (starts_word) out += '_';
    out += static_cast<char>(std::tolower(at(i)));
  }
  return out;
}

Own<td_dict> params_of(const Object &params, td_dtype dtype) {
  Err err;
  td_dict *d;
  must(td_dict_new(TD_NO_DIMS, nullptr, &d, err), err, "a dict");
  Own<td_dict> out(d);
  for (const auto &[name, value] : params) {
    std::string text(name);
    must(td_dict_set(d, TD_KEY(text.c_str()), tensor(value, dtype).get(), err), err, text);
  }
  return out;
}

// What Python gives by name may be in the config here: the type's schema says what is.
static std::vector<std::string> config_members(const std::string &type) {
  Err err;
  td_string *list = nullptr;
  must(td_plugins_list(&list, err), err, "the list of types");
  td_str text = td_string_view(list);
  json::value types = json::parse({text.data, text.size});
  td_string_release(list);
  std::vector<std::string> out;
  for (const json::value &one : types.as_array())
    if (one.at("id").as_string() == type)
      for (const auto &member : one.at("schema").at("properties").as_object()) out.emplace_back(member.key());
  return out;
}

static Own<td_dist> independent(const std::string &name, Object params, td_dtype dtype, Err &err) {
  size_t open = name.find('('), comma = name.rfind(',');
  std::string base = name.substr(open + 1, (comma == std::string::npos ? name.size() - 1 : comma) - open - 1);
  int64_t ndims = comma == std::string::npos ? 1 : std::stoll(name.substr(comma + 1));
  if (params.contains("reinterpreted_batch_ndims")) {
    ndims = params.at("reinterpreted_batch_ndims").as_int64();
    params.erase("reinterpreted_batch_ndims");
  }
  Own<td_dist> inner = distribution(base, params, dtype);
  td_dist *out = nullptr;
  td_dist_independent(inner.get(), ndims, &out, err);
  return Own<td_dist>(out);
}

// {"dist": its name, and its parameters}
static Own<td_dist> part(Object given, td_dtype dtype) {
  std::string name(given.at("dist").as_string());
  given.erase("dist");
  return distribution(name, given, dtype);
}

static Own<td_dist> mixture(const Object &params, td_dtype dtype, Err &err) {
  td_dist *out = nullptr;
  td_dist_mixture(part(params.at("mixture").as_object(), dtype).get(),
                  part(params.at("components").as_object(), dtype).get(), &out, err);
  return Own<td_dist>(out);
}

Own<td_dist> distribution(const std::string &name, const Object &given, td_dtype dtype, Err &err, bool may_refuse) {
  Own<td_dist> out;
  if (name.rfind("Independent(", 0) == 0) {
    out = independent(name, given, dtype, err);
  } else if (name == "MixtureSameFamily") {
    out = mixture(given, dtype, err);
  } else {
    std::string type = type_of(name);
    Object params = given, config;
    for (const std::string &member : config_members(type))
      if (params.contains(member)) {
        config[member] = params.at(member);
        params.erase(member);
      }
    std::string text = json::serialize(config);
    td_dist *made = nullptr;
    td_dist_new({type.data(), type.size()}, params_of(params, dtype).get(), {text.data(), text.size()}, &made, err);
    out.reset(made);
  }
  check(out || may_refuse, name + ": " + err.message());
  return out;
}

Own<td_dist> distribution(const std::string &name, const Object &params, td_dtype dtype) {
  Err err;
  return distribution(name, params, dtype, err);
}

}  // namespace vectors

namespace {

using namespace vectors;  // NOLINT: a test

using ValueOf = td_status (*)(const td_dist *, const td_tensor *, td_tensor **, td_error **);

struct Stat {
  const char *name;
  td_dist_stat stat;
};
const Stat stats[] = {{"mean", TD_DIST_STAT_MEAN},
                      {"variance", TD_DIST_STAT_VARIANCE},
                      {"mode", TD_DIST_STAT_MODE},
                      {"entropy", TD_DIST_STAT_ENTROPY}};

// A text stands for a value that is the same everywhere: "nan", "inf", "-inf".
void check_stat(const td_tensor *t, const json::value &expected, double tolerance, const std::string &what) {
  if (!expected.is_string()) return check_values(t, expected, tolerance, what);
  const double wanted = number(expected);
  for (double x : values(t))
    check(x == wanted || (std::isnan(x) && std::isnan(wanted)), what + " is " + std::to_string(x) + " somewhere");
}

void check_given(const td_dist *d, const char *name, ValueOf function, const td_tensor *at, const json::value &expected,
                 double tolerance) {
  Err err;
  td_tensor *t;
  must(function(d, at, &t, err), err, name);
  check_values(Own<td_tensor>(t).get(), expected, tolerance, name);
}

void check_not_offered(const td_dist *d, const std::string &name, const td_tensor *points) {
  Err err;
  td_tensor *t = nullptr;
  td_status status = TD_OK;
  for (const Stat &s : stats)
    if (name == s.name) status = td_dist_get(d, s.stat, &t, err);
  if (name == "cdf") status = td_dist_cdf(d, points, &t, err);
  if (name == "icdf") status = td_dist_icdf(d, points, &t, err);
  refused(status, err, name);
  check(status == TD_ERR_UNSUPPORTED, name + " fails with " + td_status_name(status).data);
}

void check_dims(size_t n, const int64_t *dims, const json::value &expected, const char *what) {
  const json::array &wanted = expected.as_array();
  bool same = n == wanted.size();
  for (size_t i = 0; same && i < n; ++i) same = dims[i] == wanted[i].as_int64();
  check(same, std::string("the ") + what + " is another");
}

const Kind distribution_kind("distribution", [](const Object &v) {
  const td_dtype dtype = dtype_of(v);
  const double tolerance = dtype == TD_DTYPE_FLOAT32 ? 1e-6 : 1e-9;
  Own<td_dist> d = distribution(std::string(v.at("dist").as_string()), v.at("params").as_object(), dtype);
  int64_t dims[8];
  if (v.contains("batch_shape"))
    check_dims(td_dist_batch_shape(d.get(), dims, 8), dims, v.at("batch_shape"), "batch shape");
  if (v.contains("event_shape"))
    check_dims(td_dist_event_shape(d.get(), dims, 8), dims, v.at("event_shape"), "event shape");
  if (v.contains("has_rsample"))
    check(td_dist_has_rsample(d.get()) == v.at("has_rsample").as_bool(), "has_rsample is another");
  Own<td_tensor> points = tensor(v.at("points"), dtype);
  check_given(d.get(), "log_prob", td_dist_log_prob, points.get(), v.at("log_prob"), tolerance);
  for (const Stat &s : stats) {
    if (!v.contains(s.name)) continue;
    Err err;
    td_tensor *t;
    must(td_dist_get(d.get(), s.stat, &t, err), err, s.name);
    check_stat(Own<td_tensor>(t).get(), v.at(s.name), tolerance, s.name);
  }
  if (v.contains("cdf")) check_given(d.get(), "cdf", td_dist_cdf, points.get(), v.at("cdf"), tolerance);
  if (v.contains("icdf"))
    check_given(d.get(), "icdf", td_dist_icdf, tensor(v.at("icdf_q"), dtype).get(), v.at("icdf"), tolerance);
  if (v.contains("not_implemented"))
    for (const json::value &name : v.at("not_implemented").as_array())
      check_not_offered(d.get(), std::string(name.as_string()), points.get());
});

const Kind kl("kl", [](const Object &v) {
  Own<td_dist> both[2];
  for (int i = 0; i < 2; ++i) {
    Object params = v.at(i ? "q" : "p").as_object();
    std::string name(params.at("dist").as_string());
    params.erase("dist");
    both[i] = distribution(name, params, TD_DTYPE_FLOAT64);
  }
  Err err;
  td_tensor *t;
  must(td_dist_kl_divergence(both[0].get(), both[1].get(), &t, err), err, "the divergence");
  check_values(Own<td_tensor>(t).get(), v.at("value"), 1e-9, "the divergence");
});

// ---- Errors: the vectors name the case, the table has its arguments
struct Refused {
  const char *id, *name, *params, *value;  // value: of log_prob
};
const Refused refusals[] = {
    {"Normal_nan_loc", "Normal", R"({"loc": "nan", "scale": 1})", nullptr},
    {"Normal_scale_0", "Normal", R"({"loc": 0, "scale": 0})", nullptr},
    {"Uniform_low_eq_high", "Uniform", R"({"low": 1, "high": 1})", nullptr},
    {"Bernoulli_p_1.5", "Bernoulli", R"({"probs": 1.5})", nullptr},
    {"Bernoulli_both", "Bernoulli", R"({"probs": 0.5, "logits": 0})", nullptr},
    {"Categorical_0d", "Categorical", R"({"probs": 0.5})", nullptr},
    {"MVN_two", "MultivariateNormal",
     R"({"loc": [0, 0], "covariance_matrix": [[1, 0], [0, 1]], "scale_tril": [[1, 0], [0, 1]]})", nullptr},
    {"Geometric_0", "Geometric", R"({"probs": 0})", nullptr},
    {"Exponential_logprob_neg", "Exponential", R"({"rate": 1})", "-1"},
    {"Normal_shape", "Normal", R"({"loc": [0, 0, 0], "scale": [1, 1, 1]})", "[0, 0, 0, 0]"},
    {"Poisson_negative", "Poisson", R"({"rate": -1})", nullptr},
    {"Dirichlet_0d", "Dirichlet", R"({"concentration": 1})", nullptr},
    {"Independent_ndims", "Independent(Normal,2)", R"({"loc": [0, 0], "scale": [1, 1]})", nullptr},
};

// The distribution is refused, or the value that it is asked about.
void check_refused(const Object &v, const std::string &name, const Object &params, const json::value *value) {
  Err err;
  Own<td_dist> d = distribution(name, params, TD_DTYPE_FLOAT32, err, true);
  if (value) {
    check(d != nullptr, err.message());
    td_tensor *t = nullptr;
    refused(td_dist_log_prob(d.get(), tensor(*value, TD_DTYPE_FLOAT32).get(), &t, err), err, "log_prob");
  }
  check(!d == !value, "a distribution that must be refused was made");
  std::string expected((v.contains("says") ? v.at("says") : v.at("error").as_array()[1]).as_string());
  check(err.message().find(expected) != std::string::npos, "\"" + err.message() + "\" is not \"" + expected + '"');
}

const Kind dist_error("dist_error", [](const Object &v) {
  if (v.contains("dist"))
    return check_refused(v, std::string(v.at("dist").as_string()), v.at("params").as_object(), v.if_contains("value"));
  std::string id(v.at("id").as_string());
  id = id.substr(id.find('.') + 1);
  for (const Refused &r : refusals) {
    if (id != r.id) continue;
    const json::value value = r.value ? json::parse(r.value) : json::value();
    return check_refused(v, r.name, json::parse(r.params).as_object(), r.value ? &value : nullptr);
  }
  throw Failure("a case that this program does not know");
});

}  // namespace
