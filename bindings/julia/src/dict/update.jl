# Changing many entries: all changes happen, or none.

"""
    update!(td, src; inplace = false, clone = false, update_batch_size = false, only = nothing)

Sets every entry of `src` in `td`; dicts that both have are updated. With `inplace`, existing tensors are written to.
`only` lists keys. `merge!(td, others...)` does so for several.
"""
function update!(td::TensorDict, src::TensorDict; inplace = false, clone = false, update_batch_size = false,
    only = nothing)
    o = options(Raw.td_dict_update_options; inplace = inplace, clone = clone, update_batch_size = update_batch_size,
                keys = only, n_keys = only === nothing ? 0 : length(only))
    call(Raw.td_dict_update, td, src, o)
    return td
end
update!(td::TensorDict, src::AbstractDict; kwargs...) = update!(td, converted_dict(td, src); kwargs...)

function converted_dict(like, src)
    td = give(TensorDict, Raw.td_dict_empty, like, false)
    for (key, value) in src
        set!(td, key, value)
    end
    return td
end

Base.merge!(td::TensorDict, others::AbstractDict...) = (foreach(o -> update!(td, o), others); td)

"""
    merge(td::TensorDict, others...)

Returns a copy of `td` with the entries of the others; later ones win. [`merge_dicts`](@ref) lets the first win.
"""
Base.merge(td::TensorDict, others::TensorDict...) = foldl(replaced, others; init = copy(td))
replaced(td, src) = give(TensorDict, Raw.td_dict_replace, td, src)

"Copies the values of `src` into the tensors under the same keys; a locked dict allows it."
update_values!(td::TensorDict, src::TensorDict) = (call(Raw.td_dict_update_, td, src); td)

"""
    merge_dicts(tds)
    merge_dicts(f, tds)

Makes a dict with the entries of all; of several tensors under one key the first wins, or `f(key, tensors)` makes one,
or returns `nothing` to keep the first.
"""
merge_dicts(tds::AbstractVector{TensorDict}) = give(TensorDict, Raw.td_dict_merge, tds, length(tds))

"Makes a dict without batch dims that has the same tensor under every key."
from_keys(keys::AbstractVector, value) = give(TensorDict, Raw.td_dict_from_keys, keys, length(keys), Tensor(value))

"Writes a number into a tensor, into the tensor under `key` or all tensors below it, or into all tensors of a dict."
Base.fill!(td::TensorDict, key::Key, x::Number) = (call(Raw.td_dict_fill_, td, key, value(x)); td)
Base.fill!(td::TensorDict, x::Number) =
    (foreach(key -> Base.fill!(td, key, x), nested_keys(td; leaves = true)); td)
Base.fill!(t::Tensor, x::Number) = (op("fill_", t, x); t)
"Writes zero into all tensors of a dict."
zero!(td::TensorDict) = (call(Raw.td_dict_zero_, td); td)

"""
    cat_tensors!(td, keys, out; dim = 1, keep = false)
    stack_tensors!(td, keys, out; dim = 1, keep = false)

Joins, or stacks, the tensors under `keys` and sets the result under `out`; `dim` counts the dims of the tensors.
"""
cat_tensors!(td::TensorDict, keys::AbstractVector, out::Key; dim = 1, keep::Bool = false) =
    (call(Raw.td_dict_cat_tensors, td, keys, length(keys), out, TensorDicts.dim(dim), keep); td)
stack_tensors!(td::TensorDict, keys::AbstractVector, out::Key; dim = 1, keep::Bool = false) =
    (call(Raw.td_dict_stack_tensors, td, keys, length(keys), out, TensorDicts.dim(dim), keep); td)

"Makes one tensor of all tensors of a dict: joined along a dim, or stacked along a new one."
cat_leaves(td::TensorDict; dim = 1, sorted::Bool = false) =
    give(Tensor, Raw.td_dict_cat_leaves, td, TensorDicts.dim(dim), sorted)
stack_leaves(td::TensorDict; dim = 1, sorted::Bool = false) =
    give(Tensor, Raw.td_dict_stack_leaves, td, TensorDicts.dim(dim), sorted)

"Takes over the batch size, the names and the entries of `other`: the in-place form of every operation."
become!(td::TensorDict, other::TensorDict) = (call(Raw.td_dict_become, td, other); td)
