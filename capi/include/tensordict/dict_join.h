/* ==== Stack, join and pad ===========================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_JOIN_H
#define TENSORDICT_DICT_JOIN_H

#include "dict_update.h"
#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Stacks dicts with equal keys, batch sizes and leaf shapes along a new batch dim `dim` (negative values count from the
 * end of the result).   Like torch.stack over TensorDicts.
 * Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_stack(const td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* Joins dicts with equal keys along the batch dim `dim` (negative values count from the last); all other sizes must be
 * equal. Leaves are new. Names come from the first dict. Non-tensor data that is one single value in all dicts stays
 * one value; otherwise the result has one value for each batch element.   Like torch.cat over TensorDicts.
 * Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_cat(const td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                             td_error **err) TD_NOEXCEPT;

/* Writes the result of td_dict_cat or td_dict_stack into the entries of `target`, completely or not at all, with a cast
 * to its dtypes. `target` must have these keys and may be locked; its other entries do not change. A lazy stack is
 * written member by member, so members may differ.   Like torch.cat(..., out=target), torch.stack(..., out=target).
 * Errors: as td_dict_cat; SHAPE if `target` has another batch size; LOCKED for read-only memory; TORCH for leaves that
 * require grad.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_cat_into(const td_dict *const *dicts, size_t n, int64_t dim, TD_WRITES td_dict *target,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_stack_into(const td_dict *const *dicts, size_t n, int64_t dim, TD_WRITES td_dict *target,
                                    td_error **err) TD_NOEXCEPT;

/* Pads batch dims with `value`. `pairs` has `n` numbers: how many elements to add before and after each batch dim,
 * beginning with the first; negative numbers crop. Non-tensor data has no value in the padding; names stay.   Like
 * tensordict.pad.
 * Errors: ARGUMENT for an odd `n`, or a dtype that cannot hold the value; SHAPE if there are more pairs than batch dims
 * or a dim would lose more than it has.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pad(const td_dict *self, const int64_t *pairs, size_t n, const td_value *value, td_dict **out,
                             td_error **err) TD_NOEXCEPT;

typedef struct td_pad_sequence_options {
  size_t struct_size;
  int64_t pad_dim;        /* the dim of each entry to pad; negative values count from its last dim */
  const td_value *value;  /* a number; NULL: 0 */
  const td_key *mask_key; /* the key for a dict of bool masks, true for values; NULL: none */
  const td_item *values;  /* padding values for some tensors, instead of `value` */
  size_t n_values;
  td_bool left;        /* 1: padding comes before the values */
  uint8_t reserved[7]; /* 0 */
} td_pad_sequence_options;
#define TD_PAD_SEQUENCE_OPTIONS_INIT \
  { sizeof(td_pad_sequence_options), 0, NULL, NULL, NULL, 0, 0, TD_RESERVED }

/* Stacks dicts along a new dim 0 after padding one dim of each entry, at one end, to the longest. Entries that are not
 * in all dicts are left out. Padding a batch dim also changes the batch size. Masks have the batch size, plus one dim
 * if the padded dim is not a batch dim. `options` may be NULL.   Like tensordict.pad_sequence.
 * Errors: ARGUMENT for n = 0 or a dtype that cannot hold the value; EXISTS for a taken mask key; KEY for a padding
 * value whose key is not a tensor in all dicts; SHAPE naming an entry without dims, or whose other dims differ; INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_pad_sequence(const td_dict *const *dicts, size_t n,
                                      TD_NULLABLE const td_pad_sequence_options *options, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;

typedef struct td_unpad_sequence_options {
  size_t struct_size;
  int64_t pad_dim;        /* as for td_dict_pad_sequence: does not count the dim of the samples */
  const td_key *mask_key; /* the key of the masks, which the samples do not get; NULL: "masks" */
  const td_dict *masks;   /* masks as td_dict_pad_sequence makes them, if not in the dict; NULL: none */
  const td_tensor *mask;  /* one mask for all entries: [samples, longest]; NULL: none */
} td_unpad_sequence_options;
#define TD_UNPAD_SEQUENCE_OPTIONS_INIT \
  { sizeof(td_unpad_sequence_options), 0, NULL, NULL, NULL }

/* Splits the result of td_dict_pad_sequence into a lazy stack of the samples along the first batch dim. The entries are
 * views of the elements that the masks mark, which may be at the start, at the end or in the middle. If the padded dim
 * is a batch dim of the samples, each sample and its data are cut by the mask of its first tensor; otherwise each
 * tensor is cut by its own mask. `options` may be NULL.   Like tensordict.unpad_sequence.
 * Errors: SHAPE without batch dims, and naming an entry whose mask has another shape; KEY if there are no masks, or
 * none for an entry; INDEX for a `pad_dim` that an entry lacks; ARGUMENT naming an entry whose mask has a hole in a
 * row, and if more than one of `mask_key`, `masks` and `mask` is given.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unpad_sequence(const td_dict *self, TD_NULLABLE const td_unpad_sequence_options *options,
                                        td_dict **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_JOIN_H */
