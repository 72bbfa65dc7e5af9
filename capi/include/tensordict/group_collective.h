/* ==== Collective operations =========================================================================================
 * All ranks of a group must call the same of these functions in the same order.
 *
 *     td_dict_broadcast(rank == 0 ? weights : NULL, group, 0, &mine, &err);      // everybody begins with the same
 *     td_dict_all_reduce(gradients, group, NULL, &err);                          // everybody has the sums
 *
 * Ranks of this library first announce what they are about to do. If they differ, or one fails before it takes part,
 * all of them return an error, no dict changes, and the group can still be used. Stock Python announces nothing: if it
 * runs a rank, ranks that differ wait for each other until the timeout, mix up values, or are ended by Gloo.
 *
 * Only one thread of a rank may take part at a time.
 *
 * Stability: preview
 */
#ifndef TENSORDICT_GROUP_COLLECTIVE_H
#define TENSORDICT_GROUP_COLLECTIVE_H

#include "group.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Returns the dict of rank `src` on every rank, with its structure and its non-tensor data, as
 * td_dict_from_remote_init does; on `src` it is a copy, too. The other ranks pass NULL for `self`.   Like
 * TensorDict.broadcast.
 * Errors: ARGUMENT for a rank that is not in the group, without a dict on `src`, and if the ranks differ; CANCELLED if
 * another rank failed before it took part; CLOSED and TIMEOUT, which name a rank where they can; KEY, UNSUPPORTED and
 * CORRUPT as td_dict_from_remote_init; UNSUPPORTED in a forked child.
 * [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_dict_broadcast(TD_NULLABLE const td_dict *self, const td_group *group, int32_t src, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* How the values of all ranks are combined. */
typedef int32_t td_group_reduction;
enum {
  TD_GROUP_REDUCTION_SUM = 0,
  TD_GROUP_REDUCTION_PRODUCT = 1,
  TD_GROUP_REDUCTION_MIN = 2,
  TD_GROUP_REDUCTION_MAX = 3
};

typedef struct td_group_reduce_options {
  size_t struct_size;
  int64_t bucket_bytes; /* max bytes of tensors of one dtype that are reduced together; 0: each alone */
  td_group_reduction reduction;
  uint8_t reserved[4]; /* 0 */
} td_group_reduce_options;
#define TD_GROUP_REDUCE_OPTIONS_INIT \
  { sizeof(td_group_reduce_options), 0, 0, TD_RESERVED }

/* Reduces each tensor over all ranks, in place; on any error `self` is unchanged. All dicts must have the same
 * structure, and their entries in the same order. With a rank that is stock Python, all tensors must be contiguous.
 * `options` may be NULL.   Like TensorDict.all_reduce.
 * Errors: as td_dict_broadcast; SHAPE if another rank has another structure; DTYPE for tensors that Gloo cannot reduce:
 * it reduces float16, float32, float64, int8, uint8, int32, int64, bfloat16 (LibTorch 2), and sums complex numbers.
 * [exclusive] [may-block]  Since 0.2 */
TD_API td_status td_dict_all_reduce(td_dict *self, const td_group *group,
                                    TD_NULLABLE const td_group_reduce_options *options, td_error **err) TD_NOEXCEPT;

/* Reduces like td_dict_all_reduce, but changes only the dict of rank `dst`.   Like TensorDict.reduce.
 * Errors: as td_dict_all_reduce.   [exclusive] [may-block]  Since 0.2 */
TD_API td_status td_dict_reduce_to(td_dict *self, const td_group *group, int32_t dst,
                                   TD_NULLABLE const td_group_reduce_options *options, td_error **err) TD_NOEXCEPT;

/* Returns the dicts of all ranks, this one included, in rank order. They may have different structures.   Like
 * TensorDict.all_gather.
 * Errors: as td_dict_broadcast.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_dict_all_gather(const td_dict *self, const td_group *group, td_dict_list **out,
                                    td_error **err) TD_NOEXCEPT;

/* Stacks the dicts of all other ranks along a new first dim into the tensors of `self` on rank `dst`, in place; its
 * first batch dim is one less than the size of the group. The other ranks send `self`.   Like
 * TensorDict.gather_and_stack.
 * Errors: as td_dict_broadcast; on `dst` KEY and SHAPE if the stack does not fit, and UNSUPPORTED for a dict that stock
 * Python pickles as a whole.   [exclusive] [may-block]  Since 0.2 */
TD_API td_status td_dict_gather_and_stack(td_dict *self, const td_group *group, int32_t dst,
                                          td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_GROUP_COLLECTIVE_H */
