/* ==== Strings and keys ==============================================================================================
 * Functions take text as td_str and return it as an owned td_string. They take keys as pointers to td_key:
 *
 *     td_dict_get(td, TD_KEY("next", "obs"), &obs, &err);
 *
 * Stability: stable
 */
#ifndef TENSORDICT_KEY_H
#define TENSORDICT_KEY_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Returns the text, which lives as long as the string; NULL data for NULL. It ends with a NUL that `size` does not
 * count.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_string_view(const td_string *self) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_string_retain(const td_string *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_string_release(const td_string *self) TD_NOEXCEPT;

/* Returns the number of keys in the list; 0 for NULL.   [any-thread] [leaf]  Since 0.1 */
TD_API size_t td_keys_size(const td_keys *self) TD_NOEXCEPT;

/* Returns the key at `index`; its parts live as long as the list.
 * Errors: INDEX if `index` >= size.   [any-thread]  Since 0.1 */
TD_API td_status td_keys_get(const td_keys *self, int64_t index, td_key *out_view, td_error **err) TD_NOEXCEPT;

/* Returns all keys as one array of `*out_size` keys, which lives as long as the list.   [any-thread]  Since 0.2 */
TD_API td_status td_keys_view(const td_keys *self, const td_key **out_view, size_t *out_size,
                              td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_keys_retain(const td_keys *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_keys_release(const td_keys *self) TD_NOEXCEPT;

/* As the `n` of a td_key, it says that `parts` is a td_path, cast to the type of `parts`. Every function that takes
 * keys takes such a key too, and neither measures nor hashes its strings; TD_PATH makes one. Keys that the library
 * returns never have this form. */
#define TD_PREPARED ((size_t)-1)

/* Prepares a key for repeated look-ups: copies and hashes the strings once.
 * Errors: ARGUMENT if a part is not UTF-8 or n is 0.   [any-thread]  Since 0.1 */
TD_API td_status td_path_new(const td_key *key, td_path **out, td_error **err) TD_NOEXCEPT;

/* Returns the strings of the path, which live as long as the path.   [any-thread]  Since 0.2 */
TD_API td_status td_path_view(const td_path *self, td_key *out_view, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_path_retain(const td_path *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_path_release(const td_path *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_KEY_H */
