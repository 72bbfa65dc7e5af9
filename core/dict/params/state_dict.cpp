#include "core/dict/params/state_dict.h"

#include <c10/core/GradMode.h>

#include "core/dict/change/edit.h"
#include "core/dict/change/write.h"
#include "core/dict/copy.h"
#include "core/dict/entries.h"
#include "core/error.h"

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
  node.parts(Detail::kind, [&](const Entry& e) { nothing = nothing && e.is_node() && holds_nothing(*e.node()); });
  return nothing;
}

void check_within(const Node& a, const Node& b, const Path& prefix, const char* says) {
  a.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (e.is_node() && holds_nothing(*e.node())) return;
    Entry other = b.look_at(Path(std::vector<Key>{k}), Detail::kind);
    if (!other) throw Error(Code::key, says).key(to_string(prefix + k)).hint("load without `strict` to ignore it");
    if (e.is_node() && other.is_node()) check_within(*e.node(), *other.node(), prefix + k, says);
  });
}

// A state on its way into a dict. All that can fail fails while the state is walked over a copy of the dict; what is to
// be done to the dict itself is noted meanwhile, so that a state which shares memory with it is read before.
class Loading {
 public:
  explicit Loading(const LoadOptions& options) : options_(options) {}

  // `real` is the dict that `into` is a copy of.
  void plan(Node& into, Node& real, const Node& state, const Path& prefix) {
    if (optional<Nodes> parts = into.apart(state)) {
      Nodes members = all_members(real);
      into.each_member([&](const NodePtr& m, size_t i) { plan(*m, *members[i], *(*parts)[i], prefix); });
      return;
    }
    into.set_batch_size(state.batch_size());
    changes_.push_back({itself(real), Dims(state.batch_size().begin(), state.batch_size().end()), nullopt, Entry()});
    for (const auto& [k, given] : entries(state)) {
      Path path = prefix + k;
      Entry mine = into.look(k, Detail::shape);
      if (mine && !same_kind(mine, given))
        throw Error(Code::key, std::string("the entry is ") + kind(mine) + ", but in the state it is " + kind(given))
            .key(to_string(path));
      if (mine.is_node())
        plan(*mine.node(), *real.find(k).node(), *given.node(), path);
      else if (mine.is_tensor() && !options_.assign)
        copy(real, k, mine.tensor(), given.tensor(), path);
      else
        replace(into, real, k, given, path);
    }
  }

  void commit() {
    Edit edit;
    for (Change& c : changes_)
      if (c.value)
        edit.set(*c.node, Path(std::vector<Key>{*c.key}), std::move(c.value));
      else
        edit.rebatch(*c.node, c.batch);
    c10::AutoGradMode no_grad(false);
    writes_.commit();
    edit.keep();
  }

 private:
  struct Change {
    NodePtr node;
    Dims batch;  // without a value
    optional<Key> key;
    Entry value;
  };

  void copy(const Node& real, const Key& k, const at::Tensor& target, const at::Tensor& value, const Path& path) {
    real.check_write(path);
    if (target.sizes() != value.sizes())
      throw Error(Code::shape, "the state has shape " + to_string(value.sizes()) + ", but the tensor has " +
                                   to_string(target.sizes()))
          .key(to_string(path))
          .hint("load with `assign` to take the tensors of the state");
    c10::AutoGradMode no_grad(false);
    real.plan_write(writes_, k.view(), value, path);
  }

  void replace(Node& into, Node& real, const Key& k, const Entry& given, const Path& path) {
    if (real.locked())
      throw Error(Code::locked, "cannot modify a locked dict").key(to_string(path)).hint("unlock it first");
    real.check_write(path);
    Path here(std::vector<Key>{k});
    into.set(here, given.is_node() ? Entry(shallow_copy(*given.node())) : given);
    changes_.push_back({itself(real), {}, k, given.is_node() ? Entry(shallow_copy(*given.node())) : given});
  }

  const LoadOptions& options_;
  std::vector<Change> changes_;  // before the writes
  Writes writes_;
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
  Loading loading(options);
  loading.plan(*rehearsed, node, *given, Path());
  loading.commit();
}

}  // namespace td
