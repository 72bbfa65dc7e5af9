#include "core/dict/shape/flatten_keys.h"

#include "core/dict/copy.h"
#include "core/dict/entries.h"
#include "core/dict/level.h"
#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

void flatten_into(const Node& node, const Level& level, const std::string& joined, std::string_view separator,
                  TensorDict& out) {
  node.visit([&](const Key& k, const Entry& e) {
    std::string name;
    if (level.key) name.append(joined).append(separator).append(k.text());
    if (e.is_node()) {
      flatten_into(*e.node(), {&level, &k}, level.key ? name : k.text(), separator, out);
      return;
    }
    Key key = level.key ? Key(std::move(name)) : k;
    if (!out.add(key, e))  // whatever fits into a node fits into those above it
      throw Error(Code::exists, "two entries would get the key \"" + key.text() + '"')
          .key(to_string(level.path(k)))
          .hint("use another separator");
  });
}

}  // namespace

Path split_key(const std::string& text, std::string_view separator) {
  std::vector<Key> parts;
  size_t from = 0;
  for (size_t at; (at = text.find(separator, from)) != std::string::npos; from = at + separator.size())
    parts.emplace_back(text.substr(from, at - from));
  parts.emplace_back(text.substr(from));
  return Path(std::move(parts));
}

NodePtr flatten_keys(const Node& node, std::string_view separator) {
  if (NodePtr made = node.map_members([&](const NodePtr& m, size_t) { return flatten_keys(*m, separator); }))
    return made;
  NodePtr out = with_entries(node, {});
  auto& flat = static_cast<TensorDict&>(*out);
  flat.reserve(node.count());
  flatten_into(node, {nullptr, nullptr}, "", separator, flat);
  return out;
}

// Keys without a separator come first, so that the others join the nodes that are there.
NodePtr unflatten_keys(const Node& node, std::string_view separator) {
  if (separator.empty()) throw Error(Code::argument, "the separator is empty").hint("use \".\", for example");
  if (NodePtr made = node.map_members([&](const NodePtr& m, size_t) { return unflatten_keys(*m, separator); }))
    return made;
  Entries plain, joined;
  for (auto& entry : entries(*shallow_copy(node)))
    (entry.first.text().find(separator) == std::string::npos ? plain : joined).push_back(std::move(entry));
  NodePtr out = with_entries(node, plain);
  for (auto& [key, entry] : joined) {
    Path path = split_key(key.text(), separator);
    if (out->get(path))
      throw Error(Code::exists, "two entries would have the key " + to_string(path)).key(to_string(Path({key})));
    out->set(path, std::move(entry));
  }
  return out;
}

}  // namespace td
