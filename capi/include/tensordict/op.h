/* ==== Operators =====================================================================================================
 * Calls any ATen operator by name, through LibTorch's dispatcher, so autograd and vmap work.
 *
 *     td_value args[] = {td_value_tensor(x), td_value_int(-1)}, y;
 *     td_op_run(TD_STR("softmax"), args, 2, NULL, 0, &y, 1, &err);      // y owns its tensor: td_value_clear(&y)
 *
 * Stability: stable
 */
#ifndef TENSORDICT_OP_H
#define TENSORDICT_OP_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Finds an operator: "add" means "aten::add". If `overload` has NULL data, each call uses the first overload whose
 * schema accepts the arguments; exact matches come before conversions. Empty text means the overload without a name.
 * The name may have the overload in it, as in "add.Tensor" and, without a name, "softmax.default"; `overload` then has
 * NULL data.
 * Errors: NOT_FOUND; the message lists the overloads that exist.   [any-thread]  Since 0.1 */
TD_API td_status td_op_find(td_str name, td_str overload, td_op **out, td_error **err) TD_NOEXCEPT;

/* Returns the schemas, one per line, as PyTorch prints them.   [any-thread]  Since 0.1 */
TD_API td_status td_op_schema(const td_op *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Calls the operator with the positional `args`, then `kwargs` by name, then the schema's defaults. A number is
 * accepted where the schema has a Tensor, Scalar, float or a list of one; INTS where it has SymInt[]. `outs[0..n_outs)`
 * receive the results in order. Outs beyond the results are set to NONE; too few outs are ARGUMENT.
 * Errors: ARGUMENT if the arguments fit no schema (the message shows it); LOCKED if it would write to read-only memory;
 * UNSUPPORTED for a result that no td_value can hold; SHAPE, INDEX or DTYPE if LibTorch reports one of these, else
 * TORCH.   [any-thread]  Since 0.1 */
TD_API td_status td_op_call(const td_op *self, const td_value *args, size_t n_args, const td_named_value *kwargs,
                            size_t n_kwargs, td_value *outs, size_t n_outs, td_error **err) TD_NOEXCEPT;

/* Finds an operator and calls it, as td_op_find without `overload` and td_op_call do. What was found is kept, so that
 * only the first call with a name looks it up.   Like torch.ops.aten.add, torch.ops.aten.add.Tensor.
 * Errors: as td_op_find, td_op_call.   [any-thread]  Since 0.2 */
TD_API td_status td_op_run(td_str name, const td_value *args, size_t n_args, const td_named_value *kwargs,
                           size_t n_kwargs, td_value *outs, size_t n_outs, td_error **err) TD_NOEXCEPT;

/* Releases what a result owns and sets it to NONE; NULL is allowed. Do not call it on values that only borrow.
 * [exclusive]  Since 0.1 */
TD_API void td_value_clear(td_value *self) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_op_retain(const td_op *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_op_release(const td_op *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_OP_H */
