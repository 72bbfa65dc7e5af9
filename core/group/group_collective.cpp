// What all ranks of a group do together. Between ranks of this library each of these begins with a round in which every
// one says what it is about to do; stock Python has no such round, and so a group with one of its ranks has none.
#include <algorithm>
#include <cstring>

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "core/dict/change/update.h"
#include "core/dict/shape/cat.h"
#include "core/error.h"
#include "core/group/described.h"
#include "core/group/group.h"
#include "core/group/reduction.h"
#include "core/storage/memmap/mapped_file.h"

namespace td {

using group::Announced;
using group::Described;
using group::Kind;
using group::rank_text;

namespace {

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::broadcast:
      return "{dict_broadcast}";
    case Kind::all_reduce:
      return "{dict_all_reduce}";
    case Kind::reduce:
      return "{dict_reduce_to}";
    case Kind::all_gather:
      return "{dict_all_gather}";
    case Kind::gather_and_stack:
      return "{dict_gather_and_stack}";
    default:
      return "something else";
  }
}

at::Tensor number(int64_t n) {
  return at::full({1}, n, at::kLong);
}

int64_t number_in(const at::Tensor& t) {
  return *t.data_ptr<int64_t>();
}

int64_t max_of(const std::vector<Announced>& all, int64_t Announced::*member) {
  int64_t max = 0;
  for (const Announced& a : all) max = std::max(max, a.*member);
  return max;
}

void check_sizes(const std::vector<Announced>& all) {
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].metadata < 0 || all[i].metadata > storage::longest_metadata || all[i].bytes < 0)
      throw Error(Code::corrupt, rank_text(static_cast<int32_t>(i)) + " announces a description of " +
                                     std::to_string(all[i].metadata) + " bytes");
}

Announced announced(Kind kind, const Described& d, int32_t root = 0) {
  Announced a;
  a.kind = kind, a.detail = root;
  if (d.metadata.defined()) a.bytes = d.storage.numel(), a.metadata = d.metadata.numel();
  return a;
}

}  // namespace

std::vector<Announced> Group::agree(const Announced& mine) const {
  const std::vector<at::Tensor> headers = transport_->all_gather(header_of(mine));
  std::vector<Announced> all;
  for (int32_t i = 0; i < size(); ++i) all.push_back(group::read_header(headers[static_cast<size_t>(i)], rank_text(i)));
  if (mine.kind == Kind::failed) return all;
  for (int32_t i = 0; i < size(); ++i) {
    const Announced& a = all[static_cast<size_t>(i)];
    if (a.kind == Kind::failed)
      throw Error(Code::cancelled, rank_text(i) + " failed before it could take part").where(rank_text(i));
    if (a.kind != mine.kind)
      throw Error(Code::argument, rank_text(i) + " called another operation than this rank")
          .where(rank_text(i))
          .hint_naming(rank_text(i) + " called " + name_of(a.kind) + ", this rank " + name_of(mine.kind) +
                       ": all ranks must call the same in the same order");
    if (a.detail != mine.detail || a.size != mine.size)
      throw Error(Code::argument, rank_text(i) + " gave another rank, reduction or bucket size").where(rank_text(i));
  }
  return all;
}

template <class F>
auto Group::prepared(F prepare) const -> decltype(prepare()) {
  try {
    return prepare();
  } catch (...) {
    if (all_ours()) {
      Announced failed;
      failed.kind = Kind::failed;
      try {
        agree(failed);
      } catch (const Error&) {
        // The first error says more.
      }
    }
    throw;
  }
}

std::vector<at::Tensor> Group::gathered(const at::Tensor& mine, int64_t most) const {
  at::Tensor whole = at::zeros({most}, at::kByte);
  if (mine.numel() > 0) std::memcpy(whole.data_ptr(), mine.data_ptr(), static_cast<size_t>(mine.numel()));
  return transport_->all_gather(whole);
}

NodePtr Group::broadcast(const Node* node, int32_t root) const {
  group::Transport& all = transport();
  std::lock_guard<std::mutex> lock(together_);
  Described d = prepared([&] {
    check_root(root);
    if (root != rank()) return Described{};
    if (!node) throw Error(Code::argument, "the rank that broadcasts a dict has none");
    return describe(*node, group::Extras::size_and_device);
  });
  std::vector<Announced> sizes(1, announced(Kind::broadcast, d, root));
  if (all_ours()) {
    sizes[0] = agree(sizes[0])[static_cast<size_t>(root)];
  } else {
    at::Tensor size = number(sizes[0].metadata);
    all.broadcast(size, root);
    sizes[0].metadata = number_in(size);
  }
  check_sizes(sizes);
  if (root != rank()) d.metadata = at::empty({sizes[0].metadata}, at::kByte);
  all.broadcast(d.metadata, root);
  if (root != rank())
    d.storage =
        at::empty({all_ours() ? sizes[0].bytes : group::announced_bytes(d.metadata, rank_text(root))}, at::kByte);
  all.broadcast(d.storage, root);
  return group::read_described(d, rank_text(root));
}

void Group::all_reduce(Node& node, group::Reduction op, int64_t bucket_bytes) const {
  reduce_values(node, nullopt, op, bucket_bytes);
}

void Group::reduce(Node& node, int32_t root, group::Reduction op, int64_t bucket_bytes) const {
  reduce_values(node, root, op, bucket_bytes);
}

void Group::reduce_values(Node& node, optional<int32_t> root, group::Reduction op, int64_t bucket_bytes) const {
  group::Transport& all = transport();
  std::lock_guard<std::mutex> lock(together_);
  const Kind kind = root ? Kind::reduce : Kind::all_reduce;
  at::Tensor block;
  std::vector<at::Tensor> leaves;
  const group::Message message = prepared([&] {
    if (root) check_root(*root);
    if (bucket_bytes < 0) throw Error(Code::argument, "the option bucket_bytes is " + std::to_string(bucket_bytes));
    group::Message m(node);
    block = m.packed(node);
    leaves = m.leaves(node, block, root ? group::Order::sorted : group::Order::inserted);
    for (const at::Tensor& leaf : leaves) group::reducible(leaf, op);
    return m;
  });
  if (all_ours()) {
    Announced mine = message.announced();
    mine.kind = kind, mine.size = bucket_bytes;
    mine.detail = root.value_or(0) << 8 | static_cast<int32_t>(op);
    const std::vector<Announced> others = agree(mine);
    for (int32_t i = 0; i < size(); ++i) check_structure(others[static_cast<size_t>(i)], mine, rank_text(i));
  }
  group::reduce_leaves(leaves, bucket_bytes, [&](const at::Tensor& t) {
    const at::Tensor real = group::reducible(t, op);
    root ? all.reduce(real, op, *root) : all.all_reduce(real, op);
  });
  if (!root || *root == rank()) update_values(node, *message.unpacked(block));
}

Nodes Group::all_gather(const Node& node) const {
  group::Transport& all = transport();
  std::lock_guard<std::mutex> lock(together_);
  const Described mine = prepared([&] { return describe(node, group::Extras::size); });
  std::vector<Announced> sizes;
  if (all_ours()) {
    sizes = agree(announced(Kind::all_gather, mine));
  } else {
    for (const at::Tensor& size : all.all_gather(number(mine.metadata.numel())))
      sizes.emplace_back().metadata = number_in(size);
  }
  check_sizes(sizes);
  std::vector<at::Tensor> metadata = gathered(mine.metadata, max_of(sizes, &Announced::metadata));
  for (size_t i = 0; i < metadata.size(); ++i) {
    metadata[i] = metadata[i].narrow(0, 0, sizes[i].metadata);
    if (!all_ours()) sizes[i].bytes = group::announced_bytes(metadata[i], rank_text(static_cast<int32_t>(i)));
  }
  const std::vector<at::Tensor> storages = gathered(mine.storage, max_of(sizes, &Announced::bytes));
  Nodes nodes;
  for (size_t i = 0; i < storages.size(); ++i)
    nodes.push_back(group::read_described({metadata[i], storages[i].narrow(0, 0, sizes[i].bytes)},
                                          rank_text(static_cast<int32_t>(i))));
  return nodes;
}

void Group::gather_and_stack(Node& node, int32_t root) const {
  constexpr int64_t nothing = 0, storage = 2;  // stock Python's words; 1 is a pickle of everything
  group::Transport& all = transport();
  std::lock_guard<std::mutex> lock(together_);
  const Described mine = prepared([&] {
    check_root(root);
    if (size() < 2) throw Error(Code::argument, "there is no other rank to gather from");
    return root == rank() ? Described{} : describe(node, group::Extras::none);
  });
  std::vector<Announced> sizes;
  const Announced own = announced(Kind::gather_and_stack, mine, root);
  bool readable = true;
  if (all_ours()) {
    sizes = agree(own);
  } else {
    at::Tensor header = at::zeros({3}, at::kLong);
    auto* words = header.data_ptr<int64_t>();
    words[0] = root == rank() ? nothing : storage, words[1] = own.bytes, words[2] = own.bytes + own.metadata;
    for (const at::Tensor& h : all.all_gather(header)) {
      const auto* w = h.data_ptr<int64_t>();
      readable = readable && (w[0] == storage || (w[0] == nothing && sizes.size() == static_cast<size_t>(root)));
      Announced& a = sizes.emplace_back();
      a.bytes = w[1], a.metadata = w[2] - w[1];
    }
  }
  check_sizes(sizes);
  int64_t most = 0;
  for (const Announced& a : sizes) most = std::max(most, a.bytes + a.metadata);
  at::Tensor buffer = at::zeros({most}, at::kByte);
  char* to = static_cast<char*>(buffer.data_ptr());
  if (own.metadata > 0) {
    if (own.bytes > 0) std::memcpy(to, mine.storage.data_ptr(), static_cast<size_t>(own.bytes));
    std::memcpy(to + own.bytes, mine.metadata.data_ptr(), static_cast<size_t>(own.metadata));
  }
  const std::vector<at::Tensor> buffers = all.gather(buffer, root);
  if (root != rank()) return;
  if (!readable)
    throw Error(Code::unsupported, "a rank sent a dict that only Python can read")
        .hint("send dicts of plain tensors on the CPU that require no grad");
  Nodes rows;
  std::vector<const Node*> all_rows;
  for (int32_t i = 0; i < size(); ++i) {
    if (i == root) continue;
    const Announced& a = sizes[static_cast<size_t>(i)];
    const at::Tensor& bytes = buffers[static_cast<size_t>(i)];
    // In memory of its own, so that tensors are aligned whatever the place in the buffer.
    rows.push_back(
        group::read_described({bytes.narrow(0, a.bytes, a.metadata), bytes.narrow(0, 0, a.bytes)}, rank_text(i)));
    all_rows.push_back(rows.back().get());
  }
  stack_into(all_rows, 0, node);
}

}  // namespace td
