#include "core/shm/slot_views.h"

#include "core/dict/lock.h"

namespace td::shm {

SlotViews::SlotViews(storage::Outline outline) : outline_(std::move(outline)) {
  pattern_ = storage::build(outline_, [](const storage::PlacedLeaf&) { return at::Tensor(); });
  storage::for_each_leaf(outline_, [&](const storage::PlacedLeaf& placed) {
    Leaf leaf{c10::scalarTypeToTypeMeta(placed.type.dtype), placed.type.sizes, {}, 0, placed.type.stored};
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

NodePtr SlotViews::fill(const Node& pattern, Filling& f) const {
  const TensorDict* dict = pattern.plain();
  NodePtr made = dict ? fill_dict(*dict, f) : fill_stack(pattern, f);
  if (!pattern.names().empty()) made->adopt_names(pattern.names());
  if (pattern.python_class()) made->adopt_python_class(pattern.python_class());
  made->mark_shared();
  return made;
}

NodePtr SlotViews::fill_stack(const Node& pattern, Filling& f) const {
  Nodes members;
  members.reserve(static_cast<size_t>(pattern.batch_size()[static_cast<size_t>(pattern.member_dim())]));
  pattern.each_member([&](const NodePtr& m, size_t) { members.push_back(fill(*m, f)); });
  // Not LazyStack::make: the pattern's members were checked.
  return c10::make_intrusive<LazyStack>(std::move(members), static_cast<size_t>(pattern.member_dim()),
                                        pattern.batch_size(), pattern.device());
}

NodePtr SlotViews::fill_dict(const TensorDict& pattern, Filling& f) const {
  const Walk here = pattern.walk();
  auto made = TensorDict::make_with_keys_of(pattern, pattern.batch_size());
  for (const Entry& e : pattern.entries()) {
    if (!e) continue;
    if (e.is_node()) {
      made->append(fill(*e.node(), f));
    } else if (e.is_data()) {
      made->append(e);
    } else if (const Leaf& leaf = leaves_[f.next++]; leaf.stored != 0) {
      made->append(stored_view(leaf, f));
    } else {
      at::Tensor t = at::detail::make_tensor<at::TensorImpl>(c10::Storage(f.storage),
                                                             c10::DispatchKeySet(c10::DispatchKey::CPU), leaf.type);
      t.unsafeGetTensorImpl()->set_storage_offset(leaf.offset);
      t.unsafeGetTensorImpl()->set_sizes_and_strides(leaf.sizes, leaf.strides);
      made->append(std::move(t));
    }
  }
  return made;
}

// Storages know the stored dtype, so this view has one of its own.
at::Tensor SlotViews::stored_view(const Leaf& leaf, const Filling& f) {
  char* start = static_cast<char*>(storage_data(f.storage)) + leaf.offset;
  return from_stored(start, leaf.stored, leaf.sizes, std::make_shared<const c10::Storage>(f.storage), f.access);
}

NodePtr SlotViews::over(char* memory, int64_t bytes, std::shared_ptr<const void> owner, Access access) const {
  at::Tensor whole = from_memory(memory, at::kByte, {bytes}, {}, std::move(owner), access);
  Filling f{whole.storage(), access};
  NodePtr made = fill(*pattern_, f);
  Lock::acquire(*made);
  return made;
}

}  // namespace td::shm
