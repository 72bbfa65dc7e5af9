#include "core/dict/node.h"

#include <algorithm>
#include <array>

#include "core/dict/batch_size.h"
#include "core/dict/copy.h"
#include "core/dict/edit.h"
#include "core/dict/node_names.h"
#include "core/dict/params/params.h"
#include "core/dict/tensordict.h"
#include "core/dict/write.h"
#include "core/error.h"
#include "core/levels.h"
#include "core/tensor/memory.h"

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
    node.outline([&](const Key& k, const Entry&) {
      if (n++ < listed_keys) list(k);
    });
  }
  return n > listed ? names + " and " + std::to_string(n - listed) + " more" : names;
}

// Says where the path ended: at the deepest node on it, or at something that is none.
[[noreturn]] void missing(const Node& node, PathView path) {
  for (const KeyView& k : path) check_utf8(k.text, "key");
  Error e(Code::key, "no such key");
  e.key(to_string(path));
  const Node* at = &node;
  Entry held;  // keeps `at`
  size_t parts = 0;
  for (; parts + 1 < path.size(); ++parts) {
    Entry next = at->sketch(path[parts]);
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

// What there is in place of a tensor, a node or data.
[[noreturn]] void not_a(const Node& node, Entry::Kind wanted, PathView path) {
  const Entry there = node.kind(path);
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

[[noreturn]] void refuse_locked(const Node& node, PathView path) {
  bool on_disk = node.home() && node.home()->writable;
  throw Error(Code::locked,
              on_disk ? "the dict is a directory on disk, which is always locked" : "cannot modify a locked dict")
      .key(to_string(path))
      .hint_naming(
          on_disk ? "make the entry with {dict_make_memmap}, or write into the existing tensor with {dict_copy_into}"
                  : "unlock it, or write into the existing tensor with {dict_copy_into}");
}

size_t depth_of(const Node& node) {
  size_t below = 0;
  node.structure([&](const Entry& e) {
    if (e.is_node()) below = std::max(below, depth_of(*e.node()));
  });
  return below + 1;
}

// What is set into a stack goes to its members, and into parameters to the dict inside.
bool holds_part_of(const Node& value, const Node& parent) {
  if (value.contains(&parent)) return true;
  if (parent.inside()) return holds_part_of(value, *parent.inside());
  bool any = false;
  parent.each_member([&](const NodePtr& m, size_t) { any = any || holds_part_of(value, *m); });
  return any;
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

void Node::parts(c10::function_ref<void(const Entry&)> fn) const {
  visit([&](const Key&, const Entry& e) { fn(e); });
}

bool Node::has_common(const KeyView& key) const {
  return with({&key, 1}, [](const Entry* e) { return e != nullptr; });
}

Entry Node::kind(PathView path) const {
  if (path.size() > 1) {
    Entry first = kind({path.begin(), 1});
    return first.is_node() ? first.node()->kind(path.below()) : Entry();
  }
  return look(path[0], Detail::kind);
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

void Node::set(PathView path, at::Tensor value) {
  put_checked(path, Entry(std::move(value)));
}

void Node::set(PathView path, NodePtr value) {
  put_checked(path, Entry(std::move(value)));
}

void Node::set(PathView path, DataPtr value) {
  put_checked(path, Entry(std::move(value)));
}

void Node::set(PathView path, Entry value) {
  put_checked(path, std::move(value));
}

// Everything that can fail happens before the first change: the value is fitted to the node it will stand in, then
// missing nodes are built from the inside out, and one put makes them visible.
void Node::put_checked(PathView path, Entry value) {
  for (const KeyView& k : path) check_utf8(k.text, "key");
  Node* parent = this;
  NodePtr hold;
  size_t depth = 0, above = level();
  // Parameters may be inside a dict that is locked for all others.
  const bool through = guarded() && !locked();
  for (; depth + 1 < path.size(); ++depth) {
    Entry e = parent->sketch(path[depth]);
    if (!e) break;
    if (!e.is_node() && parent->sealed() && !through) refuse_locked(*parent, path);
    if (!e.is_node()) throw runs_through(e, path).hint("delete that entry first");
    hold = e.take_node();
    parent = hold.get();
    above = std::max(above + 1, parent->level());
  }
  size_t levels = above + path.size() - depth + (value.is_node() ? depth_of(*value.node()) : 0);
  if (levels > max_levels)
    throw Error(Code::argument, "the dict would be " + std::to_string(levels) + " levels deep; the limit is " +
                                    std::to_string(max_levels))
        .key(to_string(path));
  const Claim claim(parent->writer());
  if (parent->sealed() && !through) refuse_locked(*parent, path);
  parent->check_current();
  const bool copies = inside();  // parameters take a dict as a copy
  auto check_apart = [&](const Entry& e) {
    if (e.is_node() && holds_part_of(*e.node(), *parent))
      throw Error(Code::argument, "a dict cannot contain itself").key(to_string(path));
  };
  if (!copies) check_apart(value);
  Entry entry = parent->fit(path, std::move(value), parent->batch_, parent->device_);
  Names given = entry.is_node() ? parent->fit_names(path, entry) : Names();
  if (!given.empty()) check_names_below(*parent, given, &path[depth]);
  convert(entry);  // only what fits: the caller sees it in a dict of its own
  if (copies) check_apart(entry);
  Opened opened(*this);  // what comes in is locked at the end, and what it replaces no more
  const PathView rest(&path[depth], path.size() - depth);
  try {
    if (rest.size() > 1 && parent->put_in_members(rest, entry)) return;
  } catch (Error& e) {
    throw e.key(to_string(path));
  }
  for (size_t i = path.size() - 1; i > depth; --i) {
    NodePtr made = TensorDict::make(parent->batch_, parent->device_);
    made->names_ = given.empty() ? parent->names_ : std::move(given);
    given.clear();
    made->put(Key(path[i]), std::move(entry));
    entry = Entry(std::move(made));
  }
  if (entry.is_node()) return parent->put_node(path[depth], std::move(entry), given, above + 1);
  bool replaced = depth + 1 == path.size() && parent->replace(path[depth], entry);
  if (!replaced) parent->put(Key(path[depth]), std::move(entry));
}

// A dict that comes in is told how deep it stands, and its names may become those of the dict it stands in.
void Node::put_node(const KeyView& key, Entry node, const Names& given, size_t level) {
  const Entry before = find(key);
  if (!replace(key, node)) put(Key(key), std::move(node));
  try {
    sink(key, level);
    if (!given.empty()) set_names(given);
  } catch (...) {
    if (before)
      put(Key(key), before);
    else
      erase(key);
    throw;
  }
}

bool Node::not_above(size_t level) const {
  if (level_.load(std::memory_order_relaxed) >= level) return false;
  level_.store(static_cast<uint16_t>(level), std::memory_order_relaxed);
  return true;
}

// What stands under `key` now, and all below it, is so deep at least: whoever adds to it later by a handle of its own
// cannot see what is above.
void Node::sink(const KeyView& key, size_t level) const {
  if (each_member([&](const NodePtr& member, size_t) { member->sink(key, level); })) return;
  struct Walk {
    static void down(const Node& node, size_t level) {
      if (!node.not_above(level)) return;
      node.structure([&](const Entry& e) {
        if (e.is_node()) down(*e.node(), level + 1);
      });
    }
  };
  Entry made;
  if (const Entry* e = peek(key, made); e && e->is_node()) Walk::down(*e->node(), level);
}

Entry Node::fit(PathView path, Entry value, at::IntArrayRef batch, const optional<c10::Device>& device) const {
  if (value.is_tensor()) {
    const at::Tensor& t = value.tensor();
    if (value.is_batched() && !begins_with(t.sizes(), batch)) batch_mismatch(path, batch, t.sizes());
    if (!device || t.device() == *device) return value;
    return value.with(t.to(*device));
  }
  if (value.is_data()) {
    const Data& d = *value.data();
    if (begins_with(d.batch(), batch)) return value;
    if (d.stacked()) batch_mismatch(path, batch, d.batch());
    if (std::find(batch.begin(), batch.end(), -1) != batch.end()) return value;  // each member gets its own
    return Entry(Data::uniform(d.value(), batch));
  }
  const NodePtr& n = value.node();
  bool same_device = !device || (n->device() && *n->device() == *device);
  if (same_device && begins_with(n->batch_size(), batch)) return value;
  if (!n->grows() && !begins_with(n->batch_size(), batch)) batch_mismatch(path, batch, n->batch_size());
  NodePtr copy = shallow_copy(*n);
  if (!begins_with(copy->batch_size(), batch)) {
    Path prefix{path};
    copy->check_batch(batch, prefix);
    copy->grow_batch(batch);
  }
  return Entry(same_device ? copy : moved(*copy, *device));
}

void Node::copy_into(PathView path, const at::Tensor& value) {
  const Entry there = kind(path);
  if (!there.is_tensor()) tensor(path);  // throws what is wrong with it
  if (!there.is_unbatched() && !begins_with(value.sizes(), batch_) && value.dim() != 0)
    batch_mismatch(path, batch_, value.sizes());
  OnData on_data(*this);
  NodePtr hold = path.size() == 1 ? NodePtr() : node(path.parent());
  Writes writes;
  (hold ? *hold : *this).plan_write(writes, path.back(), value, Path(path));
  writes.commit();
}

void Node::erase_path(PathView path) {
  NodePtr hold = path.size() == 1 ? NodePtr() : node(path.parent());
  Node* parent = hold ? hold.get() : this;
  const Claim claim(parent->writer());
  if (!parent->has(path.back())) missing(*parent, path);
  bool through = guarded() && !locked();
  if (parent->sealed() && !through) refuse_locked(*parent, path);
  Opened opened(*this);  // what leaves is no longer locked
  parent->erase(path.back());
}

bool Node::contains(const Node* other) const {
  if (this == other) return true;
  bool found = false;
  structure([&](const Entry& e) { found = found || (e.is_node() && e.node()->contains(other)); });
  return found;
}

int64_t Node::nbytes() const {
  int64_t n = 0;
  structure([&](const Entry& e) {
    if (e.is_node()) n += e.node()->nbytes();
    if (e.is_tensor()) n += e.tensor().numel() * static_cast<int64_t>(e.tensor().element_size());
  });
  return n;
}

}  // namespace td
