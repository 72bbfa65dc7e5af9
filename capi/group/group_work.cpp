#include "capi/convert.h"
#include "capi/group/transfer.h"
#include "capi/shared/waits.h"

using namespace td;
using namespace td::capi;

td_status td_dict_isend(const td_dict* self, const td_group* group, int32_t dst, const td_transfer_options* given,
                        td_work** result, td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    give(result, ref(group).begin_send(ref(self), dst, transfer(given)));
  });
}

td_status td_dict_irecv(td_dict* self, const td_group* group, int32_t src, const td_transfer_options* given,
                        td_work** result, td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    give(result, ref(group).begin_receive(share(self), src, transfer(given)));
  });
}

td_status td_work_wait(const td_work* self, int64_t timeout_ms, const td_cancel* cancel, td_error** err) noexcept {
  return guard(err, [&] { ref(self).wait(timeout_ms, flag_of(cancel)); });
}

td_bool td_work_done(const td_work* self) noexcept {
  return self && ref(self).done();
}

void td_work_retain(const td_work* self) noexcept {
  retain(self);
}
void td_work_release(const td_work* self) noexcept {
  release(self);
}
