// Equality of dicts and of tensors.
#include "core/math/equal.h"
#include "capi/convert.h"

using namespace td::capi;

namespace {

td::Tolerance tolerance(const td_equal_options* given) {
  td_equal_options o = options(given);
  return {o.relative, o.absolute, o.equal_nan != 0};
}

void tell(const td::optional<std::string>& difference, td_bool* out_equal, td_string** out_difference) {
  td_bool& equal = out(out_equal);
  if (out_difference) *out_difference = difference ? own_string(*difference) : nullptr;
  equal = !difference;
}

}  // namespace

td_status td_tensor_equal(const td_tensor* self, const td_tensor* other, const td_equal_options* given,
                          td_bool* out_equal, td_string** out_difference, td_error** err) noexcept {
  return guard(err,
               [&] { tell(td::difference(tensor(self), tensor(other), tolerance(given)), out_equal, out_difference); });
}

td_status td_dict_equal(const td_dict* self, const td_dict* other, const td_equal_options* given, td_bool* out_equal,
                        td_string** out_difference, td_error** err) noexcept {
  return guard(err, [&] { tell(td::difference(ref(self), ref(other), tolerance(given)), out_equal, out_difference); });
}
