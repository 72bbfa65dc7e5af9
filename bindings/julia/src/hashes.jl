# Hashes of rows: of plugins, and functions of Julia.

"""
    Hash(type; config = nothing, members...)
    Hash(f)

A hash maps each row to 64 bits: of a plugin type, for instance `Hash("td.siphash"; seed = 42)`, or of a function that
gets
a tensor of rows and returns integers, one for each. `hash(rows)` calls it.
"""
@handle Hash td_hash TD_OBJECT_HASH
Hash(type::AbstractString; config = nothing, members...) =
    give(Hash, Raw.td_hash_new, type, config_text(config, members))

hashed(id::Ptr{Cvoid}, rows::Ptr{Raw.td_tensor}, out::TensorOut, err::Ptr{Ptr{Raw.td_error}})::Int32 =
    guarded(() -> store_tensor(out, kept(id)(borrowed(Tensor, rows))), err)
Hash(f) = give(Hash, Raw.td_hash_from_function, callback(
    Raw.td_hash_function, @cfunction(hashed, Int32,
        (Ptr{Cvoid}, Ptr{Raw.td_tensor}, TensorOut, Ptr{Ptr{Raw.td_error}})), f))

clone(h::Hash) = give(Hash, Raw.td_hash_clone, h)
(h::Hash)(rows::AbstractArray) = give(Tensor, Raw.td_hash_call, h, Tensor(rows))

"Returns the hash of each column of bytes, which are the rows of C: `hash_rows(h, bytes)` with one column a row."
function hash_rows(h::Hash, rows::Matrix{UInt8})
    out = Vector{UInt64}(undef, size(rows, 2))
    call(Raw.td_hash_rows, h, rows, size(rows, 2), size(rows, 1), size(rows, 1), out)
    return out
end
"Returns type, version, config and flags of a hash, as a dict of data."
describe(h::Hash) = TensorDict(JSON(give(String, Raw.td_hash_describe, h)))

wrote(id::Ptr{Cvoid}, bytes::Ptr{UInt8}, size::Csize_t, err::Ptr{Ptr{Raw.td_error}})::Int32 =
    guarded(() -> (unsafe_write(kept(id), bytes, size); nothing), err)
was_read(id::Ptr{Cvoid}, bytes::Ptr{UInt8}, size::Csize_t, got::Ptr{Csize_t}, err::Ptr{Ptr{Raw.td_error}})::Int32 =
    guarded(err) do
        found = read(kept(id), Int(size))
        GC.@preserve found unsafe_copyto!(bytes, pointer(found), length(found))
        unsafe_store!(got, length(found))
    end

"Writes the state of a hash beyond its config to a stream; `load_state!(h, io)` reads it."
write_state(io::IO, h::Hash) = with_kept(io) do id
    call(Raw.td_hash_save, h, Native{Raw.td_writer}(Ref(Raw.td_writer(
        write = @cfunction(wrote, Int32,
            (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Ptr{Raw.td_error}})), userdata = id)), Any[]))
end
load_state!(h::Hash, io::IO) = with_kept(io) do id
    call(Raw.td_hash_load, h, Native{Raw.td_reader}(Ref(Raw.td_reader(
        read = @cfunction(was_read, Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Ptr{Raw.td_error}})),
        userdata = id)), Any[]))
    h
end
