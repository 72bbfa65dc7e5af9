/* ==== Choosing and renaming keys ====================================================================================
 * New dicts have the same tensors and are unlocked. Functions with a trailing underscore change the dict itself,
 * completely or not at all.
 *
 *     const td_key keys[] = {*TD_KEY("obs"), *TD_KEY("next", "reward")};
 *     td_dict_select(td, keys, 2, 1, &batch, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_KEYS_H
#define TENSORDICT_DICT_KEYS_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Renames an entry. It moves to the end, or to the position of the entry that it replaces. With `safe`, an existing
 * `new_key` is an error. A node that becomes empty stays.   Like TensorDict.rename_key_.
 * Errors: KEY; EXISTS; SHAPE if it does not fit the batch size there; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_rename_key_(td_dict *self, const td_key *old_key, const td_key *new_key, td_bool safe,
                                     td_error **err) TD_NOEXCEPT;

/* Returns a dict with the entries under `keys`, in their order. Nodes are the same objects. If `keys` names entries of
 * a node, only these are kept, in a new node (by td_dict_select_: in the node itself). With `strict`, a missing key is
 * an error; otherwise it is ignored.   Like TensorDict.select.   Errors: KEY.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_select(const td_dict *self, const td_key *keys, size_t n, td_bool strict, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Removes all entries except those under `keys`, as td_dict_select does in place.   Like TensorDict.select with
 * inplace=True.   Errors: KEY; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_select_(td_dict *self, const td_key *keys, size_t n, td_bool strict,
                                 td_error **err) TD_NOEXCEPT;

/* Returns a dict with the entries that are not under `keys`. Nodes are treated as by td_dict_select; a node that loses
 * all entries stays. Missing keys are ignored; without keys this is td_dict_copy.   Like TensorDict.exclude.
 * Errors: ARGUMENT.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_exclude(const td_dict *self, const td_key *keys, size_t n, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Removes the entries under `keys`, as td_dict_exclude does in place.   Like TensorDict.exclude with inplace=True.
 * Errors: LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_exclude_(td_dict *self, const td_key *keys, size_t n, td_error **err) TD_NOEXCEPT;

/* A set of keys. */
typedef struct td_key_set {
  const td_key *keys;
  size_t n;
} td_key_set;

typedef struct td_split_options {
  size_t struct_size;
  td_bool lenient;          /* 1: a missing key is left out, or filled; 0: it is an error */
  td_bool reproduce_struct; /* 1: every part has all nodes of `self`, even if they are empty */
  uint8_t reserved[6];      /* 0 */
  const td_tensor *fill;    /* with `lenient`: the tensor for missing keys; NULL: none */
  /* One key set per part, which renames its entries. NULL or an empty set keeps the names. */
  TD_NULLABLE TD_LEN(n) const td_key_set *names;
} td_split_options;
#define TD_SPLIT_OPTIONS_INIT \
  { sizeof(td_split_options), 0, 0, TD_RESERVED, NULL, NULL }

/* Splits a dict: `outs` receive n + 1 dicts, one for each set of keys and one for the remaining entries, without empty
 * nodes. All nodes are new. A missing key is an error, and an entry that only some members of a lazy stack have is
 * moved; with `lenient`, both are ignored. `options` may be NULL.   Like TensorDict.split_keys, also with default,
 * reproduce_struct and sets that are dicts.
 * Errors: KEY for a missing key, and for a key that is in two sets; ARGUMENT if `names` lacks a name for a key; SHAPE
 * if `fill` lacks the batch dims.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_split_keys(const td_dict *self, const td_key_set *sets, size_t n,
                                    TD_NULLABLE const td_split_options *options, TD_LEN(n + 1) td_dict **outs,
                                    td_error **err) TD_NOEXCEPT;

typedef struct td_separate_options {
  size_t struct_size;
  td_bool lenient;       /* 1: a missing key is left out, or filled; 0: it is an error */
  td_bool keep_empty;    /* 1: nodes that become empty stay */
  uint8_t reserved[6];   /* 0 */
  const td_tensor *fill; /* the tensor for a missing key in the new dict, whatever `lenient` is; NULL: none */
} td_separate_options;
#define TD_SEPARATE_OPTIONS_INIT \
  { sizeof(td_separate_options), 0, 0, TD_RESERVED, NULL }

/* Removes the entries under `keys` and the nodes that become empty, and returns a new dict with these entries. A
 * missing key is an error; with `lenient`, it is ignored. `options` may be NULL.   Like TensorDict.separates.
 * Errors: KEY; LOCKED; SHAPE if `fill` lacks the batch dims.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_separate(td_dict *self, const td_key *keys, size_t n,
                                  TD_NULLABLE const td_separate_options *options, td_dict **out,
                                  td_error **err) TD_NOEXCEPT;

/* Returns a copy without the non-tensor entries.   Like TensorDict.filter_non_tensor_data.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_filter_non_tensor_data(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a dict with the same batch size, device and names and without entries; with `recurse`, the nodes stay,
 * without their entries.   Like TensorDict.empty.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_empty(const td_dict *self, td_bool recurse, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns 1 if the dict has no entries other than nodes at any depth; 1 for NULL.   Like TensorDict.is_empty.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_empty(const td_dict *self) TD_NOEXCEPT;

/* Removes the nodes for which td_dict_is_empty returns 1.   Like TensorDict.filter_empty_.
 * Errors: LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_filter_empty_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns a dict with one level, whose keys are the parts joined with `separator` (NULL data: "."). Empty nodes, and
 * the batch sizes and names of nodes, are lost.   Like TensorDict.flatten_keys.
 * Errors: EXISTS if two entries would get one key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_flatten_keys(const td_dict *self, td_str separator, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Splits the keys of the root at every `separator` (NULL data: "."): "a..b" becomes ("a", "", "b"). Nodes are new;
 * existing nodes are merged into them and come first, together with all keys without a separator.   Like
 * TensorDict.unflatten_keys.
 * Errors: ARGUMENT for an empty separator; EXISTS if two entries would get one key; KEY if a path runs through a
 * tensor.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unflatten_keys(const td_dict *self, td_str separator, td_dict **out,
                                        td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_KEYS_H */
