// Dicts that are seen as stacked along one of the batch dims, and stay what they are: keys are those that all members
// have, tensors are stacked when asked for, writes go to the members.
#pragma once

#include <vector>

#include "core/dict/node.h"

namespace td {

class LazyStack final : public Node {
 public:
  static constexpr char python_name[] = "LazyStackedTensorDict";
  static const LazyStack* of(const Node& node) {  // null if it is of another kind
    return node.class_name() == python_name ? static_cast<const LazyStack*>(&node) : nullptr;
  }
  // Members have one device and one number of batch dims; a dim in which their sizes differ is -1. Without members,
  // `element` is the batch size of one. Throws Error(shape), Error(device), Error(index).
  static NodePtr make(Nodes members, int64_t dim, at::IntArrayRef element = {});
  LazyStack(Nodes members, size_t dim, at::IntArrayRef batch, optional<c10::Device> device)
      : Node(batch, device), members_(std::move(members)), dim_(dim), total_(count_members(members_)) {}

  const Nodes& members() const { return members_; }
  size_t stack_dim() const { return dim_; }
  // Throws Error(shape), Error(device), Error(locked), Error(argument) for one that contains this stack.
  void insert(size_t index, const Nodes& members);
  // Takes other members of one kind, any number: the batch size follows. Throws Error(shape), Error(device),
  // Error(argument).
  void restack(Nodes members, optional<size_t> dim = nullopt) override;
  // The same dim over other members, as many; names are those given, or ours with what the members say.
  NodePtr over(Nodes members, optional<size_t> dim = nullopt) const;
  // The entry that each member has under `key`, empty where there is none.
  std::vector<Entry> column(const KeyView& key) const;

  const char* class_name() const override { return python_name; }
  const Entry* peek(const KeyView& key, Entry& made) const override;
  bool replace(const KeyView& key, Entry& value) override;
  void put(const Key& key, Entry value) override;
  Entry part_for(const Entry& value, Nodes& nodes, size_t index) const;
  void put_parts(const Key& key, c10::function_ref<Entry(size_t)> part_of);
  bool erase(KeyView key) override;
  void ready_to_erase(KeyView key) override;
  bool put_in_members(PathView path, const Entry& value) override;
  size_t count() const override { return common_keys().size(); }
  using Node::visit;
  void visit(Detail detail, Visitor fn) const override;
  NodePtr make_like(at::IntArrayRef batch) const override;

  void parts(Detail detail, c10::function_ref<void(const Entry&)> fn) const override;
  Entry outlined(const KeyView& key) const;  // an entry that all members have, as one of them shows it
  bool has(const KeyView& key) const override;
  bool has_common(const KeyView& key) const override;
  void check_current() const override;
  bool sealed() const override;
  bool locked() const override;
  Entry look(const KeyView& key, Detail detail) const override;
  bool lends() const override { return false; }
  bool grows() const override { return false; }
  size_t level() const override;
  int64_t member_dim() const override { return static_cast<int64_t>(dim_); }
  bool each_member(c10::function_ref<void(const NodePtr&, size_t)> fn) const override;
  NodePtr map_members(c10::function_ref<NodePtr(const NodePtr&, size_t)> fn) const override;
  optional<Nodes> apart(const Node& other) const override;
  at::Tensor for_member(const at::Tensor& whole, size_t index) const override;
  NodePtr part(IndexList& indices) const override;
  NodePtr member_at(int64_t index) const;  // -1 is the last; null if there is no such member
  void check_write(PathView path) const override {
    for (const NodePtr& m : members_) m->check_write(path);  // before any of them changes
  }
  void plan_write(Writes& writes, const KeyView& key, at::Tensor value, const Path& path) const override;
  std::unique_ptr<Gathered> change(optional<int64_t> version) const override;
  optional<int64_t> version() const override { return members_.empty() ? nullopt : members_[0]->version(); }
  std::shared_ptr<const void> moment_of_all(const KeyView* key) const override {
    return members_.empty() ? nullptr : members_[0]->moment_of_all(key);
  }
  void set_batch_size(at::IntArrayRef batch) override;
  void set_names(const Names& names) override;

  void release_resources() override { members_.clear(); }

 private:
  static size_t count_members(const Nodes& members);  // throws Error(shape) if they are too many
  std::vector<Key> common_keys() const;               // as the first member has them
  Entry stacked(const KeyView& key) const;
  std::vector<at::Tensor> plain_column(const KeyView& key) const;
  NodePtr stacked_nodes(const std::vector<Entry>& column) const;

  Nodes members_;
  size_t dim_;
  size_t total_;  // members that are no stacks themselves, those of nested stacks too
};

// Throws Error(shape) for more members than a stack may have: operations that multiply members check first.
void check_member_count(size_t members);

// What the members call their dims, with the name of the stack's own dim; none if they disagree.
Names joint_names(const Nodes& members, size_t dim, const Name& own);

// The batch size of a stack of these along `dim`: -1 where sizes differ.
Dims stacked_batch(const Nodes& members, size_t dim);

}  // namespace td
