# Tensors to and from other libraries of C in the process, without a copy.

"""
    to_dlpack(t::Tensor; versioned = true) -> Ptr{Cvoid}

Exports a tensor as a `DLManagedTensorVersioned` of dlpack.h, or as the older `DLManagedTensor`, which cannot say that a
tensor is read-only and refuses those. Who receives it calls its deleter once; nobody else frees it.
"""
to_dlpack(t::Tensor; versioned::Bool = true) =
    give(Ptr{Cvoid}, versioned ? Raw.td_tensor_to_dlpack : Raw.td_tensor_to_dlpack_unversioned, t)

"""
    from_dlpack(managed::Ptr; versioned = true) -> Tensor

Makes a tensor of a `DLManagedTensorVersioned`, or of a `DLManagedTensor`, and takes it over: its deleter runs when the
last view of it ends, or before this throws.
"""
from_dlpack(managed::Ptr; versioned::Bool = true) =
    give(Tensor, versioned ? Raw.td_tensor_from_dlpack : Raw.td_tensor_from_dlpack_unversioned, managed)
