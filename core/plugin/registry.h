// The types that plugins offer, by kind and id.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugins/tensordict_plugin.h"

namespace td::plugin {

struct Type {
  const td_plugin_type* table;  // constant for ever: plugins are never unloaded
  std::string plugin, version, file;
};

// Finds a type; the bundled plugins are loaded on first use. Throws Error(not_found) that lists the ids of the kind.
// The reference is valid for ever.
const Type& find(td_plugin_kind kind, std::string_view id);

// All types, ordered by kind and id.
std::vector<Type> types();

// Adds a loaded plugin's types, all or none. Throws Error(exists) if an id is taken.
void add(const td_plugin& plugin, const std::string& file);

}  // namespace td::plugin
