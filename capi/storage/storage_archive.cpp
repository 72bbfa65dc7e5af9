#include "core/storage/archive/archive.h"

#include "capi/convert.h"
#include "core/system/file.h"

using namespace td;
using namespace td::capi;

td_status td_archive_verify(td_str path, td_error** err) noexcept {
  return guard(err, [&] { storage::verify_archive(storage::checked_path(text(path, "path"))); });
}

td_status td_archive_refresh_checksums(td_str path, td_error** err) noexcept {
  return guard(err, [&] { storage::refresh_checksums(storage::checked_path(text(path, "path"))); });
}
