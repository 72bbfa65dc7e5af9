// Dicts after the example of another, and dicts that take over what another is.
#include "capi/convert.h"
#include "capi/value.h"
#include "core/dict/change/become.h"
#include "core/dict/data/plain.h"
#include "core/dict/factory.h"
#include "core/dict/new_tensor.h"
#include "core/tensor/dtype.h"
#include "core/tensor/factory.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

td::optional<at::ScalarType> type_or_same(td_dtype dtype) {
  if (dtype == TD_DTYPE_NONE) return td::nullopt;
  return td::scalar_type(dtype);
}

template <class T>
at::Tensor list_of(const T* values, at::ScalarType type, size_t n) {
  if (n > 0 && !values) throw_null("the numbers");
  return td::copy_of(values, type, {static_cast<int64_t>(n)});
}

// Undefined for a value that is no number.
at::Tensor numbers_of(const td_value& v) {
  switch (v.kind) {
    case TD_VALUE_INT:
      return td::copy_of(&v.as.i, at::kLong, {});
    case TD_VALUE_DOUBLE:
      return td::copy_of(&v.as.f, at::kDouble, {});
    case TD_VALUE_BOOL: {
      bool truth = v.as.i != 0;
      return td::copy_of(&truth, at::kBool, {});
    }
    case TD_VALUE_INTS:
      return list_of(v.as.ints, at::kLong, v.size);
    case TD_VALUE_DOUBLES:
      return list_of(v.as.doubles, at::kDouble, v.size);
    case TD_VALUE_BOOLS:
      return list_of(v.as.bools, at::kByte, v.size).to(at::kBool);
    default:
      return {};
  }
}

}  // namespace

td_status td_dict_new_empty(const td_dict* self, const int64_t* sizes, size_t ndim, td_dtype dtype, td_dict** out_dict,
                            td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::new_empty(ref(self), dims(sizes, ndim), type_or_same(dtype))); });
}

td_status td_dict_new_full(const td_dict* self, const int64_t* sizes, size_t ndim, const td_value* value,
                           td_dtype dtype, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    give(out_dict, td::new_full(ref(self), dims(sizes, ndim), number(value, "value"), type_or_same(dtype)));
  });
}

td_status td_dict_new_tensor(const td_dict* self, const td_value* data, const td_new_tensor_options* given_options,
                             td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    if (!data) throw_null("data");
    td_new_tensor_options o = options(given_options);
    td::NewTensorOptions how;
    how.type = type_or_same(o.dtype);
    if (given(o.device)) how.device = td::parse_device(std::string(text(o.device, "device")));
    how.requires_grad = o.requires_grad != 0;
    if (data->kind == TD_VALUE_DICT) return give(out_dict, td::new_tensor(ref(self), ref(data->as.dict), how));
    if (data->kind == TD_VALUE_TENSOR) return give(out_dict, td::new_tensor(ref(self), tensor(data->as.tensor), how));
    at::Tensor numbers = numbers_of(*data);
    if (!numbers.defined())
      throw td::Error(td::Code::argument,
                      "a value of kind " + std::to_string(data->kind) + " cannot be the data of a tensor")
          .hint("use a tensor, a dict or numbers");
    how.numbers = true;
    give(out_dict, td::new_tensor(ref(self), numbers, how));
  });
}

td_status td_dict_to_tensordict(const td_dict* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::plain_copy(ref(self))); });
}

td_status td_dict_become(td_dict* self, const td_dict* other, td_error** err) noexcept {
  return guard(err, [&] { td::become(ref(self), ref(other)); });
}
