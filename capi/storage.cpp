#include "core/storage/storage.h"

#include "capi/convert.h"

using namespace td;
using namespace td::capi;

namespace {

storage::Mode mode(td_open_mode given) {
  switch (given) {
    case TD_MODE_READ:
      return storage::Mode::read;
    case TD_MODE_COW:
      return storage::Mode::copy_on_write;
    default:
      throw Error(Code::argument, "unknown open mode " + std::to_string(given));
  }
}

}  // namespace

td_status td_open(td_str path, const td_open_options* given, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_dict*& slot = out(result);
    td_open_options o = options(given, td_open_options TD_OPEN_OPTIONS_INIT);
    slot = own<td_dict>(storage::open(text(path, "path"), mode(o.mode)));
  });
}

td_status td_save(const td_dict* self, td_str path, const td_save_options* given, td_error** err) noexcept {
  return guard(err, [&] {
    td_save_options o = options(given, td_save_options TD_SAVE_OPTIONS_INIT);
    storage::save(ref(self), text(path, "path"), {o.overwrite != 0, o.sync != 0});
  });
}
