// Dicts that stay in a file.
#include "capi/convert.h"
#include "capi/storage/open_mode.h"
#include "core/dict/persistent/persistent.h"
#include "core/storage/hdf5.h"
#include "core/system/file.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

td::storage::Hdf5Options hdf5_options(const td_persistent_options* given) {
  td_persistent_options o = options(given);
  td::storage::Hdf5Options made;
  made.write = opens_to_write(o.mode, "in a file");
  if (o.batch_size || o.ndim) {
    at::IntArrayRef batch = dims(o.batch_size, o.ndim);
    td::checked_numel(batch, 1);
    made.batch = td::Dims(batch.begin(), batch.end());
  }
  if (o.max_batch_dims < 0)
    throw td::Error(td::Code::argument, "the limit of batch dims is " + std::to_string(o.max_batch_dims))
        .hint("give 1 or more, or 0 for no limit");
  made.batch_dims = o.max_batch_dims == 0 ? SIZE_MAX : static_cast<size_t>(o.max_batch_dims);
  if (o.compression < 0 || o.compression > 9)
    throw td::Error(td::Code::argument, "the compression level is " + std::to_string(o.compression))
        .hint("give 0 to 9");
  at::IntArrayRef chunks = dims(o.chunks, o.n_chunks);
  for (int64_t size : chunks)
    if (size < 1) throw td::Error(td::Code::argument, "the size of a chunk is " + std::to_string(size));
  made.datasets = {td::Dims(chunks.begin(), chunks.end()), o.compression, o.shuffle != 0};
  return made;
}

const td::Persistent& in_file(const td_dict* dict) {
  if (const td::Persistent* found = td::Persistent::of(ref(dict))) return *found;
  throw td::Error(td::Code::unsupported, "the dict is not in a file").hint("check it with td_dict_kind_of");
}

}  // namespace

td_status td_persistent_open(td_str path, const td_persistent_options* given, td_dict** out_dict,
                             td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    give(out_dict, td::storage::open_hdf5(td::storage::checked_path(text(path, "path")), hdf5_options(given)));
  });
}

td_status td_persistent_create(td_str path, const td_persistent_options* given, td_dict** out_dict,
                               td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    give(out_dict, td::storage::create_hdf5(td::storage::checked_path(text(path, "path")), hdf5_options(given)));
  });
}

td_status td_persistent_file(const td_dict* self, td_string** out_path, td_error** err) noexcept {
  return guard(err, [&] { give(out_path, in_file(self).store().file()); });
}

td_bool td_persistent_is_writable(const td_dict* self) noexcept {
  const td::Persistent* found = self ? td::Persistent::of(ref(self)) : nullptr;
  return found && found->store().writable();
}

td_status td_persistent_close(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { in_file(self).store().close(); });
}
