/* ==== Scopes ========================================================================================================
 * A scope gives a temporary form of a dict to work on. At the end of the scope it is transformed back and its entries
 * are set in the original. In Python: `with td.flatten_keys(".") as flat:`.
 *
 *     td_scope_flatten_keys(td, TD_STR("."), &flat, &scope, &err);
 *     td_dict_set(flat, TD_KEY("next.done"), done, &err);
 *     td_scope_end(scope, &err);       // td has ("next", "done") now; td_scope_cancel: nothing is written back
 *     td_scope_release(scope);
 *
 * End or cancel each scope. td_scope_release does neither, so that a finalizer may call it on any thread: it writes
 * nothing back, and what the scope changed in the original stays changed (an unlocked dict unlocked, a module with
 * other tensors).
 *
 * Entries that were deleted inside the scope stay in the original. If the original is locked, values are copied into
 * its tensors. Entries that share the original's memory are already written, so they are skipped. To run a module with
 * other parameters, use td_module_forward_with_state. Python's set_lazy_legacy mode, in which views are scopes without
 * an end, is not offered: it is deprecated, and every dict would have two kinds of view.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_SCOPE_H
#define TENSORDICT_SCOPE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Unlocks the dict until the scope ends or is cancelled; then everything that was locked before is locked again.   Like
 * `with td.unlock_()`.   Errors: LOCKED as td_dict_unlock_.   [exclusive]  Since 0.1 */
TD_API td_status td_scope_unlock(td_dict *self, td_scope **out, td_error **err) TD_NOEXCEPT;

/* Begins a scope with the result of td_dict_flatten_keys or td_dict_unflatten_keys. Existing keys return to their
 * original place, even if they contain the separator.   Like `with td.flatten_keys(sep)`.   Errors: as those of
 * td_dict_flatten_keys and td_dict_unflatten_keys.   [exclusive]  Since 0.1 */
TD_API td_status td_scope_flatten_keys(td_dict *self, td_str separator, td_dict **out, td_scope **out_scope,
                                       td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_unflatten_keys(td_dict *self, td_str separator, td_dict **out, td_scope **out_scope,
                                         td_error **err) TD_NOEXCEPT;

/* Begins a scope with the result of td_dict_to. At its end, tensors are moved back to the device of the entry that they
 * replace, and converted back to its dtype if `dtype` was given.   Like `with td.to(device)`.   Errors: DTYPE; DEVICE.
 * [exclusive]  Since 0.1 */
TD_API td_status td_scope_to(td_dict *self, td_dtype dtype, td_str device, td_dict **out, td_scope **out_scope,
                             td_error **err) TD_NOEXCEPT;

/* Ends the scope: writes the entries back, or locks the dict again.
 * Errors: CLOSED if the scope has ended; those of transforming back, of td_dict_update and, for a locked original, of
 * td_dict_update_. On failure the original does not change and the scope stays open, unless it is a scope of
 * td_module_swap.   [exclusive]  Since 0.1 */
TD_API td_status td_scope_end(td_scope *self, td_error **err) TD_NOEXCEPT;

/* Ends the scope without writing anything back: locks the dict again, restores the module's own tensors, forgets the
 * temporary form. What was written through memory that the temporary form shares with the original stays.
 * Errors: CLOSED if the scope has ended or was cancelled.   [exclusive]  Since 0.2 */
TD_API td_status td_scope_cancel(td_scope *self, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_scope_retain(const td_scope *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed. Releasing an open scope neither ends nor cancels it: no dict and no module
 * changes.   [any-thread]  Since 0.1 */
TD_API void td_scope_release(const td_scope *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_SCOPE_H */
