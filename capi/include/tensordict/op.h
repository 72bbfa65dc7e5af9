/* ==== Operators =====================================================================================================
 * Every ATen operator by name, through LibTorch's dispatcher, so autograd and vmap see it.
 *
 *     td_op *softmax;
 *     td_value args[] = {td_value_tensor(x), td_value_int(-1)}, y;
 *     td_op_find(TD_STR("softmax"), TD_STR("int"), &softmax, &err);
 *     td_op_call(softmax, args, 2, NULL, 0, &y, 1, &err);      // y owns its tensor: td_value_clear(&y)
 *
 * Stability: stable
 */
#ifndef TENSORDICT_OP_H
#define TENSORDICT_OP_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Finds an operator: "add" is "aten::add". An overload with NULL data leaves the choice to each call: the first whose
 * schema takes the arguments, exact matches before converted ones. Empty text is the overload without a name.
 * Errors: NOT_FOUND, with the overloads that exist.   [any-thread]  Since 0.1 */
TD_API td_status td_op_find(td_str name, td_str overload, td_op **out, td_error **err) TD_NOEXCEPT;

/* Returns the schemas, one a line, as PyTorch prints them.   [any-thread]  Since 0.1 */
TD_API td_status td_op_schema(const td_op *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Calls the operator. Positional `args` first, then `kwargs` by name, then the schema's defaults. A number is taken
 * where the schema asks for a Tensor, Scalar, float or a list of one; an INTS where it asks for SymInt[].
 * `outs[0..n_outs)` receive the results in order; more outs than results are set to NONE, fewer is ARGUMENT.
 * Errors: ARGUMENT if the arguments fit no schema (the message shows it); LOCKED if it would write to read-only memory;
 * UNSUPPORTED for a result that no td_value holds; SHAPE, INDEX, DTYPE where LibTorch says so, else TORCH.
 * [any-thread]  Since 0.1 */
TD_API td_status td_op_call(const td_op *self, const td_value *args, size_t n_args, const td_named_value *kwargs,
                            size_t n_kwargs, td_value *outs, size_t n_outs, td_error **err) TD_NOEXCEPT;

/* Releases what a result owns and sets it to NONE; NULL is allowed. Not for values that only borrow.
 * [exclusive]  Since 0.1 */
TD_API void td_value_clear(td_value *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_op_retain(const td_op *self) TD_NOEXCEPT;
TD_API void td_op_release(const td_op *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_OP_H */
