// Dicts on their way into HDF5 files, and what is kept of a dict besides its entries.
#pragma once

#include <functional>
#include <string>

#include "core/dict/persistent/persistent.h"
#include "core/storage/hdf5/file.h"

namespace td::storage::hdf5 {

// Hears of the bytes of every tensor that was written.
using Told = std::function<void(int64_t bytes)>;

// A name of one link, which leads nowhere else: not empty, not ".", without "/" and NUL.
bool is_link_name(std::string_view key);
// The name of an entry while another takes its place.
constexpr const char* set_aside = "__tensordict_old__";
// Throws Error(key) for one that is not, and for that one.
std::string checked_link_name(std::string_view key, const Path& prefix);

// All that follows inside a Section.
Hid link_creation(const std::string& key);

// A dataset or a group with all it holds, which is nowhere yet. Throws Error(key), Error(dtype) and Error(unsupported)
// for what the format cannot hold, naming `path` and what follows it.
Hid make_object(const Entry& value, const Path& path, const File& file, const Told& told);

// The entries and the labels of a dict, into a group without entries.
void write_entries(hid_t group, const Node& node, const File& file, const Path& prefix, const Told& told);

// The batch size and the names, in an attribute that Python's tensordict has for Zarr, and leaves alone here.
optional<Labels> read_labels(hid_t group, const std::string& file);
void write_labels(hid_t group, const Labels& labels, const std::string& file);

}  // namespace td::storage::hdf5
