#include "core/math/pointwise.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <ATen/ScalarOps.h>

#include "core/dict/any_node.h"
#include "core/dict/change/update.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/lock.h"
#include "core/dict/settle.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/math/apply.h"
#include "core/math/compare_data.h"
#include "core/math/in_place.h"

namespace td {

namespace {

optional<Comparison> comparison(const Op& op) {
  static constexpr std::array<std::string_view, 9> orders = {"aten::lt",   "aten::le",         "aten::gt",
                                                             "aten::ge",   "aten::greater",    "aten::greater_equal",
                                                             "aten::less", "aten::less_equal", "aten::isclose"};
  if (op.name() == "aten::eq") return Comparison::equal;
  if (op.name() == "aten::ne" || op.name() == "aten::not_equal") return Comparison::unequal;
  if (std::find(orders.begin(), orders.end(), op.name()) != orders.end()) return Comparison::order;
  return nullopt;
}

bool has_dims(const DictArg& a) {
  return !a.dict && a.value.kind == Arg::Kind::tensor && a.value.tensor.dim() > 0;
}

Dims broadcast(at::IntArrayRef a, at::IntArrayRef b) {
  Dims out(std::max(a.size(), b.size()));
  for (size_t i = 1; i <= out.size(); ++i) {
    int64_t x = i <= a.size() ? a[a.size() - i] : 1, y = i <= b.size() ? b[b.size() - i] : 1;
    if (x != y && x != 1 && y != 1)
      throw Error(Code::shape,
                  "the batch size " + to_string(a) + " and the shape " + to_string(b) + " do not broadcast")
          .hint("operands broadcast with the batch dims; feature dims come after them");
    out[out.size() - i] = x == 1 ? y : x;
  }
  return out;
}

at::Tensor fill_leaf(const Arg& fill) {
  using Kind = Arg::Kind;
  if (fill.kind == Kind::tensor && fill.tensor.dim() == 0) return fill.tensor;
  if (fill.kind != Kind::integer && fill.kind != Kind::real && fill.kind != Kind::boolean && fill.kind != Kind::scalar)
    throw Error(Code::argument, "the fill is not a number or a tensor without dims");
  c10::Scalar number(fill.i);
  if (fill.kind == Kind::real) number = fill.f;
  if (fill.kind == Kind::scalar) number = fill.scalar;
  if (fill.kind == Kind::boolean) number = fill.i != 0;
  at::Tensor t = c10::scalar_to_tensor(number);
  t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

// The leaf with the joint batch dims in place of its dict's own.
at::Tensor expanded(const at::Tensor& leaf, size_t batch_dims, at::IntArrayRef batch) {
  Dims sizes(batch.begin(), batch.end());
  sizes.append(leaf.sizes().begin() + batch_dims, leaf.sizes().end());
  return leaf.sizes() == at::IntArrayRef(sizes) ? leaf : leaf.expand(sizes);
}

// Brings all operands to one structure and one batch size, so that leaf by leaf they are the operator's arguments.
class Alignment {
 public:
  Alignment(std::vector<DictArg*> operands, Dims batch, const PointwiseOptions& options, at::Tensor fill)
      : operands_(std::move(operands)), batch_(std::move(batch)), options_(options), fill_(std::move(fill)) {
    for (const DictArg* a : operands_)
      if (a->dict) dicts_.push_back(a->dict);
    make_model();
    paths_ = leaf_paths(*model_);
    for (DictArg* a : operands_)
      if (a->dict || has_dims(*a)) replace(*a);
  }

 private:
  // The nodes, non-tensor entries and leaf keys of the result.
  void make_model() {
    const Node& first = *dicts_[0];
    std::vector<bool> unbatched;
    Leaves all = leaves(first, unbatched);
    std::vector<Path> paths = leaf_paths(first);
    for (size_t i = 0; i < all.size(); ++i) {
      bool everywhere = std::all_of(dicts_.begin(), dicts_.end(),
                                    [&](const Node* d) { return d == &first || d->get(paths[i]).is_tensor(); });
      if (!everywhere && options_.missing == Missing::error) missing(paths[i]);
      if (!everywhere && options_.missing != Missing::fill)
        all[i] = at::Tensor();
      else if (!unbatched[i])
        all[i] = expanded(all[i], first.batch_dims(), batch_);
    }
    Names names(batch_.size() - first.batch_dims());
    Names own = spread(first.names(), first.batch_dims());
    names.insert(names.end(), own.begin(), own.end());
    model_ = rebuild(first, all, batch_, tidy(names));
    if (options_.missing == Missing::skip) return settle(*model_, Emptied::drop);
    for (const Node* d : dicts_)
      for (const Path& p : leaf_paths(*d)) {
        if (model_->get(p).is_tensor()) continue;
        if (options_.missing == Missing::error) missing(p);
        Entry e = d->get(p);
        model_->set(p, e.is_unbatched() ? e : Entry(expanded(e.tensor(), d->batch_dims(), batch_)));
      }
  }

  [[noreturn]] static void missing(const Path& path) {
    throw Error(Code::key, "the leaf is not in all dicts")
        .key(to_string(path))
        .hint_naming("skip or fill such leaves with {pointwise_options}");
  }

  void replace(DictArg& a) {
    Leaves out;
    for (const Path& p : paths_) out.push_back(a.dict ? leaf(*a.dict, p) : spread_over_features(a.value.tensor, p));
    held_.push_back(rebuild(*model_, out, batch_, model_->names()));
    a.dict = held_.back().get();
  }

  at::Tensor leaf(const Node& dict, const Path& path) const {
    Entry e = dict.get(path);
    if (e.is_unbatched()) return e.tensor();
    return e.is_tensor() ? expanded(e.tensor(), dict.batch_dims(), batch_) : fill_;
  }

  at::Tensor spread_over_features(at::Tensor t, const Path& path) const {
    int64_t features = 0;
    for (const Node* d : dicts_) {
      Entry e = d->get(path);
      if (e.is_unbatched()) refuse_unbatched_entry(path, "it has no batch dims to match the operand's");
      if (e.is_tensor()) features = std::max(features, e.tensor().dim() - static_cast<int64_t>(d->batch_dims()));
    }
    for (int64_t i = 0; i < features; ++i) t = t.unsqueeze(-1);
    return t;
  }

  std::vector<DictArg*> operands_;
  std::vector<const Node*> dicts_;
  Dims batch_;
  const PointwiseOptions& options_;
  at::Tensor fill_;
  NodePtr model_;
  std::vector<Path> paths_;
  std::vector<NodePtr> held_;  // what the operands stand on now
};

}  // namespace

NodePtr pointwise(const Op& op, std::vector<DictArg> args, std::vector<NamedDictArg> kwargs,
                  const PointwiseOptions& options) {
  bool in_place = writes(op);
  optional<Comparison> compares = comparison(op);
  std::vector<DictArg*> operands;
  for (DictArg& a : args) operands.push_back(&a);
  for (NamedDictArg& k : kwargs) {
    if (k.name == "out") throw Error(Code::argument, "`out` cannot be an operand").where(op.name());
    operands.push_back(&k.arg);
  }
  const Node* first = nullptr;
  size_t shaped = 0;  // operands that have a say in the batch size
  Dims batch;
  for (const DictArg* a : operands) {
    if (!a->dict && !has_dims(*a)) continue;
    batch = shaped++ ? broadcast(batch, a->dict ? a->dict->batch_size() : a->value.tensor.sizes())
                     : Dims(a->dict ? Dims(a->dict->batch_size().begin(), a->dict->batch_size().end())
                                    : Dims(a->value.tensor.sizes().begin(), a->value.tensor.sizes().end()));
    if (a->dict && !first) first = a->dict;
  }
  if (!first) throw Error(Code::argument, "no operand is a dict").where(op.name());
  if (in_place && !args.empty() && !args[0].dict)
    throw Error(Code::argument, "an operator in place needs a dict as its first operand").where(op.name());
  if (in_place && at::IntArrayRef(batch) != first->batch_size())
    throw Error(Code::shape, "the result has batch size " + to_string(batch) + ", but the dict to write to has " +
                                 to_string(first->batch_size()))
        .where(op.name());

  if (in_place && shaped > 1 && has_persistent(*first)) {
    NodePtr copy = deep_copy(*first);
    for (DictArg* a : operands)  // keyword arguments, too
      if (a->dict == first) a->dict = copy.get();
    NodePtr made = pointwise(op, std::move(args), std::move(kwargs), options);
    update_values(const_cast<Node&>(*first), *copy);
    return made;
  }
  at::Tensor fill = shaped > 1 && options.missing == Missing::fill ? fill_leaf(options.fill) : at::Tensor();
  bool alike = options.missing == Missing::error;
  for (const DictArg* a : operands)
    alike = alike && !has_dims(*a) && (!a->dict || a->dict->batch_size() == at::IntArrayRef(batch));
  optional<InPlace> targets;
  optional<Alignment> alignment;
  Nodes copies;
  if (in_place && shaped > 1) {
    targets.emplace(*first, operands, batch, options.missing, fill);
  } else if (shaped > 1 && !alike) {
    // Operands of other shapes are matched with dense copies.
    for (DictArg* a : operands) {
      if (!a->dict || !has_lazy(*a->dict)) continue;
      copies.push_back(dense(*a->dict));
      if (a->dict == first) first = copies.back().get();
      a->dict = copies.back().get();
    }
  }
  std::vector<const Node*> dicts;
  for (const DictArg* a : operands)
    if (a->dict) dicts.push_back(a->dict);
  if (!in_place && shaped > 1 && !alike) alignment.emplace(operands, batch, options, fill);

  std::vector<NodePtr> results = apply_op(op, args, kwargs, 1);
  if (results.size() != 1) throw Error(Code::argument, "the operator does not return a tensor").where(op.name());
  NodePtr result = std::move(results[0]);
  if (shaped > 1) settle(*result, Emptied::keep);
  if (compares) {
    if (dicts.size() == 2) compare_data(*result, *dicts[0], *dicts[1], *compares, options.missing);
    result->set_names({});
  } else if (first->locked()) {
    Lock::acquire(*result);
  }
  return result;
}

}  // namespace td
