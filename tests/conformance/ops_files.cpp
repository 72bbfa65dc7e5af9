// Dicts in HDF5 files.
#include "ops.h"

namespace conformance {
namespace {

td_str view(const std::string &s) {
  return td_str{s.data(), s.size()};
}

// A file of its own for each dict, opened to be written.
void to_h5(Program &p) {
  const std::string path = p.new_file();
  td_save_options how = TD_SAVE_OPTIONS_INIT;
  how.format = TD_FORMAT_HDF5;
  call(td_save, p.dict(), view(path), &how);
  td_persistent_options options = TD_PERSISTENT_OPTIONS_INIT;
  options.mode = TD_OPEN_READ_WRITE;
  p.put(made<td_dict>(td_persistent_open, view(path), &options));
}

void new_h5(Program &p) {
  const std::string path = p.new_file();
  const std::vector<int64_t> batch = p.ints("batch");
  static const int64_t kNone = 0;
  td_persistent_options options = TD_PERSISTENT_OPTIONS_INIT;
  options.batch_size = batch.empty() ? &kNone : batch.data();
  options.ndim = batch.size();
  p.put(made<td_dict>(td_persistent_create, view(path), &options));
}

const NamedOperation kOperations[] = {{"to_h5", to_h5}, {"new_h5", new_h5}};

}  // namespace

Operations files_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
