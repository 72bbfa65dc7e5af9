#include "core/tensor/dlpack.h"

#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/torch_compat.h"

extern "C" {
struct DLDevice {
  int32_t device_type, device_id;
};
struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  DLTensor dl_tensor;
};
}

namespace td {

namespace {

constexpr int32_t cpu = 1, cuda_host = 3;
constexpr uint64_t read_only_flag = 1;
enum : uint8_t { dl_int = 0, dl_uint = 1, dl_float = 2, dl_bfloat = 4, dl_complex = 5, dl_bool = 6 };

struct DlpackRow {
  at::ScalarType type;
  DLDataType dl;
};

const DlpackRow dlpack_types[] = {
    {at::kBool, {dl_bool, 8, 1}},
    {at::kByte, {dl_uint, 8, 1}},
    {at::kChar, {dl_int, 8, 1}},
    {at::kShort, {dl_int, 16, 1}},
    {at::kInt, {dl_int, 32, 1}},
    {at::kLong, {dl_int, 64, 1}},
    {at::kHalf, {dl_float, 16, 1}},
    {at::kBFloat16, {dl_bfloat, 16, 1}},
    {at::kFloat, {dl_float, 32, 1}},
    {at::kDouble, {dl_float, 64, 1}},
    {at::kComplexHalf, {dl_complex, 32, 1}},
    {at::kComplexFloat, {dl_complex, 64, 1}},
    {at::kComplexDouble, {dl_complex, 128, 1}},
#if TD_TORCH_HAS_WIDE_UINT
    {at::ScalarType::UInt16, {dl_uint, 16, 1}},
    {at::ScalarType::UInt32, {dl_uint, 32, 1}},
    {at::ScalarType::UInt64, {dl_uint, 64, 1}},
#endif
};

// What an exported struct keeps alive.
template <class Managed>
struct Exported {
  Managed managed{};
  at::Tensor tensor;
  std::vector<int64_t> shape, strides;
};

template <class Managed>
Managed* export_tensor(const at::Tensor& t) {
  if (t.requires_grad())
    throw Error(Code::unsupported, "a tensor that requires grad cannot be exported").hint("detach it first");
  void* first = const_cast<void*>(data(t));
  const DlpackRow* row = nullptr;
  for (const DlpackRow& r : dlpack_types)
    if (r.type == t.scalar_type()) row = &r;
  if (!row) throw Error(Code::dtype, "DLPack has no name for this dtype");
  auto e = std::make_unique<Exported<Managed>>();
  e->tensor = t;
  e->shape = t.sizes().vec();
  e->strides = t.strides().vec();
  DLTensor& dl = e->managed.dl_tensor;
  dl = {first, {cpu, 0}, static_cast<int32_t>(t.dim()), row->dl, e->shape.data(), e->strides.data(), 0};
  e->managed.manager_ctx = e.get();
  e->managed.deleter = [](Managed* m) { delete static_cast<Exported<Managed>*>(m->manager_ctx); };
  return &e.release()->managed;
}

// Runs the producer's deleter once, whatever happens.
template <class Managed>
std::shared_ptr<const void> own(Managed* m) {
  return {static_cast<const void*>(m), [m](const void*) {
            if (m->deleter) m->deleter(m);
          }};
}

at::Tensor import_tensor(const DLTensor& dl, std::shared_ptr<const void> owner, Access access) {
  if (dl.device.device_type != cpu && dl.device.device_type != cuda_host)
    throw Error(Code::device,
                "DLPack device type " + std::to_string(dl.device.device_type) + " is not in this process's memory")
        .hint("copy the data to the CPU first");
  const DlpackRow* row = nullptr;
  for (const DlpackRow& r : dlpack_types)
    if (r.dl.code == dl.dtype.code && r.dl.bits == dl.dtype.bits && dl.dtype.lanes == 1) row = &r;
  if (!row)
    throw Error(Code::dtype, "DLPack type code " + std::to_string(dl.dtype.code) + " with " +
                                 std::to_string(dl.dtype.bits) + " bits and " + std::to_string(dl.dtype.lanes) +
                                 " lanes is not supported");
  if (dl.ndim < 0 || dl.ndim > 64 || (dl.ndim > 0 && !dl.shape))
    throw Error(Code::shape, "the number of dims is negative or more than 64, or the shape is missing");
  auto n = static_cast<size_t>(dl.ndim);
  at::IntArrayRef strides = dl.strides ? at::IntArrayRef(dl.strides, n) : at::IntArrayRef();
  char* first = static_cast<char*>(dl.data);
  return from_memory(first ? first + dl.byte_offset : nullptr, row->type, {dl.shape, n}, strides, std::move(owner),
                     access);
}

}  // namespace

DLManagedTensorVersioned* to_dlpack(const at::Tensor& t) {
  DLManagedTensorVersioned* m = export_tensor<DLManagedTensorVersioned>(t);
  m->major = 1;
  m->minor = 0;
  m->flags = read_only(t) ? read_only_flag : 0;
  return m;
}

DLManagedTensor* to_dlpack_unversioned(const at::Tensor& t) {
  check_writable(t);  // this form cannot tell the receiver
  return export_tensor<DLManagedTensor>(t);
}

at::Tensor from_dlpack(DLManagedTensorVersioned* m) {
  std::shared_ptr<const void> owner = own(m);
  if (m->major != 1)
    throw Error(Code::version, "DLPack " + std::to_string(m->major) + "." + std::to_string(m->minor) +
                                   " is not supported; this library reads 1.x");
  return import_tensor(m->dl_tensor, std::move(owner),
                       m->flags & read_only_flag ? Access::read_only : Access::read_write);
}

at::Tensor from_dlpack(DLManagedTensor* m) {
  return import_tensor(m->dl_tensor, own(m), Access::read_write);
}

}  // namespace td
