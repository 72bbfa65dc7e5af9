// A dict whose entries stay in a file, or on a server: a tensor is read whenever it is asked for, and whatever is set
// or written goes there. Operations that make a dict make one in memory.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/dict/node.h"
#include "core/dict/shape/index.h"

namespace td {

// Describes what a file has under a key, without reading it.
struct Stored {
  enum class Kind { none, tensor, node, data };
  Kind kind = Kind::none;
  at::ScalarType type = at::kByte;  // of a tensor
  Dims sizes;                       // of a tensor, of data with a value for each batch element, or of other numbers
  bool stacked = false;             // data with a value for each batch element
  bool counts = false;              // the sizes have a say in the batch size
};

// The batch size and the names that a file keeps for a level.
struct Labels {
  Dims batch;
  Names names;
};

// One level of a file, or of what a server has. Calls from several threads wait for each other. Throws Error(key) only
// where it says so; errors of the file name it.
class Store {
 public:
  virtual ~Store() = default;
  virtual const std::string& file() const = 0;
  virtual bool writable() const = 0;
  virtual std::vector<std::string> keys() const = 0;
  virtual Stored look(std::string_view key) const = 0;
  // Of a tensor, under an index normalized to its first dims; only that part is read.
  virtual at::Tensor read(std::string_view key, const std::vector<Index>& part) const = 0;
  virtual DataPtr read_data(std::string_view key, at::IntArrayRef batch) const = 0;
  virtual std::shared_ptr<Store> below(std::string_view key) const = 0;
  virtual optional<Labels> labels() const = 0;

  // Nothing has changed when they throw Error(unsupported), Error(dtype) or Error(key).
  virtual void write(std::string_view key, const std::vector<Index>& part, const at::Tensor& value) = 0;
  virtual void put(std::string_view key, const Entry& value) = 0;
  virtual bool erase(std::string_view key) = 0;
  virtual void rename(std::string_view from, Store& to, std::string_view key) = 0;  // `to` is of the same file
  virtual void set_labels(const Labels& labels) = 0;
  virtual void flush() = 0;
  virtual void close() = 0;  // the file, for all its levels

  // ---- Stores where each question is a way to a server: null for all others ----------------------------------------
  // While it lives, this thread reads the level, or the entry under `key`, as it is at one moment; with `part`, which
  // is normalized to the first dims of its tensors, also its values under that, which come with it.
  virtual std::shared_ptr<const void> moment(const std::vector<Index>* /*part*/, std::string_view /*key*/ = {}) const {
    return nullptr;
  }
  // While it lives, what this thread changes in the dict is gathered; commit brings all of it there as one. Null also
  // inside of another. Throws Error(busy) if the dict has another version than the given one.
  class Change {
   public:
    virtual ~Change() = default;
    virtual void commit() = 0;
  };
  virtual std::unique_ptr<Change> change(optional<int64_t> /*version*/) { return nullptr; }
  virtual optional<int64_t> version() const { return nullopt; }  // how often the dict was changed
  virtual bool changing() const { return false; }                // whether this thread's changes are gathered
};
using StorePtr = std::shared_ptr<Store>;

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
  at::Tensor read(const KeyView& key, const std::vector<Index>& part) const;
  void write(const KeyView& key, const std::vector<Index>& part, const at::Tensor& value) const;
  void forget(const KeyView& key) const;  // another dict stands there now, or none

  const char* class_name() const override { return python_name; }
  const Entry* peek(const KeyView& key, Entry& made) const override;
  bool replace(const KeyView& key, Entry& value) override;
  void put(const Key& key, Entry value) override;
  bool erase(KeyView key) override;
  size_t count() const override { return store_->keys().size(); }
  void visit(Visitor fn) const override;
  NodePtr make_like(at::IntArrayRef batch) const override;

  void outline(Visitor fn) const override;
  Entry look(const KeyView& key, Detail detail) const override;
  void structure(c10::function_ref<void(const Entry&)> fn) const override;
  bool has_common(const KeyView& key) const override;
  bool lends() const override { return false; }
  NodePtr clone() const override;
  NodePtr kept(NodePtr chosen) const override;
  void plan_write(Writes& writes, const KeyView& key, at::Tensor value, const Path& path) const override;
  void write_entry(const KeyView& key, const at::Tensor& value) const override { write(key, {}, value); }
  bool assign_part(const std::vector<Index>& indices, const Node& value) const override;
  bool fill_part(const std::vector<Index>& indices, const c10::Scalar& value) const override;
  bool assign_entry(PathView path, const std::vector<Index>& indices, const at::Tensor& value) const override;
  at::Tensor read_entry(const KeyView& key, const std::vector<Index>& indices) const override;
  NodePtr part(std::vector<Index>& indices) const override;
  void set_batch_size(at::IntArrayRef batch) override;
  void set_names(const Names& names) override;

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

bool has_persistent(const Node& node);  // itself, or below

// Changes of one dict that arrive as a whole, where its store can do that; what is not committed never arrives there.
class Together {
 public:
  // Throws Error(unsupported) for a version of what has none.
  explicit Together(const Node& node, optional<int64_t> version = nullopt);
  void commit() {
    if (change_) change_->commit();
  }

 private:
  std::unique_ptr<Store::Change> change_;
};

// Gives an entry another key without reading it; false, and nothing is done, unless both are in one file.
bool rename_in_file(Node& root, PathView from, PathView to, bool safe);

}  // namespace td
