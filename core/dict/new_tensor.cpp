#include "core/dict/new_tensor.h"

#include <algorithm>
#include <cmath>

#include "core/dict/change/assign.h"
#include "core/dict/matching.h"
#include "core/error.h"
#include "core/tensor/dtype.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

// The smallest and the largest of the numbers say it for all, and NaN for itself.
void check_holds(const at::Tensor& numbers, at::ScalarType type) {
  if (numbers.scalar_type() == at::kBool || numbers.scalar_type() == type || numbers.numel() == 0) return;
  at::Tensor wide = numbers.to(at::kDouble).contiguous();
  const auto* first = static_cast<const double*>(data(wide));
  const double* last = first + wide.numel();
  if (std::any_of(first, last, [](double x) { return std::isnan(x); })) number(std::nan(""), type);
  auto [least, most] = std::minmax_element(first, last);
  number(*least, type);
  number(*most, type);
}

class NewTensor {
 public:
  explicit NewTensor(const NewTensorOptions& options) : options_(options) {}

  NodePtr filled(const Node& node, const at::Tensor& data, const Path& prefix) const {
    NodePtr made = fresh(node, data.sizes(), options_.device ? options_.device : data.device());
    each(node, [&](const Key& k, const Entry& e) {
      Path path = prefix + k;
      made->put(k, e.is_node()     ? Entry(filled(*e.node(), data, path))
                   : e.is_tensor() ? e.with(copied(e.tensor(), data, path))
                                   : Entry(value_of(node, k, data.sizes())));
    });
    return made;
  }

  NodePtr matched(const Node& node, const Node& data, const Path& prefix) const {
    NodePtr made = fresh(node, data.batch_size(), options_.device ? options_.device : data.device());
    each(node, [&](const Key& k, const Entry& e) {
      Path path = prefix + k;
      Entry found = matching(e, data.find(k), path);
      made->put(k, e.is_node()     ? Entry(matched(*e.node(), *found.node(), path))
                   : e.is_tensor() ? e.with(copied(e.tensor(), found.tensor(), path))
                                   : Entry(value_of(node, k, found.data()->batch())));
    });
    return made;
  }

 private:
  // Only kinds and dtypes of the entries count, so that no file is read for them; a stack says whether its members
  // agree.
  static void each(const Node& node, Node::Visitor fn) {
    node.has_members() ? node.visit(fn) : node.visit(Detail::shape, fn);
  }

  static NodePtr fresh(const Node& node, at::IntArrayRef batch, const optional<c10::Device>& device) {
    NodePtr made = node.make_like(batch);
    made->adopt_device(device);
    return made;
  }

  static DataPtr value_of(const Node& node, const Key& k, at::IntArrayRef batch) {
    DataPtr d = node.find(k).data();
    return Data::uniform(d->stacked() ? Value() : d->value(), batch);
  }

  at::Tensor copied(const at::Tensor& like, const at::Tensor& data, const Path& path) const {
    at::ScalarType type = options_.type ? *options_.type : like.scalar_type();
    if (options_.requires_grad && !at::isFloatingType(type) && !at::isComplexType(type))
      throw Error(Code::dtype, "a tensor of " + std::string(dtype_name(type)) + " cannot require grad")
          .key(to_string(path))
          .hint("give a floating-point dtype");
    try {
      if (options_.numbers) check_holds(data, type);
    } catch (Error& e) {
      throw e.key(to_string(path));
    }
    at::Tensor copy = data.detach().to(options_.device ? *options_.device : data.device(), type, false, true);
    if (options_.requires_grad) copy.set_requires_grad(true);
    return copy;
  }

  const NewTensorOptions& options_;
};

}  // namespace

NodePtr new_tensor(const Node& node, const at::Tensor& data, const NewTensorOptions& options) {
  return NewTensor(options).filled(node, data, Path());
}

NodePtr new_tensor(const Node& node, const Node& data, const NewTensorOptions& options) {
  return NewTensor(options).matched(node, data, Path());
}

}  // namespace td
