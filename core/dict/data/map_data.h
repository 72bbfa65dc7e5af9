// Applies a function of the caller to the non-tensor entries of dicts.
#pragma once

#include <vector>

#include "core/dict/map_options.h"

namespace td {

// Calls the function, if there is one, for each entry of a tree when it is made; results are kept until they are asked
// for.
class MappedData {
 public:
  // `tree` is the caller's own: data that the function gives take their places in it.
  MappedData(Node& tree, const std::vector<const Node*>& others, const MapOptions& options);

  void finish(Node& made) const;  // of the same entries: tensors go in, and what was dropped goes
  void check(Node& node) const;   // throws for what cannot be written over the data of a dict
  void write(Node& node) const;   // over the data of a dict of the same entries, which may be locked

 private:
  std::vector<Entry> results_;  // in the order of the entries, and none at all without a function
  std::vector<Path> paths_;
};

}  // namespace td
