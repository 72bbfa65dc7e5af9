#include "core/dict/params/state_dict.h"

#include <c10/core/GradMode.h>

#include "core/dict/copy.h"
#include "core/dict/edit.h"
#include "core/dict/settle.h"
#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

const char* kind(const Entry& e) {
  return e.is_node() ? "a dict" : e.is_tensor() ? "a tensor" : "data";
}

bool same_kind(const Entry& a, const Entry& b) {
  return a.is_node() == b.is_node() && a.is_tensor() == b.is_tensor();
}

bool holds_nothing(const Node& node) {
  bool nothing = true;
  node.structure([&](const Entry& e) { nothing = nothing && e.is_node() && holds_nothing(*e.node()); });
  return nothing;
}

void check_within(const Node& a, const Node& b, const Path& prefix, const char* says) {
  a.outline([&](const Key& k, const Entry& e) {
    if (e.is_node() && holds_nothing(*e.node())) return;
    Entry other = b.kind(Path(std::vector<Key>{k}));
    if (!other) throw Error(Code::key, says).key(to_string(prefix + k)).hint("load without `strict` to ignore it");
    if (e.is_node() && other.is_node()) check_within(*e.node(), *other.node(), prefix + k, says);
  });
}

// Walks the state over a dict: once over a copy, where nothing is written and everything can fail, then in earnest.
class Loading {
 public:
  Loading(const LoadOptions& options, bool rehearsal) : options_(options), rehearsal_(rehearsal) {}

  // `real` is the dict that `into` is a copy of in the rehearsal, and `into` itself in earnest.
  void load(Node& into, const Node& real, const Node& state, const Path& prefix) {
    if (optional<Nodes> parts = into.apart(state)) {
      Nodes members = all_members(real);
      into.each_member([&](const NodePtr& m, size_t i) { load(*m, *members[i], *(*parts)[i], prefix); });
      return;
    }
    into.set_batch_size(state.batch_size());
    for (const auto& [k, given] : entries(state)) {  // which may be this dict
      Path path = prefix + k;
      Entry mine = into.sketch(k);
      if (mine && !same_kind(mine, given))
        throw Error(Code::key, std::string("the entry is ") + kind(mine) + ", but in the state it is " + kind(given))
            .key(to_string(path));
      if (mine.is_node())
        load(*mine.node(), *real.find(k).node(), *given.node(), path);
      else if (mine.is_tensor() && !options_.assign)
        copy(into, real, k, mine.tensor(), given.tensor(), path);
      else
        replace(into, real, k, given, path);
    }
  }

 private:
  void copy(Node& into, const Node& real, const Key& k, const at::Tensor& target, const at::Tensor& value,
            const Path& path) const {
    std::string key = to_string(path);
    if (rehearsal_) {
      real.check_write(path);
      if (target.sizes() != value.sizes())
        throw Error(Code::shape, "the state has shape " + to_string(value.sizes()) + ", but the tensor has " +
                                     to_string(target.sizes()))
            .key(key)
            .hint("load with `assign` to take the tensors of the state");
      check_writable(target, key);
      if (overlaps(target))
        throw Error(Code::torch, "several elements of the tensor share one place in memory").key(key);
      return;
    }
    c10::AutoGradMode no_grad(false);
    if (!into.lends()) return into.copy_into(Path(std::vector<Key>{k}), value);
    copy_values(target, value, key);
  }

  void replace(Node& into, const Node& real, const Key& k, const Entry& given, const Path& path) const {
    if (real.locked())
      throw Error(Code::locked, "cannot modify a locked dict").key(to_string(path)).hint("unlock it first");
    real.check_write(path);
    Path here(std::vector<Key>{k});
    if (given.is_tensor()) into.set(here, given);
    if (given.is_data()) into.set(here, given.data());
    if (given.is_node()) into.set(here, shallow_copy(*given.node()));
  }

  const LoadOptions& options_;
  bool rehearsal_;
};

}  // namespace

NodePtr state_dict(const Node& node) {
  Leaves all = leaves(node);
  for (at::Tensor& t : all) t = t.detach();
  return rebuild(node, all, node.batch_size(), node.names());
}

void load_state_dict(Node& node, const Node& state, const LoadOptions& options) {
  if (options.strict) {
    check_within(node, state, Path(), "the entry is not in the state");
    check_within(state, node, Path(), "the entry is in the state but not in the dict");
  }
  NodePtr given = shallow_copy(state), rehearsed = shallow_copy(node);
  Loading(options, true).load(*rehearsed, node, *given, Path());
  Loading(options, false).load(node, node, *given, Path());
}

}  // namespace td
