/* ==== Autograd ======================================================================================================
 * As in PyTorch: leaves that require grad collect it in td_tensor_grad when td_tensor_backward runs.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_TENSOR_AUTOGRAD_H
#define TENSORDICT_TENSOR_AUTOGRAD_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Returns 1 if operations on the tensor are recorded.   Like Tensor.requires_grad.   [any-thread] [leaf]  Since 0.1 */
TD_API td_bool td_tensor_requires_grad(const td_tensor *self) TD_NOEXCEPT;

/* Starts or stops recording on a leaf.   Like Tensor.requires_grad_.
 * Errors: DTYPE unless it is a floating or complex tensor; ARGUMENT to stop on a non-leaf (detach it).
 * [exclusive]  Since 0.1 */
TD_API td_status td_tensor_requires_grad_(td_tensor *self, td_bool requires_grad, td_error **err) TD_NOEXCEPT;

/* Adds the gradient of `self` to the grad of every leaf that it was computed from. `gradient` may be NULL if `self` has
 * one element. `retain_graph` keeps the graph for another call.   Like Tensor.backward.
 * Errors: SHAPE if `self` has more elements and `gradient` is NULL; ARGUMENT if nothing requires grad; TORCH.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_backward(const td_tensor *self, TD_NULLABLE const td_tensor *gradient, td_bool retain_graph,
                                    td_error **err) TD_NOEXCEPT;

/* Returns a new reference to the collected gradient; `*out` is NULL if there is none yet.   Like Tensor.grad.
 * [any-thread]  Since 0.1 */
TD_API td_status td_tensor_grad(const td_tensor *self, TD_OUT_NULLABLE td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns a tensor with the same data and without its history.   Like Tensor.detach.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_detach(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns 1 if operations on the calling thread are recorded.   Like torch.is_grad_enabled.
 * [any-thread]  Since 0.2 */
TD_API td_bool td_is_grad_enabled(void) TD_NOEXCEPT;

/* Runs `fn` without recording: neither it nor what it calls on this thread records operations. Afterwards the thread is
 * as before, also if `fn` fails. Bindings should use this, or `no_grad` of td_run_options, and leave the scopes below
 * to C: then nothing is left behind on a thread.   Like torch.no_grad.
 * Errors: ARGUMENT if `fn` is NULL; CALLBACK.   [any-thread] [may-call-back]  Since 0.2 */
TD_API td_status td_no_grad_run(td_run_function fn, void *userdata, td_error **err) TD_NOEXCEPT;

/* Stops recording on the calling thread until td_no_grad_end. Scopes of one thread must end in the reverse order in
 * which they began.   Like torch.no_grad.   [any-thread]  Since 0.1 */
TD_API td_status td_no_grad_begin(td_no_grad **out, td_error **err) TD_NOEXCEPT;

/* Ends the scope: the thread records again, if it did before.
 * Errors: ARGUMENT on another thread than td_no_grad_begin, or if an inner scope is still open; the scope then stays
 * open; CLOSED if it has ended.   [exclusive]  Since 0.1 */
TD_API td_status td_no_grad_end(td_no_grad *self, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. Releasing an open scope, on any thread, changes nothing: its thread
 * still does not record until an outer scope ends, and outer scopes can end.   [any-thread]  Since 0.2 */
TD_API void td_no_grad_retain(const td_no_grad *self) TD_NOEXCEPT;
TD_API void td_no_grad_release(const td_no_grad *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_TENSOR_AUTOGRAD_H */
