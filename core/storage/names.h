// File names of keys in a memmap directory. Names are only ever computed from keys; the key stands in meta.json.
#pragma once

#include <string>
#include <string_view>

namespace td::storage {

// "a/b" is "a%2Fb"; everything beyond ASCII stays as it is.
std::string encoded_name(std::string_view key);

// True if older saves may have used the key itself as the name of its file or directory, and that is a single safe
// component.
bool may_be_raw_name(std::string_view key, bool directory);

// True for names that meta.json itself needs: an entry of that name would be lost.
bool reserved_key(std::string_view key);

inline constexpr std::string_view meta_name = "meta.json", leaf_suffix = ".memmap";
inline constexpr size_t longest_name = 255;

}  // namespace td::storage
