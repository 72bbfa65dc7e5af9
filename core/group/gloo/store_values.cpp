#include "core/group/gloo/store_values.h"

#include <utility>
#include <vector>

#include "core/error.h"
#include "core/group/gloo/failure.h"

namespace td::group {

template <class F>
auto StoreValues::asking(F ask) -> decltype(ask(std::declval<c10d::Store&>())) {
  if (!store_) throw Error(Code::unsupported, "the store of the group is not known").where(where_);
  try {
    return ask(*store_);
  } catch (...) {
    throw store_failure(where_, timeout_ms_);
  }
}

void StoreValues::set(const std::string& key, const std::string& value) {
  asking([&](c10d::Store& s) { return s.set(key, std::vector<uint8_t>(value.begin(), value.end())), 0; });
}

optional<std::string> StoreValues::get(const std::string& key) {
  return asking([&](c10d::Store& s) -> optional<std::string> {
    if (!s.check({key})) return nullopt;
    const std::vector<uint8_t> value = s.get(key);
    return std::string(value.begin(), value.end());
  });
}

int64_t StoreValues::add(const std::string& key, int64_t n) {
  return asking([&](c10d::Store& s) { return s.add(key, n); });
}

// What deleteKey returns says for some stores that it was done, not that there was a key.
bool StoreValues::remove(const std::string& key) {
  return asking([&](c10d::Store& s) { return s.check({key}) && s.deleteKey(key); });
}

}  // namespace td::group
