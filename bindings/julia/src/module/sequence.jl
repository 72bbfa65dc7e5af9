# Sequences, chains and lists of modules, ensembles and vmap.

"""
    Sequential(modules...; inplace = :default, partial_tolerant = false, selected_out_keys = nothing, names = nothing)

Chains modules that have keys. `seq[i]`, `seq[i] = m`, `deleteat!(seq, i)`, `length(seq)` and iteration work on members.
"""
Sequential(modules::TensorDictModule...; kwargs...) = sequence(Raw.td_module_sequential, modules; kwargs...)

function sequence(f, modules, before...; inplace = :default, partial_tolerant = false, selected_out_keys = nothing,
                  names = nothing)
    o = options(Raw.td_sequential_options; inplace = INPLACE[inplace], partial_tolerant = partial_tolerant,
                selected_out_keys = selected_out_keys, n_selected = counted(selected_out_keys), names = names)
    return give(TensorDictModule, f, collect(TensorDictModule, modules), length(modules), before..., o)
end

"Chains modules of tensors: each gets the results of the one before it."
Chain(modules::TensorDictModule...; names = nothing) =
    give(TensorDictModule, Raw.td_module_chain, collect(TensorDictModule, modules), length(modules), names)
"Holds modules for other code to call."
ModuleList(modules::TensorDictModule...; names = nothing) =
    give(TensorDictModule, Raw.td_module_list, collect(TensorDictModule, modules), length(modules), names)

"Makes a sequence of the members that can run with `in_keys` and that `out_keys` depend on."
select_subsequence(m::TensorDictModule; in_keys = nothing, out_keys = nothing) = give(
    TensorDictModule, Raw.td_module_select_subsequence, m, in_keys, counted(in_keys), out_keys, counted(out_keys))

Base.length(m::TensorDictModule) = Int(Raw.td_module_size(m))
Base.firstindex(m::TensorDictModule) = 1
Base.lastindex(m::TensorDictModule) = length(m)
Base.eltype(::Type{TensorDictModule}) = TensorDictModule
Base.getindex(m::TensorDictModule, i::Integer) = give(TensorDictModule, Raw.td_module_member, m, dim(i))
Base.getindex(m::TensorDictModule, r::OrdinalRange) =
    give(TensorDictModule, Raw.td_module_slice, m, first(r) - 1, last(r) + (step(r) > 0 ? 0 : -2), step(r))
Base.setindex!(m::TensorDictModule, member::TensorDictModule, i::Integer) =
    (call(Raw.td_module_set_member, m, dim(i), member); m)
Base.deleteat!(m::TensorDictModule, i::Integer) = (call(Raw.td_module_remove_member, m, dim(i)); m)
Base.iterate(m::TensorDictModule, i = 1) = i > length(m) ? nothing : (m[i], i + 1)

"""
    Ensemble(module, copies; expand_input = true, generator = nothing)

Makes a module of copies of a module that has keys, each with parameters of its own; results have a new first dim.
"""
Ensemble(m::TensorDictModule, copies::Integer; expand_input::Bool = true, generator = nothing) =
    give(TensorDictModule, Raw.td_module_ensemble, m, Int64(copies), expand_input, generator)

const RANDOMNESS = (error = Raw.TD_RANDOMNESS_ERROR, different = Raw.TD_RANDOMNESS_DIFFERENT,
                    same = Raw.TD_RANDOMNESS_SAME)

"""
    vmap(module, states, td; randomness = :error, data_dim = nothing)

Runs a module once for each of the stacked `states`, vectorised. With `data_dim`, every member gets its part of `td`.
"""
function vmap(m::TensorDictModule, states::TensorDict, td::TensorDict; randomness = :error, data_dim = nothing)
    o = options(Raw.td_vmap_options; randomness = RANDOMNESS[randomness], map_data = data_dim !== nothing,
                data_dim = data_dim === nothing ? 0 : dim(data_dim))
    return give(TensorDict, Raw.td_module_vmap, m, states, td, o)
end

function mapped_members(id::Ptr{Cvoid}, args::ValueIn, n::Csize_t, outs::ValueIn, n_outs::Csize_t,
                        err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        results = as_tuple(kept(id)((borrowed_value(unsafe_load(args, i)) for i in 1:Int(n))...))
        length(results) == n_outs || throw(TensorDictArgumentError(
            "the function returned $(length(results)) values where $(Int(n_outs)) are wanted"))
        foreach(i -> unsafe_store!(outs, given_value(results[i]), i), 1:length(results))
    end
end

"""
    vmap(f, args...; in_dims = nothing, out_dims = nothing, outputs = 1, randomness = :error, chunk_size = 0)

Calls `f` once for all members, vectorised: it gets each tensor or dict without its mapped dim (the first, or that of
`in_dims`; `nothing` gives all of it to every member). `f` must work with operators, not with elements.
"""
function vmap(f, args::Union{Tensor,TensorDict}...; in_dims = nothing, out_dims = nothing, outputs::Integer = 1,
              randomness = :error, chunk_size = 0)
    mapped = in_dims === nothing ? Ptr{Int32}(C_NULL) :
             Int32[d === nothing ? Raw.TD_VMAP_SHARED : dim(d) for d in in_dims]
    o = options(Raw.td_vmap_function_options; randomness = RANDOMNESS[randomness], in_dims = mapped,
                out_dims = out_dims === nothing ? Ptr{Int64}(C_NULL) : dimsof(out_dims), chunk_size = chunk_size)
    outs = fill(Raw.td_value(), outputs)
    fn = @cfunction(mapped_members, Int32, (Ptr{Cvoid}, ValueIn, Csize_t, ValueIn, Csize_t, Ptr{Ptr{Raw.td_error}}))
    with_kept(id -> call(Raw.td_vmap, fn, id, values_of(args), length(args), o, outs, outputs), f)
    return outputs == 1 ? take_value(outs[1]) : Tuple(map(take_value, outs))
end
