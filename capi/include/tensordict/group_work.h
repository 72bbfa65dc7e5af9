/* ==== Asynchronous transfers ========================================================================================
 * td_dict_isend and td_dict_irecv begin a transfer and return a td_work. It says whether the transfer is done, and can
 * be waited for any number of times, with any timeout. Ending a wait does not end the transfer.
 *
 *     td_dict_irecv(batch, group, 1, NULL, &work, &err);
 *     train(last);                                                     // meanwhile
 *     td_work_wait(work, -1, NULL, &err);                              // and now `batch` has the values
 *     td_work_release(work);
 *
 * Transfers with one tag between two ranks happen in the order in which they begin, including those of td_dict_send and
 * td_dict_recv. Each of them uses a thread until it is done.
 *
 * Stability: preview
 */
#ifndef TENSORDICT_GROUP_WORK_H
#define TENSORDICT_GROUP_WORK_H

#include "cancel.h"
#include "group.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A transfer under way. */
typedef struct td_work td_work;

/* Begins to send as td_dict_send does. The values are copied before it returns, so that the dict may be changed.   Like
 * TensorDict.isend with return_early=True.
 * Errors: as td_dict_send; what happens later is an error of td_work_wait.   [any-thread]  Since 0.2 */
TD_API td_status td_dict_isend(const td_dict *self, const td_group *group, int32_t dst,
                               TD_NULLABLE const td_transfer_options *options, td_work **out,
                               td_error **err) TD_NOEXCEPT;

/* Begins to receive as td_dict_recv does. The first td_work_wait that succeeds writes the values into the dict, which
 * must keep its structure until then. Without a successful wait the dict does not change.   Like TensorDict.irecv with
 * return_premature=True.
 * Errors: as td_dict_recv; what happens later is an error of td_work_wait.   [any-thread]  Since 0.2 */
TD_API td_status td_dict_irecv(TD_KEEPS td_dict *self, const td_group *group, int32_t src,
                               TD_NULLABLE const td_transfer_options *options, td_work **out,
                               td_error **err) TD_NOEXCEPT;

/* Waits until the transfer is done, up to `timeout_ms`, without limit if that is negative, or until `cancel` is
 * requested. A receive needs the dict for itself.   Like Work.wait, which ends the connection if it times out.
 * Errors: those of td_dict_send and td_dict_recv; CANCELLED, and TIMEOUT that names no rank, if the transfer goes on;
 * UNSUPPORTED in a forked child.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_work_wait(const td_work *self, int64_t timeout_ms, TD_NULLABLE const td_cancel *cancel,
                              td_error **err) TD_NOEXCEPT;

/* Returns 1 if td_work_wait would not wait; 0 for NULL.   Like Work.is_completed.   [any-thread]  Since 0.2 */
TD_API td_bool td_work_done(const td_work *self) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.2 */
TD_API void td_work_retain(const td_work *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed. The transfer goes on.   [any-thread]  Since 0.2 */
TD_API void td_work_release(const td_work *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_GROUP_WORK_H */
