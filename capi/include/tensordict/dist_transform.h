/* ==== Transforms ====================================================================================================
 * Invertible maps of tensors, by themselves. They are counted with the distributions in td_live_objects.
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

/* Makes a transform from JSON, as td_dist_transformed takes it; a list is one after another. `params` may be NULL.
 * Like torch.distributions.transforms.   Errors: ARGUMENT; KEY; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_transform_create(td_str transform, TD_NULLABLE const td_dict *params, td_transform **out,
                                     td_error **err) TD_NOEXCEPT;

/* Returns the cumulative distribution function of `dist`.   Like CumulativeDistributionTransform.
 * [any-thread]  Since 0.1 */
TD_API td_status td_transform_cdf_of(const td_dist *dist, td_transform **out, td_error **err) TD_NOEXCEPT;

/* One after another; of none, the identity.   Like ComposeTransform.   [any-thread]  Since 0.1 */
TD_API td_status td_transform_compose(const td_transform *const *parts, size_t n, td_transform **out,
                                      td_error **err) TD_NOEXCEPT;

/* The same map backwards.   Like Transform.inv.   [any-thread]  Since 0.1 */
TD_API td_status td_transform_inverse_of(const td_transform *self, td_transform **out, td_error **err) TD_NOEXCEPT;

/* y of x, x of y, and the log of the determinant of dy/dx for both; gradients flow. Nothing is cached: keep `y` with
 * its `x`. Like Transform.__call__, inv, log_abs_det_jacobian.   Errors: UNSUPPORTED; SHAPE; TORCH.
 * [any-thread]  Since 0.1 */
TD_API td_status td_transform_forward(const td_transform *self, const td_tensor *x, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_transform_inverse(const td_transform *self, const td_tensor *y, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_transform_log_abs_det_jacobian(const td_transform *self, const td_tensor *x, const td_tensor *y,
                                                   td_tensor **out, td_error **err) TD_NOEXCEPT;

/* As Python prints it: "ExpTransform()".   [any-thread]  Since 0.1 */
TD_API td_status td_transform_repr(const td_transform *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* td_dist_transformed with transforms that are there.   Like torch.distributions.TransformedDistribution.
 * Errors: SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_transformed_by(const td_dist *base, const td_transform *const *parts, size_t n, td_dist **out,
                                        td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_transform_retain(const td_transform *self) TD_NOEXCEPT;
TD_API void td_transform_release(const td_transform *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DIST_TRANSFORM_H */
