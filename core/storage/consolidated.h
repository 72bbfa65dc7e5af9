// The consolidated format: [payload][JSON][int64 length of the JSON]. An outline is what the JSON says, in between the
// tree of tensors and the text: where each leaf lies, and how the nodes nest.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dict/node.h"
#include "core/storage/leaf.h"

namespace td::storage {

struct PlacedLeaf {
  LeafType type;
  int64_t offset;  // from the start of the file
};

struct Outline {
  Dims batch;
  Names names;  // empty, or one for each batch dim
  optional<c10::Device> device;
  bool locked = false;
  DataPtr stack;  // when set, this is no dict but a stack of non-tensor values, and nothing else is
  std::vector<std::pair<Key, DataPtr>> data;
  std::vector<std::pair<Key, PlacedLeaf>> leaves;
  std::vector<std::pair<Key, Outline>> nodes;
};

// The bytes a leaf takes: Python wants every extent to end on a multiple of 8 after its start.
constexpr int64_t padded(int64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

// Lays the leaves out depth first from `start`, each at a multiple of `alignment`. Throws Error(unsupported) or Error(key)
// for what the format cannot hold.
Outline plan(const Node& node, int64_t start, int64_t alignment);

// The first byte behind all leaves, or `start` without any.
int64_t end_of(const Outline& outline, int64_t start);

// Throws Error(unsupported), with the key, for values that are no JSON.
std::string to_json(const Outline& outline);

// What a reader demands of extents, beyond being inside the file.
struct Extents {
  int64_t begin, end;  // of the payload
  int64_t alignment;
  bool in_order;  // each leaf begins behind the one before
};

// Reads what anybody may have written. Throws Error(corrupt), Error(dtype) or Error(unsupported), with the key.
Outline parse_outline(std::string_view json, const Extents& extents, const std::string& where);

// The tree, with the tensors that `leaf` makes.
NodePtr build(const Outline& outline, const std::function<at::Tensor(const PlacedLeaf&)>& leaf);

// Each non-tensor entry with its path.
void for_each_data(const Outline& outline, const std::function<void(const Path&, const Data&)>& fn);

// Each leaf with its path, in the order of the layout.
void for_each_leaf(const Outline& outline, const std::function<void(const Path&, const PlacedLeaf&)>& fn);

}  // namespace td::storage
