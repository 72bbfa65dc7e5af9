#include "core/dict/change/rename.h"

#include <algorithm>
#include <unordered_set>

#include "core/dict/change/edit.h"
#include "core/dict/change/inside.h"
#include "core/dict/holder.h"
#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

[[noreturn]] void refuse_taken(PathView path) {
  throw Error(Code::exists, "an entry exists under this key").key(to_string(path)).hint("delete that entry first");
}

// A dict may be several members of a stack: `done` are those that need no more.
void rename_in(Edit& edit, Node& node, PathView from, PathView to, bool safe, std::unordered_set<const Node*>& done) {
  if (node.each_member([&](const NodePtr& m, size_t) { rename_in(edit, *m, from, to, safe, done); })) return;
  if (!done.insert(&node).second) return;
  Entry entry = node.get(from);
  if (entry && std::equal(from.begin(), from.end(), to.begin(), to.end())) return;
  if (entry && safe && node.get(to)) refuse_taken(to);
  edit.erase(node, from);
  edit.set(node, to, std::move(entry));
}

// Neither stands below the other.
bool apart(PathView a, PathView b) {
  return !std::equal(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin());
}

}  // namespace

void rename(Node& node, PathView from, PathView to, bool safe) {
  if (Node* inside = node.inside(); inside && !node.locked()) {  // what moves is a parameter already
    Opened opened(node);
    return rename(*inside, from, to, safe);
  }
  if (const NodePtr old = holder_of(node, from); old && old->stored())
    if (const NodePtr next = holder_of(node, to); next && old->rename_entry(from, *next, to, safe)) return;
  Edit edit;
  // Of these two halves the second leaves nothing to undo, so that no list of all entries is kept for that.
  if (Entry entry = node.has_members() || !apart(from, to) ? Entry() : node.get(from)) {
    if (safe && node.get(to)) refuse_taken(to);
    edit.set(node, to, std::move(entry));
    node.erase_path(from);
    return edit.keep();
  }
  std::unordered_set<const Node*> done;
  rename_in(edit, node, from, to, safe, done);
  edit.keep();
}

namespace {

bool stands_somewhere(const Node& node, PathView path) {
  bool found = false;
  if (node.each_member([&](const NodePtr& m, size_t) { found = found || stands_somewhere(*m, path); })) return found;
  if (path.size() == 1) return node.has(path[0]);
  const Entry e = node.look(path[0], Detail::shape);
  return e.is_node() && stands_somewhere(*e.node(), path.below());
}

}  // namespace

void create_nested(Node& node, PathView path) {
  if (stands_somewhere(node, path)) refuse_taken(path);
  node.set(path, TensorDict::make({}));
}

}  // namespace td
