#include "core/tensor/known_op.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/fork.h"

namespace td {

namespace {

using OpPtr = c10::intrusive_ptr<Op>;

// Never destroyed: operators may be removed while the process ends.
struct Known {
  ProcessMutex mutex;
  std::map<std::string, OpPtr, std::less<>> ops;
  uint64_t changes = 0;  // of what the dispatcher has
};

Known& known() {
  static Known& all = *new Known;
  return all;
}

void forget() {
  std::map<std::string, OpPtr, std::less<>> dropped;  // outside the lock
  ProcessLock hold(known().mutex);
  ++known().changes;
  dropped.swap(known().ops);
}

class Listener final : public c10::OpRegistrationListener {
  void onOperatorRegistered(const c10::OperatorHandle&) override { forget(); }
  void onOperatorDeregistered(const c10::OperatorHandle&) override { forget(); }
};

// The dispatcher holds its own lock while it tells the listener, so it is not called under ours.
void listen() {
  static const c10::RegistrationHandleRAII listening =
      c10::Dispatcher::singleton().addRegistrationListener(std::make_unique<Listener>());
}

}  // namespace

OpPtr known_op(std::string_view name) {
  Known& all = known();
  uint64_t changes;
  {
    ProcessLock hold(all.mutex);
    auto it = all.ops.find(name);
    if (it != all.ops.end()) return it->second;
  }
  listen();
  {
    ProcessLock hold(all.mutex);
    changes = all.changes;
  }
  OpPtr op = Op::find(name, nullopt);
  ProcessLock hold(all.mutex);
  if (all.changes == changes) all.ops.emplace(std::string(name), op);
  return op;
}

}  // namespace td
