# Every operator of ATen, by name.

"""
    Operator(name)

An operator of ATen: `Operator("add")` takes the first overload that accepts its arguments, `Operator("add.Tensor")`
that
one. It can be called, as [`op`](@ref).
"""
@handle Operator td_op TD_OBJECT_OP
Operator(name::AbstractString, overload = nothing) = give(Operator, Raw.td_op_find, name, overload)

"Returns the schemas of an operator, one a line, as PyTorch prints them."
schema(o::Operator) = give(String, Raw.td_op_schema, o)
Base.show(io::IO, o::Operator) = print(io, "Operator(", repr(o.handle == C_NULL ? "closed" : schema(o)), ")")

const MAX_RESULTS = 8

function results(outs)
    n = findlast(v -> v.kind != Raw.TD_VALUE_NONE && v.kind != Raw.TD_VALUE_DEFAULT, outs)
    n === nothing && return nothing
    n == 1 && return take_value(outs[1])
    return Tuple(take_value(outs[i]) for i in 1:n)
end

function run_operator(f::F, what, args, kwargs) where {F}
    positional, named = values_of(args), named_values(kwargs)
    outs = fill(Raw.td_value(), MAX_RESULTS)
    call(f, what, positional, length(args), named, length(kwargs), outs, MAX_RESULTS)
    return results(outs)
end

"""
    op(name, args...; kwargs...)

Calls an operator of ATen by its name and returns its result, or a tuple of them. Arguments are tensors, arrays,
numbers, bools, strings, types of elements, `nothing`, [`default`](@ref), and vectors of these. Dims are counted as
LibTorch
does: from 0.

    op("softmax", x, -1)
    op("add.Tensor", x, y; alpha = 2)
"""
op(name::AbstractString, args...; kwargs...) = run_operator(Raw.td_op_run, name, args, kwargs)
(o::Operator)(args...; kwargs...) = run_operator(Raw.td_op_call, o, args, kwargs)

# Operators that were asked for by name live as long as the process.
const OPERATORS = Dict{String,Operator}()
const OPERATORS_LOCK = ReentrantLock()
operator(o::Operator) = o
operator(name::AbstractString) = lock(OPERATORS_LOCK) do
    get!(() -> Operator(name), OPERATORS, name)
end

# ---- Random numbers

"""
    Generator(seed = 0)

Draws random numbers; the same seed gives the numbers of `torch.Generator().manual_seed(seed)`.
"""
@handle Generator td_generator TD_OBJECT_GENERATOR
Generator(seed::Integer = 0) = give(Generator, Raw.td_generator_new, UInt64(seed))
native(x::Generator, roots) = reference(Raw.TD_VALUE_GENERATOR, x, roots)

"Restarts a generator."
seed!(g::Generator, seed::Integer) = (call(Raw.td_generator_seed, g, UInt64(seed)); g)
"Returns the seed that a generator began with."
initial_seed(g::Generator) = Raw.td_generator_initial_seed(g)
"Seeds LibTorch's default generators, for the whole process."
manual_seed(seed::Integer) = call(Raw.td_manual_seed, UInt64(seed))

"""
    state(x)

Returns the state of a generator (a tensor), an optimizer, a schedule or a query (a dict), for [`load_state!`](@ref).
"""
state(g::Generator) = give(Tensor, Raw.td_generator_state, g)
"Continues from a [`state`](@ref)."
load_state!(g::Generator, state::Tensor) = (call(Raw.td_generator_load_state, g, state); g)
Base.deepcopy_internal(g::Generator, seen::IdDict) = get!(() -> load_state!(Generator(), state(g)), seen, g)
