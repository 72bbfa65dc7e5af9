# All tensors packed into one, and dicts over arrays of records.

"Where each tensor of a dict is in its packed form: `unpack(layout, packed)`, `keys(layout)`, `layout == other`."
@handle PackLayout td_pack_layout TD_OBJECT_PACK_LAYOUT

"""
    pack(td; dims = -1, layout = nothing) -> tensor, layout

Joins the features of all tensors along a new dim. With a layout, the columns are in its order.
"""
pack(td::TensorDict; dims = -1, layout = nothing) = two(Tensor, PackLayout, Raw.td_dict_pack, td, dim(dims), layout)

function pack_entries(entries, roots)
    return map(collect(Pair, entries)) do (key, dims)
        sizes = int64s(dims)
        push!(roots, sizes)
        Raw.td_pack_entry(native_key(key, roots), pointer(sizes), length(sizes))
    end
end

"Makes a layout of columns, `key => dims`, and of nodes that have further batch dims or no tensors."
function PackLayout(columns, nested = (); dims = -1, device = nothing)
    roots = Any[]
    a, b = (convert(Vector{Raw.td_pack_entry}, pack_entries(x, roots)) for x in (columns, nested))
    return GC.@preserve roots give(PackLayout, Raw.td_pack_layout_new, a, length(a), b, length(b), dim(dims), device)
end
"Returns a dict whose tensors are views of a packed tensor."
unpack(l::PackLayout, packed::AbstractArray) = give(TensorDict, Raw.td_pack_layout_unpack, l, Tensor(packed))
Base.keys(l::PackLayout) = give(KeyList, Raw.td_pack_layout_keys, l)
"Returns the keys of the nodes that a layout lists."
nested(l::PackLayout) = give(KeyList, Raw.td_pack_layout_nested, l)
shape_at(f, l, i) = (out = Vector{Int64}(undef, 64); n = Int(f(l, Int64(i - 1), out, 64)); Tuple(Int.(out[1:n])))
"Returns the feature dims of column `i`, and with `nested` the further dims of node `i`."
column_size(l::PackLayout, i::Integer; nested = false) =
    shape_at(nested ? Raw.td_pack_layout_nested_shape : Raw.td_pack_layout_shape, l, i)
"Returns the position where column `i` begins along the packed dim, from 1."
column_start(l::PackLayout, i::Integer) = Int(Raw.td_pack_layout_offset(l, Int64(i - 1))) + 1
numel(l::PackLayout) = Int(Raw.td_pack_layout_numel(l))
packed_dim(l::PackLayout) = (d = Int(Raw.td_pack_layout_dim(l)); d < 0 ? d : d + 1)
device(l::PackLayout) = (d = Raw.td_pack_layout_device(l); d.data == C_NULL ? nothing : text(d))
Base.:(==)(a::PackLayout, b::PackLayout) = Raw.td_pack_layout_equal(a, b) != 0
Base.show(io::IO, l::PackLayout) = print(io, give(String, Raw.td_pack_layout_repr, l))

# ---- Arrays of records

# A field of a struct is an element, or a tuple of equal ones.
field_of(::Type{T}) where {T<:Number} = dtype(T), Int64[]
function field_of(::Type{T}) where {T<:Tuple}
    inner, dims = field_of(fieldtype(T, 1))
    return inner, Int64[fieldcount(T); dims]
end

function record_fields(::Type{R}, roots) where {R}
    isbitstype(R) || throw(TensorDictArgumentError("records are of a type without references, not $R"))
    return map(1:fieldcount(R)) do i
        kind, dims = field_of(fieldtype(R, i))
        push!(roots, dims)
        Raw.td_field(native_key(string(fieldname(R, i)), roots), kind, 0, isempty(dims) ? C_NULL : pointer(dims),
                     length(dims), fieldoffset(R, i))
    end
end

"""
    records(A::Array{R})

Makes a dict over an array of structs, without a copy: each field is an entry, and the batch size is the size of `A`
reversed, as its memory has it.
"""
function records(A::Array{R}) where {R}
    roots = Any[]
    fields = record_fields(R, roots)
    dims = int64s(reverse(size(A)))
    return GC.@preserve roots A give(TensorDict, Raw.td_dict_from_struct_array, pointer(A), sizeof(R), dims,
                                     length(dims), fields, length(fields), FORGET[], keep(A))
end
"Copies the entries of a dict into an array of structs, with a cast."
function copy_records!(A::Array{R}, td::TensorDict) where {R}
    roots = Any[]
    fields = record_fields(R, roots)
    GC.@preserve roots A call(Raw.td_dict_to_struct_array, td, fields, length(fields), sizeof(R), pointer(A), sizeof(A))
    return A
end
