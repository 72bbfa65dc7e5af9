#include "core/distributions/transform.h"

#include <algorithm>

#include "core/distributions/ops.h"
#include "core/error.h"

namespace td {

namespace {

using at::Tensor;

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

}  // namespace td
