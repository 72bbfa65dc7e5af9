#include "core/text/repr_cursor.h"
#include "core/levels.h"

#include <algorithm>
#include <charconv>

namespace td {

bool ReprCursor::take(std::string_view what) {
  if (!sees(what)) return false;
  at_ += what.size();
  return true;
}

bool ReprCursor::take_line(size_t indent) {
  std::string_view here = rest();
  if (here.substr(0, 1) != "\n" || here.size() < indent + 1) return false;
  if (here.substr(1, indent).find_first_not_of(' ') != here.npos) return false;
  at_ += indent + 1;
  return true;
}

void ReprCursor::expect(std::string_view what) {
  if (!take(what)) fail("expected '" + std::string(what) + "'");
}

void ReprCursor::expect_line(size_t indent) {
  if (!take_line(indent)) fail("expected a new line with " + std::to_string(indent) + " spaces");
}

std::string_view ReprCursor::word() {
  auto letter = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  std::string_view here = rest();
  size_t n = std::find_if_not(here.begin(), here.end(), letter) - here.begin();
  at_ += n;
  return here.substr(0, n);
}

std::string_view ReprCursor::until(std::string_view stops) {
  std::string_view here = rest();
  here = here.substr(0, here.find_first_of(stops));
  at_ += here.size();
  return here;
}

optional<int64_t> ReprCursor::number() {
  int64_t n = 0;
  const char* begin = text_.data() + at_;
  auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), n);
  if (error != std::errc()) return nullopt;
  at_ += static_cast<size_t>(end - begin);
  return n;
}

optional<Dims> ReprCursor::dims(std::string_view separator) {
  Dims out;
  if (!take("[")) return nullopt;
  while (!take("]")) {
    if (!out.empty() && !take(separator)) return nullopt;
    auto n = number();
    if (!n) return nullopt;
    out.push_back(*n);
  }
  return out;
}

Dims ReprCursor::size() {
  expect("torch.Size(");
  auto out = dims(", ");
  if (!out) fail("expected a shape like [3, 4]");
  expect(")");
  return *out;
}

void ReprCursor::fail(const std::string& what, size_t at, Code code) const {
  throw Error(code, what + " at " + position_text(text_, at));
}

void ReprCursor::check_depth(size_t depth) const {
  if (depth > max_levels) fail("the dict is more than " + std::to_string(max_levels) + " levels deep");
}

std::string position_text(std::string_view text, size_t at) {
  std::string_view before = text.substr(0, at);
  size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  size_t begin = before.rfind('\n');
  std::string_view row = before.substr(begin == before.npos ? 0 : begin + 1);
  auto column =
      1 + std::count_if(row.begin(), row.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace td
