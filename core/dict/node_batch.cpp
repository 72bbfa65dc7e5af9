// The batch size of a node, and of those below it.
#include "core/dict/batch_size.h"
#include "core/dict/node.h"

namespace td {

namespace {

bool empty_tree(const Node& node) {
  bool empty = true;
  node.parts(Detail::kind, [&](const Entry& e) { empty = empty && e.is_node() && empty_tree(*e.node()); });
  return empty;
}

}  // namespace

void Node::set_batch_size(at::IntArrayRef batch) {
  check_size(batch);
  const Claim claim(writer_);
  check_batch(batch, Path());
  grow_batch(batch);
}

// A node whose batch size is no longer than the new one grows with it; a longer one must begin with it.
void Node::check_batch(at::IntArrayRef batch, const Path& prefix) const {
  visit(Detail::shape, [&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    if (e.is_tensor()) {
      if (e.is_batched() && !begins_with(e.tensor().sizes(), batch)) batch_mismatch(path, batch, e.tensor().sizes());
    } else if (e.is_data()) {
      if (e.data()->stacked() && !begins_with(e.data()->batch(), batch)) batch_mismatch(path, batch, e.data()->batch());
    } else if (!begins_with(e.node()->batch_size(), batch)) {
      if (!e.node()->grows()) batch_mismatch(path, batch, e.node()->batch_size());
      if (!empty_tree(*e.node())) e.node()->check_batch(batch, path);
    }
  });
}

// Everything that takes memory happens before the first change of this node.
void Node::grow_batch(at::IntArrayRef batch) {
  std::vector<std::pair<Key, Entry>> repeated;
  visit([&](const Key& k, const Entry& e) {
    if (e.is_data() && !e.data()->stacked() && e.data()->batch() != batch)
      repeated.emplace_back(k, Entry(Data::uniform(e.data()->value(), batch)));
  });
  Dims grown(batch.begin(), batch.end());
  Names names = names_.empty() ? Names() : tidy(spread(names_, batch.size()));
  visit([&](const Key&, const Entry& e) {
    if (e.is_node() && !begins_with(e.node()->batch_size(), batch)) e.node()->grow_batch(batch);
  });
  for (auto& [key, data] : repeated) replace(key.view(), data);
  batch_ = std::move(grown);
  names_ = std::move(names);
}

}  // namespace td
