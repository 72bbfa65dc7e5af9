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

/* Starts or stops recording on every tensor, or on none if one refuses.   Like td.requires_grad_.
 * Errors: as td_tensor_set_requires_grad, with the key; UNSUPPORTED for tensors in a file.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_requires_grad(td_dict *self, td_bool requires_grad, td_error **err) TD_NOEXCEPT;

/* New nodes around the same data without its history, locked if `self` is. The operator "data" of td_dict_pointwise
 * gives the same, unnoticed by autograd when it is written to: td.data.   Like td.detach().
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_detach(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Forgets the history of the tensors themselves; allowed on a locked dict.   Like td.detach_().
 * Errors: TORCH naming a view that requires grad; nothing has changed then.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_detach_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns the collected gradients of the leaves that have one, locked if `self` is; nodes without any are left out.
 * `*out` is NULL if no leaf has one.   Like td.grad.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_grad(const td_dict *self, TD_OUT_NULLABLE td_dict **out, td_error **err) TD_NOEXCEPT;

/* Forgets the collected gradients, or writes zeros into them.   Like td.zero_grad(set_to_none).
 * Errors: LOCKED for a gradient in read-only memory.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_zero_grad(td_dict *self, td_bool set_to_none, td_error **err) TD_NOEXCEPT;

/* Runs backward once from all leaves that require grad. `gradient` has a tensor of the same shape for each of them, and
 * may be NULL if they have one element each.   Like td.backward.
 * Errors: ARGUMENT if no leaf requires grad; KEY and SHAPE naming the leaf whose gradient is missing or does not fit;
 * TORCH.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_backward(const td_dict *self, TD_NULLABLE const td_dict *gradient, td_bool retain_graph,
                                  td_error **err) TD_NOEXCEPT;

typedef struct td_backward_options {
  size_t struct_size;
  td_bool retain_graph; /* keeps the graph for another call */
  td_bool create_graph; /* records the gradients too, for those of higher order; keeps the graph */
  td_bool allow_unused; /* td_dict_autograd_grad leaves out what was not used, instead of an error */
} td_backward_options;
#define TD_BACKWARD_OPTIONS_INIT \
  { sizeof(td_backward_options), 0, 0, 0 }

/* The same with options, which may be NULL; with `inputs`, gradients are added to its tensors only.   Like
 * td.backward(gradient, retain_graph, create_graph, inputs).
 * Errors: as td_dict_backward; ARGUMENT naming an input that does not require grad.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_backward_with(const td_dict *self, TD_NULLABLE const td_dict *gradient,
                                       TD_NULLABLE const td_dict *inputs,
                                       TD_NULLABLE const td_backward_options *options, td_error **err) TD_NOEXCEPT;

/* Returns the gradients for the tensors of `inputs`, in its structure, and added to none; locked if `inputs` is. Nodes
 * that nothing is left in are dropped. `gradient` and `options` may be NULL.   Like torch.autograd.grad over
 * TensorDicts.
 * Errors: as td_dict_backward_with; ARGUMENT naming an input that was not used.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_autograd_grad(const td_dict *self, const td_dict *inputs, TD_NULLABLE const td_dict *gradient,
                                       TD_NULLABLE const td_backward_options *options, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* Another dtype for every tensor (TD_DTYPE_NONE: keep) and another device for every node and tensor (NULL data: keep).
 * `*out` is `self` if it has that device already and no dtype is given; else a new dict, whose tensors are the same
 * where nothing changes, locked if `self` is. td.to(other) is this with the device of `other`.   Like td.to,
 * td.float(), td.cpu().
 * Errors: DTYPE; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_to(const td_dict *self, td_dtype dtype, td_str device, td_dict **out,
                            td_error **err) TD_NOEXCEPT;

/* Tensors in page-locked memory, from where copies to a GPU need not block; locked if `self` is.   Like
 * td.pin_memory().
 * Errors: UNSUPPORTED without CUDA; DEVICE naming a tensor that is not on the CPU.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pin_memory(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* New nodes, unlocked, around detached tensors on the same memory, for td_dict_load_state_dict or to save. Nested
 * entries stay nested, where Python joins their keys with dots.   Like td.state_dict(flatten=False).
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_state_dict(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef struct td_load_state_options {
  size_t struct_size;
  td_bool strict; /* both must have the same entries; else entries of the state are added and others stay */
  td_bool assign; /* the tensors of the state replace those there are, instead of being copied into them */
} td_load_state_options;
#define TD_LOAD_STATE_OPTIONS_INIT \
  { sizeof(td_load_state_options), 1, 0 }

/* Takes over the batch sizes and the values of `state`; without `assign`, gradients are not recorded and a locked dict
 * may be loaded. `options` may be NULL; nodes that hold nothing do not count as entries.   Like td.load_state_dict.
 * Errors: KEY naming an entry that only one of the two has, or that is of another kind; SHAPE; LOCKED. Nothing has
 * changed then.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_load_state_dict(td_dict *self, const td_dict *state,
                                         TD_NULLABLE const td_load_state_options *options, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_AUTOGRAD_H */
