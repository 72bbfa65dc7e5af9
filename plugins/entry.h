/* The entry of a bundled plugin: which host it needs, who made it, and its types with the schemas of their configs.
 *
 *     PLUGIN_ENTRY("td.relu", 0, types, schemas, (void)host_)
 *
 * `minor` is the minor of the plugin ABI that the plugin cannot do without. `remember` is done with the host, as
 * `host_`, when all is well. Plain C and tensordict_plugin.h: yours to copy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TD_BUNDLED_ENTRY_H
#define TD_BUNDLED_ENTRY_H

#include "schema.h"

#define PLUGIN_ENTRY(plugin_id, minor, types_, schemas_, remember)                                           \
  _Static_assert(sizeof schemas_ / sizeof *schemas_ == sizeof types_ / sizeof *types_, "a schema for each"); \
  td_status td_plugin_entry(const td_host *host_, td_plugin *out, td_error **err) {                          \
    if (host_->abi_major != TD_PLUGIN_ABI_MAJOR || host_->abi_minor < minor) {                               \
      *err = host_->error_new(TD_ERR_VERSION, (td_str)TD_TEXT(plugin_id " needs plugin ABI 2." #minor));     \
      return TD_ERR_VERSION;                                                                                 \
    }                                                                                                        \
    remember;                                                                                                \
    out->abi_major = TD_PLUGIN_ABI_MAJOR;                                                                    \
    out->abi_minor = minor;                                                                                  \
    out->id = (td_str)TD_TEXT(plugin_id);                                                                    \
    out->vendor = (td_str)TD_TEXT("libtensordict");                                                          \
    out->version = (td_str)TD_TEXT("1.0.0");                                                                 \
    out->license = (td_str)TD_TEXT("MIT");                                                                   \
    out->types = types_;                                                                                     \
    out->n_types = sizeof types_ / sizeof *types_;                                                           \
    if (TD_HAS(td_plugin, out, schemas)) out->schemas = schemas_;                                            \
    return TD_OK;                                                                                            \
  }

#endif
