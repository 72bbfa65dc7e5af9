#include <algorithm>

#include "core/dict/shape.h"
#include "core/error.h"

namespace td {

namespace {

struct Sized {
  NodePtr node;
  Dims batch;
  std::vector<Sized> below;
};

// False if there is nothing that could decide. Data of one value for all has any batch size.
bool measure(const Node& node, size_t limit, Sized& out) {
  bool any = false;
  auto meet = [&](at::IntArrayRef sizes) {
    if (!any) out.batch.assign(sizes.begin(), sizes.begin() + std::min(sizes.size(), limit));
    any = true;
    size_t same = 0;
    while (same < std::min(out.batch.size(), sizes.size()) && out.batch[same] == sizes[same]) ++same;
    out.batch.resize(same);
  };
  node.visit([&](const Key&, const Entry& e) {
    if (e.is_tensor()) meet(e.tensor().sizes());
    if (e.is_data() && e.data()->stacked()) meet(e.data()->batch());
    if (!e.is_node()) return;
    if (e.node()->lazy()) {  // which has the batch size of its members
      at::IntArrayRef sizes = e.node()->batch_size();
      meet(sizes.slice(0, static_cast<size_t>(std::find(sizes.begin(), sizes.end(), -1) - sizes.begin())));
      return;
    }
    Sized child{e.node(), {}, {}};
    if (!measure(*e.node(), limit, child)) return;
    meet(child.batch);
    out.below.push_back(std::move(child));
  });
  return any;
}

void commit(Node& node, const Sized& sized) {
  node.set_batch_size(sized.batch);
  for (const Sized& child : sized.below) commit(*child.node, child);
}

}  // namespace

void auto_batch_size(Node& node, int64_t limit) {
  if (limit < -1)
    throw Error(Code::argument, "a limit of " + std::to_string(limit) + " batch dims").hint("-1 is no limit");
  if (node.lazy()) return;
  Sized root;
  if (measure(node, static_cast<size_t>(limit), root)) commit(node, root);
}

}  // namespace td
