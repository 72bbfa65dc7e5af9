// A part of Dict: on disk. What stock Python saves we open, without a copy where the format allows it, and what we save it
// opens.
//
//     td.save("run.td");
//     const Dict digits = Dict::open("digits/memmap");          // reads only the meta.json files
//     Dict buffer = td.memmap_like("/dev/shm/buffer");          // zeros, in files that other processes see
#ifndef TENSORDICT_DICT_STORAGE_HPP
#define TENSORDICT_DICT_STORAGE_HPP

#include "../format.hpp"
#include "part.hpp"

namespace tensordict {

template <class D>
class DictStorage : public detail::DictPart<D, DictStorage<D>> {
  using Part = detail::DictPart<D, DictStorage<D>>;
  using Part::done, Part::made, Part::self;
  using Key_ = detail::KeyArgument;

 public:
  // By the ending of the path: .td, .tdz, .h5, .safetensors, else a memmap directory.
  void save(std::string_view path, const SaveOptions& options = {}) const {
    const detail::RawSaveOptions raw(options);
    detail::call(td_save, self(), detail::str(path), raw.get());
  }
  static D open(std::string_view path, const OpenOptions& options = {}) {
    const td_open_options raw = detail::raw(options);
    return detail::made<D>(td_open, detail::str(path), &raw);
  }
  // The dict at `part` of a directory or an archive: nothing else of it is read.
  static D open_part(std::string_view path, const KeyView& part, const OpenOptions& options = {}) {
    td_open_options raw = detail::raw(options);
    const Key_ key(part);
    raw.part = key;
    return detail::made<D>(td_open, detail::str(path), &raw);
  }
  // A locked copy of all tensors in one allocation.
  D consolidate() const { return made(td_dict_consolidate); }

  // A memmap directory of this structure with zeros in all tensors, opened to be written.
  D memmap_like(std::string_view path, const SaveOptions& options = {}) const {
    const detail::RawSaveOptions raw(options);
    return made(td_dict_memmap_like, detail::str(path), raw.get());
  }
  // A new entry in the directory and in the dict: of zeros, or with the elements of `value`.
  Tensor make_memmap(const KeyView& key, Ints shape, DType dtype) {
    return detail::made<Tensor>(td_dict_make_memmap, self(), Key_(key), shape.data(), shape.size(), detail::raw(dtype));
  }
  Tensor make_memmap(const KeyView& key, const Tensor& value) {
    return detail::made<Tensor>(td_dict_make_memmap_from, self(), Key_(key), value.get());
  }
  // Adds the rows of this dict to the directory at `path`, which has the same keys: who reads it finds the old rows or all.
  void append_memmap(std::string_view path, bool sync = false) const {
    detail::call(td_append_memmap, detail::str(path), self(), detail::raw(sync));
  }
  // Opens the directory anew: what others have made appears.
  D& memmap_refresh() { return done(td_dict_memmap_refresh_); }
  bool is_memmap() const noexcept { return td_dict_is_memmap(self()); }
  // Of the directory that the dict was opened from; empty if there is none.
  std::optional<std::string> saved_path() const { return detail::maybe_text_of(td_dict_saved_path, self()); }
  // What it is in Python where it is an ordinary dict here, and its other fields as JSON.
  std::optional<std::string> python_class() const { return detail::maybe_text_of(td_dict_python_class, self()); }
  std::string python_fields() const { return detail::text_of(td_dict_python_fields, self()); }

  // Zeros for each entry of the schema, in memory or in files.
  static D from_schema(const std::vector<SchemaEntry>& schema, Ints batch_size, const SchemaOptions& options = {}) {
    std::vector<KeyView> keys;
    std::vector<td_key> raw_keys;
    std::vector<td_schema_entry> entries;
    for (const SchemaEntry& e : schema) keys.emplace_back(e.key);
    for (const KeyView& key : keys) raw_keys.push_back(key.raw());
    for (std::size_t i = 0; i < schema.size(); ++i)
      entries.push_back(
          td_schema_entry{&raw_keys[i], detail::raw(schema[i].dtype), 0, schema[i].dims.data(), schema[i].dims.size()});
    const detail::RawSaveOptions save(options.save);
    td_schema_options raw = TD_SCHEMA_OPTIONS_INIT;
    raw.storage = static_cast<td_storage>(options.storage);
    raw.path = detail::str(options.path);
    raw.device = detail::optional_str(options.device);
    raw.save = save.get();
    return detail::made<D>(td_dict_from_schema, entries.data(), entries.size(), batch_size.data(), batch_size.size(),
                           &raw);
  }

  // An HDF5 file as a dict: a tensor is read whenever it is asked for, what is set or written goes to the file.
  static D open_persistent(std::string_view path, const PersistentOptions& options = {}) {
    const td_persistent_options raw = detail::raw(options);
    return detail::made<D>(td_persistent_open, detail::str(path), &raw);
  }
  static D create_persistent(std::string_view path, const PersistentOptions& options = {}) {
    const td_persistent_options raw = detail::raw(options);
    return detail::made<D>(td_persistent_create, detail::str(path), &raw);
  }
  std::string persistent_file() const { return detail::text_of(td_persistent_file, self()); }
  bool persistent_is_writable() const noexcept { return td_persistent_is_writable(self()); }
  // Closes the file for this dict and all dicts of it, which fail with ClosedError from then on.
  void persistent_close() { done(td_persistent_close); }
};

}  // namespace tensordict

#endif
