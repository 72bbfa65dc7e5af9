# Copies, state dicts, and scopes with other parameters.

"""
    TensorDict(module)

Returns the state of a module as a dict that mirrors its tree. The tensors are the module's own.
"""
TensorDict(m::TensorDictModule) = give(TensorDict, Raw.td_dict_from_module, m)

"""
    stack_modules(modules; as_module = false, lock = true, use_state_dict = false, lazy_stack = false,
        expand_identical = false)

Returns a dict with the states of modules stacked along a new first dim.
"""
function stack_modules(modules::AbstractVector{TensorDictModule}; as_module = false, lock = true,
                       use_state_dict = false, lazy_stack = false, expand_identical = false)
    o = options(Raw.td_from_modules_options; as_module = as_module, no_lock = !lock, use_state_dict = use_state_dict,
                lazy_stack = lazy_stack, expand_identical = expand_identical)
    return give(TensorDict, Raw.td_dict_from_modules, modules, length(modules), o)
end

"Returns the stacked parameters and buffers of modules, as two flat dicts with dotted names."
stack_module_state(modules::AbstractVector{TensorDictModule}) =
    two(TensorDict, TensorDict, Raw.td_module_stack_state, modules, length(modules))

"Runs a module on tensors with the tensors of `states` (nested, or with dotted names) instead of its own."
function functional_call(m::TensorDictModule, states::AbstractVector{TensorDict}, inputs...; outputs::Integer = 1,
                         untie_weights = false, strict = false)
    o = options(Raw.td_functional_options; untie_weights = untie_weights, strict = strict)
    outs = fill(Ptr{Raw.td_tensor}(C_NULL), outputs)
    given = Tensor[Tensor(x) for x in inputs]
    call(Raw.td_module_functional_call, m, states, length(states), o, given, length(given), outs, outputs)
    return tensors_of(outs)
end

"""
    state_dict(module; prefix = nothing, keep_vars = false)
    load_state_dict!(module, state; lenient = false, assign = false) -> (missing, unexpected)

A flat dict with dotted names, as in PyTorch. Loading finds all problems first, and loads nothing if there is one.
"""
state_dict(m::TensorDictModule; prefix = nothing, keep_vars::Bool = false) =
    give(TensorDict, Raw.td_module_state_dict, m, prefix, keep_vars)
function load_state_dict!(m::TensorDictModule, state::TensorDict; lenient = false, assign = false)
    o = options(Raw.td_load_options; lenient = lenient, assign = assign)
    absent, unexpected = two(KeyList, KeyList, Raw.td_module_load_state_dict, m, state, o)
    return (missing = absent, unexpected = unexpected)
end

"""
    with_params(f, module, params; preserve_module_state = false)

Runs `f()` with the tensors of `params` in place of the module's; then its own are restored, and what it had is written
into `params`.
"""
with_params(f, m::TensorDictModule, params::TensorDict; preserve_module_state::Bool = false) =
    scoped(_ -> f(), nothing, give(Scope, Raw.td_module_swap, m, params, preserve_module_state))

function got_extra(id::Ptr{Cvoid}, m::Ptr{Raw.td_module}, state::Ptr{Raw.td_dict}, err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        value = first(kept(id))(borrowed(TensorDictModule, m))
        set!(borrowed(TensorDict, state), "_extra_state", value)
        nothing
    end
end
function set_extra(id::Ptr{Cvoid}, m::Ptr{Raw.td_module}, state::Ptr{Raw.td_dict}, err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        last(kept(id))(borrowed(TensorDictModule, m), borrowed(TensorDict, state)["_extra_state"])
        nothing
    end
end

"""
    extra_state!(module, get, set)

Sets the extra state of a module beside its tensors: `get(module)` returns a tensor or data for its state dict, and
`set(module, value)` takes it back.
"""
function extra_state!(m::TensorDictModule, get, set)
    native = Native{Raw.td_extra_state}(Ref(Raw.td_extra_state(
        get = @cfunction(got_extra, Int32, (Ptr{Cvoid}, Ptr{Raw.td_module}, Ptr{Raw.td_dict}, Ptr{Ptr{Raw.td_error}})),
        set = @cfunction(set_extra, Int32, (Ptr{Cvoid}, Ptr{Raw.td_module}, Ptr{Raw.td_dict}, Ptr{Ptr{Raw.td_error}})),
        userdata = keep((get, set)), destroy = FORGET[])), Any[])
    call(Raw.td_module_set_extra_state, m, native)
    return m
end
