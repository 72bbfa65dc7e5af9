// Changes of a dict on a server, gathered in a moment: as commands, and in the layout that follows them.
#pragma once

#include "core/dict/persistent/persistent.h"
#include "core/storage/redis/moment.h"

namespace td::storage::redis {

// A new entry at `path`, in place of all that is there. Throws Error(key), Error(unsupported) and Error(dtype) for what
// the format cannot hold.
void put_entry(Moment& moment, const Keys& keys, const std::string& path, const Entry& value);

// What is at and below `path`; false if there is nothing.
bool erase_entry(Moment& moment, const Keys& keys, const std::string& path);

// The same under another path, in place of all that is there.
void rename_entry(Moment& moment, const Keys& keys, const std::string& from, const std::string& to);

// Into the rows of a tensor that exists; of a lazy stack, of one member's. Throws Error(index).
void write_rows(Moment& moment, const Keys& keys, const std::string& path, const IndexList& part,
                const at::Tensor& value, optional<size_t> member);

void put_labels(Moment& moment, const Keys& keys, const std::string& path, const Labels& labels);

// Throws Error(key) if there is none, and what is wrong with it.
const Leaf& readable_leaf(const Layout& layout, const std::string& path);

// `path` as errors show a key.
std::string shown_path(const std::string& path);

}  // namespace td::storage::redis
