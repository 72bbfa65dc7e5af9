// The types that plugins offer, by kind and id.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugins/tensordict_plugin.h"

namespace td::plugin {

struct Type {
  const td_plugin_type* table;  // constant for ever: plugins are never unloaded
  std::string id, plugin, version, file;
};

// Finds a type; the bundled plugins are loaded on first use. Throws Error(not_found) that lists the ids of the kind.
// The reference is valid for ever.
const Type& find(td_plugin_kind kind, std::string_view id);

// All types, ordered by kind and id.
std::vector<Type> types();

// The same as a JSON array of {kind, id, plugin, version, file}.
std::string types_json();

// Adds a loaded plugin's types, all or none. Kinds that this library does not know are left out and returned by id.
// Throws Error(exists) if an id is taken, and Error(plugin) for a table that breaks the contract.
std::vector<std::string> add(const td_plugin& plugin, const std::string& file);

// "hash", "distribution", "module".
const char* kind_name(td_plugin_kind kind);

}  // namespace td::plugin
