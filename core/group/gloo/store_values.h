// The values of a store of c10d.
#pragma once

#include <string>

#include "core/group/gloo/stores.h"
#include "core/group/transport.h"

namespace td::group {

class StoreValues final : public Values {
 public:
  // A null store is not known: every call is Error(unsupported).
  StoreValues(StorePtr store, std::string where, int64_t timeout_ms)
      : store_(std::move(store)), where_(std::move(where)), timeout_ms_(timeout_ms) {}

  void set(const std::string& key, const std::string& value) override;
  optional<std::string> get(const std::string& key) override;
  int64_t add(const std::string& key, int64_t n) override;
  bool remove(const std::string& key) override;

 private:
  template <class F>
  auto asking(F ask) -> decltype(ask(std::declval<c10d::Store&>()));

  StorePtr store_;
  std::string where_;
  int64_t timeout_ms_;
};

}  // namespace td::group
