// The ordinary node: entries in insertion order. Dicts made from one another share the list of their keys, until one of
// them gets or loses a key.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/dict/concurrent.h"
#include "core/dict/key_list.h"
#include "core/dict/node.h"

namespace td {

class TensorDict final : public Node {
 public:
  static NodePtr make(at::IntArrayRef batch, optional<c10::Device> device = nullopt);
  // In a walk of another: with its keys and room for as many entries, which `append` fills in their order.
  static c10::intrusive_ptr<TensorDict> make_with_keys_of(const TensorDict& other, at::IntArrayRef batch);
  TensorDict(at::IntArrayRef batch, optional<c10::Device> device) : TensorDict(batch, device, no_keys()) {}
  TensorDict(at::IntArrayRef batch, const optional<c10::Device>& device, const std::shared_ptr<const KeyList>& keys)
      : Node(batch, device), keys_(keys) {}

  const char* class_name() const override { return "TensorDict"; }
  const Entry* peek(const KeyView& key, Entry& made) const override;
  bool replace(const KeyView& key, Entry& value) override;
  void put(const Key& key, Entry value) override;
  // Takes `value` and gives what it was, if that is a tensor and nothing else but the batch size has to be checked; false,
  // and nothing is done, otherwise.
  bool exchange(const KeyView& key, at::Tensor& value);
  bool add(const Key& key, const Entry& value);  // false if the key is there
  bool erase(KeyView key) override;
  void ready_to_erase(KeyView key) override;
  size_t count() const override;
  using Node::visit;
  void visit(Detail detail, Visitor fn) const override;
  using Node::parts;
  void parts(Detail detail, c10::function_ref<void(const Entry&)> fn) const override;
  NodePtr make_like(at::IntArrayRef batch) const override;
  using Node::plain;
  const TensorDict* plain() const override { return this; }

  // Gives `fn` the entry under a path, borrowed while it runs, or null if it is missing or below a tensor; `fn` does no
  // more than copy it. Where the path goes on in a node of another kind, `beyond` gets that node and what is left.
  template <class F, class B>
  auto read(PathView path, F&& fn, B&& beyond) const -> decltype(fn(nullptr));

  // As `find`, for a path of one part.
  Entry find_here(const KeyView& key) const {
    for (unsigned round = 0;; give_way(round++)) {
      const Section section;
      if (!gate_.admits(section)) continue;
      const size_t i = keys_->find(key);
      return i == entries_.size() ? Entry() : entries_[i];
    }
  }

  // Others may walk over it too, but not change it, while that walk lasts.
  Walk walk() const { return Walk(gate_); }
  // In a walk: one entry for each key, an empty one where a key was taken away.
  const std::vector<Entry>& entries() const { return entries_; }
  // In a walk of both: in the same order and places, without holes.
  bool same_keys(const TensorDict& other) const;
  std::pair<Key, Entry> last() const;  // nothing of an empty dict
  // Copies the first `max` keys and returns how many there are. Changes by other threads never find it busy by this.
  size_t first_keys(std::optional<Key>* out, size_t max) const;
  void reserve(size_t n);                     // of a new dict: for as many more entries
  void put_new(const Key& key, Entry value);  // of a new dict, which no other thread has yet: a key that is not there
  template <class T>
  void append(T&& value) {
    entries_.emplace_back(std::forward<T>(value));
  }
  template <class F>
  void each(F&& fn) const {  // as parts, without a call between
    const Walk here = walk();
    for (const Entry& e : entries_)
      if (e) fn(e);
  }

  // Children hold their locked ancestors weakly, so the last owner must let go of them for any of this to be freed.
  void release_resources() override;

 private:
  static const std::shared_ptr<const KeyList>& no_keys();
  KeyList keys_without_holes() const;
  KeyList& own_keys();  // to change them

  Gate gate_;
  std::shared_ptr<const KeyList> keys_;
  std::vector<Entry> entries_;  // one for each key; the last is no hole
};

template <class F, class B>
auto TensorDict::read(PathView path, F&& fn, B&& beyond) const -> decltype(fn(nullptr)) {
  for (unsigned round = 0;; give_way(round++)) {
    NodePtr other;
    size_t i = 0;
    {
      const Section section;
      const TensorDict* at = this;
      while (at->gate_.admits(section)) {
        const size_t place = at->keys_->find(path[i]);
        const Entry* e = place == at->entries_.size() ? nullptr : &at->entries_[place];
        if (!e || ++i == path.size()) return fn(e);
        if (!e->is_node()) return fn(nullptr);
        at = e->node()->plain();
        if (at) continue;
        other = e->node();
        break;
      }
    }
    if (other) return beyond(*other, PathView(path.begin() + i, path.size() - i));
  }
}

}  // namespace td
