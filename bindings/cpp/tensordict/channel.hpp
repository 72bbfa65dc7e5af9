// Dicts of one structure, handed from process to process without a copy.
//
//     Channel work = Channel::create("digits.work", schema);          // one process
//     Message message = work.acquire();
//     message.dict().update_values(batch);
//     message.publish();
//
//     const Channel work = Channel::open("digits.work", ChannelRole::consumes);   // another one
//     for (const Message& message : work) learn(message.dict());                  // until the channel is closed
#ifndef TENSORDICT_CHANNEL_HPP
#define TENSORDICT_CHANNEL_HPP

#include "cancel.hpp"
#include "segment.hpp"

namespace tensordict {

enum class ChannelRole : td_channel_role {
  observes = TD_CHANNEL_ROLE_OBSERVES,
  produces = TD_CHANNEL_ROLE_PRODUCES,
  consumes = TD_CHANNEL_ROLE_CONSUMES,
};
constexpr ChannelRole operator|(ChannelRole a, ChannelRole b) noexcept {
  return static_cast<ChannelRole>(static_cast<td_channel_role>(a) | static_cast<td_channel_role>(b));
}

enum class ChannelMode : td_channel_mode {
  queue = TD_CHANNEL_MODE_QUEUE,          // each message goes to one consumer
  broadcast = TD_CHANNEL_MODE_BROADCAST,  // to all consumers that are there when it is published
};

// What acquire does when all slots are in use.
enum class Overflow : td_channel_overflow {
  block = TD_CHANNEL_OVERFLOW_BLOCK,
  fail = TD_CHANNEL_OVERFLOW_FAIL,
  drop_oldest = TD_CHANNEL_OVERFLOW_DROP_OLDEST,
};

struct ChannelOptions {
  ChannelMode mode = ChannelMode::queue;
  Overflow overflow = Overflow::block;
  ChannelRole roles = ChannelRole::produces;  // of the creator
  std::int32_t slots = 8;                     // messages under way at once
  std::int32_t members = 32;                  // producers and consumers at once
  std::int32_t deliveries = 0;  // how often a queue hands a message out if consumers die with it; 0 is 2, over TCP 1
  std::int32_t max_held = 0;    // messages that one handle may hold at once; 0 is any number
  bool keep = false;            // the name outlives the creator's last reference
  bool replace_dead = false;    // in place of a channel without a living process
};

// A slot of a channel. It is held until the message and all tensors of it are gone: a taken one is free then, and one that was
// acquired and not published is given up.
class Message : public Handle<Message, td_message, td_message_retain, td_message_release> {
 public:
  explicit Message(Adopted raw) noexcept : Handle(raw) {}

  // Locked. One that was acquired may be written in place until it is published; a taken one is read-only.
  Dict dict() const { return detail::made<Dict>(td_message_dict, get()); }
  // A dict of its own memory, which does not hold the slot.
  Dict clone() const { return detail::made<Dict>(td_message_clone, get()); }
  // Tensors and dicts of the message in use outside of it: 0 if its slot goes with it.
  std::int64_t open_views() const noexcept { return td_message_open_views(get()); }
  // Hands it to the consumers.
  void publish() { detail::call(td_message_publish, get()); }

  // The place in the order of publishing, from 0; -1 before.
  std::int64_t number() const noexcept { return td_message_number(get()); }
  // How often it was handed out; more than 1 when an earlier consumer died with it.
  std::int32_t delivery() const noexcept { return td_message_delivery(get()); }
  // Messages that were dropped since this consumer last took one.
  std::int64_t lag() const noexcept { return td_message_lag(get()); }
};

// Functions of a channel may run at the same time as each other.
class Channel : public Handle<Channel, td_channel, td_channel_retain, td_channel_release> {
 public:
  explicit Channel(Adopted raw) noexcept : Handle(raw) {}

  // Messages have the structure, the dtypes and the non-tensor data of `schema`, whose values do not matter.
  static Channel create(std::string_view name, const Dict& schema, const ChannelOptions& options = {}) {
    td_channel_options raw = TD_CHANNEL_OPTIONS_INIT;
    raw.mode = static_cast<td_channel_mode>(options.mode);
    raw.overflow = static_cast<td_channel_overflow>(options.overflow);
    raw.roles = static_cast<td_channel_role>(options.roles);
    raw.slots = options.slots;
    raw.members = options.members;
    raw.deliveries = options.deliveries;
    raw.max_held = options.max_held;
    raw.keep = options.keep;
    raw.replace_dead = options.replace_dead;
    return detail::made<Channel>(td_channel_create, detail::str(name), schema.get(), &raw);
  }
  // Waits for the name up to `timeout`.
  static Channel open(std::string_view name, ChannelRole roles, Timeout timeout = Timeout(0),
                      const Cancel* cancel = nullptr) {
    td_channel_open_options options = TD_CHANNEL_OPEN_OPTIONS_INIT;
    options.timeout_ms = static_cast<std::int64_t>(timeout.count());
    options.cancel = raw(cancel);
    return detail::made<Channel>(td_channel_open, detail::str(name), static_cast<td_channel_role>(roles), &options);
  }
  static void unlink(std::string_view name) { detail::call(td_channel_unlink, detail::str(name)); }

  // A message to write, and the oldest one that is there for this consumer; TimeoutError if there is none in time,
  // CancelledError once `cancel` is requested.
  Message acquire(Timeout timeout = forever, const Cancel* cancel = nullptr) const {
    return one(td_channel_acquire, timeout, cancel);
  }
  Message take(Timeout timeout = forever, const Cancel* cancel = nullptr) const {
    return one(td_channel_take, timeout, cancel);
  }
  // The same with nothing in place of TimeoutError.
  std::optional<Message> try_acquire(Timeout timeout = Timeout(0), const Cancel* cancel = nullptr) const {
    return maybe(td_channel_acquire, timeout, cancel);
  }
  std::optional<Message> try_take(Timeout timeout = Timeout(0), const Cancel* cancel = nullptr) const {
    return maybe(td_channel_take, timeout, cancel);
  }

  // For poll: readable while take (or acquire, for ChannelRole::produces) would not wait. The channel's, not to be closed.
  int descriptor(ChannelRole role = ChannelRole::consumes) const {
    return detail::got<std::int32_t>(td_channel_descriptor, get(), static_cast<td_channel_role>(role));
  }
  // Lets nothing more be published: consumers go on until they have taken what is there.
  void close() const { detail::call(td_channel_close, get()); }
  // Cleans up now after members that died; gives how many there were.
  std::int32_t sweep() const { return detail::got<std::int32_t>(td_channel_sweep, get()); }
  // What it was made with; the roles are those of this handle.
  ChannelOptions options() const {
    td_channel_options raw = TD_CHANNEL_OPTIONS_INIT;
    detail::call(td_channel_get_options, get(), &raw);
    return {static_cast<ChannelMode>(raw.mode),
            static_cast<Overflow>(raw.overflow),
            static_cast<ChannelRole>(raw.roles),
            raw.slots,
            raw.members,
            raw.deliveries,
            raw.max_held,
            raw.keep != 0};
  }
  td_channel_statistics stats() const {
    td_channel_statistics out = TD_CHANNEL_STATISTICS_INIT;
    detail::call(td_channel_stats, get(), &out);
    return out;
  }
  // Every word of it, for people.
  std::string dump() const { return detail::text_of(td_channel_dump, get()); }
  // Zeros of the structure that all messages have.
  Dict schema() const { return detail::made<Dict>(td_channel_schema, get()); }
  std::string path() const { return std::string(detail::view(td_channel_path(get()))); }
  std::int64_t nbytes() const noexcept { return td_channel_nbytes(get()); }

  // Takes message after message until the channel is closed and empty. Each is given back before the next is taken.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Message;
    using difference_type = std::ptrdiff_t;
    using pointer = Message*;
    using reference = Message&;

    Iterator() = default;
    explicit Iterator(const Channel* channel) : channel_(channel) { next(); }
    Message& operator*() const { return *message_; }
    Message* operator->() const { return message_.get(); }
    Iterator& operator++() {
      next();
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.channel_ == b.channel_; }
    friend bool operator!=(const Iterator& a, const Iterator& b) noexcept { return !(a == b); }

   private:
    void next() {
      message_.reset();
      try {
        message_ = std::make_shared<Message>(channel_->take());
      } catch (const ClosedError&) {
        channel_ = nullptr;
      }
    }
    const Channel* channel_ = nullptr;
    std::shared_ptr<Message> message_;
  };
  Iterator begin() const { return Iterator(this); }
  Iterator end() const noexcept { return Iterator(); }

 private:
  using Wait = td_status (*)(td_channel*, std::int64_t, const td_cancel*, td_message**, td_error**);
  static const td_cancel* raw(const Cancel* cancel) noexcept { return cancel ? cancel->get() : nullptr; }
  Message one(Wait wait, Timeout timeout, const Cancel* cancel) const {
    return detail::made<Message>(wait, get(), static_cast<std::int64_t>(timeout.count()), raw(cancel));
  }
  std::optional<Message> maybe(Wait wait, Timeout timeout, const Cancel* cancel) const {
    td_message* out = nullptr;
    td_error* error = nullptr;
    const td_status status = wait(get(), static_cast<std::int64_t>(timeout.count()), raw(cancel), &out, &error);
    if (status == TD_ERR_TIMEOUT) {
      td_error_release(error);
      return std::nullopt;
    }
    detail::check(status, error);
    return Message::adopt(out);
  }
};

}  // namespace tensordict

#endif
