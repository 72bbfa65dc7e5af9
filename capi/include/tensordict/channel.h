/* ==== Channels ======================================================================================================
 * Dicts of one structure, handed from process to process without a copy: a producer fills one in its place and
 * publishes it, a consumer reads it there and gives the place back. A process that is killed at any moment costs the
 * others nothing but a few milliseconds.
 *
 *     td_channel_create(TD_STR("digits.work"), schema, NULL, &ch, &err);                  // one process
 *     td_channel_acquire(ch, 1000, &msg, &err);
 *     td_message_dict(msg, &td, &err);                                                    // write into its tensors
 *     td_message_publish(msg, &err);
 *
 *     td_channel_open(TD_STR("digits.work"), TD_CHANNEL_CONSUMES, &ch, &err);             // another one
 *     td_channel_take(ch, 1000, &msg, &err);
 *     td_message_dict(msg, &td, &err);
 *     td_message_release(msg);                                                            // the place is free again
 *
 * A slot stays held until the message and all tensors of it are released, so that no tensor ever shows another message.
 * Any member of the channel, without being asked, cleans up after members that died. The channel of a forked child's
 * parent is not the child's: it opens the channel again.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_CHANNEL_H
#define TENSORDICT_CHANNEL_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* What the handle does in the channel; the roles may be combined. Without one it only looks on: it takes no place and
 * may call stats, dump and close. */
typedef int32_t td_channel_role;
enum { TD_CHANNEL_OBSERVES = 0, TD_CHANNEL_PRODUCES = 1, TD_CHANNEL_CONSUMES = 2 };

typedef int32_t td_channel_mode;
enum {
  TD_CHANNEL_QUEUE = 0,    /* each message goes to one consumer */
  TD_CHANNEL_BROADCAST = 1 /* each message goes to all consumers that are there when it is published */
};

/* What acquire does when all slots are in use. */
typedef int32_t td_channel_overflow;
enum {
  TD_CHANNEL_BLOCK = 0,      /* it waits */
  TD_CHANNEL_FAIL = 1,       /* NOSPACE */
  TD_CHANNEL_DROP_OLDEST = 2 /* takes the oldest message away that nobody is reading */
};

typedef struct td_channel_options {
  size_t struct_size;
  td_channel_mode mode;
  td_channel_overflow overflow;
  td_channel_role roles; /* of the creator */
  int32_t slots;         /* messages under way at once, 1 to 64 */
  int32_t members;       /* producers and consumers at once, 1 to 62, in a broadcast to 32 */
  int32_t deliveries;    /* how often a queue hands a message out if consumers die with it; 1: at most once */
  int32_t most_held;     /* messages that one handle may hold at once; 0 is any number */
  td_bool keep;          /* 1: the name outlives the creator's last reference; 0: it is unlinked then */
} td_channel_options;
#define TD_CHANNEL_OPTIONS_INIT \
  { sizeof(td_channel_options), TD_CHANNEL_QUEUE, TD_CHANNEL_BLOCK, TD_CHANNEL_PRODUCES, 8, 32, 2, 0, 0 }

/* Numbers of a channel; those that count events are not exact to the last one after a process was killed. */
typedef struct td_channel_statistics {
  size_t struct_size;
  int64_t published;
  int64_t dropped;      /* by DROP_OLDEST */
  int64_t redelivered;  /* handed out again after a consumer died */
  int64_t dead_letters; /* given up, as everybody who took them died */
  int64_t aborted;      /* acquired and never published */
  int64_t swept;        /* members that died and were cleaned up after */
  /* All slots, and how many of them are in which state. */
  int32_t slots, free, writing, ready, reading;
  int32_t producers, consumers;  /* alive */
  int32_t state;                 /* 0 open, 1 closed, 2 corrupt */
  int64_t oldest_ms, oldest_pid; /* of the claim that is held longest; 0 without one */
} td_channel_statistics;
#define TD_CHANNEL_STATISTICS_INIT \
  { sizeof(td_channel_statistics), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Makes a channel whose messages have the structure, dtypes and non-tensor data of `schema`, whose values do not
 * matter, and joins it. Lazy stacks have the same members in all messages, and nested tensors are such stacks of their
 * components. All memory is allocated here. `options` may be NULL.
 * Errors: EXISTS if the name is taken; ARGUMENT for a bad name or option; NOSPACE; UNSUPPORTED for layouts without
 * bytes, data of kind BYTES and lazy stacks without members; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_create(td_str name, const td_dict *schema, TD_NULLABLE const td_channel_options *options,
                                   td_channel **out, td_error **err) TD_NOEXCEPT;

/* Opens a channel and joins it; `roles` are TD_CHANNEL_PRODUCES, TD_CHANNEL_CONSUMES, both (+) or 0. Everything in it
 * is checked before use; a file that another user owns or may write is refused. A consumer of a broadcast gets what is
 * published from now on.
 * Errors: NOT_FOUND; ARGUMENT for a bad name or roles; NOSPACE if all places are taken; CORRUPT; VERSION; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_open(td_str name, td_channel_role roles, td_channel **out, td_error **err) TD_NOEXCEPT;

/* A message to write: a slot of its own, with whatever values were in it. Waits up to `timeout_ms` for one, for ever if
 * that is negative.
 * Errors: TIMEOUT; NOSPACE with FAIL, or with `most_held` messages in hand; CLOSED; CORRUPT; ARGUMENT without the role
 * PRODUCES.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_acquire(td_channel *self, int64_t timeout_ms, td_message **out, td_error **err) TD_NOEXCEPT;

/* Returns the oldest message that is there for this consumer. Waits up to `timeout_ms` for one, for ever if that is
 * negative. The messages of one producer come in their order, but for those that are redelivered.
 * Errors: TIMEOUT; NOT_FOUND instead of it if no producer is there either, none yet or none any more; CLOSED when the
 * channel is closed and empty; NOSPACE with `most_held` messages in hand; CORRUPT; ARGUMENT without the role CONSUMES.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_take(td_channel *self, int64_t timeout_ms, td_message **out, td_error **err) TD_NOEXCEPT;

/* Lets nothing more be published: producers get CLOSED from now on, consumers when they have taken what is there.
 * Errors: UNSUPPORTED in a forked child.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_close(td_channel *self, td_error **err) TD_NOEXCEPT;

/* Cleans up now after members that died, which waiting members do by themselves; `out_dead` gets how many there were.
 * Errors: UNSUPPORTED in a forked child.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_sweep(td_channel *self, int32_t *out_dead, td_error **err) TD_NOEXCEPT;

/* Fills `out`, whose struct_size the caller has set (TD_CHANNEL_STATISTICS_INIT).
 * Errors: ARGUMENT for a bad struct_size; UNSUPPORTED in a forked child.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_stats(const td_channel *self, td_channel_statistics *out, td_error **err) TD_NOEXCEPT;

/* Every word of the channel as text, with who holds what and whether that process lives, for people.
 * Errors: UNSUPPORTED in a forked child; OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_dump(const td_channel *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns a dict of zeros of the structure that all messages have.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_schema(const td_channel *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Returns the file behind the channel, "/dev/shm/digits.work". Lives as long as the channel.
 * [any-thread]  Since 0.1 */
TD_API td_str td_channel_path(const td_channel *self) TD_NOEXCEPT;

/* Returns the bytes of the whole channel; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API int64_t td_channel_nbytes(const td_channel *self) TD_NOEXCEPT;

/* Removes the name. Processes that have the channel open go on with it.
 * Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT if it is not a channel; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_unlink(td_str name, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. The place in the channel is left with the last reference and the last
 * message. Dropping the creator's last one unlinks the name, unless `keep`.   [any-thread]  Since 0.1 */
TD_API void td_channel_retain(const td_channel *self) TD_NOEXCEPT;
TD_API void td_channel_release(const td_channel *self) TD_NOEXCEPT;

/* Returns the message as a locked dict, the same one each time. An acquired one may be written in place until it is
 * published (td_dict_copy_into, td_dict_update_values, td_tensor_mutable_data); a taken one is read-only. What a lazy
 * stack gives for a key is a copy: the tensors in the message are those of its members.
 * Errors: CLOSED if the message was published; UNSUPPORTED in a forked child.   [any-thread]  Since 0.1 */
TD_API td_status td_message_dict(const td_message *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Hands an acquired message to the consumers; release the handle afterwards. Whoever still has its tensors must not
 * write to them. With CLOSED and CORRUPT the message is given up.
 * Errors: CLOSED if the channel is closed or the message is published; ARGUMENT if it was taken; CORRUPT; UNSUPPORTED
 * in a forked child.   [exclusive]  Since 0.1 */
TD_API td_status td_message_publish(td_message *self, td_error **err) TD_NOEXCEPT;

/* Returns the place of the message in the order of publishing, from 0; -1 before it is published, and for NULL.
 * [any-thread]  Since 0.1 */
TD_API int64_t td_message_number(const td_message *self) TD_NOEXCEPT;

/* How often the message was handed out, this time included: more than 1 when an earlier consumer died with it. 0 for
 * NULL, acquired messages and broadcasts.   [any-thread]  Since 0.1 */
TD_API int32_t td_message_delivery(const td_message *self) TD_NOEXCEPT;

/* Messages that DROP_OLDEST took away since this handle last took one: in a broadcast from this consumer, in a queue
 * from all.   [any-thread]  Since 0.1 */
TD_API int64_t td_message_lag(const td_message *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. With the last one, and the last of its tensors, a taken message frees
 * its slot, and an acquired one that was not published is given up.   [any-thread]  Since 0.1 */
TD_API void td_message_retain(const td_message *self) TD_NOEXCEPT;
TD_API void td_message_release(const td_message *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_CHANNEL_H */
