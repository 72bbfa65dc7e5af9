// What a server says of an entry besides its values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/storage/leaf.h"

namespace td::storage::redis {

// A lazy stack: the batch size of the layout is that of a member, and each leaf has the tensors of all members.
struct StackOf {
  int64_t count;
  size_t dim;  // of the stack
  bool operator==(const StackOf& o) const { return count == o.count && dim == o.dim; }
};

// Where the tensor of each member is in the bytes of a leaf, if they differ in shape.
struct MemberTable {
  std::vector<LeafType> types;
  std::vector<int64_t> offsets;
};

// A tensor or non-tensor data. What cannot be read says why.
struct Leaf {
  optional<std::string> shape, dtype, is_data, encoding;  // as the server has them
  optional<std::string> homogeneous, order, shapes;       // the same, of a lazy stack
  int64_t bytes = 0;                                      // that it has of the values

  bool data = false;
  LeafType type{at::kByte, {}, 0};  // of a lazy stack: with the dim of the stack, at `member_dim`, unless they differ
  size_t member_dim = 0;
  std::shared_ptr<const MemberTable> members;  // if they differ
  std::string why;
  Code code = Code::corrupt;

  bool same_as(const Leaf& other) const {
    return shape == other.shape && dtype == other.dtype && is_data == other.is_data && encoding == other.encoding &&
           bytes == other.bytes && homogeneous == other.homogeneous && order == other.order && shapes == other.shapes;
  }
};

}  // namespace td::storage::redis
