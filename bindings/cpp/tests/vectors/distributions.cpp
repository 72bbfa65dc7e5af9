// What distributions are, give and refuse.
#include <cctype>
#include <cmath>

#include "vectors.hpp"

namespace vectors {

std::string type_of(const std::string& name) {
  if (name == "OneHotCategorical(tensordict)") return "td.int_one_hot_categorical";
  const std::string plain = name.substr(0, name.find('('));
  std::string out = "td.";
  for (std::size_t i = 0; i < plain.size(); ++i) {
    auto at = [&](std::size_t j) { return j < plain.size() ? static_cast<unsigned char>(plain[j]) : 0; };
    if (i > 0 && std::isupper(at(i)) && (std::islower(at(i - 1)) || std::islower(at(i + 1)))) out += '_';
    out += static_cast<char>(std::tolower(at(i)));
  }
  return out;
}

Dict params_of(const object& params, DType dtype) {
  Dict out{Ints()};
  for (const auto& param : params) out.set(std::string(param.key()), tensor(param.value(), dtype));
  return out;
}

namespace {

// What Python gives by name may be in the config here: the type's schema says what is.
std::vector<std::string> config_members(const std::string& type) {
  static const json::value types = json::parse(plugins::list());
  std::vector<std::string> out;
  for (const json::value& one : types.as_array())
    if (text(one.at("id")) == type)
      for (const auto& member : one.at("schema").at("properties").as_object()) out.emplace_back(member.key());
  return out;
}

Dist independent(const std::string& name, object params, DType dtype) {
  const std::size_t open = name.find('('), comma = name.rfind(',');
  const std::string base = name.substr(open + 1, (comma == std::string::npos ? name.size() - 1 : comma) - open - 1);
  std::int64_t ndims = comma == std::string::npos ? 1 : std::stoll(name.substr(comma + 1));
  if (params.contains("reinterpreted_batch_ndims")) {
    ndims = params.at("reinterpreted_batch_ndims").as_int64();
    params.erase("reinterpreted_batch_ndims");
  }
  return Dist::independent(distribution(base, params, dtype), ndims);
}

// {"dist": its name, and its parameters}
Dist part(object given, DType dtype) {
  const std::string name = text(given.at("dist"));
  given.erase("dist");
  return distribution(name, given, dtype);
}

}  // namespace

Dist distribution(const std::string& name, const object& given, DType dtype) {
  if (name.rfind("Independent(", 0) == 0) return independent(name, given, dtype);
  if (name == "MixtureSameFamily")
    return Dist::mixture(part(given.at("mixture").as_object(), dtype), part(given.at("components").as_object(), dtype));
  const std::string type = type_of(name);
  object params = given, config;
  for (const std::string& member : config_members(type))
    if (params.contains(member)) {
      config[member] = params.at(member);
      params.erase(member);
    }
  return Dist::create(type, params_of(params, dtype), json::serialize(config));
}

namespace {

const std::map<std::string, DistStat> stats = {{"mean", DistStat::mean},
                                               {"variance", DistStat::variance},
                                               {"mode", DistStat::mode},
                                               {"entropy", DistStat::entropy}};

// A text stands for a value that is the same everywhere: "nan", "inf", "-inf".
void check_stat(const Tensor& t, const json::value& expected, double tolerance, const std::string& what) {
  if (!expected.is_string()) return check_values(t, expected, tolerance, what);
  const double wanted = number(expected);
  for (double x : values(t))
    check(x == wanted || (std::isnan(x) && std::isnan(wanted)), what + " is " + std::to_string(x) + " somewhere");
}

void check_not_offered(const Dist& d, const std::string& name, const Tensor& points) {
  const Error e = refused(
      [&] {
        if (stats.count(name)) d.stat(stats.at(name));
        if (name == "cdf") d.cdf(points);
        if (name == "icdf") d.icdf(points);
      },
      name);
  check(e.status() == TD_ERR_UNSUPPORTED, name + " fails with " + std::string(e.status_name()));
}

void distribution_kind(const object& v) {
  const DType dtype = dtype_of(v);
  const double tolerance = dtype == DType::float32 ? 1e-6 : 1e-9;
  const Dist d = distribution(text(v.at("dist")), v.at("params").as_object(), dtype);
  if (v.contains("batch_shape")) check(d.batch_shape() == ints(v.at("batch_shape")), "the batch shape");
  if (v.contains("event_shape")) check(d.event_shape() == ints(v.at("event_shape")), "the event shape");
  if (v.contains("has_rsample")) check(d.has_rsample() == v.at("has_rsample").as_bool(), "has_rsample");
  const Tensor points = tensor(v.at("points"), dtype);
  check_values(d.log_prob(points), v.at("log_prob"), tolerance, "log_prob");
  for (const auto& [name, stat] : stats)
    if (v.contains(name)) check_stat(d.stat(stat), v.at(name), tolerance, name);
  if (v.contains("cdf")) check_values(d.cdf(points), v.at("cdf"), tolerance, "cdf");
  if (v.contains("icdf")) check_values(d.icdf(tensor(v.at("icdf_q"), dtype)), v.at("icdf"), tolerance, "icdf");
  if (v.contains("not_implemented"))
    for (const json::value& name : v.at("not_implemented").as_array()) check_not_offered(d, text(name), points);
}

void kl(const object& v) {
  const Dist p = part(v.at("p").as_object(), DType::float64), q = part(v.at("q").as_object(), DType::float64);
  check_values(kl_divergence(p, q), v.at("value"), 1e-9, "the divergence");
}

// ---- Errors: the older vectors name the case, and the table has its arguments
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
void check_refused(const object& v, const std::string& name, const object& params, const json::value* value) {
  std::optional<Dist> d;
  if (value) d = distribution(name, params, DType::float32);
  const Error e = refused(
      [&] {
        if (value)
          d->log_prob(tensor(*value, DType::float32));
        else
          distribution(name, params, DType::float32);
      },
      name);
  const std::string expected = text(v.contains("says") ? v.at("says") : v.at("error").at(1));
  check(std::string(e.what()).find(expected) != std::string::npos,
        "\"" + std::string(e.what()) + "\" is not \"" + expected + '"');
}

void dist_error(const object& v) {
  if (v.contains("dist"))
    return check_refused(v, text(v.at("dist")), v.at("params").as_object(), v.if_contains("value"));
  std::string id = text(v.at("id"));
  id = id.substr(id.find('.') + 1);
  for (const Refused& r : refusals) {
    if (id != r.id) continue;
    const json::value value = r.value ? json::parse(r.value) : json::value();
    return check_refused(v, r.name, json::parse(r.params).as_object(), r.value ? &value : nullptr);
  }
  throw Failure("this case is not known");
}

// ---- Several distributions under keys
Dist composite_of(const json::array& spec, const Shape& batch) {
  Dict params(batch);
  std::vector<DistPart> parts;
  for (const json::value& one : spec) {
    Dict given = params_of(one.at("params").as_object(), DType::float64);
    given.set_batch_size(batch);
    params.set(key_of(one.at("name")), given);
    parts.push_back(DistPart{key_of(one.at("name")), type_of(text(one.at("dist")))});
  }
  return Dist::composite(params, parts);
}

void composite(const object& v) {
  constexpr double tolerance = 1e-9;  // the numbers of Python are float64 here, those of a categorical value too
  const Shape batch = ints(v.at("batch"));
  const Dist d = composite_of(v.at("parts").as_array(), batch);
  Dict sample(batch);
  for (const json::value& leaf : v.at("sample").as_array())
    sample.set(key_of(leaf.at(0)), tensor(leaf.at(1), DType::float64));
  check_leaf_values(d.log_prob_dict(sample, false), v.at("log_prob").as_array(), tolerance);
  check_values(d.log_prob(sample), v.at("log_prob_sum"), tolerance, "the sum of the log-probabilities");
  check_leaf_values(d.stat_dict(DistStat::entropy), v.at("entropy").as_array(), tolerance);
  check_values(d.entropy(), v.at("entropy_sum"), tolerance, "the sum of the entropies");
  if (v.contains("mean")) check_leaf_values(d.stat_dict(DistStat::mean), v.at("mean").as_array(), tolerance);
  if (v.contains("mode")) check_leaf_values(d.stat_dict(DistStat::mode), v.at("mode").as_array(), tolerance);
  if (v.contains("deterministic_sample"))
    check_leaf_values(d.interact_dict(Interaction::deterministic), v.at("deterministic_sample").as_array(), tolerance);
  const Dict draws = d.sample_dict({4});
  for (const json::value& leaf : v.at("shape_of_draws").as_array())
    check_shape(draws.get(key_of(leaf.at(0))), leaf.at(1), key_of(leaf.at(0)).joined());
  if (v.at("cdf").is_null()) {
    refused([&] { d.cdf_dict(sample); }, "cdf");
    return;
  }
  d.cdf_dict(sample);
  check_leaf_values(sample, v.at("cdf").as_array(), tolerance);
}

}  // namespace

void add_distribution_kinds(Kinds& kinds) {
  kinds["distribution"] = distribution_kind;
  kinds["kl"] = kl;
  kinds["dist_error"] = dist_error;
  kinds["composite"] = composite;
}

}  // namespace vectors
