/* ==== Cancelling waits ==============================================================================================
 * A td_cancel ends waits early. Give it to calls that wait; any thread may then request it, and these calls fail with
 * TD_ERR_CANCELLED.
 *
 *     td_channel_take(ch, -1, stop, &msg, &err);       // one thread; the other one:
 *     td_cancel_request(stop);
 *
 * A request is permanent: calls that are given a requested td_cancel fail immediately and take nothing, so that a
 * request just before a wait is not lost. To wait again, make a new td_cancel, as Go makes a new context, .NET a new
 * CancellationTokenSource and C++ a new stop_source. One td_cancel may be given to many calls of many channels, and
 * calls of one channel may have different ones: a request ends only the waits that it was given to, and other processes
 * do not notice it. Requesting does not wait, and wakes waiting threads as fast as a message does. It does not
 * interrupt calls that wait for a disk.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_CANCEL_H
#define TENSORDICT_CANCEL_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes a td_cancel that is not requested.   [any-thread]  Since 0.2 */
TD_API td_status td_cancel_new(td_cancel **out, td_error **err) TD_NOEXCEPT;

/* Ends the present and later waits of calls that are given `self`. A second request does nothing; neither does NULL. Do
 * not call it in a signal handler; in a forked child it ends no waits of the parent.   [any-thread]  Since 0.2 */
TD_API void td_cancel_request(const td_cancel *self) TD_NOEXCEPT;

/* Returns 1 after td_cancel_request.   [any-thread]  Since 0.2 */
TD_API td_bool td_cancel_requested(const td_cancel *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. Keep one while a call uses `self`.   [any-thread]  Since 0.2 */
TD_API void td_cancel_retain(const td_cancel *self) TD_NOEXCEPT;
TD_API void td_cancel_release(const td_cancel *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_CANCEL_H */
