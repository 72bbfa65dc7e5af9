// Dicts over the slots of a channel, or the snapshots of a segment. What is the same for all messages is worked out
// once; a message costs one storage, which its tensors share, and a tensor for each leaf.
#pragma once

#include <memory>
#include <vector>

#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/tensordict.h"
#include "core/storage/consolidated.h"
#include "core/tensor/memory.h"

namespace td::shm {

class SlotViews {
 public:
  explicit SlotViews(storage::Outline outline);

  // A locked dict over the slot at `memory`; `owner` is dropped with the last view.
  NodePtr over(char* memory, int64_t bytes, std::shared_ptr<const void> owner, Access access) const;

  const storage::Outline& outline() const { return outline_; }

 private:
  struct Leaf {
    caffe2::TypeMeta type;
    Dims sizes, strides;
    int64_t offset;  // in elements
    int32_t stored;  // see from_stored
  };
  struct Filling {
    c10::Storage storage;
    Access access;
    size_t next = 0;
  };
  NodePtr fill(const Node& pattern, Filling& f) const;
  NodePtr fill_dict(const TensorDict& pattern, Filling& f) const;
  NodePtr fill_stack(const Node& pattern, Filling& f) const;
  static at::Tensor stored_view(const Leaf& leaf, const Filling& f);

  storage::Outline outline_;
  NodePtr pattern_;  // the nodes and data, with undefined tensors
  std::vector<Leaf> leaves_;
};

}  // namespace td::shm
