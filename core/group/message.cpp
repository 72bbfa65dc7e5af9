#include "core/group/message.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <utility>

#include <ATen/ops/empty.h>

#include "core/error.h"
#include "core/storage/leaf.h"
#include "core/system/crc32c.h"
#include "core/tensor/memory.h"

namespace td::group {

namespace {

constexpr char magic[8] = {'t', 'd', '.', 'g', 'r', 'o', 'u', 'p'};

struct Header {
  char magic[8];
  int32_t kind, detail;
  int64_t bytes, metadata;
  uint64_t structure;
  int64_t size;
  char reserved[16];
};
static_assert(sizeof(Header) == header_bytes, "all messages of one kind have one size");

// What does not have to agree is taken out.
void forget_state(storage::Outline& o) {
  o.locked = false;
  o.device = nullopt;
  for (auto& [key, node] : o.nodes) forget_state(node);
}

uint64_t checksum(const std::string& text) {
  return static_cast<uint64_t>(text.size()) << 32 | shm::crc32c(text);
}

char* bytes_of(const at::Tensor& t) {
  return static_cast<char*>(t.data_ptr());
}

// An outline has leaves and nodes apart, so that the dict says how they follow one another.
class Walk {
 public:
  Walk(Order order, std::vector<const storage::PlacedLeaf*>& out) : order_(order), out_(out) {}

  void visit(const storage::Outline& o, const Node& node) {
    if (o.stack_dim) {
      node.each_member([&](const NodePtr& m, size_t i) { visit(o.nodes[i].second, *m); });
      return;
    }
    std::unordered_map<std::string, const storage::PlacedLeaf*> leaves;
    std::unordered_map<std::string, const storage::Outline*> nodes;
    for (const auto& [key, leaf] : o.leaves) leaves[key.text()] = &leaf;
    for (const auto& [key, below] : o.nodes)
      if (!below.stack) nodes[key.text()] = &below;
    std::vector<std::pair<std::string, NodePtr>> keys;
    node.visit([&](const Key& key, const Entry& e) {
      if (!e.is_data()) keys.emplace_back(key.text(), e.is_node() ? e.node() : NodePtr());
    });
    // Of UTF-8 this is the order of the characters, as Python has it.
    if (order_ == Order::sorted)
      std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [key, below] : keys) below ? visit(*nodes.at(key), *below) : out_.push_back(leaves.at(key));
  }

 private:
  Order order_;
  std::vector<const storage::PlacedLeaf*>& out_;
};

}  // namespace

at::Tensor header_of(const Announced& a) {
  Header h{};
  std::memcpy(h.magic, magic, sizeof magic);
  h.kind = static_cast<int32_t>(a.kind), h.detail = a.detail;
  h.bytes = a.bytes, h.metadata = a.metadata, h.structure = a.structure, h.size = a.size;
  at::Tensor out = at::empty({header_bytes}, at::kByte);
  std::memcpy(bytes_of(out), &h, sizeof h);
  return out;
}

Announced read_header(const at::Tensor& header, const std::string& where) {
  Header h;
  std::memcpy(&h, bytes_of(header), sizeof h);
  if (std::memcmp(h.magic, magic, sizeof magic) != 0 || h.bytes < 0 || h.metadata < 0)
    throw Error(Code::corrupt, "the message does not begin with a header of this library").where(where);
  return {static_cast<Kind>(h.kind), h.detail, h.bytes, h.metadata, h.structure, h.size};
}

void check_structure(const Announced& coming, const Announced& expected, const std::string& rank) {
  if (coming.bytes == expected.bytes && coming.structure == expected.structure) return;
  throw Error(Code::shape, rank + " has a dict of another structure: " + std::to_string(coming.bytes) +
                               " bytes of tensors, not " + std::to_string(expected.bytes))
      .where(rank)
      .hint("keys and their order, dtypes, shapes, batch sizes and non-tensor data must be the same on all sides");
}

Message::Message(const Node& node) : outline_(storage::plan(node, 0, 8)) {
  forget_state(outline_);
  announced_.bytes = storage::end_of(outline_, 0);
  announced_.structure = checksum(storage::to_json(outline_));
}

at::Tensor Message::packed(const Node& node) const {
  return group::packed(outline_, node);
}

at::Tensor packed(const storage::Outline& outline, const Node& node) {
  at::Tensor out = at::empty({storage::end_of(outline, 0)}, at::kByte);
  int64_t done = 0;
  auto zeros_to = [&](int64_t end) {
    if (end > done) std::memset(bytes_of(out) + done, 0, static_cast<size_t>(end - done));
  };
  std::vector<std::pair<storage::PlacedLeaf, at::Tensor>> leaves;
  storage::Pairing collect;
  collect.leaf = [&](const Path&, const storage::PlacedLeaf& leaf, const at::Tensor& t) {
    if (leaf.type.bytes > 0) leaves.emplace_back(leaf, t);
  };
  collect.data = [](const Path&, const Data&, const Data&) {};
  storage::pair(outline, node, collect);
  std::sort(leaves.begin(), leaves.end(), [](const auto& a, const auto& b) { return a.first.offset < b.first.offset; });
  for (const auto& [leaf, t] : leaves) {
    zeros_to(leaf.offset);
    const at::Tensor rows = storage::dense(t);
    std::memcpy(bytes_of(out) + leaf.offset, rows.data_ptr(), static_cast<size_t>(leaf.type.bytes));
    done = leaf.offset + leaf.type.bytes;
  }
  zeros_to(out.numel());
  return out;
}

at::Tensor leaf_of(const storage::PlacedLeaf& leaf, const at::Tensor& bytes) {
  return storage::leaf_tensor(leaf.type, bytes_of(bytes) + leaf.offset, std::make_shared<const at::Tensor>(bytes));
}

NodePtr Message::unpacked(const at::Tensor& bytes) const {
  return storage::build(outline_, [&](const storage::PlacedLeaf& leaf) { return leaf_of(leaf, bytes); });
}

std::vector<at::Tensor> Message::leaves(const Node& node, const at::Tensor& bytes, Order order) const {
  std::vector<const storage::PlacedLeaf*> placed;
  Walk(order, placed).visit(outline_, node);
  std::vector<at::Tensor> out;
  for (const storage::PlacedLeaf* leaf : placed) out.push_back(leaf_of(*leaf, bytes));
  return out;
}

}  // namespace td::group
