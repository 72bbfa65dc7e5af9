#include "core/dict/consolidate.h"

#include "capi/convert.h"

using namespace td;
using namespace td::capi;

td_status td_dict_consolidate(const td_dict* self, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    give(result, consolidate(ref(self)));
  });
}
