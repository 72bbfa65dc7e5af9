// Transforms over events of several elements, and those that apply others to parts of a tensor.
#include <limits>
#include <numeric>

#include "core/distributions/distribution.h"
#include "core/distributions/ops.h"
#include "core/distributions/transform_kinds.h"
#include "core/error.h"

namespace td {

namespace {

using at::Tensor;

void need_dims(at::IntArrayRef shape, size_t n) {
  if (shape.size() < n) throw Error(Code::shape, "Too few dimensions on input: " + to_string(shape));
}

class Softmax final : public Transform {
 public:
  std::string name() const override { return "SoftmaxTransform()"; }
  Tensor forward(const Tensor& x) const override {
    Tensor probs = (x - std::get<0>(x.max(-1, true))).exp();
    return probs / probs.sum(-1, true);
  }
  Tensor inverse(const Tensor& y) const override { return y.log(); }
  Tensor log_abs_det_jacobian(const Tensor&, const Tensor&) const override { lacks("log_abs_det_jacobian"); }
  Tensor sign() const override { lacks("sign"); }
  Constraint domain() const override { return {TD_CONSTRAINT_REAL, 1, {}}; }
  Constraint codomain() const override { return {TD_CONSTRAINT_SIMPLEX, 1, {}}; }
};

class StickBreaking final : public Transform {
 public:
  std::string name() const override { return "StickBreakingTransform()"; }
  Tensor forward(const Tensor& x) const override {
    Tensor z = (x - log_offset(x)).sigmoid();
    bool wide = x.scalar_type() == at::kDouble;
    double tiny = wide ? std::numeric_limits<double>::min() : double{std::numeric_limits<float>::min()};
    double eps = wide ? std::numeric_limits<double>::epsilon() : double{std::numeric_limits<float>::epsilon()};
    z = z.clamp(tiny, 1 - eps);
    Tensor one = at::full_like(z.narrow(-1, 0, 1), 1);
    return at::cat({z, one}, -1) * at::cat({one, (1 - z).cumprod(-1)}, -1);
  }
  Tensor inverse(const Tensor& y) const override {
    Tensor crop = y.narrow(-1, 0, y.size(-1) - 1);
    double tiny =
        y.scalar_type() == at::kDouble ? std::numeric_limits<double>::min() : double{std::numeric_limits<float>::min()};
    Tensor rest = (1 - crop.cumsum(-1)).clamp_min(tiny);
    return crop.log() - rest.log() + log_offset(crop);
  }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const override {
    Tensor shifted = x - log_offset(x);
    return (-shifted + at::log_sigmoid(shifted) + y.narrow(-1, 0, y.size(-1) - 1).log()).sum(-1);
  }
  Tensor sign() const override { lacks("sign"); }
  Constraint domain() const override { return {TD_CONSTRAINT_REAL, 1, {}}; }
  Constraint codomain() const override { return {TD_CONSTRAINT_SIMPLEX, 1, {}}; }
  Dims forward_shape(at::IntArrayRef shape) const override { return longer(shape, 1); }
  Dims inverse_shape(at::IntArrayRef shape) const override { return longer(shape, -1); }

 private:
  // log(n), log(n - 1), .. log(1) for n elements.
  static Tensor log_offset(const Tensor& x) {
    int64_t n = x.size(-1);
    return (n + 1 - at::full({n}, 1, x.options().requires_grad(nullopt)).cumsum(-1)).log();
  }
  static Dims longer(at::IntArrayRef shape, int64_t by) {
    need_dims(shape, 1);
    Dims out(shape.begin(), shape.end());
    out.back() += by;
    return out;
  }
};

class LowerCholesky final : public Transform {
 public:
  std::string name() const override { return "LowerCholeskyTransform()"; }
  Tensor forward(const Tensor& x) const override { return x.tril(-1) + x.diagonal(0, -2, -1).exp().diag_embed(); }
  Tensor inverse(const Tensor& y) const override { return y.tril(-1) + y.diagonal(0, -2, -1).log().diag_embed(); }
  Tensor log_abs_det_jacobian(const Tensor&, const Tensor&) const override { lacks("log_abs_det_jacobian"); }
  Tensor sign() const override { lacks("sign"); }
  Constraint domain() const override { return {TD_CONSTRAINT_REAL, 2, {}}; }
  Constraint codomain() const override { return {TD_CONSTRAINT_LOWER_CHOLESKY, 2, {}}; }
};

class Reshape final : public Transform {
 public:
  Reshape(std::vector<int64_t> in, std::vector<int64_t> out) : in_(std::move(in)), out_(std::move(out)) {
    if (numel(in_) != numel(out_))
      throw Error(Code::shape, "in_shape, out_shape have different numbers of elements: " + to_string(in_) + " and " +
                                   to_string(out_));
  }
  std::string name() const override { return "ReshapeTransform(" + to_string(in_) + ", " + to_string(out_) + ")"; }
  Tensor forward(const Tensor& x) const override { return x.reshape(forward_shape(x.sizes())); }
  Tensor inverse(const Tensor& y) const override { return y.reshape(inverse_shape(y.sizes())); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor&) const override {
    return at::full(x.sizes().slice(0, x.sizes().size() - in_.size()), 0, x.options().requires_grad(nullopt));
  }
  Tensor sign() const override { lacks("sign"); }
  Constraint domain() const override { return {TD_CONSTRAINT_REAL, in_.size(), {}}; }
  Constraint codomain() const override { return {TD_CONSTRAINT_REAL, out_.size(), {}}; }
  Dims forward_shape(at::IntArrayRef shape) const override { return swapped(shape, in_, out_); }
  Dims inverse_shape(at::IntArrayRef shape) const override { return swapped(shape, out_, in_); }

 private:
  static int64_t numel(const std::vector<int64_t>& v) {
    return std::accumulate(v.begin(), v.end(), int64_t{1}, [](int64_t a, int64_t b) { return a * b; });
  }
  static Dims swapped(at::IntArrayRef shape, at::IntArrayRef from, at::IntArrayRef to) {
    need_dims(shape, from.size());
    size_t cut = shape.size() - from.size();
    if (shape.slice(cut) != from)
      throw Error(Code::shape,
                  "Shape mismatch: expected " + to_string(from) + " but got " + to_string(shape.slice(cut)));
    Dims out(shape.begin(), shape.begin() + cut);
    out.append(to.begin(), to.end());
    return out;
  }
  std::vector<int64_t> in_, out_;
};

class IndependentTransform final : public Transform {
 public:
  IndependentTransform(TransformPtr of, size_t ndims) : of_(std::move(of)), ndims_(ndims) {}
  std::string name() const override {
    return "IndependentTransform(" + of_->name() + ", " + std::to_string(ndims_) + ")";
  }
  Tensor forward(const Tensor& x) const override {
    need_dims(x.sizes(), domain().event_dims);
    return of_->forward(x);
  }
  Tensor inverse(const Tensor& y) const override {
    need_dims(y.sizes(), codomain().event_dims);
    return of_->inverse(y);
  }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const override {
    return sum_rightmost(of_->log_abs_det_jacobian(x, y), ndims_);
  }
  Tensor sign() const override { return of_->sign(); }
  Constraint domain() const override { return more(of_->domain()); }
  Constraint codomain() const override { return more(of_->codomain()); }
  Dims forward_shape(at::IntArrayRef shape) const override { return of_->forward_shape(shape); }
  Dims inverse_shape(at::IntArrayRef shape) const override { return of_->inverse_shape(shape); }
  bool same_as(const Transform& other) const override {
    auto* o = dynamic_cast<const IndependentTransform*>(&other);
    return o && o->ndims_ == ndims_ && of_->same_as(*o->of_);
  }

 private:
  Constraint more(Constraint c) const {
    c.event_dims += ndims_;
    return c;
  }
  TransformPtr of_;
  size_t ndims_;
};

// Applies transforms to slices along a dim and joins what they give: by stacking, or by concatenation.
class Sliced final : public Transform {
 public:
  Sliced(std::vector<TransformPtr> of, int64_t dim, std::vector<int64_t> lengths)
      : of_(std::move(of)), dim_(dim), lengths_(std::move(lengths)) {
    if (of_.empty())
      throw Error(Code::argument, "there are no transforms to " + std::string(stacks() ? "stack" : "concatenate"));
    if (!stacks() && lengths_.size() != of_.size())
      throw Error(Code::argument, std::to_string(lengths_.size()) + " lengths were given for " +
                                      std::to_string(of_.size()) + " transforms");
  }
  std::string name() const override { return stacks() ? "StackTransform()" : "CatTransform()"; }
  Tensor forward(const Tensor& x) const override {
    std::vector<Tensor> parts = slices(x), out;
    for (size_t i = 0; i < parts.size(); ++i) out.push_back(of_[i]->forward(parts[i]));
    return join(out);
  }
  Tensor inverse(const Tensor& y) const override {
    std::vector<Tensor> parts = slices(y), out;
    for (size_t i = 0; i < parts.size(); ++i) out.push_back(of_[i]->inverse(parts[i]));
    return join(out);
  }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const override {
    std::vector<Tensor> xs = slices(x), ys = slices(y), out;
    size_t most = event_dims();
    for (size_t i = 0; i < xs.size(); ++i) {
      Tensor each = of_[i]->log_abs_det_jacobian(xs[i], ys[i]);
      out.push_back(stacks() ? each : sum_rightmost(each, most - of_[i]->domain().event_dims));
    }
    if (stacks()) return at::stack(out, dim_);
    int64_t dim = (dim_ >= 0 ? dim_ - x.dim() : dim_) + static_cast<int64_t>(most);
    if (dim < 0) return at::cat(out, dim);
    return std::accumulate(out.begin() + 1, out.end(), out[0], [](const Tensor& a, const Tensor& b) { return a + b; });
  }
  Tensor sign() const override { lacks("sign"); }
  Constraint domain() const override { return {TD_CONSTRAINT_NONE, event_dims(), {}}; }
  Constraint codomain() const override { return {TD_CONSTRAINT_NONE, event_dims(), {}}; }
  bool same_as(const Transform& other) const override {
    auto* o = dynamic_cast<const Sliced*>(&other);
    if (!o || o->dim_ != dim_ || o->lengths_ != lengths_ || o->of_.size() != of_.size()) return false;
    for (size_t i = 0; i < of_.size(); ++i)
      if (!of_[i]->same_as(*o->of_[i])) return false;
    return true;
  }

 private:
  bool stacks() const { return lengths_.empty(); }
  size_t event_dims() const {
    size_t most = 0;
    for (const TransformPtr& t : of_) most = std::max(most, t->domain().event_dims);
    return most;
  }
  std::vector<Tensor> slices(const Tensor& t) const {
    if (dim_ < -t.dim() || dim_ >= t.dim())
      throw Error(Code::index, "dim " + std::to_string(dim_) + " of " + name() + " is out of range for " +
                                   std::to_string(t.dim()) + " dims");
    int64_t length =
        stacks() ? static_cast<int64_t>(of_.size()) : std::accumulate(lengths_.begin(), lengths_.end(), int64_t{0});
    if (t.size(dim_) != length)
      throw Error(Code::shape, name() + " takes " + std::to_string(length) + " elements along dim " +
                                   std::to_string(dim_) + ", got " + to_string(t.sizes()));
    std::vector<Tensor> out;
    int64_t start = 0;
    for (size_t i = 0; i < of_.size(); ++i) {
      out.push_back(stacks() ? t.select(dim_, start) : t.narrow(dim_, start, lengths_[i]));
      start += stacks() ? 1 : lengths_[i];
    }
    return out;
  }
  Tensor join(const std::vector<Tensor>& parts) const {
    return stacks() ? at::stack(parts, dim_) : at::cat(parts, dim_);
  }
  std::vector<TransformPtr> of_;
  int64_t dim_;
  std::vector<int64_t> lengths_;  // none: stacked
};

}  // namespace

TransformPtr coupled_transform(std::string_view name) {
  if (name == "softmax") return std::make_shared<Softmax>();
  if (name == "stick_breaking") return std::make_shared<StickBreaking>();
  if (name == "lower_cholesky") return std::make_shared<LowerCholesky>();
  return nullptr;
}

TransformPtr independent_transform(TransformPtr of, size_t ndims) {
  return std::make_shared<IndependentTransform>(std::move(of), ndims);
}

TransformPtr reshape_transform(std::vector<int64_t> in, std::vector<int64_t> out) {
  return std::make_shared<Reshape>(std::move(in), std::move(out));
}

TransformPtr stacked_transform(std::vector<TransformPtr> of, int64_t dim) {
  return std::make_shared<Sliced>(std::move(of), dim, std::vector<int64_t>{});
}

TransformPtr concatenated_transform(std::vector<TransformPtr> of, int64_t dim, std::vector<int64_t> lengths) {
  if (lengths.empty()) lengths.assign(of.size(), 1);
  return std::make_shared<Sliced>(std::move(of), dim, std::move(lengths));
}

}  // namespace td
