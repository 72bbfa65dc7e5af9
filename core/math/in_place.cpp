#include "core/math/in_place.h"

#include <algorithm>

#include "core/dict/align.h"
#include "core/dict/copy.h"
#include "core/dict/settle.h"
#include "core/dict/shape/geometry.h"
#include "core/dict/shape/squeeze.h"
#include "core/dict/unbatched.h"

namespace td {

namespace {

// Members of different sizes take what has size 1 there.
Leaves leaves_of(const Node& dict, const Node& target, at::IntArrayRef batch, Missing missing) {
  Dims to(batch.begin(), batch.end());
  size_t fresh = to.size() - dict.batch_dims();
  for (size_t d = 0; d < to.size(); ++d)
    if (to[d] == -1 && (d < fresh || dict.batch_size()[d - fresh] == 1)) to[d] = 1;
  NodePtr whole = dict.batch_size() == at::IntArrayRef(to) ? itself(dict) : expand(dict, to);
  Pairing pairing;
  pairing.missing_as_none = missing != Missing::error;
  pairing.extra = true;
  return leaves_like(target, *whole, pairing);
}

// For each leaf the elements of its batch, the same for all features.
void spread_elements(const Node& node, const at::Tensor& elements, const Path& prefix, Leaves& out) {
  // A stack's dim may be one of its own, behind those of the root.
  auto spread = [&](const NodePtr& m, size_t i) { spread_elements(*m, node.for_member(elements, i), prefix, out); };
  if (node.each_member(spread)) return;
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (e.is_node()) spread_elements(*e.node(), elements, prefix + k, out);
    if (e.is_unbatched()) refuse_unbatched_entry(prefix + k, "it has no batch dims to match the operand's");
    if (!e.is_tensor()) return;
    at::Tensor t = elements;
    while (t.dim() < e.tensor().dim()) t = t.unsqueeze(-1);
    out.push_back(std::move(t));
  });
}

Leaves leaves_of(at::Tensor t, const Node& target) {
  while (t.dim() < static_cast<int64_t>(target.batch_dims())) t = t.unsqueeze(0);
  Leaves out;
  spread_elements(target, t, Path(), out);
  return out;
}

}  // namespace

InPlace::InPlace(const Node& target, const std::vector<DictArg*>& operands, at::IntArrayRef batch, Missing missing,
                 const at::Tensor& fill) {
  std::vector<DictArg*> shaped;
  std::vector<Leaves> columns;
  for (DictArg* a : operands) {
    if (!a->dict && (a->value.kind != Arg::Kind::tensor || a->value.tensor.dim() == 0)) continue;
    shaped.push_back(a);
    columns.push_back(a->dict == &target ? leaves(target)
                      : a->dict          ? leaves_of(*a->dict, target, batch, missing)
                                         : leaves_of(a->value.tensor, target));
  }
  std::vector<Leaves> kept(columns.size());
  Leaves own = leaves(target);
  for (size_t i = 0; i < own.size(); ++i) {
    bool everywhere = std::all_of(columns.begin(), columns.end(), [&](const Leaves& c) { return c[i].defined(); });
    if (!everywhere && missing == Missing::skip) {
      own[i] = at::Tensor();
      continue;
    }
    for (size_t k = 0; k < columns.size(); ++k) kept[k].push_back(columns[k][i].defined() ? columns[k][i] : fill);
  }
  held_.push_back(rebuild(target, own, target.batch_size(), target.names()));
  const Node& model = *held_.back();
  if (missing == Missing::skip) settle(*held_.back(), Emptied::drop);
  for (size_t k = 0; k < shaped.size(); ++k) {
    held_.push_back(rebuild(model, kept[k], target.batch_size(), target.names()));
    shaped[k]->dict = held_.back().get();
  }
}

}  // namespace td
