#include "core/math/backward.h"

#include <algorithm>
#include <unordered_set>

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include "core/dict/align.h"
#include "core/dict/copy.h"
#include "core/dict/lock.h"
#include "core/dict/settle.h"
#include "core/error.h"
#include "core/tensor/autograd.h"

namespace td {

namespace {

struct Roots {
  Leaves tensors, gradients;
};

Roots roots_of(const Node& node, const Node* gradient) {
  Leaves all = leaves(node);
  std::vector<Path> paths = leaf_paths(node);
  Leaves given = gradient ? leaves_like(node, *gradient, {true, true}) : Leaves();
  Roots out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].requires_grad()) continue;
    std::string key = to_string(paths[i]);
    out.tensors.push_back(all[i]);
    if (!gradient) {
      if (all[i].numel() != 1)
        throw Error(Code::shape, "no gradient was given for a leaf that has more than one element, of shape " +
                                     to_string(all[i].sizes()))
            .key(key)
            .hint("give a dict with a gradient for each leaf that requires grad");
      continue;
    }
    if (!given[i].defined()) throw Error(Code::key, "there is no gradient for the leaf").key(key);
    if (given[i].sizes() != all[i].sizes())
      throw Error(Code::shape, "the gradient has shape " + to_string(given[i].sizes()) + ", but the leaf has " +
                                   to_string(all[i].sizes()))
          .key(key);
    out.gradients.push_back(given[i]);
  }
  if (out.tensors.empty()) throw Error(Code::argument, "no leaf of the dict requires grad");
  return out;
}

Leaves inputs_of(const Node& inputs) {
  Leaves all = leaves(inputs);
  std::vector<Path> paths = leaf_paths(inputs);
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].requires_grad())
      throw Error(Code::argument, "the input does not require grad").key(to_string(paths[i]));
  if (all.empty()) throw Error(Code::argument, "there are no inputs to differentiate with respect to");
  return all;
}

// LibTorch finds out about unused inputs when the graph has been used up.
void check_used(const Leaves& roots, const Leaves& inputs, const std::vector<Path>& paths) {
  namespace ag = torch::autograd;
  std::unordered_set<const ag::Node*> reached;
  std::vector<const ag::Node*> open;
  auto reach = [&](const ag::Node* n) {
    if (n && reached.insert(n).second) open.push_back(n);
  };
  for (const at::Tensor& t : roots) reach(ag::impl::gradient_edge(t).function.get());
  while (!open.empty()) {
    const ag::Node* n = open.back();
    open.pop_back();
    for (const ag::Edge& e : n->next_edges()) reach(e.function.get());
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    if (reached.count(ag::impl::gradient_edge(inputs[i]).function.get()) == 0)
      throw Error(Code::argument, "the input was not used in the graph")
          .key(to_string(paths[i]))
          .hint("set allow_unused to skip such entries");
}

}  // namespace

void backward(const Node& node, const Node* gradient, const Node* inputs, const BackwardOptions& options) {
  Roots roots = roots_of(node, gradient);
  Leaves by = inputs ? inputs_of(*inputs) : Leaves();
  through_graph([&] {
    torch::autograd::backward(roots.tensors, roots.gradients, options.retain_graph || options.create_graph,
                              options.create_graph, by);
  });
}

NodePtr autograd_grad(const Node& node, const Node& inputs, const Node* gradient, const BackwardOptions& options) {
  Roots roots = roots_of(node, gradient);
  Leaves by = inputs_of(inputs);
  if (!options.allow_unused) check_used(roots.tensors, by, leaf_paths(inputs));
  Leaves grads = through_graph([&] {
    return torch::autograd::grad(roots.tensors, by, roots.gradients, options.retain_graph || options.create_graph,
                                 options.create_graph, true);
  });
  if (!options.allow_unused)  // reached, but only through operators that give it no gradient
    for (size_t i = 0; i < grads.size(); ++i)
      if (!grads[i].defined()) grads[i] = at::zeros_like(by[i]);
  NodePtr made = rebuild(inputs, grads, inputs.batch_size(), inputs.names());
  settle(*made, Emptied::drop_all);
  if (inputs.locked()) Lock::acquire(*made);
  return made;
}

}  // namespace td
