#include "core/dict/change/rearrange.h"

#include "core/dict/any_node.h"
#include "core/dict/change/edit.h"
#include "core/dict/change/update.h"
#include "core/dict/copy.h"
#include "core/dict/entries.h"
#include "core/dict/select.h"
#include "core/dict/tensordict.h"
#include "core/dict/walk.h"
#include "core/error.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

at::Tensor join(const std::vector<at::Tensor>& tensors, int64_t dim, bool stacked) {
  if (tensors.empty()) throw Error(Code::argument, "there are no tensors to join");
  try {
    return stacked ? at::stack(tensors, dim) : at::cat(tensors, dim);
  } catch (const c10::Error&) {  // what is left of LibTorch's reasons when dtypes and devices are named
    Error e = current_error();
    throw e.code() == Code::torch ? Error(Code::shape, e.message()) : e;
  }
}

}  // namespace

at::Tensor setdefault(Node& node, PathView path, const at::Tensor& value) {
  if (node.get(path)) return node.tensor(path);
  Edit edit;
  edit.set(node, path, value);
  at::Tensor set = node.tensor(path);
  edit.keep();
  return set;
}

std::pair<Key, Entry> last_item(Node& node) {
  if (const TensorDict* plain = node.plain(); plain && plain->count() > 0) {
    check_unlocked(node, Path());
    if (std::pair<Key, Entry> last = plain->last(); last.second) return last;
  }
  Entries all = entries(node);
  if (all.empty()) throw Error(Code::key, "the dict is empty");
  check_unlocked(node, Path());
  return std::move(all.back());
}

NodePtr replaced(const Node& node, const Node& src) {
  NodePtr made = shallow_copy(node);
  update(*made, src, {});
  return made;
}

NodePtr without_data(const Node& node) {
  if (NodePtr made = node.map_members([](const NodePtr& m, size_t) { return without_data(*m); })) return made;
  Entries kept;
  node.visit([&](const Key& k, const Entry& e) {
    if (e.is_node()) kept.emplace_back(k, Entry(without_data(*e.node())));
    if (e.is_tensor()) kept.emplace_back(k, e);
  });
  return with_entries(node, kept);
}

namespace {

// The same keys and kinds without the values, of which a file would have to be read.
NodePtr sketched(const Node& node) {
  if (node.has_members()) return node.map_members([](const NodePtr& m, size_t) { return sketched(*m); });
  NodePtr made = TensorDict::make(node.batch_size(), node.device());
  node.visit(Detail::shape,
             [&](const Key& k, const Entry& e) { made->put(k, e.is_node() ? Entry(sketched(*e.node())) : e); });
  return made;
}

void put_joined(Node& node, const std::vector<Path>& keys, PathView out, const Entry& joined, bool keep) {
  Edit edit;
  for (const Path& path : keys)
    if (!keep && node.get(path)) edit.erase(node, path);  // a key may come twice
  edit.set(node, out, joined);
  edit.keep();
}

}  // namespace

NodePtr separate(Node& node, const std::vector<Path>& keys, const SeparateOptions& options) {
  // A dict that has left a file does not come back: it leaves when all keys are found.
  if (has_persistent(node)) separate(*sketched(node), keys, options);
  NodePtr out = emptied(node, false);
  Edit edit;
  for (const Path& path : keys) {
    Entry e = node.get(path);
    if (!e && options.fill.defined()) out->set(path, Entry(options.fill));
    if (!e && (options.fill.defined() || !options.strict)) continue;
    if (!e) node.tensor(path);  // which says that there is none, also where some members of a stack have it
    edit.erase(node, path);
    out->set(path, std::move(e));
    for (size_t n = options.keep_empty ? 0 : path.size() - 1; n > 0; --n) {
      Path above(std::vector<Key>(path.keys().begin(), path.keys().begin() + static_cast<std::ptrdiff_t>(n)));
      if (node.node(above)->count() > 0) break;
      edit.erase(node, above);
    }
  }
  edit.keep();
  return out;
}

void join_entries(Node& node, const std::vector<Path>& keys, PathView out, int64_t dim, bool stacked, bool keep) {
  std::vector<at::Tensor> tensors;
  for (const Path& path : keys) tensors.push_back(node.tensor(path));
  const Entry joined(join(tensors, dim, stacked));
  // What has left a file does not come back as it was: it leaves when the result is known to fit.
  if (has_persistent(node)) put_joined(*sketched(node), keys, out, joined, keep);
  put_joined(node, keys, out, joined, keep);
}

at::Tensor join_leaves(const Node& node, int64_t dim, bool stacked, bool sorted) {
  KeyChoice choice;
  choice.nested = choice.leaves_only = true;
  choice.sorted = sorted;
  std::vector<at::Tensor> tensors;
  for (const Path& path : keys(node, choice)) tensors.push_back(node.tensor(path));
  return join(tensors, dim, stacked);
}

}  // namespace td
