#include "core/text/indent.h"

#include <algorithm>

namespace td {

namespace {

constexpr std::string_view next_line = "\xC2\x85", no_break = "\xC2\xA0", line_separator = "\xE2\x80\xA8",
                           paragraph_separator = "\xE2\x80\xA9";

bool starts_with(std::string_view text, std::string_view what) {
  return text.substr(0, what.size()) == what;
}

// The length of the line end at the start of `text`, or 0.
size_t line_end(std::string_view text) {
  if (starts_with(text, "\r\n")) return 2;
  char c = text[0];
  if ((c >= '\n' && c <= '\r') || (c >= '\x1c' && c <= '\x1e')) return 1;
  for (std::string_view end : {next_line, line_separator, paragraph_separator})
    if (starts_with(text, end)) return end.size();
  return 0;
}

// The length of the whitespace at the start of `text`, or 0.
size_t white(std::string_view text) {
  char c = text[0];
  if (c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f')) return 1;
  for (std::string_view space :
       {next_line, no_break, std::string_view("\xE1\x9A\x80"), line_separator, paragraph_separator,
        std::string_view("\xE2\x80\xAF"), std::string_view("\xE2\x81\x9F"), std::string_view("\xE3\x80\x80")})
    if (starts_with(text, space)) return space.size();
  bool wide = text.size() > 2 && starts_with(text, "\xE2\x80") && static_cast<unsigned char>(text[2]) <= 0x8A;
  return wide ? 3 : 0;
}

bool blank(std::string_view line) {
  while (!line.empty()) {
    size_t n = white(line);
    if (n == 0) return false;
    line.remove_prefix(n);
  }
  return true;
}

// Calls fn(line with its end) for each line.
template <class F>
void for_each_line(std::string_view text, F&& fn) {
  size_t begin = 0;
  for (size_t i = 0; i < text.size();) {
    size_t end = line_end(text.substr(i));
    i += end ? end : 1;
    if (end == 0) continue;
    fn(text.substr(begin, i - begin));
    begin = i;
  }
  if (begin < text.size()) fn(text.substr(begin));
}

}  // namespace

std::string indented(std::string_view text, size_t spaces) {
  std::string out;
  for_each_line(text, [&](std::string_view line) {
    if (!blank(line)) out.append(spaces, ' ');
    out += line;
  });
  return out;
}

std::string dedented(std::string_view text, size_t spaces) {
  std::string out;
  bool first = true;
  for_each_line(text, [&](std::string_view line) {
    bool last = line.data() + line.size() == text.data() + text.size();  // more stood on it, so it was not blank
    size_t there = std::min(line.find_first_not_of(' '), line.size());
    if (!first && (last || !blank(line))) line.remove_prefix(std::min(there, spaces));
    out += line;
    first = false;
  });
  return out;
}

bool begins_blank(std::string_view text) {
  size_t i = 0, end = 0;
  while (i < text.size() && (end = line_end(text.substr(i))) == 0) ++i;
  return blank(text.substr(0, i + end));
}

}  // namespace td
