#include "core/dict/consolidate.h"

#include <algorithm>
#include <cstring>

#include "core/dict/copy.h"
#include "core/dict/lock.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"
#include "core/tensor/stored.h"
#include "core/torch_compat.h"

namespace td {

namespace {

constexpr int64_t block_alignment = 64;

int64_t bytes_in(const at::Tensor& t) {
  return t.numel() * static_cast<int64_t>(t.element_size());
}

void check_has_bytes(const Node& node, const Leaves& all) {
  for (size_t i = 0; i < all.size(); ++i) {
    const at::Tensor& t = all[i];
    bool dense = t.layout() == at::kStrided && t.has_storage() && !t.is_meta() && !t.is_quantized();
    if (dense && t.device().is_cpu()) continue;
    std::string key = to_string(leaf_paths(node)[i]);
    if (!dense) throw Error(Code::unsupported, "the tensor is not dense").key(key).hint("store a dense tensor instead");
    throw Error(Code::device, "the tensor is on " + t.device().str() + ", not in memory")
        .key(key)
        .hint("move it first");
  }
}

// A view of the block by hand: LibTorch's own would cost more than the copy.
at::Tensor part_of(const at::Tensor& block, int64_t offset, const at::Tensor& like) {
  at::Tensor t = at::detail::make_tensor<at::TensorImpl>(c10::Storage(block.storage()), block.key_set(), like.dtype());
  Dims strides(static_cast<size_t>(like.dim()));
  int64_t step = 1;
  for (size_t i = strides.size(); i-- > 0;) {
    strides[i] = step;
    step *= std::max<int64_t>(like.sizes()[i], 1);
  }
  t.unsafeGetTensorImpl()->set_storage_offset(offset / static_cast<int64_t>(like.element_size()));
  t.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), strides);
  return t;
}

// The same where the tensor holds the bytes of another dtype, which storages know.
at::Tensor kept_part_of(const at::Tensor& block, int64_t offset, const at::Tensor& like, int32_t stored) {
  auto owner = std::make_shared<const at::Tensor>(block);
  char* start = static_cast<char*>(storage_data(block.storage())) + offset;
  return from_stored(start, stored, like.sizes(), std::move(owner));
}

}  // namespace

NodePtr consolidate(const Node& node) {
  refuse_unbatched(node, "a consolidated dict cannot hold it");
  Leaves all = leaves(node);
  check_has_bytes(node, all);
  int64_t total = 0;
  for (const at::Tensor& t : all) total += (bytes_in(t) + block_alignment - 1) / block_alignment * block_alignment;
  at::Tensor block = at::empty({total}, at::TensorOptions(at::kByte));
  auto* out = static_cast<char*>(const_cast<void*>(data(block)));
  int64_t offset = 0;
  for (at::Tensor& t : all) {
    int64_t bytes = bytes_in(t);
    const int32_t stored = stored_dtype(t);
    at::Tensor made = stored == 0 ? part_of(block, offset, t) : kept_part_of(block, offset, t, stored);
    bool plain = t.is_contiguous() && !t.is_conj() && !t.is_neg();
    at::Tensor source = plain ? t : t.detach().resolve_conj().resolve_neg().contiguous();
    if (bytes > 0) std::memcpy(out + offset, data(source), static_cast<size_t>(bytes));
    offset += (bytes + block_alignment - 1) / block_alignment * block_alignment;
    t = std::move(made);
  }
  NodePtr made = rebuild(node, all, node.batch_size(), node.names());
  Lock::acquire(*made);
  return made;
}

}  // namespace td
