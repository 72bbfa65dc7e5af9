/* ==== Arithmetic and comparison =====================================================================================
 * Pointwise operators work like Python's `td + other`: operands are matched by key and by batch dims before the
 * operator runs. (td_dict_apply_op is the raw form, which passes tensors unchanged.)
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

/* How td_dict_pointwise treats leaves that some dicts lack. */
typedef int32_t td_missing;
enum {
  TD_MISSING_ERROR = 0, /* TD_ERR_KEY; in place, only if the first dict has the leaf and another lacks it */
  TD_MISSING_SKIP = 1,  /* the result lacks them too; in place, they do not change */
  TD_MISSING_FILL = 2   /* `fill` replaces them; in place, no leaves are added */
};

typedef struct td_pointwise_options {
  size_t struct_size;
  td_missing missing;
  uint8_t reserved[4];  /* 0 */
  const td_value *fill; /* a number or a tensor without dims */
} td_pointwise_options;
#define TD_POINTWISE_OPTIONS_INIT \
  { sizeof(td_pointwise_options), TD_MISSING_ERROR, TD_RESERVED, NULL }

/* Calls the pointwise operator `op` for each leaf. Operands are dicts (at least one), tensors and numbers, in the order
 * of the operator's schema; `kwargs` has the other arguments ("alpha", or operands too). `options` may be NULL. The
 * batch sizes of the dicts and the shapes of tensors with dims broadcast to the batch size of the result: a tensor has
 * one element for each batch element, whatever the feature dims of a leaf. Tensors without dims and numbers apply to
 * every leaf. Leaves of several dicts are matched by key, and their feature dims broadcast as in LibTorch. The result
 * has the nodes, also empty ones, the non-tensor entries, the names and the device of the first dict, and is locked if
 * that dict is locked. Comparisons (eq, ne, lt, le, gt, ge, their long names, isclose) return bool leaves without
 * names, unlocked. For them, two dicts must have the same non-tensor entries; eq and ne compare the values, which gives
 * a bool tensor for each entry. With TD_MISSING_FILL, data that only one dict has is not equal to the fill. An in-place
 * operator ("add_") writes the leaves of its first operand, a dict, which may be locked; a lazy stack is written member
 * by member. `*out` shares these leaves, and `out` may be NULL. Nothing is written unless every leaf can be written.
 * Like td + other, td.lerp, td == other, td.abs.
 * Errors: ARGUMENT without a dict; KEY; SHAPE if the operands do not broadcast, or would enlarge the leaves in place;
 * LOCKED for leaves in read-only memory; those of td_op_call, with the key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pointwise(const td_op *op, const td_value *operands, size_t n, const td_named_value *kwargs,
                                   size_t n_kwargs, TD_NULLABLE const td_pointwise_options *options,
                                   TD_NULLABLE td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Operators over dicts ---------------------------------------------------------------------------------------- */

/* Calls `op` once for each leaf. In each call, an argument of kind DICT is replaced by its leaf; all DICTs must have
 * the same leaf keys. Other arguments are passed to every call unchanged. `outs` receive one dict for each tensor that
 * the operator returns, with the nodes and the batch size of the first DICT; further outs receive NULL. An in-place
 * operator writes the leaves, and the results share them; nothing is written unless the operator accepts every leaf.
 * td.view(dtype) is "view" with the overload "dtype".   Like td.add(other) and its siblings.
 * Errors: ARGUMENT without a DICT, or for too few outs; KEY if the leaves differ; SHAPE if a result does not begin with
 * the batch size of the dict that holds the leaf; those of td_op_call, with the key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_apply_op(const td_op *op, const td_value *args, size_t n_args, const td_named_value *kwargs,
                                  size_t n_kwargs, TD_OUT_NULLABLE td_dict **outs, size_t n_outs,
                                  td_error **err) TD_NOEXCEPT;

/* ---- Reductions -----------------------------------------------------------------------------------------------------
 * sum, mean, prod, std, var, amin, amax, max, median, all, any, logsumexp ... over batch dims, over feature dims or
 * over everything.
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
  td_bool feature;     /* instead of dims: all feature dims of a leaf become one number */
  uint8_t reserved[6]; /* 0 */
} td_reduce_options;
#define TD_REDUCE_OPTIONS_INIT \
  { sizeof(td_reduce_options), NULL, 0, 0, 0, TD_RESERVED }

/* Calls `op` for each leaf, with the dims that `options` (may be NULL) names; `kwargs` has further arguments of the
 * operator ("dtype", "correction", "p", "q"). The batch size and the names lose the dims. Operators that keep a dim
 * (softmax, cumsum, sort) keep it here too. `outs` receive a dict for each result of the operator: max, min, cummax and
 * cummin along a dim return values and indices; outs beyond the results are set to NULL. Several numbers in "q" add a
 * first batch dim; without dims they add a feature dim. Results are unlocked. Nodes, and non-tensor entries with a
 * single value, are kept.   Like td.sum, td.mean, td.max, td.softmax and similar methods.
 * Errors: INDEX for a dim that is not a batch dim; ARGUMENT for a dim named twice, keepdim without dims, `feature` with
 * either, too few outs, or several dims where the operator takes one; SHAPE if the operator does not reduce, or
 * non-tensor entries have different values; DTYPE, TORCH with the key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_reduce(const td_dict *self, const td_op *op, const td_named_value *kwargs, size_t n_kwargs,
                                TD_NULLABLE const td_reduce_options *options, TD_OUT_NULLABLE td_dict **outs,
                                size_t n_outs, td_error **err) TD_NOEXCEPT;

/* Reduces all leaves together to one tensor. The leaves are flattened and joined; with dims, joined along the first of
 * them; with `feature`, their feature dims are flattened and joined.   Like td.sum(reduce=True).
 * Errors: as td_dict_reduce; ARGUMENT if there are no tensors; SHAPE if they cannot be joined.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_reduce_all(const td_dict *self, const td_op *op, const td_named_value *kwargs, size_t n_kwargs,
                                    TD_NULLABLE const td_reduce_options *options, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;

/* Returns whether every element of every tensor is true (not 0), or whether at least one is; without tensors 1 and 0.
 * To reduce along dims, use td_dict_reduce with the operators of these names.   Like td.all(), td.any().
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_all(const td_dict *self, td_bool *out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_any(const td_dict *self, td_bool *out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_MATH_H */
