/* ==== Non-tensor data ===============================================================================================
 * Text, numbers, bytes or JSON under a key: one value for the whole batch, or one for each batch element, which moves
 * with its element in every operation. In Python: NonTensorData and NonTensorStack.
 *
 *     td_dict_set_data(td, TD_KEY("task"), TD_DATA(td_data_str(TD_STR("digits"))), &err);
 *     td_dict_get_data(td, TD_KEY("task"), &task, &err);
 *     td_data_list_get(task, 0, &value, &err);                 // value.text is "digits" while `task` lives
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_DATA_H
#define TENSORDICT_DICT_DATA_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The kind of a td_data. */
typedef int32_t td_data_kind;
enum {
  TD_DATA_NONE = 0,
  TD_DATA_BOOL = 1,   /* i, 0 or 1 */
  TD_DATA_INT = 2,    /* i */
  TD_DATA_DOUBLE = 3, /* f */
  TD_DATA_STR = 4,    /* text, UTF-8 */
  TD_DATA_BYTES = 5,  /* text, any bytes; Python pickles them, so that only memmap directories and archives hold them */
  TD_DATA_JSON = 6,   /* text: a list, an object, or an integer beyond 64 bits */
  /* text: a pickle of Python, which is never run. i: -1 if it is the pickle of {"data": value}, else the index of the
   * value in the pickled list */
  TD_DATA_PICKLE = 7
};

/* One value. As an argument it borrows `text`, which is copied; `reserved` is 0. */
typedef struct td_data {
  td_data_kind kind;
  int32_t reserved;
  int64_t i;
  double f;
  td_str text;
} td_data;

/* Sets one value for the whole batch under `key` and replaces an existing entry; missing nodes are made. JSON is
 * checked and stored without spaces; JSON that is a string, a number, a bool or null is stored as that kind. NaN and
 * Infinity are read and written as Python writes them.   Like TensorDict.set_non_tensor.
 * Errors: ARGUMENT for an unknown kind, text that is not UTF-8 or not JSON; LOCKED; KEY if the path runs through an
 * entry that is not a dict.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_data(td_dict *self, const td_key *key, const td_data *value, td_error **err) TD_NOEXCEPT;

/* Sets one value for each batch element of the dict that holds `key`: `n` is the product of its batch size, and
 * `values` are row-major. Without batch dims it takes one value, like td_dict_set_data.   Like setting a
 * NonTensorStack.
 * Errors: SHAPE for another `n`; those of td_dict_set_data.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_data_stack(td_dict *self, const td_key *key, const td_data *values, size_t n,
                                        td_error **err) TD_NOEXCEPT;

/* Replaces the data under `key` by one value for the whole batch; allowed on a locked dict.   Like TensorDict.set_ of
 * non-tensor data.
 * Errors: KEY if there is no entry, or it is a tensor or a dict; ARGUMENT as td_dict_set_data; LOCKED for a file that
 * was opened read-only.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_data_(td_dict *self, const td_key *key, const td_data *value, td_error **err) TD_NOEXCEPT;

/* Returns the values under `key`.   Like TensorDict.get_non_tensor.
 * Errors: KEY if there is no entry, or it is a tensor or a dict.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_data(const td_dict *self, const td_key *key, td_data_list **out,
                                  td_error **err) TD_NOEXCEPT;

/* Returns 1 if each batch element has its own value, even if they are equal; 0 for NULL.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_bool td_data_list_is_stack(const td_data_list *self) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` and returns the number of dims: those of the dict's batch, or more for a deeper
 * stack; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API size_t td_data_list_shape(const td_data_list *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Returns the number of values: 1 for a value for the whole batch, else the product of the shape; 0 for NULL.
 * [any-thread] [leaf]  Since 0.1 */
TD_API size_t td_data_list_size(const td_data_list *self) TD_NOEXCEPT;

/* Returns the value at `index`, row-major; its text lives as long as the list.
 * Errors: INDEX if `index` >= size.   [any-thread]  Since 0.1 */
TD_API td_status td_data_list_get(const td_data_list *self, int64_t index, td_data *out_view,
                                  td_error **err) TD_NOEXCEPT;

/* Makes a dict without batch dims from a JSON object: objects in it become dicts, and everything else becomes data;
 * lists have the kind TD_DATA_JSON. It reads the JSON that this library returns, for instance that of td_build_info.
 * Errors: ARGUMENT for text that is not the JSON of an object, has a name twice, or nests too deeply.
 * [any-thread]  Since 0.2 */
TD_API td_status td_dict_from_json(td_str json, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Makes a list of such dicts from a JSON array of objects, for instance from td_plugins_list or td_segment_list.
 * Errors: ARGUMENT as td_dict_from_json, and for any other element, with its index.   [any-thread]  Since 0.2 */
TD_API td_status td_dict_list_from_json(td_str json, td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_data_list_retain(const td_data_list *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_data_list_release(const td_data_list *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_DATA_H */
