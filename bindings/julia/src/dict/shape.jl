# Shapes of the batch. Dims count from 1, negative ones from the end. Results share memory unless they say otherwise.

"""
    reshape(td, sizes...)
    view_as(td, sizes...)

Returns a dict with another batch size, of which one number may be -1; `:` is that too. `view_as` never copies.
"""
Base.reshape(td::TensorDict, sizes::Union{Integer,Colon}...) = shaped(Raw.td_dict_reshape, td, sizes)
Base.reshape(td::TensorDict, sizes::Tuple{Vararg{Union{Integer,Colon}}}) = shaped(Raw.td_dict_reshape, td, sizes)
view_as(td::TensorDict, sizes::Union{Integer,Colon}...) = shaped(Raw.td_dict_view, td, sizes)
shaped(f, td, sizes) =
    give(TensorDict, f, td, Int64[s isa Colon ? -1 : s for s in sizes], length(sizes))

"Replaces the dims from `first` to `last` by one."
flatten(td::TensorDict, first::Integer = 1, last::Integer = -1) =
    give(TensorDict, Raw.td_dict_flatten, td, dim(first), dim(last))
"Replaces dim `d` by dims of `sizes`, of which one may be -1."
unflatten(td::TensorDict, d::Integer, sizes::Integer...) =
    give(TensorDict, Raw.td_dict_unflatten, td, dim(d), int64s(sizes), length(sizes))
"Removes those of the dims that have size 1, or all such dims."
squeeze(td::TensorDict, dims::Integer...) = give(TensorDict, Raw.td_dict_squeeze, td, dimsof(dims), length(dims))
Base.dropdims(td::TensorDict; dims) = squeeze(td, dims...)
"Adds a dim of size 1."
unsqueeze(td::TensorDict, d::Integer) = give(TensorDict, Raw.td_dict_unsqueeze, td, dim(d))
"Repeats dims of size 1 without copying and adds new dims on the left; -1 keeps a size."
expand(td::TensorDict, sizes::Integer...) = give(TensorDict, Raw.td_dict_expand, td, int64s(sizes), length(sizes))
"Expands each tensor to the shape of the tensor under its key in `other`."
expand_as(td::TensorDict, other::TensorDict) = give(TensorDict, Raw.td_dict_expand_as, td, other)

"Permutes the batch dims, without a copy; `transpose_dims` swaps two, and `move_dims` moves some."
Base.permutedims(td::TensorDict, order) = give(TensorDict, Raw.td_dict_permute, td, dimsof(order), length(order))
transpose_dims(td::TensorDict, a::Integer, b::Integer) = give(TensorDict, Raw.td_dict_transpose, td, dim(a), dim(b))
move_dims(td::TensorDict, from, to) =
    give(TensorDict, Raw.td_dict_movedim, td, dimsof(from), dimsof(to), length(from))

"Returns `length` elements of dim `d` from the position `start`."
narrow(td::TensorDict, d::Integer, start::Integer, length::Integer) =
    give(TensorDict, Raw.td_dict_narrow, td, dim(d), dim(start), Int64(length))

"""
    split_dim(td, size; dims = 1)

Splits a dim into pieces of `size` elements, or of the given sizes. `chunk` makes a number of pieces; `tensor_split`
makes exactly so many, or splits before each of the given positions.
"""
split_dim(td::TensorDict, size::Integer; dims = 1) = give(DictList, Raw.td_dict_split, td, Int64(size), dim(dims))
split_dim(td::TensorDict, sizes; dims = 1) =
    give(DictList, Raw.td_dict_split_sizes, td, int64s(sizes), length(sizes), dim(dims))
chunk(td::TensorDict, chunks::Integer; dims = 1) = give(DictList, Raw.td_dict_chunk, td, Int64(chunks), dim(dims))
tensor_split(td::TensorDict, sections::Integer; dims = 1) =
    give(DictList, Raw.td_dict_tensor_split, td, Int64(sections), dim(dims))
tensor_split(td::TensorDict, before; dims = 1) =
    give(DictList, Raw.td_dict_tensor_split_at, td, dimsof(before), length(before), dim(dims))
"Returns one dict for each element of a dim, without that dim."
unbind(td::TensorDict; dims = 1) = give(DictList, Raw.td_dict_unbind, td, dim(dims))
Base.eachslice(td::TensorDict; dims = 1) = unbind(td; dims = dims)

# ---- Copies

"Returns a copy in which each batch dim is repeated as often as `counts` says; `tile` takes fewer or more numbers."
Base.repeat(td::TensorDict, counts::Integer...) =
    give(TensorDict, Raw.td_dict_repeat, td, int64s(counts), length(counts))
tile(td::TensorDict, counts::Integer...) = give(TensorDict, Raw.td_dict_tile, td, int64s(counts), length(counts))
"Repeats each element of a dim: `counts` is one number, or one for each element."
repeat_interleave(td::TensorDict, counts; dims = 1) =
    give(TensorDict, Raw.td_dict_repeat_interleave, td, int64s(counts), length(counts), dim(dims))
"Returns a copy with the elements of `dims` in reverse order."
Base.reverse(td::TensorDict; dims) = give(TensorDict, Raw.td_dict_flip, td, dimsof(dims), length(dims))
"Shifts the elements of each dim; without dims, those of the batch as if it were flat."
Base.circshift(td::TensorDict, shifts; dims = ()) =
    give(TensorDict, Raw.td_dict_roll, td, int64s(shifts), length(shifts), dimsof(dims), length(dims))
"Returns a copy rotated by 90 degrees, `times` times, from dim `a` towards `b`."
rot90(td::TensorDict, times::Integer = 1, a::Integer = 1, b::Integer = 2) =
    give(TensorDict, Raw.td_dict_rot90, td, Int64(times), dim(a), dim(b))
contiguous(td::TensorDict) = give(TensorDict, Raw.td_dict_contiguous, td)
iscontiguous(td::TensorDict) = Raw.td_dict_is_contiguous(td) != 0

# ---- Dicts like another

"Returns a dict with the keys and features of `td` and another batch size, with undefined contents or a number."
new_empty(td::TensorDict, batch::Integer...; type = nothing) =
    give(TensorDict, Raw.td_dict_new_empty, td, int64s(batch), length(batch), dtype(type))
new_full(td::TensorDict, x::Number, batch::Integer...; type = nothing) =
    give(TensorDict, Raw.td_dict_new_full, td, int64s(batch), length(batch), value(x), dtype(type))
new_zeros(td::TensorDict, batch::Integer...; type = nothing) = new_full(td, 0, batch...; type = type)
new_ones(td::TensorDict, batch::Integer...; type = nothing) = new_full(td, 1, batch...; type = type)

"Returns a dict with the keys of `td` and copies of `data`: a tensor, numbers or a dict."
new_tensor(td::TensorDict, data; type = nothing, requires_grad = false, device = nothing) = give(
    TensorDict, Raw.td_dict_new_tensor, td, value(data),
    options(Raw.td_new_tensor_options; dtype = dtype(type), requires_grad = requires_grad, device = device))
