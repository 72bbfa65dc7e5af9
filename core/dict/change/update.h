// Changes of many entries of a dict in one step: all of them, or none.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

void set_many(Node& node, const std::vector<PathView>& paths, const std::vector<at::Tensor>& values);

struct UpdateOptions {
  bool inplace = false;                // copy into tensors that exist, instead of replacing them
  bool clone = false;                  // what is stored is a copy
  bool batch_size = false;             // another batch size replaces ours, with all that we hold
  optional<std::vector<Path>> keys{};  // only these entries of the source, as far as it has them
  optional<int64_t> version{};         // that a dict on a server must have; else Error(busy), and nothing is done
};
void update(Node& node, const Node& src, const UpdateOptions& options);

// Copies the values of `src` into the entries of the same keys, which must all exist. The structure stays.
void update_values(Node& node, const Node& src);

void clear(Node& node);
at::Tensor pop(Node& node, PathView path);
NodePtr pop_node(Node& node, PathView path);

}  // namespace td
