/* ==== Tensors =======================================================================================================
 * A td_tensor is a reference to a LibTorch tensor, like Python's torch.Tensor: with shared storage, any strides, and
 * autograd. Nothing is copied unless the doc says so.
 *
 *     float xs[6] = {1, 2, 3, 4, 5, 6};
 *     td_tensor *x;
 *     td_tensor_copy_from(xs, TD_DTYPE_FLOAT32, TD_SHAPE(2, 3), &x, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_TENSOR_H
#define TENSORDICT_TENSOR_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a tensor over `data` without a copy. The caller keeps the memory valid until `release(owner)` is called: when
 * the last view is released, or before this call returns if it fails. `strides` counts elements; NULL means row-major.
 * `release` may be NULL if the memory outlives every use of it.   Like torch.from_blob.
 * Errors: ARGUMENT for a NULL `data` with elements, or one that is not aligned to its dtype; DTYPE; SHAPE for a
 * negative or overflowing size or a negative stride.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_from_memory(TD_NULLABLE TD_KEEPS TD_LEN(dims) void *data, td_dtype dtype,
                                       const int64_t *dims, size_t ndim,
                                       TD_NULLABLE TD_LEN(ndim) const int64_t *strides,
                                       TD_NULLABLE TD_KEEPS td_release_fn release, TD_KEEPS void *owner,
                                       td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Makes a tensor with a copy of row-major `data`.   Like torch.tensor.
 * Errors: as td_tensor_from_memory, without the alignment; OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_copy_from(TD_NULLABLE TD_LEN(dims) const void *data, td_dtype dtype, const int64_t *dims,
                                     size_t ndim, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Makes a tensor on `device` (NULL data: "cpu") with undefined contents, zeros, one value everywhere, or standard
 * normal numbers. TD_DTYPE_NONE is float32. If `generator` is NULL, LibTorch's default one is used.   Like torch.empty,
 * zeros, full, randn.
 * Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; TORCH if the dtype cannot hold `value`; UNSUPPORTED
 * for a `value` that is not a number.
 * [any-thread]  Since 0.1 */
TD_API td_status td_tensor_empty(const int64_t *dims, size_t ndim, td_dtype dtype, td_str device, td_tensor **out,
                                 td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_zeros(const int64_t *dims, size_t ndim, td_dtype dtype, td_str device, td_tensor **out,
                                 td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_full(const int64_t *dims, size_t ndim, const td_value *value, td_dtype dtype, td_str device,
                                td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_randn(const int64_t *dims, size_t ndim, td_dtype dtype, td_str device,
                                 TD_NULLABLE TD_WRITES td_generator *generator, td_tensor **out,
                                 td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_tensor_retain(const td_tensor *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_tensor_release(const td_tensor *self) TD_NOEXCEPT;

/* Returns the number of dims; 0 for NULL.   Like Tensor.ndim.   [any-thread] [leaf]  Since 0.1 */
TD_API size_t td_tensor_ndim(const td_tensor *self) TD_NOEXCEPT;

/* Fills up to `capacity` entries of `out` and returns the number of dims; `out` may be NULL if `capacity` is 0. Strides
 * count elements. Returns 0 for a NULL tensor, and for the strides of layouts without strides.   Like Tensor.shape,
 * stride.   [any-thread] [leaf]  Since 0.1 */
TD_API size_t td_tensor_shape(const td_tensor *self, int64_t *out, size_t capacity) TD_NOEXCEPT;
TD_API size_t td_tensor_strides(const td_tensor *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Returns the number of elements, the size of one element in bytes, or the size of all elements in bytes; 0 for NULL.
 * Like Tensor.numel, itemsize, nbytes.   [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_tensor_numel(const td_tensor *self) TD_NOEXCEPT;
TD_API int64_t td_tensor_itemsize(const td_tensor *self) TD_NOEXCEPT;
TD_API int64_t td_tensor_nbytes(const td_tensor *self) TD_NOEXCEPT;

/* Returns the name of a dtype in Python, for instance "float32"; empty for TD_DTYPE_NONE and unknown ones. The text is
 * static.   Like str(dtype).   [any-thread]  Since 0.2 */
TD_API td_str td_dtype_name(td_dtype dtype) TD_NOEXCEPT;

/* Returns the size of one element in bytes; 0 for TD_DTYPE_NONE and unknown ones.   Like dtype.itemsize.
 * [any-thread]  Since 0.2 */
TD_API int64_t td_dtype_size(td_dtype dtype) TD_NOEXCEPT;

/* Returns the dtype with that name, with or without "torch." before it.   Errors: DTYPE for an unknown name, or a dtype
 * that this LibTorch lacks.   [any-thread]  Since 0.2 */
TD_API td_status td_dtype_from_name(td_str name, td_dtype *out, td_error **err) TD_NOEXCEPT;

/* Returns the element type; TD_DTYPE_NONE for NULL and for types without a td_dtype.   Like Tensor.dtype.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_dtype td_tensor_dtype(const td_tensor *self) TD_NOEXCEPT;

/* Returns the dtype of the elements in the file or shared memory that the tensor was opened from. This is
 * td_tensor_dtype unless this LibTorch lacks the dtype. Then the tensor is uint8 and shows the bytes of the elements,
 * in one more, last dim if an element has more than one. Views of whole elements, clones, saves, segments and channels
 * keep the dtype; all other functions see bytes. TD_DTYPE_NONE for NULL.   [any-thread] [leaf]  Since 0.2 */
TD_API td_dtype td_tensor_stored_dtype(const td_tensor *self) TD_NOEXCEPT;

/* Returns the device, as "cpu" or "cuda:0"; NULL data for NULL. The text is static.   Like Tensor.device.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_tensor_device(const td_tensor *self) TD_NOEXCEPT;

/* Returns 1 if the elements are in row-major order without gaps.   Like Tensor.is_contiguous.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_bool td_tensor_is_contiguous(const td_tensor *self) TD_NOEXCEPT;

/* Returns 1 if the memory is mapped read-only. Writing through td_tensor_data would fault; functions of this library
 * that would write return LOCKED.   [any-thread]  Since 0.1 */
TD_API td_bool td_tensor_is_read_only(const td_tensor *self) TD_NOEXCEPT;

/* Returns 1 if writes to the memory are visible in forked processes, or in processes that map the same file or segment,
 * and for GPU memory.   Like Tensor.is_shared.   [any-thread]  Since 0.1 */
TD_API td_bool td_tensor_is_shared(const td_tensor *self) TD_NOEXCEPT;

/* The flags of td_tensor_facts. */
typedef uint64_t td_tensor_flags;
enum {
  TD_TENSOR_CONTIGUOUS = 1 << 0,    /* as td_tensor_is_contiguous */
  TD_TENSOR_READ_ONLY = 1 << 1,     /* as td_tensor_is_read_only */
  TD_TENSOR_REQUIRES_GRAD = 1 << 2, /* as td_tensor_requires_grad */
  TD_TENSOR_STRIDED = 1 << 3        /* dense; there are strides */
};

/* The facts that td_tensor_info returns. Arrays and text live as long as the tensor, and change with it in place. */
typedef struct td_tensor_facts {
  size_t struct_size;
  td_dtype dtype;        /* TD_DTYPE_NONE for types without a td_dtype */
  td_dtype stored_dtype; /* as td_tensor_stored_dtype */
  td_tensor_flags flags; /* TD_TENSOR_... */
  size_t ndim;
  TD_LEN(ndim) const int64_t *sizes;
  TD_NULLABLE TD_LEN(ndim) const int64_t *strides; /* in elements; NULL without TD_TENSOR_STRIDED */
  int64_t numel;
  int64_t itemsize;             /* of one element, in bytes */
  TD_NULLABLE const void *data; /* the first element; NULL where td_tensor_data fails */
  td_str device;                /* "cpu", "cuda:0" */
} td_tensor_facts;
#define TD_TENSOR_FACTS_INIT                                       \
  {                                                                \
    sizeof(td_tensor_facts), 0, 0, 0, 0, NULL, NULL, 0, 0, NULL, { \
      NULL, 0                                                      \
    }                                                              \
  }

/* Fills `*out`, whose struct_size the caller sets, with all of these facts.   [any-thread]  Since 0.2 */
TD_API td_status td_tensor_info(const td_tensor *self, td_tensor_facts *out, td_error **err) TD_NOEXCEPT;

/* Returns a pointer to the first element of a CPU tensor, valid while the tensor lives. It is never NULL on success,
 * not even for 0 elements. td_tensor_mutable_data refuses read-only tensors.   Like Tensor.data_ptr.
 * Errors: DEVICE if the data is not in this process's memory; LOCKED; UNSUPPORTED for sparse tensors, for tensors with
 * a lazy conjugate or negative bit, and inside a vmap.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_data(const td_tensor *self, const void **out_view, td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_mutable_data(td_tensor *self, void **out_view, td_error **err) TD_NOEXCEPT;

/* Returns a copy with its own memory.   Like Tensor.clone.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_clone(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns the same tensor if it is already row-major, else a row-major copy.   Like Tensor.contiguous.
 * [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_tensor_contiguous(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns a copy with `dtype` (TD_DTYPE_NONE: keep) on `device` (NULL data: keep), or the same tensor if nothing
 * changes.   Like Tensor.to.   Errors: DTYPE; DEVICE.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_tensor_to(const td_tensor *self, td_dtype dtype, td_str device, td_tensor **out,
                              td_error **err) TD_NOEXCEPT;

/* Copies `src` into the memory of `self`, with broadcasting and a dtype cast.   Like Tensor.copy_.
 * Errors: SHAPE; LOCKED if `self` is read-only; TORCH for a leaf that requires grad.   [exclusive]  Since 0.1 */
TD_API td_status td_tensor_copy_(td_tensor *self, const td_tensor *src, td_error **err) TD_NOEXCEPT;

/* Returns the value of a tensor with one element, as INT, DOUBLE or BOOL.   Like Tensor.item.
 * Errors: SHAPE if it has more or fewer elements; DTYPE for complex ones.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_item(const td_tensor *self, td_value *out, td_error **err) TD_NOEXCEPT;

/* Returns the text that Python prints for the same tensor with torch's default print options, for instance "tensor([1.,
 * 2.])". If there are more than 1000 elements, it shows the first three and the last three along each dim.   Like
 * repr(tensor).
 * Errors: UNSUPPORTED for quantized tensors, for layouts that are neither strided nor sparse, and for tensors that a
 * vmap maps.   [any-thread]  Since 0.2 */
TD_API td_status td_tensor_repr(const td_tensor *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* ---- Lists of tensors -------------------------------------------------------------------------------------------- */

/* Returns the number of tensors; 0 for NULL.   [any-thread] [leaf]  Since 0.1 */
TD_API size_t td_tensor_list_size(const td_tensor_list *self) TD_NOEXCEPT;

/* Returns a new reference to the tensor at `index`.   Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_list_get(const td_tensor_list *self, int64_t index, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;

/* Returns all tensors as one array of `*out_size` handles, which live as long as the list: retain what you keep. An
 * element is NULL where there is no tensor.   [any-thread]  Since 0.2 */
TD_API td_status td_tensor_list_view(const td_tensor_list *self, td_tensor *const **out_view, size_t *out_size,
                                     td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_tensor_list_retain(const td_tensor_list *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_tensor_list_release(const td_tensor_list *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_TENSOR_H */
