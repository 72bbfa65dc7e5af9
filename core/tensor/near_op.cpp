#include "core/tensor/near_op.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>

namespace td {

namespace {

// How many letters differ: missing, too many, others, or two that changed places; `limit` if there are that many.
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

}  // namespace

std::string near_op(const std::string& name) {
  constexpr size_t longest = 200;  // no operator's name is near that
  if (name.size() > longest) return "";
  std::string nearest;
  size_t least = std::min<size_t>(3, name.size() / 4 + 1);
  for (const c10::OperatorName& op : c10::Dispatcher::singleton().getAllOpNames()) {
    // Of two that are equally near the first by name, whatever order they were registered in.
    const size_t apart = letters_apart(name, op.name, least + 1);
    if (apart > least || (apart == least && !nearest.empty() && op.name >= nearest)) continue;
    least = apart;
    nearest = op.name;
  }
  return nearest;
}

}  // namespace td
