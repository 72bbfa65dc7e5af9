#include "core/storage/storage.h"
#include "core/storage/formats.h"

#include "capi/storage/storage_options.h"

using namespace td;
using namespace td::capi;

namespace {

storage::Compression compression(td_compression given) {
  if (given < TD_COMPRESSION_NONE || given > TD_COMPRESSION_LZMA)
    throw Error(Code::argument, "unknown compression " + std::to_string(given));
  return static_cast<storage::Compression>(given);
}
static_assert(static_cast<int>(storage::Compression::lzma) == TD_COMPRESSION_LZMA, "the numbers are the same");

}  // namespace

namespace td::capi {

storage::Mode open_mode(td_open_mode given) {
  switch (given) {
    case TD_OPEN_READ:
      return storage::Mode::read;
    case TD_OPEN_COW:
      return storage::Mode::copy_on_write;
    case TD_OPEN_READ_WRITE:
      return storage::Mode::read_write;
    default:
      throw Error(Code::argument, "unknown open mode " + std::to_string(given));
  }
}

storage::Format format(td_format given) {
  if (given < TD_FORMAT_AUTO || given > TD_FORMAT_TORCH_SAVE)
    throw Error(Code::argument, "unknown format " + std::to_string(given));
  return static_cast<storage::Format>(given);
}
static_assert(static_cast<int>(storage::Format::torch_save) == TD_FORMAT_TORCH_SAVE, "the numbers are the same");

storage::SaveOptions save_options(const td_save_options* given, const ProgressCallback& progress) {
  td_save_options o = options(given);
  storage::SaveOptions how;
  how.overwrite = o.overwrite != 0;
  how.sync = o.sync != 0;
  how.threads = o.threads;
  how.progress = progress.function();
  how.format = format(o.format);
  how.compression = compression(o.compression);
  return how;
}

}  // namespace td::capi

td_str td_format_name(td_format given) noexcept {
  return view(guard_value("?", [&] { return given == TD_FORMAT_AUTO ? "?" : storage::format_name(format(given)); }));
}

td_status td_format_detect(td_str path, td_format* result, td_error** err) noexcept {
  return guard(err, [&] {
    td_format& slot = out(result);
    slot = static_cast<td_format>(storage::format_of(text(path, "path")));
  });
}

td_status td_format_of_ending(td_str path, td_format* result, td_error** err) noexcept {
  return guard(err, [&] {
    td_format& slot = out(result);
    slot = static_cast<td_format>(storage::format_to_save(text(path, "path"), storage::Format::automatic));
  });
}

td_status td_open(td_str path, const td_open_options* given, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    td_open_options o = options(given);
    Path part = o.part ? paths(o.part, 1, "part")[0] : Path();
    give(result, storage::open(text(path, "path"),
                               {open_mode(o.mode), format(o.format), o.lenient != 0, o.trusted != 0, std::move(part)}));
  });
}

td_status td_save(const td_dict* self, td_str path, const td_save_options* given, td_error** err) noexcept {
  ProgressCallback progress(given);
  return guard(err, [&] { storage::save(ref(self), text(path, "path"), save_options(given, progress)); });
}
