/* ==== Lock ==========================================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_LOCK_H
#define TENSORDICT_DICT_LOCK_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Forbids structural changes here and in all nodes below; values may still be written in place.   Like td.lock_().
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_lock(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Allows them again, here and below.   Like td.unlock_().
 * Errors: LOCKED while a locked dict that contains this one is alive; nothing has changed then.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_unlock(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns 1 if the dict is locked.   Like td.is_locked.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_locked(const td_dict *self) TD_NOEXCEPT;

/* Moves the memory of all tensors, of every node and of the members of stacks, to where processes that are forked from
 * now on share it, and locks the dict; the tensors stay what they are, and views of them go along. What is shared
 * already stays where it is, and what a GPU has. Memory of the caller's (td_tensor_from_memory) is copied, then
 * released. The memory has no name, and goes with its last tensor; td_segment_create shares a dict with processes that
 * are no forks.   Like td.share_memory_().
 * Errors: UNSUPPORTED naming a tensor that is sparse or on another device, and for a dict in a file; NOSPACE. Nothing
 * has changed then.   [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_share_memory(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns 1 if there are tensors, and forked processes see what is written to each of them, as td_tensor_is_shared; 0
 * for NULL. Python remembers instead how the dict was made.   Like td.is_shared().   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_shared(const td_dict *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_LOCK_H */
