#include "core/shm/from_schema.h"

#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/shm/shared_dict.h"
#include "core/storage/hdf5.h"
#include "core/storage/memmap/memmap_live.h"
#include "core/storage/storage.h"
#include "core/system/file.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

// Zeros that take no memory where a file is made of them.
at::Tensor zeros(at::IntArrayRef sizes, at::ScalarType type, const SchemaOptions& options) {
  checked_numel(sizes, c10::elementSize(type));
  at::TensorOptions how(type);
  if (options.device) how = how.device(*options.device);
  bool in_file = options.storage == SchemaStorage::memmap || options.storage == SchemaStorage::hdf5;
  return in_file ? at::zeros({}, how).expand(sizes) : at::zeros(sizes, how);
}

NodePtr made_of(const std::vector<SchemaEntry>& entries, at::IntArrayRef batch, const SchemaOptions& options) {
  checked_numel(batch, 1);
  NodePtr out = TensorDict::make(batch, options.device);
  auto add = [&](const SchemaEntry& e) {
    Dims sizes(batch.begin(), batch.end());
    sizes.append(e.element.begin(), e.element.end());
    if (out->look_at(e.path, Detail::kind))
      throw Error(Code::exists, "the schema has the key twice").key(to_string(e.path));
    try {
      out->set(e.path, zeros(sizes, e.type, options));
    } catch (Error& error) {
      if (!error.key().empty()) throw;
      throw error.key(to_string(e.path));
    }
  };
  // As the original makes a dict of keys of both kinds: what is nested comes last.
  for (const SchemaEntry& e : entries)
    if (e.path.size() == 1) add(e);
  for (const SchemaEntry& e : entries)
    if (e.path.size() > 1) add(e);
  return out;
}

}  // namespace

NodePtr from_schema(const std::vector<SchemaEntry>& entries, at::IntArrayRef batch, const SchemaOptions& options) {
  bool in_file = options.storage == SchemaStorage::memmap || options.storage == SchemaStorage::hdf5;
  if (in_file && options.path.empty()) throw Error(Code::argument, "a dict in a file needs a path");
  if (in_file && options.device && !options.device->is_cpu())
    throw Error(Code::device, "a file is on no device")
        .hint("leave out the device, and move the tensors after reading them");
  NodePtr dict = made_of(entries, batch, options);
  switch (options.storage) {
    case SchemaStorage::memory:
      return dict;
    case SchemaStorage::shared:
      share_memory(*dict);
      return dict;
    case SchemaStorage::memmap:
      return storage::memmap_like(*dict, options.path, options.save);
    default: {
      storage::SaveOptions save = options.save;
      save.format = storage::Format::hdf5;
      storage::save(*dict, options.path, save);
      storage::Hdf5Options open;
      open.write = true;
      open.batch = Dims(batch.begin(), batch.end());
      return storage::open_hdf5(storage::checked_path(options.path), open);
    }
  }
}

}  // namespace td
