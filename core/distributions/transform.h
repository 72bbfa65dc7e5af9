// Invertible maps of tensors with the determinants of their Jacobians: torch.distributions.transforms.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/dict/node.h"
#include "core/distributions/constraint.h"

namespace td {

class Transform;
using TransformPtr = std::shared_ptr<const Transform>;

class Transform {
 public:
  virtual ~Transform() = default;
  virtual std::string name() const = 0;  // as its repr in Python

  // All throw Error(unsupported) for what the transform does not have.
  virtual at::Tensor forward(const at::Tensor& x) const = 0;
  virtual at::Tensor inverse(const at::Tensor& y) const = 0;
  virtual at::Tensor log_abs_det_jacobian(const at::Tensor& x, const at::Tensor& y) const = 0;
  virtual at::Tensor sign() const;  // of the derivative; undefined: +1

  // With their event dims. Where a transform couples elements, these are the dims that it couples.
  virtual Constraint domain() const = 0;
  virtual Constraint codomain() const = 0;
  virtual Dims forward_shape(at::IntArrayRef shape) const { return {shape.begin(), shape.end()}; }
  virtual Dims inverse_shape(at::IntArrayRef shape) const { return {shape.begin(), shape.end()}; }

  virtual bool same_as(const Transform& other) const { return name() == other.name(); }

 protected:
  [[noreturn]] void lacks(const char* what) const;
};

// One after another. No parts: the identity.
TransformPtr compose(std::vector<TransformPtr> parts);
TransformPtr inverse_of(TransformPtr t);

// The transforms that a JSON text describes:
// "exp" "sigmoid" "tanh" "softplus" "abs" "softmax" "stick_breaking" "lower_cholesky" "corr_cholesky"
// "positive_definite"
//   {"type": "cdf", "of": "td.normal", "params": {"loc": 0, "scale": "key"}, "config": {}}
//   {"type": "tanh", "clamp": true}                       kept away from -1 and 1, so that its inverse stays finite
//   {"type": "affine", "loc": 0.5, "scale": "key", "event_dim": 0}      numbers, or keys of tensors in `params`
//   {"type": "power", "exponent": 2}
//   {"type": "inverse", "of": T} {"type": "compose", "of": [T, ...]} {"type": "independent", "of": T, "ndims": 1}
//   {"type": "reshape", "in": [6], "out": [2, 3]}
//   {"type": "stack", "of": [T, ...], "dim": 0} {"type": "cat", "of": [T, ...], "dim": 0, "lengths": [1, 2]}
// or a list of them. `params` may be null. Throws Error(argument) that names what it does not know.
std::vector<TransformPtr> parse_transforms(std::string_view json, const Node* params);

}  // namespace td
