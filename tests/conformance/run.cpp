#include "run.h"

#include <map>

#include "observe.h"
#include "ops.h"

namespace conformance {
namespace {

const std::map<std::string, Operation> &operations() {
  static const std::map<std::string, Operation> all = [] {
    std::map<std::string, Operation> joined;
    for (const Operations &table :
         {basic_operations(), keys_operations(), rows_operations(), shape_operations(), math_operations(),
          state_operations(), lazy_operations(), scope_operations(), files_operations(), modules_operations()})
      for (const NamedOperation &op : table) joined[op.name] = op.run;
    return joined;
  }();
  return all;
}

// "TD_ERR_KEY" as "KEY".
std::string short_name(td_status status) {
  const std::string name = td_status_name(status).data;
  return name.rfind("TD_ERR_", 0) == 0 ? name.substr(7) : name;
}

// While it lives autograd records nothing, if `on`.
class NoGrad {
 public:
  explicit NoGrad(bool on) : scope_(on ? made<td_no_grad>(td_no_grad_begin) : nullptr) {}
  ~NoGrad() {
    if (scope_) td_no_grad_end(scope_, nullptr);
    td_no_grad_release(scope_);
  }
  NoGrad(const NoGrad &) = delete;

 private:
  td_no_grad *scope_;
};

json::object run_steps(const json::array &steps) {
  Program program;
  json::object seen;
  for (size_t i = 0; i < steps.size(); ++i) {
    const json::object &step = steps[i].as_object();
    Operation op = find_operation(json::value_to<std::string>(step.at("op")));
    if (!op) throw BadProgram("no such operation: " + json::serialize(step.at("op")));
    program.begin(step);
    try {
      const NoGrad quiet(program.flag("no_grad"));
      op(program);
    } catch (const Failure &f) {
      seen["error"] = {{"step", i}, {"status", short_name(f.status)}, {"text", f.message}};
      break;
    }
  }
  seen["registers"] = observe(program);
  return seen;
}

}  // namespace

Operation find_operation(const std::string &name) {
  auto found = operations().find(name);
  return found == operations().end() ? nullptr : found->second;
}

json::object run(const json::value &program) {
  static const int kKinds = 32;
  int64_t before[kKinds];
  for (int kind = 0; kind < kKinds; ++kind) before[kind] = td_live_objects(kind);
  json::object seen;
  try {
    seen = run_steps(program.as_object().at("steps").as_array());
  } catch (const Failure &f) {
    seen = {{"bad", "observing failed: " + short_name(f.status) + ": " + f.message}};
  } catch (const std::exception &e) {
    seen = {{"bad", e.what()}};
  }
  for (int kind = 0; kind < kKinds; ++kind)
    if (td_live_objects(kind) != before[kind]) seen["leak"] = kind;
  return seen;
}

}  // namespace conformance
