/* ==== Arithmetic and comparison =====================================================================================
 * Pointwise operators as Python's `td + other` has them: operands are matched by key and by batch dims before the
 * operator runs. (td_dict_apply_op is the raw form, which hands tensors over unchanged.)
 *
 *     td_value both[] = {td_value_dict(td), td_value_tensor(gain)};             // one number for each batch element
 *     td_dict_pointwise(mul, both, 2, NULL, 0, NULL, &scaled, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_MATH_H
#define TENSORDICT_DICT_MATH_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* What td_dict_pointwise does with leaves that not every dict has. */
typedef int32_t td_missing;
enum {
  TD_MISSING_ERROR = 0, /* TD_ERR_KEY; in place, only if the first dict has it and another lacks it */
  TD_MISSING_SKIP = 1,  /* the result lacks them too; in place, they stay as they are */
  TD_MISSING_FILL = 2   /* `fill` stands for them; in place, no leaves are added */
};

typedef struct td_pointwise_options {
  size_t struct_size;
  td_missing missing;
  const td_value *fill; /* a number or a tensor without dims */
} td_pointwise_options;
#define TD_POINTWISE_OPTIONS_INIT \
  { sizeof(td_pointwise_options), TD_MISSING_ERROR, NULL }

/* Calls the pointwise operator `op` for each leaf. Operands are dicts, of which there is at least one, tensors and
 * numbers, in the order of the operator's schema; `kwargs` has the rest ("alpha", or operands too). `options` may be
 * NULL. The batch sizes of the dicts and the shapes of tensors that have dims broadcast to the batch size of the
 * result: a tensor has one element for each batch element, whatever the features of a leaf. Tensors without dims and
 * numbers go to every leaf. Leaves of several dicts are matched by key, and their features broadcast as LibTorch does
 * it. Nodes, also empty ones, non-tensor entries, names and the device are those of the first dict, and the result is
 * locked if that is. Comparisons (eq, ne, lt, le, gt, ge, their long names, isclose) give bool leaves without names,
 * unlocked, and non-tensor entries count: of two dicts both have the same ones, and eq and ne compare their values,
 * which gives a bool tensor for each of them. With TD_MISSING_FILL data that only one dict has are not equal to the
 * fill. An operator in place ("add_") writes the leaves of its first operand, a dict, which may be locked, and those of
 * lazy stacks member by member; `*out` shares them, and `out` may be NULL. Nothing is written unless every leaf can be.
 * Like td + other, td.lerp, td == other, td.abs.
 * Errors: ARGUMENT without a dict; KEY; SHAPE if the operands do not broadcast, or in place to more than there is;
 * LOCKED for leaves in read-only memory; and those of td_op_call, with the key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pointwise(const td_op *op, const td_value *operands, size_t n, const td_named_value *kwargs,
                                   size_t n_kwargs, TD_NULLABLE const td_pointwise_options *options,
                                   TD_NULLABLE td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Operators over dicts ---------------------------------------------------------------------------------------- */

/* Calls `op` once for each leaf. Arguments of kind DICT are replaced by that leaf of theirs; all DICTs have the same
 * leaf keys. Other arguments go to every call unchanged. `outs` receive one dict for each tensor that the operator
 * returns, with the nodes and the batch size of the first DICT; more outs than that receive NULL. With an operator that
 * writes in place the leaves are written and the results share them; nothing is written unless every leaf can be
 * called. td.view(dtype) is "view" with the overload "dtype". Like td.add(other) and its siblings.
 * Errors: ARGUMENT without a DICT, or for too few outs; KEY if the leaves differ; SHAPE if a result loses the batch
 * dims; and those of td_op_call, with the key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_apply_op(const td_op *op, const td_value *args, size_t n_args, const td_named_value *kwargs,
                                  size_t n_kwargs, TD_OUT_NULLABLE td_dict **outs, size_t n_outs,
                                  td_error **err) TD_NOEXCEPT;

/* ---- Reductions -----------------------------------------------------------------------------------------------------
 * sum, mean, prod, std, var, amin, amax, max, median, all, any, logsumexp ... over batch dims, over features or
 * altogether.
 *
 *     td_reduce_options over = TD_REDUCE_OPTIONS_INIT;
 *     int64_t last = -1;
 *     over.dims = &last, over.n_dims = 1;                                       // the last batch dim
 *     td_dict_reduce(td, mean, NULL, 0, &over, &averages, 1, &err);
 */

typedef struct td_reduce_options {
  size_t struct_size;
  const int64_t *dims; /* batch dims; negative ones count from the last batch dim */
  size_t n_dims;       /* 0: every leaf becomes one number, and the batch size of every node [] */
  td_bool keepdim;     /* the dims stay, with size 1 */
  td_bool feature;     /* instead of dims: what a leaf has beyond the batch dims of its node becomes one number */
} td_reduce_options;
#define TD_REDUCE_OPTIONS_INIT \
  { sizeof(td_reduce_options), NULL, 0, 0, 0 }

/* Calls `op` for each leaf, with the dims that `options` (may be NULL) asks for; `kwargs` has what else the operator
 * takes ("dtype", "correction", "p", "q"). The batch size and the names lose the dims. Operators that keep a dim
 * (softmax, cumsum, sort) keep it here. `outs` receive a dict for each result of the operator: max, min, cummax and
 * cummin along a dim give values and indices; outs beyond the results are set to NULL. With several numbers in "q", a
 * new first batch dim counts them; without dims they are features. Results are unlocked. Nodes stay, and so do
 * non-tensor entries that have one value. Like td.sum, td.mean, td.max, td.softmax and their kin.
 * Errors: INDEX for a dim that is no batch dim; ARGUMENT for a dim named twice, keepdim without dims, `feature` with
 * either, too few outs, or several dims where the operator takes one; SHAPE if the operator does not reduce, or
 * non-tensor entries have different values; DTYPE, TORCH with the key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_reduce(const td_dict *self, const td_op *op, const td_named_value *kwargs, size_t n_kwargs,
                                TD_NULLABLE const td_reduce_options *options, TD_OUT_NULLABLE td_dict **outs,
                                size_t n_outs, td_error **err) TD_NOEXCEPT;

/* Reduces all leaves together to one tensor: flattened and joined; with dims, joined along the first of them; with
 * `feature`, flattened past the batch dims and joined there.   Like td.sum(reduce=True).
 * Errors: as td_dict_reduce; ARGUMENT if there are no tensors; SHAPE if they cannot be joined.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_reduce_all(const td_dict *self, const td_op *op, const td_named_value *kwargs, size_t n_kwargs,
                                    TD_NULLABLE const td_reduce_options *options, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;

/* Returns whether every element of every tensor is true (not 0), and whether one is: without tensors 1 and 0. Along
 * dims, use td_dict_reduce with the operators of these names.   Like td.all(), td.any().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_all(const td_dict *self, td_bool *out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_any(const td_dict *self, td_bool *out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_MATH_H */
