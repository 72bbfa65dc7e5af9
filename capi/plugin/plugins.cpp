#include "capi/convert.h"
#include "capi/guard.h"
#include "core/plugin/catalogue.h"
#include "core/plugin/loader.h"
#include "core/plugin/registry.h"

using namespace td::capi;

td_status td_plugins_load(td_str file, td_error** err) noexcept {
  return guard(err, [&] { td::plugin::load(std::string(text(file, "file"))); });
}

td_status td_plugins_add_path(td_str directory, td_error** err) noexcept {
  return guard(err, [&] { td::plugin::add_path(std::string(text(directory, "directory"))); });
}

td_status td_plugins_list(td_string** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, td::plugin::types_json()); });
}

td_status td_plugins_report(td_string** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, td::plugin::report()); });
}
