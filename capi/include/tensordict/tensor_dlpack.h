/* ==== DLPack ========================================================================================================
 * Exchanges tensors with NumPy, JAX, CuPy, Arrow and PyTorch without a copy. dlpack.h (any 1.x for the versioned
 * struct) defines the structs; this header only declares them.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_TENSOR_DLPACK_H
#define TENSORDICT_TENSOR_DLPACK_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* Exports a tensor: the receiver calls the struct's deleter once. Read-only tensors have DLPack's read-only flag; the
 * unversioned form has no such flag, so it refuses them with LOCKED.   Like Tensor.__dlpack__.
 * Errors: UNSUPPORTED for sparse, conjugated or vmapped tensors and tensors that require grad (detach first); DEVICE if
 * the data is not in this process's memory; DTYPE; LOCKED, see above.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_to_dlpack(const td_tensor *self, struct DLManagedTensorVersioned **out,
                                     td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_to_dlpack_unversioned(const td_tensor *self, struct DLManagedTensor **out,
                                                 td_error **err) TD_NOEXCEPT;

/* Imports a tensor: calls its deleter when the last view is released, or before this call returns if it fails.   Like
 * torch.from_dlpack.
 * Errors: VERSION for another DLPack major; DTYPE; DEVICE; SHAPE; ARGUMENT for data that is not aligned.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_from_dlpack(TD_TAKES struct DLManagedTensorVersioned *managed, td_tensor **out,
                                       td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_from_dlpack_unversioned(TD_TAKES struct DLManagedTensor *managed, td_tensor **out,
                                                   td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_TENSOR_DLPACK_H */
