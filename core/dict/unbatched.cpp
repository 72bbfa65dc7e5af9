#include "core/dict/unbatched.h"

#include <algorithm>
#include <string>

#include <c10/util/Exception.h>

#include "core/dict/batch_size.h"
#include "core/dict/entries.h"
#include "core/dict/level.h"
#include "core/dict/shape/geometry.h"
#include "core/error.h"
#include "core/warnings.h"

namespace td {

namespace {

void refuse_below(const Node& node, const Level& level, const char* what) {
  if (node.each_member([&](const NodePtr& m, size_t) { refuse_below(*m, level, what); })) return;
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (e.is_unbatched()) refuse_unbatched_entry(level.path(k), what);
    if (e.is_node()) refuse_below(*e.node(), {&level, &k}, what);
  });
}

void make_ordinary(Node& node, const Path& prefix) {
  if (Node* inside = node.inside()) return make_ordinary(*inside, prefix);
  if (node.each_member([&](const NodePtr& m, size_t) { make_ordinary(*m, prefix); })) return;
  for (const auto& [key, entry] : entries(node)) {
    if (entry.is_node()) make_ordinary(*entry.node(), prefix + key);
    if (!entry.is_unbatched()) continue;
    if (!begins_with(entry.tensor().sizes(), node.batch_size()))
      refuse_unbatched_entry(prefix + key, "the format cannot hold tensors without the batch dims");
    Entry ordinary(entry.tensor());
    node.replace(key.view(), ordinary);
  }
}

bool one_memory(const at::Tensor& a, const at::Tensor& b) {
  if (a.is_same(b)) return true;
  return a.has_storage() && b.has_storage() && a.storage().is_alias_of(b.storage()) &&
         a.storage_offset() == b.storage_offset();
}

}  // namespace

void refuse_unbatched_entry(const Path& path, const char* what) {
  throw Error(Code::unsupported, std::string("the entry is unbatched: ") + what)
      .key(to_string(path))
      .hint("exclude it, or set it as an ordinary tensor");
}

void refuse_unbatched(const Node& node, const char* what) {
  refuse_below(node, {nullptr, nullptr}, what);
}

bool has_unbatched(const Node& node) {
  bool found = false;
  if (node.each_member([&](const NodePtr& m, size_t) { found = found || has_unbatched(*m); })) return found;
  node.visit(Detail::shape, [&](const Key&, const Entry& e) {
    found = found || e.is_unbatched() || (e.is_node() && has_unbatched(*e.node()));
  });
  return found;
}

void warn_saved_as_ordinary() {
  WarningScope warnings;
  TORCH_WARN(
      "unbatched entries are saved as ordinary tensors; the dict that is read has fewer batch dims if one of them does "
      "not "
      "begin with the batch dims");
}

NodePtr with_ordinary_entries(const Node& node) {
  if (!has_unbatched(node)) return itself(node);
  NodePtr made = shallow_copy(node);
  make_ordinary(*made, Path());
  warn_saved_as_ordinary();
  return made;
}

at::Tensor first_of_unbatched(const Leaves& column, PathView path) {
  bool differ =
      std::any_of(column.begin() + 1, column.end(), [&](const at::Tensor& t) { return !one_memory(column[0], t); });
  if (differ) {
    WarningScope warnings;
    TORCH_WARN("the unbatched entries ", to_string(path),
               " of the dicts to join have different memory; the first one is kept, the others are dropped");
  }
  return column[0];
}

}  // namespace td
