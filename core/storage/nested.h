// Nested tensors in memmap directories: the components lie one after the other, with a table of their sizes in a file
// beside them.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/dict/lazy/without_members.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/folder.h"

namespace td::storage {

inline constexpr std::string_view shape_suffix = ".shape.memmap";

// `bytes` finds the file with that suffix, of at least that many bytes; null where it may be missing. Empty then.
// `table` has the dtype of the elements and the sizes of the table.
Entry read_nested(const LeafType& table, const Node& parent, Access access,
                  const std::function<LeafBytes(std::string_view suffix, int64_t bytes)>& bytes);

// A nested tensor for a dict of that batch size, whose first dim is over the components, and whose others all
// components have.
NodePtr nested_node(const std::vector<at::Tensor>& components, const ComponentType& type, at::IntArrayRef batch,
                    const optional<c10::Device>& device, bool memmap);

// The components of a stack that nested_node made, or one that still looks like it; empty for everything else.
struct NestedParts {
  std::vector<at::Tensor> components;
  ComponentType type;
};
optional<NestedParts> nested_parts(const Node& node);

// The sizes of the components, one row for each.
at::Tensor size_table(const NestedParts& parts);

}  // namespace td::storage
