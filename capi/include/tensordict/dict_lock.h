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
TD_API td_status td_dict_lock_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Allows structural changes again, here and in all nodes below.   Like td.unlock_().
 * Errors: LOCKED while a locked dict that contains this one is alive; nothing changes then.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_unlock_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns 1 if the dict is locked.   Like td.is_locked.   [any-thread] [leaf]  Since 0.1 */
TD_API td_bool td_dict_is_locked(const td_dict *self) TD_NOEXCEPT;

/* Moves all tensors, including those of nodes and of members of stacks, to memory that processes forked from now on
 * share, and locks the dict. The tensors stay the same objects, and their views move with them. Memory that is already
 * shared, and GPU memory, is not moved. The caller's memory (td_tensor_from_memory) is copied, then released. The
 * shared memory has no name and is freed with its last tensor; to share a dict with other processes than forks, use
 * td_segment_create.   Like td.share_memory_().
 * Errors: UNSUPPORTED naming a tensor that is sparse or on another device, and for a dict in a file; NOSPACE. Nothing
 * changes then.   [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_share_memory_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Returns 1 if there are tensors and all of them are shared as in td_tensor_is_shared; 0 for NULL. Python instead
 * remembers how the dict was made.   Like td.is_shared().   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_shared(const td_dict *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_LOCK_H */
