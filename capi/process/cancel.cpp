#include "capi/convert.h"
#include "core/shm/channel.h"

using namespace td::capi;

td_status td_cancel_new(td_cancel** out_cancel, td_error** err) noexcept {
  return guard(err, [&] { give(out_cancel, c10::make_intrusive<td::Cancel>()); });
}

void td_cancel_request(const td_cancel* self) noexcept {
  if (self) ref(self).flag.request();
}

td_bool td_cancel_requested(const td_cancel* self) noexcept {
  return self && ref(self).flag.requested();
}

void td_cancel_retain(const td_cancel* self) noexcept {
  retain(self);
}
void td_cancel_release(const td_cancel* self) noexcept {
  release(self);
}
