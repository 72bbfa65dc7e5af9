// State that a module of the caller's has beside its tensors.
#include "capi/callback.h"
#include "core/dict/tensordict.h"
#include "core/nn/hooks.h"

using namespace td::capi;

namespace {

struct ExtraGet {
  decltype(td_extra_state::get) fn;
  void* userdata;
  void (*destroy)(void*);
};
struct ExtraSet {
  decltype(td_extra_state::set) fn;
  void* userdata;
  void (*destroy)(void*);
};

// Both functions and the one owner of their userdata.
struct ExtraFunctions {
  explicit ExtraFunctions(Owned<td_extra_state>&& owned, const td_extra_state& f)
      : owner(std::move(owned)), get({f.get, f.userdata, nullptr}), set({f.set, f.userdata, nullptr}) {}
  Owned<td_extra_state> owner;
  Owned<ExtraGet> get;
  Owned<ExtraSet> set;
};

const td::Key extra_state_key("_extra_state");

td::Entry extra_of(const Owned<ExtraGet>& get, const td::Module& m) {
  td::NodePtr state = td::TensorDict::make({});
  get("get_extra_state", reinterpret_cast<const td_module*>(&m), reinterpret_cast<td_dict*>(state.get()));
  td::Entry e = state->find(extra_state_key.view());
  if (!e.is_tensor() && !e.is_data())
    throw td::Error(td::Code::callback, "get_extra_state of " + m.type_name() + " gave no tensor or non-tensor data")
        .key(extra_state_key.text())
        .hint("put it into the dict under this key");
  return e;
}

void hand_extra(const Owned<ExtraSet>& set, const td::Module& m, const td::Entry& value) {
  td::NodePtr state = td::TensorDict::make({});
  state->put(extra_state_key, value);
  set("set_extra_state", reinterpret_cast<const td_module*>(&m), reinterpret_cast<const td_dict*>(state.get()));
}

}  // namespace

td_status td_module_set_extra_state(td_module* self, td_extra_state extra, td_error** err) noexcept {
  Owned<td_extra_state> owned(extra);
  return guard(err, [&] {
    td::Hooks& hooks = ref(self).hooks();
    if (!extra.get && !extra.set) return hooks.set_extra_state(nullptr);
    auto functions = std::make_shared<const ExtraFunctions>(std::move(owned), extra);
    auto made = std::make_shared<td::ExtraState>();
    if (extra.get) made->get = [functions](const td::Module& m) { return extra_of(functions->get, m); };
    if (extra.set)
      made->set = [functions](const td::Module& m, const td::Entry& e) { hand_extra(functions->set, m, e); };
    hooks.set_extra_state(std::move(made));
  });
}
