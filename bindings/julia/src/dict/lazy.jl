# Lazy stacks, which show dicts as stacked without copying them, and parameters.

const DICT_KINDS = (:tensordict, :lazy_stack, :params, :persistent, :window)

"Returns the kind of a dict: `:tensordict`, `:lazy_stack`, `:params`, `:persistent` or `:window`."
dict_kind(td::TensorDict) = DICT_KINDS[Raw.td_dict_kind_of(td)+1]

"""
    lazy_stack(tds; dims = 1)

Makes a lazy stack: a dict with the keys that all members have. Each look-up stacks their tensors, which may be ragged
otherwise; writes go to the members.
"""
lazy_stack(tds::AbstractVector{TensorDict}; dims = 1) =
    give(TensorDict, Raw.td_dict_lazy_stack, tds, length(tds), dim(dims))
"Makes a lazy stack without members, of members with the batch size `element`."
lazy_new(element::Dims; dims = 1) =
    give(TensorDict, Raw.td_dict_lazy_new, int64s(element), length(element), dim(dims))
"Returns a dense stack where keys and shapes agree, and a lazy stack where they do not."
maybe_dense_stack(tds::AbstractVector{TensorDict}; dims = 1) =
    give(TensorDict, Raw.td_dict_maybe_dense_stack, tds, length(tds), dim(dims))
"Returns a lazy stack of the parts of a dict along a dim."
to_lazy_stack(td::TensorDict; dims = 1) = give(TensorDict, Raw.td_dict_to_lazy_stack, td, dim(dims))

"Returns the dim along which the members of a lazy stack are stacked, or `nothing`."
stack_dim(td::TensorDict) = (d = Int(Raw.td_dict_stack_dim(td)); d < 0 ? nothing : d + 1)
"Returns the members of a lazy stack themselves."
members(td::TensorDict) = give(DictList, Raw.td_dict_members, td)

"Inserts dicts before member `i` of a lazy stack; `push!` and `append!` add them at the end."
Base.insert!(td::TensorDict, i::Integer, tds::TensorDict...) =
    (call(Raw.td_dict_insert, td, Int64(i - 1), collect(tds), length(tds)); td)
Base.push!(td::TensorDict, member::TensorDict) = (call(Raw.td_dict_append, td, member); td)
Base.append!(td::TensorDict, more::AbstractVector{TensorDict}) = (foreach(m -> push!(td, m), more); td)

"Returns the keys of all tensors whose shapes differ between members."
ragged_keys(td::TensorDict) = give(KeyList, Raw.td_dict_ragged_keys, td)
"Returns the keys that member `i` has and at least one other lacks."
exclusive_keys(td::TensorDict, i::Integer) = give(KeyList, Raw.td_dict_exclusive_keys, td, Int64(i - 1))

"Returns the members' tensors themselves; `set_list!` sets one in each member."
get_list(td::TensorDict, key::Key) = give(TensorList, Raw.td_dict_get_list, td, key)
set_list!(td::TensorDict, key::Key, values::AbstractVector) =
    (call(Raw.td_dict_set_list, td, key, Tensor[Tensor(v) for v in values], length(values)); td)

padding(value, left, mask_key) = options(
    Raw.td_padding_options; value = TensorDicts.value(value), left = left, mask_key = mask_key)

"""
    get_padded(td, key; value = 0, left = false) -> tensor, mask

Returns the members' tensors, padded to the longest in each dim and stacked, and a mask that is true for values.
"""
function get_padded(td::TensorDict, key::Key; value = 0, left = false)
    return two(Tensor, Tensor, Raw.td_dict_get_padded, td, key, padding(value, left, nothing))
end

# Two outputs, then the error.
function two(::Type{A}, ::Type{B}, f, args...) where {A,B}
    a, b, err = Ref(empty_output(A)), Ref(empty_output(B)), newerror()
    status = f(args..., a, b, err)
    status == Raw.TD_OK || fail(status, err)
    return take(A, a[]), take(B, b[])
end

"""
Returns the members' tensors joined along the first dim after the stack dim, and the offsets (from 0) where each
begins.
"""
get_jagged(td::TensorDict, key::Key) = two(Tensor, Tensor, Raw.td_dict_get_jagged, td, key)

"Returns a dense dict with the entries that any member has; what is missing or shorter is padded."
densify(td::TensorDict; value = 0, left = false, mask_key = nothing) =
    give(TensorDict, Raw.td_dict_densify, td, padding(value, left, mask_key))

# ---- Parameters

"""
    params(td; no_convert = false, lock = false)

Wraps a dict as parameters: its floating-point tensors become leaves that require grad, its other tensors buffers.
"""
params(td::TensorDict; no_convert = false, lock = false) =
    give(TensorDict, Raw.td_dict_params, td, options(Raw.td_params_options; no_convert = no_convert, lock = lock))

"Returns the keys and the tensors that require grad; `buffers` returns the others."
parameters(td::TensorDict) = keys_and_tensors(Raw.td_dict_parameters, td)
buffers(td::TensorDict) = keys_and_tensors(Raw.td_dict_buffers, td)
