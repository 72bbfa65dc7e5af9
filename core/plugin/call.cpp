#include "core/plugin/call.h"

#include <memory>

namespace td::plugin::detail {

std::exception_ptr& escaped() noexcept {
  static thread_local std::exception_ptr exception;
  return exception;
}

void throw_escaped(td_error* err, const std::string& where) {
  Error thrown = current_error();
  discard(err);
  throw Error(Code::plugin, "an exception left the plugin: " + thrown.message())
      .where(where)
      .hint("the plugin must catch its exceptions and return a status")
      .cause(std::make_shared<const Error>(thrown));
}

}  // namespace td::plugin::detail
