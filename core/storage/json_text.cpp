#include "core/storage/json_text.h"

#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "core/utf8.h"

namespace td::storage {

namespace {

struct Encoding {
  size_t unit, mark;  // in bytes
  bool big;           // the first byte of a unit counts most
};

bool begins(std::string_view text, std::string_view mark) {
  return text.substr(0, mark.size()) == mark;
}

Encoding encoding_of(std::string_view t) {
  using namespace std::string_view_literals;
  if (begins(t, "\0\0\xFE\xFF"sv)) return {4, 4, true};
  if (begins(t, "\xFF\xFE\0\0"sv)) return {4, 4, false};
  if (begins(t, "\xFE\xFF"sv)) return {2, 2, true};
  if (begins(t, "\xFF\xFE"sv)) return {2, 2, false};
  if (begins(t, "\xEF\xBB\xBF"sv)) return {1, 3, false};
  if (t.size() < 4) {
    if (t.size() == 2 && (t[0] == 0 || t[1] == 0)) return {2, 0, t[0] == 0};
    return {1, 0, false};
  }
  if (t[0] == 0) return {t[1] ? size_t(2) : size_t(4), 0, true};
  if (t[1] == 0) return {t[2] || t[3] ? size_t(2) : size_t(4), 0, false};
  return {1, 0, false};
}

uint32_t unit_at(std::string_view text, size_t i, const Encoding& e) {
  uint32_t value = 0;
  for (size_t k = 0; k < e.unit; ++k)
    value = value << 8 | static_cast<unsigned char>(text[i + (e.big ? k : e.unit - 1 - k)]);
  return value;
}

}  // namespace

std::string json_text(std::string bytes, const std::string& where) {
  Encoding e = encoding_of(bytes);
  if (e.unit == 1) {
    bytes.erase(0, e.mark);
    return bytes;
  }
  auto bad = [&](size_t i) {
    return Error(Code::corrupt, "bad JSON at byte " + std::to_string(i) + ": no UTF-" + std::to_string(8 * e.unit))
        .where(where)
        .hint("write it as UTF-8");
  };
  std::string_view text = bytes;
  if (text.size() % e.unit != 0) throw bad(text.size());
  std::string out;
  out.reserve(text.size());
  for (size_t i = e.mark; i < text.size(); i += e.unit) {
    uint32_t c = unit_at(text, i, e);
    if (e.unit == 2 && c >= 0xD800 && c < 0xDC00 && i + 2 < text.size()) {
      uint32_t next = unit_at(text, i + 2, e);
      if (next < 0xDC00 || next > 0xDFFF) throw bad(i);
      c = 0x10000 + ((c & 0x3FF) << 10 | (next & 0x3FF));
      i += 2;
    }
    if ((c >= 0xD800 && c < 0xE000) || c > 0x10FFFF) throw bad(i);
    append_utf8(out, c);
  }
  return out;
}

}  // namespace td::storage
