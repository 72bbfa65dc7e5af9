# Modules: make, run, functions of Julia as modules.

"""
    TensorDictModule

A module: parameters and buffers, which the library owns, and what they compute.

    net = TensorDictModule("td.mlp"; in_features = 64, hidden = [32], out_features = 10, generator = Generator(0))
    policy = TensorDictModule(net, ["obs"] => ["action"])    # reads and writes keys
    double = TensorDictModule(x -> 2 .* x, ["action"] => ["twice"])
    Sequential(policy, double)(td)                           # returns the dict with the outputs
    net(x)                                                   # on tensors

`td.torchscript` runs a file that torch.jit.save wrote, with all rights of this process.
"""
@handle TensorDictModule td_module TD_OBJECT_MODULE

"""
    TensorDictModule(type; config = nothing, generator = nothing, members...)

Makes a module of a plugin type; the config is JSON, a dict, or the keyword arguments.
"""
TensorDictModule(type::AbstractString; config = nothing, generator = nothing, members...) =
    give(TensorDictModule, Raw.td_module_new, type, config_text(config, members), generator)

const INPLACE = (default = Raw.TD_INPLACE_DEFAULT, into = Raw.TD_INPLACE_TRUE, fresh = Raw.TD_INPLACE_FALSE,
                 empty = Raw.TD_INPLACE_EMPTY, none = Raw.TD_INPLACE_NONE)

"""
    TensorDictModule(inner, in_keys => out_keys; inplace = :default, strict = false, argument_names = nothing)

Makes a module that runs `inner`, a module or a function, on keys. A function gets the values of the in-keys (tensors,
dicts, data, or `nothing`) and returns one for each out-key: one value, or a tuple. `"_"` drops a result. With
`argument_names`, it gets keyword arguments. `inplace` is `:into` the data, `:fresh` or `:empty` for a new dict.
"""
function TensorDictModule(inner::TensorDictModule, keys::Pair; inplace = :default, strict = false,
    argument_names = nothing)
    in_keys, out_keys = key_vector(first(keys)), key_vector(last(keys))
    o = options(Raw.td_tensordict_options; inplace = INPLACE[inplace], strict = strict, argument_names = argument_names)
    return give(TensorDictModule, Raw.td_module_tensordict, inner, in_keys, length(in_keys), out_keys,
        length(out_keys), o)
end
TensorDictModule(f, keys::Pair; kwargs...) = closing(inner -> TensorDictModule(inner, keys; kwargs...), from_values(f))
Base.unsafe_convert(::Type{Ptr{Raw.td_str}}, ::Nothing) = Ptr{Raw.td_str}(C_NULL)
key_vector(key::Union{AbstractString,Tuple}) = [key]
key_vector(keys::AbstractVector) = keys

# ---- Functions of Julia

as_tuple(x::Tuple) = x
as_tuple(::Nothing) = ()
as_tuple(x) = (x,)

function ran_tensors(id::Ptr{Cvoid}, inputs::TensorOut, n_in::Csize_t, outputs::TensorOut, n_out::Csize_t,
                     err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        given = [borrowed_or_nothing(unsafe_load(inputs, i)) for i in 1:Int(n_in)]
        results = as_tuple(kept(id)(given...))
        length(results) == n_out || throw(TensorDictArgumentError(
            "the function returned $(length(results)) tensors where $(Int(n_out)) are wanted"))
        for (i, x) in enumerate(results)
            store_tensor(outputs + (i - 1) * sizeof(Ptr{Cvoid}), x)
        end
    end
end

"""
    from_function(f) -> TensorDictModule

Makes a module of tensors without state; `f` gets tensors and returns one, or a tuple.
"""
from_function(f) = give(TensorDictModule, Raw.td_module_from_function, callback(Raw.td_module_function, @cfunction(
    ran_tensors, Int32, (Ptr{Cvoid}, TensorOut, Csize_t, TensorOut, Csize_t, Ptr{Ptr{Raw.td_error}})), f))

# A borrowed value as an argument of a function.
function borrowed_value(v::Raw.td_value)
    p = UInt(first(v.as))
    v.kind == Raw.TD_VALUE_TENSOR && return borrowed_or_nothing(Ptr{Raw.td_tensor}(p))
    v.kind == Raw.TD_VALUE_DICT && return borrowed(TensorDict, Ptr{Raw.td_dict}(p))
    v.kind == Raw.TD_VALUE_DATA && return read_data(Ptr{Raw.td_data_list}(p))
    return take_value(v)
end

# A result as a value that the library takes over.
given_value(t::Tensor) = (Raw.td_tensor_retain(t); made(Raw.TD_VALUE_TENSOR, bits(live_pointer(t))))
given_value(td::TensorDict) = (Raw.td_dict_retain(td); made(Raw.TD_VALUE_DICT, bits(live_pointer(td))))
given_value(x::Union{AbstractArray,Number}) = given_value(Tensor(x))
given_value(x::NonTensorStack) = made(Raw.TD_VALUE_DATA, bits(new_data_list(x)))
given_value(x::Datum) = made(Raw.TD_VALUE_DATA, bits(new_data_list(x)))

const ValueIn = Ptr{Raw.td_value}
function ran_values(id::Ptr{Cvoid}, args::ValueIn, n::Csize_t, kwargs::Ptr{Raw.td_named_value}, n_kwargs::Csize_t,
                    outs::ValueIn, capacity::Csize_t, n_outs::Ptr{Csize_t}, err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        positional = Any[borrowed_value(unsafe_load(args, i)) for i in 1:Int(n)]
        named = [unsafe_load(kwargs, i) for i in 1:Int(n_kwargs)]
        keywords = Pair{Symbol,Any}[Symbol(text(x.name)) => borrowed_value(x.value) for x in named]
        results = as_tuple(kept(id)(positional...; keywords...))
        length(results) <= capacity || throw(TensorDictArgumentError(
            "the function returned $(length(results)) values where at most $(Int(capacity)) are wanted"))
        made_values = map(given_value, results)
        foreach(i -> unsafe_store!(outs, made_values[i], i), 1:length(results))
        unsafe_store!(n_outs, length(results))
    end
end

"Makes a module of a function of anything that a dict can hold, to be given keys by [`TensorDictModule`](@ref)."
from_values(f) = give(TensorDictModule, Raw.td_module_from_values, callback(Raw.td_values_function, @cfunction(
    ran_values, Int32, (Ptr{Cvoid}, ValueIn, Csize_t, Ptr{Raw.td_named_value}, Csize_t, ValueIn, Csize_t, Ptr{Csize_t},
                        Ptr{Ptr{Raw.td_error}})), f))

const DictOut = Ptr{Ptr{Raw.td_dict}}
function ran_dict(id::Ptr{Cvoid}, data::Ptr{Raw.td_dict}, out::DictOut, err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        given = borrowed(TensorDict, data)
        result = kept(id)(given)
        store_dict(out, result === nothing ? given : result)
    end
end
store_dict(out, td::TensorDict) =
    (Raw.td_dict_retain(td); GC.@preserve td unsafe_store!(out, live_pointer(td)); nothing)

"""
    wrap_module(f, in_keys => out_keys; inplace = false)

Makes a module of a function from dict to dict, which may change its argument and return it, or another one.
"""
function wrap_module(f, keys::Pair; inplace::Bool = false)
    in_keys, out_keys = key_vector(first(keys)), key_vector(last(keys))
    native = callback(Raw.td_dict_function,
                      @cfunction(ran_dict, Int32, (Ptr{Cvoid}, Ptr{Raw.td_dict}, DictOut, Ptr{Ptr{Raw.td_error}})), f)
    return give(TensorDictModule, Raw.td_module_wrap, native, inplace, in_keys, length(in_keys), out_keys,
        length(out_keys))
end

"Makes a module whose members are the tensors of a dict, for ensembles and optimizers; it cannot be called."
module_of_params(params::TensorDict) = give(TensorDictModule, Raw.td_module_from_params, params)

# ---- Running

const INTERACTIONS = (default = Raw.TD_INTERACTION_DEFAULT, mode = Raw.TD_INTERACTION_MODE,
                      median = Raw.TD_INTERACTION_MEDIAN, mean = Raw.TD_INTERACTION_MEAN,
                      random = Raw.TD_INTERACTION_RANDOM, deterministic = Raw.TD_INTERACTION_DETERMINISTIC)
interaction_name(number) = keys(INTERACTIONS)[number+1]

"""
    net(td; out = nothing, interaction = :default, skip_existing = false, no_grad = false)
    net(tensors...; outputs = 1)

Runs a module that has keys and returns the dict with its outputs, or runs a module on tensors and returns one tensor or
a tuple of them.
"""
function (m::TensorDictModule)(td::TensorDict; out = nothing, interaction = :default, skip_existing = false,
    no_grad = false)
    o = options(Raw.td_run_options; tensordict_out = out, interaction = INTERACTIONS[interaction],
                skip_existing = skip_existing, no_grad = no_grad)
    return give(TensorDict, Raw.td_module_run, m, td, o)
end
function (m::TensorDictModule)(first::AbstractArray, more::AbstractArray...; outputs::Integer = 1)
    inputs = Tensor[Tensor(x) for x in (first, more...)]
    outs = fill(Ptr{Raw.td_tensor}(C_NULL), outputs)
    call(Raw.td_module_call, m, inputs, length(inputs), outs, outputs)
    return tensors_of(outs)
end
tensors_of(outs) = length(outs) == 1 ? own_tensor(outs[1]) : Tuple(own_tensor(p) for p in outs)

"Runs a module on a dict, in place."
forward!(m::TensorDictModule, td::TensorDict) = (call(Raw.td_module_forward, m, td); td)
"Runs a module on a dict, in place, with the parameters and buffers of `state` instead of its own."
forward_with_state!(m::TensorDictModule, state::TensorDict, td::TensorDict) =
    (call(Raw.td_module_forward_with_state, m, state, td); td)

"""
    dispatch(m, args...; separator = "_", kwargs...)

Calls a module that has keys with values instead of a dict, by position or by the names of its in-keys; returns the
values of the out-keys.
"""
function dispatch(m::TensorDictModule, args...; separator = "_", capacity = 32, kwargs...)
    outs, n = fill(Raw.td_value(), capacity), Ref{Csize_t}(0)
    call(Raw.td_module_dispatch, m, values_of(args), length(args), named_values(kwargs), length(kwargs), separator,
         outs, capacity, n)
    found = Tuple(take_value(outs[i]) for i in 1:Int(n[]))
    return length(found) == 1 ? found[1] : found
end

"Runs `f` with this interaction type (`:mode`, `:mean`, `:random` ...) of the thread: see [`no_grad`](@ref)."
with_interaction(f, type::Symbol) = run_inside(Raw.td_interaction_run, f, INTERACTIONS[type])
"Returns the interaction type of the thread."
interaction() = interaction_name(Raw.td_interaction_get())
"Returns the interaction type with this name, ignoring case."
interaction_from_name(name::AbstractString) = interaction_name(give(Int32, Raw.td_interaction_from_name, name))

# ---- Facts

"Returns the type of a module (`\"td.mlp\"`), of an optimizer or of a hash."
type_name(m::TensorDictModule) = give(String, Raw.td_module_type_name, m)
"Returns the config that a module was made with."
config(m::TensorDictModule) = JSON(give(String, Raw.td_module_config, m))
"Sets the training mode of a module and all its children."
train!(m::TensorDictModule, training::Bool = true) = (call(Raw.td_module_train, m, training); m)
is_training(m::TensorDictModule) = Raw.td_module_is_training(m) != 0
has_keys(m::TensorDictModule) = Raw.td_module_has_keys(m) != 0
Base.show(io::IO, m::TensorDictModule) =
    m.handle == C_NULL ? print(io, "TensorDictModule(closed)") : print(io, give(String, Raw.td_module_repr, m))

"Returns the keys that a module or a query reads; `out_keys` returns those that it writes."
in_keys(m::TensorDictModule) = give(KeyList, Raw.td_module_in_keys, m)
out_keys(m::TensorDictModule) = give(KeyList, Raw.td_module_out_keys, m)
"Returns the keys that a module would write without [`select_out_keys!`](@ref)."
out_keys_source(m::TensorDictModule) = give(KeyList, Raw.td_module_out_keys_source, m)
"Selects out-keys; other outputs are removed from the result. `reset_out_keys!` selects all again."
select_out_keys!(m::TensorDictModule, keys::AbstractVector) =
    (call(Raw.td_module_select_out_keys, m, keys, length(keys)); m)
reset_out_keys!(m::TensorDictModule) = (call(Raw.td_module_reset_out_keys, m); m)
