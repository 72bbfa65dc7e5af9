// Dicts that one rank sends to another.
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include "core/dict/change/update.h"
#include "core/error.h"
#include "core/group/described.h"
#include "core/group/group.h"
#include "core/group/pseudo_tags.h"
#include "core/storage/memmap/mapped_file.h"

namespace td {

using group::Announced;
using group::Kind;
using group::Lanes;
using group::rank_text;

namespace {

at::Tensor bytes(int64_t n) {
  return at::empty({n}, at::kByte);
}

// Takes what comes and forgets it: the sender waits until it is received.
void drain(group::Transport& from, int64_t n, int32_t peer, int32_t tag) {
  if (n > 0) from.receive(bytes(n), peer, tag);
}

// Those of the leaves of a transfer, one after the other.
class Tags {
 public:
  explicit Tags(const Group::Transfer& t) : next_(t.tag), pseudo_rand_(t.pseudo_rand) {}

  int32_t next() {
    const int32_t tag = pseudo_rand_ ? group::next_pseudo_tag(next_) : next_;
    next_ = tag + 1;
    return tag;
  }

 private:
  int32_t next_;
  bool pseudo_rand_;
};

void check_metadata(int64_t n, int32_t peer) {
  if (n < 1 || n > storage::longest_metadata)
    throw Error(Code::corrupt, rank_text(peer) + " announces a description of " + std::to_string(n) + " bytes")
        .where(rank_text(peer));
}

}  // namespace

void Group::send(const Node& node, int32_t peer, const Transfer& transfer) const {
  post(node, peer, transfer)();
}

std::function<void()> Group::post(const Node& node, int32_t peer, const Transfer& transfer) const {
  group::Transport& to = transport_to(peer, transfer.tag);
  const group::Message message(node);
  const at::Tensor packed = message.packed(node);
  std::vector<at::Tensor> all{packed};
  if (to.knows_headers(peer)) {
    if (message.bytes() == 0) all.clear();
    all.insert(all.begin(), header_of(message.announced()));
  }
  Lanes::Turn turn(lanes_, true, peer, transfer.tag);
  turn.wait();
  if (to.knows_headers(peer) || !transfer.by_leaf) return to.post(std::move(all), peer, transfer.tag);
  std::vector<std::function<void()>> waits;
  Tags tags(transfer);
  for (const at::Tensor& leaf : message.leaves(node, packed, group::Order::sorted))
    waits.push_back(to.post({leaf}, peer, tags.next()));
  return [waits = std::move(waits)] {
    for (const auto& wait : waits) wait();
  };
}

Announced Group::take_header(group::Transport& from, int32_t peer, int32_t tag, Kind kind) const {
  at::Tensor header = bytes(group::header_bytes);
  from.receive(header, peer, tag);
  const Announced coming = group::read_header(header, rank_text(peer));
  if (coming.kind == kind) return coming;
  drain(from, coming.metadata, peer, tag);
  drain(from, coming.bytes, peer, tag);
  throw Error(Code::corrupt, rank_text(peer) + (coming.kind == Kind::described ? " sent a dict with its structure"
                                                                               : " sent a dict without its structure"))
      .where(rank_text(peer))
      .hint_naming("{dict_send} goes with {dict_recv}, and {dict_init_remote} with {dict_from_remote_init}");
}

void Group::receive(Node& node, int32_t peer, const Transfer& transfer) const {
  transport_to(peer, transfer.tag);
  const group::Message message(node);
  Lanes::Turn turn(lanes_, false, peer, transfer.tag);
  turn.wait();
  update_values(node, *message.unpacked(take(message, node, peer, transfer)));
}

at::Tensor Group::take(const group::Message& message, const Node& node, int32_t peer, const Transfer& transfer) const {
  group::Transport& from = transport_to(peer, transfer.tag);
  at::Tensor payload = bytes(message.bytes());
  if (from.knows_headers(peer)) {
    const Announced coming = take_header(from, peer, transfer.tag, Kind::values);
    try {
      check_structure(coming, message.announced(), rank_text(peer));
    } catch (const Error&) {
      drain(from, coming.bytes, peer, transfer.tag);
      throw;
    }
    if (message.bytes() == 0) return payload;
  } else if (transfer.by_leaf) {
    Tags tags(transfer);
    for (const at::Tensor& leaf : message.leaves(node, payload, group::Order::sorted))
      from.receive(leaf, peer, tags.next());
    return payload;
  }
  from.receive(payload, peer, transfer.tag);
  return payload;
}

c10::intrusive_ptr<group::Work> Group::begin_send(const Node& node, int32_t peer, const Transfer& transfer) const {
  auto self = c10::intrusive_ptr<Group>::reclaim_copy(const_cast<Group*>(this));
  return c10::make_intrusive<group::Work>([self, wait = post(node, peer, transfer)] { wait(); }, [] {});
}

c10::intrusive_ptr<group::Work> Group::begin_receive(NodePtr node, int32_t peer, const Transfer& transfer) const {
  transport_to(peer, transfer.tag);
  auto self = c10::intrusive_ptr<Group>::reclaim_copy(const_cast<Group*>(this));
  auto message = std::make_shared<const group::Message>(*node);
  auto payload = std::make_shared<at::Tensor>();
  auto turn = std::make_shared<Lanes::Turn>(lanes_, false, peer, transfer.tag);
  return c10::make_intrusive<group::Work>(
      [=]() mutable {
        turn->wait();
        *payload = self->take(*message, *node, peer, transfer);
        turn = nullptr;
      },
      [=] { update_values(*node, *message->unpacked(*payload)); });
}

void Group::send_described(const Node& node, int32_t peer) const {
  group::Transport& to = transport_to(peer, 0);
  const group::Described d = describe(node, group::Extras::size);
  std::vector<at::Tensor> all{d.metadata};
  if (to.knows_headers(peer)) {
    Announced announced;
    announced.kind = Kind::described, announced.bytes = d.storage.numel(), announced.metadata = d.metadata.numel();
    all.insert(all.begin(), header_of(announced));
    if (announced.bytes > 0) all.push_back(d.storage);
  } else {
    all.insert(all.begin(), at::full({1}, d.metadata.numel(), at::kLong));
    all.push_back(d.storage);
  }
  std::function<void()> wait;
  {
    Lanes::Turn turn(lanes_, true, peer, 0);
    turn.wait();
    wait = to.post(std::move(all), peer, 0);
  }
  wait();
}

NodePtr Group::receive_described(int32_t peer) const {
  group::Transport& from = transport_to(peer, 0);
  group::Described d;
  Lanes::Turn turn(lanes_, false, peer, 0);
  turn.wait();
  Announced coming;
  if (from.knows_headers(peer)) {
    coming = take_header(from, peer, 0, Kind::described);
  } else {
    at::Tensor size = at::full({1}, int64_t{0}, at::kLong);
    from.receive(size, peer, 0);
    coming.metadata = *size.data_ptr<int64_t>();
    coming.bytes = -1;
  }
  check_metadata(coming.metadata, peer);
  from.receive(d.metadata = bytes(coming.metadata), peer, 0);
  const bool says_size = coming.bytes >= 0;
  if (!says_size) coming.bytes = group::announced_bytes(d.metadata, rank_text(peer));
  d.storage = bytes(coming.bytes);
  if (coming.bytes > 0 || !says_size) from.receive(d.storage, peer, 0);
  return read_described(d, rank_text(peer));
}

}  // namespace td
