#include "core/math/apply.h"

#include <algorithm>

#include "core/dict/align.h"
#include "core/dict/any_node.h"
#include "core/dict/change/update.h"
#include "core/dict/device.h"
#include "core/error.h"
#include "core/tensor/autograd.h"
#include "core/tensor/in_place.h"
#include "core/tensor/kernels.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

// The batch size that each leaf begins with, that of the node or member that holds it; none if it is unbatched.
void leaf_batches(const Node& node, std::vector<Dims>& out) {
  if (node.each_member([&](const NodePtr& m, size_t) { leaf_batches(*m, out); })) return;
  const Dims batch(node.batch_size().begin(), node.batch_size().end());
  node.parts([&](const Entry& e) {
    if (e.is_node()) leaf_batches(*e.node(), out);
    if (e.is_tensor()) out.emplace_back(e.is_unbatched() ? Dims() : batch);
  });
}

class Calls {
 public:
  Calls(const Op& op, const std::vector<DictArg>& args, const std::vector<NamedDictArg>& kwargs) : op_(op) {
    for (const DictArg& a : args) positional_.push_back(a.value), note(a.dict);
    for (const NamedDictArg& k : kwargs) named_.push_back({k.name, k.arg.value}), note(k.arg.dict);
    if (!first_) throw Error(Code::argument, "no argument is a dict").where(op.name());
    for (const Node* d : dicts_) columns_.push_back(d ? leaves_like(*first_, *d, {}) : Leaves());
    for (size_t i = 0; i < dicts_.size(); ++i)
      if (dicts_[i] == first_) count_ = columns_[i].size();
    const at::IntArrayRef batch = first_->batch_size();
    if (any_node(*first_, [&](const Node& n) { return n.has_members() || n.batch_size() != batch; }))
      leaf_batches(*first_, batches_);
  }

  const Node& first() const { return *first_; }
  size_t leaves_count() const { return count_; }
  // Only errors need paths, and rehearsals.
  const Path& path(size_t leaf) const {
    if (paths_.empty()) paths_ = leaf_paths(*first_);
    return paths_[leaf];
  }
  at::IntArrayRef batch(size_t leaf) const { return batches_.empty() ? first_->batch_size() : batches_[leaf]; }
  bool unbatched(size_t leaf) const { return unbatched_leaves(*first_)[leaf]; }  // only a result of another shape asks
  const std::vector<Leaves>& columns() const { return columns_; }
  const std::vector<Arg>& positional() const { return positional_; }
  bool has_kwargs() const { return !named_.empty(); }

  // Whether anything that the operator reads at a leaf requires grad. Throws for what cannot be read.
  bool recorded(size_t leaf, const std::string& key) const {
    bool found = false;
    auto look = [&](const at::Tensor& t) { check_readable(t, key), found = found || t.requires_grad(); };
    auto look_at = [&](const Arg& a) { a.kind == Arg::Kind::tensor ? look(a.tensor) : void(); };
    for (size_t i = 0; i < dicts_.size(); ++i)
      if (dicts_[i]) look(columns_[i][leaf]);
    for (const Arg& a : positional_) look_at(a);
    for (const NamedArg& n : named_) look_at(n.value);
    return found;
  }

  bool fit(size_t leaf) {
    fill(leaf, With::values);
    return op_.fits(positional_, named_);
  }

  enum class With { values, shapes, types };  // the tensors, such without memory, such without elements
  Op::Results call(size_t leaf, With with = With::values) {
    fill(leaf, with);
    try {
      return op_.call(positional_, named_);
    } catch (Error& e) {
      throw e.key(to_string(path(leaf)));
    }
  }

 private:
  // Numbers stay, for kernels read them; beside tensors without memory they have to be on the CPU.
  static bool stands_in(const at::Tensor& t, With with) {
    return t.dim() > 0 || (with == With::shapes && !t.device().is_cpu());
  }

  static at::Tensor stand_in(const at::Tensor& t, With with) {
    if (with == With::shapes) return t.detach().to(at::kMeta);
    return at::empty(Dims(std::max<size_t>(1, static_cast<size_t>(t.dim())), 0), t.options().layout(at::kStrided));
  }

  void fill(size_t leaf, With with) {
    bool real = with == With::values;
    for (size_t i = 0; i < dicts_.size(); ++i) {
      Arg& slot = i < positional_.size() ? positional_[i] : named_[i - positional_.size()].value;
      if (dicts_[i])
        slot = Arg(real ? columns_[i][leaf] : stand_in(columns_[i][leaf], with));
      else if (!real && slot.kind == Arg::Kind::tensor && stands_in(slot.tensor, with))
        slot = Arg(stand_in(slot.tensor, with));
    }
  }

  void note(const Node* dict) {
    dicts_.push_back(dict);
    if (!first_) first_ = dict;
  }

  const Op& op_;
  const Node* first_ = nullptr;
  std::vector<const Node*> dicts_;  // of the positional arguments, then of the named ones; null where it is no dict
  std::vector<Arg> positional_;
  std::vector<NamedArg> named_;
  size_t count_ = 0;
  mutable std::vector<Path> paths_;
  std::vector<Dims> batches_;  // of each leaf; empty where all have the root's
  std::vector<Leaves> columns_;
};

void check_batch(const at::Tensor& result, at::IntArrayRef batch, const Calls& calls, size_t leaf, const Op& op) {
  if (result.dim() >= static_cast<int64_t>(batch.size()) && result.sizes().slice(0, batch.size()) == batch) return;
  if (calls.unbatched(leaf)) return;
  throw Error(Code::shape,
              "the result has shape " + to_string(result.sizes()) + ", but the dict has batch size " + to_string(batch))
      .key(to_string(calls.path(leaf)))
      .where(op.name())
      .hint("the operator must keep the batch dims");
}

std::vector<at::ScalarType> types(const Calls& calls, size_t leaf) {
  std::vector<at::ScalarType> out;
  for (const Leaves& column : calls.columns())
    if (!column.empty()) out.push_back(column[leaf].scalar_type());
  return out;
}

// The meta kernel of LibTorch's copy_ takes any sizes.
void check_copied(const at::Tensor& target, const at::Tensor& from, const std::string& key, const Op& op) {
  if (from.defined() && !broadcasts_to(from.sizes(), target.sizes()))
    throw Error(Code::shape, "a value of shape " + to_string(from.sizes()) + " does not broadcast to shape " +
                                 to_string(target.sizes()))
        .key(key)
        .where(op.name());
}

// In-place operators change leaf after leaf: whatever can be known to fail is found out before the first.
void rehearse(const Op& op, const std::vector<DictArg>& args, const std::vector<NamedDictArg>& kwargs) {
  Calls trial(op, args, kwargs);
  std::vector<at::ScalarType> seen;
  InPlaceChecks checks;
  for (size_t leaf = 0; leaf < trial.leaves_count(); ++leaf) {
    const Leaves& target = trial.columns()[0];
    if (target.empty()) continue;
    std::string key = to_string(trial.path(leaf));
    checks.check(target[leaf], key, trial.recorded(leaf, key));
    if (op.name() == "aten::copy_" && args.size() > 1)
      check_copied(target[leaf], args[1].dict ? trial.columns()[1][leaf] : args[1].value.tensor, key, op);
    try {
      for (const c10::IValue& out : trial.call(leaf, Calls::With::shapes))
        if (out.isTensor()) check_batch(out.toTensor(), trial.batch(leaf), trial, leaf, op);
    } catch (const Error& e) {
      if (e.code() != Code::unsupported) throw;  // no meta kernel: this operator cannot be rehearsed
    }
    if (types(trial, leaf) == seen) continue;
    seen = types(trial, leaf);
    try {
      trial.call(leaf, Calls::With::types);
    } catch (const Error& e) {
      if (e.code() == Code::dtype) throw;  // what only a kernel knows; that it takes no dim of size 0 says nothing
    }
  }
}

}  // namespace

std::vector<NodePtr> apply_op(const Op& op, const std::vector<DictArg>& args, const std::vector<NamedDictArg>& kwargs,
                              size_t n_outs) {
  if (op.result_count() > n_outs)
    throw Error(Code::argument, "the operator returns " + std::to_string(op.result_count()) +
                                    " results, but there is room for " + std::to_string(n_outs))
        .where(op.name());
  const bool in_place = writes(op), to_dict = in_place && !args.empty() && args[0].dict;
  if (to_dict && has_persistent(*args[0].dict)) {
    NodePtr copy = deep_copy(*args[0].dict);
    std::vector<DictArg> in_memory = args;
    in_memory[0].dict = copy.get();
    std::vector<NodePtr> made = apply_op(op, in_memory, kwargs, n_outs);
    update_values(const_cast<Node&>(*args[0].dict), *copy);
    return made;
  }
  if (in_place) rehearse(op, args, kwargs);
  Calls calls(op, args, kwargs);
  const Node& first = calls.first();
  std::vector<Leaves> results(op.result_count());

  if (kwargs.empty() && !args.empty() && args[0].dict) {
    Leaves quick;
    const Leaves* other = args.size() == 2 && args[1].dict ? &calls.columns()[1] : nullptr;
    const Arg* scalar = args.size() == 2 && !args[1].dict ? &args[1].value : nullptr;
    if (args.size() == 2 && calls.leaves_count() > 0 && calls.fit(0) &&
        pointwise_by_hand(op.name(), calls.columns()[0], other, scalar, quick))
      return {rebuild(first, std::move(quick), first.batch_size(), first.names())};
  }
  for (size_t leaf = 0; leaf < calls.leaves_count(); ++leaf) {
    if (to_dict) refresh_view(calls.columns()[0][leaf]);
    Op::Results out = calls.call(leaf);
    if (out.size() != results.size())
      throw Error(Code::argument, "this overload returns a different number of results")
          .where(op.name())
          .hint_naming("give the name of the overload to {op_find}");
    for (size_t k = 0; k < out.size(); ++k) {
      if (!out[k].isTensor())
        throw Error(Code::unsupported, "the operator returns something that is not a tensor")
            .where(op.name())
            .hint_naming("call it leaf by leaf with {op_call}");
      at::Tensor t = out[k].toTensor();
      check_batch(t, calls.batch(leaf), calls, leaf, op);
      results[k].push_back(std::move(t));
    }
  }
  std::vector<NodePtr> dicts;
  for (Leaves& l : results) dicts.push_back(rebuild(first, std::move(l), first.batch_size(), first.names()));
  bool moves = std::any_of(kwargs.begin(), kwargs.end(), [](const NamedDictArg& k) {
    return k.name == "device" && !k.arg.dict && k.arg.value.kind == Arg::Kind::text;
  });
  for (const NodePtr& d : dicts)
    if (moves) auto_device(*d);
  return dicts;
}

}  // namespace td
