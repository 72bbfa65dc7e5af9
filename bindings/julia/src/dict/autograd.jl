# Gradients, device, element type, state and locks of dicts.

requires_grad(td::TensorDict) = Raw.td_dict_requires_grad(td) != 0
requires_grad!(td::TensorDict, on::Bool = true) = (call(Raw.td_dict_requires_grad_, td, on); td)
Base.detach(td::TensorDict) = give(TensorDict, Raw.td_dict_detach, td)
"Removes the history of the tensors themselves."
detach!(td::TensorDict) = (call(Raw.td_dict_detach_, td); td)
grad(td::TensorDict) = give(Union{Nothing,TensorDict}, Raw.td_dict_grad, td)
"Removes the collected gradients, or writes zeros into them."
zero_grad!(td::TensorDict; set_to_none::Bool = true) = (call(Raw.td_dict_zero_grad, td, set_to_none); td)

"""
    backward(td::TensorDict, gradient = nothing; inputs = nothing, retain_graph = false, create_graph = false)

Runs backward once from all leaves that require grad; with `inputs`, gradients are added only to its tensors.
"""
backward(td::TensorDict, gradient = nothing; inputs = nothing, retain_graph = false, create_graph = false) = call(
    Raw.td_dict_backward, td, gradient, inputs,
    options(Raw.td_backward_options; retain_graph = retain_graph, create_graph = create_graph))

"Returns the gradients for the tensors of `inputs`, without adding them to any tensor."
autograd_grad(td::TensorDict, inputs::TensorDict, gradient = nothing; retain_graph = false, create_graph = false,
              allow_unused = false) = give(
    TensorDict, Raw.td_dict_autograd_grad, td, inputs, gradient,
    options(Raw.td_backward_options; retain_graph = retain_graph, create_graph = create_graph,
            allow_unused = allow_unused))

to(td::TensorDict, ::Type{T}; device = nothing) where {T} = give(TensorDict, Raw.td_dict_to, td, dtype(T), device)
to(td::TensorDict, ::Nothing = nothing; device = nothing) =
    give(TensorDict, Raw.td_dict_to, td, dtype(nothing), device)
"Copies the tensors to page-locked memory."
pin_memory(td::TensorDict) = give(TensorDict, Raw.td_dict_pin_memory, td)

"Returns new nodes with detached tensors that share the memory, for [`load_state_dict!`](@ref) or for saving."
state_dict(td::TensorDict) = give(TensorDict, Raw.td_dict_state_dict, td)
"Loads the batch sizes and the values of a [`state_dict`](@ref)."
load_state_dict!(td::TensorDict, state::TensorDict; lenient = false, assign = false) = (call(
    Raw.td_dict_load_state_dict, td, state, options(Raw.td_load_state_options; lenient = lenient, assign = assign)); td)

# ---- Locks

"Forbids structural changes here and below; values may still be written. `unlock!` allows them again."
lock!(td::TensorDict) = (call(Raw.td_dict_lock_, td); td)
unlock!(td::TensorDict) = (call(Raw.td_dict_unlock_, td); td)
"Returns whether a dict is locked."
is_locked(td::TensorDict) = Raw.td_dict_is_locked(td) != 0
"""
Moves all tensors to memory that processes forked from now on share. Arrays over their memory must not be used after
it.
"""
share_memory!(td::TensorDict) = (call(Raw.td_dict_share_memory_, td); td)
isshared(td::TensorDict) = Raw.td_dict_is_shared(td) != 0
