/* ==== Scopes ========================================================================================================
 * Another form of a dict to work on for a while; at the end of the scope it is turned back and its entries are set in
 * the original. Python's `with td.flatten_keys(".") as flat:`.
 *
 *     td_scope_flatten_keys(td, TD_STR("."), &flat, &scope, &err);
 *     td_dict_set(flat, TD_KEY("next.done"), done, &err);
 *     td_scope_end(scope, &err);       // td has ("next", "done") now
 *     td_scope_release(scope);         // alone: nothing is written back
 *
 * Entries that were deleted inside stay in the original. If that is locked, values are copied into its tensors. What
 * stands on the original's memory has been written already and is left alone. A module runs with other parameters by
 * td_module_forward_with. The original's set_lazy_legacy mode, in which views are scopes without an end, is not
 * offered: it is deprecated there, and every dict would have two kinds of view.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_SCOPE_H
#define TENSORDICT_SCOPE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Unlocks the dict until the scope ends or is released; what was locked before is locked again then, on every way out.
 * Like `with td.unlock_()`.   Errors: LOCKED as td_dict_unlock.   [exclusive]  Since 0.1 */
TD_API td_status td_scope_unlock(td_dict *self, td_scope **out, td_error **err) TD_NOEXCEPT;

/* Begins a scope with what td_dict_flatten_keys and its inverse give. Keys that stood there before find back to their
 * places, also those that have the separator in them.   Like `with td.flatten_keys(sep)`.   Errors: as those.
 * [exclusive]  Since 0.1 */
TD_API td_status td_scope_flatten_keys(td_dict *self, td_str separator, td_dict **out, td_scope **out_scope,
                                       td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_unflatten_keys(td_dict *self, td_str separator, td_dict **out, td_scope **out_scope,
                                         td_error **err) TD_NOEXCEPT;

/* Begins a scope with what td_dict_to gives. At its end tensors go back to the device of the entry that they replace,
 * and to its dtype if `dtype` was given.   Like `with td.to(device)`.   Errors: DTYPE; DEVICE.
 * [exclusive]  Since 0.1 */
TD_API td_status td_scope_to(td_dict *self, td_dtype dtype, td_str device, td_dict **out, td_scope **out_scope,
                             td_error **err) TD_NOEXCEPT;

/* Writes back what the dict inside holds, or locks again.
 * Errors: CLOSED if the scope has ended; those of the way back, of td_dict_update and, for a locked original, of
 * td_dict_update_values: the original is as it was then, and the scope still open, unless it is one of td_module_swap.
 * [exclusive]  Since 0.1 */
TD_API td_status td_scope_end(td_scope *self, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. Without an end the last one leaves the original as it is, locked again
 * if it was.   [any-thread]  Since 0.1 */
TD_API void td_scope_retain(const td_scope *self) TD_NOEXCEPT;
TD_API void td_scope_release(const td_scope *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_SCOPE_H */
