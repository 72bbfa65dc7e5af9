#include "core/dict/missing.h"

#include <algorithm>
#include <array>

#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

constexpr size_t listed_keys = 20;  // in a hint: no one reads a million of them

std::string keys_of(const Node& node) {
  std::string names;
  size_t listed = 0, n = 0;
  const auto list = [&](const Key& k) {
    names += (names.empty() ? "" : ", ") + k.text();
    ++listed;
  };
  if (const TensorDict* plain = node.plain()) {
    std::array<std::optional<Key>, listed_keys> first;
    n = plain->first_keys(first.data(), first.size());
    for (const std::optional<Key>& k : first)
      if (k) list(*k);
  } else {
    node.visit(Detail::shape, [&](const Key& k, const Entry&) {
      if (n++ < listed_keys) list(k);
    });
  }
  return n > listed ? names + " and " + std::to_string(n - listed) + " more" : names;
}

}  // namespace

void missing(const Node& node, PathView path) {
  for (const KeyView& k : path) check_utf8(k.text, "key");
  Error e(Code::key, "no such key");
  e.key(to_string(path));
  const Node* at = &node;
  Entry held;  // keeps `at`
  size_t parts = 0;
  for (; parts + 1 < path.size(); ++parts) {
    Entry next = at->look(path[parts], Detail::shape);
    if (next && !next.is_node())
      throw e.hint("at " + to_string(PathView(path.begin(), parts + 1)) + " is " +
                   (next.is_tensor() ? "a tensor" : "data") + ", which has no keys");
    if (!next) break;
    held = std::move(next);
    at = held.node().get();
  }
  const std::string names = keys_of(*at), where = parts ? " at " + to_string(PathView(path.begin(), parts)) : "";
  throw e.hint(names.empty() ? "the dict" + where + " is empty" : "the existing keys are" + where + ": " + names);
}

}  // namespace td
