// Transforms that treat each element by itself.
#include <cmath>
#include <limits>

#include <ATen/ExpandUtils.h>

#include "core/distributions/distribution.h"
#include "core/distributions/ops.h"
#include "core/distributions/transform_kinds.h"

namespace td {

namespace {

using at::Tensor;

struct Limits {
  double tiny, eps;
};
Limits limits_of(const Tensor& t) {
  if (t.scalar_type() == at::kDouble)
    return {std::numeric_limits<double>::min(), std::numeric_limits<double>::epsilon()};
  if (t.scalar_type() == at::kHalf) return {6.103515625e-05, 0.0009765625};
  if (t.scalar_type() == at::kBFloat16) return {1.1754943508222875e-38, 0.0078125};
  return {std::numeric_limits<float>::min(), std::numeric_limits<float>::epsilon()};
}

Tensor clipped_sigmoid(const Tensor& x) {
  return x.sigmoid().clamp(limits_of(x).tiny, 1 - limits_of(x).eps);
}
Tensor logit(const Tensor& y) {
  Tensor inside = y.clamp(limits_of(y).tiny, 1 - limits_of(y).eps);
  return inside.log() - (-inside).log1p();
}

struct Elements {
  const char *key, *name;
  Tensor (*forward)(const Tensor& x);
  Tensor (*inverse)(const Tensor& y);
  Tensor (*log_det)(const Tensor& x);  // null: none
  td_constraint domain, codomain;
  const char* codomain_text;
};

const Elements elements[] = {
    {"exp", "ExpTransform()", [](const Tensor& x) { return x.exp(); }, [](const Tensor& y) { return y.log(); },
     [](const Tensor& x) { return x; }, TD_CONSTRAINT_REAL, TD_CONSTRAINT_POSITIVE, ""},
    {"sigmoid", "SigmoidTransform()", clipped_sigmoid, logit,
     [](const Tensor& x) { return -at::softplus(-x) - at::softplus(x); }, TD_CONSTRAINT_REAL,
     TD_CONSTRAINT_UNIT_INTERVAL, ""},
    {"tanh", "TanhTransform()", [](const Tensor& x) { return x.tanh(); }, [](const Tensor& y) { return y.atanh(); },
     [](const Tensor& x) { return (std::log(2.0) - x - at::softplus(-2.0 * x)) * 2.0; }, TD_CONSTRAINT_REAL,
     TD_CONSTRAINT_OWN, "Interval(lower_bound=-1.0, upper_bound=1.0)"},
    {"softplus", "SoftplusTransform()", [](const Tensor& x) { return at::softplus(x); },
     [](const Tensor& y) { return (-y).expm1().neg().log() + y; }, [](const Tensor& x) { return -at::softplus(-x); },
     TD_CONSTRAINT_REAL, TD_CONSTRAINT_POSITIVE, ""},
    {"abs", "AbsTransform()", [](const Tensor& x) { return x.abs(); }, [](const Tensor& y) { return y; }, nullptr,
     TD_CONSTRAINT_REAL, TD_CONSTRAINT_POSITIVE, ""},
};

class ElementwiseTransform final : public Transform {
 public:
  explicit ElementwiseTransform(const Elements& of) : of_(of) {}
  std::string name() const override { return of_.name; }
  Tensor forward(const Tensor& x) const override { return of_.forward(x); }
  Tensor inverse(const Tensor& y) const override { return of_.inverse(y); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor&) const override {
    if (!of_.log_det) lacks("log_abs_det_jacobian");
    return of_.log_det(x);
  }
  Tensor sign() const override {
    if (!of_.log_det) lacks("sign");
    return {};
  }
  Constraint domain() const override { return {of_.domain, 0, {}}; }
  Constraint codomain() const override { return {of_.codomain, 0, of_.codomain_text}; }

 private:
  const Elements& of_;
};

// torch.finfo(dtype).resolution
double resolution_of(const Tensor& t) {
  if (t.scalar_type() == at::kDouble) return 1e-15;
  if (t.scalar_type() == at::kHalf) return 1e-3;
  return t.scalar_type() == at::kBFloat16 ? 1e-2 : 1e-6;
}

// Kept away from -1 and 1 by the resolution of the dtype, with the gradient of tanh: torchrl's safetanh. The inverse
// stays finite.
class ClampedTanh final : public Transform {
 public:
  std::string name() const override { return "SafeTanhTransform()"; }
  Tensor forward(const Tensor& x) const override {
    Tensor y = x.tanh(), fixed = y.detach();
    double edge = 1 - resolution_of(x);
    return y + (fixed.clamp(-edge, edge) - fixed);
  }
  Tensor inverse(const Tensor& y) const override {
    double edge = 1 - resolution_of(y);
    return y.clamp(-edge, edge).atanh();
  }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor&) const override {
    return (std::log(2.0) - x - at::softplus(-2.0 * x)) * 2.0;
  }
  Constraint domain() const override { return {TD_CONSTRAINT_REAL, 0, {}}; }
  Constraint codomain() const override { return {TD_CONSTRAINT_OWN, 0, "Interval(lower_bound=-1.0, upper_bound=1.0)"}; }
};

Dims broadcast_shape(at::IntArrayRef shape, const Tensor& a) {
  std::vector<int64_t> sizes = at::infer_size(shape, a.sizes());
  return {sizes.begin(), sizes.end()};
}

class Affine final : public Transform {
 public:
  Affine(Tensor loc, Tensor scale, size_t event_dims)
      : loc_(std::move(loc)), scale_(std::move(scale)), event_dims_(event_dims) {}
  std::string name() const override { return "AffineTransform()"; }
  Tensor forward(const Tensor& x) const override { return loc_ + scale_ * x; }
  Tensor inverse(const Tensor& y) const override { return (y - loc_) / scale_; }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor&) const override {
    Tensor each = scale_.abs().log().to(x.scalar_type()).expand(x.sizes());
    return sum_rightmost(each, event_dims_);
  }
  Tensor sign() const override { return scale_.sign(); }
  Constraint domain() const override { return {TD_CONSTRAINT_REAL, event_dims_, {}}; }
  Constraint codomain() const override { return domain(); }
  Dims forward_shape(at::IntArrayRef shape) const override {
    return broadcast_shape(broadcast_shape(shape, loc_), scale_);
  }
  Dims inverse_shape(at::IntArrayRef shape) const override { return forward_shape(shape); }
  bool same_as(const Transform& other) const override {
    auto* o = dynamic_cast<const Affine*>(&other);
    return o && o->event_dims_ == event_dims_ && loc_.equal(o->loc_) && scale_.equal(o->scale_);
  }

 private:
  Tensor loc_, scale_;
  size_t event_dims_;
};

class Power final : public Transform {
 public:
  explicit Power(Tensor exponent) : exponent_(std::move(exponent)) {}
  std::string name() const override { return "PowerTransform()"; }
  Tensor forward(const Tensor& x) const override { return x.pow(exponent_); }
  Tensor inverse(const Tensor& y) const override { return y.pow(exponent_.reciprocal()); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const override {
    return (exponent_ * y / x).abs().log();
  }
  Tensor sign() const override { return exponent_.sign(); }
  Constraint domain() const override { return {TD_CONSTRAINT_POSITIVE, 0, {}}; }
  Constraint codomain() const override { return domain(); }
  Dims forward_shape(at::IntArrayRef shape) const override { return broadcast_shape(shape, exponent_); }
  Dims inverse_shape(at::IntArrayRef shape) const override { return forward_shape(shape); }
  bool same_as(const Transform& other) const override {
    auto* o = dynamic_cast<const Power*>(&other);
    return o && exponent_.equal(o->exponent_);
  }

 private:
  Tensor exponent_;
};

}  // namespace

TransformPtr elementwise_transform(std::string_view name) {
  for (const Elements& e : elements)
    if (name == e.key) return std::make_shared<ElementwiseTransform>(e);
  return nullptr;
}

TransformPtr clamped_tanh() {
  return std::make_shared<ClampedTanh>();
}

TransformPtr affine(Tensor loc, Tensor scale, size_t event_dims) {
  return std::make_shared<Affine>(std::move(loc), std::move(scale), event_dims);
}

TransformPtr power(Tensor exponent) {
  return std::make_shared<Power>(std::move(exponent));
}

}  // namespace td
