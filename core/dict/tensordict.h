// The ordinary node: entries in insertion order. Dicts made from one another share the list of their keys, until one of
// them gets or loses a key.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/dict/key_list.h"
#include "core/dict/node.h"

namespace td {

class TensorDict final : public Node {
 public:
  static NodePtr make(at::IntArrayRef batch, optional<c10::Device> device = nullopt);
  // With the keys of another and room for as many entries, which `append` fills in their order.
  static c10::intrusive_ptr<TensorDict> make_with_keys_of(const TensorDict& other, at::IntArrayRef batch);
  TensorDict(at::IntArrayRef batch, optional<c10::Device> device) : Node(batch, device) {}

  const char* class_name() const override { return "TensorDict"; }
  const Entry* peek(const KeyView& key, Entry& made) const override;
  bool replace(const KeyView& key, Entry& value) override;
  void put(const Key& key, Entry value) override;
  bool erase(KeyView key) override;
  size_t count() const override { return entries_.size() - keys_->holes(); }
  void visit(Visitor fn) const override;
  void parts(c10::function_ref<void(const Entry&)> fn) const override;
  NodePtr make_like(at::IntArrayRef batch) const override;
  const TensorDict* plain() const override { return this; }

  const std::vector<Entry>& entries() const { return entries_; }  // empty ones where a key was taken away
  bool same_keys(const TensorDict& other) const;                  // in the same order and places, without holes
  std::pair<Key, Entry> last() const;                             // of a dict that is not empty
  template <class T>
  void append(T&& value) {
    entries_.emplace_back(std::forward<T>(value));
  }
  template <class F>
  void each(F&& fn) const {  // as parts, without a call between
    for (const Entry& e : entries_)
      if (e) fn(e);
  }

  // Children hold their locked ancestors weakly, so the last owner must let go of them for any of this to be freed.
  void release_resources() override;

 private:
  static const std::shared_ptr<const KeyList>& no_keys();
  KeyList keys_without_holes() const;
  KeyList& own_keys();  // to change them

  std::shared_ptr<const KeyList> keys_ = no_keys();
  std::vector<Entry> entries_;  // one for each key; the last is no hole
};

}  // namespace td
