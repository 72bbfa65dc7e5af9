#include "core/storage/storage.h"

#include "capi/convert.h"
#include "core/tensor/factory.h"

using namespace td;
using namespace td::capi;

namespace {

storage::Mode mode(td_open_mode given) {
  switch (given) {
    case TD_MODE_READ:
      return storage::Mode::read;
    case TD_MODE_COW:
      return storage::Mode::copy_on_write;
    case TD_MODE_READ_WRITE:
      return storage::Mode::read_write;
    default:
      throw Error(Code::argument, "unknown open mode " + std::to_string(given));
  }
}

storage::Format format(td_format given) {
  if (given < TD_FORMAT_AUTO || given > TD_FORMAT_SAFETENSORS)
    throw Error(Code::argument, "unknown format " + std::to_string(given));
  return static_cast<storage::Format>(given);
}
static_assert(static_cast<int>(storage::Format::safetensors) == TD_FORMAT_SAFETENSORS, "the numbers are the same");

storage::Compression compression(td_compression given) {
  if (given != TD_COMPRESSION_NONE && given != TD_COMPRESSION_DEFLATE)
    throw Error(Code::argument, "unknown compression " + std::to_string(given));
  return static_cast<storage::Compression>(given);
}

// The caller's progress function, and the only owner of its userdata.
class ProgressCallback {
 public:
  explicit ProgressCallback(const td_save_options* given) {
    if (given && given->struct_size > offsetof(td_save_options, progress) && given->progress) call_ = *given->progress;
  }
  ProgressCallback(const ProgressCallback&) = delete;
  ProgressCallback& operator=(const ProgressCallback&) = delete;
  ~ProgressCallback() {
    if (call_.destroy) call_release(call_.destroy, call_.userdata);
  }

  storage::Progress function() const {
    if (!call_.fn) return nullptr;
    return [this](int64_t done, int64_t total) { tell(done, total); };
  }

 private:
  void tell(int64_t done, int64_t total) const {
    td_error* error = nullptr;
    td_status status;
    try {
      status = call_.fn(call_.userdata, done, total, &error);
    } catch (...) {
      td_error_release(error);
      throw Error(Code::callback, "an exception left the progress function: " + current_error().message());
    }
    if (status != TD_OK) throw_foreign(Code::callback, status, error, "the progress function");
    td_error_release(error);
  }

  td_progress call_ = {nullptr, nullptr, nullptr};
};

}  // namespace

const char* td_format_name(td_format given) noexcept {
  return guard_value("?", [&] { return given == TD_FORMAT_AUTO ? "?" : storage::format_name(format(given)); });
}

td_status td_format_detect(td_str path, td_format* result, td_error** err) noexcept {
  return guard(err, [&] {
    td_format& slot = out(result);
    slot = static_cast<td_format>(storage::format_of(text(path, "path")));
  });
}

td_status td_open(td_str path, const td_open_options* given, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    td_open_options o = options(given, td_open_options TD_OPEN_OPTIONS_INIT);
    give(result, storage::open(text(path, "path"), {mode(o.mode), format(o.format), o.lenient != 0}));
  });
}

td_status td_save(const td_dict* self, td_str path, const td_save_options* given, td_error** err) noexcept {
  ProgressCallback progress(given);
  return guard(err, [&] {
    td_save_options o = options(given, td_save_options TD_SAVE_OPTIONS_INIT);
    storage::SaveOptions how;
    how.overwrite = o.overwrite != 0;
    how.sync = o.sync != 0;
    how.threads = o.threads;
    how.progress = progress.function();
    how.format = format(o.format);
    how.compression = compression(o.compression);
    storage::save(ref(self), text(path, "path"), how);
  });
}
