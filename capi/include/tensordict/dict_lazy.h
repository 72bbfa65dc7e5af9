/* ==== Lazy stacks ===================================================================================================
 * Dicts that are seen as stacked and stay what they are, of different shapes and keys if need be. A lazy stack is a
 * td_dict with the keys that all members have, in the order of the first; a tensor is stacked anew whenever it is asked
 * for, a dict below is a lazy stack again, and whatever is set or written goes to the members. Python's
 * LazyStackedTensorDict.
 *
 *     td_dict_lazy_stack(episodes, 3, 0, &stack, &err);               // of 10, 12 and 7 steps
 *     td_dict_get(stack, TD_KEY("obs"), &obs, &err);                  // TD_ERR_SHAPE: they differ
 *     td_dict_get_padded(stack, TD_KEY("obs"), NULL, &obs, &mask, &err);
 *
 * Index, shape, choice of keys, copies, where, masked_fill and operators over leaves keep it lazy and go through the
 * members, which keep the keys that only they have; so do flatten, repeat, repeat_interleave, and reshape and view that
 * join dims, take one apart, or add and drop dims of size 1. Of those, flatten, view, reshape, repeat_interleave along
 * the stack's own dim and whatever else makes views lets writes reach the members. Masks and tensors that choose single
 * elements give a lazy stack of these, or a dense dict where all members have the same keys and shapes. Other reshapes,
 * contiguous, tile, flip, roll, rot90, gather, padding and reductions give a dense dict of its common keys, and fail
 * with SHAPE where members differ.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_LAZY_H
#define TENSORDICT_DICT_LAZY_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* What a dict is. */
typedef int32_t td_dict_kind;
enum {
  TD_DICT_KIND_TENSORDICT = 0,
  TD_DICT_KIND_LAZY_STACK = 1,
  TD_DICT_KIND_PARAMS = 2,
  TD_DICT_KIND_PERSISTENT = 3,
  TD_DICT_KIND_WINDOW = 4
};

/* TD_DICT_KIND_TENSORDICT for NULL too.   Like type(td).   [any-thread]  Since 0.1 */
TD_API td_dict_kind td_dict_get_kind(const td_dict *self) TD_NOEXCEPT;

/* A lazy stack of these dicts themselves along a new batch dim `dim`; negative counts from the end of the result. Sizes
 * of the batch in which they differ are -1.   Like LazyStackedTensorDict.lazy_stack.
 * Errors: ARGUMENT for n = 0; SHAPE for different numbers of batch dims, more than 64 of them or 2^24 members in all;
 * DEVICE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_lazy_stack(TD_KEEPS td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

/* A lazy stack without members yet, whose members will have the batch size `element`.   Like
 * LazyStackedTensorDict(stack_dim=).
 * Errors: SHAPE for a negative size; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_lazy_new(const int64_t *element, size_t ndim, int64_t dim, td_dict **out,
                                  td_error **err) TD_NOEXCEPT;

/* Returns a stack of new tensors where keys and shapes agree, and at each level where they do not, a lazy stack. Lazy
 * stacks along one dim, of as many members, stay that: the first members are stacked with each other, then the second
 * ones, and so on.   Like TensorDict.maybe_dense_stack; with the members of a lazy stack, dense_stack_tds.
 * Errors: as td_dict_lazy_stack.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_maybe_dense_stack(TD_KEEPS td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                                           td_error **err) TD_NOEXCEPT;

/* A lazy stack of the views that td_dict_unbind gives.   Like TensorDict.to_lazystack.   Errors: INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_to_lazy_stack(const td_dict *self, int64_t dim, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns the batch dim along which the members are stacked; -1 if the dict is not a lazy stack.   Like
 * LazyStackedTensorDict.stack_dim.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_stack_dim(const td_dict *self) TD_NOEXCEPT;

/* Returns the members themselves: what is done to one shows in the stack.   Like LazyStackedTensorDict.tensordicts.
 * Errors: UNSUPPORTED if the dict is not a lazy stack.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_members(const td_dict *self, td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Puts dicts among the members, before the one at `index` or at the end: the batch size grows. They may lack keys,
 * which the stack then has no more, and have others.   Like LazyStackedTensorDict.insert, append, extend.
 * Errors: UNSUPPORTED if `self` is not a lazy stack; INDEX unless 0 <= index <= members; SHAPE for another batch size;
 * DEVICE; LOCKED; ARGUMENT if it would contain itself.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_insert(td_dict *self, size_t index, TD_KEEPS td_dict *const *dicts, size_t n,
                                td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_append(td_dict *self, TD_KEEPS td_dict *dict, td_error **err) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` with the shape of an entry (a dict's is its batch size), and `*out_ndim` with
 * their number. -1 stands where members of a stack differ, and alone if they have different numbers of dims. Like
 * TensorDict.get_item_shape.   Errors: KEY.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_entry_shape(const td_dict *self, const td_key *key, int64_t *out, size_t capacity,
                                     size_t *out_ndim, td_error **err) TD_NOEXCEPT;

/* Returns the keys of all tensors, nested ones too, whose shape differs between members: those td_dict_get refuses.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_ragged_keys(const td_dict *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Returns the keys that the member at `index` has, and not all others.
 * Errors: UNSUPPORTED if the dict is not a lazy stack; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_exclusive_keys(const td_dict *self, size_t index, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Returns the tensor of each member, themselves. The stack may be `self` or on the way to `key`. Of stacks in stacks
 * these are the tensors of the innermost members, those of the first outer member first; Python nests the lists.   Like
 * td.get(key, as_list=True).
 * Errors: KEY; UNSUPPORTED without a lazy stack on the way.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_list(const td_dict *self, const td_key *key, td_tensor_list **out,
                                  td_error **err) TD_NOEXCEPT;

/* Sets one tensor in each member, of different shapes if need be; all or none. Of stacks in stacks it is the outer one.
 * Like ls.set(key, list).
 * Errors: as td_dict_set; ARGUMENT unless `n` is the number of members; UNSUPPORTED without a lazy stack.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_list(td_dict *self, const td_key *key, td_tensor *const *values, size_t n,
                                  td_error **err) TD_NOEXCEPT;

typedef struct td_padding_options {
  size_t struct_size;
  double value;
  td_bool left;           /* 1: before the values; 0: after them */
  const td_key *mask_key; /* of td_dict_densify: where a dict of bool masks goes, true for values; NULL: none */
} td_padding_options;
#define TD_PADDING_OPTIONS_INIT \
  { sizeof(td_padding_options), 0.0, 0, NULL }

/* Returns the members' tensors stacked, each dim as long as the longest, also those of stacks in stacks. `out_mask`
 * receives a bool tensor, true for values, over the dims up to the last one that was padded; it may be NULL. `options`
 * may be NULL.   Like td.get(key, as_padded_tensor=True).
 * Errors: KEY; SHAPE for different numbers of dims; ARGUMENT if the dtype cannot hold the value; UNSUPPORTED without a
 * lazy stack on the way.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_padded(const td_dict *self, const td_key *key,
                                    TD_NULLABLE const td_padding_options *options, td_tensor **out,
                                    TD_NULLABLE td_tensor **out_mask, td_error **err) TD_NOEXCEPT;

/* Returns the members' tensors joined along the first dim after the stack's, and where each begins: int64 offsets, one
 * more than members. The components of a jagged tensor are joined along its ragged dim; of 0 components there is one
 * offset, and no element.   Like td.get(key, as_nested_tensor=True, layout=torch.jagged), taken apart.
 * Errors: KEY, for other stacks without members too; SHAPE if another dim differs; UNSUPPORTED without a lazy stack on
 * the way.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_jagged(const td_dict *self, const td_key *key, td_tensor **out_values,
                                    td_tensor **out_offsets, td_error **err) TD_NOEXCEPT;

/* Returns a dense dict of the entries that any member has, at every level: shorter tensors are padded, missing ones are
 * padding all over, missing data is none. `options` may be NULL.   Like td.densify().to_padded_tensor().
 * Errors: KEY for entries of different kinds; SHAPE for different numbers of dims; ARGUMENT if a dtype cannot hold the
 * value; EXISTS if the key of the masks is taken.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_densify(const td_dict *self, TD_NULLABLE const td_padding_options *options, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_LAZY_H */
