/* ==== Lazy stacks ===================================================================================================
 * A lazy stack shows dicts as if they were stacked, without copying them; their shapes and keys may differ. It is a
 * td_dict with the keys that all members have, in the order of the first member. Each get stacks the tensors again; a
 * dict below is a lazy stack too. Sets and writes go to the members. In Python: LazyStackedTensorDict.
 *
 *     td_dict_lazy_stack(episodes, 3, 0, &stack, &err);               // of 10, 12 and 7 steps
 *     td_dict_get(stack, TD_KEY("obs"), &obs, &err);                  // TD_ERR_SHAPE: they differ
 *     td_dict_get_padded(stack, TD_KEY("obs"), NULL, &obs, &mask, &err);
 *
 * These operations return a lazy stack and work on the members, which keep the keys that only they have: index, shape,
 * selection of keys, copies, where, masked_fill, operators over leaves, flatten, repeat, repeat_interleave, and reshape
 * and view if they join dims, split a dim, or add or remove dims of size 1. Writes to the results of flatten, view,
 * reshape, repeat_interleave along the stack's own dim, and of all operations that make views, go to the members. An
 * index with masks or tensors that select single elements returns a lazy stack of these, or a dense dict if all members
 * have the same keys and shapes. Other reshapes, contiguous, tile, flip, roll, rot90, gather, padding and reductions
 * return a dense dict with the common keys, and fail with SHAPE if members differ.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_LAZY_H
#define TENSORDICT_DICT_LAZY_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The kind of a dict. */
typedef int32_t td_dict_kind;
enum {
  TD_DICT_KIND_TENSORDICT = 0,
  TD_DICT_KIND_LAZY_STACK = 1,
  TD_DICT_KIND_PARAMS = 2,
  TD_DICT_KIND_PERSISTENT = 3,
  TD_DICT_KIND_WINDOW = 4
};

/* Returns the kind of a dict; TD_DICT_KIND_TENSORDICT for NULL.   Like type(td).   [any-thread] [leaf]  Since 0.1 */
TD_API td_dict_kind td_dict_kind_of(const td_dict *self) TD_NOEXCEPT;

/* Makes a lazy stack of these dicts, without copying them, along a new batch dim `dim`; negative values count from the
 * end of the result. Batch sizes in which the dicts differ are -1.   Like LazyStackedTensorDict.lazy_stack.
 * Errors: ARGUMENT for n = 0; SHAPE for different numbers of batch dims, more than 64 of them or 2^24 members in all;
 * DEVICE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_lazy_stack(TD_KEEPS td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

/* Makes a lazy stack without members. Members that are added later must have the batch size `element`.   Like
 * LazyStackedTensorDict(stack_dim=).
 * Errors: SHAPE for a negative size; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_lazy_new(const int64_t *element, size_t ndim, int64_t dim, td_dict **out,
                                  td_error **err) TD_NOEXCEPT;

/* Returns a dense stack at each level at which keys and shapes agree, and a lazy stack at each level at which they do
 * not. Lazy stacks along the same dim with equally many members are stacked member by member.   Like
 * TensorDict.maybe_dense_stack; with the members of a lazy stack, dense_stack_tds.
 * Errors: as td_dict_lazy_stack.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_maybe_dense_stack(TD_KEEPS td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                                           td_error **err) TD_NOEXCEPT;

/* Returns a lazy stack of the views that td_dict_unbind returns.   Like TensorDict.to_lazystack.   Errors: INDEX.
 * [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_to_lazy_stack(const td_dict *self, int64_t dim, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns the batch dim along which the members are stacked; -1 if the dict is not a lazy stack.   Like
 * LazyStackedTensorDict.stack_dim.   [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_dict_stack_dim(const td_dict *self) TD_NOEXCEPT;

/* Returns the members themselves; changes of a member show in the stack.   Like LazyStackedTensorDict.tensordicts.
 * Errors: UNSUPPORTED if the dict is not a lazy stack.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_members(const td_dict *self, td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Inserts dicts before the member at `index`, or at the end; the batch size grows. If they lack a key, the stack no
 * longer has that key. They may have other keys.   Like LazyStackedTensorDict.insert, append, extend.
 * Errors: UNSUPPORTED if `self` is not a lazy stack; INDEX unless 0 <= index <= members; SHAPE for another batch size;
 * DEVICE; LOCKED; ARGUMENT if it would contain itself.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_insert(td_dict *self, int64_t index, TD_KEEPS td_dict *const *dicts, size_t n,
                                td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_append(td_dict *self, TD_KEEPS td_dict *dict, td_error **err) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` with the shape of an entry (the batch size for a dict), and `*out_ndim` with
 * their number. A size is -1 if members of a stack differ in it; the shape is a single -1 if their numbers of dims
 * differ.   Like TensorDict.get_item_shape.   Errors: KEY.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_entry_shape(const td_dict *self, const td_key *key, int64_t *out, size_t capacity,
                                     size_t *out_ndim, td_error **err) TD_NOEXCEPT;

/* Returns the keys of all tensors, including nested ones, whose shapes differ between members; td_dict_get refuses
 * them.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_ragged_keys(const td_dict *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Returns the keys that the member at `index` has and at least one other member lacks.
 * Errors: UNSUPPORTED if the dict is not a lazy stack; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_exclusive_keys(const td_dict *self, int64_t index, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Returns the members' tensors themselves. The stack may be `self` or on the way to `key`. For nested stacks these are
 * the tensors of the innermost members, those of the first outer member first; Python nests the lists.   Like
 * td.get(key, as_list=True).
 * Errors: KEY; UNSUPPORTED if there is no lazy stack on the way.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_list(const td_dict *self, const td_key *key, td_tensor_list **out,
                                  td_error **err) TD_NOEXCEPT;

/* Sets one tensor in each member, in all of them or in none; the shapes may differ. For nested stacks, the members are
 * those of the outer stack.   Like ls.set(key, list).
 * Errors: as td_dict_set; ARGUMENT unless `n` is the number of members; UNSUPPORTED without a lazy stack.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_list(td_dict *self, const td_key *key, td_tensor *const *values, size_t n,
                                  td_error **err) TD_NOEXCEPT;

typedef struct td_padding_options {
  size_t struct_size;
  const td_value *value;  /* a number; NULL: 0 */
  td_bool left;           /* 1: padding comes before the values; 0: after them */
  uint8_t reserved[7];    /* 0 */
  const td_key *mask_key; /* for td_dict_densify: the key for a dict of bool masks, true for values; NULL: none */
} td_padding_options;
#define TD_PADDING_OPTIONS_INIT \
  { sizeof(td_padding_options), NULL, 0, TD_RESERVED, NULL }

/* Returns the members' tensors, also those of nested stacks, padded to the longest in each dim and stacked. `out_mask`
 * receives a bool tensor, true for values, over the dims up to the last padded one; it may be NULL. `options` may be
 * NULL.   Like td.get(key, as_padded_tensor=True).
 * Errors: KEY; SHAPE for different numbers of dims; ARGUMENT if the dtype cannot hold the value; UNSUPPORTED without a
 * lazy stack on the way.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_padded(const td_dict *self, const td_key *key,
                                    TD_NULLABLE const td_padding_options *options, td_tensor **out,
                                    TD_NULLABLE td_tensor **out_mask, td_error **err) TD_NOEXCEPT;

/* Returns the members' tensors joined along the first dim after the stack dim, and int64 offsets, one more than there
 * are members, that say where each begins. The components of a jagged tensor are joined along its ragged dim; for 0
 * components there is one offset and no element.   Like td.get(key, as_nested_tensor=True, layout=torch.jagged), taken
 * apart.
 * Errors: KEY, also for other stacks without members; SHAPE if another dim differs; UNSUPPORTED without a lazy stack on
 * the way.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_jagged(const td_dict *self, const td_key *key, td_tensor **out_values,
                                    td_tensor **out_offsets, td_error **err) TD_NOEXCEPT;

/* Returns a dense dict with the entries that any member has, at every level. Shorter tensors are padded, missing
 * tensors are filled with padding, and missing non-tensor data has no value. `options` may be NULL.   Like
 * td.densify().to_padded_tensor().
 * Errors: KEY for entries of different kinds; SHAPE for different numbers of dims; ARGUMENT if a dtype cannot hold the
 * value; EXISTS if the key of the masks is taken.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_densify(const td_dict *self, TD_NULLABLE const td_padding_options *options, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_LAZY_H */
