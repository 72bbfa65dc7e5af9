#include "capi/convert.h"
#include "capi/lists.h"
#include "core/group/group.h"

using namespace td;
using namespace td::capi;

namespace {

group::Reduction reduction(td_group_reduction r) {
  switch (r) {
    case TD_GROUP_REDUCTION_SUM:
      return group::Reduction::sum;
    case TD_GROUP_REDUCTION_PRODUCT:
      return group::Reduction::product;
    case TD_GROUP_REDUCTION_MIN:
      return group::Reduction::min;
    case TD_GROUP_REDUCTION_MAX:
      return group::Reduction::max;
  }
  throw Error(Code::argument, "there is no reduction " + std::to_string(r));
}

}  // namespace

td_status td_dict_broadcast(const td_dict* self, const td_group* group, int32_t src, td_dict** result,
                            td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    give(result, ref(group).broadcast(self ? &ref(self) : nullptr, src));
  });
}

td_status td_dict_all_reduce(td_dict* self, const td_group* group, const td_group_reduce_options* given,
                             td_error** err) noexcept {
  return guard(err, [&] {
    const td_group_reduce_options o = options(given);
    ref(group).all_reduce(ref(self), reduction(o.reduction), o.bucket_bytes);
  });
}

td_status td_dict_reduce_to(td_dict* self, const td_group* group, int32_t dst, const td_group_reduce_options* given,
                            td_error** err) noexcept {
  return guard(err, [&] {
    const td_group_reduce_options o = options(given);
    ref(group).reduce(ref(self), dst, reduction(o.reduction), o.bucket_bytes);
  });
}

td_status td_dict_all_gather(const td_dict* self, const td_group* group, td_dict_list** result,
                             td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    give_list(result, ref(group).all_gather(ref(self)));
  });
}

td_status td_dict_gather_and_stack(td_dict* self, const td_group* group, int32_t dst, td_error** err) noexcept {
  return guard(err, [&] { ref(group).gather_and_stack(ref(self), dst); });
}
