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

}  // namespace td
