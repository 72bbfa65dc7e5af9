#include "core/storage/names.h"

#include <algorithm>
#include <array>

namespace td::storage {

namespace {

constexpr auto make_escaped() {
  std::array<bool, 256> escaped{};
  for (size_t byte = 0; byte < 0x20; ++byte) escaped[byte] = true;
  for (char c : std::string_view("/<>:\"|?*\\ %\x7F")) escaped[static_cast<unsigned char>(c)] = true;
  return escaped;
}
constexpr auto escaped = make_escaped();

bool is_escaped(char c) {
  return escaped[static_cast<unsigned char>(c)];
}

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string encoded_name(std::string_view key) {
  if (key.empty()) return "%";
  if (key == ".") return "%2E";
  if (key == "..") return "%2E%2E";
  if (std::none_of(key.begin(), key.end(), is_escaped)) return std::string(key);
  std::string name;
  for (char c : key) {
    auto byte = static_cast<unsigned char>(c);
    if (is_escaped(c)) {
      constexpr char hex[] = "0123456789ABCDEF";
      name += {'%', hex[byte >> 4], hex[byte & 15]};
    } else {
      name += c;
    }
  }
  return name;
}

bool may_be_raw_name(std::string_view key, bool directory) {
  if (key.find_first_of(std::string_view("/\\\0", 3)) != key.npos) return false;
  if (key.size() >= 2 && letter(key[0]) && key[1] == ':') return false;
  return !directory || (!key.empty() && key != "." && key != "..");
}

bool reserved_key(std::string_view key) {
  for (std::string_view word : {"shape", "device", "_type", "_format_version", "_class", "_names"})
    if (key == word) return true;
  return false;
}

}  // namespace td::storage
