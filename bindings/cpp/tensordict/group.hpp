// Groups: processes, on one machine or on several, that exchange dicts over TCP. They are the ranks of the group,
// numbered from 0, and stock Python can be one of them.
//
//     GroupOptions options;
//     options.rank = 0, options.size = 2;
//     const Group group = Group::open("file:///tmp/digits.meet", options);   // waits for rank 1
//     batch.send(group, 1);                                                  // rank 1 calls batch.recv(group, 0)
//
// What dicts do in a group stands in dict/group.hpp. Nothing is authenticated or encrypted: use groups only in networks
// that you trust. Libraries without the feature "group" throw UnsupportedError. This chapter of tensordict.h is a
// preview.
#ifndef TENSORDICT_GROUP_HPP
#define TENSORDICT_GROUP_HPP

#include "cancel.hpp"

namespace tensordict {

struct GroupOptions {
  std::int32_t rank = 0;          // the number of this rank
  std::int32_t size = 0;          // how many ranks there are
  std::string prefix = {};        // begins the keys in the store, so that several groups can use one; "": as in Python
  std::string address = {};       // that this rank listens on; "": 127.0.0.1
  Timeout timeout{0};             // of every wait for another rank; 0: 5 minutes
  bool serve = false;             // this rank serves the store of "tcp://..."
  bool serve_everywhere = false;  // the store may listen on all addresses of the machine, as LibTorch before 2.4 does
};

struct TransferOptions {
  std::int32_t tag = 0;      // only a receive with the same tag gets the dict
  bool by_leaf = false;      // to or from stock Python that has not set consolidated=True: one message for each tensor
  bool pseudo_rand = false;  // with by_leaf: the tags are those of stock Python's pseudo_rand=True
};

// How the values of all ranks are combined.
enum class GroupReduction : td_group_reduction {
  sum = TD_GROUP_REDUCTION_SUM,
  product = TD_GROUP_REDUCTION_PRODUCT,
  min = TD_GROUP_REDUCTION_MIN,
  max = TD_GROUP_REDUCTION_MAX,
};

struct GroupReduceOptions {
  GroupReduction reduction = GroupReduction::sum;
  std::int64_t bucket_bytes = 0;  // most bytes of tensors of one dtype that are reduced together; 0: each alone
};

// Functions of a group may run at the same time as each other, except that only one thread of a rank may be in a
// barrier or in a collective operation. A forked child must not use the group of its parent.
class Group : public Handle<Group, td_group, td_group_retain, td_group_release> {
 public:
  explicit Group(Adopted raw) noexcept : Handle(raw) {}

  // Waits until all ranks have opened the group. They meet in `store`, which is "tcp://HOST:PORT" if one rank
  // serves it, "file:///PATH" of a file that does not exist yet, or "env://" if the environment says the rest.
  static Group open(std::string_view store, const GroupOptions& options = {}) {
    td_group_options raw = TD_GROUP_OPTIONS_INIT;
    raw.prefix = detail::optional_str(options.prefix);
    raw.address = detail::optional_str(options.address);
    raw.timeout_ms = static_cast<std::int64_t>(options.timeout.count());
    raw.rank = options.rank;
    raw.size = options.size;
    raw.serve = options.serve;
    raw.serve_everywhere = options.serve_everywhere;
    return detail::made<Group>(td_group_open, detail::str(store), &raw);
  }
  // The group of this `group_name` that Python's torch.distributed made in this process. All ranks call this function,
  // or, with `beside_stock`, the others stay with stock Python. NotFoundError if there is no such group.
  static Group adopt_stock(std::string_view name, bool beside_stock = false) {
    return detail::made<Group>(td_group_adopt, detail::str(name), static_cast<td_bool>(beside_stock));
  }

  std::int32_t rank() const noexcept { return td_group_rank(Handle::get()); }
  std::size_t size() const noexcept { return td_group_size(Handle::get()); }

  // Waits until all ranks have called it. ClosedError names a rank that has died.
  void barrier() const { detail::call(td_group_barrier, Handle::get()); }

  // Values of the store, which all ranks see. `get` waits until the value is set: NotFoundError with the timeout 0,
  // TimeoutError with another; CancelledError once `cancel` is requested.
  void set(std::string_view key, std::string_view value) const {
    detail::call(td_group_set, Handle::get(), detail::str(key), detail::str(value));
  }
  std::string get(std::string_view key, Timeout timeout = forever, const Cancel* cancel = nullptr) const {
    return detail::text_of(td_group_get, Handle::get(), detail::str(key), static_cast<std::int64_t>(timeout.count()),
                           cancel ? cancel->get() : nullptr);
  }
  // Adds to the number under `key`, which is 0 if it is missing, and returns the sum.
  std::int64_t add(std::string_view key, std::int64_t n) const {
    return detail::got<std::int64_t>(td_group_add, Handle::get(), detail::str(key), n);
  }
  // Returns whether there was a value.
  bool remove(std::string_view key) const {
    return detail::got<td_bool>(td_group_remove, Handle::get(), detail::str(key)) != 0;
  }
  using Handle::get;
};

// A transfer under way, from Dict::isend and Dict::irecv. It goes on without its handle.
class Work : public Handle<Work, td_work, td_work_retain, td_work_release> {
 public:
  explicit Work(Adopted raw) noexcept : Handle(raw) {}

  // Waits until the transfer is done; it throws what send and recv throw. The first wait for a receive that succeeds
  // writes the values, and needs the dict for itself. After TimeoutError, and CancelledError once `cancel` is
  // requested, the transfer goes on and can be waited for again.
  void wait(Timeout timeout = forever, const Cancel* cancel = nullptr) const {
    detail::call(td_work_wait, get(), static_cast<std::int64_t>(timeout.count()), cancel ? cancel->get() : nullptr);
  }
  // Whether `wait` would not wait.
  bool done() const noexcept { return td_work_done(get()) != 0; }
};

}  // namespace tensordict

#endif
