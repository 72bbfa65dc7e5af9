// How to save, as callers say it.
#pragma once

#include "capi/convert.h"
#include "core/storage/storage.h"
#include "core/tensor/factory.h"

namespace td::capi {

storage::Format format(td_format given);
storage::Mode open_mode(td_open_mode given);

// The caller's progress function, and the only owner of its userdata.
class ProgressCallback {
 public:
  explicit ProgressCallback(const td_save_options* given) {
    if (known(given) && given->progress) call_ = *given->progress;
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
  static bool known(const td_save_options* given) {
    return given && given->struct_size >= offsetof(td_save_options, format) && given->struct_size <= 65536;
  }

  void tell(int64_t done, int64_t total) const {
    td_error* error = nullptr;
    td_status status;
    try {
      status = call_.fn(call_.userdata, done, total, &error);
    } catch (...) {
      td_error_release(error);
      throw_escaped("the progress function");
    }
    if (status != TD_OK) throw_foreign(Code::callback, status, error, "the progress function");
    td_error_release(error);
  }

  td_progress call_ = {nullptr, nullptr, nullptr};
};

storage::SaveOptions save_options(const td_save_options* given, const ProgressCallback& progress);

}  // namespace td::capi
