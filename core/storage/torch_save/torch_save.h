// Files of torch.save: a zip file of a pickle and of the bytes of each storage. The pickle is a program for Python;
// what it says of dicts, lists, numbers, text and tensors is read as data, and nothing is run.
#pragma once

#include <string>
#include <string_view>

#include "core/dict/node.h"
#include "core/storage/options.h"

namespace td::storage {

// What tells the files of torch.save, from their first bytes: those of today, and those of before PyTorch 1.6.
inline constexpr int64_t torch_save_head = 30 + 1024;  // the header of the first entry, and its name
bool is_torch_save(std::string_view head);
bool is_legacy_torch_save(std::string_view head);

NodePtr open_torch_save(const std::string& path, const OpenOptions& options);

// There is no writer: says what to do instead.
[[noreturn]] void save_torch_save(const Node& node, const std::string& path, const SaveOptions& options);

}  // namespace td::storage
