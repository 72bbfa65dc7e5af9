/* ==== Tensors in their own files ====================================================================================
 * Such a file has only the row-major elements of one tensor, like the file of each leaf in a memmap directory and that
 * of Python's MemoryMappedTensor. The caller who opens it gives dtype and shape. All processes that have it open see
 * each other's writes.
 *
 *     td_tensor_memmap_zeros(TD_STR("/dev/shm/frames"), TD_SHAPE(1000, 84, 84), TD_DTYPE_UINT8, NULL, &frames, &err);
 *     td_tensor_memmap_open(TD_STR("/dev/shm/frames"), TD_SHAPE(1000, 84, 84), TD_DTYPE_UINT8, TD_OPEN_READ, &seen,
 *                           &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_STORAGE_TENSOR_H
#define TENSORDICT_STORAGE_TENSOR_H

#include "handles.h"
#include "storage.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a file of zeros, or of one value everywhere, and opens it with TD_OPEN_READ_WRITE. The directory must exist;
 * the file appears atomically. TD_DTYPE_NONE is float32. `options` may be NULL; only overwrite, sync, threads and
 * progress are used. Tensors mapped from a file that is replaced keep the old elements.   Like
 * MemoryMappedTensor.zeros, empty, ones, full.
 * Errors: EXISTS if the path exists, unless it is a file and may be overwritten; SHAPE for a negative or overflowing
 * size; DTYPE; TORCH if the dtype cannot hold `value`; UNSUPPORTED for options.format other than AUTO and MEMMAP;
 * CALLBACK if the progress callback cancels; NOT_FOUND for a missing directory; NOSPACE; IO.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_memmap_zeros(td_str path, const int64_t *dims, size_t ndim, td_dtype dtype,
                                        TD_NULLABLE const td_save_options *options, td_tensor **out,
                                        td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_memmap_full(td_str path, const int64_t *dims, size_t ndim, const td_value *value,
                                       td_dtype dtype, TD_NULLABLE const td_save_options *options, td_tensor **out,
                                       td_error **err) TD_NOEXCEPT;

/* Makes a file with a copy of the elements of `self`, which may be the tensor in the file that is replaced. The new
 * tensor does not require grad.   Like MemoryMappedTensor.from_tensor, which refuses tensors that require grad or have
 * a file.
 * Errors: as td_tensor_memmap_zeros; UNSUPPORTED for layouts without bytes.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_memmap_from(const td_tensor *self, td_str path, TD_NULLABLE const td_save_options *options,
                                       td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Opens the beginning of a file as a tensor; the rest of the file is ignored. `path` may be a link.   Like
 * MemoryMappedTensor.from_filename, which extends files that are too short.
 * Errors: NOT_FOUND; CORRUPT if the file is shorter than the shape needs, or is not a regular file; SHAPE for a
 * negative or overflowing size; DTYPE; IO, also if TD_OPEN_READ_WRITE is given without permission to write.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_tensor_memmap_open(td_str path, const int64_t *dims, size_t ndim, td_dtype dtype, td_open_mode mode,
                                       td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns the absolute path, with links resolved, of the file that the tensor, or the tensor that it is a view of, is
 * mapped from: a file that these functions made or opened, or a leaf of a memmap directory. `*out` is NULL for all
 * other tensors, for tensors without elements, and if the file was removed or replaced.   Like
 * MemoryMappedTensor.filename.
 * Errors: ARGUMENT.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_tensor_saved_path(const td_tensor *self, TD_OUT_NULLABLE td_string **out,
                                      td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_STORAGE_TENSOR_H */
