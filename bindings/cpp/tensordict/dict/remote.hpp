// A part of Dict: on a Redis or Valkey server, for many processes on many machines, in the layout of Python's
// TensorDictStore. Each get reads the tensor, an index reads only its rows, and each change is one transaction.
//
//     Dict replay = Dict::create_remote("redis://10.0.0.1:6379/0?id=replay", {64});
//     replay.update(batch);
//     const Dict seen = Dict::open_remote("redis://10.0.0.1:6379/0?id=replay");   // in another process
//
// A URL is redis://HOST:PORT/DB?id=ID or unix:///PATH?id=ID; tensordict.h says what else may stand in it. A server that
// cannot be reached or disconnects is a ClosedError, one that does not answer a TimeoutError. Libraries without the
// feature "redis" throw UnsupportedError. This chapter of tensordict.h is a preview.
#ifndef TENSORDICT_DICT_REMOTE_HPP
#define TENSORDICT_DICT_REMOTE_HPP

#include "../cancel.hpp"
#include "../format.hpp"
#include "part.hpp"

namespace tensordict {

struct RemoteOptions {
  Mode mode = Mode::read;  // of an open: read or read_write; a new dict can be written
  Timeout timeout{0};      // of each wait for the server; 0: 10 seconds
};

namespace detail {

inline td_remote_options raw(const RemoteOptions& options, Ints batch_size = {}) noexcept {
  td_remote_options out = TD_REMOTE_OPTIONS_INIT;
  out.batch_size = batch_size.data();
  out.ndim = batch_size.size();
  out.timeout_ms = static_cast<std::int64_t>(options.timeout.count());
  out.mode = static_cast<td_open_mode>(options.mode);
  return out;
}

}  // namespace detail

template <class D>
class DictRemote : public detail::DictPart<D, DictRemote<D>> {
  using Part = detail::DictPart<D, DictRemote<D>>;
  using Part::done, Part::self;

 public:
  // A dict or a lazy stack that is on the server; NotFoundError if there is none.
  static D open_remote(std::string_view url, const RemoteOptions& options = {}) {
    const td_remote_options raw = detail::raw(options);
    return detail::made<D>(td_remote_open, detail::str(url), &raw);
  }
  // A new dict without entries, opened to be written; ExistsError if the id is taken.
  static D create_remote(std::string_view url, Ints batch_size, const RemoteOptions& options = {}) {
    const td_remote_options raw = detail::raw(options, batch_size);
    return detail::made<D>(td_remote_create, detail::str(url), &raw);
  }
  // The ids of the dicts and lazy stacks on the server, in alphabetical order; the URL has no id.
  static std::vector<std::string> list_remote(std::string_view url, const RemoteOptions& options = {}) {
    const td_remote_options raw = detail::raw(options);
    std::vector<std::string> out;
    for (const Key& id : detail::made<Keys>(td_remote_list, detail::str(url), &raw).to_vector())
      out.push_back(id.back());
    return out;
  }
  // Removes a dict or a lazy stack with all its entries; NotFoundError if there is none.
  static void remove_remote(std::string_view url, const RemoteOptions& options = {}) {
    const td_remote_options raw = detail::raw(options);
    detail::call(td_remote_remove, detail::str(url), &raw);
  }

  // How often this library, in any process, has changed the dict on the server; Python does not count. UnsupportedError
  // if the dict is not on a server.
  std::int64_t remote_version() const { return detail::got<std::int64_t>(td_remote_version, self()); }
  // Updates in one transaction if the dict still has this version. BusyError if it has another one, and then nothing is
  // written: read again, compute again, and try again.
  D& remote_update_if(const D& source, std::int64_t version) {
    return done(td_remote_update_if, source.get(), version);
  }
};

}  // namespace tensordict

#endif
