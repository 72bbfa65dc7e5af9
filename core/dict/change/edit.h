// Several structural changes that stand or fall together: what an edit has changed is put back, unless it is kept.
#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "core/dict/entries.h"
#include "core/dict/node.h"
#include "core/error.h"

namespace td {

class Edit {
 public:
  Edit() = default;
  Edit(const Edit&) = delete;
  ~Edit() { undo(); }
  void keep() {
    claims_.clear();
    log_.clear();
    snapshots_.clear();
  }

  void set(Node& root, PathView path, Entry value);                    // as Node::set
  void erase(Node& root, PathView path);                               // as Node::erase_path
  void replace(Node& node, const Entries& entries, const Path& path);  // all it holds; throws Error(locked)
  void drop(Node& node, const Key& key, const Path& path);             // that entry of a node at `path`
  void put(Node& node, const Key& key, Entry value);                   // that fits: no lock forbids it
  void note_batches(Node& node);                                       // those of a tree, which the caller changes then
  void rebatch(Node& node, at::IntArrayRef batch);                     // as Node::set_batch_size
  void empty(Node& node, at::IntArrayRef batch, const Path& path);     // of that batch size; throws Error(locked)
  void restack(Node& stack, Nodes members, const Path& path);          // as LazyStack::restack; throws Error(locked)

 private:
  struct Change {
    NodePtr node;
    Entries before;  // all entries of the node, or the one under `key`
    optional<Key> key;
    optional<Dims> batch{};  // that the node had before
    Names names{};
    Nodes members{};          // that a stack had
    bool only_batch = false;  // its entries stayed
  };
  void attempt(c10::function_ref<void()> note, c10::function_ref<void()> change);
  enum class Was { anywhere, in_place };
  void log(const NodePtr& node, const optional<Key>& key, Was was = Was::anywhere);
  void log_place(const NodePtr& node, PathView path);
  void claim(const NodePtr& node);
  void undo() noexcept;

  void revert(Change& change);

  std::vector<Change> log_;
  std::unordered_set<const Node*> snapshots_;        // nodes whose change in the log is of all entries
  std::vector<std::pair<NodePtr, Claim>> claims_{};  // of all nodes in the log, until the end
};

Error runs_through(const Entry& e, PathView path);  // an entry that is not a dict has nothing below it

// Throws Error(locked) if the node is locked. `path` is empty for the root.
void check_unlocked(const Node& node, const Path& path);

}  // namespace td
