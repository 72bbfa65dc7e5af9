# The process: versions, features, threads, warnings.

"Returns the version of the loaded library."
library_version() = VersionNumber(text(Raw.td_version()))
"Returns how the library was built, as a dict of data."
build_info() = TensorDict(JSON(give(String, Raw.td_build_info)))
"""
Returns whether the library has a feature: \"segment\", \"cuda\", \"uint16\", \"archive\", \"bzip2\", \"lzma\",
\"hdf5\", \"group\", \"redis\".
"""
has_feature(name::AbstractString) = Raw.td_has_feature(name) != 0
"Returns how many bytes of files and segments are mapped."
live_bytes() = (release_collected(); Int(Raw.td_live_bytes()))
"Sets how many threads LibTorch uses inside one operator."
set_num_threads(n::Integer) = call(Raw.td_set_num_threads, Int32(n))
num_threads() = Int(Raw.td_get_num_threads())

const FAST_LEVELS = (none = Raw.TD_FAST_NONE, views = Raw.TD_FAST_VIEWS, arena = Raw.TD_FAST_ARENA)
"Sets how much the library uses its own code instead of LibTorch's: `:none`, `:views` or `:arena`."
set_fast_level(level::Symbol) = call(Raw.td_set_fast_level, FAST_LEVELS[level])
fast_level() = keys(FAST_LEVELS)[Raw.td_get_fast_level()+1]

function warned(id::Ptr{Cvoid}, message::Raw.td_str, origin::Raw.td_str)::Cvoid
    try
        kept(id)(text(message), text(origin))
    catch e
        @error "the function for warnings failed" exception = e
    end
    return nothing
end

"""
    on_warning(f)

Calls `f(text, origin)` for LibTorch's warnings; `nothing` drops them.
"""
on_warning(f) = call(Raw.td_set_warning_callback, callback(
    Raw.td_warning_function, @cfunction(warned, Cvoid, (Ptr{Cvoid}, Raw.td_str, Raw.td_str)), f))
on_warning(::Nothing) = call(Raw.td_set_warning_callback, Ptr{Raw.td_warning_function}(C_NULL))
"Makes the library usable in a forked child; call it first there."
after_fork() = Raw.td_after_fork()
