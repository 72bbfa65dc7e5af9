/* ==== Tensors in files of their own =================================================================================
 * A file of the elements of one tensor, row-major and nothing else: what a memmap directory has for each leaf, and
 * Python's MemoryMappedTensor. Who opens it says dtype and shape. All that have it open see each other's writes.
 *
 *     td_tensor_memmap_zeros(TD_STR("/dev/shm/frames"), TD_SHAPE(1000, 84, 84), TD_UINT8, NULL, &frames, &err);
 *     td_tensor_memmap_open(TD_STR("/dev/shm/frames"), TD_SHAPE(1000, 84, 84), TD_UINT8, TD_MODE_READ, &seen, &err);
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

/* Makes a file of zeros, or of one value everywhere, and opens it with TD_MODE_READ_WRITE. The directory must be there;
 * the file appears at one stroke. TD_DTYPE_NONE is float32. Of `options`, which may be NULL, overwrite, sync, threads
 * and progress count. What was mapped from a file that is replaced keeps the old elements.   Like
 * MemoryMappedTensor.zeros, empty, ones, full.
 * Errors: EXISTS if something is there, unless it is a file and may be overwritten; SHAPE for a negative or overflowing
 * size; DTYPE; TORCH if the dtype cannot hold `value`; UNSUPPORTED for options.format other than AUTO and MEMMAP;
 * CALLBACK if the progress function gives up; NOT_FOUND for a missing directory; NOSPACE; IO.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_memmap_zeros(td_str path, const int64_t *dims, size_t ndim, td_dtype dtype,
                                        TD_NULLABLE const td_save_options *options, td_tensor **out,
                                        td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_memmap_full(td_str path, const int64_t *dims, size_t ndim, double value, td_dtype dtype,
                                       TD_NULLABLE const td_save_options *options, td_tensor **out,
                                       td_error **err) TD_NOEXCEPT;

/* The same with a copy of the elements of `self`, which may be the tensor in the file that is replaced. The new tensor
 * requires no grad.   Like MemoryMappedTensor.from_tensor, which refuses tensors that require grad or have a file.
 * Errors: as td_tensor_memmap_zeros; UNSUPPORTED for layouts without bytes.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_memmap_from(const td_tensor *self, td_str path, TD_NULLABLE const td_save_options *options,
                                       td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Opens the front of a file as a tensor; what follows in the file is ignored. `path` may be a link.   Like
 * MemoryMappedTensor.from_filename, which makes files that are too short longer.
 * Errors: NOT_FOUND; CORRUPT if the file is shorter than the shape needs, or is no regular file; SHAPE for a negative
 * or overflowing size; DTYPE; IO, also without the right to write under TD_MODE_READ_WRITE.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_tensor_memmap_open(td_str path, const int64_t *dims, size_t ndim, td_dtype dtype, td_open_mode mode,
                                       td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns the absolute path, with links resolved, of the file whose elements the tensor, or what it is a view of, has
 * in memory: one that these functions made or opened, or a leaf of a memmap directory. Empty for all others, without
 * elements, and if the file is gone or replaced.   Like MemoryMappedTensor.filename.
 * Errors: ARGUMENT.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_tensor_saved_path(const td_tensor *self, td_string **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_STORAGE_TENSOR_H */
