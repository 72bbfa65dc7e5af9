// A part of Dict: with other ranks of a group. See group.hpp for how ranks meet.
//
//     const Dict mine = Dict::broadcast(group.rank() == 0 ? &weights : nullptr, group, 0);   // all begin with the same
//     gradients.all_reduce(group);                                                           // all have the sums
//
// If a rank dies, calls that need it throw ClosedError; if it does not answer, TimeoutError. This chapter of
// tensordict.h is a preview.
#ifndef TENSORDICT_DICT_GROUP_HPP
#define TENSORDICT_DICT_GROUP_HPP

#include "../group.hpp"
#include "list.hpp"

namespace tensordict {
namespace detail {

inline td_transfer_options raw(const TransferOptions& options) noexcept {
  td_transfer_options out = TD_TRANSFER_OPTIONS_INIT;
  out.tag = options.tag;
  out.by_leaf = options.by_leaf;
  out.pseudo_rand = options.pseudo_rand;
  return out;
}

inline td_group_reduce_options raw(const GroupReduceOptions& options) noexcept {
  td_group_reduce_options out = TD_GROUP_REDUCE_OPTIONS_INIT;
  out.bucket_bytes = options.bucket_bytes;
  out.reduction = static_cast<td_group_reduction>(options.reduction);
  return out;
}

}  // namespace detail

template <class D>
class DictGroup : public detail::DictPart<D, DictGroup<D>> {
  using Part = detail::DictPart<D, DictGroup<D>>;
  using Part::done, Part::self;

 public:
  // Sends the values of all tensors to rank `dst`, and waits until it has received them. Non-tensor data is not sent.
  void send(const Group& group, std::int32_t dst, const TransferOptions& options = {}) const {
    const td_transfer_options raw = detail::raw(options);
    detail::call(td_dict_send, self(), group.get(), dst, &raw);
  }
  // Receives from rank `src` into the tensors of this dict, which may be locked. ShapeError if the dict of the sender
  // has another structure; on any error this dict is unchanged. Stock Python does not say what it sends: a message that
  // is longer than the tensors here ends this process.
  D& recv(const Group& group, std::int32_t src, const TransferOptions& options = {}) {
    const td_transfer_options raw = detail::raw(options);
    return done(td_dict_recv, group.get(), src, &raw);
  }

  // Begin to send and to receive, and do not wait. What is sent is copied before isend returns. What is received is in
  // the dict after Work::wait; until then the dict must keep its structure. The work keeps the dict alive.
  Work isend(const Group& group, std::int32_t dst, const TransferOptions& options = {}) const {
    const td_transfer_options raw = detail::raw(options);
    return detail::made<Work>(td_dict_isend, self(), group.get(), dst, &raw);
  }
  Work irecv(const Group& group, std::int32_t src, const TransferOptions& options = {}) {
    const td_transfer_options raw = detail::raw(options);
    return detail::made<Work>(td_dict_irecv, self(), group.get(), src, &raw);
  }

  // Sends the dict with its structure and its non-tensor data to rank `dst`, which calls from_remote_init.
  void init_remote(const Group& group, std::int32_t dst) const {
    detail::call(td_dict_init_remote, self(), group.get(), dst);
  }
  static D from_remote_init(const Group& group, std::int32_t src) {
    return detail::made<D>(td_dict_from_remote_init, group.get(), src);
  }

  // All ranks must call the same of the following functions in the same order. If they differ, or one fails before it
  // takes part, all of them throw, no dict changes, and the group can still be used.

  // A copy of the dict of rank `src`, with its structure, on every rank. The other ranks give nullptr for `mine`.
  static D broadcast(const D* mine, const Group& group, std::int32_t src) {
    return detail::made<D>(td_dict_broadcast, mine ? mine->get() : nullptr, group.get(), src);
  }
  // Reduces each tensor over all ranks, in place; reduce_to changes only the dict of rank `dst`. The dicts must have
  // the same structure.
  D& all_reduce(const Group& group, const GroupReduceOptions& options = {}) {
    const td_group_reduce_options raw = detail::raw(options);
    return done(td_dict_all_reduce, group.get(), &raw);
  }
  D& reduce_to(const Group& group, std::int32_t dst, const GroupReduceOptions& options = {}) {
    const td_group_reduce_options raw = detail::raw(options);
    return done(td_dict_reduce_to, group.get(), dst, &raw);
  }
  // The dicts of all ranks, this one included, in rank order. They may have different structures.
  std::vector<D> all_gather(const Group& group) const {
    return detail::dicts_of<D>(td_dict_all_gather, self(), group.get());
  }
  // Stacks the dicts of all other ranks along a new first dim into the tensors of this dict on rank `dst`, whose first
  // batch dim is one less than the size of the group. The other ranks send their dict.
  D& gather_and_stack(const Group& group, std::int32_t dst) { return done(td_dict_gather_and_stack, group.get(), dst); }
};

}  // namespace tensordict

#endif
