// Setting, writing and erasing entries of a node by path: everything that can fail happens before the first change.
#include <algorithm>

#include "core/dict/batch_size.h"
#include "core/dict/change/edit.h"
#include "core/dict/change/inside.h"
#include "core/dict/change/write.h"
#include "core/dict/copy.h"
#include "core/dict/missing.h"
#include "core/dict/node.h"
#include "core/dict/node_names.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/levels.h"

namespace td {

namespace {

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
  node.parts(Detail::kind, [&](const Entry& e) {
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

void Node::set(PathView path, at::Tensor value) {
  TensorDict* dict = path.size() == 1 ? plain() : nullptr;
  if (dict && dict->exchange(path[0], value)) return;
  put_checked(path, Entry(std::move(value)));
}

void Node::set(PathView path, NodePtr value) {
  put_checked(path, Entry(std::move(value)));
}

void Node::set(PathView path, DataPtr value) {
  put_checked(path, Entry(std::move(value)));
}

void Node::set(PathView path, Entry value) {
  if (value.is_batched()) return set(path, value.take_tensor());
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
    Entry e = parent->look(path[depth], Detail::shape);
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
      node.parts(Detail::kind, [&](const Entry& e) {
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
  const Entry there = look_at(path, Detail::kind);
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

}  // namespace td
