// Redirects LibTorch's warnings away from stderr.
#pragma once

#include <functional>
#include <string>

namespace c10 {
class WarningHandler;
}

namespace td {

// Called on the thread that is warned, while it runs an operator. Empty: warnings are discarded.
using WarningSink = std::function<void(const std::string& text, const std::string& where)>;
void set_warning_sink(WarningSink sink);

// While it lives, warnings on this thread go to the sink, whatever handler the program has outside.
class WarningScope {
 public:
  WarningScope() noexcept;
  WarningScope(const WarningScope&) = delete;
  WarningScope& operator=(const WarningScope&) = delete;
  ~WarningScope();

 private:
  c10::WarningHandler* before_;
};

}  // namespace td
