#include "capi/convert.h"
#include "core/tensor/dlpack.h"

using namespace td::capi;

td_status td_tensor_to_dlpack(const td_tensor* self, DLManagedTensorVersioned** out_managed, td_error** err) noexcept {
  return guard(err, [&] {
    DLManagedTensorVersioned*& managed = out(out_managed);
    managed = td::to_dlpack(tensor(self));
  });
}

td_status td_tensor_to_dlpack_unversioned(const td_tensor* self, DLManagedTensor** out_managed,
                                          td_error** err) noexcept {
  return guard(err, [&] {
    DLManagedTensor*& managed = out(out_managed);
    managed = td::to_dlpack_unversioned(tensor(self));
  });
}

td_status td_tensor_from_dlpack(DLManagedTensorVersioned* managed, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    if (!managed) throw_null("managed");
    give(out_tensor, td::from_dlpack(managed));
  });
}

td_status td_tensor_from_dlpack_unversioned(DLManagedTensor* managed, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    if (!managed) throw_null("managed");
    give(out_tensor, td::from_dlpack(managed));
  });
}
