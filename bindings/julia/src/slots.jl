# A tensor object that is used again.

"""
    Slot{T,N}()

Shows one tensor after the other, for loops that get many of one type: `slot(td, path)` is the `Tensor{T,N}` under a
[`Path`](@ref), until the next call. `clone` or `share` what is to stay. The type is known, so no method is looked up at
run time, and no object is made. A slot is for one task at a time; `close` empties it.
"""
mutable struct Slot{T,N}
    shown::Tensor{T,N}
    found::Base.RefValue{Ptr{Raw.td_tensor}}  # outputs of calls, made once
    err::ErrorRef
    dims::Base.RefValue{NTuple{N,Int}}
    Slot{T,N}() where {T,N} = new{T,N}(Tensor{T,N}(Ptr{Raw.td_tensor}(C_NULL), ntuple(_ -> 0, N)),
                                       Ref(Ptr{Raw.td_tensor}(C_NULL)), newerror(), Ref(ntuple(_ -> 0, N)))
end

@inline function (slot::Slot{T,N})(td::TensorDict, path::Path) where {T,N}
    status = GC.@preserve td path Raw.td_dict_get_path(live_pointer(td), live_pointer(path), slot.found, slot.err)
    status == Raw.TD_OK || fail(status, slot.err)
    p, shown = slot.found[], slot.shown
    before = shown.handle
    p == before || show_other(slot, p)
    before == C_NULL || Raw.td_tensor_release(before)
    return shown
end

# Another tensor than before: of this type, and with dims of its own.
function show_other(slot::Slot{T,N}, p) where {T,N}
    (Raw.td_tensor_dtype(p) == dtype(T) && Raw.td_tensor_ndim(p) == N) || other_type(slot, p)
    GC.@preserve slot Raw.td_tensor_shape(p, Ptr{Int64}(pointer_from_objref(slot.dims)), N)
    slot.shown.handle, slot.shown.size = p, slot.dims[]
    return nothing
end

@noinline function other_type(::Slot{T,N}, p) where {T,N}
    seen = own_tensor(p)
    throw(TensorDictDtypeError("the tensor is a $(typeof(seen)), and the slot is for Tensor{$T,$N}: make another Slot"))
end

"Makes one more object of the same tensor."
share(t::Tensor) = GC.@preserve t borrowed(Tensor, live_pointer(t))

Base.close(slot::Slot) = close(slot.shown)
