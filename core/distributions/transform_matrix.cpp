// Transforms onto matrices: factors of correlations, and positive-definite ones.
#include <cmath>
#include <limits>

#include <ATen/ops/index_select.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include "core/distributions/ops.h"
#include "core/distributions/transform_kinds.h"
#include "core/error.h"

namespace td {

namespace {

using at::Tensor;

Tensor index_tensor(const std::vector<int64_t>& values, const Tensor& like) {
  Tensor t = at::empty({static_cast<int64_t>(values.size())}, at::kLong);
  std::copy(values.begin(), values.end(), t.data_ptr<int64_t>());
  return t.to(like.device());
}

// The elements of the lower triangle up to a diagonal, row by row. By gathering, which vmap and gradients know.
Tensor lower_elements(const Tensor& matrix, int64_t diagonal) {
  int64_t n = matrix.size(-1);
  std::vector<int64_t> places;
  for (int64_t row = 0; row < n; ++row)
    for (int64_t column = 0; column <= row + diagonal; ++column) places.push_back(row * n + column);
  return matrix.flatten(-2).index_select(-1, index_tensor(places, matrix));
}

// Its inverse below the main diagonal; zeros elsewhere.
Tensor strictly_lower(const Tensor& vec, int64_t n) {
  int64_t zero = vec.size(-1), next = 0;
  std::vector<int64_t> places;
  for (int64_t row = 0; row < n; ++row)
    for (int64_t column = 0; column < n; ++column) places.push_back(column < row ? next++ : zero);
  Dims one(vec.sizes().begin(), vec.sizes().end());
  one.back() = 1;
  Tensor padded = at::cat({vec, at::zeros(one, vec.options().requires_grad(nullopt))}, -1);
  Tensor flat = padded.index_select(-1, index_tensor(places, vec));
  return flat.unflatten(-1, {n, n});
}

// One column to the right, with ones in the first.
Tensor shifted_right(const Tensor& matrix) {
  Tensor first = at::ones_like(matrix.narrow(-1, 0, 1));
  return at::cat({first, matrix.narrow(-1, 0, matrix.size(-1) - 1)}, -1);
}

class CorrCholesky final : public Transform {
 public:
  std::string name() const override { return "CorrCholeskyTransform()"; }
  Tensor forward(const Tensor& x) const override {
    int64_t n = forward_shape(x.sizes()).back();
    double eps = x.scalar_type() == at::kDouble ? std::numeric_limits<double>::epsilon()
                                                : double{std::numeric_limits<float>::epsilon()};
    Tensor r = strictly_lower(x.tanh().clamp(-1 + eps, 1 - eps), n);
    Tensor left = (1 - r.square()).sqrt().cumprod(-1);
    Tensor diagonal = at::ones({n}, x.options().requires_grad(nullopt)).diag_embed();
    return (r + diagonal) * shifted_right(left);
  }
  Tensor inverse(const Tensor& y) const override {
    inverse_shape(y.sizes());
    Tensor left = shifted_right(1 - (y * y).cumsum(-1));
    return (lower_elements(y, -1) / lower_elements(left, -1).sqrt()).atanh();
  }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const override {
    inverse_shape(y.sizes());
    Tensor sticks = lower_elements(1 - (y * y).cumsum(-1), -2).log().sum(-1) * 0.5;
    return sticks - (x + at::softplus(-2 * x) - std::log(2.0)).sum(-1) * 2;
  }
  Tensor sign() const override { lacks("sign"); }
  Constraint domain() const override { return {TD_CONSTRAINT_REAL, 1, {}}; }
  Constraint codomain() const override { return {TD_CONSTRAINT_CORR_CHOLESKY, 2, {}}; }
  Dims forward_shape(at::IntArrayRef shape) const override {
    if (shape.empty()) throw Error(Code::shape, "Too few dimensions on input");
    auto n = static_cast<int64_t>(std::round(std::sqrt(0.25 + 2 * static_cast<double>(shape.back())) + 0.5));
    if (n * (n - 1) / 2 != shape.back())
      throw Error(Code::shape, "Input is not a flattened lower-diagonal number: " + std::to_string(shape.back()));
    Dims out(shape.begin(), shape.end());
    out.back() = n;
    out.push_back(n);
    return out;
  }
  Dims inverse_shape(at::IntArrayRef shape) const override {
    if (shape.size() < 2) throw Error(Code::shape, "Too few dimensions on input");
    int64_t n = shape.back();
    if (shape[shape.size() - 2] != n) throw Error(Code::shape, "Input is not square: " + to_string(shape));
    Dims out(shape.begin(), shape.end() - 1);
    out.back() = n * (n - 1) / 2;
    return out;
  }
};

class PositiveDefinite final : public Transform {
 public:
  std::string name() const override { return "PositiveDefiniteTransform()"; }
  Tensor forward(const Tensor& x) const override {
    Tensor lower = lower_->forward(x);
    return at::matmul(lower, lower.transpose(-2, -1));
  }
  Tensor inverse(const Tensor& y) const override { return lower_->inverse(at::linalg_cholesky(y)); }
  Tensor log_abs_det_jacobian(const Tensor&, const Tensor&) const override { lacks("log_abs_det_jacobian"); }
  Tensor sign() const override { lacks("sign"); }
  Constraint domain() const override { return {TD_CONSTRAINT_REAL, 2, {}}; }
  Constraint codomain() const override { return {TD_CONSTRAINT_POSITIVE_DEFINITE, 2, {}}; }

 private:
  TransformPtr lower_ = coupled_transform("lower_cholesky");
};

}  // namespace

TransformPtr matrix_transform(std::string_view name) {
  if (name == "corr_cholesky") return std::make_shared<CorrCholesky>();
  if (name == "positive_definite") return std::make_shared<PositiveDefinite>();
  return nullptr;
}

}  // namespace td
