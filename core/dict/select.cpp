#include "core/dict/select.h"

#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/dict/change/edit.h"
#include "core/dict/change/inside.h"
#include "core/dict/copy.h"
#include "core/dict/entries.h"
#include "core/error.h"

namespace td {

namespace {

using Paths = std::vector<Path>;

// The keys that begin with one part: whether it is named itself, and what is named below it.
struct Group {
  Key first;
  bool whole = false;
  Paths below;
};

// In the order in which the first parts come.
std::vector<Group> grouped(const Paths& keys) {
  struct Hash {
    using is_avalanching = void;
    size_t operator()(const KeyView& key) const { return key.hash; }
  };
  std::vector<Group> groups;
  boost::unordered_flat_map<KeyView, size_t, Hash> index;
  for (const Path& p : keys) {
    auto [at, is_new] = index.try_emplace(p.keys()[0], groups.size());
    if (is_new) groups.push_back({p.keys()[0], false, {}});
    Group& group = groups[at->second];
    if (p.size() == 1)
      group.whole = true;
    else
      group.below.emplace_back(std::vector<Key>(p.keys().begin() + 1, p.keys().end()));
  }
  return groups;
}

// The groups by their first parts.
class Groups {
 public:
  explicit Groups(const Paths& keys) : groups_(grouped(keys)) {
    for (const Group& g : groups_) index_.emplace(g.first.text(), &g);
  }
  const Group* find(const Key& key) const {
    auto found = index_.find(key.text());
    return found == index_.end() ? nullptr : found->second;
  }

 private:
  std::vector<Group> groups_;
  boost::unordered_flat_map<std::string_view, const Group*> index_;
};

// An entry of the outline of a node, with its value.
Entry outlined(const Node& node, const Key& key, const Entry& e) {
  return node.lends() ? e : node.find(key);
}

// What a node of which sub-keys are named becomes: a new node, or the same one changed.
using Below = c10::function_ref<Entry(const NodePtr&, const Paths& keys, const Path&)>;

Entries picked(const Node& node, const Paths& keys, bool strict, const Path& prefix, Below below) {
  Entries out;
  for (const Group& g : grouped(keys)) {
    Entry e = node.find(g.first);
    Path path = prefix + g.first;
    if (e && (g.below.empty() || e.is_node())) {
      out.emplace_back(g.first, g.below.empty() ? e : below(e.node(), g.below, path));
    } else if (strict) {
      if (!e)
        throw Error(Code::key, "no such key")
            .key(to_string(path))
            .hint("select without `strict` to ignore missing keys");
      throw runs_through(e, path + g.below[0].keys()[0]);
    } else if (e && g.whole) {
      out.emplace_back(g.first, e);
    }
  }
  return out;
}

Entries picked_in_its_order(const Node& node, const Paths& keys, const Path& prefix, Below below) {
  const Groups groups(keys);
  Entries out;
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    const Group* g = groups.find(k);
    if (g && !g->below.empty() && e.is_node())
      out.emplace_back(k, below(e.node(), g->below, prefix + k));
    else if (g && g->whole)
      out.emplace_back(k, outlined(node, k, e));
  });
  return out;
}

Entries others(const Node& node, const Paths& keys, const Path& prefix, Below below) {
  const Groups groups(keys);
  Entries out;
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    const Group* g = groups.find(k);
    if (!g)
      out.emplace_back(k, outlined(node, k, e));
    else if (!g->whole)
      out.emplace_back(k, e.is_node() ? below(e.node(), g->below, prefix + k) : outlined(node, k, e));
  });
  return out;
}

NodePtr select_at(const Node& node, const Paths& keys, bool strict, const Path& prefix) {
  auto below_members = [&](const NodePtr& m, size_t) { return select_at(*m, keys, strict, prefix); };
  if (NodePtr made = node.map_members(below_members)) return made;
  return with_entries(node,
                      picked(node, keys, strict, prefix, [&](const NodePtr& n, const Paths& below, const Path& p) {
                        return Entry(select_at(*n, below, strict, p));
                      }));
}

NodePtr select_in_its_order_at(const Node& node, const Paths& keys, const Path& prefix) {
  auto below_members = [&](const NodePtr& m, size_t) { return select_in_its_order_at(*m, keys, prefix); };
  if (NodePtr made = node.map_members(below_members)) return made;
  return with_entries(node,
                      picked_in_its_order(node, keys, prefix, [&](const NodePtr& n, const Paths& below, const Path& p) {
                        return Entry(select_in_its_order_at(*n, below, p));
                      }));
}

void select_at(Edit& edit, Node& node, const Paths& keys, bool strict, const Path& prefix) {
  if (node.each_member([&](const NodePtr& m, size_t) { select_at(edit, *m, keys, strict, prefix); })) return;
  edit.replace(node,
               picked(node, keys, strict, prefix,
                      [&](const NodePtr& n, const Paths& below, const Path& p) {
                        select_at(edit, *n, below, strict, p);
                        return Entry(n);
                      }),
               prefix);
}

NodePtr exclude_at(const Node& node, const Paths& keys, const Path& prefix) {
  auto below_members = [&](const NodePtr& m, size_t) { return exclude_at(*m, keys, prefix); };
  if (NodePtr made = node.map_members(below_members)) return made;
  return with_entries(node, others(node, keys, prefix, [&](const NodePtr& n, const Paths& below, const Path& p) {
                        return Entry(exclude_at(*n, below, p));
                      }));
}

void exclude_at(Edit& edit, Node& node, const Paths& keys, const Path& prefix) {
  if (node.each_member([&](const NodePtr& m, size_t) { exclude_at(edit, *m, keys, prefix); })) return;
  edit.replace(node,
               others(node, keys, prefix,
                      [&](const NodePtr& n, const Paths& below, const Path& p) {
                        exclude_at(edit, *n, below, p);
                        return Entry(n);
                      }),
               prefix);
}

void filter_empty_at(Edit& edit, Node& node, const Path& prefix) {
  if (node.each_member([&](const NodePtr& m, size_t) { filter_empty_at(edit, *m, prefix); })) return;
  std::vector<Key> dropped, below;
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (e.is_node()) (is_empty(*e.node()) ? dropped : below).push_back(k);
  });
  for (const Key& k : dropped) edit.drop(node, k, prefix);
  for (const Key& k : below) filter_empty_at(edit, *node.find(k).node(), prefix + k);
}

// Moves what only some members of a lazy stack hold, in those; false if nothing is held anywhere.
bool move_in_members(Node& from, PathView path, Node& to, PathView name) {
  if (from.has_members()) {
    Nodes targets = all_members(to);
    bool moved = false;
    from.each_member([&](const NodePtr& m, size_t i) { moved |= move_in_members(*m, path, *targets[i], name); });
    return moved;
  }
  Entry e = from.find(path[0]);
  if (path.size() == 1 && e) {
    from.erase_path(path);
    to.set(name, std::move(e));
    return true;
  }
  if (path.size() == 1 || !e.is_node() || name.size() == 1) return false;
  NodePtr below = to.find(name[0]).is_node() ? to.find(name[0]).node() : emptied(*e.node(), false);
  if (!move_in_members(*e.node(), path.below(), *below, name.below())) return false;
  to.put(Key(name[0]), Entry(std::move(below)));
  return true;
}

}  // namespace

NodePtr select(const Node& node, const Paths& keys, bool strict) {
  NodePtr made = select_at(node, keys, strict, Path());
  return node.kept(std::move(made));
}

NodePtr select_in_its_order(const Node& node, const Paths& keys) {
  return node.kept(select_in_its_order_at(node, keys, Path()));
}

void select_in_place(Node& node, const Paths& keys, bool strict) {
  Opened opened(node);
  Edit edit;
  select_at(edit, node, keys, strict, Path());
  edit.keep();
}

NodePtr exclude(const Node& node, const Paths& keys) {
  const Node& source = node.inside() ? *node.inside() : node;  // what is left of parameters is an ordinary dict
  NodePtr made = keys.empty() ? shallow_copy(source) : exclude_at(node, keys, Path());
  return node.kept(std::move(made));
}

void exclude_in_place(Node& node, const Paths& keys) {
  Opened opened(node);
  Edit edit;
  exclude_at(edit, node, keys, Path());
  edit.keep();
}

void drop_keys(Node& node, const Paths& keys, const Paths& kept) {
  exclude_in_place(node, keys);
  for (const Path& key : keys)
    for (PathView above = PathView(key).parent(); above.size() > 0; above = above.parent()) {
      auto same_as = [&](const Path& k) {
        return std::equal(above.begin(), above.end(), k.view().begin(), k.view().end());
      };
      Entry e = node.get(above);
      if (!e.is_node() || !is_empty(*e.node()) || std::any_of(kept.begin(), kept.end(), same_as)) break;
      node.erase_path(above);
    }
}

std::vector<NodePtr> split_keys(const Node& node, const std::vector<Paths>& sets, const SplitOptions& options) {
  NodePtr rest = shallow_copy(node);
  std::vector<NodePtr> out;
  for (size_t s = 0; s < sets.size(); ++s) {
    const Paths& names = s < options.names.size() && !options.names[s].empty() ? options.names[s] : sets[s];
    if (names.size() != sets[s].size())
      throw Error(Code::argument, "the number of names does not equal the number of keys in a set");
    NodePtr part = emptied(node, options.structure);
    for (size_t i = 0; i < names.size(); ++i) {
      const Path& p = sets[s][i];
      Entry e = rest->get(p);
      if (!e && node.get(p))
        throw Error(Code::key, "the key is given twice").key(to_string(p)).hint("an entry can be in one set only");
      if (!e && options.strict && move_in_members(*rest, p, *part, names[i])) continue;
      if (e || options.strict)
        rest->erase_path(p);
      else if (options.fill.defined())
        e = Entry(options.fill);
      else
        continue;
      part->set(names[i], std::move(e));
    }
    out.push_back(std::move(part));
  }
  if (!options.structure) filter_empty(*rest);
  out.push_back(std::move(rest));
  return out;
}

NodePtr emptied(const Node& node, bool recurse) {
  if (NodePtr made = node.map_members([&](const NodePtr& m, size_t) { return emptied(*m, recurse); })) return made;
  Entries nodes;
  if (recurse)
    node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
      if (e.is_node()) nodes.emplace_back(k, Entry(emptied(*e.node(), true)));
    });
  return with_entries(node, nodes);
}

bool is_empty(const Node& node) {
  bool empty = true;
  node.parts(Detail::kind, [&](const Entry& e) { empty = empty && e.is_node() && is_empty(*e.node()); });
  return empty;
}

void filter_empty(Node& node) {
  Opened opened(node);
  Edit edit;
  filter_empty_at(edit, node, Path());
  edit.keep();
}

}  // namespace td
