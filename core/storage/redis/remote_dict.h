// A dict on a server, which all its levels share: reads that show one moment, and changes that arrive as a whole.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "core/storage/redis/connection.h"
#include "core/storage/redis/moment.h"

namespace td::storage::redis {

class RemoteDict {
 public:
  RemoteDict(Address address, int64_t timeout_ms, bool writable);

  const std::string& text() const { return connection_.address().text; }
  const Keys& keys() const { return keys_; }
  bool writable() const { return writable_; }
  void close();

  // What is at and below `path`, and with `part` the values under it, there or also below, in one transaction. Of a
  // lazy stack those are the bytes of a member, or of all, whatever the part. Throws Error(busy) if it changes faster
  // than it can be read.
  enum class Values { there, below };
  Moment look(const std::string& path, const IndexList* part, Values values = Values::below,
              optional<size_t> member = nullopt) const;

  // The moment that this thread is in, or null.
  Moment* current() const;
  // While it lives, this thread is in that moment.
  class Inside {
   public:
    Inside(const RemoteDict& dict, Moment& moment);
    ~Inside();
    Inside(const Inside&) = delete;

    Moment* around() const { return around_; }

   private:
    const RemoteDict& dict_;
    Moment* around_;  // that it was in before, or null
  };

  // Sends the changes of a moment as one transaction. Throws Error(busy) if what they build on has changed, or if
  // `version` is not that of the dict; Error(closed) also if the server went away before it said whether it has them.
  void commit(Moment& moment, optional<int64_t> version = nullopt) const;

  void set_batch(const Layout& layout) const;  // what the dict must be from now on

 private:
  Connection& server() const;  // throws Error(closed) after close
  void send(Moment& moment, optional<int64_t> version) const;
  void check_batch_of(const Layout& layout) const;
  void ask_all(Request& request) const;
  size_t all_answers() const { return root_answers + (is_stack_ ? stack_answers : 0); }
  optional<Layout> parse_all(const Reply* next) const;  // empty: it is of the other kind, to be asked for anew
  bool unchanged(const Moment& moment, const std::vector<Reply>& replies, optional<int64_t> version) const;

  mutable std::mutex mutex_;  // of all that follows
  mutable Connection connection_;
  mutable std::shared_ptr<const Layout> last_;  // that was seen, to be checked again
  mutable optional<Dims> batch_;
  mutable bool is_stack_ = false;
  mutable optional<StackOf> stack_;
  bool closed_ = false;
  Keys keys_;
  bool writable_;

  mutable std::mutex moments_mutex_;
  mutable std::map<std::thread::id, Moment*> moments_;
};
using RemoteDictPtr = std::shared_ptr<RemoteDict>;

}  // namespace td::storage::redis
