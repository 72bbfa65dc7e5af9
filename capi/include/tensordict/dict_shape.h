/* ==== Shape =========================================================================================================
 * Changes the shape of the batch dims. Feature dims and further batch dims of nodes do not change. Negative dims count
 * from the last batch dim. Results share memory with `self`, unless the doc says that they are copies, and are locked
 * if `self` is locked. Dims keep their names.
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

/* Returns the product of the batch size: 1 without batch dims, 0 for an empty batch and for NULL, -1 if a size is -1.
 * Like TensorDict.numel.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_numel(const td_dict *self) TD_NOEXCEPT;

/* Returns a dict with the batch size `sizes`, of which one may be -1, and without names of dims. If the batch size does
 * not change, the result is `self` itself. view never copies; reshape copies the leaves whose strides require it. If
 * neighbouring dims are joined, a dim is split, or dims of size 1 are added or removed, a lazy stack stays a lazy
 * stack, of views of its members; if its members have different batch sizes, `sizes` may only be a single -1, for all
 * elements. Otherwise reshape makes a dense dict from a lazy stack.   Like TensorDict.view, reshape.
 * Errors: SHAPE if the number of elements differs, or if a lazy stack would have to become dense and its members
 * differ; for view also SHAPE naming a leaf that would have to be copied, and UNSUPPORTED if a lazy stack would have to
 * become dense.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_view(const td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out,
                              td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_reshape(const td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Replaces the dims `start` to `end`, inclusive, by one dim without a name. Leaves are copied if their strides require
 * it. A dict without batch dims gets one of size 1. A lazy stack stays a lazy stack, of views of its members' elements.
 * Like TensorDict.flatten.
 * Errors: INDEX; ARGUMENT if the end comes before the start; SHAPE if the members of a lazy stack differ in a dim
 * before its own.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_flatten(const td_dict *self, int64_t start, int64_t end, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Replaces `dim` by dims of `sizes`, of which one may be -1; the last of them gets the name of `dim`.   Like
 * TensorDict.unflatten.
 * Errors: INDEX; SHAPE if the product of the sizes is not the size of `dim`.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_unflatten(const td_dict *self, int64_t dim, const int64_t *sizes, size_t ndim, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* Removes those of `dims` that have size 1, or all such batch dims if n = 0. If nothing is removed, the result is
 * `self` itself.   Like TensorDict.squeeze.   Errors: INDEX; ARGUMENT if a dim comes twice.
 * [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_squeeze(const td_dict *self, const int64_t *dims, size_t n, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Adds a batch dim of size 1 at `dim`; negative values count from the end of the result.   Like TensorDict.unsqueeze.
 * Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unsqueeze(const td_dict *self, int64_t dim, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Repeats dims of size 1 without copying, and adds new dims on the left; -1 keeps a size. Several elements of the
 * result share memory, so functions that write in place refuse it with TORCH. Only batch dims are repeated. With the
 * shape of a tensor this is td.expand_as(tensor); with sizes of 1 on the left it is atleast_2d.   Like
 * TensorDict.expand.
 * Errors: SHAPE if another dim would change, or if there are fewer `sizes` than batch dims.
 * [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_expand(const td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Expands each tensor to the shape of the tensor under its key in `other`, including the feature dims, and each node to
 * the batch size of `other`. A single data value stays single; stacks of data are repeated like tensors. The result is
 * unlocked and has no names. Entries that only `other` has are ignored.   Like TensorDict.expand_as.
 * Errors: KEY for an entry that `other` lacks or has with another kind; SHAPE naming an entry that cannot be expanded,
 * or whose shapes differ between members of a lazy stack.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_expand_as(const td_dict *self, const td_dict *other, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* Permutes the batch dims into the order `dims`, a permutation of all dims or of the first `n`. If the order does not
 * change, the result is `self` itself.   Like TensorDict.permute.   Errors: INDEX; ARGUMENT if `dims` is not a
 * permutation.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_permute(const td_dict *self, const int64_t *dims, size_t n, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Swaps two batch dims. If they are equal, the result is `self` itself.   Like TensorDict.transpose.   Errors: INDEX.
 * [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_transpose(const td_dict *self, int64_t dim0, int64_t dim1, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* Moves `n` batch dims from the positions `source` to the positions `destination`; the others keep their order. If
 * nothing moves, the result is `self` itself.   Like TensorDict.movedim.   Errors: INDEX; ARGUMENT if a dim comes
 * twice.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_movedim(const td_dict *self, TD_LEN(n) const int64_t *source, const int64_t *destination,
                                 size_t n, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns `length` elements of `dim`, beginning at `start`; a negative `start` counts from the end.   Like
 * TensorDict.narrow.
 * Errors: INDEX; SHAPE if the elements are not all within the dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_narrow(const td_dict *self, int64_t dim, int64_t start, int64_t length, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Splits `dim` into pieces of `size` elements, of which the last may be shorter, or into pieces of the given sizes.
 * Like TensorDict.split.   Errors: INDEX; ARGUMENT for a size below 1; SHAPE if the sum of the sizes is not the size of
 * the dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_split(const td_dict *self, int64_t size, int64_t dim, td_dict_list **out,
                               td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_split_sizes(const td_dict *self, const int64_t *sizes, size_t n, int64_t dim,
                                     td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Splits `dim` into `chunks` pieces, or fewer, so that all except the last have the same size.   Like TensorDict.chunk.
 * Errors: INDEX; ARGUMENT for less than 1.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_chunk(const td_dict *self, int64_t chunks, int64_t dim, td_dict_list **out,
                               td_error **err) TD_NOEXCEPT;

/* Splits `dim` into exactly `sections` pieces whose sizes differ by at most 1, or at each of the `n` indices, into n +
 * 1 pieces.   Like TensorDict.tensor_split.   Errors: INDEX; ARGUMENT for fewer than 1 section.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_tensor_split(const td_dict *self, int64_t sections, int64_t dim, td_dict_list **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_tensor_split_at(const td_dict *self, const int64_t *indices, size_t n, int64_t dim,
                                         td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Returns one unlocked dict for each element of `dim`, without that dim.   Like TensorDict.unbind.   Errors: INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_unbind(const td_dict *self, int64_t dim, td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Returns the number of dicts; 0 for NULL.   [any-thread] [leaf]  Since 0.1 */
TD_API size_t td_dict_list_size(const td_dict_list *self) TD_NOEXCEPT;

/* Returns a new reference to the dict at `index`.   Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_list_get(const td_dict_list *self, int64_t index, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns all dicts as one array of `*out_size` handles, which live as long as the list: retain what you keep.
 * [any-thread]  Since 0.2 */
TD_API td_status td_dict_list_view(const td_dict_list *self, td_dict *const **out_view, size_t *out_size,
                                   td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_dict_list_retain(const td_dict_list *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_dict_list_release(const td_dict_list *self) TD_NOEXCEPT;

/* Returns a copy in which each batch dim is repeated as often as `repeats` says, one number per dim. tile also accepts
 * fewer numbers, for the last dims, or more, for new dims on the left, and drops the names of dims. repeat keeps a lazy
 * stack lazy: the copies of its members are in the result several times along the stack dim.   Like TensorDict.repeat,
 * tile.
 * Errors: SHAPE for a negative number, and for repeat if there is not one number per batch dim.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_repeat(const td_dict *self, const int64_t *repeats, size_t n, td_dict **out,
                                td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_tile(const td_dict *self, const int64_t *repeats, size_t n, td_dict **out,
                              td_error **err) TD_NOEXCEPT;

/* Returns a copy in which each element of `dim` comes several times in a row: `repeats` has one number for all
 * elements, or one for each. For all batch dims together, call td_dict_flatten first. Along the dim of a lazy stack,
 * the members themselves are in the result several times, without a copy.   Like TensorDict.repeat_interleave.
 * Errors: INDEX; SHAPE for negative numbers, or a wrong count of numbers.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_repeat_interleave(const td_dict *self, const int64_t *repeats, size_t n, int64_t dim,
                                           td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a copy with the elements of `dims` in reverse order.   Like TensorDict.flip.
 * Errors: INDEX; ARGUMENT if a dim comes twice.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_flip(const td_dict *self, const int64_t *dims, size_t n, td_dict **out,
                              td_error **err) TD_NOEXCEPT;

/* Returns a copy with the elements of each dim shifted; elements beyond the end reappear at the start. With n_dims = 0,
 * a single shift applies to the batch as if it were flattened.   Like TensorDict.roll.
 * Errors: INDEX; ARGUMENT if there is not one shift for each dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_roll(const td_dict *self, const int64_t *shifts, size_t n_shifts, const int64_t *dims,
                              size_t n_dims, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a copy rotated `times` times by 90 degrees, from `dim0` towards `dim1`.   Like TensorDict.rot90.
 * Errors: INDEX; ARGUMENT if the dims are equal.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_rot90(const td_dict *self, int64_t times, int64_t dim0, int64_t dim1, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* Returns an unlocked dict with row-major leaves: leaves that are already row-major are kept, the others are copied.
 * The strides of dims of size 1 are row-major too.   Like TensorDict.contiguous(canonical=True).
 * Errors: KEY and SHAPE if members of a lazy stack differ.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_contiguous(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns 1 if all leaves are row-major; 0 for NULL, for a dict that contains lazy stacks, and for a dict in a file.
 * Like TensorDict.is_contiguous.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_contiguous(const td_dict *self) TD_NOEXCEPT;

/* Sets the batch size to the longest one that all entries share, here and in each node below, with at most `limit`
 * dims; -1 means no limit. Empty dicts and data with a single value are ignored; a lazy stack does not change. Allowed
 * on a locked dict.   Like TensorDict.auto_batch_size_.   Errors: ARGUMENT for any other negative limit.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_auto_batch_size_(td_dict *self, int64_t limit, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_SHAPE_H */
