// Nested tensors, whose components differ in their sizes: here a lazy stack of dicts that hold one component each. On disk
// the components lie one after the other, with a table of their sizes in a file beside them.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/dict/node.h"
#include "core/storage/folder.h"
#include "core/storage/leaf.h"

namespace td::storage {

inline constexpr std::string_view shape_suffix = ".shape.memmap";
inline constexpr const char* component_key = "values";

// `bytes` finds the file with that suffix, of at least that many bytes; null where it may be missing. Empty then.
// `table` has the dtype of the elements and the sizes of the table.
Entry read_nested(const LeafType& table, const Node& parent, Access access,
                  const std::function<LeafBytes(std::string_view suffix, int64_t bytes)>& bytes);

// Such a stack.
NodePtr nested_node(const std::vector<at::Tensor>& components, const optional<c10::Device>& device, bool memmap);

// The components of a stack that nested_node made, or one that still looks like it; empty for everything else.
struct NestedParts {
  std::vector<at::Tensor> components;
  at::Tensor table;
};
optional<NestedParts> nested_parts(const Node& node);

}  // namespace td::storage
