// Checks that the tables of a plugin keep the contract, once when it is loaded, so that no call needs to check
// again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugins/tensordict_plugin.h"

namespace td::plugin {

bool known(td_plugin_kind kind);

// Throws Error(plugin) for the head of a plugin: magic, sizes, id, types; Error(version) for another ABI.
void check(const td_plugin& plugin);

// Throws Error(plugin) for a table without a function that must be there, or shorter than version 1.0. Only the head of
// a table of unknown kind is looked at.
void check(const td_plugin_type& type);

// "deterministic", "stable", "keyed", "differentiable", "thread_safe"
std::vector<const char*> flag_names(uint64_t flags);

// The text of a td_str in a table; empty for NULL.
std::string_view text(td_str s);

}  // namespace td::plugin
