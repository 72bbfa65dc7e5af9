#include "core/nn/load.h"

#include <algorithm>

#include <ATen/ops/_has_compatible_shallow_copy_type.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/GradMode.h>

#include "core/dict/copy.h"
#include "core/dict/tensordict.h"
#include "core/nn/hooks.h"
#include "core/nn/state.h"
#include "core/nn/swap.h"
#include "core/nn/tensordict_module.h"
#include "core/nn/tree.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

std::string sizes_text(at::IntArrayRef sizes) {
  return to_string(sizes);
}

void run_state_hooks(const Module& m, HookKind kind, StateHookCall& call) {
  if (!m.hooks().any()) return;
  for (const auto& hook : m.hooks().of(kind)) hook->state(call);
}

constexpr char extra_key[] = "_extra_state";

void save_state(const Module& m, const std::string& prefix, bool keep, const NodePtr& out) {
  StateHookCall call{&m, prefix, out};
  run_state_hooks(m, HookKind::state_dict_pre, call);
  for (Role role : {Role::parameter, Role::buffer})
    for (const Module::Held& t : m.tensors())
      if (t.role == role && t.persistent && t.value.defined())
        out->put(Key(prefix + dotted(t.name)), Entry(keep ? t.value : t.value.detach()));
  ExtraStatePtr extra = m.hooks().extra_state();
  if (extra && extra->get) out->put(Key(prefix + extra_key), extra->get(m));
  for (const Module::Child& c : m.children())
    if (c.module) save_state(*c.module, prefix + c.name.text() + '.', keep, out);
  run_state_hooks(m, HookKind::state_dict, call);
}

// One assignment of a load, made only when all are known to fit.
struct Assignment {
  Module* module;
  size_t index;
  at::Tensor value;
};

// Extra state that is handed back, and what was there before, if the module can tell.
struct ExtraLoad {
  const Module* module;
  ExtraStatePtr extra;
  Entry value, before;
};

struct Loading {
  NodePtr state;  // flat; hooks may edit it
  const ModuleLoadOptions& options;
  LoadResult result;
  std::vector<std::string> problems, known;
  std::vector<Assignment> assignments;
  std::vector<ExtraLoad> extras;
};

void plan_extra(const Module& m, const std::string& name, Loading& load) {
  ExtraStatePtr extra = m.hooks().extra_state();
  if (!extra || !extra->set) return;
  load.known.push_back(name);
  Entry e = load.state->find(KeyView(name));
  if (e)
    load.extras.push_back({&m, std::move(extra), std::move(e), {}});
  else
    load.result.missing.push_back(name);
}

// A state without versions may be older than the counter: torch.nn keeps the module's own then.
bool counts_batches(const Module& m, const Module::Held& t) {
  const std::string type = m.type_name();
  const bool normalizes = type.rfind("BatchNorm", 0) == 0 || type.rfind("InstanceNorm", 0) == 0;
  return normalizes && t.role == Role::buffer && dotted(t.name) == "num_batches_tracked";
}

void plan_load(Module& m, const std::string& prefix, Loading& load) {
  StateHookCall call{&m, prefix, load.state, &load.result.missing, &load.result.unexpected};
  run_state_hooks(m, HookKind::load_state_dict_pre, call);
  for (size_t i = 0; i < m.tensors().size(); ++i) {
    const Module::Held& t = m.tensors()[i];
    if (!t.persistent || !t.value.defined()) continue;
    std::string name = prefix + dotted(t.name);
    load.known.push_back(name);
    Entry e = load.state->find(KeyView(name));
    if (!e && counts_batches(m, t)) continue;
    if (!e.is_tensor()) {
      load.result.missing.push_back(name);
    } else if (e.tensor().sizes() != t.value.sizes()) {
      load.problems.push_back("size mismatch for " + name + ": copying a param with shape " +
                              sizes_text(e.tensor().sizes()) + ", the shape in current model is " +
                              sizes_text(t.value.sizes()) + '.');
    } else {
      load.assignments.push_back({&m, i, e.tensor()});
    }
  }
  plan_extra(m, prefix + extra_key, load);
  for (const Module::Child& c : m.children())
    if (c.module) plan_load(*c.module, prefix + c.name.text() + '.', load);
}

void run_load_hooks(const Module& m, const std::string& prefix, Loading& load) {
  for (const Module::Child& c : m.children())
    if (c.module) run_load_hooks(*c.module, prefix + c.name.text() + '.', load);
  StateHookCall call{&m, prefix, load.state, &load.result.missing, &load.result.unexpected};
  run_state_hooks(m, HookKind::load_state_dict, call);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& n : names) text += (text.empty() ? "\"" : ", \"") + n + '"';
  return text;
}

void check_load(const Module& m, const Loading& load) {
  std::vector<std::string> problems;
  if (load.options.strict && !load.result.missing.empty())
    problems.push_back("Missing key(s) in state_dict: " + listed(load.result.missing) + ". ");
  if (load.options.strict && !load.result.unexpected.empty())
    problems.push_back("Unexpected key(s) in state_dict: " + listed(load.result.unexpected) + ". ");
  bool keys = !problems.empty();
  problems.insert(problems.end(), load.problems.begin(), load.problems.end());
  if (problems.empty()) return;
  std::string text = "Error(s) in loading state_dict for " + m.type_name() + ':';
  for (const std::string& p : problems) text += ' ' + p;
  throw Error(keys ? Code::key : Code::shape, text);
}

void commit_load(const std::vector<Assignment>& assignments, bool assign) {
  at::AutoGradMode no_grad(false);
  for (const Assignment& a : assignments) {
    const at::Tensor& own = a.module->tensors()[a.index].value;
    if (!assign) {
      own.copy_(a.value);
      continue;
    }
    at::Tensor value = a.value.detach();
    if (own.requires_grad()) value.requires_grad_();
    a.module->set_tensor(a.index, value);
  }
}

// Sets run before the tensors are copied; where something fails, those that ran get back what they gave before.
void commit_all(Loading& load) {
  for (ExtraLoad& x : load.extras) {
    if (x.extra->get) x.before = x.extra->get(*x.module);
    if (x.before.is_tensor()) x.before = x.before.with(x.before.tensor().detach().clone());  // `set` may write into it
  }
  size_t done = 0;
  try {
    for (; done < load.extras.size(); ++done)
      load.extras[done].extra->set(*load.extras[done].module, load.extras[done].value);
    commit_load(load.assignments, load.options.assign);
  } catch (...) {
    while (done-- > 0) {
      const ExtraLoad& x = load.extras[done];
      try {
        if (x.before) x.extra->set(*x.module, x.before);
      } catch (...) {  // the first failure is the one to tell
      }
    }
    throw;
  }
}

void flatten_into(const Node& state, const std::string& prefix, Node& out) {
  state.visit([&](const Key& k, const Entry& e) {
    if (e.is_node())
      flatten_into(*e.node(), prefix + k.text() + '.', out);
    else
      out.put(Key(prefix + k.text()), e);
  });
}

NodePtr flattened(const Node& state) {
  NodePtr out = TensorDict::make({});
  flatten_into(state, "", *out);
  return out;
}

}  // namespace

NodePtr flat_state(const Module& module, const std::string& prefix, bool keep) {
  NodePtr out = TensorDict::make({});
  save_state(module, prefix, keep, out);
  return out;
}

LoadResult load_state(Module& module, const Node& state, const ModuleLoadOptions& options) {
  Loading load{flattened(state), options, {}, {}, {}, {}, {}};
  plan_load(module, "", load);
  load.state->visit([&](const Key& k, const Entry&) {
    if (std::find(load.known.begin(), load.known.end(), k.text()) == load.known.end())
      load.result.unexpected.push_back(k.text());
  });
  run_load_hooks(module, "", load);
  check_load(module, load);
  if (!options.assign)
    for (const Assignment& a : load.assignments) {
      const Module::Held& own = a.module->tensors()[a.index];
      check_writable(own.value, to_string(own.name));
    }
  commit_all(load);
  return std::move(load.result);
}

// ---- Every tensor of a tree -----------------------------------------------------------------------------------------

void cast_module(Module& module, optional<at::ScalarType> type, optional<c10::Device> device, bool integers) {
  if (type && !integers && !at::isFloatingType(*type) && !at::isComplexType(*type))
    throw Error(Code::dtype, "a module can be cast to floating-point and complex dtypes only");
  at::AutoGradMode no_grad(false);
  std::vector<NamedModule> modules = named_modules(module, {});
  for (const NamedModule& m : modules)
    for (const Module::Held& t : m.module->tensors())
      if (device && !device->is_meta() && t.value.defined() && t.value.is_meta())
        throw Error(Code::unsupported, "a tensor on \"meta\" has no values to move")
            .key(to_string(joined_path(m.name, t.name)))
            .hint_naming("allocate memory with {module_to_empty}, then load or reset the values");
  for (const NamedModule& m : modules)
    for (size_t i = 0; i < m.module->tensors().size(); ++i) {
      const Module::Held& t = m.module->tensors()[i];
      if (!t.value.defined()) continue;
      bool casts = type && (integers || t.value.is_floating_point() || t.value.is_complex());
      at::TensorOptions to = t.value.options();
      if (casts) to = to.dtype(*type);
      if (device) to = to.device(*device);
      at::Tensor changed = t.value.detach().to(to);
      if (changed.scalar_type() == t.value.scalar_type() && changed.device() == t.value.device()) continue;
      if (t.role == Role::buffer) {
        m.module->set_tensor(i, changed);
        continue;
      }
      at::Tensor own = t.value, grad = own.grad();
      if (!at::_has_compatible_shallow_copy_type(own, changed)) {
        changed.requires_grad_(own.requires_grad());
        if (grad.defined()) changed.mutable_grad() = grad.detach().to(to);
        m.module->set_tensor(i, changed);
        continue;
      }
      if (grad.defined()) own.mutable_grad() = at::Tensor();
      own.set_data(changed);
      if (grad.defined()) own.mutable_grad() = grad.detach().to(to);
    }
}

void empty_module(Module& module, c10::Device device) {
  at::AutoGradMode no_grad(false);
  for (const NamedModule& m : named_modules(module, {}))
    for (size_t i = 0; i < m.module->tensors().size(); ++i) {
      const Module::Held& t = m.module->tensors()[i];
      if (!t.value.defined()) continue;
      at::Tensor fresh = at::empty_like(t.value.detach(), t.value.options().device(device));
      m.module->set_tensor(i, fresh.requires_grad_(t.value.requires_grad()));
    }
}

void set_requires_grad(Module& module, bool requires_grad) {
  std::vector<NamedTensor> all = named_tensors(module, Role::parameter, {});
  for (const NamedTensor& t : all)
    if (requires_grad && !t.value.is_floating_point() && !t.value.is_complex())
      throw Error(Code::dtype, "only floating-point and complex tensors can require grad").key(to_string(t.name));
  for (const NamedTensor& t : all)
    if (!requires_grad && !t.value.is_leaf())
      throw Error(Code::argument, "cannot stop a tensor that is computed from others from requiring grad")
          .key(to_string(t.name));
  for (NamedTensor& t : all) t.value.requires_grad_(requires_grad);
}

void zero_grad(Module& module, bool set_to_none) {
  for (NamedTensor& t : named_tensors(module, Role::parameter, {})) {
    at::Tensor& grad = t.value.mutable_grad();
    if (!grad.defined()) continue;
    if (set_to_none)
      grad = at::Tensor();
    else
      grad = grad.detach().zero_();
  }
}

// The module without keys at the bottom of one that gives it some, or of several around each other.
static Module* wrapped_in(const Module& module) {
  const auto* wrapper = dynamic_cast<const TensorDictModule*>(&module);
  if (!wrapper) return nullptr;
  Module* inside = wrapper->children()[0].module.get();
  return inside->keyed() ? wrapped_in(*inside) : inside;
}

size_t reset_parameters(Module& module, Generator* generator) {
  size_t n = 0;
  std::vector<std::function<void()>> drawn;  // all, before the first module changes
  auto draw = [&](Module& m) {
    if (std::function<void()> copy = m.draw_parameters(generator)) drawn.push_back(std::move(copy));
  };
  for (const ModulePtr& m : apply_order(module)) {
    const size_t before = drawn.size();
    draw(*m);
    n += drawn.size() - before;
    // In the original the wrapper has what the module inside has, and draws once more: equal seeds give equal numbers.
    if (Module* inside = m.get() != &module ? wrapped_in(*m) : nullptr) draw(*inside);
  }
  for (const auto& copy : drawn) copy();
  return n;
}

NodePtr Module::draw_into(const Node& params, Generator* generator) {
  if (params.batch_dims() > 0)
    throw Error(Code::shape, "cannot reset parameters of batch size " + to_string(params.batch_size()))
        .hint("reset each set of parameters on its own");
  Leaves fresh = leaves(params);
  for (at::Tensor& t : fresh) {
    t = t.detach();
    if (t.is_floating_point() || t.is_complex()) t.requires_grad_();
  }
  NodePtr result = rebuild(params, fresh, {});
  Swap swap(*this, *result);
  td::reset_parameters(*this, generator);
  return result;
}

}  // namespace td
