// A dict whose entries stay in a file, or on a server: a tensor is read whenever it is asked for, and whatever is set
// or written goes there. Operations that make a dict make one in memory.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/dict/persistent/store.h"

namespace td {

class Persistent final : public Node {
 public:
  static constexpr char python_name[] = "PersistentTensorDict";
  static const Persistent* of(const Node& node) {  // null if it is of another kind
    return node.class_name() == python_name ? static_cast<const Persistent*>(&node) : nullptr;
  }
  struct Batch {
    optional<Dims> given = nullopt;  // else what the file keeps, or the longest that all entries have in common
    size_t limit = SIZE_MAX;         // dims of the latter
    bool exact = false;              // else what the file keeps may be longer than what is given
  };
  // Throws Error(shape) naming the entry that does not have the given batch size.
  static NodePtr make(StorePtr store, const Batch& batch);
  explicit Persistent(StorePtr store) : Node({}, nullopt), store_(std::move(store)) {}

  Store& store() const { return *store_; }
  void check_writable(PathView path) const;  // throws Error(locked) if the file was opened to be read
  void check_write(PathView path) const override { check_writable(path); }
  at::Tensor read(const KeyView& key, const IndexList& part) const;
  void write(const KeyView& key, const IndexList& part, const at::Tensor& value) const;
  void forget(const KeyView& key) const;  // another dict stands there now, or none

  const char* class_name() const override { return python_name; }
  const Entry* peek(const KeyView& key, Entry& made) const override;
  bool replace(const KeyView& key, Entry& value) override;
  void put(const Key& key, Entry value) override;
  bool erase(KeyView key) override;
  size_t count() const override { return store_->keys().size(); }
  using Node::visit;
  void visit(Detail detail, Visitor fn) const override;
  NodePtr make_like(at::IntArrayRef batch) const override;

  Entry look(const KeyView& key, Detail detail) const override;
  bool has_common(const KeyView& key) const override;
  bool lends() const override { return false; }
  NodePtr clone() const override;
  NodePtr kept(NodePtr chosen) const override;
  void plan_write(Writes& writes, const KeyView& key, at::Tensor value, const Path& path) const override;
  void write_entry(const KeyView& key, const at::Tensor& value) const override { write(key, {}, value); }
  bool assign_part(const IndexList& indices, const Node& value) const override;
  bool fill_part(const IndexList& indices, const c10::Scalar& value) const override;
  bool assign_entry(PathView path, const IndexList& indices, const at::Tensor& value) const override;
  at::Tensor read_entry(const KeyView& key, const IndexList& indices) const override;
  NodePtr part(IndexList& indices) const override;
  void set_batch_size(at::IntArrayRef batch) override;
  void set_names(const Names& names) override;

  bool stored() const override { return true; }
  std::unique_ptr<Gathered> change(optional<int64_t> version) const override {
    if (version) check_writable(Path());
    return store_->change(version);
  }
  bool changing() const override { return store_->changing(); }
  optional<int64_t> version() const override { return store_->version(); }
  std::shared_ptr<const void> moment_of_all(const KeyView* key) const override {
    return store_->moment_of_all(key ? key->text : std::string_view());
  }
  bool rename_entry(PathView from, Node& to, PathView path, bool safe) override;

  void release_resources() override { children_.clear(); }

 private:
  void settle(const Batch& batch);
  bool fits(at::IntArrayRef batch) const;
  Dims common_batch() const;
  NodePtr child(const std::string& key, const Batch& batch) const;
  void grow_batch(at::IntArrayRef batch) override { set_batch_size(batch); }
  void keep_labels();

  StorePtr store_;
  mutable std::mutex mutex_;  // of the children
  mutable std::map<std::string, NodePtr> children_;
};

}  // namespace td
