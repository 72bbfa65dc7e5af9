#include "core/dict/params/params.h"

#include <unordered_map>
#include <unordered_set>

#include <c10/core/GradMode.h>

#include "core/dict/any_node.h"
#include "core/dict/copy.h"
#include "core/dict/data/plain.h"
#include "core/dict/entries.h"
#include "core/dict/lock.h"
#include "core/error.h"

namespace td {

namespace {

at::Tensor as_parameter(const at::Tensor& t) {
  bool grows = at::isFloatingType(t.scalar_type()) || at::isComplexType(t.scalar_type());
  if (!grows) return t;
  if (t.is_leaf() && t.requires_grad()) return t;
  return t.detach().set_requires_grad(true);
}

struct Conversion {
  Node* node;
  Key key;
  Entry parameter;
};

// Not recorded as a change of structure: keys stay, and so do the values.
void plan_conversions(Node& node, std::vector<Conversion>& out) {
  for (auto& [key, entry] : entries(node)) {
    if (entry.is_node()) plan_conversions(*entry.node(), out);
    if (entry.is_tensor()) out.push_back({&node, key, entry.with(as_parameter(entry.tensor()))});
  }
}

NodePtr converted_copy(const Node& node, bool convert) {
  if (node.inside()) return itself(node);  // these are converted
  NodePtr made = node.make_like(node.batch_size());
  made->adopt_names(node.names());
  node.visit([&](const Key& k, const Entry& e) {
    if (e.is_node())
      made->put(k, Entry(converted_copy(*e.node(), convert)));
    else
      made->put(k, convert && e.is_tensor() ? e.with(as_parameter(e.tensor())) : e);
  });
  return made;
}

NamedTensors chosen(const Node& node, bool requires_grad) {
  NamedTensors out;
  std::vector<Path> paths = leaf_paths(node);
  Leaves all = leaves(node);
  std::unordered_set<const void*> seen;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].requires_grad() != requires_grad || !seen.insert(all[i].unsafeGetTensorImpl()).second) continue;
    out.paths.push_back(std::move(paths[i]));
    out.tensors.push_back(std::move(all[i]));
  }
  return out;
}

}  // namespace

NodePtr Params::make(NodePtr inner, const Options& options) {
  if (has_persistent(*inner))
    throw Error(Code::unsupported, "a file cannot hold parameters")
        .hint_naming("read it into memory with {dict_to_tensordict} first");
  if (has_lazy(*inner))
    throw Error(Code::unsupported, "a lazy stack cannot hold parameters")
        .hint_naming("make a dense copy with {dict_contiguous} first");
  if (inner->locked()) Lock::check_release(*inner);  // what is part of a locked dict, whose entries would become others
  std::vector<Conversion> conversions;
  if (const Params* p = of(*inner))
    inner = shallow_copy(*p->inner());  // of tensors that are parameters, or are not meant to be
  else if (options.convert)
    plan_conversions(*inner, conversions);
  NodePtr made = c10::make_intrusive<Params>(inner, options);
  made->adopt_names(inner->names());
  if (options.lock) Lock::acquire(*inner);
  for (Conversion& c : conversions) c.node->replace(c.key.view(), c.parameter);
  return made;
}

NodePtr Params::copied(const Params& original, NodePtr inner) {
  Leaves before = leaves(*original.inner_), all = leaves(*inner);
  std::unordered_map<const void*, at::Tensor> made_of;  // one tensor under several keys becomes one parameter
  for (size_t i = 0; i < all.size(); ++i) {
    if (!before[i].requires_grad()) continue;
    at::Tensor& parameter = made_of[all[i].unsafeGetTensorImpl()];
    if (!parameter.defined()) parameter = as_parameter(all[i]);
    all[i] = parameter;
  }
  Options options = original.options_;
  options.convert = false;
  NodePtr made = make(rebuild(*inner, all, inner->batch_size(), inner->names()), options);
  static_cast<Params&>(*made).options_ = original.options_;
  return made;
}

Entry Params::converted(Entry value) const {
  if (value.is_data()) return value;
  if (value.is_tensor()) return options_.convert ? value.with(as_parameter(value.tensor())) : value;
  if (has_lazy(*value.node()))
    throw Error(Code::unsupported, "a lazy stack cannot hold parameters")
        .hint_naming("make a dense copy with {dict_contiguous} first");
  if (has_persistent(*value.node())) return Entry(converted_copy(*plain_copy(*value.node()), options_.convert));
  return Entry(converted_copy(*value.node(), options_.convert));
}

namespace {

// A tensor that is under several keys is one in the copy too.
NodePtr tied_as(const Node& original, const NodePtr& copy) {
  Leaves before = leaves(original), all = leaves(*copy);
  std::unordered_map<const void*, size_t> first;
  bool tied = false;
  for (size_t i = 0; i < all.size(); ++i) {
    auto [at, is_new] = first.emplace(before[i].unsafeGetTensorImpl(), i);
    if (is_new) continue;
    all[i] = all[at->second];
    tied = true;
  }
  return tied ? rebuild(*copy, all, copy->batch_size(), copy->names()) : copy;
}

}  // namespace

NodePtr Params::clone() const {
  c10::AutoGradMode no_grad(false);  // the copies are parameters of their own
  return copied(*this, tied_as(*inner_, inner_->clone()));
}

void Params::check_current() const {
  if (inner_->batch_size() == batch_size()) return;
  throw Error(Code::shape, "the batch size of the dict inside the parameters changed to " +
                               to_string(inner_->batch_size()) + " from " + to_string(batch_size()))
      .hint("set the batch size of the parameters instead");
}

bool Params::replace(const KeyView& key, Entry& value) {
  return inner_->replace(key, value);
}

void Params::set_batch_size(at::IntArrayRef batch) {
  inner_->set_batch_size(batch);
  adopt_batch(batch);
}

void Params::set_names(const Names& names) {
  Names own = names;
  inner_->set_names(names);
  adopt_names(std::move(own));
}

NamedTensors parameters(const Node& node) {
  return chosen(node, true);
}

NamedTensors buffers(const Node& node) {
  return chosen(node, false);
}

}  // namespace td
