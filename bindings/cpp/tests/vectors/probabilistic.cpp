// Modules that write a value of a distribution.
#include "vectors.hpp"

namespace vectors {
namespace {

Module normal_module(const std::vector<Key>& in, const std::vector<Key>& out, const ProbabilisticOptions& options) {
  return Module::probabilistic("td.normal", in, out, options);
}

std::vector<Key> keys_or(const object& v, const char* name, std::vector<Key> otherwise) {
  return v.contains(name) ? keys_of(v.at(name)) : std::move(otherwise);
}

void prob_keys(const object& v) {
  ProbabilisticOptions options;
  options.return_log_prob = flag(v, "return_log_prob");
  options.aggregate = flag(v, "aggregate");
  const Module m =
      normal_module(keys_or(v, "in_keys_arg", {"loc", "scale"}), keys_or(v, "out_keys_arg", {"a"}), options);
  check_keys(m.in_keys().to_vector(), keys_of(v.at("in_keys")), "the in-keys");
  check_keys(m.out_keys().to_vector(), keys_of(v.at("out_keys")), "the out-keys");
  check_keys(m.log_prob_keys().to_vector(), keys_of(v.at("log_prob_keys")), "the log-probability keys");
}

// The dims before those of the data are the samples; the last dim is that of the features.
void prob(const object& v) {
  const object& shapes = v.at("shapes").as_object();
  const Shape all = ints(shapes.at("loc"));
  const std::int64_t samples = all[0], batch = all[1], features = all[2];
  ProbabilisticOptions options;
  options.default_interaction = Interaction::random;
  options.return_log_prob = shapes.contains("a_log_prob");
  options.num_samples = {samples};
  const Module m = normal_module({"loc", "scale"}, {"a"}, options);
  const Tensor ones = Tensor::ones({batch, features});
  Dict data({{"loc", ones}, {"scale", ones}}, {batch});
  const Dict result = m(data);
  check(!result.is(data) && leaf_keys(data).size() == 2, "the input is as it was");
  check(result.batch_size() == ints(v.at("out_batch")), "the batch size");
  for (const auto& shape : shapes)
    check_shape(result.get(std::string(shape.key())), shape.value(), std::string(shape.key()));
}

void rng(const object& v) {
  const auto seed = static_cast<std::uint64_t>(v.at("seed").as_int64());
  const auto n = static_cast<std::int64_t>(v.at("value").as_array().size());
  Generator generator(seed);
  Dict params({{"loc", Tensor::scalar(0.f)}, {"scale", Tensor::scalar(1.f)}}, Ints());
  check_values(Dist::create("td.normal", params).rsample({n}, generator), v.at("value"), 1e-7, "the sample");

  generator.seed(seed);
  ProbabilisticOptions options;
  options.default_interaction = Interaction::random;
  options.generator = &generator;
  options.num_samples = {n};
  const Module m = normal_module({"loc", "scale"}, {"a"}, options);
  check_values(m(params).get("a"), v.at("via_module_generator_0"), 1e-7, "the module's sample");
}

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

Dist typical(const std::string& id) {
  for (const Typical& t : typicals) {
    const std::string name(t.name), order = t.order;
    if (id.rfind(name, 0) != 0 || (id.size() > name.size() && id[name.size()] != '(')) continue;
    object params = json::parse(t.params).as_object();
    std::string arguments = id.substr(name.size());
    for (char& c : arguments)
      if (c == '(' || c == ')' || c == ',') c = ' ';
    for (std::size_t at = 0, word = 0; at < arguments.size() && word < order.size();) {
      at = arguments.find_first_not_of(' ', at);
      if (at == std::string::npos) break;
      const std::size_t end = arguments.find(' ', at), stop = order.find(' ', word);
      params[order.substr(word, stop - word)] = std::stod(arguments.substr(at, end - at));
      at = end;
      word = stop == std::string::npos ? order.size() : stop + 1;
    }
    if (name == "RelaxedBernoulli") params["temperature"] = 0.5;
    return distribution(name, params, DType::float64);
  }
  throw Failure("this distribution is not known");
}

void deterministic(const object& v) {
  const std::string id = text(v.at("id"));
  const Dist d = typical(id.substr(id.find('.') + 1));
  check_values(d.interact(Interaction::deterministic), v.at("value"), 1e-9, "the value");
  const Module m = Module::probabilistic_function([&](const Dict&) { return d.share(); }, {}, {"a"});
  Dict data{Ints()};
  m.forward(data);
  check_values(data.get("a"), v.at("value"), 1e-9, "the module's value");
}

}  // namespace

void add_probabilistic_kinds(Kinds& kinds) {
  kinds["prob_keys"] = prob_keys;
  kinds["prob"] = prob;
  kinds["rng"] = rng;
  kinds["deterministic"] = deterministic;
}

}  // namespace vectors
