// Versions, features and what concerns the whole process.
#include "capi/callback.h"
#include "core/build_info.h"
#include "core/tensor/fast.h"

using namespace td::capi;

#define TD_TEXT_(x) #x
#define TD_QUOTE(x) TD_TEXT_(x)

td_str td_version(void) noexcept {
  return view(TD_QUOTE(TD_VERSION_MAJOR) "." TD_QUOTE(TD_VERSION_MINOR) "." TD_QUOTE(TD_VERSION_PATCH));
}
int32_t td_abi_version(void) noexcept {
  return TD_ABI_MAJOR;
}

td_status td_build_info(td_string** out_info, td_error** err) noexcept {
  return guard(err, [&] { give(out_info, td::build_info(td_version().data, TD_ABI_MAJOR)); });
}

td_bool td_has_feature(td_str name) noexcept {
  return guard_value<td_bool>(0, [&] { return td_bool(td::has_feature(text(name, "name"))); });
}

static_assert(td::live::kinds == TD_OBJECT_WORK + 1, "a kind of object that the counters do not know");
static_assert(td::live::mapping == TD_OBJECT_MAPPING, "the counter of mappings has the header's number");

int64_t td_live_objects(td_object_kind kind) noexcept {
  return kind < 0 || kind >= td::live::kinds ? -1 : td::live::count(kind);
}

int64_t td_live_bytes(void) noexcept {
  return td::live::mapped_bytes();
}

td_status td_set_fast_level(td_fast_level level, td_error** err) noexcept {
  return guard(err, [&] {
    if (level < TD_FAST_NONE || level > TD_FAST_ARENA)
      throw td::Error(td::Code::argument, "unknown level " + std::to_string(level));
    td::fast::set_level(static_cast<td::fast::Level>(level));
  });
}

td_fast_level td_get_fast_level(void) noexcept {
  return static_cast<td_fast_level>(td::fast::level());
}

int32_t td_get_num_threads(void) noexcept {
  return guard_value<int32_t>(0, [] { return td::num_threads(); });
}

td_status td_set_num_threads(int32_t n, td_error** err) noexcept {
  return guard(err, [&] { td::set_num_threads(n); });
}

td_status td_set_warning_callback(const td_warning_function* function, td_error** err) noexcept {
  if (!function) return guard(err, [&] { td::set_warning_sink({}); });
  Owned<td_warning_function> owned(function, "function");
  return guard(err, [&] {
    auto shared = shared_callback(std::move(owned));
    td::set_warning_sink([shared](const std::string& text, const std::string& where) {
      (*shared)->fn((*shared)->userdata, view(text), view(where));
    });
  });
}

void td_after_fork(void) noexcept {
  guard(nullptr, [&] { td::after_fork(); });
}
