// Tensors: from memory, new ones, accessors, copies, and lists of them.
#include "capi/convert.h"
#include "capi/value.h"
#include "core/shm/shared_memory.h"
#include "core/tensor/dtype.h"
#include "core/tensor/factory.h"
#include "core/tensor/generator.h"
#include "core/tensor/memory.h"
#include "core/tensor/stored.h"

using namespace td::capi;

namespace {

at::ScalarType type_or_float(td_dtype dtype) {
  return dtype == TD_DTYPE_NONE ? at::kFloat : td::scalar_type(dtype);
}

std::string device_or_cpu(td_str device) {
  return given(device) ? std::string(text(device, "device")) : "cpu";
}

}  // namespace

td_status td_tensor_from_memory(void* data, td_dtype dtype, const int64_t* sizes, size_t ndim, const int64_t* strides,
                                td_release_fn release_fn, void* owner, td_tensor** out_tensor,
                                td_error** err) noexcept {
  return guard(err, [&] {
    auto owned = owner_of(release_fn, owner);
    at::IntArrayRef shape = dims(sizes, ndim);
    give(out_tensor, td::from_memory(data, td::scalar_type(dtype), shape,
                                     strides ? at::IntArrayRef(strides, ndim) : at::IntArrayRef(), std::move(owned)));
  });
}

td_status td_tensor_copy_from(const void* data, td_dtype dtype, const int64_t* sizes, size_t ndim,
                              td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, td::copy_of(data, td::scalar_type(dtype), dims(sizes, ndim))); });
}

td_status td_tensor_empty(const int64_t* sizes, size_t ndim, td_dtype dtype, td_str device, td_tensor** out_tensor,
                          td_error** err) noexcept {
  return guard(err,
               [&] { give(out_tensor, td::empty(dims(sizes, ndim), type_or_float(dtype), device_or_cpu(device))); });
}

td_status td_tensor_zeros(const int64_t* sizes, size_t ndim, td_dtype dtype, td_str device, td_tensor** out_tensor,
                          td_error** err) noexcept {
  return guard(err,
               [&] { give(out_tensor, td::full(dims(sizes, ndim), 0, type_or_float(dtype), device_or_cpu(device))); });
}

td_status td_tensor_full(const int64_t* sizes, size_t ndim, const td_value* value, td_dtype dtype, td_str device,
                         td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    give(out_tensor, td::full(dims(sizes, ndim), number(value, "value"), type_or_float(dtype), device_or_cpu(device)));
  });
}

td_status td_tensor_randn(const int64_t* sizes, size_t ndim, td_dtype dtype, td_str device, td_generator* generator,
                          td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    give(out_tensor, td::randn(dims(sizes, ndim), type_or_float(dtype), device_or_cpu(device),
                               generator ? &ref(generator) : nullptr));
  });
}

void td_tensor_retain(const td_tensor* self) noexcept {
  if (self) own(at::Tensor(tensor(self)));
}

void td_tensor_release(const td_tensor* self) noexcept {
  adopt(const_cast<td_tensor*>(self));
}

size_t td_tensor_ndim(const td_tensor* self) noexcept {
  if (!self) return 0;
  return guard_value<size_t>(0, [&] { return static_cast<size_t>(tensor(self).dim()); });
}

size_t td_tensor_shape(const td_tensor* self, int64_t* out_dims, size_t capacity) noexcept {
  if (!self) return 0;
  return guard_value<size_t>(0, [&] { return fill(tensor(self).sizes(), out_dims, capacity); });
}

size_t td_tensor_strides(const td_tensor* self, int64_t* out_dims, size_t capacity) noexcept {
  if (!self) return 0;
  return guard_value<size_t>(0, [&] {
    const at::Tensor& t = tensor(self);
    return t.layout() == at::kStrided ? fill(t.strides(), out_dims, capacity) : 0;
  });
}

int64_t td_tensor_numel(const td_tensor* self) noexcept {
  if (!self) return 0;
  return guard_value<int64_t>(0, [&] { return tensor(self).numel(); });
}

int64_t td_tensor_itemsize(const td_tensor* self) noexcept {
  if (!self) return 0;
  return guard_value<int64_t>(0, [&] { return static_cast<int64_t>(tensor(self).element_size()); });
}

int64_t td_tensor_nbytes(const td_tensor* self) noexcept {
  return td_tensor_numel(self) * td_tensor_itemsize(self);
}

td_dtype td_tensor_dtype(const td_tensor* self) noexcept {
  if (!self) return TD_DTYPE_NONE;
  return guard_value<td_dtype>(TD_DTYPE_NONE, [&] { return td::dtype_code(tensor(self).scalar_type()); });
}

td_str td_tensor_device(const td_tensor* self) noexcept {
  return self ? device_text(tensor(self).device()) : td_str{NULL, 0};
}

td_bool td_tensor_is_contiguous(const td_tensor* self) noexcept {
  if (!self) return 0;
  return guard_value<td_bool>(0, [&] { return td_bool(tensor(self).is_contiguous()); });
}

td_bool td_tensor_is_read_only(const td_tensor* self) noexcept {
  return guard_value<td_bool>(0, [&] { return td_bool(td::read_only(tensor(self))); });
}

td_bool td_tensor_is_shared(const td_tensor* self) noexcept {
  return guard_value<td_bool>(0, [&] { return td_bool(td::shm::is_shared(tensor(self))); });
}

td_status td_tensor_data(const td_tensor* self, const void** out_view, td_error** err) noexcept {
  return guard(err, [&] { out(out_view) = td::data(tensor(self)); });
}

td_status td_tensor_mutable_data(td_tensor* self, void** out_view, td_error** err) noexcept {
  return guard(err, [&] {
    td::check_writable(tensor(self));
    out(out_view) = const_cast<void*>(td::data(tensor(self)));
  });
}

td_status td_tensor_clone(const td_tensor* self, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, td::clone_tensor(tensor(self))); });
}

td_status td_tensor_contiguous(const td_tensor* self, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, tensor(self).contiguous()); });
}

td_status td_tensor_to(const td_tensor* self, td_dtype dtype, td_str device, td_tensor** out_tensor,
                       td_error** err) noexcept {
  return guard(err, [&] {
    const at::Tensor& t = tensor(self);
    at::ScalarType type = dtype == TD_DTYPE_NONE ? t.scalar_type() : td::scalar_type(dtype);
    c10::Device target = given(device) ? td::parse_device(std::string(text(device, "device"))) : t.device();
    give(out_tensor, t.to(target, type));
  });
}

td_status td_tensor_copy_(td_tensor* self, const td_tensor* src, td_error** err) noexcept {
  return guard(err, [&] { td::copy_values(tensor(self), tensor(src)); });
}

td_status td_tensor_item(const td_tensor* self, td_value* out_value, td_error** err) noexcept {
  return guard(err, [&] {
    const at::Tensor& t = tensor(self);
    td_value& v = out(out_value);
    if (t.numel() != 1)
      throw td::Error(td::Code::shape, "cannot take the item of a tensor of shape " + td::to_string(t.sizes()))
          .hint("it must have one element");
    v = scalar_value(t.item(), td::dtype_code(t.scalar_type()) == TD_DTYPE_UINT64);
  });
}

size_t td_tensor_list_size(const td_tensor_list* self) noexcept {
  return self ? ref(self).tensors.size() : 0;
}

td_status td_tensor_list_get(const td_tensor_list* self, int64_t index, td_tensor** out_tensor,
                             td_error** err) noexcept {
  return guard(err, [&] {
    const auto& list = ref(self).tensors;
    give(out_tensor, list[position(index, list.size(), "tensor")]);
  });
}

td_status td_tensor_list_view(const td_tensor_list* self, td_tensor* const** out_view, size_t* out_size,
                              td_error** err) noexcept {
  return guard_look(err, [&] { give_view(ref(self).handles, out_view, out_size); });
}

void td_tensor_list_retain(const td_tensor_list* self) noexcept {
  retain(self);
}
void td_tensor_list_release(const td_tensor_list* self) noexcept {
  release(self);
}
