#include "core/plugin/catalogue.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "core/plugin/kind.h"
#include "core/plugin/loader.h"
#include "core/plugin/tables.h"

namespace td::plugin {

namespace {

namespace json = boost::json;

json::string word(std::string_view s) {
  return json::string(s.data(), s.size());
}

json::array vectors_of(const td_hash_type& table) {
  json::array list;
  for (size_t i = 0; i < table.n_vectors; ++i) {
    std::string hex, hash(18, '\0');
    for (unsigned char c : text(table.vectors[i].input)) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", c);
      hex += digits;
    }
    std::snprintf(hash.data(), hash.size() + 1, "0x%016llx", static_cast<unsigned long long>(table.vectors[i].hash));
    list.push_back(json::object{{"config", word(text(table.vectors[i].config))}, {"input_hex", hex}, {"hash", hash}});
  }
  return list;
}

void describe_hash(const td_hash_type& table, json::object& o) {
  bool tensor = TD_HAS(td_hash_type, &table.type, hash_tensor) && table.hash_tensor;
  o["takes"] = tensor ? "tensor" : "bytes";
  o["vectors"] = vectors_of(table);
}

void describe_distribution(const td_distribution_type& given, json::object& o) {
  td_distribution_type table{};  // what an older plugin does not have is null
  std::memcpy(static_cast<void*>(&table), &given, std::min(given.type.struct_size, sizeof table));
  json::array params, functions;
  for (size_t i = 0; i < table.n_params; ++i) params.push_back(word(text(table.params[i])));
  const std::pair<const char*, bool> all[] = {
      {"sample", table.sample},       {"rsample", table.rsample}, {"log_prob", table.log_prob},
      {"entropy", table.entropy},     {"mean", table.mean},       {"mode", table.mode},
      {"variance", table.variance},   {"cdf", table.cdf},         {"icdf", table.icdf},
      {"median", table.median},       {"stddev", table.stddev},   {"deterministic", table.deterministic},
      {"enumerate", table.enumerate}, {"kl", table.kl},
  };
  for (const auto& f : all)
    if (f.second) functions.emplace_back(f.first);
  o["params"] = std::move(params);
  o["functions"] = std::move(functions);
}

}  // namespace

Type find(td_plugin_kind kind, std::string_view id) {
  load_bundled();
  return registered(kind, id);
}

std::vector<Type> types() {
  load_bundled();
  return registered();
}

void offer(Type type) {
  load_bundled();
  add(std::move(type));
}

void withdraw(td_plugin_kind kind, std::string_view id) {
  load_bundled();
  remove(kind, id);
}

std::string types_json() {
  json::array list;
  for (const Type& type : types()) {
    json::array flags;
    for (const char* flag : flag_names(type.table->flags)) flags.emplace_back(flag);
    json::object o{{"kind", kind_name(type.table->kind)}, {"id", word(type.id)},       {"plugin", word(type.plugin)},
                   {"version", word(type.version)},       {"file", word(type.file)},   {"vendor", word(type.vendor)},
                   {"license", word(type.license)},       {"flags", std::move(flags)}, {"schema", nullptr}};
    if (type.schema) o["schema"] = type.schema->json();
    if (type.table->kind == TD_PLUGIN_KIND_HASH) describe_hash(reinterpret_cast<const td_hash_type&>(*type.table), o);
    if (type.table->kind == TD_PLUGIN_KIND_DISTRIBUTION)
      describe_distribution(reinterpret_cast<const td_distribution_type&>(*type.table), o);
    list.push_back(std::move(o));
  }
  return json::serialize(list);
}

}  // namespace td::plugin
