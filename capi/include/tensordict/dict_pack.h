/* ==== One tensor of all =============================================================================================
 * The features of all tensors side by side in one tensor, for a network or an optimizer that takes a vector, and back.
 * The layout knows where each tensor is: it fits every dict of these keys and features, whatever its batch size.
 *
 *     td_dict_pack(td, -1, NULL, &flat, &layout, &err);                    // [32, 13]
 *     td_dict_pack(other, -1, layout, &same_columns, NULL, &err);
 *     td_pack_layout_unpack(layout, flat, &again, &err);                   // views of `flat`
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_PACK_H
#define TENSORDICT_DICT_PACK_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Joins the features of all tensors along a new dim at `dim` of the batch dims (negative counts from the end of the
 * result), row-major, in the order of their sorted keys, or of the columns of `layout`, which may be NULL and has the
 * same tensors with the same features then, along the same dim. `out_layout` may be NULL. A lazy stack is packed as a
 * dense dict. Without tensors the result is float32.   Like TensorDict.pack(dim, layout).
 * Errors: INDEX; UNSUPPORTED naming non-tensor data (td_dict_filter_non_tensor_data); DTYPE and DEVICE naming a tensor
 * that differs from the first; KEY where members of a lazy stack have other keys, and naming a tensor that only one of
 * the dict and the layout has; SHAPE naming a tensor whose features differ from the layout's, or between members;
 * ARGUMENT for a layout along another dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pack(const td_dict *self, int64_t dim, TD_NULLABLE const td_pack_layout *layout,
                              td_tensor **out, TD_NULLABLE td_pack_layout **out_layout, td_error **err) TD_NOEXCEPT;

/* A tensor with the shape of its features, or a node with the batch dims that it has beyond the root's. */
typedef struct td_pack_entry {
  const td_key *key;
  const int64_t *dims; /* NULL for none */
  size_t ndim;
} td_pack_entry;

/* Makes a layout of these columns, in this order, and of the nodes that they are in as far as those have more batch
 * dims, or no tensors; a node comes before what it holds. `device` with data says that the packed dict had a device.
 * Like PackLayout(keys, shapes, dim, nested, device).
 * Errors: EXISTS for a key that comes twice; KEY if one runs through another; SHAPE for a negative or overflowing size;
 * INDEX for a dim beyond 62; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_new(const td_pack_entry *columns, size_t n_columns, const td_pack_entry *nested,
                                    size_t n_nested, int64_t dim, td_str device, td_pack_layout **out,
                                    td_error **err) TD_NOEXCEPT;

/* Returns a dict whose tensors are views of `packed`; its batch size is the shape of `packed` without the packed dim,
 * and so any number of rows and of dims. If the packed dict had a device, it is on that of `packed`. What was a lazy
 * stack or parameters is an ordinary dict; names are not kept, Python's classes are.   Like PackLayout.unpack.
 * Errors: INDEX if `packed` lacks the dim; SHAPE for another number of columns.   [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_unpack(const td_pack_layout *self, const td_tensor *packed, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* Returns the keys of the columns, in their order, and of the nodes, sorted.   Like PackLayout.keys, nested.
 * [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_keys(const td_pack_layout *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_pack_layout_nested(const td_pack_layout *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` with the features of the column, or the further batch dims of the node, at
 * `index`, and return their number; 0 for NULL and beyond the last.   Like PackLayout.shapes, nested.
 * [any-thread]  Since 0.1 */
TD_API size_t td_pack_layout_shape(const td_pack_layout *self, size_t index, int64_t *out, size_t capacity) TD_NOEXCEPT;
TD_API size_t td_pack_layout_nested_shape(const td_pack_layout *self, size_t index, int64_t *out,
                                          size_t capacity) TD_NOEXCEPT;

/* Where the column at `index` begins along the packed dim, -1 beyond the last; the size of that dim; and its position,
 * which a layout of td_dict_pack counts from the end. 0 for NULL.   Like PackLayout.offsets, numel, dim.
 * [any-thread]  Since 0.1 */
TD_API int64_t td_pack_layout_offset(const td_pack_layout *self, size_t index) TD_NOEXCEPT;
TD_API int64_t td_pack_layout_numel(const td_pack_layout *self) TD_NOEXCEPT;
TD_API int64_t td_pack_layout_dim(const td_pack_layout *self) TD_NOEXCEPT;

/* Returns the device of the dict that was packed; `*out` is NULL if it had none.   Like PackLayout.device.
 * [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_device(const td_pack_layout *self, TD_OUT_NULLABLE td_string **out,
                                       td_error **err) TD_NOEXCEPT;

/* Returns 1 if both have the same columns, nodes, dim, device and classes; two NULLs are equal.   Like layout == other.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_pack_layout_equal(const td_pack_layout *self, const td_pack_layout *other) TD_NOEXCEPT;

/* Returns the text that Python gives.   Like repr(layout).   [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_repr(const td_pack_layout *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_pack_layout_retain(const td_pack_layout *self) TD_NOEXCEPT;
TD_API void td_pack_layout_release(const td_pack_layout *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_PACK_H */
