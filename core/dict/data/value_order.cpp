#include "core/dict/data/value_order.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "core/dict/data/value_text.h"
#include "core/error.h"

namespace td {

namespace {

using Kind = Value::Kind;

bool is_list(const Value& v) {
  return v.kind == Kind::json && v.text[0] == '[';
}

bool is_object(const Value& v) {
  return v.kind == Kind::json && v.text[0] == '{';
}

bool is_large(const Value& v) {
  return v.kind == Kind::json && !is_list(v) && !is_object(v);
}

bool is_whole(const Value& v) {
  return v.kind == Kind::boolean || v.kind == Kind::integer;
}

bool is_number(const Value& v) {
  return is_whole(v) || v.kind == Kind::real || is_large(v);
}

template <class T>
int order(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

// Exact, which a conversion of the integer is not.
int compare(int64_t i, double f) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  if (std::isnan(f) || f >= limit) return -1;
  if (f < -limit) return 1;
  auto whole = static_cast<int64_t>(f);
  if (i != whole) return order(i, whole);
  return order(0.0, f - static_cast<double>(whole));
}

// The digits of a whole number; a fraction is cut off, which does not matter beside integers beyond 64 bits.
std::string digits_of(const Value& v) {
  if (is_large(v)) return v.text;
  if (is_whole(v)) return std::to_string(v.i);
  char text[std::numeric_limits<double>::max_exponent10 + 8];
  std::snprintf(text, sizeof text, "%.0f", v.f);
  return text;
}

int compare_digits(const std::string& a, const std::string& b) {
  bool below = a[0] == '-';
  if (below != (b[0] == '-')) return below ? -1 : 1;
  int larger = a.size() != b.size() ? order(a.size(), b.size()) : a.compare(b);
  return below ? -larger : larger;
}

int compare_numbers(const Value& a, const Value& b) {
  if (is_whole(a) && is_whole(b)) return order(a.i, b.i);
  if (a.kind == Kind::real && b.kind == Kind::real)
    return std::isnan(a.f) || std::isnan(b.f) ? order(std::isnan(a.f), std::isnan(b.f)) : order(a.f, b.f);
  if (is_whole(a) && b.kind == Kind::real) return compare(a.i, b.f);
  if (is_whole(b) && a.kind == Kind::real) return -compare(b.i, a.f);
  if (a.kind == Kind::real && !std::isfinite(a.f)) return a.f < 0 ? -1 : 1;
  if (b.kind == Kind::real && !std::isfinite(b.f)) return b.f < 0 ? 1 : -1;
  return compare_digits(digits_of(a), digits_of(b));
}

int compare_lists(const Value& a, const Value& b) {
  std::vector<Value> x = json_elements(a.text), y = json_elements(b.text);
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (int found = compare_values(x[i], y[i])) return found;
  return order(x.size(), y.size());
}

}  // namespace

int compare_values(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return compare_numbers(a, b);
  if (is_list(a) && is_list(b)) return compare_lists(a, b);
  if (a.kind == b.kind && (a.kind == Kind::text || a.kind == Kind::bytes)) return a.text.compare(b.text);
  if (a.kind == Kind::none && b.kind == Kind::none) return 0;
  throw Error(Code::argument, "cannot compare " + python_text(a, true) + " with " + python_text(b, true))
      .hint("all values must be numbers, or all text, all bytes, or all lists of these");
}

void check_ordered(const Value& value) {
  if (is_object(value) || value.kind == Kind::pickle)
    throw Error(Code::argument,
                std::string("cannot compare ") + (is_object(value) ? "JSON objects" : "values that Python pickled"));
  if (!is_list(value)) return;
  for (const Value& v : json_elements(value.text)) check_ordered(v);
}

bool holds_nan(const Value& value) {
  if (value.kind == Kind::real) return std::isnan(value.f);
  if (!is_list(value)) return false;
  std::vector<Value> all = json_elements(value.text);
  return std::any_of(all.begin(), all.end(), holds_nan);
}

}  // namespace td
