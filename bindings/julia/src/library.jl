# Finding libtensordict: TENSORDICT_LIB_DIR, then pkg-config, then where the system looks.

const LIBRARY = Ref(C_NULL)
const LOAD_ERROR = Ref("")

function pkgconfig_directory()
    Sys.which("pkg-config") === nothing && return ""
    try
        return strip(read(pipeline(`pkg-config --variable=libdir tensordict`; stderr = devnull), String))
    catch
        return ""
    end
end

function candidates()
    name = "libtensordict.so.$(Raw.TD_ABI_MAJOR)"
    own = get(ENV, "TENSORDICT_LIB_DIR", "")
    isempty(own) || return [joinpath(own, name)]
    found = pkgconfig_directory()
    return isempty(found) ? [name] : [joinpath(found, name), name]
end

const INSTALL = "install libtensordict (`make install` in its repository), or set TENSORDICT_LIB_DIR to its directory"

# Opens the library and fills the table of `Raw`; what goes wrong is kept for the first call.
function load_library()
    LOAD_ERROR[] = ""
    for path in candidates()
        handle = Libdl.dlopen_e(path)
        handle == C_NULL && continue
        abi = Libdl.dlsym_e(handle, :td_abi_version)
        if abi == C_NULL || ccall(abi, Int32, ()) != Raw.TD_ABI_MAJOR
            LOAD_ERROR[] = "$path has another ABI than $(Raw.TD_ABI_MAJOR), for which this package is made: $INSTALL"
            continue
        end
        LIBRARY[] = handle
        Raw.load(name -> Libdl.dlsym_e(handle, name))
        LOAD_ERROR[] = ""
        return nothing
    end
    if isempty(LOAD_ERROR[])
        LOAD_ERROR[] = "libtensordict was not found as $(join(candidates(), " or ")): $INSTALL"
    end
    return nothing
end

"""
    TensorDicts.loaded() -> Bool

Returns whether libtensordict was found. Without it, every other call throws an error that says what to install.
"""
loaded() = LIBRARY[] != C_NULL
