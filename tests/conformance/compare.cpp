#include "compare.h"

#include <cmath>

namespace conformance {
namespace {

double tolerance(const json::object &o) {
  const json::value *dtype = o.if_contains("dtype");
  if (!dtype || !dtype->is_string()) return 1e-9;
  const json::string &name = dtype->get_string();
  if (name == "float16") return 2e-3;
  if (name == "bfloat16") return 2e-2;
  return name == "float32" || name == "complex64" ? 2e-5 : 1e-9;
}

class Comparison {
 public:
  std::vector<std::string> found;

  void compare(const json::value &a, const json::value &b, const std::string &at, double within) {
    if (a.is_object() && b.is_object()) return objects(a.get_object(), b.get_object(), at);
    if (a.is_array() && b.is_array()) return arrays(a.get_array(), b.get_array(), at, within);
    if (a.is_number() && b.is_number() && close(a, b, within)) return;
    if (!(a.is_number() && b.is_number()) && a == b) return;
    differ(at, a, b);
  }

 private:
  static bool close(const json::value &a, const json::value &b, double within) {
    if (a.is_int64() && b.is_int64()) return a == b;
    const double x = a.to_number<double>(), y = b.to_number<double>();
    return std::abs(x - y) <= within * std::max({1.0, std::abs(x), std::abs(y)});
  }

  static std::string brief(const json::value &v) {
    std::string s = json::serialize(v);
    return s.size() <= 160 ? s : s.substr(0, 157) + "...";
  }

  void differ(const std::string &at, const json::value &a, const json::value &b) {
    found.push_back(at + ": expected " + brief(a) + ", got " + brief(b));
  }

  void arrays(const json::array &a, const json::array &b, const std::string &at, double within) {
    if (a.size() != b.size()) return differ(at, a, b);
    for (size_t i = 0; i < a.size(); ++i) compare(a[i], b[i], at + "[" + std::to_string(i) + "]", within);
  }

  void objects(const json::object &a, const json::object &b, const std::string &at) {
    const double within = tolerance(a);
    bool same_keys = true;
    for (const auto &e : a) {
      if (const json::value *other = b.if_contains(e.key())) {
        compare(e.value(), *other, at + "/" + std::string(e.key()), within);
      } else {
        found.push_back(at + "/" + std::string(e.key()) + ": expected " + brief(e.value()) + ", is missing");
        same_keys = false;
      }
    }
    for (const auto &e : b)
      if (!a.contains(e.key())) {
        found.push_back(at + "/" + std::string(e.key()) + ": not expected, got " + brief(e.value()));
        same_keys = false;
      }
    if (same_keys && at.size() > 8 && at.compare(at.size() - 8, 8, "/entries") == 0) order(a, b, at);
  }

  void order(const json::object &a, const json::object &b, const std::string &at) {
    json::array left, right;
    for (const auto &e : a) left.push_back(json::string(e.key()));
    for (const auto &e : b) right.push_back(json::string(e.key()));
    if (left != right) differ(at + " in order", left, right);
  }
};

}  // namespace

std::vector<std::string> differences(const json::value &expected, const json::value &got) {
  Comparison c;
  c.compare(expected, got, "", 1e-9);
  return c.found;
}

}  // namespace conformance
