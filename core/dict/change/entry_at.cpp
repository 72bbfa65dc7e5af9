#include "core/dict/change/entry_at.h"

#include "core/dict/any_node.h"
#include "core/dict/change/assign.h"
#include "core/dict/change/inside.h"
#include "core/dict/holder.h"

namespace td {

void assign_at(Node& target, PathView key, IndexList indices, const at::Tensor& value) {
  OnData on_data(target);
  NodePtr holder = holder_of(target, key);
  if (holder && holder->assign_entry(key, indices, value)) return;
  if ((holder && !holder->lends()) || has_lazy(target)) {
    at::Tensor copy = target.tensor(key).clone();
    Assignment part;
    part.tensor(copy, std::move(indices), value, Path(key));
    part.commit();
    return target.copy_into(key, copy);
  }
  Assignment all;
  all.tensor(target.tensor(key), std::move(indices), value, Path(key));
  all.commit();
}

void assign_at(const at::Tensor& target, IndexList indices, const at::Tensor& value) {
  Assignment all;
  all.tensor(target, std::move(indices), value, Path());
  all.commit();
}

at::Tensor get_at(const Node& node, PathView key, IndexList given) {
  NodePtr holder = holder_of(node, key);
  at::Tensor part = holder ? holder->read_entry(key.back(), given) : at::Tensor();
  if (part.defined()) return part;
  return get_at(node.tensor(key), std::move(given));
}

at::Tensor get_at(const at::Tensor& tensor, IndexList given) {
  IndexList indices = normalized(std::move(given), tensor.sizes(), "shape");
  at::Tensor t = take_view(tensor, indices);
  return has_tensors(indices) ? picked(t, advanced(indices)) : t;
}

}  // namespace td
