# Functions around a module.

"What a forward hook sees, until it returns: `inputs`, `outputs`, `data`, `result`, and `set_...!` to replace them."
struct HookCall
    pointer::Ptr{Raw.td_hook_call}
end
seen(c::HookCall) = unsafe_load(c.pointer)
borrowed_tensors(p, n) = Union{Nothing,Tensor}[borrowed_or_nothing(unsafe_load(p, i)) for i in 1:Int(n)]
borrowed_dict(p) = p == C_NULL ? nothing : borrowed(TensorDict, p)
inputs(c::HookCall) = (x = seen(c); borrowed_tensors(x.inputs, x.n_inputs))
outputs(c::HookCall) = (x = seen(c); borrowed_tensors(x.outputs, x.n_outputs))
data(c::HookCall) = borrowed_dict(seen(c).data)
result(c::HookCall) = borrowed_dict(seen(c).result)
set_data!(c::HookCall, td::TensorDict) = call(Raw.td_hook_call_set_data, c.pointer, td)
set_result!(c::HookCall, td::TensorDict) = call(Raw.td_hook_call_set_result, c.pointer, td)
set_input!(c::HookCall, i::Integer, x) = call(Raw.td_hook_call_set_input, c.pointer, Int64(i - 1), Tensor(x))
set_output!(c::HookCall, i::Integer, x) = call(Raw.td_hook_call_set_output, c.pointer, Int64(i - 1), Tensor(x))

"What a backward hook sees, until it returns: `grad_inputs`, `grad_outputs`, and `set_...!` to replace them."
struct BackwardCall
    pointer::Ptr{Raw.td_backward_call}
end
grad_inputs(c::BackwardCall) = (x = unsafe_load(c.pointer); borrowed_tensors(x.grad_inputs, x.n_inputs))
grad_outputs(c::BackwardCall) = (x = unsafe_load(c.pointer); borrowed_tensors(x.grad_outputs, x.n_outputs))
set_grad_input!(c::BackwardCall, i::Integer, x) =
    call(Raw.td_backward_call_set_grad_input, c.pointer, Int64(i - 1), maybe_tensor(x))
set_grad_output!(c::BackwardCall, i::Integer, x) =
    call(Raw.td_backward_call_set_grad_output, c.pointer, Int64(i - 1), maybe_tensor(x))

hooked(id::Ptr{Cvoid}, m::Ptr{Raw.td_module}, c::Ptr{Raw.td_hook_call}, err::Ptr{Ptr{Raw.td_error}})::Int32 =
    guarded(() -> (kept(id)(borrowed(TensorDictModule, m), HookCall(c)); nothing), err)
hooked_backward(id::Ptr{Cvoid}, m::Ptr{Raw.td_module}, c::Ptr{Raw.td_backward_call},
                err::Ptr{Ptr{Raw.td_error}})::Int32 =
    guarded(() -> (kept(id)(borrowed(TensorDictModule, m), BackwardCall(c)); nothing), err)
hooked_state(id::Ptr{Cvoid}, m::Ptr{Raw.td_module}, state::Ptr{Raw.td_dict}, prefix::Raw.td_str,
             err::Ptr{Ptr{Raw.td_error}})::Int32 =
    guarded(() -> (kept(id)(borrowed(TensorDictModule, m), borrowed(TensorDict, state), text(prefix)); nothing), err)

forward_hook(f) = callback(Raw.td_forward_hook, @cfunction(
    hooked, Int32, (Ptr{Cvoid}, Ptr{Raw.td_module}, Ptr{Raw.td_hook_call}, Ptr{Ptr{Raw.td_error}})), f)
backward_hook(f) = callback(Raw.td_backward_hook, @cfunction(
    hooked_backward, Int32, (Ptr{Cvoid}, Ptr{Raw.td_module}, Ptr{Raw.td_backward_call}, Ptr{Ptr{Raw.td_error}})), f)
hook_flags(prepend, always) =
    UInt64((prepend ? Raw.TD_HOOK_PREPEND : 0) | (always ? Raw.TD_HOOK_ALWAYS_CALL : 0))

"""
    add_forward_pre_hook!(f, module; prepend = false) -> id
    add_forward_hook!(f, module; prepend = false, always = false) -> id
    add_backward_pre_hook!(f, module; prepend = false) -> id
    add_backward_hook!(f, module; prepend = false) -> id

Adds a function that runs before or after the module, or when gradients go through it: `f(module, call)`.
[`remove_hook!`](@ref) removes it.
"""
add_forward_pre_hook!(f, m::TensorDictModule; prepend = false) =
    give(UInt64, Raw.td_module_add_forward_pre_hook, m, forward_hook(f), hook_flags(prepend, false))
add_forward_hook!(f, m::TensorDictModule; prepend = false, always = false) =
    give(UInt64, Raw.td_module_add_forward_hook, m, forward_hook(f), hook_flags(prepend, always))
add_backward_pre_hook!(f, m::TensorDictModule; prepend = false) =
    give(UInt64, Raw.td_module_add_backward_pre_hook, m, backward_hook(f), hook_flags(prepend, false))
add_backward_hook!(f, m::TensorDictModule; prepend = false) =
    give(UInt64, Raw.td_module_add_backward_hook, m, backward_hook(f), hook_flags(prepend, false))

const STATE_HOOKS = (
    state_dict_pre = Raw.TD_STATE_HOOK_STATE_DICT_PRE, state_dict = Raw.TD_STATE_HOOK_STATE_DICT,
    load_state_dict_pre = Raw.TD_STATE_HOOK_LOAD_STATE_DICT_PRE, load_state_dict = Raw.TD_STATE_HOOK_LOAD_STATE_DICT,
)

"""
Adds `f(module, state, prefix)` to the saving (`:state_dict_pre`, `:state_dict`) or loading of state dicts; returns an
id.
"""
function add_state_hook!(f, m::TensorDictModule, kind::Symbol; prepend = false)
    native = callback(Raw.td_state_hook, @cfunction(
        hooked_state, Int32, (Ptr{Cvoid}, Ptr{Raw.td_module}, Ptr{Raw.td_dict}, Raw.td_str, Ptr{Ptr{Raw.td_error}})), f)
    return give(UInt64, Raw.td_module_add_state_hook, m, STATE_HOOKS[kind], native, hook_flags(prepend, false))
end
"Removes a hook."
remove_hook!(m::TensorDictModule, id::Integer) = (call(Raw.td_module_remove_hook, m, UInt64(id)); m)
