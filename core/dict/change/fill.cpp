#include "core/dict/change/fill.h"

#include <map>

#include <ATen/ops/full.h>

#include "core/dict/change/inside.h"
#include "core/dict/change/write.h"
#include "core/error.h"
#include "core/tensor/scalar.h"

namespace td {

namespace {

// The value as a tensor of each dtype, made by LibTorch's own rules for what fits.
class Fill {
 public:
  explicit Fill(const c10::Scalar& value) : value_(value) {}

  // The tensor under a key, or all tensors below it.
  void add(const Node& parent, const KeyView& key, const Path& path) {
    Entry e = parent.look(key, Detail::shape);
    if (e.is_node()) add_all(*e.node(), path);
    if (e.is_tensor()) parent.plan_write(writes_, key, of(e.tensor().scalar_type(), path), path);
  }
  void add_all(const Node& node, const Path& prefix) {
    if (node.each_member([&](const NodePtr& m, size_t) { add_all(*m, prefix); })) return;
    node.visit(Detail::shape, [&](const Key& k, const Entry&) { add(node, k, prefix + k); });
  }
  void commit() { writes_.commit(); }

 private:
  const at::Tensor& of(at::ScalarType type, const Path& path) {
    at::Tensor& made = made_[type];
    if (made.defined()) return made;
    try {
      made = at::full({}, value_, at::TensorOptions(type));
    } catch (const std::exception&) {
      throw Error(Code::argument, "the dtype of the tensor cannot hold " + to_string(value_)).key(to_string(path));
    }
    return made;
  }

  c10::Scalar value_;
  std::map<at::ScalarType, at::Tensor> made_;
  Writes writes_;
};

// The dicts that hold what stands under a path: one, or each member of a lazy stack.
void each_holder(const Node& node, PathView path, c10::function_ref<void(const Node&)> fn) {
  if (node.each_member([&](const NodePtr& m, size_t) { each_holder(*m, path, fn); })) return;
  if (path.size() == 1) return fn(node);
  each_holder(*node.find(path[0]).node(), path.below(), fn);
}

}  // namespace

void fill(Node& node, PathView path, const c10::Scalar& value) {
  OnData on_data(node);
  Fill fill(value);
  if (path.size() == 0) {
    fill.add_all(node, Path());
  } else {
    Entry kind = node.look_at(path, Detail::kind);
    if (!kind || kind.is_data()) node.tensor(path);  // throws what is wrong with it
    each_holder(node, path, [&](const Node& holder) { fill.add(holder, path.back(), Path(path)); });
  }
  fill.commit();
}

}  // namespace td
