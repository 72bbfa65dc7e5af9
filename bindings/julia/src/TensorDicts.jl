"""
    TensorDicts

PyTorch's TensorDict, with the memory, files and shared memory of libtensordict. Begin with [`TensorDict`](@ref) and
[`Tensor`](@ref); the README shows the rest.
"""
module TensorDicts

import FileWatching
import Libdl

include("raw.jl")
include("library.jl")
include("errors.jl")
include("call.jl")
include("handles.jl")
include("convert.jl")
include("callbacks.jl")
include("json.jl")
include("dtypes.jl")
include("tensors.jl")
include("values.jl")
include("arrays.jl")
include("operators.jl")
include("autograd.jl")
include("index.jl")
include("data.jl")
include("dict/dict.jl")
include("dict/access.jl")
include("slots.jl")
include("dlpack.jl")
include("dict/update.jl")
include("dict/keys.jl")
include("dict/index.jl")
include("dict/join.jl")
include("dict/lazy.jl")
include("dict/rows.jl")
include("dict/shape.jl")
include("dict/math.jl")
include("dict/autograd.jl")
include("scopes.jl")
include("broadcast.jl")
include("packing.jl")
include("storage.jl")
include("remote.jl")
include("waiting.jl")
include("segments.jl")
include("channels.jl")
include("module/module.jl")
include("module/sequence.jl")
include("module/state.jl")
include("module/tree.jl")
include("module/hooks.jl")
include("module/optimizer.jl")
include("distributions.jl")
include("hashes.jl")
include("queries.jl")
include("query_map.jl")
include("plugins.jl")
include("process.jl")
include("exports.jl")

function __init__()
    FORGET[] = @cfunction(forget, Cvoid, (Ptr{Cvoid},))
    load_library()
    atexit(close_named)
end

end
