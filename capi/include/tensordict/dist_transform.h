/* ==== Transforms ====================================================================================================
 * Invertible maps of tensors, usable without a distribution. td_live_objects counts them as distributions.
 *
 * Stability: preview
 */
#ifndef TENSORDICT_DIST_TRANSFORM_H
#define TENSORDICT_DIST_TRANSFORM_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct td_transform td_transform;

/* Makes a transform from JSON as in td_dist_transformed; the transforms of a list are applied in order. `params` may be
 * NULL.   Like torch.distributions.transforms.   Errors: ARGUMENT; KEY; SHAPE; NOT_FOUND.
 * [any-thread]  Since 0.1 */
TD_API td_status td_transform_new(td_str transform, TD_NULLABLE const td_dict *params, td_transform **out,
                                  td_error **err) TD_NOEXCEPT;

/* Makes a transform from the cumulative distribution function of `dist`.   Like CumulativeDistributionTransform.
 * [any-thread]  Since 0.1 */
TD_API td_status td_transform_cdf_of(const td_dist *dist, td_transform **out, td_error **err) TD_NOEXCEPT;

/* Makes a transform that applies `parts` in order; without parts it is the identity.   Like ComposeTransform.
 * [any-thread]  Since 0.1 */
TD_API td_status td_transform_compose(const td_transform *const *parts, size_t n, td_transform **out,
                                      td_error **err) TD_NOEXCEPT;

/* Returns the inverse transform.   Like Transform.inv.   [any-thread]  Since 0.1 */
TD_API td_status td_transform_inverse_of(const td_transform *self, td_transform **out, td_error **err) TD_NOEXCEPT;

/* Computes y from x, x from y, or the log of the absolute determinant of dy/dx from both, with gradients. Nothing is
 * cached: keep `y` together with its `x`.   Like Transform.__call__, inv, log_abs_det_jacobian.   Errors: UNSUPPORTED;
 * SHAPE; TORCH.   [any-thread]  Since 0.1 */
TD_API td_status td_transform_forward(const td_transform *self, const td_tensor *x, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_transform_inverse(const td_transform *self, const td_tensor *y, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_transform_log_abs_det_jacobian(const td_transform *self, const td_tensor *x, const td_tensor *y,
                                                   td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns the text that Python prints: "ExpTransform()".   [any-thread]  Since 0.1 */
TD_API td_status td_transform_repr(const td_transform *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Makes a transformed distribution like td_dist_transformed, from existing transforms.   Like
 * torch.distributions.TransformedDistribution.
 * Errors: SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_transformed_by(const td_dist *base, const td_transform *const *parts, size_t n, td_dist **out,
                                        td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_transform_retain(const td_transform *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_transform_release(const td_transform *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DIST_TRANSFORM_H */
