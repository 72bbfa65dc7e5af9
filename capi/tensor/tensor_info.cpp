// What there is to know of a tensor in one call, and the names of dtypes.
#include "capi/convert.h"
#include "core/tensor/device_name.h"
#include "core/tensor/dtype.h"
#include "core/tensor/memory.h"
#include "core/tensor/stored.h"
#include "core/text/tensor_repr.h"

using namespace td::capi;

namespace {

td_dtype stored_or_own(const at::Tensor& t) {
  const int32_t kept = td::stored_dtype(t);
  return kept != 0 ? kept : td::dtype_code(t.scalar_type());
}

}  // namespace

td_dtype td_tensor_stored_dtype(const td_tensor* self) noexcept {
  if (!self) return TD_DTYPE_NONE;
  return guard_value<td_dtype>(TD_DTYPE_NONE, [&] { return stored_or_own(tensor(self)); });
}

td_status td_tensor_info(const td_tensor* self, td_tensor_facts* out_facts, td_error** err) noexcept {
  return guard_look(err, [&] {
    const at::Tensor& t = tensor(self);
    td_tensor_facts facts = TD_TENSOR_FACTS_INIT;
    const bool strided = t.layout() == at::kStrided;
    facts.dtype = td::dtype_code(t.scalar_type());
    facts.stored_dtype = stored_or_own(t);
    auto flag = [&](bool set, unsigned which) { facts.flags |= set ? which : 0u; };
    flag(t.is_contiguous(), TD_TENSOR_CONTIGUOUS);
    flag(td::read_only(t), TD_TENSOR_READ_ONLY);
    flag(t.requires_grad(), TD_TENSOR_REQUIRES_GRAD);
    flag(strided, TD_TENSOR_STRIDED);
    facts.ndim = t.sizes().size();
    facts.sizes = t.sizes().data();
    if (strided) facts.strides = t.strides().data();
    facts.numel = t.numel();
    facts.itemsize = static_cast<int64_t>(t.element_size());
    facts.data = td::data_or_null(t);
    facts.device = view(td::device_name(t.device()));
    report(out_facts, facts);
  });
}

td_status td_tensor_repr(const td_tensor* self, td_string** out_text, td_error** err) noexcept {
  return guard(err, [&] { give(out_text, td::tensor_repr(tensor(self))); });
}

td_str td_dtype_name(td_dtype dtype) noexcept {
  return view(td::dtype_name(dtype));
}

int64_t td_dtype_size(td_dtype dtype) noexcept {
  return td::dtype_size(dtype);
}

td_status td_dtype_from_name(td_str name, td_dtype* out_dtype, td_error** err) noexcept {
  return guard_look(err, [&] { out(out_dtype) = td::dtype_code(td::scalar_type_named(text(name, "name"))); });
}
