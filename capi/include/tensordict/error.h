/* ==== Errors ========================================================================================================
 * An error is an immutable object. Nothing is stored per thread, so goroutines and tasks may move between threads.
 *
 *     td_error *err = NULL;
 *     if (td_dict_get(td, TD_KEY("obs"), &obs, &err) != TD_OK) {
 *       fprintf(stderr, "%s\n", td_error_message(err).data);
 *       td_error_release(err);
 *     }
 *
 * If a callback fails, the call that ran it fails with TD_ERR_CALLBACK (with the callback's own code if the callback
 * belongs to a plugin), and td_error_cause is the callback's own td_error: the same object, with its code and its
 * userdata. A callback that failed without a td_error has one with its status for a cause. Nested calls give nested
 * causes: a program follows them until it finds an error that it knows.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_ERROR_H
#define TENSORDICT_ERROR_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes an error; callbacks use it to report their failures. TD_OK as the code becomes TD_ERR_ARGUMENT. Never fails: if
 * there is no memory, it returns a fixed TD_ERR_OOM object, which release ignores.   [any-thread]  Since 0.1 */
TD_API td_error *td_error_new(td_status code, td_str message) TD_NOEXCEPT;

/* Makes an error that carries an object of the caller's, for instance the exception that a callback caught: the code
 * that called the library gets it with td_error_userdata and can rethrow it. `destroy(userdata)` runs when the last
 * reference is released, on the thread that does so; immediately if there is no memory for the error.
 * [any-thread] [may-call-back]  Since 0.2 */
TD_API td_error *td_error_new_with(td_status code, td_str message, TD_KEEPS void *userdata,
                                   TD_NULLABLE TD_KEEPS td_release_fn destroy) TD_NOEXCEPT;

/* Returns the object that td_error_new_with put into this error (not into its causes), or NULL. `destroy` says which
 * kind of object the caller expects: the result is NULL if the error was made with another `destroy`, for instance by
 * another language. A NULL `destroy` accepts an object of any kind. The object lives as long as the error.
 * [any-thread]  Since 0.2 */
TD_API TD_NULLABLE void *td_error_userdata(const td_error *self, TD_NULLABLE td_release_fn destroy) TD_NOEXCEPT;

/* Returns the status that the failing call returned; TD_OK for NULL.   [any-thread] [leaf]  Since 0.1 */
TD_API td_status td_error_code(const td_error *self) TD_NOEXCEPT;

/* Returns the whole message: what was wrong, where, and what to do. It is one line of at most 8 KiB; a longer message
 * loses its middle. It ends with a NUL. The text lives as long as the error.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_error_message(const td_error *self) TD_NOEXCEPT;

/* Returns the key that the error is about, like `("next", "obs")`, or NULL data. The text lives as long as the error.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_error_key(const td_error *self) TD_NOEXCEPT;

/* Returns the file, segment, operator or plugin that the error is about, or NULL data. The text lives as long as the
 * error.   [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_error_where(const td_error *self) TD_NOEXCEPT;

/* Returns what the caller can do about the error, or NULL data. The text lives as long as the error.   [any-thread]
 * [leaf]  Since 0.1 */
TD_API td_str td_error_hint(const td_error *self) TD_NOEXCEPT;

/* Returns the hint with the names of this header in braces and without td_ or TD_: "make a dense copy with
 * {dict_contiguous} first". A binding puts its own names in their place. NULL data if there is no hint. The text lives
 * as long as `self`.   [any-thread] [leaf]  Since 0.2 */
TD_API td_str td_error_hint_format(const td_error *self) TD_NOEXCEPT;

/* Returns the error that caused this one, or NULL. The result is borrowed and lives as long as `self`.
 * [any-thread] [leaf]  Since 0.1 */
TD_API TD_NULLABLE const td_error *td_error_cause(const td_error *self) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_error_retain(const td_error *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed. The last release runs the `destroy` of td_error_new_with.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API void td_error_release(const td_error *self) TD_NOEXCEPT;

/* Returns the name of a status, for instance "TD_ERR_KEY", or "TD_ERR_?" for unknown values. The text is static.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_status_name(td_status status) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_ERROR_H */
