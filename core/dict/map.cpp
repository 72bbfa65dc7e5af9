#include "core/dict/map.h"

#include "core/dict/align.h"
#include "core/dict/any_node.h"
#include "core/dict/change/inside.h"
#include "core/dict/change/update.h"
#include "core/dict/data/map_data.h"
#include "core/dict/lazy/lazy.h"
#include "core/error.h"
#include "core/tensor/in_place.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

void check_can_hold(const at::Tensor& leaf, const at::Tensor& value, const Path& path, InPlaceChecks& checks) {
  std::string key = to_string(path);
  if (leaf.sizes() != value.sizes())
    throw Error(Code::shape,
                "the result has shape " + to_string(value.sizes()) + ", but the leaf has " + to_string(leaf.sizes()))
        .key(key);
  checks.check_copy(leaf, value, key);
}

}  // namespace

NodePtr map(const Node& node, const std::vector<const Node*>& others, const LeafFunction& fn,
            const MapOptions& options) {
  if (options.in_place && options.batch) throw Error(Code::argument, "a map in place cannot change the batch size");
  NodePtr snapshot = shallow_copy(options.batch ? *dense(node) : node);
  std::vector<Path> paths = leaf_paths(*snapshot);
  Leaves all = leaves(*snapshot);
  std::vector<Leaves> columns{all};
  for (const Node* o : others) columns.push_back(leaves_like(*snapshot, *o, {options.missing_as_none, true}));

  // What belongs to the whole batch stays as it is under another batch size.
  std::vector<bool> kept = options.batch ? unbatched_leaves(*snapshot) : std::vector<bool>(all.size());
  Leaves results;
  for (size_t i = 0; i < paths.size(); ++i) {
    Leaves row;
    for (const Leaves& c : columns) row.push_back(c[i]);
    if (kept[i]) {
      results.push_back(all[i]);
      continue;
    }
    try {
      results.push_back(fn(paths[i], row));
    } catch (Error& e) {
      throw e.key(to_string(paths[i]));
    }
  }
  MappedData data(*snapshot, others, options);
  if (options.in_place) {
    OnData on_data(node);
    data.check(const_cast<Node&>(node));
    InPlaceChecks checks;
    for (size_t i = 0; i < all.size(); ++i)
      if (results[i].defined() && !results[i].is_same(all[i])) check_can_hold(all[i], results[i], paths[i], checks);
    for (size_t i = 0; i < all.size(); ++i)
      if (results[i].defined() && !results[i].is_same(all[i])) copy_values(all[i], results[i], to_string(paths[i]));
    data.write(const_cast<Node&>(node));
    if (has_persistent(node)) {  // whose tensors are read anew whenever they are asked for
      snapshot = rebuild(*snapshot, all, snapshot->batch_size(), snapshot->names());
      update_values(const_cast<Node&>(node), *snapshot);
    }
    return snapshot;
  }
  NodePtr made = options.batch ? rebuild_flat(*snapshot, results, *options.batch)
                               : rebuild(*snapshot, results, snapshot->batch_size(), snapshot->names());
  data.finish(*made);
  settle(*made, options.emptied);
  return made;
}

}  // namespace td
