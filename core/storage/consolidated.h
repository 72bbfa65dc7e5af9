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
#include "core/storage/options.h"

namespace td::storage {

struct PlacedLeaf {
  LeafType type;
  int64_t offset;      // from the start of the file
  bool fixed = false;  // other leaves are read by it: to change it is to change the structure
};

// A tensor whose components follow one another along a dim.
struct PlacedJagged {
  PlacedLeaf values, offsets;
  optional<PlacedLeaf> lengths;  // where components do not fill the values
  int64_t ragged_dim;            // of a component
};

struct Outline {
  Dims batch;
  Names names;  // empty, or one for each batch dim
  optional<c10::Device> device;
  bool locked = false;
  std::string python_class;     // of a tensorclass, as "module.Class"
  DataPtr stack;                // when set, this is no dict but a stack of non-tensor values, and nothing else is
  optional<int64_t> stack_dim;  // when set, a lazy stack of `nodes`
  Name stack_name;
  std::vector<std::pair<Key, DataPtr>> data;
  std::vector<std::pair<Key, PlacedLeaf>> leaves;
  std::vector<std::pair<Key, PlacedJagged>> jagged;
  std::vector<std::pair<Key, Outline>> nodes;
};

// The bytes a leaf takes: Python wants every extent to end on a multiple of 8 after its start.
constexpr int64_t padded(int64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

// True for members of a node's object that are no nodes below it.
bool consolidated_member(std::string_view key);

// Lays the leaves out depth first from `start`, each at a multiple of `alignment`, and complex128 at one of 16. Throws
// Error(unsupported) or Error(key) for what the format cannot hold. `jagged`: nested tensors become jagged ones, whose
// leaves only `pair` finds again; else they stay the lazy stacks that they are here.
Outline plan(const Node& node, int64_t start, int64_t alignment, bool jagged = false);

// The first byte behind all leaves, or `start` without any.
int64_t end_of(const Outline& outline, int64_t start);

// Throws Error(unsupported), with the key, for values that are no JSON.
std::string to_json(const Outline& outline);

// Conditions of a reader on extents, beyond being inside the file.
struct Extents {
  int64_t begin, end;  // of the payload
  int64_t alignment;
  bool disjoint;
  bool jagged = false;  // jagged tensors may be there
};

// Reads what anybody may have written. Throws Error(corrupt), Error(dtype) or Error(unsupported), with the key.
Outline parse_outline(std::string_view json, const Extents& extents, const std::string& where);

// The tree, with the tensors that `leaf` makes. Throws Error(corrupt) for stacks of what cannot be stacked.
NodePtr build(const Outline& outline, const std::function<at::Tensor(const PlacedLeaf&)>& leaf);

// Locks the nodes of such a tree that were locked, with all that is below them.
void lock_again(const Outline& outline, Node& node);

// The parts of a tree of the same structure: one per leaf, in the order of for_each_leaf, and per non-tensor entry.
struct Pairing {
  std::function<void(const Path&, const PlacedLeaf&, const at::Tensor&)> leaf;
  std::function<void(const Path&, const Data& planned, const Data& given)> data;
};

// Throws Error(key) or Error(shape) if the structure is another.
void pair(const Outline& outline, const Node& node, const Pairing& fn);

// Each non-tensor entry with its path.
void for_each_data(const Outline& outline, const std::function<void(const Path&, const Data&)>& fn);

void for_each_leaf(const Outline& outline, const std::function<void(const PlacedLeaf&)>& fn);

NodePtr open_consolidated(const std::string& path, const OpenOptions& options);
void save_consolidated(const Node& node, const std::string& path, const SaveOptions& options);

}  // namespace td::storage
