// Types in one file, written with the C++ headers for plugins: a hash, two modules and a distribution.
#include "tensordict_plugin_distribution.hpp"

using td::plugin::Config;
using td::plugin::operate;
using td::plugin::operate_all;
using td::plugin::Tensor;

namespace {

struct Sum {
  static constexpr td::plugin::Hash type{"test.sdk_sum", "1.0.0", TD_PLUGIN_THREAD_SAFE};
  static constexpr char schema[] = R"({"type": "object", "properties": {"start": {"type": "integer"}}})";
  explicit Sum(Config config) : start_(config.integer("start", 0)) {}
  std::uint64_t operator()(const std::uint8_t *row, std::size_t size) const {
    std::uint64_t sum = static_cast<std::uint64_t>(start_);
    for (std::size_t i = 0; i < size; ++i) sum += row[i];
    return sum;
  }

 private:
  std::int64_t start_;
};

// Its input times a matrix of 2 by 2, which fails for other inputs: the error is the host's.
struct Product {
  static constexpr td::plugin::Module type{"test.sdk_product", "1.0.0"};
  Product(Config, td::plugin::Builder &builder) {
    builder.parameter("weight", operate("ones", "", {std::vector<std::int64_t>{2, 2}}));
  }
  std::vector<Tensor> operator()(const std::vector<Tensor> &state, const std::vector<Tensor> &inputs, bool) const {
    return {operate("mm", "", {inputs.at(0), state.at(0)})};
  }
};

// The largest element of each row, and where it is; with "first", only the former, and with "size", what is no tensor.
struct Largest {
  static constexpr td::plugin::Module type{"test.sdk_largest", "1.0.0"};
  Largest(Config config, td::plugin::Builder &) : of_(config.text("of", "all")) {}
  std::vector<Tensor> operator()(const std::vector<Tensor> &, const std::vector<Tensor> &inputs, bool) const {
    if (of_ == "size") return {operate("size", "int", {inputs.at(0), 0})};
    if (of_ == "first") return {operate("max", "dim", {inputs.at(0), -1})};
    return operate_all("max", "dim", {inputs.at(0), -1}, {{"keepdim", true}});
  }

 private:
  std::string of_;
};

struct Exponential {
  static constexpr td::plugin::Distribution type{"test.sdk_exponential", "1.0.0"};
  static constexpr std::string_view params[] = {"rate"};
  using Params = const std::vector<Tensor> &;
  Tensor sample(Params p, const std::vector<std::int64_t> &dims, td_generator *generator) const {
    Tensor unit = operate("rand", "generator", {dims},
                          {{"generator", generator}, {"dtype", td::plugin::Value::of_dtype(p[0].dtype())}});
    return operate("div", "Tensor", {operate("neg", "", {operate("log1p", "", {operate("neg", "", {unit})})}), p[0]});
  }
  Tensor log_prob(Params p, const Tensor &value) const {
    return operate("sub", "Tensor", {operate("log", "", {p[0]}), operate("mul", "Tensor", {p[0], value})});
  }
  Tensor mean(Params p) const { return operate("reciprocal", "", {p[0]}); }
  static void more(td_distribution_type &table) { table.support = TD_CONSTRAINT_NONNEGATIVE; }
};

}  // namespace

TD_PLUGIN_TYPES("test.sdk", "libtensordict", "1.0.0", "MIT", TD_HASH(Sum), TD_MODULE(Product), TD_MODULE(Largest),
                TD_DISTRIBUTION(Exponential))
