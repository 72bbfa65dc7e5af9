// Modules that read keys of a dict and write others.
#include "capi/module/module_keys.h"

#include "capi/callback.h"
#include "capi/distributions/dist.h"
#include "capi/entry_value.h"
#include "core/nn/containers.h"
#include "core/nn/function_module.h"
#include "core/nn/sequential.h"
#include "core/nn/tensordict_module.h"
#include "core/tensor/autograd.h"

using namespace td::capi;

namespace {

constexpr size_t max_outputs = 64;  // of a function that says itself how many it has

td::Inplace inplace(td_inplace i, td::Inplace otherwise) {
  switch (i) {
    case TD_INPLACE_DEFAULT:
      return otherwise;
    case TD_INPLACE_NONE:
      return td::Inplace::unchanged;
    case TD_INPLACE_TRUE:
      return td::Inplace::yes;
    case TD_INPLACE_FALSE:
      return td::Inplace::no;
    case TD_INPLACE_EMPTY:
      return td::Inplace::empty;
    default:
      throw td::Error(td::Code::argument, "no such inplace mode: " + std::to_string(i));
  }
}

const td::KeyedModule& keyed(const td_module* self) {
  const td::KeyedModule* k = ref(self).keyed();
  if (!k) throw td::Error(td::Code::argument, "the module has no keys").hint("wrap it with td_module_tensordict");
  return *k;
}
td::KeyedModule& keyed(td_module* self) {
  return const_cast<td::KeyedModule&>(keyed(static_cast<const td_module*>(self)));
}

const td::Sequential& sequence(const td_module* self) {
  const auto* s = dynamic_cast<const td::Sequential*>(&ref(self));
  if (!s) throw td::Error(td::Code::argument, "the module is not a sequence of modules with keys");
  return *s;
}
td::Sequential& sequence(td_module* self) {
  return const_cast<td::Sequential&>(sequence(static_cast<const td_module*>(self)));
}

std::vector<td::Entry> call_values(const Owned<td_values_function>& function, const td::Inputs& inputs,
                                   size_t expected) {
  std::vector<td_value> args;
  FilledValues outs(std::max(expected, max_outputs));
  std::vector<td_named_value> kwargs;
  for (const td::Entry& e : inputs.positional) args.push_back(borrowed_value(e));
  for (const auto& [name, e] : inputs.named) kwargs.push_back({view(name), borrowed_value(e)});
  size_t n = 0;
  function("a module function", args.data(), args.size(), kwargs.data(), kwargs.size(), outs.data(), outs.size(), &n);
  std::vector<td::Entry> results = outs.take();
  if (n > outs.size())
    throw td::Error(td::Code::callback, "a module function reported more outputs than there is room for");
  results.resize(n);
  for (const td::Entry& e : results)
    if (!e) throw td::Error(td::Code::callback, "a module function returned success but left an output NONE");
  return results;
}

td::NodePtr call_on_dict(const Owned<td_dict_function>& function, const td::NodePtr& data) {
  td_dict* result = nullptr;
  function("a module function", reinterpret_cast<td_dict*>(data.get()), &result);
  if (!result) throw td::Error(td::Code::callback, "a module function returned success but left its dict NULL");
  td::NodePtr node = share(result);
  release(result);
  return node;
}

td::ModulePtr tensordict_module(td_module* inner, std::vector<td::Path> in, std::vector<td::Path> out,
                                td::TensorDictModule::Options options) {
  return c10::make_intrusive<td::TensorDictModule>(share(inner), std::move(in), std::move(out), std::move(options));
}

const std::vector<td::Module::Child> no_members;

// Members of what has some: a sequence keeps them in its only child.
const std::vector<td::Module::Child>& members_of(const td::Module& module) {
  if (dynamic_cast<const td::Sequential*>(&module)) return module.children()[0].module->children();
  bool holds = dynamic_cast<const td::ModuleList*>(&module) || dynamic_cast<const td::Chain*>(&module);
  return holds ? module.children() : no_members;
}

}  // namespace

namespace td::capi {

Sequential::Options sequential_options(const td_sequential_options* given, size_t n_members) {
  td_sequential_options o = options(given);
  Sequential::Options core;
  core.inplace = inplace(o.inplace, td::Inplace::unchanged);
  core.partial_tolerant = o.partial_tolerant != 0;
  core.selected_out_keys = paths(o.selected_out_keys, o.n_selected, "selected_out_keys");
  core.names = texts(o.names, n_members, "the name of a member");
  return core;
}

}  // namespace td::capi

// ---- Making them ----------------------------------------------------------------------------------------------------

td_status td_module_from_values(const td_values_function* function, td_module** out_module, td_error** err) noexcept {
  Owned<td_values_function> owned(function, "function");
  return guard(err, [&] {
    auto shared = shared_callback(std::move(owned));
    out(out_module);
    give(out_module, c10::make_intrusive<td::ValuesModule>([shared](const td::Inputs& inputs, size_t expected) {
           return call_values(*shared, inputs, expected);
         }));
  });
}

td_status td_module_wrap(const td_dict_function* function, td_bool in_place, const td_key* in_keys, size_t n_in,
                         const td_key* out_keys, size_t n_out, td_module** out_module, td_error** err) noexcept {
  Owned<td_dict_function> owned(function, "function");
  return guard(err, [&] {
    auto shared = shared_callback(std::move(owned));
    out(out_module);
    auto made = c10::make_intrusive<td::WrapModule>(
        [shared](const td::NodePtr& data) { return call_on_dict(*shared, data); }, in_place != 0,
        paths(in_keys, n_in, "in_keys"), paths(out_keys, n_out, "out_keys"));
    give(out_module, std::move(made));
  });
}

td_status td_module_tensordict(td_module* inner, const td_key* in_keys, size_t n_in, const td_key* out_keys,
                               size_t n_out, const td_tensordict_options* given, td_module** out_module,
                               td_error** err) noexcept {
  return guard(err, [&] {
    td_tensordict_options o = options(given);
    td::TensorDictModule::Options core;
    core.inplace = inplace(o.inplace, td::Inplace::yes);
    core.strict = o.strict != 0;
    core.argument_names = texts(o.argument_names, n_in, "an argument's name");
    give(out_module, tensordict_module(inner, paths(in_keys, n_in, "in_keys"), paths(out_keys, n_out, "out_keys"),
                                       std::move(core)));
  });
}

td_status td_module_sequential(td_module* const* members, size_t n, const td_sequential_options* given,
                               td_module** out_module, td_error** err) noexcept {
  return guard(err, [&] {
    give(out_module, c10::make_intrusive<td::Sequential>(modules_of(members, n), sequential_options(given, n)));
  });
}

td_status td_module_chain(td_module* const* members, size_t n, const td_str* names, td_module** out_module,
                          td_error** err) noexcept {
  return guard(err, [&] {
    give(out_module, c10::make_intrusive<td::Chain>(modules_of(members, n), texts(names, n, "the name of a member")));
  });
}

td_status td_module_list(td_module* const* members, size_t n, const td_str* names, td_module** out_module,
                         td_error** err) noexcept {
  return guard(err, [&] {
    give(out_module,
         c10::make_intrusive<td::ModuleList>(modules_of(members, n), texts(names, n, "the name of a member")));
  });
}

// ---- Running --------------------------------------------------------------------------------------------------------

td_status td_module_run(const td_module* self, td_dict* data, const td_run_options* given, td_dict** out_dict,
                        td_error** err) noexcept {
  return guard(err, [&] {
    td_run_options o = options(given);
    out(out_dict);
    td::Run how;
    if (o.tensordict_out) how.out = share(o.tensordict_out);
    how.skip_existing = o.skip_existing != 0;
    td::NoGradBlock block(o.no_grad != 0);
    td::optional<td::InteractionScope> as;
    if (td::Interaction type = interaction(o.interaction); type != td::Interaction::none) as.emplace(type);
    td::LayoutPtr layout = ref(self).layout();
    give(out_dict, ref(self).run(td::State(*layout), share(data), how));
  });
}

td_status td_module_dispatch(const td_module* self, const td_value* args, size_t n_args, const td_named_value* kwargs,
                             size_t n_kwargs, td_str separator, td_value* outs, size_t capacity, size_t* n_outs,
                             td_error** err) noexcept {
  return guard(err, [&] {
    size_t& n = out(n_outs, "n_outs");
    if (capacity > 0) out(outs, "outs");
    const td::KeyedModule& module = keyed(self);
    td::Inputs inputs = inputs_of(args, n_args, kwargs, n_kwargs);
    td::LayoutPtr layout = module.layout();
    std::vector<td::Entry> results;
    if (!inputs.positional.empty() && inputs.positional[0].is_node()) {
      if (n_args > 1 || n_kwargs > 0)
        throw td::Error(td::Code::argument, "a dict must be the only argument of the module");
      results.emplace_back(module.run(td::State(*layout), inputs.positional[0].node(), {}));
    } else {
      std::string joint(given(separator) ? text(separator, "separator") : "_");
      if (module.out_keys().size() > capacity)
        throw td::Error(td::Code::argument, "outs has too little room for the outputs");
      results = module.dispatch(td::State(*layout), inputs, joint, {});
    }
    if (results.size() > capacity) throw td::Error(td::Code::argument, "outs has too little room for the outputs");
    for (size_t i = 0; i < results.size(); ++i) outs[i] = owned_value(results[i]);
    n = results.size();
  });
}

// ---- Keys -----------------------------------------------------------------------------------------------------------

static td_status give_keys(const td_module* self, td_keys** out_keys, td_error** err,
                           const td::Keys& (*of)(const td::KeyedModule&)) noexcept {
  return guard(err, [&] {
    td_keys*& slot = out(out_keys);
    slot = own_keys(of(keyed(self)));
  });
}

td_status td_module_in_keys(const td_module* self, td_keys** out_keys, td_error** err) noexcept {
  return give_keys(self, out_keys, err, [](const td::KeyedModule& m) -> const td::Keys& { return m.in_keys(); });
}
td_status td_module_out_keys(const td_module* self, td_keys** out_keys, td_error** err) noexcept {
  return give_keys(self, out_keys, err, [](const td::KeyedModule& m) -> const td::Keys& { return m.out_keys(); });
}
td_status td_module_out_keys_source(const td_module* self, td_keys** out_keys, td_error** err) noexcept {
  return give_keys(self, out_keys, err,
                   [](const td::KeyedModule& m) -> const td::Keys& { return m.out_keys_source(); });
}

td_status td_module_select_out_keys(td_module* self, const td_key* keys, size_t n, td_error** err) noexcept {
  return guard(err, [&] { keyed(self).select_out_keys(paths(keys, n, "keys")); });
}
td_status td_module_reset_out_keys(td_module* self, td_error** err) noexcept {
  return guard(err, [&] { keyed(self).reset_out_keys(); });
}

// ---- Members of a sequence ------------------------------------------------------------------------------------------

td_status td_module_select_subsequence(const td_module* self, const td_key* in_keys, size_t n_in,
                                       const td_key* out_keys, size_t n_out, td_module** out_module,
                                       td_error** err) noexcept {
  return guard(err, [&] {
    td::optional<td::Keys> in, wanted;
    if (in_keys || n_in > 0) in = paths(in_keys, n_in, "in_keys");
    if (out_keys || n_out > 0) wanted = paths(out_keys, n_out, "out_keys");
    give(out_module, sequence(self).select_subsequence(in, wanted));
  });
}

size_t td_module_size(const td_module* self) noexcept {
  return guard_value<size_t>(0, [&] { return members_of(ref(self)).size(); });
}

td_status td_module_member(const td_module* self, int64_t index, td_module** out_module, td_error** err) noexcept {
  return guard(err, [&] {
    const auto& members = members_of(ref(self));
    td::ModulePtr member(members[position(index, members.size(), "member")].module);
    if (!member) throw td::Error(td::Code::index, "no module is registered at position " + std::to_string(index));
    give(out_module, std::move(member));
  });
}

td_status td_module_slice(const td_module* self, int64_t start, int64_t stop, int64_t step, td_module** out_module,
                          td_error** err) noexcept {
  return guard(err, [&] { give(out_module, sequence(self).slice(start, stop, step)); });
}

td_status td_module_set_member(td_module* self, int64_t index, td_module* member, td_error** err) noexcept {
  return guard(err, [&] {
    td::Sequential& s = sequence(self);
    s.set_member(position(index, s.members().size(), "member"), share(member));
  });
}

td_status td_module_remove_member(td_module* self, int64_t index, td_error** err) noexcept {
  return guard(err, [&] {
    td::Sequential& s = sequence(self);
    s.erase_member(position(index, s.members().size(), "member"));
  });
}
