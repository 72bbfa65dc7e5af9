#include "core/letters_apart.h"

#include <algorithm>
#include <vector>

namespace td {

size_t letters_apart(std::string_view a, std::string_view b, size_t limit) {
  if ((a.size() > b.size() ? a.size() - b.size() : b.size() - a.size()) >= limit) return limit;
  std::vector<size_t> before, last(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = last;
    last.swap(now);
  }
  return std::min(last[b.size()], limit);
}

size_t letters_misspelt(std::string_view name) {
  constexpr size_t longest = 200;  // no name is near that
  return name.size() > longest ? 0 : std::min<size_t>(3, name.size() / 4 + 1);
}

}  // namespace td
