#include "core/dict/shape/expand_as.h"

#include "core/dict/matching.h"
#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

at::Tensor expanded(const at::Tensor& t, at::IntArrayRef sizes, const Path& path) {
  auto fresh = static_cast<int64_t>(sizes.size()) - t.dim();
  bool fits = fresh >= 0;
  for (int64_t d = 0; fits && d < t.dim(); ++d)
    fits = t.size(d) == 1 || t.size(d) == sizes[static_cast<size_t>(d + fresh)];
  if (!fits)
    throw Error(Code::shape, "shape " + to_string(t.sizes()) + " cannot be expanded to " + to_string(sizes))
        .key(to_string(path))
        .hint("only dims of size 1 can be expanded; new dims are added on the left");
  checked_numel(sizes, t.element_size());
  return t.expand(sizes);
}

NodePtr level(const Node& node, const Node& other, at::IntArrayRef batch, const Path& prefix) {
  NodePtr made = node.make_like(batch);
  node.visit([&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    Entry like = matching(e, other.find(k), path);
    if (e.is_node()) {
      made->put(k, Entry(level(*e.node(), *like.node(), batch, path)));
    } else if (e.is_unbatched()) {
      made->put(k, e);
    } else if (e.is_tensor()) {
      made->put(k, Entry(expanded(e.tensor(), like.tensor().sizes(), path)));
    } else {
      const Data& d = *e.data();
      made->put(k, d.stacked() ? Entry(d.with(expanded(d.ids(), like.data()->batch(), path), true))
                               : Entry(Data::uniform(d.value(), batch)));
    }
  });
  return made;
}

}  // namespace

NodePtr expand_as(const Node& node, const Node& other) {
  return level(node, other, other.batch_size(), Path());
}

}  // namespace td
