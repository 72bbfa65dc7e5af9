/* ==== Autograd, device and dtype ====================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_AUTOGRAD_H
#define TENSORDICT_DICT_AUTOGRAD_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Returns 1 if operations on some tensor are recorded.   Like td.requires_grad.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_requires_grad(const td_dict *self) TD_NOEXCEPT;

/* Starts or stops recording on every tensor; if one tensor refuses, nothing changes.   Like td.requires_grad_.
 * Errors: as td_tensor_requires_grad_, with the key; UNSUPPORTED for tensors in a file.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_requires_grad_(td_dict *self, td_bool requires_grad, td_error **err) TD_NOEXCEPT;

/* Returns new nodes with the same data without its history, locked if `self` is locked. For td.data, call
 * td_dict_pointwise with the operator "data": autograd does not notice writes to its result.   Like td.detach().
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_detach(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Removes the history of the tensors themselves; allowed on a locked dict.   Like td.detach_().
 * Errors: TORCH naming a view that requires grad; nothing changes then.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_detach_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns a dict with the collected gradients of the leaves that have one, locked if `self` is locked. Nodes without
 * gradients are left out. `*out` is NULL if no leaf has a gradient.   Like td.grad.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_grad(const td_dict *self, TD_OUT_NULLABLE td_dict **out, td_error **err) TD_NOEXCEPT;

/* Removes the collected gradients, or writes zeros into them.   Like td.zero_grad(set_to_none).
 * Errors: LOCKED for a gradient in read-only memory.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_zero_grad(td_dict *self, td_bool set_to_none, td_error **err) TD_NOEXCEPT;

typedef struct td_backward_options {
  size_t struct_size;
  td_bool retain_graph; /* keeps the graph for another call */
  td_bool create_graph; /* records the gradients too, for gradients of higher order; keeps the graph */
  td_bool allow_unused; /* td_dict_autograd_grad leaves out unused inputs instead of failing */
  uint8_t reserved[5];  /* 0 */
} td_backward_options;
#define TD_BACKWARD_OPTIONS_INIT \
  { sizeof(td_backward_options), 0, 0, 0, TD_RESERVED }

/* Runs backward once from all leaves that require grad. `gradient` has a tensor of the same shape for each of them; it
 * may be NULL if they have one element each. With `inputs`, gradients are added only to its tensors. `options` may be
 * NULL.   Like td.backward(gradient, retain_graph, create_graph, inputs).
 * Errors: ARGUMENT if no leaf requires grad, or naming an input that does not; KEY and SHAPE naming the leaf whose
 * gradient is missing or does not fit; TORCH.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_backward(const td_dict *self, TD_NULLABLE const td_dict *gradient,
                                  TD_NULLABLE const td_dict *inputs, TD_NULLABLE const td_backward_options *options,
                                  td_error **err) TD_NOEXCEPT;

/* Returns the gradients for the tensors of `inputs`, in its structure, without adding them to any tensor; locked if
 * `inputs` is locked. Nodes that become empty are left out. `gradient` and `options` may be NULL.   Like
 * torch.autograd.grad over TensorDicts.
 * Errors: as td_dict_backward; ARGUMENT naming an input that was not used.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_autograd_grad(const td_dict *self, const td_dict *inputs, TD_NULLABLE const td_dict *gradient,
                                       TD_NULLABLE const td_backward_options *options, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* Converts every tensor to `dtype` (TD_DTYPE_NONE: keep) and moves every node and tensor to `device` (NULL data: keep).
 * `*out` is `self` if it already has that device and no dtype is given. Otherwise it is a new dict, locked if `self` is
 * locked, that shares the tensors that do not change. td.to(other) is this with the device of `other`.   Like td.to,
 * td.float(), td.cpu().
 * Errors: DTYPE; DEVICE.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_to(const td_dict *self, td_dtype dtype, td_str device, td_dict **out,
                            td_error **err) TD_NOEXCEPT;

/* Copies the tensors to page-locked memory, from which copies to a GPU need not block; the result is locked if `self`
 * is locked.   Like td.pin_memory().
 * Errors: UNSUPPORTED without CUDA; DEVICE naming a tensor that is not on the CPU.
 * [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_dict_pin_memory(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns new, unlocked nodes with detached tensors that share the memory, for td_dict_load_state_dict or for saving.
 * Nested entries stay nested; Python joins their keys with dots.   Like td.state_dict(flatten=False).
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_state_dict(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef struct td_load_state_options {
  size_t struct_size;
  td_bool lenient;     /* 1: entries of the state are added, others stay; 0: both must have the same entries */
  td_bool assign;      /* 1: the tensors of the state replace the existing ones instead of being copied into them */
  uint8_t reserved[6]; /* 0 */
} td_load_state_options;
#define TD_LOAD_STATE_OPTIONS_INIT \
  { sizeof(td_load_state_options), 0, 0, TD_RESERVED }

/* Loads the batch sizes and the values of `state`. Without `assign`, autograd does not record the copies, and the dict
 * may be locked. `options` may be NULL. Empty nodes do not count as entries.   Like td.load_state_dict.
 * Errors: KEY naming an entry that only one of the two has, or that has another kind; SHAPE; LOCKED. Nothing changes
 * then.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_load_state_dict(td_dict *self, const td_dict *state,
                                         TD_NULLABLE const td_load_state_options *options, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_AUTOGRAD_H */
