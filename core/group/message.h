// A dict as one block of bytes, laid out as stock Python's consolidate does it, and the header that announces it.
#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/storage/consolidated.h"

namespace td::group {

constexpr int64_t header_bytes = 64;

// What comes behind a header, or which collective a rank has entered.
enum class Kind : int32_t {
  values = 1,
  described,
  broadcast,
  all_reduce,
  reduce,
  all_gather,
  gather_and_stack,
  failed
};

struct Announced {
  Kind kind = Kind::values;
  int32_t detail = 0;      // of a collective: what all ranks must have alike
  int64_t bytes = 0;       // of all tensors
  int64_t metadata = 0;    // bytes of the description, if that is sent too
  uint64_t structure = 0;  // a checksum of keys, types, sizes and non-tensor data
  int64_t size = 0;        // of what all ranks must have alike, too
};

at::Tensor header_of(const Announced& announced);

// Throws Error(corrupt) if it is none.
Announced read_header(const at::Tensor& header, const std::string& where);

// Throws Error(shape) unless the sender's dict, `coming`, has the structure of the receiver's.
void check_structure(const Announced& coming, const Announced& expected, const std::string& rank);

// The order in which stock Python goes through the tensors of a dict, depth first: as inserted, or by key.
enum class Order { inserted, sorted };

class Message {
 public:
  // Throws Error(unsupported) or Error(key) for what the format cannot hold.
  explicit Message(const Node& node);

  int64_t bytes() const { return announced_.bytes; }
  const Announced& announced() const { return announced_; }

  at::Tensor packed(const Node& node) const;
  NodePtr unpacked(const at::Tensor& bytes) const;  // its tensors are views of the bytes
  // The same views without the dict around them; `node` has the structure.
  std::vector<at::Tensor> leaves(const Node& node, const at::Tensor& bytes, Order order) const;

 private:
  storage::Outline outline_;
  Announced announced_;
};

// The values of all tensors in the block that the outline lays out, zeros between them.
at::Tensor packed(const storage::Outline& outline, const Node& node);
// A tensor over its part of such a block, which it keeps.
at::Tensor leaf_of(const storage::PlacedLeaf& leaf, const at::Tensor& bytes);

}  // namespace td::group
