#include "core/tensor/memory.h"

#include <ATen/MemoryOverlap.h>

#include "core/error.h"
#include "core/tensor/autograd.h"
#include "core/tensor/dims.h"
#include "core/tensor/ops.h"
#include "core/tensor/origin.h"
#include "core/torch_compat.h"

namespace td {

namespace {

using Owner = std::shared_ptr<const void>;

struct Context {
  Owner owner;
  int32_t stored;
};

void release(void* context) {
  delete static_cast<Context*>(context);
}

// Deleters of their own mark storages, so that asking costs a comparison and no storage grows.
void release_read_only(void* context) {
  delete static_cast<Context*>(context);
}
void release_file(void* context) {
  delete static_cast<Context*>(context);
}
void release_read_only_file(void* context) {
  delete static_cast<Context*>(context);
}

c10::DeleterFnPtr deleter_of(const at::Tensor& t) {
  return t.has_storage() ? t.storage().data_ptr().get_deleter() : nullptr;
}

alignas(64) unsigned char nowhere[64];  // what tensors without elements point to

}  // namespace

int64_t checked_numel(at::IntArrayRef sizes, size_t itemsize) {
  int64_t n = 1, bytes = 0;
  bool empty = false;
  for (int64_t s : sizes) {
    if (s < 0) throw Error(Code::shape, "negative size in shape " + to_string(sizes));
    empty = empty || s == 0;
    if (__builtin_mul_overflow(n, s == 0 ? 1 : s, &n))
      throw Error(Code::shape, "the elements of shape " + to_string(sizes) + " cannot be counted in 64 bits");
  }
  if (__builtin_mul_overflow(n, static_cast<int64_t>(itemsize), &bytes))
    throw Error(Code::shape, "the bytes of shape " + to_string(sizes) + " cannot be counted in 64 bits");
  return empty ? 0 : n;
}

namespace {

// From the first element to the one behind the last.
int64_t span_of(at::IntArrayRef sizes, at::IntArrayRef strides, int64_t numel) {
  int64_t span = numel == 0 ? 0 : 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t reach = 0;
    if (strides[i] < 0) throw Error(Code::shape, "negative stride in " + to_string(strides));
    if (numel > 0 &&
        (__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || __builtin_add_overflow(span, reach, &span)))
      throw Error(Code::shape, "strides " + to_string(strides) + " overflow");
  }
  return span;
}

at::Tensor over(void* data, at::ScalarType type, at::IntArrayRef sizes, at::IntArrayRef strides, Owner owner,
                Access access, int32_t stored) {
  size_t itemsize = c10::elementSize(type);
  int64_t numel = checked_numel(sizes, itemsize);
  if (sizes.size() > 64) throw Error(Code::shape, "more than 64 dims");
  if (numel > 0 && data == nullptr) throw Error(Code::argument, "data is NULL for shape " + to_string(sizes));
  const bool strided = strides.size() == sizes.size() && !sizes.empty();
  const int64_t span = strided ? span_of(sizes, strides, numel) : numel;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(span, static_cast<int64_t>(itemsize), &bytes))
    throw Error(Code::shape, "strides " + to_string(strides) + " overflow");
  if (data == nullptr) data = nowhere;
  size_t alignment = c10::isComplexType(type) ? itemsize / 2 : itemsize;
  if (reinterpret_cast<uintptr_t>(data) % alignment != 0)
    throw Error(Code::argument, "data is not aligned to its dtype").hint_naming("copy it with {tensor_copy_from}");

  auto* context = new Context{std::move(owner), stored};
  c10::DataPtr pointer(data, context, access == Access::read_only ? release_read_only : release,
                       c10::Device(c10::kCPU));
  c10::Storage storage(c10::Storage::use_byte_size_t(), static_cast<size_t>(bytes), std::move(pointer), nullptr, false);
  at::Tensor t = at::detail::make_tensor<at::TensorImpl>(std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU),
                                                         c10::scalarTypeToTypeMeta(type));
  if (strided)
    t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  else
    t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return t;
}

}  // namespace

at::Tensor from_memory(void* data, at::ScalarType type, at::IntArrayRef sizes, at::IntArrayRef strides, Owner owner,
                       Access access) {
  return over(data, type, sizes, strides, std::move(owner), access, 0);
}

at::Tensor from_stored(void* data, int32_t stored, at::IntArrayRef sizes, Owner owner, Access access) {
  return over(data, at::kByte, sizes, {}, std::move(owner), access, stored);
}

bool read_only(const at::Tensor& t) {
  c10::DeleterFnPtr mark = deleter_of(t);
  return mark == &release_read_only || mark == &release_read_only_file;
}

at::Tensor as_file(at::Tensor t) {
  auto& pointer = const_cast<c10::DataPtr&>(t.storage().data_ptr());
  (void)(pointer.compare_exchange_deleter(release, release_file) ||
         pointer.compare_exchange_deleter(release_read_only, release_read_only_file));
  return t;
}

bool from_file(const at::Tensor& t) {
  c10::DeleterFnPtr mark = deleter_of(t);
  return mark == &release_file || mark == &release_read_only_file;
}

int32_t stored_mark(const c10::Storage& storage) {
  const c10::DataPtr& pointer = storage.data_ptr();
  c10::DeleterFnPtr mark = pointer.get_deleter();
  const bool ours =
      mark == &release || mark == &release_read_only || mark == &release_file || mark == &release_read_only_file;
  return ours ? static_cast<const Context*>(pointer.get_context())->stored : 0;
}

void check_writable(const at::Tensor& t, const std::string& key) {
  if (read_only(t))
    throw Error(Code::locked, "the memory of this tensor is mapped read-only")
        .key(key)
        .hint_naming("clone the tensor, or open with {OPEN_COW}");
}

namespace {

// LibTorch refuses to copy between views of one memory that are not the same view.
bool overlaps_partly(const at::Tensor& a, const at::Tensor& b) {
  if (!a.has_storage() || !b.has_storage() || a.layout() != at::kStrided || b.layout() != at::kStrided) return false;
  return at::get_overlap_status(a, b) == at::MemOverlapStatus::Partial;
}

}  // namespace

void copy_values(const at::Tensor& target, const at::Tensor& value, const std::string& key) {
  check_writable(target, key);
  try {
    refresh_view(target);
    target.copy_(overlaps_partly(target, value) ? value.clone() : value);
  } catch (const c10::Error&) {
    throw current_error().key(key);
  }
}

namespace {

// Of a tensor with memory on the CPU.
inline const void* address(const at::Tensor& t) {
  const char* base = static_cast<const char*>(storage_data(t.storage()));
  if (base == nullptr || t.numel() == 0) return nowhere;
  return base + t.storage_offset() * static_cast<int64_t>(t.element_size());
}

}  // namespace

const void* data(const at::Tensor& t) {
  if (!t.has_storage() || t.layout() != at::kStrided)
    throw Error(Code::unsupported, "the tensor has no memory of its own")
        .hint("sparse, nested and vmapped tensors have none");
  if (!t.device().is_cpu())
    throw Error(Code::device, "the data is on " + t.device().str())
        .hint_naming("move it with {tensor_to}(..., \"cpu\", ...)");
  if (t.is_conj() || t.is_neg())
    throw Error(Code::unsupported, "the tensor is a lazy conjugate or negative").hint("clone it first");
  return address(t);
}

const void* data_or_null(const at::Tensor& t) {
  if (!t.has_storage() || t.layout() != at::kStrided || !t.device().is_cpu() || t.is_conj() || t.is_neg())
    return nullptr;
  return address(t);
}

c10::Device parse_device(const std::string& text) {
  optional<c10::Device> device;
  try {
    device = c10::Device(text);
  } catch (const std::exception&) {
    throw Error(Code::device, "'" + text + "' is not the name of a device")
        .hint("use \"cpu\", \"cuda:0\" or \"meta\", for example");
  }
  if (device->is_cuda() && !at::hasCUDA())
    throw Error(Code::device, "no CUDA device is available for '" + text + "'").hint("use \"cpu\"");
  if (device->is_cpu()) return c10::Device(c10::kCPU);  // "cpu:0" too: tensors say "cpu", and must be equal to it
  return *device;
}

}  // namespace td
