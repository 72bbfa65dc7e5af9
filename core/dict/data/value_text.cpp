#include "core/dict/data/value_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace td {

std::string shortest_digits(double f, double least) {
  double size = std::abs(f);
  bool plain = f == 0 || (size >= least && size < 1e16);
  char buffer[64];
  auto end =
      std::to_chars(buffer, buffer + sizeof buffer, f, plain ? std::chars_format::fixed : std::chars_format::scientific)
          .ptr;
  return std::string(buffer, end);
}

namespace {

constexpr char hex_digits[] = "0123456789abcdef";

// Python's repr of a float: the shortest digits that read back the same, with an exponent below 1e-4 and from 1e16 on.
std::string float_text(double f) {
  if (f != f) return "nan";
  if (std::isinf(f)) return f > 0 ? "inf" : "-inf";
  std::string s = shortest_digits(f, 1e-4);
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

size_t sequence_length(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

uint32_t code_point(std::string_view sequence) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(sequence[i]); };
  uint32_t c = sequence.size() == 1 ? byte(0) : byte(0) & (0xFFu >> (sequence.size() + 1));
  for (size_t i = 1; i < sequence.size(); ++i) c = c << 6 | (byte(i) & 0x3F);
  return c;
}

// Controls, formats, separators and private use. Python also escapes code points that Unicode has not assigned yet;
// those are a different set in each of its versions.
bool printable(uint32_t c) {
  static constexpr uint32_t ranges[][2] = {{0x00, 0x1F},     {0x7F, 0xA0},       {0xAD, 0xAD},       {0x600, 0x605},
                                           {0x61C, 0x61C},   {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x1680, 0x1680},
                                           {0x180E, 0x180E}, {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F},
                                           {0x3000, 0x3000}, {0xE000, 0xF8FF},   {0xFEFF, 0xFEFF},   {0xFFF0, 0xFFFB},
                                           {0xFFFE, 0xFFFF}, {0xE0000, 0xE00FF}, {0xE01F0, 0x10FFFF}};
  for (const auto& range : ranges)
    if (c >= range[0] && c <= range[1]) return false;
  return true;
}

void append_escaped(std::string& out, uint32_t c) {
  char kind = c < 0x100 ? 'x' : c < 0x10000 ? 'u' : 'U';
  out += {'\\', kind};
  for (int shift = kind == 'x' ? 4 : kind == 'u' ? 12 : 28; shift >= 0; shift -= 4) out += hex_digits[c >> shift & 15];
}

// In single quotes, unless only double ones need no escape.
std::string quoted_text(std::string_view text, bool bytes) {
  char quote = text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
  std::string out(1, quote);
  for (size_t i = 0, n; i < text.size(); i += n) {
    n = bytes ? 1 : sequence_length(static_cast<unsigned char>(text[i]));
    std::string_view sequence = text.substr(i, n);
    uint32_t c = bytes ? static_cast<unsigned char>(text[i]) : code_point(sequence);
    constexpr std::string_view named = "\t\n\r\\", letters = "tnr\\";
    size_t at = n == 1 ? named.find(text[i]) : named.npos;
    if (at != named.npos)
      out += {'\\', letters[at]};
    else if (text[i] == quote)
      out += {'\\', quote};
    else if (!printable(c) || (bytes && c > 0x7E))
      append_escaped(out, c);
    else
      out += sequence;
  }
  return out + quote;
}

uint32_t four_hex(std::string_view digits) {
  uint32_t c = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), c, 16);
  return c;
}

// Of the text between the quotes of our own compact JSON, where \u stands for controls only.
std::string unescaped(std::string_view json) {
  constexpr std::string_view letters = "\"\\/btnfr", plain = "\"\\/\b\t\n\f\r";
  std::string out;
  for (size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '\\') {
      out += json[i];
    } else if (json[++i] == 'u') {
      out += static_cast<char>(four_hex(json.substr(i + 1, 4)));
      i += 4;
    } else {
      out += plain[letters.find(json[i])];
    }
  }
  return out;
}

std::string_view string_at(std::string_view json, size_t begin) {
  size_t end = begin + 1;
  while (json[end] != '"') end += json[end] == '\\' ? 2 : 1;
  return json.substr(begin, end + 1 - begin);
}

std::string word_text(std::string_view word) {
  if (word == "null") return "None";
  if (word == "true") return "True";
  if (word == "false") return "False";
  if (word == "NaN") return "nan";
  if (word == "Infinity") return "inf";
  if (word == "-Infinity") return "-inf";
  if (word.find_first_of(".e") == word.npos) return std::string(word);
  double real = 0;
  std::from_chars(word.data(), word.data() + word.size(), real);
  return float_text(real);
}

std::string json_text(std::string_view json) {
  std::string out;
  for (size_t i = 0; i < json.size();) {
    constexpr std::string_view marks = "[]{},:";
    if (json[i] == '"') {
      std::string_view text = string_at(json, i);
      out += quoted_text(unescaped(text.substr(1, text.size() - 2)), false);
      i += text.size();
    } else if (marks.find(json[i]) != marks.npos) {
      out += json[i];
      if (json[i] == ',' || json[i] == ':') out += ' ';
      ++i;
    } else {
      size_t end = std::min(json.find_first_of(marks, i), json.size());
      out += word_text(json.substr(i, end - i));
      i = end;
    }
  }
  return out;
}

Value word_value(std::string_view word) {
  Value v;
  std::string text = word_text(word);
  if (text == "None") return v;
  if (word == "true" || word == "false") {
    v.kind = Value::Kind::boolean;
    v.i = word == "true";
  } else if (text.find_first_of(".enf") != text.npos) {
    v.kind = Value::Kind::real;
    v.f = std::strtod(text.c_str(), nullptr);
  } else {
    auto end = std::from_chars(word.data(), word.data() + word.size(), v.i);
    v.kind = end.ec == std::errc() ? Value::Kind::integer : Value::Kind::json;
    if (v.kind == Value::Kind::json) v = {Value::Kind::json, 0, 0, text, nullptr};
  }
  return v;
}

// Where the element that begins at `begin` ends.
size_t element_end(std::string_view json, size_t begin) {
  size_t depth = 0, i = begin;
  for (; i < json.size(); ++i) {
    if (json[i] == '"') i += string_at(json, i).size() - 1;
    if (depth == 0 && (json[i] == ',' || json[i] == ']')) break;
    if (json[i] == '[' || json[i] == '{') ++depth;
    if (json[i] == ']' || json[i] == '}') --depth;
  }
  return i;
}

size_t offset_of(const std::string& text, size_t n) {
  size_t i = 0;
  for (; n > 0 && i < text.size(); --n) i += sequence_length(static_cast<unsigned char>(text[i]));
  return std::min(i, text.size());
}

}  // namespace

std::string python_text(const Value& v, bool quoted) {
  switch (v.kind) {
    case Value::Kind::none:
      return "None";
    case Value::Kind::boolean:
      return v.i ? "True" : "False";
    case Value::Kind::integer:
      return std::to_string(v.i);
    case Value::Kind::real:
      return float_text(v.f);
    case Value::Kind::bytes:
      return 'b' + quoted_text(v.text, true);
    case Value::Kind::json:
      return json_text(v.text);
    case Value::Kind::pickle:
      return "<pickle of " + std::to_string(v.pickle->bytes.size()) + " bytes>";
    default:
      return quoted ? quoted_text(v.text, false) : v.text;
  }
}

std::vector<Value> json_elements(const std::string& list) {
  std::vector<Value> out;
  std::string_view json = list;
  for (size_t i = 1; i < json.size() && json[i] != ']';) {
    size_t end = element_end(json, i);
    std::string_view element = json.substr(i, end - i);
    if (element[0] == '"')
      out.push_back({Value::Kind::text, 0, 0, unescaped(element.substr(1, element.size() - 2)), nullptr});
    else if (element[0] == '[' || element[0] == '{')
      out.push_back({Value::Kind::json, 0, 0, std::string(element), nullptr});
    else
      out.push_back(word_value(element));
    i = end + (end < json.size() && json[end] == ',');
  }
  return out;
}

std::string first_characters(const std::string& text, size_t n) {
  return text.substr(0, offset_of(text, n));
}

std::string last_characters(const std::string& text, size_t n) {
  size_t all = characters(text);
  return text.substr(offset_of(text, all - std::min(n, all)));
}

size_t characters(const std::string& text) {
  size_t n = 0;
  for (char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

}  // namespace td
