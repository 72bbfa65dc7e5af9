#include "core/query/hasher.h"

#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/plugin/tables.h"

namespace td {

namespace {

using plugin::text;

void make(PluginInstance& instance, std::string_view config) {
  const auto& table = instance.table<td_hash_type>();
  instance.create(config, table.destroy, [&](const td_config* c, void** self, td_error** err) {
    return table.create(&plugin::host(), c, self, err);
  });
}

void run(const PluginInstance& instance, const uint8_t* rows, size_t n, size_t row_bytes, size_t stride,
         uint64_t* out) {
  const auto& table = instance.table<td_hash_type>();
  instance.call([&](td_error** err) { return table.hash_rows(instance.self(), rows, n, row_bytes, stride, out, err); });
}

// Hashes the input in several rows that lie apart, so that paths for batches are checked as well.
void verify(std::string_view type, size_t number, const td_hash_vector& vector) {
  constexpr size_t copies = 19, gap = 3;
  PluginInstance instance(TD_PLUGIN_HASH, type);
  make(instance, text(vector.config));
  std::string_view input = text(vector.input);
  size_t stride = input.size() + gap;
  std::vector<uint8_t> rows(copies * stride, 0xa5);
  for (size_t i = 0; i < copies && !input.empty(); ++i) std::memcpy(&rows[i * stride], input.data(), input.size());
  std::vector<uint64_t> hashes(copies);
  run(instance, rows.data(), copies, input.size(), stride, hashes.data());
  for (uint64_t hash : hashes)
    if (hash != vector.hash)
      throw Error(Code::plugin, "the type gives " + std::to_string(hash) + " for its own test vector " +
                                    std::to_string(number) + ", which says " + std::to_string(vector.hash))
          .where(std::string(type))
          .hint("the plugin is broken or was built for another machine; its hashes cannot be trusted");
}

void verify_once(const PluginInstance& instance, std::string_view type) {
  static std::mutex mutex;
  static auto* verified = new std::set<const td_hash_type*>;
  const auto& table = instance.table<td_hash_type>();
  std::lock_guard<std::mutex> hold(mutex);
  if (verified->count(&table)) return;
  for (size_t i = 0; i < table.n_vectors; ++i) verify(type, i, table.vectors[i]);
  verified->insert(&table);
}

}  // namespace

Hasher::Hasher(std::string_view type, std::string_view config) : instance_(TD_PLUGIN_HASH, type) {
  verify_once(instance_, type);
  make(instance_, config);
}

void Hasher::hash(const uint8_t* rows, size_t n, size_t row_bytes, size_t stride, int64_t* out) const {
  run(instance_, rows, n, row_bytes, stride, reinterpret_cast<uint64_t*>(out));
}

}  // namespace td
