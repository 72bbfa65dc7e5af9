/* ==== Packing =======================================================================================================
 * Packs the features of all tensors side by side into one tensor, for a network or an optimizer that takes a vector,
 * and unpacks them. The layout says where each tensor is; it fits every dict with these keys and features, whatever its
 * batch size.
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

/* Joins the features of all tensors, row-major, along a new dim at `dim` of the batch dims (negative values count from
 * the end of the result). The tensors are in the order of their sorted keys or, if `layout` is not NULL, of its
 * columns; a layout must have the same tensors with the same features along the same dim. `out_layout` may be NULL. A
 * lazy stack is packed as a dense dict. Without tensors the result is float32.   Like TensorDict.pack(dim, layout).
 * Errors: INDEX; UNSUPPORTED naming non-tensor data (td_dict_filter_non_tensor_data); DTYPE and DEVICE naming a tensor
 * that differs from the first; KEY if members of a lazy stack have different keys, and naming a tensor that only the
 * dict or only the layout has; SHAPE naming a tensor whose features differ from the layout's, or between members;
 * ARGUMENT for a layout along another dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pack(const td_dict *self, int64_t dim, TD_NULLABLE const td_pack_layout *layout,
                              td_tensor **out, TD_NULLABLE td_pack_layout **out_layout, td_error **err) TD_NOEXCEPT;

/* A tensor with its feature dims, or a node with its batch dims beyond the root's. */
typedef struct td_pack_entry {
  const td_key *key;
  const int64_t *dims; /* NULL for none */
  size_t ndim;
} td_pack_entry;

/* Makes a layout of these columns, in this order. `nested` lists the nodes that have further batch dims or no tensors;
 * a node comes before its entries. If `device` is not NULL data, the packed dict had a device.   Like PackLayout(keys,
 * shapes, dim, nested, device).
 * Errors: EXISTS for a key that comes twice; KEY if one key runs through another; SHAPE for a negative or overflowing
 * size; INDEX for a dim beyond 62; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_new(const td_pack_entry *columns, size_t n_columns, const td_pack_entry *nested,
                                    size_t n_nested, int64_t dim, td_str device, td_pack_layout **out,
                                    td_error **err) TD_NOEXCEPT;

/* Returns a dict whose tensors are views of `packed`. Its batch size is the shape of `packed` without the packed dim,
 * with any number of rows and dims. If the packed dict had a device, the result has the device of `packed`. Lazy stacks
 * and parameters become ordinary dicts. Names are lost; Python's classes are kept.   Like PackLayout.unpack.
 * Errors: INDEX if `packed` lacks the dim; SHAPE for another number of columns.   [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_unpack(const td_pack_layout *self, const td_tensor *packed, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* Returns the keys of the columns, in their order, or of the nodes, sorted.   Like PackLayout.keys, nested.
 * [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_keys(const td_pack_layout *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_pack_layout_nested(const td_pack_layout *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` with the feature dims of the column, or the further batch dims of the node, at
 * `index`, and returns their number; 0 for NULL and beyond the last.   Like PackLayout.shapes, nested.
 * [any-thread] [leaf]  Since 0.1 */
TD_API size_t td_pack_layout_shape(const td_pack_layout *self, int64_t index, int64_t *out,
                                   size_t capacity) TD_NOEXCEPT;
TD_API size_t td_pack_layout_nested_shape(const td_pack_layout *self, int64_t index, int64_t *out,
                                          size_t capacity) TD_NOEXCEPT;

/* Returns where the column at `index` begins along the packed dim (-1 beyond the last); the size of that dim; its
 * position, which a layout from td_dict_pack counts from the end. Returns 0 for NULL.   Like PackLayout.offsets, numel,
 * dim.   [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_pack_layout_offset(const td_pack_layout *self, int64_t index) TD_NOEXCEPT;
TD_API int64_t td_pack_layout_numel(const td_pack_layout *self) TD_NOEXCEPT;
TD_API int64_t td_pack_layout_dim(const td_pack_layout *self) TD_NOEXCEPT;

/* Returns the device of the dict that was packed, as "cpu" or "cuda:0"; NULL data if it had none. The text is static.
 * Like PackLayout.device.   [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_pack_layout_device(const td_pack_layout *self) TD_NOEXCEPT;

/* Returns 1 if both have the same columns, nodes, dim, device and classes; two NULLs are equal.   Like layout == other.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_pack_layout_equal(const td_pack_layout *self, const td_pack_layout *other) TD_NOEXCEPT;

/* Returns the text that Python prints.   Like repr(layout).   [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_repr(const td_pack_layout *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_pack_layout_retain(const td_pack_layout *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_pack_layout_release(const td_pack_layout *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_PACK_H */
