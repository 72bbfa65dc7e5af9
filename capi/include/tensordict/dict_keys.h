/* ==== Choosing and renaming keys ====================================================================================
 * New dicts hold the same tensors, and are not locked. A trailing underscore changes the dict itself, all or nothing.
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

/* Moves an entry: to the end, or to the place of the entry that it replaces. `safe` refuses a key that is taken. A node
 * that it leaves empty stays.   Like TensorDict.rename_key_.
 * Errors: KEY; EXISTS; SHAPE if it does not fit the batch size there; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_rename(td_dict *self, const td_key *old_key, const td_key *new_key, td_bool safe,
                                td_error **err) TD_NOEXCEPT;

/* Returns the entries under `keys`, in their order. Nodes are the same objects, but where sub-keys are named: there
 * only those are kept, in a new node (or in that node itself, in place). `strict` refuses missing keys, else they are
 * left out.   Like TensorDict.select.   Errors: KEY.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_select(const td_dict *self, const td_key *keys, size_t n, td_bool strict, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* The same in place.   Like TensorDict.select with inplace=True.   Errors: KEY; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_select_(td_dict *self, const td_key *keys, size_t n, td_bool strict,
                                 td_error **err) TD_NOEXCEPT;

/* Returns the entries that are not under `keys`; nodes are treated as by td_dict_select, and one that loses everything
 * stays. Missing keys are no error; without keys it is td_dict_copy.   Like TensorDict.exclude.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_exclude(const td_dict *self, const td_key *keys, size_t n, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* The same in place.   Like TensorDict.exclude with inplace=True.   Errors: LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_exclude_(td_dict *self, const td_key *keys, size_t n, td_error **err) TD_NOEXCEPT;

/* Some keys that belong together. */
typedef struct td_key_set {
  const td_key *keys;
  size_t n;
} td_key_set;

/* Splits a dict: `outs` receive n + 1 dicts, one for each set of keys and one for what is left, without empty nodes.
 * All nodes are new. `strict` refuses missing keys, and moves what some members of a lazy stack hold; else both are
 * left out. Like TensorDict.split_keys.   Errors: KEY for a missing key, and for one that is in two sets.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_split_keys(const td_dict *self, const td_key_set *sets, size_t n, td_bool strict,
                                    TD_LEN(n + 1) td_dict **outs, td_error **err) TD_NOEXCEPT;

typedef struct td_split_options {
  size_t struct_size;
  td_bool strict;           /* 1: missing keys are refused; 0: left out, or filled */
  td_bool reproduce_struct; /* 1: every part has all nodes of `self`, also those that are empty then */
  const td_tensor *fill;    /* without `strict`: the tensor for missing keys; NULL: none */
  /* One set a part: what its entries are called there; NULL, or a set without keys: as before. */
  TD_NULLABLE TD_LEN(n) const td_key_set *names;
} td_split_options;
#define TD_SPLIT_OPTIONS_INIT \
  { sizeof(td_split_options), 1, 0, NULL, NULL }

/* As td_dict_split_keys, with more to choose; `options` may be NULL.   Like TensorDict.split_keys with default,
 * reproduce_struct and sets that are dicts.
 * Errors: as td_dict_split_keys; ARGUMENT unless there is a name for each key; SHAPE if `fill` lacks the batch dims.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_split_keys_with(const td_dict *self, const td_key_set *sets, size_t n,
                                         TD_NULLABLE const td_split_options *options, TD_LEN(n + 1) td_dict **outs,
                                         td_error **err) TD_NOEXCEPT;

/* Removes the entries under `keys`, and nodes that nothing is left of, and gives a new dict of them. `strict` refuses
 * missing keys, else they are left out.   Like TensorDict.separates.   Errors: KEY; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_separates(td_dict *self, const td_key *keys, size_t n, td_bool strict, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

typedef struct td_separate_options {
  size_t struct_size;
  td_bool strict;        /* 1: missing keys are refused; 0: they are left out, or filled */
  td_bool keep_empty;    /* 1: nodes that nothing is left of stay */
  const td_tensor *fill; /* the tensor that the new dict has for a missing key, whatever `strict` says; NULL: none */
} td_separate_options;
#define TD_SEPARATE_OPTIONS_INIT \
  { sizeof(td_separate_options), 1, 0, NULL }

/* As td_dict_separates, with more to choose; `options` may be NULL.   Like TensorDict.separates(default, filter_empty).
 * Errors: as that; SHAPE if `fill` lacks the batch dims.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_separates_with(td_dict *self, const td_key *keys, size_t n,
                                        TD_NULLABLE const td_separate_options *options, td_dict **out,
                                        td_error **err) TD_NOEXCEPT;

/* Returns a copy without the non-tensor entries.   Like TensorDict.filter_non_tensor_data.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_filter_non_tensor_data(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a dict of the same batch size, device and names without entries; `recurse` keeps the nodes, without theirs.
 * Like TensorDict.empty.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_empty(const td_dict *self, td_bool recurse, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns 1 if there is nothing but nodes, at any depth; 1 for NULL.   Like TensorDict.is_empty.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_empty(const td_dict *self) TD_NOEXCEPT;

/* Removes the nodes that are empty in this sense.   Like TensorDict.filter_empty_.
 * Errors: LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_filter_empty_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns a dict of one level: parts are joined with `separator` (NULL data: "."). Empty nodes are lost, and so are the
 * batch sizes and names of nodes.   Like TensorDict.flatten_keys.
 * Errors: EXISTS if two entries would get one key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_flatten_keys(const td_dict *self, td_str separator, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Splits the keys of the root at every `separator` (NULL data: "."): "a..b" becomes ("a", "", "b"). Nodes are new;
 * those that are there are joined, and come first with all keys that have no separator.   Like
 * TensorDict.unflatten_keys.
 * Errors: ARGUMENT for an empty separator; EXISTS if two entries would get one key; KEY if a path runs through a
 * tensor. [any-thread]  Since 0.1 */
TD_API td_status td_dict_unflatten_keys(const td_dict *self, td_str separator, td_dict **out,
                                        td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_KEYS_H */
