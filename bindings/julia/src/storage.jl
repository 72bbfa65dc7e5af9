# Dicts in files, in the formats of Python's tensordict.

const FORMATS = (
    auto = Raw.TD_FORMAT_AUTO, memmap = Raw.TD_FORMAT_MEMMAP, consolidated = Raw.TD_FORMAT_CONSOLIDATED,
    archive = Raw.TD_FORMAT_ARCHIVE, hdf5 = Raw.TD_FORMAT_HDF5, safetensors = Raw.TD_FORMAT_SAFETENSORS,
    torch_save = Raw.TD_FORMAT_TORCH_SAVE,
)
const OPEN_MODES = (read = Raw.TD_OPEN_READ, cow = Raw.TD_OPEN_COW, read_write = Raw.TD_OPEN_READ_WRITE)
const COMPRESSIONS = (none = Raw.TD_COMPRESSION_NONE, deflate = Raw.TD_COMPRESSION_DEFLATE,
    lzma = Raw.TD_COMPRESSION_LZMA)
format_name(number) = keys(FORMATS)[findfirst(==(number), values(FORMATS))]

"""
    open(TensorDict, path; mode = :read, format = :auto, lenient = false, trusted = false, part = nothing)

Opens what Python's `td.save(path)` or [`save`](@ref) wrote: a memmap directory, `.td`, `.tdz`, `.safetensors`, or
HDF5 (named or trusted); and the `.pt` of a state dict. Memory is mapped read-only; with `:cow` writes stay in this
process, and with `:read_write` they go to the file. `part` is the key of the only dict to open.
"""
function Base.open(::Type{TensorDict}, path::AbstractString; mode = :read, format = :auto, lenient = false,
                   trusted = false, part = nothing)
    o = options(Raw.td_open_options; mode = OPEN_MODES[mode], format = FORMATS[format], lenient = lenient,
                trusted = trusted, part = part)
    return give(TensorDict, Raw.td_open, path, o)
end
Base.open(f::Function, ::Type{TensorDict}, path::AbstractString; kwargs...) =
    closing(f, open(TensorDict, path; kwargs...))

# Calls `f(x)`, then closes `x`.
function closing(f, x)
    try
        return f(x)
    finally
        close(x)
    end
end

progressed(id::Ptr{Cvoid}, done::Int64, total::Int64, err::Ptr{Ptr{Raw.td_error}})::Int32 =
    guarded(() -> (kept(id)(done, total); nothing), err)

function save_options(; overwrite = false, sync = false, threads = 0, progress = nothing, format = :auto,
                      compression = :none)
    native = progress === nothing ? Ptr{Raw.td_progress}(C_NULL) : callback(
        Raw.td_progress, @cfunction(progressed, Int32, (Ptr{Cvoid}, Int64, Int64, Ptr{Ptr{Raw.td_error}})), progress)
    return options(Raw.td_save_options; overwrite = overwrite, sync = sync, threads = threads, progress = native,
                   format = FORMATS[format], compression = COMPRESSIONS[compression])
end

"""
    save(td, path; overwrite = false, sync = false, threads = 0, progress = nothing, format = :auto,
        compression = :none)

Saves a dict as Python does: a directory, or the format that the ending of `path` names. The old or the new save is
there, never a part of one. `progress(done, total)` is called with bytes; an exception of it cancels the save.
"""
save(td::TensorDict, path::AbstractString; kwargs...) = call(Raw.td_save, td, path, save_options(; kwargs...))

"Returns the format of a file, by its bytes: `:memmap`, `:consolidated`, `:archive`, `:hdf5`, `:safetensors` or
`:torch_save`."
detect_format(path::AbstractString) = format_name(give(Int32, Raw.td_format_detect, path))
"Returns the format in which [`save`](@ref) writes a file of this name."
format_of_ending(path::AbstractString) = format_name(give(Int32, Raw.td_format_of_ending, path))
"Reads all of an archive and compares every checksum."
verify_archive(path::AbstractString) = call(Raw.td_archive_verify, path)
"Updates the checksums of an archive after writes to it."
refresh_archive_checksums(path::AbstractString) = call(Raw.td_archive_refresh_checksums, path)
"Returns a locked copy with all tensors in one allocation."
consolidate(td::TensorDict) = give(TensorDict, Raw.td_dict_consolidate, td)

# ---- Directories that stay open as dicts

"Makes a memmap directory with the structure of `td` and zeros, and opens it for reading and writing."
memmap_like(td::TensorDict, path::AbstractString; kwargs...) =
    give(TensorDict, Raw.td_dict_memmap_like, td, path, save_options(; kwargs...))
"Makes a new entry of zeros in the directory and in the dict."
make_memmap!(td::TensorDict, key::Key, ::Type{T}, dims::Integer...) where {T} =
    give(Tensor, Raw.td_dict_make_memmap, td, key, int64s(dims), length(dims), dtype(T))
"Makes a new entry in the directory with the elements of `value`."
make_memmap_from!(td::TensorDict, key::Key, value) =
    give(Tensor, Raw.td_dict_make_memmap_from, td, key, Tensor(value))
"Opens the directory again: what other processes added appears."
memmap_refresh!(td::TensorDict) = (call(Raw.td_dict_memmap_refresh_, td); td)
"Returns whether the tensors were mapped from files when the dict was opened."
is_memmap(td::TensorDict) = Raw.td_dict_is_memmap(td) != 0
"Returns the directory that a dict was opened from, or the file of a tensor, or `nothing`."
saved_path(td::TensorDict) = give(Union{Nothing,String}, Raw.td_dict_saved_path, td)
saved_path(t::Tensor) = give(Union{Nothing,String}, Raw.td_tensor_saved_path, t)
"Returns the Python class of a dict that was a tensorclass, or `nothing`."
python_class(td::TensorDict) = give(Union{Nothing,String}, Raw.td_dict_python_class, td)
"Returns the fields of a tensorclass that are not entries, as JSON."
python_fields(td::TensorDict) = JSON(give(String, Raw.td_dict_python_fields, td))
"Appends rows to a memmap directory and all dicts in it."
append_memmap(path::AbstractString, rows::TensorDict; sync::Bool = false) = call(Raw.td_append_memmap, path, rows, sync)

# ---- Tensors in files of their own

"""
    memmap_zeros(Tensor{T}, path, dims...; overwrite = false)
    memmap_full(Tensor{T}, x, path, dims...)
    memmap_from(t, path)
    memmap_open(Tensor{T}, path, dims...; mode = :read)

A tensor in a file with only its row-major elements, as Python's MemoryMappedTensor.
"""
memmap_zeros(::TensorOf{T}, path::AbstractString, dims::Integer...; kwargs...) where {T} = give(
    Tensor, Raw.td_tensor_memmap_zeros, path, int64s(dims), length(dims), dtype(T), save_options(; kwargs...))
memmap_full(::TensorOf{T}, x::Number, path::AbstractString, dims::Integer...; kwargs...) where {T} = give(
    Tensor, Raw.td_tensor_memmap_full, path, int64s(dims), length(dims), value(x), dtype(T), save_options(; kwargs...))
memmap_from(t::Tensor, path::AbstractString; kwargs...) =
    give(Tensor, Raw.td_tensor_memmap_from, t, path, save_options(; kwargs...))
memmap_open(::TensorOf{T}, path::AbstractString, dims::Integer...; mode = :read) where {T} = give(
    Tensor, Raw.td_tensor_memmap_open, path, int64s(dims), length(dims), dtype(T), OPEN_MODES[mode])

# ---- Dicts in HDF5 files

"""
    open_hdf5(path; mode = :read, create = false, batch = nothing, max_batch_dims = 0, compression = 0,
        chunks = nothing, shuffle = false)

Opens, or creates, an HDF5 file as a dict that stays in it: each look-up reads, and each write goes to the file.
Only for files that you trust. [`close_file`](@ref) closes it.
"""
function open_hdf5(path::AbstractString; mode = :read, create = false, batch = nothing, max_batch_dims = 0,
                   compression = 0, chunks = nothing, shuffle = false)
    o = options(Raw.td_persistent_options; mode = OPEN_MODES[mode], compression = compression,
                batch_size = given(batch), ndim = counted(batch), max_batch_dims = max_batch_dims,
                chunks = given(chunks), n_chunks = counted(chunks), shuffle = shuffle)
    return give(TensorDict, create ? Raw.td_persistent_create : Raw.td_persistent_open, path, o)
end
given(::Nothing) = Ptr{Int64}(C_NULL)
given(dims) = int64s(dims)
counted(x) = x === nothing ? 0 : length(x)

"Returns the path with which the HDF5 file of a dict was opened; on a server, the URL without the password."
file_of(td::TensorDict) = give(String, Raw.td_persistent_file, td)
"Returns whether a dict is in an HDF5 file, or on a server, and open for writing."
is_writable(td::TensorDict) = Raw.td_persistent_is_writable(td) != 0
"Closes the HDF5 file, or the connection to a server, for a dict and all dicts in it."
close_file(td::TensorDict) = call(Raw.td_persistent_close, td)

# ---- Dicts from a description

const STORAGES = (memory = Raw.TD_STORAGE_MEMORY, shared = Raw.TD_STORAGE_SHARED, memmap = Raw.TD_STORAGE_MEMMAP,
                  hdf5 = Raw.TD_STORAGE_HDF5)

"""
    from_schema(batch, key => (T, dims...)...; storage = :memory, path = nothing, device = nothing, save...)

Makes a dict of zeros in memory, in shared memory, in a directory or in an HDF5 file.

    from_schema((1000,), "obs" => (UInt8, 84, 84), "reward" => (Float32,); storage = :memmap, path = "replay")
"""
function from_schema(batch, entries::Pair...; storage = :memory, path = nothing, device = nothing, save...)
    roots = Any[]
    native_entries = map(collect(entries)) do (key, spec)
        sizes = int64s(spec[2:end])
        push!(roots, sizes)
        Raw.td_schema_entry(native_key(key, roots), dtype(first(spec)), 0, isempty(sizes) ? C_NULL : pointer(sizes),
            length(sizes))
    end
    native_save = isempty(save) ? Ptr{Raw.td_save_options}(C_NULL) : save_options(; save...)
    o = options(Raw.td_schema_options; storage = STORAGES[storage], path = path, device = device, save = native_save)
    push!(o.kept, roots)
    return give(TensorDict, Raw.td_dict_from_schema, convert(Vector{Raw.td_schema_entry}, native_entries),
                length(native_entries), int64s(batch), length(batch), o)
end
