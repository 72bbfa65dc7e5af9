#include "core/math/equal.h"

#include "core/dict/data/value_text.h"
#include "core/dict/entries.h"
#include "core/dict/level.h"
#include "core/error.h"
#include "core/math/compare_data.h"

namespace td {

namespace {

class Compare {
 public:
  explicit Compare(const Tolerance& tolerance) : tolerance_(tolerance) {}

  optional<std::string> nodes(const Node& a, const Node& b, const Level& level) const {
    if (a.batch_size() != b.batch_size())
      return at(level, "batch size " + to_string(a.batch_size()) + " and batch size " + to_string(b.batch_size()));
    if (a.has_members() || b.has_members()) return members(a, b, level);
    optional<std::string> found;
    std::vector<Key> keys;
    a.visit(Detail::shape, [&](const Key& k, const Entry&) { keys.push_back(k); });
    for (const Key& k : keys)
      if ((found = entry(k, a.find(k), b.find(k), level))) return found;
    b.visit(Detail::shape, [&](const Key& k, const Entry&) {
      if (!found && !a.has_common(k)) found = said(level.path(k), "only in the second dict");
    });
    return found;
  }

 private:
  // What is stacked may differ in its keys and shapes, so each member is compared with its part of the other dict.
  optional<std::string> members(const Node& a, const Node& b, const Level& level) const {
    const bool of_a = a.has_members();
    const Node& stack = of_a ? a : b;
    optional<Nodes> others = stack.apart(of_a ? b : a);
    Nodes own = all_members(stack);
    if (!others || others->size() != own.size()) return at(level, "different numbers of members");
    for (size_t i = 0; i < own.size(); ++i) {
      const Node &mine = *own[i], &other = *(*others)[i];
      if (auto found = of_a ? nodes(mine, other, level) : nodes(other, mine, level))
        return "in member " + std::to_string(i) + " " + *found;
    }
    return nullopt;
  }

  optional<std::string> entry(const Key& k, const Entry& x, const Entry& y, const Level& level) const {
    if (!y) return said(level.path(k), "only in the first dict");
    if (x.kind() != y.kind()) return said(level.path(k), std::string(kind(x)) + " and " + kind(y));
    if (x.is_node()) return nodes(*x.node(), *y.node(), Level{&level, &k});
    if (x.is_tensor()) {
      auto found = difference(x.tensor(), y.tensor(), tolerance_);
      return found ? optional<std::string>(said(level.path(k), *found)) : nullopt;
    }
    const Data &p = *x.data(), &q = *y.data();
    if (p.batch() != q.batch())
      return said(level.path(k), "non-tensor data of batch size " + to_string(p.batch()) + " and of batch size " +
                                     to_string(q.batch()));
    if (!p.stacked() && !q.stacked())
      return same(p.at(0), q.at(0)) ? nullopt : optional<std::string>(said(level.path(k), "data differ"));
    std::vector<const Value*> left = p.values(), right = q.values();
    for (size_t i = 0; i < left.size(); ++i)
      if (!same(*left[i], *right[i]))
        return said(level.path(k), "non-tensor data differs, first at element " + std::to_string(i));
    return nullopt;
  }

  bool same(const Value& a, const Value& b) const {
    const bool nan = a.kind == Value::Kind::real && b.kind == Value::Kind::real && a.f != a.f && b.f != b.f;
    return nan ? tolerance_.equal_nan : equal_values(a, b);
  }

  static const char* kind(const Entry& e) { return e.is_tensor() ? "a tensor" : e.is_node() ? "a dict" : "data"; }
  static std::string said(const Path& path, const std::string& what) { return to_string(path) + ": " + what; }
  static std::string at(const Level& level, const std::string& what) {
    if (!level.key) return what;
    return said(level.up->path(*level.key), what);
  }

  const Tolerance& tolerance_;
};

}  // namespace

optional<std::string> difference(const Node& a, const Node& b, const Tolerance& tolerance) {
  if (!(tolerance.relative >= 0) || !(tolerance.absolute >= 0))
    throw Error(Code::argument, "a tolerance is negative or not a number");
  return Compare(tolerance).nodes(a, b, Level{nullptr, nullptr});
}

}  // namespace td
