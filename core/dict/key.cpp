#include "core/dict/key.h"

#include "core/error.h"

namespace td {

Path::Path(std::initializer_list<const char*> parts) : keys_(parts.begin(), parts.end()) {
  rebuild();
}

Path::Path(PathView path) {
  keys_.reserve(path.size());
  for (const KeyView& k : path) keys_.emplace_back(k);
  rebuild();
}

Path Path::operator+(const Key& child) const {
  Path longer;
  longer.keys_.reserve(keys_.size() + 1);
  longer.keys_.append(keys_.begin(), keys_.end());
  longer.keys_.push_back(child);
  longer.views_.reserve(longer.keys_.size());
  longer.views_.append(views_.begin(), views_.end());
  longer.views_.push_back(child.view());
  return longer;
}

void Path::rebuild() {
  views_.clear();
  views_.reserve(keys_.size());
  for (const Key& k : keys_) views_.push_back(k.view());
}

std::string to_string(PathView path) {
  auto quoted = [](std::string_view text) { return '"' + std::string(text) + '"'; };
  if (path.size() == 1) return quoted(path[0].text);
  std::string s = "(";
  for (size_t i = 0; i < path.size(); ++i) s += (i ? ", " : "") + quoted(path[i].text);
  return s + ")";
}

void check_utf8(std::string_view s, const char* what) {
  auto bad = [&](size_t at) {
    throw Error(Code::argument, std::string(what) + " is not UTF-8 at byte " + std::to_string(at));
  };
  for (size_t i = 0; i < s.size();) {
    unsigned char c = s[i];
    if (c < 0x80) {
      ++i;
      continue;
    }
    size_t n = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    if (n == 0 || i + n > s.size()) bad(i);
    for (size_t j = 1; j < n; ++j)
      if ((static_cast<unsigned char>(s[i + j]) & 0xC0) != 0x80) bad(i);
    unsigned char d = s[i + 1];
    // Overlong forms, surrogates and code points past U+10FFFF.
    if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d > 0x9F) || (c == 0xF0 && d < 0x90) || (c == 0xF4 && d > 0x8F))
      bad(i);
    i += n;
  }
}

}  // namespace td
