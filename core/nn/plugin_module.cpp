#include "core/nn/plugin_module.h"

#include <c10/core/GradMode.h>
#include <c10/core/ScalarType.h>

namespace td {

namespace {

static_assert(sizeof(at::Tensor) == sizeof(td_tensor*), "an array of tensors is an array of handles");

td_tensor* const* handles(TensorsView tensors) {
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

 private:
  PluginModule& module_;
};

PluginModule::PluginModule(std::string_view type, std::string_view config, Generator* generator)
    : instance_(TD_PLUGIN_MODULE, type) {
  const auto& table = instance_.table<td_module_type>();
  Builder builder(*this);
  auto* handle = reinterpret_cast<td_module_builder*>(static_cast<ModuleBuilder*>(&builder));
  instance_.create(config, table.destroy, [&](const td_config* parsed, void** self, td_error** err) {
    return table.create(&plugin::host(), parsed, plugin::borrow(generator), handle, self, err);
  });
}

Tensors PluginModule::call(State state, TensorsView inputs, size_t n_outputs) const {
  std::vector<td_tensor*> results(n_outputs, nullptr);
  const auto& table = instance_.table<td_module_type>();
  instance_.call([&](td_error** err) {
    return table.forward(instance_.self(), handles(state), state.size(), handles(inputs), inputs.size(), training(),
                         results.data(), n_outputs, err);
  });
  Tensors outputs;
  for (td_tensor* r : results) outputs.push_back(plugin::adopt(r));
  for (const at::Tensor& t : outputs)
    if (!t.defined())
      throw Error(Code::plugin, "the type returned fewer outputs than it was asked for").where(instance_.id());
  return outputs;
}

}  // namespace td
