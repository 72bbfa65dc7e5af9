// Dicts of zeros from a description.
#include "core/shm/from_schema.h"

#include "capi/storage/storage_options.h"
#include "core/tensor/dtype.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

td::SchemaStorage storage_of(td_storage given) {
  switch (given) {
    case TD_STORAGE_MEMORY:
      return td::SchemaStorage::memory;
    case TD_STORAGE_SHARED:
      return td::SchemaStorage::shared;
    case TD_STORAGE_MEMMAP:
      return td::SchemaStorage::memmap;
    case TD_STORAGE_HDF5:
      return td::SchemaStorage::hdf5;
    default:
      throw td::Error(td::Code::argument, "no such td_storage: " + std::to_string(given));
  }
}

td::SchemaEntry entry_of(const td_schema_entry& e) {
  if (e.reserved != 0) throw td::Error(td::Code::argument, "the member reserved of a td_schema_entry is not 0");
  at::IntArrayRef sizes = dims(e.dims, e.ndim);
  return {td::Path(KeyArg(e.key)), {sizes.begin(), sizes.end()}, td::scalar_type(e.dtype)};
}

}  // namespace

td_status td_dict_from_schema(const td_schema_entry* entries, size_t n, const int64_t* batch_size, size_t ndim,
                              const td_schema_options* given_options, td_dict** out_dict, td_error** err) noexcept {
  td_schema_options o{};
  td_status read = guard(err, [&] { o = options(given_options); });
  if (read != TD_OK) return read;
  ProgressCallback progress(o.save);
  return guard(err, [&] {
    out(out_dict);
    if (n > 0 && !entries) throw_null("entries");
    td::SchemaOptions how;
    how.storage = storage_of(o.storage);
    how.path = std::string(text(o.path, "path"));
    if (given(o.device)) how.device = td::parse_device(std::string(text(o.device, "device")));
    if (o.save) how.save = save_options(o.save, progress);
    std::vector<td::SchemaEntry> all;
    for (size_t i = 0; i < n; ++i) all.push_back(entry_of(entries[i]));
    give(out_dict, td::from_schema(all, dims(batch_size, ndim), how));
  });
}
