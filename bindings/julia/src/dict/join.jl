# Stack, join and pad.

if VERSION >= v"1.9"  # Base has the function then; not run here
    import Base: stack
end

"""
    stack(tds; dims = 1)

Stacks dicts, or tensors, with equal keys and sizes along a new dim.
"""
stack(tds::AbstractVector{TensorDict}; dims = 1) = give(TensorDict, Raw.td_dict_stack, tds, length(tds), dim(dims))
stack(ts::AbstractVector{<:Tensor}; dims = 1) = op("stack", convert(Vector{Tensor}, ts), dim(dims))
stack(first::Union{TensorDict,Tensor}, more...; dims = 1) = stack([first, more...]; dims = dims)

"""
    cat(tds...; dims)

Joins dicts with equal keys along a batch dim. `vcat(tds...)` joins along the first.
"""
Base.cat(td::TensorDict, more::TensorDict...; dims) = join_dicts([td, more...], dims)
Base.vcat(td::TensorDict, more::TensorDict...) = join_dicts([td, more...], 1)
Base.hcat(td::TensorDict, more::TensorDict...) = join_dicts([td, more...], 2)
join_dicts(tds, dims) = give(TensorDict, Raw.td_dict_cat, tds, length(tds), dim(dims))
Base.cat(t::Tensor, more::Tensor...; dims::Integer) = op("cat", Tensor[t, more...], dim(dims))
Base.vcat(t::Tensor, more::Tensor...) = cat(t, more...; dims = 1)
Base.hcat(t::Tensor, more::Tensor...) = ndims(t) < 2 ? stack([t, more...]; dims = 2) : cat(t, more...; dims = 2)

"Writes what `stack` or `cat` return into the entries of `target`."
stack_into!(target::TensorDict, tds::AbstractVector{TensorDict}; dims = 1) =
    (call(Raw.td_dict_stack_into, tds, length(tds), dim(dims), target); target)
cat_into!(target::TensorDict, tds::AbstractVector{TensorDict}; dims = 1) =
    (call(Raw.td_dict_cat_into, tds, length(tds), dim(dims), target); target)

"""
    pad(td, before_and_after...; value = 0)

Pads batch dims: two numbers for each dim, from the first; negative ones crop.
"""
pad(td::TensorDict, pairs::Integer...; value = 0) =
    give(TensorDict, Raw.td_dict_pad, td, int64s(pairs), length(pairs), TensorDicts.value(value))

"""
    pad_sequence(tds; dims = 1, value = 0, values = (), mask_key = nothing, left = false)

Stacks dicts along a new dim after padding one dim of each entry to the longest. `values` are pairs of keys and padding
values. [`unpad_sequence`](@ref) splits the result again.
"""
function pad_sequence(tds::AbstractVector{TensorDict}; dims = 1, value = 0, values = (), mask_key = nothing,
    left = false)
    roots = Any[]
    items = [Raw.td_item(native_key(key, roots), native(x, roots)) for (key, x) in values]
    o = options(Raw.td_pad_sequence_options; pad_dim = dim(dims), value = TensorDicts.value(value), mask_key = mask_key,
                values = isempty(items) ? Ptr{Raw.td_item}(C_NULL) : items, n_values = length(items), left = left)
    push!(o.kept, roots)
    return give(TensorDict, Raw.td_dict_pad_sequence, tds, length(tds), o)
end

"""
    unpad_sequence(td; dims = 1, mask_key = nothing, masks = nothing, mask = nothing)

Splits the result of [`pad_sequence`](@ref) into a lazy stack of the samples.
"""
function unpad_sequence(td::TensorDict; dims = 1, mask_key = nothing, masks = nothing, mask = nothing)
    o = options(Raw.td_unpad_sequence_options; pad_dim = dim(dims), mask_key = mask_key, masks = masks, mask = mask)
    return give(TensorDict, Raw.td_dict_unpad_sequence, td, o)
end
