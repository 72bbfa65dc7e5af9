// Arrays of records as dicts, and back.
#include "capi/convert.h"
#include "core/dict/struct_array.h"
#include "core/tensor/dtype.h"

using namespace td::capi;

namespace {

std::vector<td::RecordField> record_fields(const td_field* fields, size_t n) {
  if (n > 0 && !fields) throw_null("fields");
  std::vector<td::RecordField> out;
  for (size_t i = 0; i < n; ++i) {
    const td_field& f = fields[i];
    if (f.reserved != 0) throw td::Error(td::Code::argument, "the member reserved of a td_field is not 0");
    td::Path path{td::PathView(KeyArg(f.key))};
    out.push_back({std::move(path), td::scalar_type(f.dtype), dims(f.dims, f.ndim), f.offset});
  }
  return out;
}

}  // namespace

td_status td_dict_from_struct_array(void* data, size_t itemsize, const int64_t* batch_size, size_t ndim,
                                    const td_field* fields, size_t n, td_release_fn release_fn, void* owner,
                                    td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    auto owned = owner_of(release_fn, owner);
    give(out_dict,
         td::from_struct_array(data, itemsize, dims(batch_size, ndim), record_fields(fields, n), std::move(owned)));
  });
}

td_status td_dict_to_struct_array(const td_dict* self, const td_field* fields, size_t n, size_t itemsize, void* data,
                                  size_t size, td_error** err) noexcept {
  return guard(err, [&] { td::to_struct_array(ref(self), record_fields(fields, n), itemsize, data, size); });
}
