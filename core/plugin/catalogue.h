// All types, with those of the bundled plugins, which are loaded at the first call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/plugin/registry.h"

namespace td::plugin {

// Throws Error(not_found) that lists the ids of the kind.
Type find(td_plugin_kind kind, std::string_view id);

// Ordered by kind and id; and the same as a JSON array.
std::vector<Type> types();
std::string types_json();

// A type of this process. Throws Error(exists) if the id is taken, Error(argument) for a bad id or schema.
void offer(Type type);

// Throws Error(not_found).
void withdraw(td_plugin_kind kind, std::string_view id);

}  // namespace td::plugin
