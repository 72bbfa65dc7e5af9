// Transforms by themselves, and distributions made with them.
#include "capi/convert.h"
#include "capi/guard.h"
#include "core/distributions/distribution.h"
#include "core/distributions/parse_transforms.h"
#include "core/distributions/transform_kinds.h"
#include "core/distributions/transformed.h"

namespace td::capi {

struct TransformHandle : c10::intrusive_ptr_target {
  TransformPtr transform;
  explicit TransformHandle(TransformPtr t) : transform(std::move(t)) {}
};
TD_HANDLE(td_transform, TransformHandle, TD_OBJECT_DIST, "transform");

}  // namespace td::capi

using namespace td::capi;

namespace {

void give_transform(td_transform** to, td::TransformPtr t) {
  give(to, c10::make_intrusive<TransformHandle>(std::move(t)));
}

td::DistributionPtr dist_of(const td_dist* dist) {
  return share(const_cast<td_dist*>(dist));
}

std::vector<td::TransformPtr> all_of(const td_transform* const* parts, size_t n) {
  if (n > 0 && !parts) throw_null("parts");
  std::vector<td::TransformPtr> list;
  for (size_t i = 0; i < n; ++i) list.push_back(ref(parts[i]).transform);
  return list;
}

}  // namespace

td_status td_transform_new(td_str transform, const td_dict* params, td_transform** out_transform,
                           td_error** err) noexcept {
  return guard(err, [&] {
    auto list = td::parse_transforms(text(transform, "transform"), params ? &ref(params) : nullptr);
    give_transform(out_transform, list.size() == 1 ? list[0] : td::compose(std::move(list)));
  });
}

td_status td_transform_cdf_of(const td_dist* dist, td_transform** out_transform, td_error** err) noexcept {
  return guard(err, [&] { give_transform(out_transform, td::cumulative_transform(dist_of(dist))); });
}

td_status td_transform_compose(const td_transform* const* parts, size_t n, td_transform** out_transform,
                               td_error** err) noexcept {
  return guard(err, [&] { give_transform(out_transform, td::compose(all_of(parts, n))); });
}

td_status td_transform_inverse_of(const td_transform* self, td_transform** out_transform, td_error** err) noexcept {
  return guard(err, [&] { give_transform(out_transform, td::inverse_of(ref(self).transform)); });
}

td_status td_transform_forward(const td_transform* self, const td_tensor* x, td_tensor** out_tensor,
                               td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).transform->forward(tensor(x))); });
}

td_status td_transform_inverse(const td_transform* self, const td_tensor* y, td_tensor** out_tensor,
                               td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).transform->inverse(tensor(y))); });
}

td_status td_transform_log_abs_det_jacobian(const td_transform* self, const td_tensor* x, const td_tensor* y,
                                            td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, ref(self).transform->log_abs_det_jacobian(tensor(x), tensor(y))); });
}

td_status td_transform_repr(const td_transform* self, td_string** out_text, td_error** err) noexcept {
  return guard(err, [&] { give(out_text, ref(self).transform->name()); });
}

td_status td_dist_transformed_by(const td_dist* base, const td_transform* const* parts, size_t n, td_dist** out_dist,
                                 td_error** err) noexcept {
  return guard(err, [&] {
    give(out_dist, td::DistributionPtr(c10::make_intrusive<td::Transformed>(dist_of(base), all_of(parts, n))));
  });
}

void td_transform_retain(const td_transform* self) noexcept {
  retain(self);
}
void td_transform_release(const td_transform* self) noexcept {
  release(self);
}
