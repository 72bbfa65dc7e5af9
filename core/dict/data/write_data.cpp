#include "core/dict/data/write_data.h"

#include "core/dict/tensordict.h"
#include "core/dict/change/update.h"

namespace td {

namespace {

void write_here(Node& node, const KeyView& key, const Value& value) {
  if (node.each_member([&](const NodePtr& m, size_t) { write_here(*m, key, value); })) return;
  NodePtr src = TensorDict::make(node.batch_size());
  DataPtr one = Data::uniform(value, node.batch_size());
  bool stacked = node.find(key).data()->stacked();  // stays so: each element has the new value then
  src->put(Key(key), Entry(stacked ? one->with(one->ids().contiguous(), true) : one));
  update_values(node, *src);
}

}  // namespace

void write_data(Node& node, PathView path, const Value& value) {
  node.data(path);
  NodePtr parent = path.size() > 1 ? node.node(path.parent()) : itself(node);
  write_here(*parent, path.back(), value);
}

}  // namespace td
