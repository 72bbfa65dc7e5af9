// Snapshots of the keys of a tree.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

struct KeyChoice {
  bool nested = false;
  bool leaves_only = false;     // tensors
  bool data = false;            // with leaves_only: non-tensor entries too
  bool data_only = false;       // non-tensor entries, and nothing else
  bool children_first = false;  // what a node holds comes before the node
  bool sorted = false;          // by the parts joined with dots
};

// In insertion order, a node before what it holds, unless chosen otherwise.
std::vector<Path> keys(const Node& node, const KeyChoice& choice);

// The same with what is under them; those that are gone since are left out.
struct KeyedEntries {
  std::vector<Path> keys;
  std::vector<Entry> entries;
};
KeyedEntries keyed_entries(const Node& node, const KeyChoice& choice);

}  // namespace td
