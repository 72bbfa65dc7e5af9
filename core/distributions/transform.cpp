#include "core/distributions/transform.h"

#include <algorithm>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "core/dict/tensordict.h"
#include "core/distributions/distribution.h"
#include "core/distributions/ops.h"
#include "core/distributions/plugin_distribution.h"
#include "core/distributions/transform_kinds.h"
#include "core/error.h"

namespace td {

namespace {

using at::Tensor;
namespace json = boost::json;

class Composed final : public Transform {
 public:
  explicit Composed(std::vector<TransformPtr> parts) : parts_(std::move(parts)) {}
  std::string name() const override {
    std::string text = "ComposeTransform(";
    for (size_t i = 0; i < parts_.size(); ++i) text += (i ? ", " : "") + parts_[i]->name();
    return text + ")";
  }
  Tensor forward(const Tensor& x) const override {
    Tensor t = x;
    for (const TransformPtr& p : parts_) t = p->forward(t);
    return t;
  }
  Tensor inverse(const Tensor& y) const override {
    Tensor t = y;
    for (auto p = parts_.rbegin(); p != parts_.rend(); ++p) t = (*p)->inverse(t);
    return t;
  }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const override {
    Tensor sum, at_x = x;
    size_t event_dims = domain().event_dims;
    for (size_t i = 0; i < parts_.size(); ++i) {
      Tensor next = i + 1 < parts_.size() ? parts_[i]->forward(at_x) : y;
      size_t own = parts_[i]->domain().event_dims;
      Tensor term = sum_rightmost(parts_[i]->log_abs_det_jacobian(at_x, next), event_dims - own);
      sum = sum.defined() ? sum + term : term;
      event_dims += parts_[i]->codomain().event_dims - own;
      at_x = next;
    }
    return sum.defined() ? sum : at::zeros_like(x);
  }
  Tensor sign() const override {
    Tensor product;
    for (const TransformPtr& p : parts_) {
      Tensor s = p->sign();
      if (s.defined()) product = product.defined() ? product * s : s;
    }
    return product;
  }
  Constraint domain() const override {
    if (parts_.empty()) return {TD_CONSTRAINT_REAL, 0, {}};
    Constraint c = parts_[0]->domain();
    size_t event_dims = parts_.back()->codomain().event_dims;
    for (auto p = parts_.rbegin(); p != parts_.rend(); ++p) {
      event_dims += (*p)->domain().event_dims - (*p)->codomain().event_dims;
      event_dims = std::max(event_dims, (*p)->domain().event_dims);
    }
    c.event_dims = event_dims;
    return c;
  }
  Constraint codomain() const override {
    if (parts_.empty()) return {TD_CONSTRAINT_REAL, 0, {}};
    Constraint c = parts_.back()->codomain();
    size_t event_dims = parts_[0]->domain().event_dims;
    for (const TransformPtr& p : parts_) {
      event_dims += p->codomain().event_dims - p->domain().event_dims;
      event_dims = std::max(event_dims, p->codomain().event_dims);
    }
    c.event_dims = event_dims;
    return c;
  }
  Dims forward_shape(at::IntArrayRef shape) const override {
    Dims s(shape.begin(), shape.end());
    for (const TransformPtr& p : parts_) s = p->forward_shape(s);
    return s;
  }
  Dims inverse_shape(at::IntArrayRef shape) const override {
    Dims s(shape.begin(), shape.end());
    for (auto p = parts_.rbegin(); p != parts_.rend(); ++p) s = (*p)->inverse_shape(s);
    return s;
  }
  bool same_as(const Transform& other) const override {
    auto* o = dynamic_cast<const Composed*>(&other);
    return o && std::equal(parts_.begin(), parts_.end(), o->parts_.begin(), o->parts_.end(),
                           [](const TransformPtr& a, const TransformPtr& b) { return a->same_as(*b); });
  }

 private:
  std::vector<TransformPtr> parts_;
};

class Inverse final : public Transform {
 public:
  explicit Inverse(TransformPtr of) : of_(std::move(of)) {}
  std::string name() const override { return "_InverseTransform(" + of_->name() + ")"; }
  Tensor forward(const Tensor& x) const override { return of_->inverse(x); }
  Tensor inverse(const Tensor& y) const override { return of_->forward(y); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const override {
    return -of_->log_abs_det_jacobian(y, x);
  }
  Tensor sign() const override { return of_->sign(); }
  Constraint domain() const override { return of_->codomain(); }
  Constraint codomain() const override { return of_->domain(); }
  Dims forward_shape(at::IntArrayRef shape) const override { return of_->inverse_shape(shape); }
  Dims inverse_shape(at::IntArrayRef shape) const override { return of_->forward_shape(shape); }
  bool same_as(const Transform& other) const override {
    auto* o = dynamic_cast<const Inverse*>(&other);
    return o && of_->same_as(*o->of_);
  }

 private:
  TransformPtr of_;
};

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

void Transform::lacks(const char* what) const {
  throw Error(Code::unsupported, name() + " has no " + what);
}

Tensor Transform::sign() const {
  return {};
}

TransformPtr compose(std::vector<TransformPtr> parts) {
  return std::make_shared<Composed>(std::move(parts));
}

TransformPtr inverse_of(TransformPtr t) {
  return std::make_shared<Inverse>(std::move(t));
}

std::vector<TransformPtr> parse_transforms(std::string_view text, const Node* params) {
  boost::system::error_code failed;
  json::value parsed = json::parse(json::string_view(text.data(), text.size()), failed);
  if (failed) throw Error(Code::argument, "the transforms are not JSON: " + failed.message());
  return TransformReader(params).list(parsed);
}

}  // namespace td
