// How to save, as callers say it.
#pragma once

#include "capi/callback.h"
#include "core/storage/storage.h"

namespace td::capi {

storage::Format format(td_format given);
storage::Mode open_mode(td_open_mode given);

// The caller's progress function, and the only owner of its userdata. Options that are not understood have none.
class ProgressCallback {
 public:
  explicit ProgressCallback(const td_save_options* given) noexcept {
    if (const td_progress* progress = progress_of(given)) callback_.emplace(progress, "progress");
  }

  storage::Progress function() const {
    if (!callback_) return nullptr;
    callback_->check();
    if (!(*callback_)->fn) return nullptr;
    return [this](int64_t done, int64_t total) { (*callback_)("the progress function", done, total); };
  }

 private:
  static const td_progress* progress_of(const td_save_options* given) noexcept {
    return guard_value<const td_progress*>(nullptr, [&] { return options(given).progress; });
  }

  optional<Owned<td_progress>> callback_;
};

storage::SaveOptions save_options(const td_save_options* given, const ProgressCallback& progress);

}  // namespace td::capi
