// The types that loaded plugins and this process offer, by kind and id. Who looks for one asks catalogue.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/plugin/schema.h"
#include "plugins/tensordict_plugin.h"

namespace td::plugin {

struct Type {
  const td_plugin_type* table = nullptr;  // constant while `owner` lives, or always if there is none
  std::string id, plugin, version, file, vendor, license;
  SchemaPtr schema;                   // null: any object
  std::shared_ptr<const void> owner;  // what a type registered by this process stands on
};

// Of the types that are here now. Throws Error(not_found) that lists the ids of the kind.
Type registered(td_plugin_kind kind, std::string_view id);
std::vector<Type> registered();  // ordered by kind and id

// Says which types of a plugin were added or refused, in sentences for the report.
struct Added {
  std::vector<std::string> remarks;
  std::vector<std::pair<std::string, std::string>> replaced;  // of other files: the file, and the sentence
};

// Adds a loaded plugin's types. Of types with one id the higher version stays, of equal ones the earlier. Kinds that
// this library does not know are left out. Throws Error(exists) if none is left, or one begins with "td." and the
// plugin is not bundled; Error(plugin) for a table that breaks the contract.
Added add(const td_plugin& plugin, const std::string& file, bool bundled);

// Adds one type of this process. Throws Error(exists) if the id is taken, Error(argument) for a bad id or schema.
void add(Type type);

// Throws Error(not_found).
void remove(td_plugin_kind kind, std::string_view id);

}  // namespace td::plugin
