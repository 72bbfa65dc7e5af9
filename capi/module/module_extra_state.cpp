// State that a module of the caller's has beside its tensors.
#include "capi/callback.h"
#include "core/dict/tensordict.h"
#include "core/nn/hooks.h"

using namespace td::capi;

namespace {

using ExtraFunctions = Owned<td_extra_state>;

const td::Key extra_state_key("_extra_state");

td::Entry extra_of(const ExtraFunctions& functions, const td::Module& m) {
  td::NodePtr state = td::TensorDict::make({});
  functions.call(&td_extra_state::get, "get_extra_state", reinterpret_cast<const td_module*>(&m),
                 reinterpret_cast<td_dict*>(state.get()));
  td::Entry e = state->find(extra_state_key.view());
  if (!e.is_tensor() && !e.is_data())
    throw td::Error(td::Code::callback,
                    "get_extra_state of " + m.type_name() + " returned neither a tensor nor non-tensor data")
        .key(extra_state_key.text())
        .hint("put it into the dict under this key");
  return e;
}

void hand_extra(const ExtraFunctions& functions, const td::Module& m, const td::Entry& value) {
  td::NodePtr state = td::TensorDict::make({});
  state->put(extra_state_key, value);
  functions.call(&td_extra_state::set, "set_extra_state", reinterpret_cast<const td_module*>(&m),
                 reinterpret_cast<const td_dict*>(state.get()));
}

}  // namespace

td_status td_module_set_extra_state(td_module* self, const td_extra_state* extra, td_error** err) noexcept {
  ExtraFunctions owned(extra, "extra");
  return guard(err, [&] {
    owned.check();
    td::Hooks& hooks = ref(self).hooks();
    if (!owned->get && !owned->set) return hooks.set_extra_state(nullptr);
    auto functions = std::make_shared<const ExtraFunctions>(std::move(owned));
    auto made = std::make_shared<td::ExtraState>();
    if ((*functions)->get) made->get = [functions](const td::Module& m) { return extra_of(*functions, m); };
    if ((*functions)->set)
      made->set = [functions](const td::Module& m, const td::Entry& e) { hand_extra(*functions, m, e); };
    hooks.set_extra_state(std::move(made));
  });
}
