#include "core/plugin/version.h"

namespace td::plugin {

namespace {

std::string_view trimmed(std::string_view digits) {
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  return digits;
}

// The first part of `rest`, which loses it.
std::string_view next_part(std::string_view& rest) {
  size_t end = rest.find('.');
  std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

bool is_number(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

int compare_parts(std::string_view a, std::string_view b) {
  if (is_number(a) && is_number(b)) {
    a = trimmed(a), b = trimmed(b);
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  }
  return a.compare(b);
}

int compare_dotted(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    std::string_view x = next_part(a), y = next_part(b);
    if (int order = compare_parts(x.empty() ? "0" : x, y.empty() ? "0" : y)) return order;
  }
  return 0;
}

}  // namespace

int compare_versions(std::string_view a, std::string_view b) {
  size_t dash_a = a.find('-'), dash_b = b.find('-');
  if (int order = compare_dotted(a.substr(0, dash_a), b.substr(0, dash_b))) return order;
  bool early_a = dash_a != std::string_view::npos, early_b = dash_b != std::string_view::npos;
  if (early_a != early_b) return early_a ? -1 : 1;
  return early_a ? compare_dotted(a.substr(dash_a + 1), b.substr(dash_b + 1)) : 0;
}

}  // namespace td::plugin
