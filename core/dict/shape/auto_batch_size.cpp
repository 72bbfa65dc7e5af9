#include "core/dict/shape/auto_batch_size.h"

#include <algorithm>

#include "core/dict/change/edit.h"
#include "core/error.h"

namespace td {

namespace {

struct Sized {
  NodePtr node;
  Dims batch;
  std::vector<Sized> below;
  bool decided = false;  // else the node keeps its batch size, cut to the limit
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
  node.visit(Detail::shape, [&](const Key&, const Entry& e) {
    if (e.is_batched()) meet(e.tensor().sizes());
    if (e.is_data() && e.data()->stacked()) meet(e.data()->batch());
    if (!e.is_node()) return;
    if (!e.node()->grows()) {  // a stack, which has the batch size of its members
      at::IntArrayRef sizes = e.node()->batch_size();
      meet(sizes.slice(0, static_cast<size_t>(std::find(sizes.begin(), sizes.end(), -1) - sizes.begin())));
      return;
    }
    Sized child{e.node(), {}, {}};
    if (measure(*e.node(), limit, child)) meet(child.batch);
    out.below.push_back(std::move(child));
  });
  return out.decided = any;
}

void commit(Node& node, const Sized& sized, size_t limit) {
  const Dims own(node.batch_size().begin(), node.batch_size().end());
  if (sized.decided)
    node.set_batch_size(sized.batch);
  else if (own.size() > limit)
    node.set_batch_size(Dims(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(limit)));
  for (const Sized& child : sized.below) commit(*child.node, child, limit);
}

}  // namespace

void auto_batch_size(Node& node, int64_t limit) {
  if (limit < -1)
    throw Error(Code::argument, "the limit of batch dims is " + std::to_string(limit))
        .hint("give 0 or more, or -1 for no limit");
  if (!node.grows()) return;
  Sized root;
  measure(node, static_cast<size_t>(limit), root);
  Edit edit;
  edit.note_batches(node);
  commit(node, root, static_cast<size_t>(limit));
  edit.keep();
}

}  // namespace td
