#include "core/plugin/border.h"

namespace td::plugin {

namespace {

const Border* the_border = nullptr;

const Border& border() {
  if (!the_border) throw Error(Code::unsupported, "plugins require the C API, which is not linked into this program");
  return *the_border;
}

}  // namespace

void set_border(const Border& border) noexcept {
  the_border = &border;
}

const td_host& host() {
  return *border().host;
}

void throw_plugin_error(td_status status, td_error* err, const std::string& where) {
  border().throw_error(status, err, where);
  throw Error(Code::internal, "the error of a plugin was lost");
}

void discard(td_error* err) noexcept {
  if (the_border) the_border->discard(err);
}

at::Tensor adopt(td_tensor* handle) {
  return border().adopt(handle);
}

}  // namespace td::plugin
