/* ==== Errors ========================================================================================================
 * An error is an immutable object of its own; nothing is kept per thread, so goroutines and tasks may move freely.
 *
 *     td_error *err = NULL;
 *     if (td_dict_get(td, TD_KEY("obs"), &obs, &err) != TD_OK) {
 *       fprintf(stderr, "%s\n", td_error_message(err).data);
 *       td_error_release(err);
 *     }
 *
 * Stability: stable
 */
#ifndef TENSORDICT_ERROR_H
#define TENSORDICT_ERROR_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes an error: callbacks report their failures with it. TD_OK as the code becomes TD_ERR_ARGUMENT. Never fails:
 * without memory it returns a fixed TD_ERR_OOM object, for which release does nothing.   [any-thread]  Since 0.1 */
TD_API td_error *td_error_new(td_status code, td_str message) TD_NOEXCEPT;

/* Returns the status that the failing call returned; TD_OK for NULL.   [any-thread]  Since 0.1 */
TD_API td_status td_error_code(const td_error *self) TD_NOEXCEPT;

/* Returns the whole message: what was wrong, where, and what to do. One line of 8 KiB at most, ends with a NUL; lives
 * as long as the error. What is longer lacks its middle.   [any-thread]  Since 0.1 */
TD_API td_str td_error_message(const td_error *self) TD_NOEXCEPT;

/* Returns the key that was meant, as `("next", "obs")`; empty when no key was concerned. Lives as long as the error.
 * [any-thread]  Since 0.1 */
TD_API td_str td_error_key(const td_error *self) TD_NOEXCEPT;

/* Returns the file, segment, operator or plugin that was meant; empty when none was. Lives as long as the error.
 * [any-thread]  Since 0.1 */
TD_API td_str td_error_where(const td_error *self) TD_NOEXCEPT;

/* What the caller can do about it; empty when there is nothing to add. Lives as long as the error.
 * [any-thread]  Since 0.1 */
TD_API td_str td_error_hint(const td_error *self) TD_NOEXCEPT;

/* Returns the error that caused this one, or NULL. Borrowed: lives as long as `self`.   [any-thread]  Since 0.1 */
TD_API TD_NULLABLE const td_error *td_error_cause(const td_error *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_error_retain(const td_error *self) TD_NOEXCEPT;
TD_API void td_error_release(const td_error *self) TD_NOEXCEPT;

/* Returns the name of a status, "TD_ERR_KEY" for instance; "TD_ERR_?" for unknown values. Static text.
 * [any-thread]  Since 0.1 */
TD_API const char *td_status_name(td_status status) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_ERROR_H */
