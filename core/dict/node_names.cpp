#include <algorithm>

#include "core/dict/copy.h"
#include "core/error.h"

namespace td {

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

// The dims that a node has beyond ours keep their names, unless one of ours takes it.
void Node::set_names(const Names& names) {
  Names given = names.empty() ? Names(batch_dims()) : names;
  check_names(given, batch_dims());
  visit([&](const Key&, const Entry& e) {
    if (!e.is_node()) return;
    Names inner = spread(e.node()->names(), e.node()->batch_dims());
    for (size_t i = 0; i < inner.size(); ++i) {
      if (i < given.size())
        inner[i] = given[i];
      else if (inner[i] && std::find(given.begin(), given.end(), inner[i]) != given.end())
        inner[i] = nullopt;
    }
    e.node()->set_names(inner);
  });
  names_ = tidy(std::move(given));
}

}  // namespace td
