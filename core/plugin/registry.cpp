#include "core/plugin/registry.h"

#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "core/error.h"
#include "core/plugin/loader.h"
#include "core/plugin/tables.h"

namespace td::plugin {

namespace {

struct Registry {
  std::shared_mutex mutex;
  std::map<std::pair<td_plugin_kind, std::string>, Type, std::less<>> types;  // nodes never move and are never erased
};

// Never destroyed: instances of plugin types may outlive every static object.
Registry& registry() {
  static auto* only = new Registry;
  return *only;
}

}  // namespace

const char* kind_name(td_plugin_kind kind) {
  switch (kind) {
    case TD_PLUGIN_HASH:
      return "hash";
    case TD_PLUGIN_DISTRIBUTION:
      return "distribution";
    case TD_PLUGIN_MODULE:
      return "module";
    default:
      return "unknown";
  }
}

const Type& find(td_plugin_kind kind, std::string_view id) {
  load_bundled();
  std::shared_lock<std::shared_mutex> hold(registry().mutex);
  auto it = registry().types.find(std::make_pair(kind, std::string(id)));
  if (it != registry().types.end()) return it->second;
  std::string ids;
  for (const auto& entry : registry().types)
    if (entry.first.first == kind) ids += (ids.empty() ? "" : ", ") + entry.first.second;
  throw Error(Code::not_found, std::string("no ") + kind_name(kind) + " type \"" + std::string(id) + "\"")
      .hint(ids.empty() ? "there are none: td_plugins_report says which files were looked at" : "there are: " + ids);
}

std::vector<Type> types() {
  load_bundled();
  std::shared_lock<std::shared_mutex> hold(registry().mutex);
  std::vector<Type> all;
  for (const auto& entry : registry().types) all.push_back(entry.second);
  return all;
}

std::string types_json() {
  boost::json::array list;
  for (const Type& type : types())
    list.push_back(boost::json::object{{"kind", kind_name(type.table->kind)},
                                       {"id", type.id},
                                       {"plugin", type.plugin},
                                       {"version", type.version},
                                       {"file", type.file}});
  return boost::json::serialize(list);
}

std::vector<std::string> add(const td_plugin& plugin, const std::string& file) {
  check(plugin);
  std::map<std::pair<td_plugin_kind, std::string>, Type, std::less<>> added;
  std::vector<std::string> skipped;
  for (size_t i = 0; i < plugin.n_types; ++i) {
    const td_plugin_type& table = *plugin.types[i];
    check(table);
    std::string id(text(table.id));
    if (!known(table.kind)) {
      skipped.push_back(id);
      continue;
    }
    Type type{&table, id, std::string(text(plugin.id)), std::string(text(table.version)), file};
    if (!added.emplace(std::make_pair(table.kind, id), std::move(type)).second)
      throw Error(Code::plugin, "the type id is there twice").where(id);
  }
  std::unique_lock<std::shared_mutex> hold(registry().mutex);
  for (const auto& entry : added) {
    auto taken = registry().types.find(entry.first);
    if (taken != registry().types.end())
      throw Error(Code::exists, "the type id is taken by '" + taken->second.file + "'").where(entry.first.second);
  }
  registry().types.merge(added);
  return skipped;
}

}  // namespace td::plugin
