/* ==== Selecting rows ================================================================================================
 * By position, by mask and by value. A mask has the first batch dims and stands for all dims after its own; sizes of 1
 * stand for any size, but in td_dict_masked_select.
 *
 *     td_dict_masked_select(td, done, &finished, &err);
 *     td_dict_masked_fill_(td, done, 0, &err);
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

/* Takes, for each element of `index`, that position along batch dim `dim`. The index has the batch dims, or the first
 * of them as far as `dim` and the rest is taken whole; its shape is the new batch size.   Like torch.gather.
 * Errors: INDEX if `dim` or an element is out of range (they are not negative); SHAPE; DTYPE.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_gather(const td_dict *self, int64_t dim, const td_tensor *index, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Returns the rows where `mask` is true: its dims become one. Names, and lazy stacks whose members differ, are treated
 * as by td_dict_index with the mask.   Like td.masked_select.
 * Errors: INDEX if the mask does not match the batch size; DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_masked_select(const td_dict *self, const td_tensor *mask, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* New entries: those of `self` where `condition` holds, else of `other`. An entry that only one of them has is `*pad`
 * in the other, and data has no value there; with `pad` NULL that is an error. For a tensor or a number in place of
 * `other`, give the operator "where" to td_dict_pointwise.   Like td.where(condition, other, pad=).
 * Errors: KEY; SHAPE; DTYPE; ARGUMENT if a dtype cannot hold the value.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_where(const td_dict *self, const td_tensor *condition, const td_dict *other,
                               TD_NULLABLE TD_LEN(1) const double *pad, td_dict **out, td_error **err) TD_NOEXCEPT;

/* New tensors with `value` where `mask` is true.   Like td.masked_fill.
 * Errors: SHAPE; DTYPE; ARGUMENT if a dtype cannot hold the value.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_masked_fill(const td_dict *self, const td_tensor *mask, double value, td_dict **out,
                                     td_error **err) TD_NOEXCEPT;

/* Writes `value` into the dict's tensors where `mask` is true, or nothing at all.   Like td.masked_fill_.
 * Errors: as td_dict_masked_fill; LOCKED for read-only memory; TORCH for leaves that require grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_masked_fill_(td_dict *self, const td_tensor *mask, double value, td_error **err) TD_NOEXCEPT;

/* Returns a bool for each position along batch dim `dim`: is that slice of `key` among the slices of `reference`? Like
 * tensordict.utils.isin.   Errors: KEY; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_isin(const td_dict *self, const td_dict *reference, const td_key *key, int64_t dim,
                              td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns the dict at the first occurrence of each different slice of `key` along batch dim `dim`, in the order of
 * those values. `out_inverse` receives for each position the place of its value in the result; it may be NULL.   Like
 * tensordict.utils.remove_duplicates.   Errors: KEY; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_remove_duplicates(const td_dict *self, const td_key *key, int64_t dim, td_dict **out,
                                           TD_NULLABLE td_tensor **out_inverse, td_error **err) TD_NOEXCEPT;

/* Splits a dict along its first batch dim into one for each value of `key`: rows of equal values, in their order. The
 * values are sorted: as `out_values`, a tensor with one row a group, if `key` is a tensor, whose rows are compared
 * from their first element on; as `out_data`, one value a group, if it is non-tensor data, which are compared as
 * Python compares them: 1, 1.0 and true are equal, lists go element by element. The other one is NULL; both pointers
 * may be. NaN is equal to nothing, and comes last. The rows are gathered once, and the groups are views of them.   Like
 * tensordict.group_by.
 * Errors: KEY if it is missing, or a dict; SHAPE without batch dims, for rows without elements, and if members of a
 * lazy stack differ in `key`; DTYPE for complex values; ARGUMENT for data that have no order: numbers beside text or
 * none, JSON objects, pickles.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_group_by(const td_dict *self, const td_key *key,
                                  TD_NULLABLE TD_OUT_NULLABLE td_tensor **out_values,
                                  TD_NULLABLE TD_OUT_NULLABLE td_data_list **out_data, td_dict_list **out_groups,
                                  td_error **err) TD_NOEXCEPT;

/* Returns a view with dims added on the right until the shape is the given one, or that of `other`: what broadcasting
 * does on the left.   Like tensordict.utils.expand_right, expand_as_right.   Errors: SHAPE.
 * [any-thread]  Since 0.1 */
TD_API td_status td_tensor_expand_right(const td_tensor *self, const int64_t *dims, size_t ndim, td_tensor **out,
                                        td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_expand_as_right(const td_tensor *self, const td_tensor *other, td_tensor **out,
                                           td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_ROWS_H */
