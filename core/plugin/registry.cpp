#include "core/plugin/registry.h"

#include <map>
#include <utility>

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "core/error.h"
#include "core/fork.h"
#include "core/plugin/kind.h"
#include "core/plugin/tables.h"
#include "core/plugin/version.h"

namespace td::plugin {

namespace {

using Id = std::pair<td_plugin_kind, std::string>;

struct Registry {
  ProcessMutex mutex;
  std::map<Id, Type> types;
};

// Never destroyed: instances of plugin types may outlive every static object.
Registry& registry = *new Registry;

}  // namespace

Type registered(td_plugin_kind kind, std::string_view id) {
  ProcessLock hold(registry.mutex);
  auto it = registry.types.find(Id(kind, std::string(id)));
  if (it != registry.types.end()) return it->second;
  std::string ids;
  for (const auto& entry : registry.types)
    if (entry.first.first == kind) ids += (ids.empty() ? "" : ", ") + entry.first.second;
  throw Error(Code::not_found, std::string("no ") + kind_name(kind) + " type \"" + std::string(id) + "\"")
      .hint_naming(ids.empty() ? "no such types are registered; {plugins_report} lists the files that were read"
                               : "there are: " + ids);
}

std::vector<Type> registered() {
  ProcessLock hold(registry.mutex);
  std::vector<Type> all;
  for (const auto& entry : registry.types) all.push_back(entry.second);
  return all;
}

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Ids and versions stand in files, reports and messages, and are compared: no text that could be two of them.
void check_id(const Type& type, Code code) {
  auto bad = [&](const std::string& what) { return Error(code, what).where(type.id); };
  size_t parts = 0, length = 0;
  for (char c : type.id + '.') {
    if (c != '.' && !is_word(c)) throw bad("the id of the type has characters other than letters, digits, _ - and .");
    if (c == '.' && length == 0) throw bad("a part of the type's id is empty");
    parts += c == '.', length = c == '.' ? 0 : length + 1;
  }
  if (parts < 2) throw bad("the id of the type is not of the form org.name");
  if (type.id.size() > 200) throw bad("the id of the type is longer than 200 characters");
  const std::string& v = type.version;
  bool fits = !v.empty() && v.size() <= 64 && v[0] >= '0' && v[0] <= '9';
  for (char c : v) fits = fits && (is_word(c) || c == '.' || c == '+');
  if (!fits)
    throw bad("the version of the type is not like 1.2.3")
        .hint("give numbers with dots, such as 1.2.0, or with a suffix, such as 1.2.0-rc1");
}

Type type_of(const td_plugin& plugin, size_t i, const std::string& file) {
  const td_plugin_type& table = *plugin.types[i];
  Type type;
  type.table = &table;
  type.id = text(table.id), type.version = text(table.version), type.plugin = text(plugin.id), type.file = file;
  type.vendor = text(plugin.vendor), type.license = text(plugin.license);
  if (TD_HAS(td_plugin, &plugin, schemas) && plugin.schemas && !text(plugin.schemas[i]).empty()) try {
      type.schema = std::make_shared<const Schema>(text(plugin.schemas[i]));
    } catch (Error& e) {
      throw e.where(type.id);
    }
  return type;
}

std::string named(const Type& type) {
  return std::string(kind_name(type.table->kind)) + " " + type.id + " " + type.version;
}

}  // namespace

Added add(const td_plugin& plugin, const std::string& file, bool bundled) {
  check(plugin);
  Added result;
  std::vector<std::string> skipped;
  std::map<Id, Type> offered;
  for (size_t i = 0; i < plugin.n_types; ++i) {
    const td_plugin_type& table = *plugin.types[i];
    check(table);
    std::string id(text(table.id));
    if (!known(table.kind)) {
      skipped.push_back("skipped " + id + " (a kind unknown to this library)");
      continue;
    }
    Type type = type_of(plugin, i, file);
    check_id(type, Code::plugin);
    if (!offered.emplace(Id(table.kind, id), std::move(type)).second)
      throw Error(Code::plugin, "the type id is registered twice").where(id);
  }
  std::vector<Type> gone;  // ends outside of the lock: a destroy function may call us
  ProcessLock hold(registry.mutex);
  auto& types = registry.types;
  size_t used = 0;
  for (const auto& entry : offered) {
    auto there = types.find(entry.first);
    bool reserved = !bundled && entry.second.id.rfind("td.", 0) == 0;
    if (there == types.end() || compare_versions(entry.second.version, there->second.version) > 0) ++used;
    if (reserved && there == types.end())
      throw Error(Code::plugin, "ids that begin with \"td.\" are reserved for the bundled plugins")
          .where(entry.second.id);
    if (reserved || (there != types.end() && offered.size() == 1 && used == 0))
      throw Error(Code::exists,
                  "the type id is already registered by '" + there->second.file + "', version " + there->second.version)
          .where(entry.second.id);
  }
  if (!offered.empty() && used == 0)
    throw Error(Code::exists, "every type id is already registered by '" +
                                  types.find(offered.begin()->first)->second.file +
                                  "' and other plugins, with the same or a higher version");
  for (auto& entry : offered) {
    auto there = types.find(entry.first);
    if (there == types.end()) {
      result.remarks.push_back(named(entry.second));
      types.emplace(entry.first, std::move(entry.second));
    } else if (compare_versions(entry.second.version, there->second.version) > 0) {
      result.remarks.push_back(named(entry.second) + " (in place of " + there->second.version + " of '" +
                               there->second.file + "')");
      result.replaced.emplace_back(there->second.file, named(there->second) + " was replaced by version " +
                                                           entry.second.version + " of '" + file + "'");
      gone.push_back(std::exchange(there->second, std::move(entry.second)));
    } else {
      result.remarks.push_back(named(entry.second) + " not used (version " + there->second.version + " of '" +
                               there->second.file + "' is)");
    }
  }
  result.remarks.insert(result.remarks.end(), skipped.begin(), skipped.end());
  return result;
}

void add(Type type) {
  check(*type.table);
  check_id(type, Code::argument);
  ProcessLock hold(registry.mutex);
  Id id(type.table->kind, type.id);
  auto there = registry.types.find(id);
  if (there != registry.types.end())
    throw Error(Code::exists, "the type id is already registered by '" + there->second.file + "'")
        .where(type.id)
        .hint_naming("remove it with {plugins_unregister} first");
  registry.types.emplace(std::move(id), std::move(type));
}

void remove(td_plugin_kind kind, std::string_view id) {
  Type gone = registered(kind, id);  // outlives the lock: its destroy function may call us
  ProcessLock hold(registry.mutex);
  auto there = registry.types.find(Id(kind, std::string(id)));
  if (there != registry.types.end()) registry.types.erase(there);
}

}  // namespace td::plugin
