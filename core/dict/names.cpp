#include "core/dict/names.h"

#include <algorithm>

#include "core/error.h"

namespace td {

Names tidy(Names names) {
  bool any = std::any_of(names.begin(), names.end(), [](const Name& n) { return n.has_value(); });
  return any ? names : Names();
}

Names spread(const Names& names, size_t dims) {
  Names out = names;
  out.resize(dims);
  return out;
}

void check_names(const Names& names, size_t dims) {
  if (names.size() != dims)
    throw Error(Code::argument, std::to_string(names.size()) + " names for " + std::to_string(dims) + " batch dims")
        .hint("give one for each dim; dims may have none");
  for (size_t i = 0; i < names.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (names[i] && names[i] == names[j])
        throw Error(Code::argument, "the name \"" + *names[i] + "\" stands for two dims");
}

}  // namespace td
