#include "core/plugin/tables.h"

#include <cstddef>
#include <cstring>

#include "core/dict/key.h"
#include "core/error.h"

namespace td::plugin {

namespace {

// Tables may only grow, so what version 1.0 had is what there must be.
constexpr size_t hash_size = offsetof(td_hash_type, n_vectors) + sizeof(td_hash_type::n_vectors);
constexpr size_t module_size = offsetof(td_module_type, forward) + sizeof(td_module_type::forward);
constexpr size_t distribution_size = offsetof(td_distribution_type, variance) + sizeof(td_distribution_type::variance);
constexpr size_t plugin_size = offsetof(td_plugin, n_types) + sizeof(td_plugin::n_types);

std::string id_of(const td_plugin_type& type) {
  return std::string(text(type.id));
}

[[noreturn]] void broken(const std::string& what, const std::string& where) {
  throw Error(Code::plugin, what).where(where);
}

void need(bool there, const char* function, const td_plugin_type& type) {
  if (!there) broken(std::string("the table has no function \"") + function + "\"", id_of(type));
}

// No compiler gives a table such a size, whose last pointer would be read by half.
void check_whole(size_t size, const char* what, const std::string& where) {
  if (size % alignof(td_plugin) != 0)
    broken(std::string(what) + " has " + std::to_string(size) + " bytes, so it ends inside a member", where);
}

void need_size(const td_plugin_type& type, size_t size) {
  check_whole(type.struct_size, "the table", id_of(type));
  if (type.struct_size < size)
    broken("the table has " + std::to_string(type.struct_size) + " bytes, " + std::to_string(size) + " are needed",
           id_of(type));
}

void check_text(td_str s, const char* what, const std::string& where) {
  if (!s.data || text(s).empty()) broken(std::string(what) + " is empty", where);
  try {
    check_utf8(text(s), what);
  } catch (const Error& e) {
    broken(e.message(), where);
  }
}

void check_hash(const td_hash_type& table) {
  need(table.create, "create", table.type);
  need(table.destroy, "destroy", table.type);
  if (!(TD_HAS(td_hash_type, &table.type, hash_tensor) && table.hash_tensor))
    need(table.hash_rows, "hash_rows", table.type);
  if (table.n_vectors > 0 && !table.vectors)
    broken("the table states a number of vectors but has no vectors", id_of(table.type));
}

void check_module(const td_module_type& table) {
  need(table.create, "create", table.type);
  need(table.destroy, "destroy", table.type);
  need(table.forward, "forward", table.type);
}

void check_distribution(const td_distribution_type& table) {
  need(table.create, "create", table.type);
  need(table.destroy, "destroy", table.type);
  if (table.n_params > 0 && !table.params)
    broken("the table states a number of parameters but has no parameters", id_of(table.type));
  for (size_t i = 0; i < table.n_params; ++i) check_text(table.params[i], "the name of a parameter", id_of(table.type));
  if (!TD_HAS(td_distribution_type, &table.type, param_rules) || !table.param_rules) return;
  for (size_t i = 0; i < table.n_params; ++i)
    if (table.param_rules[i].event_dims < TD_EVENT_DIMS_OF_CONFIG || table.param_rules[i].event_dims > 8)
      broken("the rule of a parameter has " + std::to_string(table.param_rules[i].event_dims) + " event dims",
             id_of(table.type));
}

}  // namespace

std::string_view text(td_str s) {
  if (!s.data) return {};
  return {s.data, s.size == TD_STRLEN ? std::strlen(s.data) : s.size};
}

std::vector<const char*> flag_names(uint64_t flags) {
  static constexpr const char* names[] = {"deterministic", "stable", "keyed", "differentiable", "thread_safe"};
  std::vector<const char*> set;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (flags >> i & 1) set.push_back(names[i]);
  return set;
}

bool known(td_plugin_kind kind) {
  return kind == TD_PLUGIN_KIND_HASH || kind == TD_PLUGIN_KIND_DISTRIBUTION || kind == TD_PLUGIN_KIND_MODULE;
}

void check(const td_plugin& plugin) {
  if (plugin.magic != TD_PLUGIN_MAGIC) broken("the entry function did not set the magic number TD_PLUGIN_MAGIC", "");
  auto number = [](int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); };
  if (plugin.abi_major != TD_PLUGIN_ABI_MAJOR || plugin.abi_minor > TD_PLUGIN_ABI_MINOR)
    throw Error(Code::version, "the plugin was built for plugin ABI " + number(plugin.abi_major, plugin.abi_minor) +
                                   ", but this library offers " + number(TD_PLUGIN_ABI_MAJOR, TD_PLUGIN_ABI_MINOR))
        .hint("build the plugin with this library's tensordict_plugin.h");
  if (plugin.struct_size < plugin_size)
    broken("td_plugin has " + std::to_string(plugin.struct_size) + " bytes, " + std::to_string(plugin_size) +
               " are needed",
           "");
  check_whole(plugin.struct_size, "td_plugin", "");
  check_text(plugin.id, "the plugin's id", "");
  if (plugin.n_types > 0 && !plugin.types)
    broken("the plugin states a number of types but has no types", std::string(text(plugin.id)));
  for (size_t i = 0; i < plugin.n_types; ++i)
    if (!plugin.types[i]) broken("type " + std::to_string(i) + " is NULL", std::string(text(plugin.id)));
}

void check(const td_plugin_type& type) {
  if (type.struct_size < sizeof(td_plugin_type)) broken("a table without a head", "");
  check_text(type.id, "the id of a type", "");
  switch (type.kind) {
    case TD_PLUGIN_KIND_HASH:
      need_size(type, hash_size);
      return check_hash(reinterpret_cast<const td_hash_type&>(type));
    case TD_PLUGIN_KIND_MODULE:
      need_size(type, module_size);
      return check_module(reinterpret_cast<const td_module_type&>(type));
    case TD_PLUGIN_KIND_DISTRIBUTION:
      need_size(type, distribution_size);
      return check_distribution(reinterpret_cast<const td_distribution_type&>(type));
    default:
      return;
  }
}

}  // namespace td::plugin
