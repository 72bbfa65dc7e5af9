/* ==== Shape =========================================================================================================
 * Other shapes of the batch dims. Feature dims stay behind them, untouched, and so do further batch dims of nodes.
 * Negative dims count from the last batch dim. Results share memory with `self` unless the doc says that they are
 * copies, and are locked where `self` is; names of dims go along.
 *
 *     td_dict_reshape(td, TD_SHAPE(-1, 8), &rows, &err);
 *     td_dict_split(td, 256, 0, &batches, &err);
 *     td_dict_list_get(batches, 0, &first, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_SHAPE_H
#define TENSORDICT_DICT_SHAPE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Returns the product of the batch size: 1 without batch dims, 0 for an empty batch and for NULL, -1 if a size is.
 * Like TensorDict.numel.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_numel(const td_dict *self) TD_NOEXCEPT;

/* Returns the batch size becomes `sizes`, one of which may be -1; the names of dims are dropped. With the batch size
 * that it has, the result is `self` itself. view never copies, reshape copies the leaves whose strides leave no other
 * way. A lazy stack stays one, of views of its members, where neighbouring dims become one, one dim becomes several, or
 * dims of size 1 come or go; of members of different batch sizes, `sizes` may be -1 alone, for all elements. Otherwise
 * reshape makes a dense dict of it.   Like TensorDict.view, reshape.
 * Errors: SHAPE if the number of elements differs, or the members of a lazy stack where it would be dense; for view
 * also naming a leaf that had to be copied, and UNSUPPORTED where a lazy stack would be dense.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_view(const td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out,
                              td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_reshape(const td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* One dim without a name in place of the dims `start` to `end`, inclusive; leaves are copied where strides leave no
 * other way. A dict without batch dims gets one of size 1; a lazy stack stays one, of views of its members' elements.
 * Like TensorDict.flatten.
 * Errors: INDEX; ARGUMENT if the end comes before the start; SHAPE if the members of a lazy stack differ in a dim
 * before its own.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_flatten(const td_dict *self, int64_t start, int64_t end, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Dims of `sizes`, one of which may be -1, in place of `dim`; the last of them has its name.   Like
 * TensorDict.unflatten.
 * Errors: INDEX; SHAPE if the sizes do not multiply to that of `dim`.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unflatten(const td_dict *self, int64_t dim, const int64_t *sizes, size_t ndim, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* Takes away those of `dims` that have size 1, or with n = 0 all such batch dims; if there are none, the result is
 * `self` itself.   Like TensorDict.squeeze.   Errors: INDEX; ARGUMENT if a dim comes twice.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_squeeze(const td_dict *self, const int64_t *dims, size_t n, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Returns a new batch dim of size 1 at `dim`; negative ones count from the end of the result.   Like
 * TensorDict.unsqueeze.
 * Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unsqueeze(const td_dict *self, int64_t dim, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Repeats dims of size 1 without copying, and adds new dims on the left; -1 keeps a size. Several elements of the
 * result are one in memory, so that functions that write in place refuse it with TORCH. Only batch dims are repeated:
 * with the shape of a tensor it is td.expand_as(tensor), with sizes of 1 on the left atleast_2d.   Like
 * TensorDict.expand.
 * Errors: SHAPE if another dim would change, or `sizes` are fewer than the batch dims.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_expand(const td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* The same to the shapes that `other` has: each tensor gets the shape of the one under its key there, features too,
 * and every node the batch size of `other`. Data of one value keep it, others are repeated like tensors. The result is
 * a dict without names, unlocked; entries that only `other` has are ignored.   Like TensorDict.expand_as.
 * Errors: KEY for an entry that `other` lacks or has as another kind; SHAPE naming the entry that cannot be expanded,
 * or that members of a lazy stack have in different shapes.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_expand_as(const td_dict *self, const td_dict *other, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* Puts the batch dims into the order `dims`, a permutation of all or of the first `n`; an order that changes nothing
 * gives `self` itself.   Like TensorDict.permute.   Errors: INDEX; ARGUMENT if it is no permutation.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_permute(const td_dict *self, const int64_t *dims, size_t n, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Swaps two batch dims; equal ones give `self` itself.   Like TensorDict.transpose.   Errors: INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_transpose(const td_dict *self, int64_t dim0, int64_t dim1, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* Moves `n` batch dims from the places `source` to the places `destination`; the others keep their order. `self` itself
 * if nothing moves.   Like TensorDict.movedim.   Errors: INDEX; ARGUMENT if a dim comes twice.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_movedim(const td_dict *self, TD_LEN(n) const int64_t *source, const int64_t *destination,
                                 size_t n, td_dict **out, td_error **err) TD_NOEXCEPT;

/* `length` elements of `dim` from `start` on; a negative start counts from the end.   Like TensorDict.narrow.
 * Errors: INDEX; SHAPE if they do not lie in the dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_narrow(const td_dict *self, int64_t dim, int64_t start, int64_t length, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Pieces of `size` elements of `dim`, of which the last may be shorter; of sizes that sum up to the dim's.   Like
 * TensorDict.split.   Errors: INDEX; ARGUMENT for a size below 1; SHAPE if the sizes do not sum up.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_split(const td_dict *self, int64_t size, int64_t dim, td_dict_list **out,
                               td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_split_sizes(const td_dict *self, const int64_t *sizes, size_t n, int64_t dim,
                                     td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* `chunks` pieces of `dim`, or fewer: all but the last have the same size.   Like TensorDict.chunk.
 * Errors: INDEX; ARGUMENT for less than 1.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_chunk(const td_dict *self, int64_t chunks, int64_t dim, td_dict_list **out,
                               td_error **err) TD_NOEXCEPT;

/* Exactly `sections` pieces of `dim`, whose sizes differ by 1 at most; the pieces between `indices`, one more than
 * them.   Like TensorDict.tensor_split.   Errors: INDEX; ARGUMENT for less than 1 section.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_tensor_split(const td_dict *self, int64_t sections, int64_t dim, td_dict_list **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_tensor_split_at(const td_dict *self, const int64_t *indices, size_t n, int64_t dim,
                                         td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Returns the elements of `dim`, without it; unlocked.   Like TensorDict.unbind.   Errors: INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_unbind(const td_dict *self, int64_t dim, td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Returns the number of dicts; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API size_t td_dict_list_size(const td_dict_list *self) TD_NOEXCEPT;

/* Returns a new reference to the dict at `index`.   Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_list_get(const td_dict_list *self, size_t index, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_dict_list_retain(const td_dict_list *self) TD_NOEXCEPT;
TD_API void td_dict_list_release(const td_dict_list *self) TD_NOEXCEPT;

/* Returns a copy with each batch dim as often as `repeats` says, one number a dim. tile takes fewer, for the last dims,
 * or more, for new dims on the left, and drops the names of dims. repeat keeps a lazy stack lazy: the copies of its
 * members are in it several times along its own dim.   Like TensorDict.repeat, tile.
 * Errors: SHAPE for a negative number, and for repeat if they are not as many as the batch dims.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_repeat(const td_dict *self, const int64_t *repeats, size_t n, td_dict **out,
                                td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_tile(const td_dict *self, const int64_t *repeats, size_t n, td_dict **out,
                              td_error **err) TD_NOEXCEPT;

/* Returns a copy with each element of `dim` several times in a row: one number for all, or one for each element. For
 * all batch dims at once, td_dict_flatten first. Along the dim of a lazy stack the members themselves are in the result
 * several times, without a copy.   Like TensorDict.repeat_interleave.
 * Errors: INDEX; SHAPE for negative numbers, or another count of them.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_repeat_interleave(const td_dict *self, const int64_t *repeats, size_t n, int64_t dim,
                                           td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a copy with the elements of `dims` in reverse order.   Like TensorDict.flip.
 * Errors: INDEX; ARGUMENT if a dim comes twice.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_flip(const td_dict *self, const int64_t *dims, size_t n, td_dict **out,
                              td_error **err) TD_NOEXCEPT;

/* Returns a copy with the elements of each dim shifted, those beyond the end coming in at the start. With n_dims = 0
 * one shift applies to the batch as if it were flattened.   Like TensorDict.roll.
 * Errors: INDEX; ARGUMENT if there is not one shift for each dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_roll(const td_dict *self, const int64_t *shifts, size_t n_shifts, const int64_t *dims,
                              size_t n_dims, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a copy turned `times` times by 90 degrees, from `dim0` towards `dim1`.   Like TensorDict.rot90.
 * Errors: INDEX; ARGUMENT if the dims are equal.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_rot90(const td_dict *self, int64_t times, int64_t dim0, int64_t dim1, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* Returns a dict of row-major leaves: those that are so already are kept, the others copied; unlocked. Strides of dims
 * of size 1 are row-major too.   Like TensorDict.contiguous(canonical=True).   [any-thread]  Since 0.1 */
TD_API td_status td_dict_contiguous(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns 1 if all leaves are row-major; 0 for NULL, with lazy stacks in it and for a dict in a file.   Like
 * TensorDict.is_contiguous.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_contiguous(const td_dict *self) TD_NOEXCEPT;

/* Sets the longest batch size that all entries share, here and for each node below, of at most `limit` dims; -1 is no
 * limit. A dict without entries, and data of one value for all, decide nothing; a lazy stack stays as it is. Allowed on
 * a locked dict.   Like TensorDict.auto_batch_size_.   Errors: ARGUMENT for another negative limit.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_auto_batch_size(td_dict *self, int64_t limit, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_SHAPE_H */
