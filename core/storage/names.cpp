#include "core/storage/names.h"

namespace td::storage {

namespace {

constexpr std::string_view escaped = "/<>:\"|?*\\ %";

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string encoded_name(std::string_view key) {
  if (key.empty()) return "%";
  if (key == ".") return "%2E";
  if (key == "..") return "%2E%2E";
  std::string name;
  for (char c : key) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || escaped.find(c) != escaped.npos) {
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
