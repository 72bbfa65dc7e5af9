#include "core/nn/plugin_module.h"

#include <algorithm>
#include <cctype>

#include <c10/core/GradMode.h>
#include <c10/core/ScalarType.h>
#include <c10/util/SmallVector.h>

#include "core/tensor/in_place.h"

namespace td {

namespace {

static_assert(sizeof(at::Tensor) == sizeof(td_tensor*), "an array of tensors is an array of handles");

td_tensor* const* state_handles(TensorsView tensors) {
  return reinterpret_cast<td_tensor* const*>(tensors.data());
}

}  // namespace

class PluginModule::Builder final : public ModuleBuilder {
 public:
  explicit Builder(PluginModule& module) : module_(module) {}

  // A copy, because a plugin may declare one tensor twice, or keep it.
  void declare(Role role, const Path& name, at::Tensor initial) override {
    at::AutoGradMode no_grad(false);
    at::Tensor own = initial.detach().clone(at::MemoryFormat::Contiguous);
    bool trained = role == Role::parameter && (own.is_floating_point() || own.is_complex());
    module_.add_tensor(role, name, trained ? own.requires_grad_() : own);
  }

  void start_training(bool training) override { module_.set_training(training); }

  void freeze(const Path& name) override {
    for (const Held& t : module_.tensors())
      if (t.role == Role::parameter && same(t.name, name)) {
        at::Tensor own = t.value;
        own.requires_grad_(false);
        return;
      }
    throw Error(Code::key, "no parameter was declared under this name").key(to_string(name));
  }

 private:
  PluginModule& module_;
};

PluginModule::PluginModule(std::string_view type, std::string_view config, Generator* generator)
    : instance_(TD_PLUGIN_KIND_MODULE, type), config_(config) {
  const auto& table = instance_.table<td_module_type>();
  Builder builder(*this);
  auto* handle = reinterpret_cast<td_module_builder*>(static_cast<ModuleBuilder*>(&builder));
  instance_.create(config, table.destroy, [&](const td_config* parsed, void** self, td_error** err) {
    return table.create(&plugin::host(), parsed, plugin::borrow(generator), handle, self, err);
  });
}

// "td.batch_norm" is torch.nn's BatchNorm; other types keep their id.
std::string PluginModule::type_name() const {
  const std::string& id = instance_.id();
  if (id.compare(0, 3, "td.") != 0) return id;
  static const std::pair<const char*, const char*> abbreviations[] = {{"relu", "ReLU"},
                                                                      {"relu6", "ReLU6"},
                                                                      {"leaky_relu", "LeakyReLU"},
                                                                      {"prelu", "PReLU"},
                                                                      {"gelu", "GELU"},
                                                                      {"silu", "SiLU"},
                                                                      {"elu", "ELU"},
                                                                      {"selu", "SELU"},
                                                                      {"celu", "CELU"},
                                                                      {"glu", "GLU"},
                                                                      {"rnn", "RNN"},
                                                                      {"lstm", "LSTM"},
                                                                      {"gru", "GRU"},
                                                                      {"mlp", "MLP"},
                                                                      {"rms_norm", "RMSNorm"},
                                                                      {"torchscript", "TorchScript"}};
  for (const auto& [short_id, shown] : abbreviations)
    if (id.compare(3, std::string::npos, short_id) == 0) return shown;
  std::string name;
  bool up = true;
  for (char c : id.substr(3)) {
    if (c != '_') name += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    up = c == '_';
  }
  return name;
}

std::string PluginModule::extra_repr() const {
  const auto& table = instance_.table<td_module_type>();
  if (!TD_HAS(td_module_type, &table.type, extra_repr) || !table.extra_repr) return config_as_arguments();
  std::string out;
  const td_writer to = plugin::appending_to(out);
  instance_.call([&](td_error** err) { return table.extra_repr(instance_.self(), &to, err); });
  try {
    check_utf8(out, "what the module prints");
  } catch (const Error& e) {
    throw Error(Code::plugin, e.message()).where(instance_.id());
  }
  return out;
}

// {"in_features": 3, "bias": true} is in_features=3, bias=True.
std::string PluginModule::config_as_arguments() const {
  std::string out, word;
  bool quoted = false, key = true;
  int depth = 0;
  auto flush = [&] {
    out += word == "true" ? "True" : word == "false" ? "False" : word == "null" ? "None" : word;
    word.clear();
  };
  for (size_t i = 0; i < config_.size(); ++i) {
    char c = config_[i];
    if (c == '"' && (i == 0 || config_[i - 1] != '\\')) {
      quoted = !quoted;
      if (!(key && depth == 1)) word += '\'';
    } else if (quoted) {
      word += c;
    } else if (c == '{' || c == '[') {
      if (depth++ > 0) word += c;
    } else if (c == '}' || c == ']') {
      if (--depth > 0) word += c;
    } else if (c == ':' && depth == 1) {
      flush();
      out += '=';
      key = false;
    } else if (c == ',') {
      flush();
      out += ", ";
      if (depth == 1) key = true;
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      word += c;
    }
  }
  flush();
  return out;
}

// By making another of the same config and taking its numbers, so that every type has it.
std::function<void()> PluginModule::draw_parameters(Generator* generator) {
  PluginModule fresh(instance_.id(), config_, generator);
  at::AutoGradMode no_grad(false);
  const size_t n = std::min(fresh.tensors().size(), tensors().size());
  for (size_t i = 0; i < n; ++i) {  // other sizes would be broadcast
    const at::Tensor &own = tensors()[i].value, &made = fresh.tensors()[i].value;
    if (own.defined()) check_in_place(own, to_string(tensors()[i].name));
    if (own.defined() && own.sizes() != made.sizes())
      throw Error(Code::shape, type_name() + " makes shape " + to_string(made.sizes()) + ", but the parameter has " +
                                   to_string(own.sizes()))
          .key(to_string(tensors()[i].name))
          .hint("only parameters that kept the shape that their type gave them can be reset");
  }
  std::vector<std::pair<size_t, at::Tensor>> drawn;
  for (size_t i = 0; i < n; ++i)
    if (tensors()[i].value.defined()) drawn.emplace_back(i, fresh.tensors()[i].value);
  if (drawn.empty()) return {};
  return [this, drawn = std::move(drawn)] {
    at::AutoGradMode no_grad(false);
    for (const auto& [i, value] : drawn) tensors()[i].value.copy_(value);
  };
}

Tensors PluginModule::do_call(State state, TensorsView inputs, size_t n_outputs) const {
  Tensors outputs(n_outputs);
  do_call_into(state, inputs, outputs.data(), n_outputs);
  return outputs;
}

void PluginModule::do_call_into(State state, TensorsView inputs, at::Tensor* outputs, size_t n_outputs) const {
  c10::SmallVector<td_tensor*, 4> results(n_outputs, nullptr);
  const auto& table = instance_.table<td_module_type>();
  instance_.call([&](td_error** err) {
    return table.forward(instance_.self(), state_handles(state.tensors()), state.tensors().size(),
                         state_handles(inputs), inputs.size(), training(), results.data(), n_outputs, err);
  });
  bool all = true;
  for (size_t i = 0; i < n_outputs; ++i) {
    outputs[i] = plugin::adopt(results[i]);
    all = all && outputs[i].defined();
  }
  if (!all) throw Error(Code::plugin, "the module type returned fewer outputs than requested").where(instance_.id());
}

std::string type_of(const Module& module) {
  auto* plugin = dynamic_cast<const PluginModule*>(&module);
  return plugin ? plugin->id() : module.type_name();
}

std::string config_of(const Module& module) {
  auto* plugin = dynamic_cast<const PluginModule*>(&module);
  if (!plugin) return {};
  return plugin->config().empty() ? "{}" : plugin->config();
}

}  // namespace td
