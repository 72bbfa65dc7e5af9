#include "core/shm/slot_views.h"

namespace td::shm {

SlotViews::SlotViews(storage::Outline outline) : outline_(std::move(outline)) {
  pattern_ = storage::build(outline_, [](const storage::PlacedLeaf&) { return at::Tensor(); });
  storage::for_each_leaf(outline_, [&](const storage::PlacedLeaf& placed) {
    Leaf leaf{c10::scalarTypeToTypeMeta(placed.type.dtype), placed.type.sizes, {}, 0};
    leaf.offset = placed.offset / static_cast<int64_t>(leaf.type.itemsize());
    leaf.strides.resize(leaf.sizes.size());
    int64_t step = 1;
    for (size_t i = leaf.sizes.size(); i-- > 0;) {
      leaf.strides[i] = step;
      step *= leaf.sizes[i] == 0 ? 1 : leaf.sizes[i];
    }
    leaves_.push_back(std::move(leaf));
  });
}

NodePtr SlotViews::fill(const Node& pattern, const c10::Storage& storage, size_t& next) const {
  const TensorDict* dict = pattern.plain();
  NodePtr made = dict ? fill_dict(*dict, storage, next) : fill_stack(*LazyStack::of(pattern), storage, next);
  if (!pattern.names().empty()) made->adopt_names(pattern.names());
  if (pattern.python_class()) made->adopt_python_class(pattern.python_class());
  made->mark_shared();
  return made;
}

NodePtr SlotViews::fill_stack(const LazyStack& pattern, const c10::Storage& storage, size_t& next) const {
  Nodes members;
  members.reserve(pattern.members().size());
  for (const NodePtr& m : pattern.members()) members.push_back(fill(*m, storage, next));
  // Not LazyStack::make: the pattern's members were checked.
  return c10::make_intrusive<LazyStack>(std::move(members), pattern.stack_dim(), pattern.batch_size(),
                                        pattern.device());
}

NodePtr SlotViews::fill_dict(const TensorDict& pattern, const c10::Storage& storage, size_t& next) const {
  auto made = TensorDict::make_with_keys_of(pattern, pattern.batch_size());
  pattern.parts([&](const Entry& e) {
    if (e.is_node()) {
      made->append(fill(*e.node(), storage, next));
    } else if (e.is_data()) {
      made->append(e);
    } else {
      const Leaf& leaf = leaves_[next++];
      at::Tensor t = at::detail::make_tensor<at::TensorImpl>(c10::Storage(storage),
                                                             c10::DispatchKeySet(c10::DispatchKey::CPU), leaf.type);
      t.unsafeGetTensorImpl()->set_storage_offset(leaf.offset);
      t.unsafeGetTensorImpl()->set_sizes_and_strides(leaf.sizes, leaf.strides);
      made->append(std::move(t));
    }
  });
  return made;
}

NodePtr SlotViews::over(char* memory, int64_t bytes, std::shared_ptr<const void> owner, Access access) const {
  at::Tensor whole = from_memory(memory, at::kByte, {bytes}, {}, std::move(owner), access);
  size_t next = 0;
  NodePtr made = fill(*pattern_, whole.storage(), next);
  Lock::acquire(*made);
  return made;
}

}  // namespace td::shm
