#include "core/dict/change/update.h"

#include <algorithm>

#include "core/dict/batch_size.h"
#include "core/dict/change/edit.h"
#include "core/dict/change/inside.h"
#include "core/dict/change/together.h"
#include "core/dict/change/write.h"
#include "core/dict/copy.h"
#include "core/dict/entries.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/select.h"
#include "core/dict/shape/split.h"
#include "core/dict/walk.h"
#include "core/error.h"
#include "core/tensor/ops.h"
#include "core/tensor/stored.h"

namespace td {

namespace {

bool of_one_kind(const Entry& a, const Entry& b) {
  return a.is_node() == b.is_node() && a.is_tensor() == b.is_tensor();
}

[[noreturn]] void refuse_kind(const Path& path) {
  throw Error(Code::key, "the entry and its new value are of different kinds (tensor, dict or non-tensor data)")
      .key(to_string(path))
      .hint_naming("values can be copied only between entries of one kind; use {dict_set} to replace an entry");
}

Entry cloned(const Entry& e) {
  if (e.is_tensor()) return e.with(clone_tensor(e.tensor()));
  return e.is_node() ? Entry(deep_copy(*e.node())) : e;
}

// Data of the batch that the old entry has.
DataPtr fitted(const Data& old, const DataPtr& value, const Path& path) {
  if (value->batch() == old.batch()) return value;
  if (!value->stacked()) return Data::uniform(value->value(), old.batch());
  throw Error(Code::shape, "non-tensor data of batch size " + to_string(value->batch()) +
                               " does not fit an entry of batch size " + to_string(old.batch()))
      .key(to_string(path));
}

class Update {
 public:
  Update(Node& root, const UpdateOptions& options, bool values_only)
      : root_(root), options_(options), values_only_(values_only), together_(root, options.version) {}

  void run(const Node& src) {
    if (!options_.inplace) check_unlocked(root_, Path());
    level(root_, src, Path());
    writes_.commit();
    together_.commit();
    edit_.keep();
  }

 private:
  void level(Node& node, const Node& src, const Path& prefix) {
    if (&node == &src) return;
    if (options_.batch_size && node.has_members()) return restack(node, src, prefix);
    if (options_.batch_size && !agree(node, src)) return take_over(node, src, prefix);
    if (optional<Nodes> parts = node.apart(src)) {
      node.each_member([&](const NodePtr& m, size_t i) { level(*m, *(*parts)[i], prefix); });
      return;
    }
    if (!values_only_) check_batches(node, src, prefix);
    for (const auto& [key, value] : entries(src)) {
      Path path = prefix + key;
      Entry old = node.look(key, Detail::shape);
      bool nodes = old.is_node() && value.is_node();
      if (nodes && !options_.inplace && value.node()->has_members() && !old.node()->has_members() && node.lends())
        give_way(node, key, *node.find(key).node(), *value.node(), path);
      else if (nodes)
        below(node, *old.node(), *value.node(), path);
      else if (old && options_.inplace)
        write(node, key, old, value, path);
      else if (values_only_)
        throw Error(Code::key, "the dict to update has no such key")
            .key(to_string(path))
            .hint_naming("use {dict_update} to add keys, or {dict_select} to leave keys out");
      else
        set(node, key, options_.clone ? cloned(value) : value, path);
    }
  }

  void below(const Node& node, Node& old, const Node& value, const Path& path) {
    level(old, value, path);
    if (options_.batch_size && !begins_with(old.batch_size(), node.batch_size()))
      batch_mismatch(path, node.batch_size(), old.batch_size());
  }

  // The node becomes what `src` is, whose keys include its own.
  void take_over(Node& node, const Node& src, const Path& prefix) {
    check_keys(node, src, prefix);
    edit_.empty(node, src.batch_size(), prefix);
    for (const auto& [key, value] : entries(options_.clone ? *deep_copy(src) : *shallow_copy(src)))
      set(node, key, value, prefix + key);
  }

  // Members are updated in pairs, and what the source has beyond them is copied; one of fewer members gives its own.
  void restack(Node& node, const Node& src, const Path& prefix) {
    const int64_t dim = node.member_dim();
    if (static_cast<int64_t>(src.batch_dims()) <= dim)
      throw Error(Code::shape, "a source of batch size " + to_string(src.batch_size()) +
                                   " does not fit a stack along dim " + std::to_string(dim))
          .key(prefix.size() ? to_string(prefix) : "");
    Nodes sources = src.member_dim() == dim ? all_members(src) : unbind(src, dim), members = all_members(node);
    if (sources.size() != members.size()) check_keys(node, src, prefix);
    bool fewer = sources.size() < members.size();
    if (fewer) members.clear();
    for (size_t i = 0; i < members.size(); ++i) level(*members[i], *sources[i], prefix);
    for (size_t i = members.size(); i < sources.size(); ++i)
      members.push_back(options_.clone ? deep_copy(*sources[i]) : fewer ? sources[i] : shallow_copy(*sources[i]));
    edit_.restack(node, std::move(members), prefix);
  }

  static void check_keys(const Node& node, const Node& src, const Path& prefix) {
    KeyChoice all;
    all.nested = true;
    for (const Path& p : keys(node, all)) {
      if (src.look_at(p, Detail::kind)) continue;
      Path path = prefix;
      for (const Key& k : p.keys()) path = path + k;
      throw Error(Code::key, "the source has no such entry, and this one does not fit the new batch size")
          .key(to_string(path));
    }
  }

  // As in the original, a dict becomes a lazy stack of its parts, which are updated in turn.
  void give_way(Node& node, const Key& key, const Node& old, const Node& stack, const Path& path) {
    if (!options_.batch_size) check_batches(old, stack, path);
    const int64_t dim = stack.member_dim();
    if (static_cast<int64_t>(old.batch_dims()) <= dim)
      throw Error(Code::shape, "a dict of batch size " + to_string(old.batch_size()) +
                                   " cannot become a stack along dim " + std::to_string(dim))
          .key(to_string(path))
          .hint("delete the entry first, or give it as many batch dims");
    NodePtr parts = to_lazy_stack(old, dim);
    level(*parts, stack, path);
    set(node, key, Entry(std::move(parts)), path);
  }

  void set(Node& node, const Key& key, Entry value, const Path& path) {
    try {
      edit_.set(node, Path(std::vector<Key>{key}), std::move(value));
    } catch (Error& e) {
      throw e.key(to_string(path));
    }
  }

  void write(Node& node, const Key& key, const Entry& old, const Entry& value, const Path& path) {
    if (!of_one_kind(old, value)) refuse_kind(path);
    if (!values_only_ && old.is_tensor() && old.tensor().is_same(value.tensor())) return;
    if (old.is_tensor())
      node.plan_write(writes_, key, value.tensor(), path);
    else
      edit_.put(node, key, Entry(fitted(*old.data(), value.data(), path)));
  }

  static bool agree(const Node& node, const Node& src) {
    size_t n = std::min(node.batch_dims(), src.batch_dims());
    return node.batch_size().slice(0, n) == src.batch_size().slice(0, n);
  }

  static void check_batches(const Node& node, const Node& src, const Path& prefix) {
    if (agree(node, src)) return;
    throw Error(Code::shape, "batch mismatch: batch size " + to_string(node.batch_size()) + ", but the source has " +
                                 to_string(src.batch_size()))
        .key(prefix.size() ? to_string(prefix) : "")
        .hint("one batch size must begin with the other");
  }

  Node& root_;
  UpdateOptions options_;
  bool values_only_;
  Together together_;  // longer than the edit, which may undo what never arrived
  Edit edit_;
  Writes writes_;
};

// The node becomes what `src` is, whose keys include its own.
void replace_all(Node& node, const Node& src, bool clone) {
  node.visit([&](const Key& k, const Entry&) {
    if (!src.find(k.view()))
      throw Error(Code::key, "the source has no such entry, and this one does not fit the new batch size")
          .key(to_string(Path({k}).view()));
  });
  Opened opened(node);
  Entries content = entries(*(clone ? deep_copy(src) : shallow_copy(src)));
  Dims batch(node.batch_size().begin(), node.batch_size().end());
  Names names = node.names();
  Edit edit;
  edit.replace(node, {}, Path());
  try {
    node.set_batch_size(src.batch_size());
    for (auto& [key, entry] : content) node.set(Path({key}), std::move(entry));
  } catch (...) {
    for (const auto& [key, entry] : entries(node)) node.erase(key);
    node.set_batch_size(batch);
    node.adopt_names(names);
    throw;
  }
  edit.keep();
}

}  // namespace

void set_many(Node& node, const std::vector<PathView>& paths, const std::vector<at::Tensor>& values) {
  Together together(node);
  Edit edit;
  for (size_t i = 0; i < paths.size(); ++i) edit.set(node, paths[i], Entry(values[i]));
  together.commit();
  edit.keep();
}

void update(Node& node, const Node& src, const UpdateOptions& options) {
  if (&node == &src || node.inside() == &src) return;
  if (options.batch_size && (options.inplace || options.keys))
    throw Error(Code::argument, "the batch size cannot change when writing in place or updating selected keys only");
  NodePtr chosen = options.keys ? select_in_its_order(src, *options.keys) : NodePtr();
  const Node& from = chosen ? *chosen : src;
  if (options.batch_size && !node.has_members() && node.batch_size() != src.batch_size())
    return replace_all(node, src, options.clone);
  if (node.inside() && !options.inplace) {
    Opened opened(node);
    Entry made(options.clone ? deep_copy(from) : shallow_copy(from));
    node.convert(made);
    return Update(node, {}, false).run(*made.node());
  }
  OnData on_data(node);
  Update(node, options, false).run(from);
}

void update_values(Node& node, const Node& src) {
  OnData on_data(node);
  UpdateOptions in_place;
  in_place.inplace = true;
  Update(node, in_place, true).run(src);
}

void clear(Node& node) {
  Opened opened(node);
  Together together(node);
  Edit edit;
  edit.replace(node, {}, Path());
  together.commit();
  edit.keep();
}

at::Tensor pop(Node& node, PathView path) {
  at::Tensor popped = node.tensor(path);
  node.erase_path(path);
  return popped;
}

NodePtr pop_node(Node& node, PathView path) {
  NodePtr popped = node.node(path);
  node.erase_path(path);
  return popped;
}

}  // namespace td
