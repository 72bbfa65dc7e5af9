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

/* Stacks dicts of equal keys, batch sizes and leaf shapes along a new batch dim `dim` (negative counts from the end of
 * the result).   Like torch.stack over TensorDicts.
 * Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_stack(const td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* Joins dicts of equal keys along the batch dim `dim` (negative counts from the last); all other sizes are equal.
 * Leaves are new; names are those of the first dict; data that is one value in all stays one, else there is one for
 * each batch element.   Like torch.cat over TensorDicts.
 * Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_cat(const td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                             td_error **err) TD_NOEXCEPT;

/* Writes what td_dict_cat and td_dict_stack give into the entries of `target`, which has these keys and may be locked;
 * all or nothing, with a cast to its dtypes. What else the target holds stays as it is. A lazy stack gets them member
 * by member, so that members may differ.   Like torch.cat(..., out=target), torch.stack(..., out=target).
 * Errors: as those; SHAPE if `target` has another batch size; LOCKED for read-only memory; TORCH for leaves that
 * require grad.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_cat_into(const td_dict *const *dicts, size_t n, int64_t dim, TD_WRITES td_dict *target,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_stack_into(const td_dict *const *dicts, size_t n, int64_t dim, TD_WRITES td_dict *target,
                                    td_error **err) TD_NOEXCEPT;

/* Grows batch dims with `value`: `pairs` holds `n` numbers, what is added before and after each batch dim from the
 * first on; negative ones crop. Data gets no value there; names stay.   Like tensordict.pad.
 * Errors: ARGUMENT for an odd `n`, or a dtype that cannot hold the value; SHAPE if there are more pairs than batch dims
 * or a dim would lose more than it has.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pad(const td_dict *self, const int64_t *pairs, size_t n, double value, td_dict **out,
                             td_error **err) TD_NOEXCEPT;

typedef struct td_pad_sequence_options {
  size_t struct_size;
  int64_t pad_dim; /* of each entry; negative counts from its last dim */
  double value;
  const td_key *mask_key; /* where a dict of bool masks goes, true for values; NULL: none */
  const td_item *values;  /* numbers for some tensors, instead of `value` */
  size_t n_values;
  td_bool left; /* 1: padding comes before the values */
} td_pad_sequence_options;
#define TD_PAD_SEQUENCE_OPTIONS_INIT \
  { sizeof(td_pad_sequence_options), 0, 0.0, NULL, NULL, 0, 0 }

/* Stacks dicts along a new dim 0 after padding each entry at one end of one dim to the longest. Entries that are not in
 * all are left out. A batch dim that is padded grows in the batch size too; masks have the batch size, and one dim more
 * where the padded dim comes after it. `options` may be NULL.   Like tensordict.pad_sequence.
 * Errors: ARGUMENT for n = 0 or a dtype that cannot hold the value; EXISTS for a taken mask key; KEY for a value whose
 * key is no tensor of all dicts; SHAPE naming an entry without dims, or whose other dims differ; INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_pad_sequence(const td_dict *const *dicts, size_t n,
                                      TD_NULLABLE const td_pad_sequence_options *options, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;

typedef struct td_unpad_sequence_options {
  size_t struct_size;
  int64_t pad_dim;        /* that of td_dict_pad_sequence: counted without the dim of the samples */
  const td_key *mask_key; /* where the masks are, which the samples lack then; NULL: under "masks" */
  const td_dict *masks;   /* masks that are not in the dict, as td_dict_pad_sequence makes them; NULL: none */
  const td_tensor *mask;  /* one mask for all entries: [samples, longest]; NULL: none */
} td_unpad_sequence_options;
#define TD_UNPAD_SEQUENCE_OPTIONS_INIT \
  { sizeof(td_unpad_sequence_options), 0, NULL, NULL, NULL }

/* Takes apart what td_dict_pad_sequence made: a lazy stack of the samples along the first batch dim, whose entries are
 * views of what the masks mark, at the start, at the end or between. Where the padded dim is a batch dim of the
 * samples, they are cut to it with their data, by the mask of their first tensor; else each tensor is by its own, and
 * keeps its place. `options` may be NULL.   Like tensordict.unpad_sequence.
 * Errors: SHAPE without batch dims, and naming an entry whose mask has another shape; KEY if there are no masks, or
 * none for an entry; INDEX for a `pad_dim` that an entry lacks; ARGUMENT naming an entry whose mask has holes in a
 * row, and for several masks.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unpad_sequence(const td_dict *self, TD_NULLABLE const td_unpad_sequence_options *options,
                                        td_dict **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_JOIN_H */
