#include "core/math/autograd.h"

#include <algorithm>

#include <c10/core/GradMode.h>

#include "core/dict/any_node.h"
#include "core/dict/copy.h"
#include "core/dict/lock.h"
#include "core/dict/settle.h"
#include "core/error.h"
#include "core/tensor/autograd.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

// LibTorch warns when others are asked for theirs.
at::Tensor collected(const at::Tensor& t) {
  return t.is_leaf() || t.retains_grad() ? t.grad() : at::Tensor();
}

}  // namespace

bool requires_grad(const Node& node) {
  Leaves all = leaves(node);
  return std::any_of(all.begin(), all.end(), [](const at::Tensor& t) { return t.requires_grad(); });
}

void set_requires_grad(Node& node, bool requires_grad) {
  if (requires_grad && has_persistent(node))
    throw Error(Code::unsupported, "tensors in a file cannot require grad")
        .hint_naming("read it into memory with {dict_to_tensordict} first");
  Leaves all = leaves(node);
  std::vector<Path> paths = leaf_paths(node);
  size_t done = 0;
  std::vector<bool> before;
  for (const at::Tensor& t : all) before.push_back(t.requires_grad());
  auto undo = [&] {
    for (size_t i = 0; i < done; ++i)
      if (before[i] != requires_grad) all[i].requires_grad_(before[i]);
  };
  try {
    for (; done < all.size(); ++done) set_requires_grad(all[done], requires_grad);
  } catch (Error& e) {
    undo();
    throw e.key(to_string(paths[done]));
  } catch (...) {
    undo();
    throw;
  }
}

NodePtr detach(const Node& node) {
  Leaves all = leaves(node);
  for (at::Tensor& t : all) t = t.detach();
  NodePtr made = rebuild(node, all, node.batch_size(), node.names());
  if (node.locked()) Lock::acquire(*made);
  return made;
}

NodePtr grad(const Node& node) {
  Leaves all = leaves(node);
  for (at::Tensor& t : all) t = collected(t);
  if (std::none_of(all.begin(), all.end(), [](const at::Tensor& t) { return t.defined(); })) return {};
  NodePtr made = rebuild(node, all, node.batch_size(), node.names());
  settle(*made, Emptied::drop_all);
  if (node.locked()) Lock::acquire(*made);
  return made;
}

void zero_grad(Node& node, bool set_to_none) {
  Leaves all = leaves(node);
  std::vector<Path> paths = leaf_paths(node);
  if (!set_to_none)
    for (size_t i = 0; i < all.size(); ++i)
      if (collected(all[i]).defined()) check_writable(collected(all[i]), to_string(paths[i]));
  c10::AutoGradMode no_grad(false);
  for (const at::Tensor& t : all) {
    if (!collected(t).defined()) continue;
    if (set_to_none)
      t.mutable_grad() = at::Tensor();
    else
      t.mutable_grad().detach_().zero_();
  }
}

void detach_(Node& node) {
  Leaves all = leaves(node);
  std::vector<Path> paths = leaf_paths(node);
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].requires_grad() && all[i].is_view())
      throw Error(Code::torch, "a view that requires grad cannot be detached in place")
          .key(to_string(paths[i]))
          .hint_naming("use {dict_detach}");
  for (at::Tensor& t : all)
    if (t.requires_grad()) t.detach_();
}

}  // namespace td
