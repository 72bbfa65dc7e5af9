# Parts of the batch, windows, and writes to them.

indexed(td::TensorDict, parts) =
    (x = native_index(parts, size(td)); give(TensorDict, Raw.td_dict_index, td, x, length(x)))

"""
    td[index...]
    view(td, index...)

Returns a part of the batch: positions and ranges from 1, `:`, `end`, vectors and tensors of positions, masks,
[`newdim`](@ref), [`ellipsis`](@ref), [`At`](@ref) and [`Slice`](@ref). It is a view of the same memory, or a copy if
there is a vector, a tensor or a mask in the index; both forms are the same for dicts.
"""
Base.getindex(td::TensorDict, part::IndexPart) = indexed(td, (part,))
Base.getindex(td::TensorDict, part::IndexPart, more::IndexPart...) = indexed(td, (part, more...))
Base.view(td::TensorDict, parts::IndexPart...) = indexed(td, parts)
Base.getindex(td::TensorDict) = td

"""
    td[index...] = value

Writes the entries of a dict, or one number, into a part of the batch.
"""
Base.setindex!(td::TensorDict, value) = set_part!(td, value, ())
Base.setindex!(td::TensorDict, value, part::IndexPart) = set_part!(td, value, (part,))
Base.setindex!(td::TensorDict, value, part::IndexPart, more::IndexPart...) = set_part!(td, value, (part, more...))
function set_part!(td::TensorDict, source::TensorDict, parts)
    x = native_index(parts, size(td))
    call(Raw.td_dict_set_at, td, x, length(x), source)
    return td
end
function set_part!(td::TensorDict, number::Number, parts)
    x = native_index(parts, size(td))
    call(Raw.td_dict_set_at_value, td, x, length(x), value(number))
    return td
end

"""
    window(td, index...)

Returns a dict that shows rows of `td` without a copy: what is written into its entries goes to `td`. It is always
locked.
"""
function window(td::TensorDict, parts::IndexPart...)
    x = native_index(parts, size(td))
    return give(TensorDict, Raw.td_dict_window, td, x, length(x))
end

"""
    get_at(td, key, index...)
    copy_into_at!(td, key, value, index...)

Returns a part of the tensor under `key`, or writes to it. The index may extend into the feature dims.
"""
function get_at(td::TensorDict, key::Key, parts::IndexPart...)
    x = native_index(parts, entry_size(td, key))
    return give(Tensor, Raw.td_dict_get_at, td, key, x, length(x))
end
function copy_into_at!(td::TensorDict, key::Key, value, parts::IndexPart...)
    x = native_index(parts, entry_size(td, key))
    call(Raw.td_dict_copy_into_at, td, key, x, length(x), Tensor(value))
    return td
end

"""
    entry_size(td, key)

Returns the size of an entry. A size is -1 if members of a lazy stack differ in it; it is a single -1 if their numbers
of
dims differ.
"""
function entry_size(td::TensorDict, key::Key)
    out, n = Vector{Int64}(undef, 64), Ref{Csize_t}(0)
    call(Raw.td_dict_entry_shape, td, key, out, 64, n)
    return Tuple(Int.(out[1:Int(n[])]))
end
