// Access to the entries of a node by path, and what is said where there is none.
#include "core/dict/missing.h"
#include "core/dict/node.h"
#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

// What there is in place of a tensor, a node or data.
[[noreturn]] void not_a(const Node& node, Entry::Kind wanted, PathView path) {
  const Entry there = node.look_at(path, Detail::kind);
  const bool wrong = there && there.kind() != wanted;
  if (!wrong) missing(node, path);
  const char* is = there.is_tensor() ? "a tensor" : there.is_node() ? "a dict" : "data";
  const char* not_one = wanted == Entry::Kind::tensor ? "a tensor" : wanted == Entry::Kind::node ? "a dict" : "data";
  throw Error(Code::key, std::string("the entry is ") + is + ", not " + not_one)
      .key(to_string(path))
      .hint_naming(there.is_tensor() ? "use {dict_get}"
                   : there.is_node() ? "use {dict_get_dict}"
                                     : "use {dict_get_data}");
}

}  // namespace

template <class F>
auto Node::with(PathView path, F&& fn) const -> decltype(fn(nullptr)) {
  if (const TensorDict* dict = plain())
    return dict->read(path, fn, [&](const Node& node, PathView rest) { return node.with(rest, fn); });
  Entry made;
  const Entry* e = peek(path[0], made);
  if (path.size() == 1 || !e) return fn(e);
  return e->is_node() ? e->node()->with(path.below(), fn) : fn(nullptr);
}

Entry Node::find(KeyView key) const {
  if (const TensorDict* dict = plain()) return dict->find_here(key);
  return with({&key, 1}, [](const Entry* e) { return e ? *e : Entry(); });
}

void Node::parts(Detail detail, c10::function_ref<void(const Entry&)> fn) const {
  visit(detail, [&](const Key&, const Entry& e) { fn(e); });
}

bool Node::has_common(const KeyView& key) const {
  return with({&key, 1}, [](const Entry* e) { return e != nullptr; });
}

Entry Node::look_at(PathView path, Detail detail) const {
  if (path.size() == 1) return look(path[0], detail);
  const Entry first = look(path[0], Detail::kind);
  return first.is_node() ? first.node()->look_at(path.below(), detail) : Entry();
}

Entry Node::get(PathView path) const {
  try {
    return with(path, [](const Entry* e) { return e ? *e : Entry(); });
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
}

at::Tensor Node::tensor(PathView path) const {
  try {
    at::Tensor found = with(path, [](const Entry* e) { return e && e->is_tensor() ? e->tensor() : at::Tensor(); });
    if (!found.defined()) not_a(*this, Entry::Kind::tensor, path);
    return found;
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
}

NodePtr Node::node(PathView path) const {
  try {
    NodePtr found = with(path, [](const Entry* e) { return e && e->is_node() ? e->node() : NodePtr(); });
    if (!found) not_a(*this, Entry::Kind::node, path);
    found->not_above(level() + path.size());
    return found;
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
}

DataPtr Node::data(PathView path) const {
  try {
    DataPtr found = with(path, [](const Entry* e) { return e && e->is_data() ? e->data() : DataPtr(); });
    if (!found) not_a(*this, Entry::Kind::data, path);
    return found;
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
}

Entry Node::lookup(PathView path) const {
  Entry found = get(path);
  if (!found)
    for (const KeyView& k : path) check_utf8(k.text, "key");
  if (found.is_node()) found.node()->not_above(level() + path.size());
  return found;
}

bool Node::contains(const Node* other) const {
  if (this == other) return true;
  bool found = false;
  parts(Detail::kind, [&](const Entry& e) { found = found || (e.is_node() && e.node()->contains(other)); });
  return found;
}

int64_t Node::nbytes() const {
  int64_t n = 0;
  parts(Detail::kind, [&](const Entry& e) {
    if (e.is_node()) n += e.node()->nbytes();
    if (e.is_tensor()) n += e.tensor().numel() * static_cast<int64_t>(e.tensor().element_size());
  });
  return n;
}

}  // namespace td
