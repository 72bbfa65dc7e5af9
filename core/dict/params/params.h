// A dict of parameters: floating-point tensors are leaves that require grad, all others are buffers, and what is set
// later becomes the same. Values are written without autograd noticing, as into Python's `.data`.
#pragma once

#include "core/dict/node.h"

namespace td {

class Params final : public Node {
 public:
  struct Options {
    bool convert = true;  // false: tensors stay what they are
    bool lock = false;    // the dict inside is locked; changes go through this one
  };
  // Wraps `inner`, whose own tensors are converted too. Throws Error(unsupported) for lazy stacks in it.
  static NodePtr make(NodePtr inner, const Options& options);
  // `inner` has the structure of `original`, and its leaves become parameters where those of the original are.
  static NodePtr copied(const Params& original, NodePtr inner);
  Params(NodePtr inner, const Options& options)
      : Node(inner->batch_size(), inner->device()), inner_(std::move(inner)), options_(options) {}

  const NodePtr& inner() const { return inner_; }
  const Options& options() const { return options_; }
  Entry converted(Entry value) const;  // of a node a copy: the caller's stays what it is
  static constexpr char python_name[] = "TensorDictParams";
  static const Params* of(const Node& node) {  // null if it is of another kind
    return node.class_name() == python_name ? static_cast<const Params*>(&node) : nullptr;
  }

  const char* class_name() const override { return python_name; }
  const Entry* peek(const KeyView& key, Entry& made) const override { return inner_->peek(key, made); }
  bool replace(const KeyView& key, Entry& value) override;
  void put(const Key& key, Entry value) override { inner_->put(key, std::move(value)); }  // converted before
  bool erase(KeyView key) override { return inner_->erase(key); }
  void ready_to_erase(KeyView key) override { inner_->ready_to_erase(key); }
  size_t count() const override { return inner_->count(); }
  void visit(Detail detail, Visitor fn) const override { inner_->visit(detail, fn); }
  NodePtr make_like(at::IntArrayRef batch) const override { return inner_->make_like(batch); }

  void parts(Detail /*detail*/, c10::function_ref<void(const Entry&)> fn) const override { fn(Entry(inner_)); }
  void check_current() const override;
  NodePtr clone() const override;
  Node* inside() const override { return inner_.get(); }
  Node* guarded() const override { return options_.lock || inner_->locked() ? inner_.get() : nullptr; }
  NodePtr around(c10::function_ref<NodePtr(const NodePtr&)> fn) const override { return copied(*this, fn(inner_)); }
  void convert(Entry& value) const override { value = converted(std::move(value)); }
  bool records() const override { return false; }
  void set_batch_size(at::IntArrayRef batch) override;
  void set_names(const Names& names) override;

  void release_resources() override { inner_.reset(); }

 private:
  void grow_batch(at::IntArrayRef batch) override { set_batch_size(batch); }

  NodePtr inner_;
  Options options_;
};

// The leaves that require grad, and the others: keys and tensors in the same order.
struct NamedTensors {
  std::vector<Path> paths;
  std::vector<at::Tensor> tensors;
};
NamedTensors parameters(const Node& node);
NamedTensors buffers(const Node& node);

}  // namespace td
