#include "core/tensor/dlpack.h"
#include "capi/convert.h"

using namespace td::capi;

td_status td_tensor_to_dlpack(const td_tensor* self, DLManagedTensorVersioned** out_managed, td_error** err) noexcept {
  return guard(err, [&] { out(out_managed) = td::to_dlpack(tensor(self)); });
}

td_status td_tensor_to_dlpack_unversioned(const td_tensor* self, DLManagedTensor** out_managed,
                                          td_error** err) noexcept {
  return guard(err, [&] { out(out_managed) = td::to_dlpack_unversioned(tensor(self)); });
}

td_status td_tensor_from_dlpack(DLManagedTensorVersioned* managed, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    if (!managed) throw_null("managed");
    at::Tensor t = td::from_dlpack(managed);
    out(out_tensor) = own(std::move(t));
  });
}

td_status td_tensor_from_dlpack_unversioned(DLManagedTensor* managed, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    if (!managed) throw_null("managed");
    at::Tensor t = td::from_dlpack(managed);
    out(out_tensor) = own(std::move(t));
  });
}
