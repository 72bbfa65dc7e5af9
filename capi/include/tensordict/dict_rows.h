/* ==== Selecting rows ================================================================================================
 * Selects rows by position, by mask and by value. The dims of a mask are the first batch dims; it applies to all dims
 * after them. A size of 1 in a mask matches any size, except in td_dict_masked_select.
 *
 *     td_dict_masked_select(td, done, &finished, &err);
 *     td_dict_masked_fill_(td, done, TD_VALUE(td_value_int(0)), &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_ROWS_H
#define TENSORDICT_DICT_ROWS_H

#include "dict_data.h"
#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Takes, for each element of `index`, that position along batch dim `dim`. The index has all batch dims, or only the
 * first ones up to `dim`; then the other dims are taken completely. The shape of the index is the new batch size.
 * Like torch.gather.
 * Errors: INDEX if `dim` or an element is out of range (elements must not be negative); SHAPE; DTYPE.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_gather(const td_dict *self, int64_t dim, const td_tensor *index, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Returns the rows for which `mask` is true; the dims of the mask become one. Names, and lazy stacks whose members
 * differ, are treated as by td_dict_index with the mask.   Like td.masked_select.
 * Errors: INDEX if the mask does not match the batch size; DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_masked_select(const td_dict *self, const td_tensor *mask, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* Makes a dict with the elements of `self` where `condition` is true and of `other` elsewhere. A tensor that only one
 * dict has is the number `pad` in the other, and non-tensor data has no value there; if `pad` is NULL, such an entry
 * is an error. To use a tensor or a number instead of `other`, call td_dict_pointwise with the operator
 * "where".   Like td.where(condition, other, pad=).
 * Errors: KEY; SHAPE; DTYPE; ARGUMENT if a dtype cannot hold the value.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_where(const td_dict *self, const td_tensor *condition, const td_dict *other,
                               TD_NULLABLE const td_value *pad, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Makes a dict of new tensors, with `value` where `mask` is true.   Like td.masked_fill.
 * Errors: SHAPE; DTYPE; ARGUMENT if a dtype cannot hold the value.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_masked_fill(const td_dict *self, const td_tensor *mask, const td_value *value, td_dict **out,
                                     td_error **err) TD_NOEXCEPT;

/* Writes `value` into the dict's tensors where `mask` is true; if it fails, nothing is written.   Like td.masked_fill_.
 * Errors: as td_dict_masked_fill; LOCKED for read-only memory; TORCH for leaves that require grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_masked_fill_(td_dict *self, const td_tensor *mask, const td_value *value,
                                      td_error **err) TD_NOEXCEPT;

/* Returns a bool for each position along batch dim `dim`: whether that slice of `key` is among the slices of
 * `reference`.   Like tensordict.utils.isin.   Errors: KEY; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_isin(const td_dict *self, const td_dict *reference, const td_key *key, int64_t dim,
                              td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns the elements of the dict at the first occurrence of each distinct slice of `key` along batch dim `dim`,
 * sorted by the slices. `out_inverse` receives, for each position, the index of its slice in the result; it may be
 * NULL.   Like tensordict.utils.remove_duplicates.   Errors: KEY; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_remove_duplicates(const td_dict *self, const td_key *key, int64_t dim, td_dict **out,
                                           TD_NULLABLE td_tensor **out_inverse, td_error **err) TD_NOEXCEPT;

/* Splits a dict along its first batch dim into one dict per value of `key`, with the rows of that value in their order.
 * The values are sorted. If `key` is a tensor, `out_values` receives a tensor with one row per group, and rows are
 * compared element by element. If it is non-tensor data, `out_data` receives one value per group, and values are
 * compared as in Python: 1, 1.0 and true are equal, and lists are compared element by element. The other output is set
 * to NULL; both pointers may be NULL. NaN is equal to nothing and comes last. The rows are gathered once, and the
 * groups are views of them.   Like tensordict.group_by.
 * Errors: KEY if there is no entry, or it is a dict; SHAPE without batch dims, for rows without elements, and if
 * members of a lazy stack differ in `key`; DTYPE for complex values; ARGUMENT for data without an order: numbers mixed
 * with text or missing values, JSON objects, pickles.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_group_by(const td_dict *self, const td_key *key,
                                  TD_NULLABLE TD_OUT_NULLABLE td_tensor **out_values,
                                  TD_NULLABLE TD_OUT_NULLABLE td_data_list **out_data, td_dict_list **out_groups,
                                  td_error **err) TD_NOEXCEPT;

/* Returns a view with dims added on the right to reach the given shape, or the shape of `other`, as broadcasting adds
 * them on the left.   Like tensordict.utils.expand_right, expand_as_right.   Errors: SHAPE.
 * [any-thread]  Since 0.1 */
TD_API td_status td_tensor_expand_right(const td_tensor *self, const int64_t *dims, size_t ndim, td_tensor **out,
                                        td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_expand_as_right(const td_tensor *self, const td_tensor *other, td_tensor **out,
                                           td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_ROWS_H */
