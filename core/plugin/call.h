// The one way in which the host calls a function of a plugin: whatever happens inside becomes an Error that names it.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/plugin/border.h"

namespace td::plugin {

namespace detail {

// An exception that the plugin's own function threw inside host().parallel_for, which may not let it pass.
std::exception_ptr& escaped() noexcept;  // of this thread

// Inside a catch block.
[[noreturn]] void throw_escaped(td_error* err, const std::string& where);

}  // namespace detail

// `body(td_error**)` calls the plugin and returns its status; `where` is the id of the type.
//   call("td.linear", [&](td_error** err) { return table.forward(self, ..., err); });
template <class F>
void call(const std::string& where, F&& body) {
  td_error* err = nullptr;
  td_status status = TD_OK;
  detail::escaped() = nullptr;
  try {
    status = body(&err);
    if (detail::escaped()) std::rethrow_exception(std::exchange(detail::escaped(), nullptr));
  } catch (...) {
    detail::throw_escaped(err, where);
  }
  if (status != TD_OK) throw_plugin_error(status, err, where);
  discard(err);
}

// Returns a writer that appends to `text`, which must outlive it.
inline td_writer appending_to(std::string& text) noexcept {
  return {sizeof(td_writer),
          [](void* to, const void* data, size_t size, td_error**) -> td_status {
            try {
              static_cast<std::string*>(to)->append(static_cast<const char*>(data), size);
              return TD_OK;
            } catch (...) {
              return TD_ERR_OOM;
            }
          },
          &text};
}

}  // namespace td::plugin
