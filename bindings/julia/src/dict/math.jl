# Operators, reductions and functions over the tensors of dicts.

const MISSING = (error = Raw.TD_MISSING_ERROR, skip = Raw.TD_MISSING_SKIP, fill = Raw.TD_MISSING_FILL)

"""
    pointwise(name, operands...; missing = :error, fill = nothing, kwargs...)

Calls a pointwise operator of ATen for each leaf. Operands are dicts, matched by key, tensors with one element for each
batch element, and numbers. `missing` says what becomes of leaves that some dict lacks: `:error`, `:skip`, or `:fill`
with a number. In place (`"add_"`), the first dict is written. `td .+ 1` does so with Julia's operators.
"""
function pointwise(name, operands...; missing = :error, fill = nothing, kwargs...)
    o = options(Raw.td_pointwise_options; missing = MISSING[missing], fill = fill === nothing ? nothing : value(fill))
    return give(TensorDict, Raw.td_dict_pointwise, operator(name), values_of(operands), length(operands),
                named_values(kwargs), length(kwargs), o)
end

"""
    apply_op(name, args...; results = 1, kwargs...)

Calls an operator for each leaf; dicts among the arguments are replaced by their leaf, all else is passed unchanged.
Returns a dict, or a tuple of `results` dicts.
"""
function apply_op(name, args...; results::Integer = 1, kwargs...)
    outs = Base.fill(Ptr{Raw.td_dict}(C_NULL), results)
    call(Raw.td_dict_apply_op, operator(name), values_of(args), length(args), named_values(kwargs), length(kwargs),
         outs, results)
    return taken(outs)
end

function taken(outs)
    found = [TensorDict(p) for p in outs if p != C_NULL]
    return length(found) == 1 ? found[1] : Tuple(found)
end

"""
    reduce_with(name, td; dims = nothing, keepdim = false, feature = false, kwargs...)

Reduces every leaf with an operator of ATen ("sum", "mean", "max", "softmax" ...) over batch dims, over all (no dims),
or over its feature dims. Returns a dict, or a tuple for operators with several results. `sum(td; dims = 1)` and others
of Base do so too, and keep no dims. [`reduce_all`](@ref) reduces all leaves together to one tensor.
"""
function reduce_with(name, td::TensorDict; dims = nothing, keepdim = false, feature = false, kwargs...)
    outs = Base.fill(Ptr{Raw.td_dict}(C_NULL), 2)
    call(Raw.td_dict_reduce, td, operator(name), named_values(kwargs), length(kwargs),
         reduction(dims, keepdim, feature), outs, 2)
    return taken(outs)
end
reduce_all(name, td::TensorDict; dims = nothing, keepdim = false, feature = false, kwargs...) = give(
    Tensor, Raw.td_dict_reduce_all, td, operator(name), named_values(kwargs), length(kwargs),
    reduction(dims, keepdim, feature))

function reduction(dims, keepdim, feature)
    over = dims === nothing ? Int64[] : dimsof(dims)
    return options(Raw.td_reduce_options; dims = over, n_dims = length(over), keepdim = keepdim, feature = feature)
end

for (f, name) in (:sum => "sum", :prod => "prod", :maximum => "amax", :minimum => "amin")
    @eval Base.$f(td::TensorDict; dims = nothing, keepdim = false) =
        reduce_with($name, td; dims = dims, keepdim = keepdim)
end

"Returns whether every element, or any element, of every tensor is true."
Base.all(td::TensorDict) = give(Bool, Raw.td_dict_all, td)
Base.any(td::TensorDict) = give(Bool, Raw.td_dict_any, td)

# ---- Functions over leaves

function mapped(id::Ptr{Cvoid}, key::Ptr{Raw.td_key}, tensors::Ptr{Ptr{Raw.td_tensor}}, n::Csize_t,
                out::Ptr{Ptr{Raw.td_tensor}}, err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        given = Any[borrowed_or_nothing(unsafe_load(tensors, i)) for i in 1:Int(n)]
        store_tensor(out, kept(id)(tuplekey(unsafe_load(key)), given))
    end
end

# A new reference for the library; what comes is a tensor, an array, a number, or nothing.
function store_tensor(out, x)
    t = x === nothing ? nothing : Tensor(x)
    if t !== nothing
        Raw.td_tensor_retain(t)
        GC.@preserve t unsafe_store!(out, live_pointer(t))
    end
    return nothing
end

function mapped_data(id::Ptr{Cvoid}, key::Ptr{Raw.td_key}, lists::Ptr{Ptr{Raw.td_data_list}}, n::Csize_t,
                     out::Ptr{Ptr{Raw.td_data_list}}, tensor::Ptr{Ptr{Raw.td_tensor}},
                     err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        given = Any[p == C_NULL ? missing_entry : read_data(p) for p in (unsafe_load(lists, i) for i in 1:Int(n))]
        size = Tuple(Int.(sizes(Raw.td_data_list_shape, unsafe_load(lists))))
        x = kept(id)(tuplekey(unsafe_load(key)), given, size)
        if x isa Datum && x !== nothing
            unsafe_store!(out, new_data_list(x))
        else
            store_tensor(tensor, x)
        end
    end
end

const TensorOut = Ptr{Ptr{Raw.td_tensor}}
map_function(f) = callback(Raw.td_map_function, @cfunction(
    mapped, Int32, (Ptr{Cvoid}, Ptr{Raw.td_key}, TensorOut, Csize_t, TensorOut, Ptr{Ptr{Raw.td_error}})), f)
map_data_function(f) = callback(Raw.td_map_data_function, @cfunction(
    mapped_data, Int32, (Ptr{Cvoid}, Ptr{Raw.td_key}, Ptr{Ptr{Raw.td_data_list}}, Csize_t, Ptr{Ptr{Raw.td_data_list}},
                         TensorOut, Ptr{Ptr{Raw.td_error}})), f)

const EMPTIED = (drop = Raw.TD_EMPTIED_DROP, drop_all = Raw.TD_EMPTIED_DROP_ALL, keep = Raw.TD_EMPTIED_KEEP)

"""
    map(f, td::TensorDict, others...)
    map_entries(f, td, others...; data = nothing, batch = nothing, emptied = :drop, inplace = false,
        missing_as_nothing = false)

Calls `f` with the tensor under each key, in `td` and in the others, and makes a dict of the results: tensors, arrays,
numbers, or `nothing` to drop the entry. `map_entries` calls `f(key, tensors)`, and `data(key, values, size)`, if it is
given, for non-tensor entries; `size` is that of their batch.
"""
function map_entries(f, td::TensorDict, others::TensorDict...; data = nothing, batch = nothing, emptied = :drop,
                     inplace = false, missing_as_nothing = false)
    sizes = batch === nothing ? Ptr{Int64}(C_NULL) : int64s(batch)
    native_data = data === nothing ? nothing : map_data_function(data)
    o = options(Raw.td_map_options; batch_size = sizes, ndim = batch === nothing ? 0 : length(batch),
                emptied = EMPTIED[emptied], in_place = inplace, missing_as_null = missing_as_nothing,
                data = native_data === nothing ? Ptr{Raw.td_map_data_function}(C_NULL) : native_data)
    return give(TensorDict, Raw.td_dict_map, td, map_function(f), collect(TensorDict, others), length(others), o)
end
Base.map(f, td::TensorDict, others::TensorDict...) = map_entries((key, tensors) -> f(tensors...), td, others...)
merge_dicts(f, tds::AbstractVector{TensorDict}) = give(
    TensorDict, Raw.td_dict_merge_with, tds, length(tds), map_function(f))
