# Dicts: make, set, get, copy.

"""
    TensorDict <: AbstractDict{String,Any}

A batched, nested, ordered dict: its values are [`Tensor`](@ref)s, dicts and non-tensor data, and the leading dims of
all of them are its batch size, which `size(td)` returns. `length(td)` counts its entries.

    td = TensorDict(32)                      # batch size (32,)
    td["next", "obs"] = randn(Tensor, 32, 4) # makes the dict "next"
    td["next", "obs"]                        # the tensor itself, no copy
    td[1:8], td[end], td[mask]               # parts of the batch: views, but for arrays
    td .+ 1, cat(a, b; dims = 1), stack([a, b])
    for (key, value) in td end

    TensorDict("a" => A, ("b", "c") => B; batch = (32,))
    TensorDict(JSON(text))                   # of a JSON object: dicts and data

Arrays that are set share their memory with the dict: see [`Tensor`](@ref). Numbers become tensors without dims, strings
become data. `==` compares contents, [`same`](@ref) objects.
"""
@handle (TensorDict <: AbstractDict{String,Any}) td_dict TD_OBJECT_DICT

dict_options(device) = device === nothing ? nothing : options(Raw.td_dict_options; device = device)
Base.unsafe_convert(::Type{Ptr{Raw.td_dict_options}}, ::Nothing) = Ptr{Raw.td_dict_options}(C_NULL)

TensorDict(batch::Integer...; device = nothing) = new_dict(batch, device)
TensorDict(batch::Dims; device = nothing) = new_dict(batch, device)
new_dict(batch, device) = give(TensorDict, Raw.td_dict_new, int64s(batch), length(batch), dict_options(device))
TensorDict(text::JSON) = give(TensorDict, Raw.td_dict_from_json, text.text)

function TensorDict(first::Pair, more::Pair...; batch = (), device = nothing)
    items = (first, more...)
    if any(p -> last(p) isa Datum, items)
        td = new_dict(batch, device)
        for (key, value) in items
            set!(td, key, value)
        end
        return td
    end
    roots = Any[]
    native_items = [Raw.td_item(native_key(key, roots), native(entry(x), roots)) for (key, x) in items]
    return GC.@preserve roots give(TensorDict, Raw.td_dict_from_items, int64s(batch), length(batch), native_items,
                                   length(native_items), dict_options(device))
end

# Arrays and numbers are tensors where an entry is wanted, not lists of arguments.
entry(x::Union{AbstractArray,Number}) = Tensor(x)
entry(x) = x

native_key(key, roots) = member(Ptr{Raw.td_key}, key, roots)
native(x::TensorDict, roots) = reference(Raw.TD_VALUE_DICT, x, roots)

struct DictList end
rawtype(::Type{DictList}) = Raw.td_dict_list
function take(::Type{DictList}, p::Ptr{Raw.td_dict_list})
    view, n = Ref(Ptr{Ptr{Raw.td_dict}}(C_NULL)), Ref{Csize_t}(0)
    call(Raw.td_dict_list_view, p, view, n)
    list = TensorDict[borrowed(TensorDict, unsafe_load(view[], i)) for i in 1:Int(n[])]
    Raw.td_dict_list_release(p)
    return list
end

# ---- Facts

"""
    size(td::TensorDict)

Returns the batch size. A size is -1 if the members of a lazy stack differ in it.
"""
Base.size(td::TensorDict) = Tuple(Int.(sizes(Raw.td_dict_batch_size, td)))
Base.size(td::TensorDict, d::Integer) = (s = size(td); d <= length(s) ? s[d] : 1)
Base.ndims(td::TensorDict) = Int(Raw.td_dict_batch_size(td, Ptr{Int64}(C_NULL), 0))
Base.firstindex(td::TensorDict) = 1
Base.firstindex(td::TensorDict, d::Integer) = 1
Base.lastindex(td::TensorDict) = size(td, 1)
Base.lastindex(td::TensorDict, d::Integer) = size(td, d)
Base.axes(td::TensorDict) = map(Base.OneTo, size(td))
Base.axes(td::TensorDict, d::Integer) = Base.OneTo(size(td, d))
Base.length(td::TensorDict) = Int(Raw.td_dict_count(td))
Base.isempty(td::TensorDict) = length(td) == 0

"Returns the number of batch elements: the product of the batch size."
numel(td::TensorDict) = Int(Raw.td_dict_numel(td))
"Sets the batch size; entries must begin with it."
set_batch_size!(td::TensorDict, batch::Integer...) =
    (call(Raw.td_dict_set_batch_size, td, int64s(batch), length(batch)); td)
"Sets the longest batch size that all entries share, with at most `limit` dims, here and below."
auto_batch_size!(td::TensorDict, limit = -1) = (call(Raw.td_dict_auto_batch_size_, td, Int64(limit)); td)

device(td::TensorDict) = (d = Raw.td_dict_device(td); d.data == C_NULL ? nothing : text(d))
"Removes the device of a dict; nothing is moved."
clear_device!(td::TensorDict) = (call(Raw.td_dict_clear_device_, td); td)
"Sets the device that all tensors are on."
auto_device!(td::TensorDict) = (call(Raw.td_dict_auto_device_, td); td)
nbytes(td::TensorDict) = Int(Raw.td_dict_nbytes(td))
"Returns how many levels of dicts are above the deepest tensor."
depth(td::TensorDict) = Int(Raw.td_dict_depth(td))
"Returns the element type that all tensors have, or `Nothing`."
element_type(td::TensorDict) = elementtype(Raw.td_dict_dtype(td))
"Returns whether all tensors have a floating-point type."
is_floating_point(td::TensorDict) = Raw.td_dict_is_floating_point(td) != 0
"Returns the number of elements of all tensors; a tensor under several keys counts once."
param_count(td::TensorDict; duplicates = false) = Int(Raw.td_dict_param_count(td, duplicates))
"Returns the bytes of all tensors and their gradients; a tensor under several keys counts once."
param_bytes(td::TensorDict; duplicates = false) = Int(Raw.td_dict_param_bytes(td, duplicates))
same(a::TensorDict, b::TensorDict) = samehandle(a, b)

# ---- Copies

"Returns a copy with new nodes that shares the tensors."
Base.copy(td::TensorDict) = give(TensorDict, Raw.td_dict_copy, td)
clone(td::TensorDict) = give(TensorDict, Raw.td_dict_clone, td)
Base.deepcopy_internal(td::TensorDict, seen::IdDict) = get!(() -> clone(td), seen, td)
"Returns a deep, unlocked copy in which all nodes are plain dicts."
to_tensordict(td::TensorDict) = give(TensorDict, Raw.td_dict_to_tensordict, td)

# ---- Printing and comparing

const REPR_FLAGS = (
    batch_size = Raw.TD_REPR_BATCH_SIZE, device = Raw.TD_REPR_DEVICE, is_shared = Raw.TD_REPR_IS_SHARED,
    shape = Raw.TD_REPR_SHAPE, field_device = Raw.TD_REPR_FIELD_DEVICE, dtype = Raw.TD_REPR_DTYPE,
    field_is_shared = Raw.TD_REPR_FIELD_IS_SHARED, grad = Raw.TD_REPR_GRAD,
    is_contiguous = Raw.TD_REPR_IS_CONTIGUOUS, is_view = Raw.TD_REPR_IS_VIEW,
    storage_size = Raw.TD_REPR_STORAGE_SIZE, plain = Raw.TD_REPR_PLAIN, unsorted = Raw.TD_REPR_UNSORTED,
    compact = Raw.TD_REPR_COMPACT, brief = Raw.TD_REPR_BRIEF,
)

"""
    repr_with(td, flags...)

Returns the text that Python prints with these fields, for instance `:compact`, or `:shape, :dtype`.
"""
repr_with(td::TensorDict, flags::Symbol...) =
    give(String, Raw.td_dict_repr, td, reduce(|, (UInt64(REPR_FLAGS[f]) for f in flags); init = UInt64(0)))

Base.show(io::IO, td::TensorDict) =
    td.handle == C_NULL ? print(io, "TensorDict(closed)") : print(io, give(String, Raw.td_dict_repr, td, UInt64(0)))
Base.show(io::IO, ::MIME"text/plain", td::TensorDict) = show(io, td)

"""
    parse(TensorDict, text; device = nothing)

Makes a dict of zeros from a text that `show` or Python printed.
"""
Base.parse(::Type{TensorDict}, text::AbstractString; device = nothing) = give(
    TensorDict, Raw.td_dict_parse, text, options(Raw.td_parse_options; device = device))

Base.:(==)(a::TensorDict, b::TensorDict) = first(compared(Raw.td_dict_equal, a, b, 0.0, 0.0, false))
Base.isequal(a::TensorDict, b::TensorDict) = first(compared(Raw.td_dict_equal, a, b, 0.0, 0.0, true))
Base.isapprox(a::TensorDict, b::TensorDict; rtol = 1e-5, atol = 1e-8, nans = false) =
    first(compared(Raw.td_dict_equal, a, b, rtol, atol, nans))

"""
    difference(a, b; rtol = 0, atol = 0, nans = false) -> String

Returns what differs between two dicts or tensors, with its key, or an empty string.
"""
difference(a::TensorDict, b::TensorDict; rtol = 0.0, atol = 0.0, nans = false) =
    last(compared(Raw.td_dict_equal, a, b, rtol, atol, nans))
difference(a::Tensor, b::Tensor; rtol = 0.0, atol = 0.0, nans = false) =
    last(compared(Raw.td_tensor_equal, a, b, rtol, atol, nans))
