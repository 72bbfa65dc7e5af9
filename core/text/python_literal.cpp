#include "core/text/python_literal.h"

#include <charconv>
#include <cmath>
#include <string>

#include "core/dict/data/value_text.h"
#include "core/dict/key.h"
#include "core/error.h"
#include "core/utf8.h"

namespace td {

namespace {

constexpr int literal_depth = 100;

bool take(std::string_view& text, std::string_view what) {
  if (text.substr(0, what.size()) != what) return false;
  text.remove_prefix(what.size());
  return true;
}

// What follows a backslash.
bool take_escape(std::string_view& text, bool bytes, std::string& out) {
  if (text.empty()) return false;
  char kind = text[0];
  text.remove_prefix(1);
  constexpr std::string_view letters = "tnr\\'\"", plain = "\t\n\r\\'\"";
  size_t at = letters.find(kind);
  if (at != letters.npos) return out += plain[at], true;
  size_t digits = kind == 'x' ? 2 : bytes ? 0 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
  uint32_t c = 0;
  if (digits == 0 || text.size() < digits) return false;
  auto [end, error] = std::from_chars(text.data(), text.data() + digits, c, 16);
  if (error != std::errc() || end != text.data() + digits || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return false;
  text.remove_prefix(digits);
  if (bytes)
    out += static_cast<char>(c);
  else
    append_utf8(out, c);
  return true;
}

bool take_quoted(std::string_view& text, bool bytes, std::string& out) {
  char quote = text[0];
  text.remove_prefix(1);
  while (!text.empty() && text[0] != quote) {
    char c = text[0];
    text.remove_prefix(1);
    if (c != '\\')
      out += c;
    else if (!take_escape(text, bytes, out))
      return false;
  }
  return take(text, std::string_view(&quote, 1));
}

Value of_kind(Value::Kind kind) {
  Value v;
  v.kind = kind;
  return v;
}

optional<Value> take_number(std::string_view& text) {
  size_t n = text.find_first_not_of("0123456789+-.einfa");
  std::string_view word = text.substr(0, n);
  std::string_view digits = word.substr(0, 1) == "-" ? word.substr(1) : word;
  if (digits.empty()) return nullopt;
  Value v;
  const char* end = word.data() + word.size();
  if (digits.find_first_not_of("0123456789") == digits.npos) {
    v.kind = Value::Kind::integer;
    if (std::from_chars(word.data(), end, v.i).ec == std::errc::result_out_of_range) {
      v = of_kind(Value::Kind::json);
      v.text = word;
    }
  } else {
    v.kind = Value::Kind::real;
    auto [read, error] = std::from_chars(word.data(), end, v.f);
    if (read != end || error != std::errc()) return nullopt;
  }
  text.remove_prefix(word.size());
  return v;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char hex[] = "0123456789abcdef";
      out += "\\u00";
      out += {hex[c >> 4 & 15], hex[c & 15]};
    } else {
      out += c;
    }
  }
  out += '"';
}

// Bytes are not JSON.
bool append_json(std::string& out, const Value& v) {
  switch (v.kind) {
    case Value::Kind::none:
      out += "null";
      return true;
    case Value::Kind::boolean:
      out += v.i ? "true" : "false";
      return true;
    case Value::Kind::integer:
      out += std::to_string(v.i);
      return true;
    case Value::Kind::real:
      out += v.f != v.f ? "NaN" : std::isinf(v.f) ? (v.f > 0 ? "Infinity" : "-Infinity") : python_text(v, true);
      return true;
    case Value::Kind::text:
      append_json_string(out, v.text);
      return true;
    case Value::Kind::json:
      out += v.text;
      return true;
    default:
      return false;
  }
}

optional<Value> take_any(std::string_view& text, int depth);

optional<Value> take_container(std::string_view& text, int depth) {
  bool dict = text[0] == '{';
  std::string_view close = dict ? "}" : "]";
  Value out = of_kind(Value::Kind::json);
  out.text = text[0];
  text.remove_prefix(1);
  for (bool first = true; !take(text, close); first = false) {
    if (!first && !take(text, ", ")) return nullopt;
    if (!first) out.text += ',';
    if (dict) {
      auto key = take_any(text, depth + 1);
      if (!key || key->kind != Value::Kind::text || !take(text, ": ")) return nullopt;
      append_json_string(out.text, key->text);
      out.text += ':';
    }
    auto value = take_any(text, depth + 1);
    if (!value || !append_json(out.text, *value)) return nullopt;
  }
  out.text += close;
  return out;
}

optional<Value> take_any(std::string_view& text, int depth) {
  if (text.empty() || depth > literal_depth) return nullopt;
  Value v;
  if (take(text, "None")) return v;
  bool truth = take(text, "True");
  if (truth || take(text, "False")) {
    v.kind = Value::Kind::boolean;
    v.i = truth;
    return v;
  }
  if (text[0] == '[' || text[0] == '{') return take_container(text, depth);
  bool bytes = text.size() > 1 && text[0] == 'b' && (text[1] == '\'' || text[1] == '"');
  if (bytes) text.remove_prefix(1);
  if (text[0] == '\'' || text[0] == '"') {
    v.kind = bytes ? Value::Kind::bytes : Value::Kind::text;
    if (!take_quoted(text, bytes, v.text)) return nullopt;
    return v;
  }
  return take_number(text);
}

// The quote and the brackets that are open at the end, the innermost first.
std::string open_ends(std::string_view text) {
  std::string open;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '{') {
      open.insert(open.begin(), c == '[' ? ']' : '}');
    } else if ((c == ']' || c == '}') && !open.empty()) {
      open.erase(open.begin());
    }
  }
  if (quote) open.insert(open.begin(), quote);
  return open;
}

}  // namespace

optional<Value> take_literal(std::string_view& text) {
  return take_any(text, 0);
}

optional<Value> literal(std::string_view text) {
  std::string_view rest = text;
  auto v = take_literal(rest);
  if (!v || !rest.empty() || v->kind == Value::Kind::text || python_text(*v, false) != text) return nullopt;
  return v;
}

// Tries what could follow: the rest of an escape, of a word or of a number, then what is still open.
optional<Value> completed_literal(std::string_view begin) {
  if (begin.empty()) return Value();
  static constexpr std::string_view rests[] = {
      "",    "\\", "n", "0",   "00", "000", "0000", "00000", "000000", "0000000", "1",  "28", "028", "2028", "16",
      "+16", "05", "5", "one", "ne", "e",   "rue",  "ue",    "alse",   "lse",     "se", "an", "nf",  "f",    "''"};
  static constexpr std::string_view tails[] = {"", ": 0", " 0", "0", "'': 0", " '': 0"};
  std::string closers = open_ends(begin);
  bool quoted = !closers.empty() && (closers[0] == '\'' || closers[0] == '"');
  for (std::string_view rest : rests)
    for (std::string_view tail : tails) {
      std::string text = std::string(begin) + std::string(rest);
      if (quoted) text += closers[0];
      text += std::string(tail) + closers.substr(quoted ? 1 : 0);
      std::string_view left = text;
      auto v = take_literal(left);
      if (v && left.empty() && python_text(*v, true).compare(0, begin.size(), begin) == 0) return v;
    }
  return nullopt;
}

}  // namespace td
