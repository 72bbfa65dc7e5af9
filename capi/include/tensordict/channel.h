/* ==== Channels ======================================================================================================
 * A channel passes dicts of one structure from process to process without a copy: a producer fills a slot and publishes
 * it, and a consumer reads the slot and releases it. If a process is killed at any moment, the others lose only a few
 * milliseconds.
 *
 *     td_channel_create(TD_STR("digits.work"), schema, NULL, &ch, &err);                  // one process
 *     td_channel_acquire(ch, 1000, NULL, &msg, &err);
 *     td_message_dict(msg, &td, &err);                                                    // write into its tensors
 *     td_message_publish(msg, &err);
 *
 *     td_channel_open(TD_STR("digits.work"), TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, &err);       // another one
 *     td_channel_take(ch, 1000, NULL, &msg, &err);
 *     td_message_dict(msg, &td, &err);
 *     td_message_release(msg);                                                            // the slot is free again
 *
 * A slot stays in use until the message and all its tensors are released, so that a tensor never shows another
 * message. Where a garbage collector releases tensors late, td_message_clone gives a dict that does not keep the
 * slot, and td_message_open_views tells whether tensors that keep it are left. The members of a channel automatically
 * clean up after members that died. A forked child must not use the channel of its parent; it opens the channel
 * again.
 *
 * If the name is an address, "tcp://HOST:PORT/NAME", the members may be on other machines (preview): the creator
 * listens at that address, on every address of its machine if HOST is 0.0.0.0, and the messages lie in its memory. All
 * functions are the same, and these things differ:
 * - The channel ends with its creator. Its process may create several channels with one HOST:PORT.
 * - A message is delivered at most once. What is on its way to or from a member that dies or leaves is lost, and
 *   nothing is ever delivered in part. Other members go on.
 * - A producer elsewhere has `slots` slots of its own, from which messages go to those of the creator. It waits,
 *   fails or drops when its own are in use. A consumer elsewhere gets at most `slots` messages ahead: the next two,
 *   or as many as fit into 64 KiB.
 * - Each slot holds a copy: the dict of a message is in the memory of its process.
 * - A member learns within 0.2 s that the channel was closed, and after at most 30 s that the network is gone; the
 *   channel is closed for it then.
 * - Releasing the last reference waits up to 10 s until what was published has left: a member sends it, and the
 *   creator waits for those who take it.
 *
 * Nothing is encrypted or authenticated: use it only in networks that you trust. It needs the feature "group", and the
 * same major version of LibTorch on all sides.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_CHANNEL_H
#define TENSORDICT_CHANNEL_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The roles of a handle in the channel. It may have the first two together. An observer has no other role: it does not
 * count as a member and may call stats, dump and close. */
typedef int32_t td_channel_role;
enum { TD_CHANNEL_ROLE_PRODUCES = 1, TD_CHANNEL_ROLE_CONSUMES = 2, TD_CHANNEL_ROLE_OBSERVES = 4 };

typedef int32_t td_channel_mode;
enum {
  TD_CHANNEL_MODE_QUEUE = 0,    /* each message goes to one consumer */
  TD_CHANNEL_MODE_BROADCAST = 1 /* each message goes to all consumers that are members when it is published */
};

/* What td_channel_acquire does if all slots are in use. */
typedef int32_t td_channel_overflow;
enum {
  TD_CHANNEL_OVERFLOW_BLOCK = 0,      /* waits */
  TD_CHANNEL_OVERFLOW_FAIL = 1,       /* fails with NOSPACE */
  TD_CHANNEL_OVERFLOW_DROP_OLDEST = 2 /* drops the oldest message that no consumer is reading */
};

typedef struct td_channel_options {
  size_t struct_size;
  td_channel_mode mode;
  td_channel_overflow overflow;
  td_channel_role roles; /* of the creator; 0: PRODUCES */
  int32_t slots;         /* max messages in the channel, 1 to 64; 0: 8 */
  int32_t members;       /* max producers and consumers, 1 to 62, for a broadcast 1 to 32; 0: 32 */
  int32_t deliveries;    /* how often a queue delivers a message if consumers die with it; 1: at most once; 0: 2, or
                            1 over TCP */
  int32_t max_held;      /* max messages that one handle may hold; 0: no limit */
  td_bool keep;          /* 1: the name stays after the creator's last reference; 0: it is unlinked then */
  td_bool replace_dead;  /* 1: a channel of this name without a living process is replaced; 0: it is an error */
  uint8_t reserved[2];   /* 0 */
} td_channel_options;
#define TD_CHANNEL_OPTIONS_INIT \
  { sizeof(td_channel_options), TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 0, 0, 0, 0, 0, 0, 0, TD_RESERVED }

typedef int32_t td_channel_state;
enum { TD_CHANNEL_STATE_OPEN = 0, TD_CHANNEL_STATE_CLOSED = 1, TD_CHANNEL_STATE_CORRUPT = 2 };

/* Statistics of a channel. Counts of events may be slightly inexact after a process was killed. */
typedef struct td_channel_statistics {
  size_t struct_size;
  int64_t published;
  int64_t dropped;      /* by DROP_OLDEST */
  int64_t redelivered;  /* delivered again after a consumer died */
  int64_t dead_letters; /* given up because every consumer that took them died */
  int64_t aborted;      /* acquired and never published */
  int64_t swept;        /* dead members that were cleaned up after */
  /* All slots, and how many of them are in which state. */
  int32_t slots, free, writing, ready, reading;
  int32_t producers, consumers; /* alive */
  td_channel_state state;
  int64_t oldest_ms, oldest_pid; /* of the oldest claim; 0 without claims */
} td_channel_statistics;
#define TD_CHANNEL_STATISTICS_INIT \
  { sizeof(td_channel_statistics), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Makes a channel and joins it. Its messages have the structure, dtypes and non-tensor data of `schema`; the values of
 * `schema` are not used. Lazy stacks have the same members in all messages, and nested tensors become lazy stacks of
 * their components. All memory is allocated here. `options` may be NULL.
 *
 * With `replace_dead` the new channel takes the name of one whose creator has ended and in which no other process is a
 * member, also of one with `keep`; its messages are lost. A channel with members lives on: open it instead. Of
 * processes that replace concurrently exactly one succeeds. Until the old one is removed there must be memory for both.
 * Errors: EXISTS if the name or the port is taken; ARGUMENT for a bad name or option; NOSPACE; UNSUPPORTED for tensor
 * layouts without bytes, data of kind BYTES and lazy stacks without members, and over TCP for `keep`, `replace_dead`,
 * more than one delivery, a build without groups, and a HOST other than 0.0.0.0 if LibTorch is older than 2.4; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_create(td_str name, const td_dict *schema, TD_NULLABLE const td_channel_options *options,
                                   td_channel **out, td_error **err) TD_NOEXCEPT;

typedef struct td_channel_open_options {
  size_t struct_size;
  int64_t timeout_ms;      /* how long to wait for the name; 0: do not wait; negative: without limit */
  const td_cancel *cancel; /* ends this wait; NULL: none */
} td_channel_open_options;
#define TD_CHANNEL_OPEN_OPTIONS_INIT \
  { sizeof(td_channel_open_options), 0, NULL }

/* Opens a channel and joins it; `roles` are TD_CHANNEL_ROLE_PRODUCES, TD_CHANNEL_ROLE_CONSUMES, both (|) or
 * TD_CHANNEL_ROLE_OBSERVES. Everything in it is checked before use; a file that another user owns or may write to is
 * refused. A consumer of a broadcast gets the messages that are published from now on. `options` may be NULL. With
 * `timeout_ms` it waits until the name exists, and notices it within 20 ms. Over TCP a creator that exists but does not
 * answer is waited for up to 30 s.
 * Errors: NOT_FOUND without `timeout_ms`, TIMEOUT with it; CANCELLED; ARGUMENT for a bad name or roles; NOSPACE if the
 * channel has its maximum of members; CORRUPT; VERSION, over TCP also for another major version of LibTorch; CLOSED if
 * the creator ends meanwhile; UNSUPPORTED; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_open(td_str name, td_channel_role roles, TD_NULLABLE const td_channel_open_options *options,
                                 td_channel **out, td_error **err) TD_NOEXCEPT;

/* Acquires a message to write: a free slot, with the values that were in it before. Waits up to `timeout_ms` for one,
 * without limit if that is negative, or until `cancel` is requested.
 * Errors: CANCELLED; TIMEOUT; NOSPACE with FAIL, or if the handle holds `max_held` messages; CLOSED; CORRUPT;
 * ARGUMENT without the role PRODUCES.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_acquire(td_channel *self, int64_t timeout_ms, TD_NULLABLE const td_cancel *cancel,
                                    td_message **out, td_error **err) TD_NOEXCEPT;

/* Takes the oldest message for this consumer. Waits up to `timeout_ms` for one, without limit if that is negative, or
 * until `cancel` is requested. The messages of one producer come in their order, except messages that are delivered
 * again.
 * Errors: CANCELLED; TIMEOUT; NOT_FOUND instead of TIMEOUT if there is also no producer (not yet, or no longer);
 * CLOSED if the channel is closed and empty; NOSPACE if the handle holds `max_held` messages; CORRUPT; ARGUMENT
 * without the role CONSUMES.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_take(td_channel *self, int64_t timeout_ms, TD_NULLABLE const td_cancel *cancel,
                                 td_message **out, td_error **err) TD_NOEXCEPT;

/* Returns a descriptor for poll, epoll and event loops, so that many channels need no thread each: it is readable while
 * td_channel_take (with the role CONSUMES) or td_channel_acquire (with PRODUCES) would not wait, which includes that it
 * would fail with CLOSED or CORRUPT. Another process may be faster, so call them with the timeout 0; whatever they
 * return, the descriptor is then up to date. An edge-triggered loop may wait after a call that failed with TIMEOUT:
 * what came during that call is a new event. The descriptor belongs to the channel and lives as long as `self`: poll
 * it, but do not read or close it. Each role has one descriptor per handle, the same each time.
 *
 * The descriptors of all channels of a process are fed by one thread, with all signals blocked, which starts with the
 * first of them and also cleans up after dead members. It notices messages immediately for 127 descriptors that are not
 * readable, and within about 1 ms for further ones and on kernels before 5.16. A forked child has neither the thread
 * nor the channel; channels that it opens get descriptors and their own thread.
 * Errors: ARGUMENT for another role or one that the handle does not have; IO if there are too many descriptors or
 * threads; UNSUPPORTED in a forked child and on platforms without eventfd.   [any-thread]  Since 0.2 */
TD_API td_status td_channel_descriptor(td_channel *self, td_channel_role role, int32_t *out_fd,
                                       td_error **err) TD_NOEXCEPT;

/* Closes the channel: producers get CLOSED from now on, consumers after they have taken the remaining messages.
 * Errors: UNSUPPORTED in a forked child.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_close(td_channel *self, td_error **err) TD_NOEXCEPT;

/* Cleans up after dead members now; waiting members also do this automatically. `out_dead` receives their number, which
 * is 0 for a member over TCP: the creator notices who has gone.
 * Errors: UNSUPPORTED in a forked child.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_sweep(td_channel *self, int32_t *out_dead, td_error **err) TD_NOEXCEPT;

/* Fills `out`, whose struct_size the caller has set (TD_CHANNEL_STATISTICS_INIT). A member over TCP has the numbers
 * that the creator sent last, at most 0.2 s ago.
 * Errors: ARGUMENT for a bad struct_size; UNSUPPORTED in a forked child.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_stats(const td_channel *self, td_channel_statistics *out, td_error **err) TD_NOEXCEPT;

/* Returns the state of the channel as text for people: every word, who holds what, and whether that process lives.
 * Errors: UNSUPPORTED in a forked child; OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_dump(const td_channel *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Fills `out`, whose struct_size the caller has set (TD_CHANNEL_OPTIONS_INIT), with the options that the channel was
 * created with. `roles` are those of this handle.
 * Errors: ARGUMENT for a bad struct_size.   [any-thread]  Since 0.2 */
TD_API td_status td_channel_get_options(const td_channel *self, td_channel_options *out, td_error **err) TD_NOEXCEPT;

/* Returns a dict of zeros with the structure of the messages.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_schema(const td_channel *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns the file of the channel, for instance "/dev/shm/digits.work", or its address. The text lives as long as the
 * channel.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_channel_path(const td_channel *self) TD_NOEXCEPT;

/* Returns the size of the whole channel in bytes, over TCP of the part in this process; 0 for NULL.
 * [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_channel_nbytes(const td_channel *self) TD_NOEXCEPT;

/* Removes the name. Processes that have the channel open can still use it.
 * Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT if it is not a channel; UNSUPPORTED for an address; IO.
 * [any-thread]  Since 0.1 */
TD_API td_status td_channel_unlink(td_str name, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_channel_retain(const td_channel *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed. The handle leaves the channel when its last reference and its last
 * message are released. Dropping the creator's last reference unlinks the name, unless `keep` is set.
 * [any-thread]  Since 0.1 */
TD_API void td_channel_release(const td_channel *self) TD_NOEXCEPT;

/* Returns the message as a locked dict, the same dict each time. An acquired message may be written in place until it
 * is published (td_dict_copy_into, td_dict_update_, td_tensor_mutable_data); a taken message is read-only. A get
 * from a lazy stack returns a copy; the tensors in the message are those of its members.
 * Errors: CLOSED if the message was published; UNSUPPORTED in a forked child.   [any-thread] [may-alias]  Since 0.1 */
TD_API td_status td_message_dict(const td_message *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns a clone of the message: an unlocked dict with its own memory, which does not keep the slot. If
 * td_message_dict was never called, td_message_release then frees the slot immediately. The views of td_message_dict
 * themselves cannot be closed: pointers into them, which threads and other libraries may have, would show parts of a
 * later message.
 * Errors: CLOSED if the message was published; OOM; UNSUPPORTED in a forked child.   [any-thread]  Since 0.2 */
TD_API td_status td_message_clone(const td_message *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns the number of tensors and dicts of the message that are in use outside it, and of other tensors that share
 * their memory: 0 means that td_message_release frees the slot. Objects that are used several times count once, a dict
 * as one; a view of a tensor may keep that tensor in use. Returns 0 for NULL and after td_message_publish. While other
 * threads use them, the number may be out of date when the call returns.   [any-thread]  Since 0.2 */
TD_API int64_t td_message_open_views(const td_message *self) TD_NOEXCEPT;

/* Publishes an acquired message to the consumers; release the handle afterwards. Do not write to its tensors any more.
 * On CLOSED and CORRUPT the message is given up.
 * Errors: CLOSED if the channel is closed or the message is published; ARGUMENT if it was taken; CORRUPT; UNSUPPORTED
 * in a forked child.   [exclusive]  Since 0.1 */
TD_API td_status td_message_publish(td_message *self, td_error **err) TD_NOEXCEPT;

/* Returns the number of the message in the order of publishing, from 0; -1 before it is published, and for NULL. A
 * producer over TCP counts its own messages.
 * [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_message_number(const td_message *self) TD_NOEXCEPT;

/* Returns how often the message was delivered, including this time: more than 1 if an earlier consumer died with it.
 * Returns 0 for NULL, acquired messages and broadcasts.   [any-thread] [leaf]  Since 0.1 */
TD_API int32_t td_message_delivery(const td_message *self) TD_NOEXCEPT;

/* Returns how many messages DROP_OLDEST dropped since this handle last took one: in a broadcast, messages for this
 * consumer; in a queue, all messages.   [any-thread] [leaf]  Since 0.1 */
TD_API int64_t td_message_lag(const td_message *self) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_message_retain(const td_message *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed. When the last reference and the last of its tensors are released, a
 * taken message frees its slot, and an acquired message that was not published is given up.
 * [any-thread]  Since 0.1 */
TD_API void td_message_release(const td_message *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_CHANNEL_H */
