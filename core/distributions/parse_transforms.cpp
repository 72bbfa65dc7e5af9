#include "core/distributions/parse_transforms.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "core/dict/tensordict.h"
#include "core/distributions/plugin_distribution.h"
#include "core/distributions/transform_kinds.h"
#include "core/error.h"

namespace td {

namespace {

using at::Tensor;
namespace json = boost::json;

// Reads what parse_transforms promises.
class TransformReader {
 public:
  explicit TransformReader(const Node* params) : params_(params) {}

  TransformPtr read(const json::value& v, int depth = 0) const {
    if (depth > 32) bad(v, "transforms are nested deeper than 32 levels");
    if (v.is_string()) return named(v, v.get_string());
    if (!v.is_object() || !v.get_object().contains("type") || !v.at("type").is_string())
      bad(v, "neither the name of a transform nor an object with a \"type\"");
    const json::object& o = v.get_object();
    std::string_view type = o.at("type").get_string();
    if (type == "inverse") return inverse_of(read(member(v, "of"), depth + 1));
    if (type == "compose") return compose(list(member(v, "of"), depth + 1));
    if (type == "independent")
      return independent_transform(read(member(v, "of"), depth + 1), static_cast<size_t>(count(member(v, "ndims"))));
    if (type == "affine")
      return affine(number(v, "loc", 0), number(v, "scale", 1),
                    o.contains("event_dim") ? static_cast<size_t>(count(o.at("event_dim"))) : 0);
    if (type == "power") return power(number(v, "exponent", 1));
    if (type == "reshape") return reshape_transform(sizes(member(v, "in")), sizes(member(v, "out")));
    int64_t dim = o.contains("dim") ? integer(o.at("dim")) : 0;
    if (type == "stack") return stacked_transform(list(member(v, "of"), depth + 1), dim);
    if (type == "cat")
      return concatenated_transform(list(member(v, "of"), depth + 1), dim,
                                    o.contains("lengths") ? sizes(o.at("lengths")) : std::vector<int64_t>{});
    if (type == "cdf") return cumulative_transform(distribution(v));
    if (type == "tanh" && o.contains("clamp") && o.at("clamp").is_bool() && o.at("clamp").get_bool())
      return clamped_tanh();
    return named(v, type);
  }

  std::vector<TransformPtr> list(const json::value& v, int depth = 0) const {
    if (!v.is_array()) return {read(v, depth)};
    std::vector<TransformPtr> out;
    for (const json::value& each : v.get_array()) out.push_back(read(each, depth));
    return out;
  }

 private:
  [[noreturn]] static void bad(const json::value& v, const std::string& what) {
    throw Error(Code::argument, what + ": " + json::serialize(v).substr(0, 80))
        .hint("give \"exp\", {\"type\": \"affine\", \"loc\": 0, \"scale\": 2} or the like, or a list of them");
  }
  static TransformPtr named(const json::value& v, std::string_view name) {
    TransformPtr t = elementwise_transform(name);
    if (!t) t = coupled_transform(name);
    if (!t) t = matrix_transform(name);
    if (!t) bad(v, "no such transform");
    return t;
  }
  static const json::value& member(const json::value& v, const char* name) {
    if (!v.get_object().contains(name)) bad(v, std::string("the member \"") + name + "\" is missing");
    return v.get_object().at(name);
  }
  static int64_t integer(const json::value& v) {
    if (!v.is_int64()) bad(v, "not an integer");
    return v.get_int64();
  }
  static int64_t count(const json::value& v) {
    if (integer(v) < 0 || integer(v) > 64) bad(v, "not a number of dims");
    return v.get_int64();
  }
  static std::vector<int64_t> sizes(const json::value& v) {
    if (!v.is_array()) bad(v, "not a list of sizes");
    std::vector<int64_t> out;
    for (const json::value& each : v.get_array()) {
      if (integer(each) < 0 || integer(each) > (int64_t{1} << 40)) bad(each, "not a size");
      out.push_back(each.get_int64());
    }
    return out;
  }
  // A number as a tensor that takes the dtype of what it meets, or the entry of the params under the key.
  Tensor number(const json::value& of, const char* name, double otherwise) const {
    const json::object& o = of.get_object();
    if (o.contains(name) && o.at(name).is_string()) {
      if (!params_) bad(of, "a key, but no params");
      return params_->tensor(Path(std::vector<Key>{std::string(o.at(name).get_string())}));
    }
    double value = otherwise;
    if (o.contains(name)) {
      if (!o.at(name).is_number()) bad(of, std::string("\"") + name + "\" is neither a number nor a key");
      value = o.at(name).to_number<double>();
    }
    Tensor t = at::scalar_tensor(value, at::kDouble);
    t.unsafeGetTensorImpl()->set_wrapped_number(true);
    return t;
  }

  DistributionPtr distribution(const json::value& v) const {
    const json::value& of = member(v, "of");
    if (!of.is_string()) bad(v, "\"of\" is not a distribution type");
    NodePtr params = TensorDict::make({});
    if (v.get_object().contains("params")) {
      const json::value& given = v.get_object().at("params");
      if (!given.is_object()) bad(v, "\"params\" is not an object");
      for (const auto& each : given.get_object())
        params->put(Key(std::string(each.key())), Entry(number(given, each.key_c_str(), 0)));
    }
    std::string config = v.get_object().contains("config") ? json::serialize(v.get_object().at("config")) : "{}";
    return c10::make_intrusive<PluginDistribution>(std::string_view(of.get_string()), *params, config);
  }

  const Node* params_;
};

}  // namespace

std::vector<TransformPtr> parse_transforms(std::string_view text, const Node* params) {
  boost::system::error_code failed;
  json::value parsed = json::parse(json::string_view(text.data(), text.size()), failed);
  if (failed) throw Error(Code::argument, "the transforms are not JSON: " + failed.message());
  return TransformReader(params).list(parsed);
}

}  // namespace td
