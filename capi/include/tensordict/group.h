/* ==== Groups ========================================================================================================
 * A group joins processes, on one machine or on several, that exchange dicts over TCP. They are the ranks of the group,
 * numbered from 0. All ranks open the group with the same store, prefix and size. LibTorch's Gloo carries the bytes, as
 * it does for torch.distributed.
 *
 *     td_group_options options = TD_GROUP_OPTIONS_INIT;
 *     options.rank = 0, options.size = 2;
 *     td_group_open(TD_STR("file:///tmp/digits.meet"), &options, &group, &err);           // waits for rank 1
 *     td_dict_send(batch, group, 1, NULL, &err);          // rank 1 calls td_dict_recv(batch, group, 0, NULL, &err)
 *     td_group_release(group);
 *
 * Nothing is authenticated or encrypted: whoever reaches the ports can read, forge and stop everything. Use groups only
 * in networks that you trust. Ranks listen on loopback unless they are given an address.
 *
 * If a rank dies, calls of other ranks that need it fail with CLOSED; if it does not answer, they fail with TIMEOUT.
 * The other ranks continue. A rank cannot join again: open another group, under another prefix. LibTorch 1.13 and
 * LibTorch 2 cannot be in one group. A forked child must not use the group of its parent.
 *
 * Stability: preview
 */
#ifndef TENSORDICT_GROUP_H
#define TENSORDICT_GROUP_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Processes that exchange dicts. */
typedef struct td_group td_group;

typedef struct td_group_options {
  size_t struct_size;
  /* Begins the group's keys in the store, so that several groups can use one. NULL data: "default_pg/0//cpu/", as in
   * stock Python's init_process_group(init_method=); init_process_group(store=) uses "0//cpu/". */
  td_str prefix;
  td_str address;           /* a name or number of this machine that the rank listens on; NULL data: 127.0.0.1 */
  int64_t timeout_ms;       /* of every wait for another rank; 0: 300000 */
  int32_t rank, size;       /* the number of this rank, and how many ranks there are */
  td_bool serve;            /* 1: this rank serves the store of "tcp://..." */
  td_bool serve_everywhere; /* 1: the store may listen on all addresses of the machine, as LibTorch before 2.4 does */
  uint8_t reserved[6];      /* 0 */
} td_group_options;
#define TD_GROUP_OPTIONS_INIT \
  { sizeof(td_group_options), {NULL, 0}, {NULL, 0}, 0, 0, 0, 0, 0, TD_RESERVED }

/* Opens a group: waits until all ranks have opened it and are connected. `store` says where they meet.
 * "tcp://HOST:PORT" is a store that one rank serves until its last reference to the group is released; release that
 * reference last. "file:///PATH" is a file that does not exist yet, for ranks that share a file system. "env://" is a
 * store at MASTER_ADDR and MASTER_PORT, with RANK and WORLD_SIZE in place of `rank` and `size`; rank 0 serves it unless
 * TORCHELASTIC_USE_AGENT_STORE is True.
 *
 * `options` may be NULL, which is useful with "env://".   Like torch.distributed.init_process_group.
 * Errors: ARGUMENT for a bad store or option, or a rank that has another `size`; TIMEOUT, which names the missing
 * ranks; VERSION if a rank or the store has a LibTorch that cannot talk to this one; EXISTS if the rank or the port is
 * taken; UNSUPPORTED in a build without the feature "group", and for serving without `serve_everywhere` before LibTorch
 * 2.4; CLOSED if a rank dies meanwhile; IO.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_group_open(td_str store, TD_NULLABLE const td_group_options *options, td_group **out,
                               td_error **err) TD_NOEXCEPT;

/* Joins the group that Python's torch.distributed made in this process, of any backend that has tensors on the CPU;
 * `name` is its `group_name`. With `beside_stock` 0 all ranks of the group call this function, which waits for them;
 * afterwards all functions of this chapter work as in a group that this library opened. With 1 the call does not wait.
 * The other ranks call the functions of stock Python, and those do not announce what they send: if the backend is Gloo,
 * a message that is longer than its receiver expects ends the process of the receiver.
 *
 * Collective calls, those of Python included, come in the same order on all ranks. Timeouts are those of the group. Its
 * values are in the store that _get_process_group_store(group) returns.   Like
 * torch.distributed.distributed_c10d._resolve_process_group.
 * Errors: ARGUMENT for an empty name; NOT_FOUND if this process has no group of that name; VERSION if another rank did
 * not adopt it in the same way; UNSUPPORTED in a build without the feature "group", before LibTorch 2.2, and for a
 * group without a backend for the CPU; TIMEOUT and CLOSED as td_group_barrier.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_group_adopt(td_str name, td_bool beside_stock, td_group **out, td_error **err) TD_NOEXCEPT;

/* Returns the number of this rank, or how many ranks there are; -1 and 0 for NULL.   Like torch.distributed.get_rank,
 * get_world_size.   [any-thread] [leaf]  Since 0.2 */
TD_API int32_t td_group_rank(const td_group *self) TD_NOEXCEPT;
TD_API size_t td_group_size(const td_group *self) TD_NOEXCEPT;

/* Waits until all ranks have called it. Only one thread of a rank may call it at a time.   Like
 * torch.distributed.barrier.
 * Errors: CLOSED, which names a rank that has died; TIMEOUT; UNSUPPORTED in a forked child.
 * [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_group_barrier(const td_group *self, td_error **err) TD_NOEXCEPT;

/* Sets or gets a value in the store; all users of the store see it, whatever their prefix. td_group_get waits up to
 * `timeout_ms` until the value is set, without limit if that is negative, or until `cancel` is requested.   Like
 * Store.set, Store.get.
 * Errors: ARGUMENT for an empty key; CLOSED if the rank that serves the store is gone; NOT_FOUND with the timeout 0,
 * TIMEOUT with another; CANCELLED; UNSUPPORTED in a forked child; IO.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_group_set(const td_group *self, td_str key, td_str value, td_error **err) TD_NOEXCEPT;
TD_API td_status td_group_get(const td_group *self, td_str key, int64_t timeout_ms, TD_NULLABLE const td_cancel *cancel,
                              td_string **out, td_error **err) TD_NOEXCEPT;

/* Adds `n` to the number under a key, atomically, and returns the sum; a missing number is 0.   Like Store.add.
 * Errors: as td_group_set.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_group_add(const td_group *self, td_str key, int64_t n, int64_t *out, td_error **err) TD_NOEXCEPT;

/* Removes a value or a number from the store. `*out_removed` is 1 if there was one.   Like Store.delete_key.
 * Errors: as td_group_set.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_group_remove(const td_group *self, td_str key, td_bool *out_removed, td_error **err) TD_NOEXCEPT;

typedef struct td_transfer_options {
  size_t struct_size;
  int32_t tag; /* only a receive with the same tag gets the dict; 0 to 1073741823 */
  /* 1: to or from stock Python, one message per tensor, as Python sends without consolidated=True, with the tags from
   * `tag` on. Ranks of this library announce how they send, and need no such agreement. */
  td_bool by_leaf;
  td_bool pseudo_rand; /* 1, with by_leaf: the tags are those of stock Python's pseudo_rand=True */
  uint8_t reserved[2]; /* 0 */
} td_transfer_options;
#define TD_TRANSFER_OPTIONS_INIT \
  { sizeof(td_transfer_options), 0, 0, 0, TD_RESERVED }

/* Sends the values of all tensors to rank `dst` as one message, and waits until that rank has received them. Non-tensor
 * data is not sent. `options` may be NULL.   Like TensorDict.send, with consolidated=True unless `by_leaf` is set.
 * Errors: ARGUMENT for a rank that is not in the group, for this rank itself, and for a bad tag; CLOSED and TIMEOUT,
 * which name the rank; KEY and UNSUPPORTED for what a consolidated file cannot hold; UNSUPPORTED in a forked child.
 * [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_dict_send(const td_dict *self, const td_group *group, int32_t dst,
                              TD_NULLABLE const td_transfer_options *options, td_error **err) TD_NOEXCEPT;

/* Receives from rank `src` into the tensors of `self`, in place; `self` may be locked. The sender's dict must have the
 * same structure, dtypes, shapes and non-tensor data, and its entries in the same order; this is checked before a
 * tensor is received, and on any error `self` is unchanged. The sender is not told that the structure differs.
 *
 * Stock Python does not say what it sends: if `src` runs it, different structures mix up values, and Gloo ends this
 * process if a message is longer than the tensors of `self`. Receive only from your own programs.   Like
 * TensorDict.recv, with consolidated=True unless `by_leaf` is set.
 * Errors: as td_dict_send; SHAPE if the sender's dict has another structure; CORRUPT if the message is not from
 * td_dict_send.   [exclusive] [may-block]  Since 0.2 */
TD_API td_status td_dict_recv(td_dict *self, const td_group *group, int32_t src,
                              TD_NULLABLE const td_transfer_options *options, td_error **err) TD_NOEXCEPT;

/* Sends a dict with its structure and its non-tensor data to rank `dst`, which calls td_dict_from_remote_init, and
 * waits until that rank has received the dict.   Like TensorDict.init_remote.
 * Errors: as td_dict_send.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_dict_init_remote(const td_dict *self, const td_group *group, int32_t dst,
                                     td_error **err) TD_NOEXCEPT;

/* Receives a dict that rank `src` sends with td_dict_init_remote, or stock Python with init_remote. Its tensors share
 * one block of memory. The structure is a pickle, which is read and never run: a tensorclass arrives as a dict that
 * knows the name of its class.   Like TensorDict.from_remote_init.
 * Errors: as td_dict_send; CORRUPT for an invalid structure, or if the message is not from init_remote; UNSUPPORTED for
 * non-tensor data that is not JSON.   [any-thread] [may-block]  Since 0.2 */
TD_API td_status td_dict_from_remote_init(const td_group *group, int32_t src, td_dict **out,
                                          td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.2 */
TD_API void td_group_retain(const td_group *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed. With the last one this rank leaves: calls that need it get CLOSED.   [any-thread]
 * Since 0.2 */
TD_API void td_group_release(const td_group *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_GROUP_H */
