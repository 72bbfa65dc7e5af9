// Single elements of a lazy stack, chosen by tensors that reach over the stack's dim and others.
#include <algorithm>

#include <ATen/ops/broadcast_tensors.h>

#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/lazy/without_members.h"
#include "core/dict/shape/index.h"
#include "core/dict/shape/shape.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

using Part = Index::Kind;

// An index with numbers in place of masks, and all its tensors in one shape.
class Picks {
 public:
  Picks(const LazyStack& stack, const IndexList& indices) {
    at::IntArrayRef batch = stack.batch_size();
    size_t dim = 0;
    for (const Index& i : indices) {
      bool mask = i.kind == Part::tensor && i.tensor.scalar_type() == at::kBool;
      size_t taken = i.kind == Part::none ? 0 : mask ? static_cast<size_t>(i.tensor.dim()) : 1;
      if (dim <= stack.stack_dim() && stack.stack_dim() < dim + taken)
        own_ = indices_.size() + (stack.stack_dim() - dim);
      if (i.kind != Part::tensor) {
        indices_.push_back(i);
      } else {
        Index checked = normalized({i}, batch.slice(dim, taken))[0];
        if (mask)
          for (const at::Tensor& column : at::nonzero(checked.tensor.cpu()).unbind(1)) add(column);
        else
          add(checked.tensor.cpu());
      }
      dim += taken;
    }
    try {
      tensors_ = at::broadcast_tensors(tensors_);
    } catch (const c10::Error&) {
      throw Error(Code::index, "the shapes of the index tensors do not broadcast to one");
    }
    for (at::Tensor& t : tensors_) t = t.contiguous();
    check_member_count(static_cast<size_t>(tensors_[0].numel()));
  }

  at::IntArrayRef shape() const { return tensors_[0].sizes(); }
  int64_t count() const { return tensors_[0].numel(); }

  // Where the dims of the tensors stand in the result: where they are, or in front if others come between them.
  size_t place() const {
    size_t first = indices_.size(), last = 0, before = 0;
    for (size_t i = 0; i < indices_.size(); ++i)
      if (indices_[i].kind == Part::tensor) {
        first = std::min(first, i);
        last = i;
      }
    for (size_t i = 0; i < last; ++i) {
      bool range = indices_[i].kind == Part::slice || indices_[i].kind == Part::none;
      if (range && i > first) return 0;
      before += range;
    }
    return before;
  }

  StackPart part(const LazyStack& stack, int64_t at) const {
    auto n = static_cast<int64_t>(stack.members().size());
    StackPart out;
    size_t next = 0;
    for (size_t i = 0; i < indices_.size(); ++i) {
      Index part = indices_[i];
      if (part.kind == Part::tensor)
        part = {Part::integer, static_cast<const int64_t*>(data(tensors_[next++]))[at], 0, 1, {}};
      if (i == own_)
        out.member = static_cast<size_t>(normalized({part}, at::IntArrayRef(n))[0].start);
      else
        out.rest.push_back(part);
    }
    return out;
  }

  // Without entries: of the batch size that an element has.
  NodePtr no_element(const LazyStack& stack) const {
    IndexList rest;
    std::vector<size_t> gone;
    size_t dims = 0;
    for (size_t i = 0; i < indices_.size(); ++i) {
      if (i == own_) continue;
      bool tensor = indices_[i].kind == Part::tensor;
      if (tensor) gone.push_back(dims);
      rest.push_back(tensor ? Index{Part::slice, 0, 0, 1, {}} : indices_[i]);
      dims += indices_[i].kind != Part::integer;
    }
    NodePtr like = stack.members().empty()
                       ? stand_in(stack)
                       : NodePtr(TensorDict::make(stack.members()[0]->batch_size(), stack.device()));
    like = index(*like, std::move(rest));
    Dims batch(like->batch_size().begin(), like->batch_size().end());
    for (size_t k = gone.size(); k-- > 0;) batch.erase(batch.begin() + gone[k]);
    return TensorDict::make(batch, stack.device());
  }

 private:
  void add(const at::Tensor& numbers) {
    indices_.push_back({Part::tensor, 0, 0, 1, numbers});
    tensors_.push_back(numbers);
  }

  IndexList indices_;
  std::vector<at::Tensor> tensors_;  // of those, in order
  size_t own_ = 0;
};

}  // namespace

StackParts picked_parts(const LazyStack& stack, const IndexList& indices) {
  Picks picks(stack, indices);
  StackParts out;
  out.sizes.assign(picks.shape().begin(), picks.shape().end());
  out.place = picks.place();
  for (int64_t at = 0; at < picks.count(); ++at) out.parts.push_back(picks.part(stack, at));
  return out;
}

NodePtr pick_elements(const LazyStack& stack, const IndexList& indices) {
  StackParts picked = picked_parts(stack, indices);
  auto place = static_cast<int64_t>(picked.place);
  if (picked.parts.empty()) {
    NodePtr none = LazyStack::make({}, place, Picks(stack, indices).no_element(stack)->batch_size());
    return picked.sizes.size() == 1 ? none : unflatten(*none, place, picked.sizes);
  }
  Nodes elements;
  for (StackPart& p : picked.parts) {
    const NodePtr& m = stack.members()[p.member];
    elements.push_back(p.rest.empty() ? m : index(*m, std::move(p.rest)));
  }
  if (picked.sizes.empty()) return elements[0];
  NodePtr made = LazyStack::make(std::move(elements), place);
  return picked.sizes.size() == 1 ? made : unflatten(*made, place, picked.sizes);
}

}  // namespace td
