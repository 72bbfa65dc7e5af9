#include "core/dict/names.h"

#include <algorithm>

#include "core/dict/key.h"
#include "core/error.h"

namespace td {

Names tidy(Names names) {
  bool any = std::any_of(names.begin(), names.end(), [](const Name& n) { return n.has_value(); });
  if (!any) names.clear();
  return names;  // the names that came in: to adopt them takes no memory
}

Names spread(const Names& names, size_t dims) {
  Names out = names;
  out.resize(dims);
  return out;
}

void check_names(const Names& names, size_t dims) {
  if (names.size() != dims)
    throw Error(Code::argument,
                std::to_string(names.size()) + " names were given for " + std::to_string(dims) + " batch dims")
        .hint("give one name for each dim; a name may be unset");
  for (const Name& n : names)
    if (n) check_utf8(*n, "name");
  for (size_t i = 0; i < names.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (names[i] && names[i] == names[j])
        throw Error(Code::argument, "the name \"" + *names[i] + "\" names two dims");
}

Names refined(const Names& own, const Names& given) {
  check_names(given, own.size());
  for (size_t i = 0; i < own.size(); ++i)
    if (own[i] && own[i] != given[i])
      throw Error(Code::argument, "names " + to_string(own) + " cannot be refined to " + to_string(given))
          .hint("rename the dims, or set all names");
  return given;
}

Names renamed(Names own, const Names& from, const Names& to) {
  Names out = own;
  for (size_t i = 0; i < from.size(); ++i) {
    auto at = from[i] ? std::find(own.begin(), own.end(), from[i]) : own.end();
    if (at == own.end())
      throw Error(Code::argument, "no dim has the name " + to_string(Names{from[i]}) + " among " + to_string(own));
    out[static_cast<size_t>(at - own.begin())] = to[i];
  }
  check_names(out, own.size());
  return out;
}

Names fitted(const Names& inner, const Names& outer) {
  Names out = inner;
  bool clash = false;
  for (size_t i = 0; i < std::min(inner.size(), outer.size()); ++i) {
    clash = clash || (inner[i] && inner[i] != outer[i]);
    out[i] = outer[i];
  }
  if (clash)
    throw Error(Code::argument, "the node has dim names " + to_string(inner) + ", but the dict has " + to_string(outer))
        .hint("rename or clear the names of one of them");
  check_names(out, out.size());
  return out;
}

std::string to_string(const Names& names) {
  std::string s = "(";
  for (const Name& n : names) s += (s.size() > 1 ? ", " : "") + (n ? '"' + *n + '"' : std::string("None"));
  return s + ")";
}

}  // namespace td
