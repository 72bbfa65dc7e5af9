// Invertible maps of tensors.
//
//     Transform squash = Transform::create(R"([{"type": "affine", "loc": 0, "scale": 2}, "tanh"])");
//     Tensor y = squash(x), same = squash.inverse(y);
#ifndef TENSORDICT_TRANSFORM_HPP
#define TENSORDICT_TRANSFORM_HPP

#include "dict.hpp"

namespace tensordict {

class Dist;

class Transform : public Handle<Transform, td_transform, td_transform_retain, td_transform_release> {
 public:
  explicit Transform(Adopted raw) noexcept : Handle(raw) {}

  // From JSON; text in the place of a number is a key of `params`.
  static Transform create(std::string_view json, const Dict* params = nullptr) {
    return detail::made<Transform>(td_transform_new, detail::str(json), params ? params->get() : nullptr);
  }
  // The cumulative distribution function of a distribution.
  static Transform cdf_of(const Dist& dist);
  // One after another; of none, the identity.
  static Transform compose(detail::Borrowed<Transform> parts) {
    return detail::made<Transform>(td_transform_compose, parts.data(), parts.size());
  }
  // The same map backwards.
  Transform inverted() const { return detail::made<Transform>(td_transform_inverse_of, get()); }

  Tensor forward(const Tensor& x) const { return detail::made<Tensor>(td_transform_forward, get(), x.get()); }
  Tensor operator()(const Tensor& x) const { return forward(x); }
  Tensor inverse(const Tensor& y) const { return detail::made<Tensor>(td_transform_inverse, get(), y.get()); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const {
    return detail::made<Tensor>(td_transform_log_abs_det_jacobian, get(), x.get(), y.get());
  }
  std::string repr() const { return detail::text_of(td_transform_repr, get()); }
};

}  // namespace tensordict

#endif
