// A dict that is part of another one, seen through an index: nothing is copied, and what is written goes to the other.
// Its structure is that of the other, so it is always locked itself.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/dict/node.h"
#include "core/dict/shape/indices.h"

namespace td {

class Window final : public Node {
 public:
  static constexpr char python_name[] = "_SubTensorDict";
  static const Window* of(const Node& node) {  // null if it is of another kind
    return node.class_name() == python_name ? static_cast<const Window*>(&node) : nullptr;
  }
  // Throws Error(index), Error(dtype).
  static NodePtr make(NodePtr source, IndexList indices);
  Window(NodePtr source, IndexList indices, at::IntArrayRef batch)
      : Node(batch, source->device()),
        source_(std::move(source)),
        indices_(std::move(indices)),
        whole_(source_->batch_size().begin(), source_->batch_size().end()) {}

  const char* class_name() const override { return python_name; }
  const Entry* peek(const KeyView& key, Entry& made) const override;
  bool replace(const KeyView& key, Entry& value) override;
  void put(const Key& key, Entry value) override;
  bool erase(KeyView key) override { return source_->erase(key); }
  void ready_to_erase(KeyView key) override { source_->ready_to_erase(key); }
  size_t count() const override { return source_->count(); }
  void visit(Detail detail, Visitor fn) const override;
  NodePtr make_like(at::IntArrayRef batch) const override;

  bool has_common(const KeyView& key) const override { return source_->has_common(key); }
  bool has(const KeyView& key) const override { return source_->has(key); }
  bool contains(const Node* other) const override { return this == other || source_->contains(other); }
  void check_current() const override;
  bool locked() const override { return true; }
  bool lends() const override { return !has_tensors(indices_) && source_->lends(); }
  bool grows() const override { return false; }
  bool records() const override { return source_->records(); }
  void plan_write(Writes& writes, const KeyView& key, at::Tensor value, const Path& path) const override;
  void write_entry(const KeyView& key, const at::Tensor& value) const override;
  void set_batch_size(at::IntArrayRef batch) override;
  void set_names(const Names& names) override;

  void release_resources() override {
    children_.clear();
    source_.reset();
  }

 private:
  Entry shown(const KeyView& key, const Entry& entry) const;
  NodePtr below(const KeyView& key, const NodePtr& source) const;
  at::Tensor taken(const at::Tensor& whole) const;

  NodePtr source_;
  IndexList indices_;         // normalized
  Dims whole_;                // the batch size that they are for
  mutable std::mutex mutex_;  // of the children, which others may hold on to as long as this lives
  mutable std::map<std::string, NodePtr> children_;
};

}  // namespace td
