// The ordinary node: entries in insertion order. Few entries are scanned, many are found through a hash index.
#pragma once

#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/dict/node.h"

namespace td {

class TensorDict final : public Node {
 public:
  static NodePtr make(at::IntArrayRef batch, optional<c10::Device> device = nullopt);
  TensorDict(at::IntArrayRef batch, optional<c10::Device> device) : Node(batch, device) {}

  const char* class_name() const override { return "TensorDict"; }
  const Entry* peek(const KeyView& key, Entry& made) const override;
  bool replace(const KeyView& key, Entry& value) override;
  void put(const Key& key, Entry value) override;
  bool erase(KeyView key) override;
  size_t count() const override { return slots_.size(); }
  void visit(Visitor fn) const override;
  NodePtr make_like(at::IntArrayRef batch) const override { return make(batch, device()); }

  // Children hold their locked ancestors weakly, so the last owner must let go of them for any of this to be freed.
  void release_resources() override;

 private:
  struct Slot {
    Key key;
    Entry value;
  };
  struct Hash {
    using is_avalanching = void;
    size_t operator()(const KeyView& key) const { return key.hash; }
  };
  static constexpr size_t scan_limit = 8;

  size_t position(const KeyView& key) const;  // slots_.size() if it is missing
  void reindex();

  std::vector<Slot> slots_;
  boost::unordered_flat_map<KeyView, size_t, Hash> index_;  // empty up to scan_limit; views into the slots' keys
};

}  // namespace td
