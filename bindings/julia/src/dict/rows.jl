# Selecting rows by position, by mask and by value.

"""
    gather(td, d, index)

Takes, for each element of `index` (positions from 0, as the library has them), that position along dim `d`.
"""
gather(td::TensorDict, d::Integer, index::AbstractArray) =
    give(TensorDict, Raw.td_dict_gather, td, dim(d), Tensor(index))
"Returns the rows for which `mask` is true."
masked_select(td::TensorDict, mask::AbstractArray) = give(TensorDict, Raw.td_dict_masked_select, td, Tensor(mask))

"""
    select_where(td, condition, other; pad = nothing)

Returns the elements of `td` where `condition` is true and those of `other` elsewhere. `pad` stands for tensors that
only
one has.
"""
function select_where(td::TensorDict, condition::AbstractArray, other::TensorDict; pad = nothing)
    return give(TensorDict, Raw.td_dict_where, td, Tensor(condition), other, pad === nothing ? nothing : value(pad))
end

"Returns a dict with `x` where `mask` is true; `masked_fill!` writes into the dict's own tensors."
masked_fill(td::TensorDict, mask::AbstractArray, x::Number) =
    give(TensorDict, Raw.td_dict_masked_fill, td, Tensor(mask), value(x))
masked_fill!(td::TensorDict, mask::AbstractArray, x::Number) =
    (call(Raw.td_dict_masked_fill_, td, Tensor(mask), value(x)); td)

"Returns for each position along dim `d` whether that slice of `key` is among the slices of `reference`."
is_in(td::TensorDict, reference::TensorDict, key::Key; dims = 1) =
    give(Tensor, Raw.td_dict_isin, td, reference, key, dim(dims))

"""
    remove_duplicates(td, key; dims = 1) -> unique, inverse

Returns the elements at the first occurrence of each distinct slice of `key`, and for each position the index of its
slice, from 0.
"""
remove_duplicates(td::TensorDict, key::Key; dims = 1) =
    two(TensorDict, Tensor, Raw.td_dict_remove_duplicates, td, key, dim(dims))

"""
    group_by(td, key) -> values, groups

Splits a dict along its first dim into one dict for each value of `key`; `values` is a tensor, or the data.
"""
function group_by(td::TensorDict, key::Key)
    values, data = Ref(Ptr{Raw.td_tensor}(C_NULL)), Ref(Ptr{Raw.td_data_list}(C_NULL))
    groups, err = Ref(Ptr{Raw.td_dict_list}(C_NULL)), newerror()
    status = Raw.td_dict_group_by(td, key, values, data, groups, err)
    status == Raw.TD_OK || fail(status, err)
    found = data[] == C_NULL ? take(Union{Nothing,Tensor}, values[]) : take(DataList, data[])
    return found, take(DictList, groups[])
end

"Returns a view of a tensor with dims added at the end to reach a size, or the size of another tensor."
expand_right(t::Tensor, dims::Integer...) = give(Tensor, Raw.td_tensor_expand_right, t, int64s(dims), length(dims))
expand_as_right(t::Tensor, other::Tensor) = give(Tensor, Raw.td_tensor_expand_as_right, t, other)
