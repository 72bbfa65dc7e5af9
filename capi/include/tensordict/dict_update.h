/* ==== Changing many entries =========================================================================================
 * One call changes many keys: either all changes happen, or none.
 *
 *     const td_item items[] = {{TD_KEY("obs"), td_value_tensor(obs)}, {TD_KEY("next", "obs"), td_value_tensor(next)}};
 *     td_dict_from_items(TD_SHAPE(32), items, 2, NULL, &td, &err);
 *     td_dict_update(td, other, NULL, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_UPDATE_H
#define TENSORDICT_DICT_UPDATE_H

#include "dict.h"
#include "dict_data.h"
#include "handles.h"
#include "tensor.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A key with its value, a TENSOR, a DICT or DATA. INT, UINT, DOUBLE, BOOL and COMPLEX become tensors without dims
 * (int64, int64, float32, bool, complex64);
 * INTS, DOUBLES and BOOLS become tensors with one dim; STR becomes non-tensor data. */
typedef struct td_item {
  const td_key *key;
  td_value value;
} td_item;

/* Makes a dict with these entries, in their order, stored as by td_dict_set and td_dict_set_dict. If a key comes twice,
 * the last value wins. `options` may be NULL.   Like TensorDict({...}, batch_size).
 * Errors: as td_dict_new, td_dict_set and td_dict_set_dict; ARGUMENT for values of other kinds, or text that is not
 * UTF-8.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_items(const int64_t *batch_size, size_t ndim, TD_KEEPS const td_item *items, size_t n,
                                    TD_NULLABLE const td_dict_options *options, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

/* Makes a dict without batch dims that has the same tensor `value` under every key.   Like TensorDict.fromkeys.
 * Errors: KEY if one key runs through another.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_keys(const td_key *keys, size_t n, TD_KEEPS const td_tensor *value, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* The position of a field in every record of an array. */
typedef struct td_field {
  const td_key *key;
  td_dtype dtype;
  int32_t reserved;    /* 0 */
  const int64_t *dims; /* of the field in one record, row-major; NULL for a single number */
  size_t ndim;
  size_t offset; /* in bytes, from the start of the record: offsetof */
} td_field;

/* Makes a dict over a row-major array of records of `itemsize` bytes, one per batch element. Each field becomes an
 * entry that uses the caller's memory; nothing is copied. `data` must stay valid until `release(owner)` is called: when
 * the last view is released, or before this call returns if it fails or there are no fields. `release` may be NULL.
 * Like TensorDict.from_struct_array.
 * Errors: ARGUMENT naming a field that is not within its record, is not aligned, whose dtype's size does not divide
 * `itemsize`, or whose key is taken; KEY if one key runs through another; SHAPE; DTYPE.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_from_struct_array(TD_NULLABLE TD_KEEPS TD_LEN(batch_size) void *data, size_t itemsize,
                                           const int64_t *batch_size, size_t ndim, const td_field *fields, size_t n,
                                           TD_NULLABLE TD_KEEPS td_release_fn release, TD_KEEPS void *owner,
                                           td_dict **out, td_error **err) TD_NOEXCEPT;

/* Copies entries into an array of such records, `size` bytes long, with a dtype cast. Bytes outside all fields do not
 * change. The array must not overlap the memory of the entries.   Like TensorDict.to_struct_array.
 * Errors: as td_dict_from_struct_array; KEY for a field without a tensor; SHAPE if the tensor has another shape;
 * ARGUMENT if `size` is too small. On failure nothing is written.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_to_struct_array(const td_dict *self, const td_field *fields, size_t n, size_t itemsize,
                                         TD_WRITES TD_LEN(size) void *data, size_t size, td_error **err) TD_NOEXCEPT;

/* Makes a dict with the entries of all `dicts`, with the batch size and the device of the first. Nodes are new and are
 * merged level by level. If several dicts have a tensor under one key, the first wins.   Like merge_tensordicts.
 * Errors: ARGUMENT for n = 0; KEY if an entry is a dict in one and a tensor in another; SHAPE.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_merge(const td_dict *const *dicts, size_t n, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns the keys of all tensors, including nested ones, and the tensors in the same order. To make one tensor of
 * them, use td_dict_cat_leaves or td_dict_stack_leaves.   Like td.items(include_nested, leaves_only).
 * Errors: SHAPE if members of a lazy stack differ.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_leaves(const td_dict *self, td_keys **out_keys, td_tensor_list **out_tensors,
                                td_error **err) TD_NOEXCEPT;

/* Sets `values[i]` under `paths[i]` for all i, in this order: all of them, or none.
 * Errors: as td_dict_set.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_many(td_dict *self, TD_LEN(n) const td_path *const *paths,
                                  TD_KEEPS td_tensor *const *values, size_t n, td_error **err) TD_NOEXCEPT;

typedef struct td_dict_update_options {
  size_t struct_size;
  td_bool inplace; /* 1: copy into tensors that exist, which a locked dict allows; new keys are set */
  td_bool clone;   /* 1: store copies; 0: the tensors and nodes of the source themselves */
  td_bool
      update_batch_size; /* 1: if the source has another batch size at a level, its batch size and entries replace those
                                of `self`; it must have all their keys. A lazy stack takes its number of members */
  uint8_t reserved[5];   /* 0 */
  const td_key *keys;    /* only these entries of the source, as far as it has them; NULL: all */
  size_t n_keys;
} td_dict_update_options;
#define TD_DICT_UPDATE_OPTIONS_INIT \
  { sizeof(td_dict_update_options), 0, 0, 0, TD_RESERVED, NULL, 0 }

/* Sets every entry of `src` in `self`. A node that both have stays, keeps the entries that `src` lacks, and is updated
 * recursively. If `src` has a lazy stack there, the dict of `self` first becomes a stack of its parts. Any other entry
 * is replaced, whatever its kind. `options` may be NULL.   Like TensorDict.update.
 * Errors: SHAPE unless one batch size begins with the other and all tensors fit, and if a dict that must become a stack
 * lacks the dim for it; LOCKED; ARGUMENT if `self` would contain itself, or for `update_batch_size` with `inplace` or
 * `keys`; with `inplace` KEY for entries of different kinds and TORCH for leaves that require grad; KEY if a source of
 * another batch size lacks a key.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_update(td_dict *self, TD_KEEPS const td_dict *src,
                                TD_NULLABLE const td_dict_update_options *options, td_error **err) TD_NOEXCEPT;

/* Copies the values of `src` into the tensors under the same keys, with broadcasting and a dtype cast. It is allowed on
 * a locked dict, because keys, shapes and nodes do not change. Keys that only `self` has do not change.   Like
 * TensorDict.update_.
 * Errors: KEY for a key that `self` lacks or has with another kind of entry; SHAPE; LOCKED for read-only memory; TORCH
 * for leaves that require grad.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_update_(td_dict *self, const td_dict *src, td_error **err) TD_NOEXCEPT;

/* Writes `value` into the tensor under `key` or into all tensors below it, or zero into all tensors of the dict;
 * allowed on a locked dict.   Like TensorDict.fill_, zero_.
 * Errors: KEY; ARGUMENT if a dtype cannot hold the value; LOCKED for read-only memory; TORCH for leaves that require
 * grad.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_fill_(td_dict *self, const td_key *key, const td_value *value, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_zero_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Removes the entry and returns it: a tensor, or a dict.   Like TensorDict.pop.
 * Errors: KEY if there is no entry or it has the other kind; LOCKED.   [exclusive] [may-alias]  Since 0.1 */
TD_API td_status td_dict_pop(td_dict *self, const td_key *key, td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_pop_dict(td_dict *self, const td_key *key, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Removes the last inserted entry of the root and returns it: one of `*out_tensor`, `*out_dict` and `*out_data` is set,
 * the others are NULL.   Like TensorDict.popitem.   Errors: KEY if there is no entry; LOCKED.
 * [exclusive] [may-alias]  Since 0.1 */
TD_API td_status td_dict_popitem(td_dict *self, td_string **out_key, TD_OUT_NULLABLE td_tensor **out_tensor,
                                 TD_OUT_NULLABLE td_dict **out_dict, TD_OUT_NULLABLE td_data_list **out_data,
                                 td_error **err) TD_NOEXCEPT;

/* Returns a copy of `self`, updated with `src`.   Like TensorDict.replace.   Errors: as td_dict_update.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_replace(const td_dict *self, const td_dict *src, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Joins the tensors under `keys` along `dim`, or stacks them along a new dim, and sets the result under `out_key`.
 * `dim` counts the dims of the tensors. Without `keep_entries` the entries under `keys` are removed.   Like
 * TensorDict.cat_tensors, stack_tensors.
 * Errors: ARGUMENT for n = 0; KEY; SHAPE if they cannot be joined, or the result lacks the batch dims; INDEX; LOCKED.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_cat_tensors(td_dict *self, const td_key *keys, size_t n, const td_key *out_key, int64_t dim,
                                     td_bool keep_entries, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_stack_tensors(td_dict *self, const td_key *keys, size_t n, const td_key *out_key, int64_t dim,
                                       td_bool keep_entries, td_error **err) TD_NOEXCEPT;

/* Makes one tensor of all tensors, including nested ones: joined along a dim, or stacked along a new dim, in insertion
 * order or in the order of the sorted keys.   Like TensorDict.cat_from_tensordict, stack_from_tensordict.
 * Errors: ARGUMENT without tensors; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_cat_leaves(const td_dict *self, int64_t dim, td_bool sorted, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_stack_leaves(const td_dict *self, int64_t dim, td_bool sorted, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;

/* Removes every entry.   Like TensorDict.clear.
 * Errors: LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_clear(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Takes over the batch size, the names and the entries of `other`, in its order and by reference. It also takes over
 * the device; if `other` has none, it keeps its own and moves the entries there. A node for which `other` has a node
 * under the same key stays the same object and takes over that node. This gives every operation an in-place form:
 * td_dict_reshape, then this, is td.reshape(..., inplace=True); td_dict_to, then this, is td.to(device, inplace=True).
 * It works on every kind of dict. If `other` is a lazy stack of as many members along the same dim, or can be split
 * into one, the members of a lazy stack take over one by one; otherwise they are replaced by the members of `other`.
 * Entries that parameters take over become parameters. A dict in a file writes copies and keeps its batch size.   Like
 * the inplace=True and out= of TensorDict's operations.
 * Errors: LOCKED, also for a node that would change; ARGUMENT if `other` contains `self`; SHAPE if `other` is a lazy
 * stack whose members differ and `self` is not a lazy stack; DEVICE; UNSUPPORTED for a dict in a file and another batch
 * size, and for a lazy stack that would have no members.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_become(td_dict *self, TD_KEEPS const td_dict *other, td_error **err) TD_NOEXCEPT;

/* Makes an empty node under `key`, and the missing nodes on the way to it.   Like TensorDict.create_nested, which
 * overwrites.
 * Errors: EXISTS if there is an entry; KEY if the path runs through a tensor; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_create_nested(td_dict *self, const td_key *key, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_UPDATE_H */
