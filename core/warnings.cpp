#include "core/warnings.h"

#include <memory>

#include "core/fork.h"
#include "core/torch_compat.h"

namespace td {

namespace {

struct Sink {
  ProcessMutex mutex;
  std::shared_ptr<const WarningSink> function;
};

Sink& sink = *new Sink;  // never destroyed: a thread may be warned when the process ends

std::string place(const c10::SourceLocation& at) {
  std::string file = at.file ? at.file : "";
  return file.substr(file.rfind('/') + 1) + ':' + std::to_string(at.line);
}

void tell(const c10::SourceLocation& at, const std::string& text) {
  std::shared_ptr<const WarningSink> function;
  {
    ProcessLock hold(sink.mutex);
    function = sink.function;
  }
  if (function) (*function)(text, place(at));
}

WarningHandlerOf<tell> to_sink;

}  // namespace

void set_warning_sink(WarningSink given) {
  auto function = given ? std::make_shared<const WarningSink>(std::move(given)) : nullptr;
  ProcessLock hold(sink.mutex);
  sink.function.swap(function);  // what was there ends outside of the lock
}

WarningScope::WarningScope() noexcept : before_(torch_warnings::get_warning_handler()) {
  torch_warnings::set_warning_handler(&to_sink);
}

WarningScope::~WarningScope() {
  torch_warnings::set_warning_handler(before_);
}

}  // namespace td
