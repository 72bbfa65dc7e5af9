#include "core/dict/change/edit.h"

#include <algorithm>

#include "core/dict/lock.h"

namespace td {

namespace {

// From the back, where no entry has to move.
void erase_all(Node& node) {
  if (node.each_member([](const NodePtr& m, size_t) { erase_all(*m); })) return;
  Entries all = entries(node);
  for (size_t i = all.size(); i-- > 0;) node.erase(all[i].first);
}

// A dict in a file that stays is not taken out: what comes back would be a copy of it.
void make_hold(Node& node, const Entries& all) {
  if (!node.stored()) {
    erase_all(node);
    for (const auto& [key, entry] : all) node.put(key, entry);
    return;
  }
  auto stays = [&](const Key& key, const Entry& now) {
    return std::any_of(all.begin(), all.end(), [&](const auto& e) {
      return e.first.view() == key.view() && now.is_node() && e.second.is_node() && now.node() == e.second.node();
    });
  };
  std::vector<Key> gone;
  node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (!stays(k, e)) gone.push_back(k);
  });
  for (const Key& k : gone) node.erase(k);
  for (const auto& [key, entry] : all)
    if (!entry.is_node() || !node.has(key)) node.put(key, entry);
}

}  // namespace

Error runs_through(const Entry& e, PathView path) {
  return Error(Code::key, std::string("the path runs through ") + (e.is_data() ? "data" : "a tensor"))
      .key(to_string(path));
}

void check_unlocked(const Node& node, const Path& path) {
  if (!node.sealed()) return;
  throw Error(Code::locked, "cannot modify a locked dict")
      .key(path.size() ? to_string(path) : "")
      .hint("unlock it, or write into the existing tensors");
}

// A change that fails has changed nothing: there is nothing of it to undo.
void Edit::attempt(c10::function_ref<void()> note, c10::function_ref<void()> change) {
  const size_t before = log_.size();
  note();
  try {
    change();
  } catch (...) {
    for (; log_.size() > before; log_.pop_back())
      if (!log_.back().key) snapshots_.erase(log_.back().node.get());
    throw;
  }
}

void Edit::set(Node& root, PathView path, Entry value) {
  attempt([&] { log_place(itself(root), path); }, [&] { root.set(path, std::move(value)); });
}

// The entry that a value at `path` replaces or stands in: of a stack whose members differ, one of each member.
void Edit::log_place(const NodePtr& node, PathView path) {
  NodePtr parent = node;
  for (; path.size() > 1; path = path.below()) {
    Entry e = parent->find(path[0]);
    if (!e.is_node()) break;
    parent = e.take_node();
  }
  if (path.size() > 1 && parent->has(path[0]) &&
      parent->each_member([&](const NodePtr& m, size_t) { log_place(m, path); }))
    return;
  log(parent, Key(path[0]));
}

void Edit::erase(Node& root, PathView path) {
  NodePtr parent = path.size() == 1                    ? itself(root)
                   : root.get(path.parent()).is_node() ? root.node(path.parent())
                                                       : NodePtr();
  attempt(
      [&] {
        if (parent) log(parent, nullopt);
      },
      [&] { root.erase_path(path); });
}

void Edit::replace(Node& node, const Entries& with, const Path& path) {
  check_unlocked(node, path);
  log(itself(node), nullopt);
  make_hold(node, with);
}

void Edit::drop(Node& node, const Key& key, const Path& path) {
  check_unlocked(node, path);
  log(itself(node), key, Was::in_place);
  node.erase(key);
}

void Edit::put(Node& node, const Key& key, Entry value) {
  log(itself(node), key);
  node.put(key, std::move(value));
}

// No other thread changes the node until the edit ends.
void Edit::claim(const NodePtr& node) {
  Claim claim(node->writer());
  if (claim.first()) claims_.emplace_back(node, std::move(claim));
}

// A batch size that grows takes the dicts below with it, and the data in them.
void Edit::note_batches(Node& node) {
  if (node.each_member([&](const NodePtr& m, size_t) { note_batches(*m); })) return;
  claim(itself(node));
  const bool stored = node.stored();  // its entries are not told
  Dims batch(node.batch_size().begin(), node.batch_size().end());
  log_.push_back({itself(node), stored ? Entries() : entries(node), nullopt, batch, node.names(), {}, stored});
  node.parts(Detail::kind, [&](const Entry& e) {
    if (e.is_node()) note_batches(*e.node());
  });
}

void Edit::rebatch(Node& node, at::IntArrayRef batch) {
  if (node.batch_size() == batch) return;
  note_batches(node);
  node.set_batch_size(batch);
}

void Edit::empty(Node& node, at::IntArrayRef batch, const Path& path) {
  check_unlocked(node, path);
  claim(itself(node));
  log_.push_back(
      {itself(node), entries(node), nullopt, Dims(node.batch_size().begin(), node.batch_size().end()), node.names()});
  erase_all(node);
  node.set_batch_size(batch);
}

void Edit::restack(Node& stack, Nodes members, const Path& path) {
  check_unlocked(stack, path);
  claim(itself(stack));
  Nodes before = all_members(stack);
  stack.restack(std::move(members));
  log_.push_back({itself(stack), {}, nullopt, nullopt, {}, std::move(before)});
}

// Where an entry was among the others takes all of them, which are not read from a file for that.
void Edit::log(const NodePtr& node, const optional<Key>& key, Was was) {
  claim(node);
  if (log_.capacity() == 0) log_.reserve(4);  // to grow is to copy
  if (node->each_member([&](const NodePtr& m, size_t) { log(m, key, was); })) return;
  if (node->changing()) return;              // nothing has arrived there
  if (snapshots_.count(node.get())) return;  // which brings back all that comes later, too
  if (key && (was == Was::anywhere || !node->lends())) {
    log_.push_back({node, {{*key, node->find(*key)}}, key});
  } else {
    snapshots_.insert(node.get());
    log_.push_back({node, entries(*node), nullopt});
  }
}

void Edit::undo() noexcept {
  for (size_t i = log_.size(); i-- > 0;)
    for (bool again = true, memory = true; again;) {
      again = false;
      try {
        revert(log_[i]);
      } catch (const Error& e) {
        again = e.code() == Code::busy;  // while another thread reads all of it
      } catch (const std::bad_alloc&) {
        again = std::exchange(memory, false);  // what the first try has freed may do
      } catch (...) {  // NOLINT: a file that takes no more writes; the caller has the error that came first
      }
    }
}

void Edit::revert(Change& c) {
  if (c.node->has_members()) return c.node->restack(std::move(c.members));
  if (c.batch && !c.only_batch) erase_all(*c.node);
  if (c.batch) {
    c.node->set_batch_size(*c.batch);
    if (c.node->stored()) c.node->set_names(c.names);  // which keeps them
    c.node->adopt_names(c.names);
  }
  if (!c.key) {
    if (!c.only_batch) make_hold(*c.node, c.before);
  } else if (const Entry& entry = c.before[0].second) {
    c.node->put(*c.key, entry);
  } else {
    c.node->erase(*c.key);
  }
  Node& held = c.node->inside() ? *c.node->inside() : *c.node;
  if (held.locked()) Lock::reacquire(held);  // what was taken out lost its lock
}

}  // namespace td
