#include "core/dict/change/write.h"

#include <algorithm>
#include <cstring>

#include "core/dict/change/together.h"
#include "core/dict/settle.h"
#include "core/dict/shape/indices.h"
#include "core/error.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

bool writes_by_hand(const at::Tensor& target, const at::Tensor& value) {
  return fast::arenas(target) && fast::arenas(value) && target.scalar_type() == value.scalar_type() &&
         target.sizes() == value.sizes() && target.is_contiguous() && value.is_contiguous();
}

void check_broadcast(const at::Tensor& value, at::IntArrayRef to, const Path& path) {
  if (broadcasts_to(value.sizes(), to)) return;
  throw Error(Code::shape,
              "a value of shape " + to_string(value.sizes()) + " does not fit the entry of shape " + to_string(to))
      .key(to_string(path))
      .hint("a value must broadcast to the shape of the entry");
}

}  // namespace

void Node::plan_write(Writes& writes, const KeyView& key, at::Tensor value, const Path& path) const {
  writes.add(tensor({&key, 1}), std::move(value), path);
}

void Writes::add_stored(const Node& parent, const KeyView& key, at::Tensor value, const Path& path) {
  check_broadcast(value, parent.look(key, Detail::shape).tensor().sizes(), path);
  stored_.push_back({itself(parent), Key(key), std::move(value)});
}

void Writes::add(at::Tensor target, at::Tensor value, const Path& path) {
  check_broadcast(value, target.sizes(), path);
  checks_.check_copy(target, value, to_string(path));
  writes_.push_back({std::move(target), std::move(value), path});
}

void Writes::commit() {
  // A value in memory that is written to is read first.
  auto storage = [](const at::Tensor& t) { return t.has_storage() ? t.storage().unsafeGetStorageImpl() : nullptr; };
  std::vector<const void*> written;
  for (const Write& w : writes_) written.push_back(storage(w.target));
  std::sort(written.begin(), written.end());
  for (Write& w : writes_)
    if (const void* from = storage(w.value);
        from && !w.value.is_same(w.target) && std::binary_search(written.begin(), written.end(), from))
      w.value = w.value.clone();
  std::vector<Together> together;
  for (const StoredWrite& w : stored_) {
    together.emplace_back(*w.parent);
    w.parent->write_entry(w.key, w.value);
  }
  for (Together& t : together) t.commit();
  for (const Write& w : writes_) {
    if (!writes_by_hand(w.target, w.value)) {
      copy_values(w.target, w.value, to_string(w.path));
      continue;
    }
    size_t bytes = static_cast<size_t>(w.target.numel()) * w.target.element_size();
    if (bytes) std::memmove(const_cast<void*>(data(w.target)), data(w.value), bytes);
    if (!w.target.is_inference()) w.target.unsafeGetTensorImpl()->bump_version();
  }
}

}  // namespace td
