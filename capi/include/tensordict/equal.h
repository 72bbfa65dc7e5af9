/* ==== Equality ======================================================================================================
 *     td_equal_options near = TD_EQUAL_OPTIONS_INIT;
 *     near.relative = 1e-5;
 *     td_dict_equal(td, expected, &near, &equal, &difference, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_EQUAL_H
#define TENSORDICT_EQUAL_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Numbers are equal if |a - b| <= absolute + relative * |b|; without tolerances, if they are the same. */
typedef struct td_equal_options {
  size_t struct_size;
  double relative, absolute;
  td_bool equal_nan;   /* 1: NaN is equal to NaN */
  uint8_t reserved[7]; /* 0 */
} td_equal_options;
#define TD_EQUAL_OPTIONS_INIT \
  { sizeof(td_equal_options), 0.0, 0.0, 0, TD_RESERVED }

/* Sets `*out` to 1 if both tensors have the same shape, dtype and elements. `*out_difference` receives what differs, or
 * NULL if nothing does. Devices, strides and gradients are not compared.   Like torch.equal, torch.allclose.
 * Errors: ARGUMENT for a tolerance that is negative or NaN.   [any-thread]  Since 0.2 */
TD_API td_status td_tensor_equal(const td_tensor *self, const td_tensor *other,
                                 TD_NULLABLE const td_equal_options *options, td_bool *out,
                                 TD_NULLABLE TD_OUT_NULLABLE td_string **out_difference, td_error **err) TD_NOEXCEPT;

/* Sets `*out` to 1 if both dicts have the same batch size, the same keys in any order, and under each key tensors that
 * are equal, dicts that are equal, or data that are equal: numbers of different kinds by value, NaN as in tensors.
 * `*out_difference` receives the first key with what differs there, or NULL if nothing does. Kinds of dict, devices,
 * names and locks are not compared; the members of a lazy stack are compared one by one.   Like assert_close.
 * Errors: ARGUMENT for a tolerance that is negative or NaN.   [any-thread]  Since 0.2 */
TD_API td_status td_dict_equal(const td_dict *self, const td_dict *other, TD_NULLABLE const td_equal_options *options,
                               td_bool *out, TD_NULLABLE TD_OUT_NULLABLE td_string **out_difference,
                               td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_EQUAL_H */
