#include "core/dict/node_names.h"

#include <algorithm>

#include "core/dict/copy.h"
#include "core/dict/entries.h"
#include "core/error.h"

namespace td {

namespace {

// The names of a node whose first dims are given others.
Names over_own(const Node& node, const Names& given) {
  Names out = spread(node.names(), node.batch_dims());
  std::copy_n(given.begin(), std::min(given.size(), out.size()), out.begin());
  return out;
}

// `outer` are names that no dim here may have: those of the stacks above.
void check_level(const Node& node, const Names& given, const Names& outer, const Path& prefix, const KeyView* but) {
  Names all = given;
  all.insert(all.end(), outer.begin(), outer.end());
  try {
    check_names(all, all.size());
  } catch (Error& e) {
    if (prefix.size()) e.key(to_string(prefix));
    throw;
  }
  if (node.has_members()) {
    Names inner = given, above = outer;
    auto own = inner.begin() + static_cast<std::ptrdiff_t>(node.member_dim());
    above.push_back(*own);
    inner.erase(own);
    node.each_member([&](const NodePtr& m, size_t) { check_level(*m, inner, above, prefix, but); });
    return;
  }
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (!e.is_node() || (but && k.is(*but))) return;
    check_level(*e.node(), over_own(*e.node(), given), outer, prefix + k, nullptr);
  });
}

}  // namespace

void check_names_below(const Node& node, const Names& given, const KeyView* but) {
  check_names(given, node.batch_dims());
  check_level(node, given, {}, Path(), but);
}

// A node takes the names of the dict that it is set into, as a copy if that changes it. Into a dict without names it
// brings its own: they are the result.
Names Node::fit_names(PathView path, Entry& entry) const {
  const Node& value = *entry.node();
  Names inner = spread(value.names_, value.batch_dims());
  if (names_.empty()) {
    inner.resize(batch_dims());
    return tidy(std::move(inner));
  }
  try {
    inner = tidy(fitted(inner, names_));
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
  if (inner != value.names_) {
    NodePtr copy = shallow_copy(value);
    copy->set_names(inner);
    entry = Entry(std::move(copy));
  }
  return {};
}

void KeptNames::note(const NodePtr& node) {
  for (NodePtr& n : whole_tree(*node)) {
    Names names = n->names();
    before_.emplace_back(std::move(n), std::move(names));
  }
}

void KeptNames::put_back() {
  for (const auto& [node, names] : before_)
    if (node->stored()) node->set_names(names);  // which keeps them
  for (; !before_.empty(); before_.pop_back())   // from the back: a dict may be there twice
    before_.back().first->adopt_names(std::move(before_.back().second));
}

// The dims that a node has beyond ours keep their names.
void Node::set_names(const Names& names) {
  const Claim claim(writer_);
  Names given = names.empty() ? Names(batch_dims()) : names;
  check_names_below(*this, given);
  Names own = tidy(given);
  KeptNames before;
  try {
    visit([&](const Key&, const Entry& e) {
      if (!e.is_node()) return;
      before.note(e.node());
      e.node()->set_names(over_own(*e.node(), given));
    });
  } catch (...) {
    before.put_back();
    throw;
  }
  names_ = std::move(own);
}

}  // namespace td
