#include "core/dict/change/where.h"

#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/change/assign.h"
#include "core/dict/change/inside.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/write_through.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/autograd.h"
#include "core/tensor/in_place.h"

namespace td {

at::Tensor expand_right(const at::Tensor& t, at::IntArrayRef dims) {
  auto rank = static_cast<size_t>(t.dim());
  bool fits = rank <= dims.size();
  for (size_t i = 0; fits && i < rank; ++i) fits = t.sizes()[i] == dims[i] || t.sizes()[i] == 1;
  for (size_t i = rank; fits && i < dims.size(); ++i) fits = dims[i] >= 0;
  if (!fits)
    throw Error(Code::shape, "shape " + to_string(t.sizes()) + " cannot be expanded on the right to " + to_string(dims))
        .hint("its dims must equal the first dims of the target, or be 1");
  at::Tensor out = t;
  for (size_t i = rank; i < dims.size(); ++i) out = out.unsqueeze(-1);
  return out.expand(dims);
}

namespace {

void check_mask(const at::Tensor& mask, const Node& node) {
  if (mask.scalar_type() != at::kBool) throw Error(Code::dtype, "a mask must hold bool");
  if (!node.each_member([&](const NodePtr& m, size_t i) { check_mask(node.for_member(mask, i), *m); }))
    expand_right(mask, node.batch_size());
}

// Of nodes one may have more batch dims: the result has those of the first.
bool of_one_batch(at::IntArrayRef a, at::IntArrayRef b, const Path& prefix) {
  if (prefix.size() == 0) return a == b;
  size_t n = std::min(a.size(), b.size());
  return a.slice(0, n) == b.slice(0, n);
}

constexpr const char* no_rows = "a mask does not apply to it";

struct Choice {
  const at::Tensor& condition;
  optional<c10::Scalar> pad;

  at::Tensor tensor(const at::Tensor& yes, const at::Tensor& no, const Path& path) const {
    try {
      if (!yes.defined())
        return number(*pad, no.scalar_type()).to(no.device()).where(expand_right(condition, no.sizes()), no);
      if (!no.defined())
        return yes.where(expand_right(condition, yes.sizes()), number(*pad, yes.scalar_type()).to(yes.device()));
      if (yes.sizes() != no.sizes())
        throw Error(Code::shape, "shapes differ: " + to_string(yes.sizes()) + " and " + to_string(no.sizes()));
      return yes.where(expand_right(condition, yes.sizes()), no);
    } catch (...) {
      throw current_error().key(to_string(path));
    }
  }

  DataPtr data(const DataPtr& yes, const DataPtr& no) const {
    const DataPtr& one = yes ? yes : no;
    if (yes && no && !yes->stacked() && !no->stacked() && yes->value() == no->value()) return yes;
    Merged merged =
        merge({yes ? yes : Data::uniform(Value(), one->batch()), no ? no : Data::uniform(Value(), one->batch())});
    at::Tensor there = expand_right(condition, one->batch()).to(merged.ids[0].device());  // ids are on the CPU
    at::Tensor ids = merged.ids[0].where(there, merged.ids[1]);
    return c10::make_intrusive<Data>(std::move(ids), merged.pool, true);
  }

  Entry entry(const Entry& yes, const Entry& no, const Path& path) const {
    if ((!yes || !no) && !pad)
      throw Error(Code::key, "the entry is in one dict only").key(to_string(path)).hint("give a value to pad with");
    const Entry& one = yes ? yes : no;
    if (yes.is_unbatched() || no.is_unbatched()) refuse_unbatched_entry(path, no_rows);
    if (yes && no && (yes.is_node() != no.is_node() || yes.is_tensor() != no.is_tensor()))
      throw Error(Code::key, "the entry has a different kind in the other dict").key(to_string(path));
    if (one.is_tensor()) return Entry(tensor(yes ? yes.tensor() : at::Tensor(), no ? no.tensor() : at::Tensor(), path));
    if (one.is_data()) return Entry(data(yes ? yes.data() : DataPtr(), no ? no.data() : DataPtr()));
    return Entry(node(yes ? yes.node().get() : nullptr, no ? no.node().get() : nullptr, path));
  }

  NodePtr members(const Node& one, const Node* yes, const Node* no, const Path& prefix) const {
    Nodes both[2];
    if (yes) both[0] = *one.apart(*yes);
    if (no) both[1] = *one.apart(*no);
    return one.map_members([&](const NodePtr&, size_t i) {
      at::Tensor part = one.for_member(condition, i);
      return Choice{part, pad}.node(yes ? both[0][i].get() : nullptr, no ? both[1][i].get() : nullptr, prefix);
    });
  }

  NodePtr node(const Node* yes, const Node* no, const Path& prefix) const {
    const Node& one = yes ? *yes : *no;
    if (one.has_members()) return members(one, yes, no, prefix);
    if (yes && no && !of_one_batch(yes->batch_size(), no->batch_size(), prefix))
      throw Error(Code::shape,
                  "batch sizes differ: " + to_string(yes->batch_size()) + " and " + to_string(no->batch_size()))
          .key(prefix.size() ? to_string(prefix) : "");
    NodePtr made = one.make_like(one.batch_size());
    made->adopt_names(one.names());
    if (yes)
      yes->visit([&](const Key& k, const Entry& e) { made->put(k, entry(e, no ? no->find(k) : Entry(), prefix + k)); });
    if (no)
      no->visit([&](const Key& k, const Entry& e) {
        if (!yes || !yes->find(k)) made->put(k, entry(Entry(), e, prefix + k));
      });
    return made;
  }
};

}  // namespace

NodePtr where(const at::Tensor& condition, const Node& node, const Node& other, const optional<c10::Scalar>& pad) {
  check_mask(condition, node);
  return Choice{condition, pad}.node(&node, &other, Path());
}

NodePtr masked_fill(const Node& node, const at::Tensor& mask, const c10::Scalar& value) {
  check_mask(mask, node);
  refuse_unbatched(node, no_rows);
  if (has_lazy(node))
    return around_stacks(
        node, [&](const Node& n) { return masked_fill(n, mask, value); },
        [&](const LazyStack& stack) {
          return stack.map_members(
              [&](const NodePtr& m, size_t i) { return masked_fill(*m, stack.for_member(mask, i), value); });
        });
  Leaves all = leaves(node);
  for (at::Tensor& t : all) t = t.masked_fill(expand_right(mask, t.sizes()), number(value, t.scalar_type()));
  return rebuild(node, all, node.batch_size(), node.names());
}

namespace {

struct MaskedFill {
  at::Tensor target, mask, value;
};

void collect_fills(const Node& node, const at::Tensor& mask, const c10::Scalar& value, const Path& prefix,
                   InPlaceChecks& checks, std::vector<MaskedFill>& out) {
  auto below = [&](const NodePtr& m, size_t i) {
    collect_fills(*m, node.for_member(mask, i), value, prefix, checks, out);
  };
  if (node.each_member(below)) return;
  node.visit([&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    if (e.is_node()) collect_fills(*e.node(), mask, value, path, checks, out);
    if (!e.is_tensor()) return;
    checks.check(e.tensor(), to_string(path));
    out.push_back({e.tensor(), expand_right(mask, e.tensor().sizes()), number(value, e.tensor().scalar_type())});
  });
}

}  // namespace

void masked_fill_(Node& node, const at::Tensor& mask, const c10::Scalar& value) {
  OnData on_data(node);
  if (has_persistent(node) && write_through(node, [&](Node& copy) { masked_fill_(copy, mask, value); })) return;
  check_mask(mask, node);
  refuse_unbatched(node, no_rows);
  std::vector<MaskedFill> fills;
  InPlaceChecks checks;
  collect_fills(node, mask, value, Path(), checks, fills);
  for (MaskedFill& f : fills) {
    refresh_view(f.target);
    f.target.masked_fill_(f.mask, f.value);
  }
}

}  // namespace td
