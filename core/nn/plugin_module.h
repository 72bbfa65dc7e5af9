// A module of a plugin type.
#pragma once

#include <string_view>

#include "core/nn/module.h"
#include "core/plugin/plugin_instance.h"

namespace td {

// Collects the tensors that a plugin's module declares. The plugin's create function sees it as td_module_builder.
class ModuleBuilder {
 public:
  // Throws Error(argument) for a name that is taken. The tensor is copied.
  virtual void declare(Role role, const Path& name, at::Tensor initial) = 0;
  virtual void start_training(bool training) = 0;
  virtual void freeze(const Path& name) = 0;  // throws Error(key) unless it is a parameter

 protected:
  ~ModuleBuilder() = default;
};

class PluginModule final : public Module {
 public:
  // A null generator is LibTorch's default one.
  PluginModule(std::string_view type, std::string_view config, Generator* generator);
  std::string type_name() const override;
  std::string extra_repr() const override;
  const std::string& id() const { return instance_.id(); }
  const std::string& config() const { return config_; }
  std::function<void()> draw_parameters(Generator* generator) override;

 protected:
  void do_call_into(State state, TensorsView inputs, at::Tensor* outputs, size_t n_outputs) const override;
  Tensors do_call(State state, TensorsView inputs, size_t n_outputs) const override;

 private:
  class Builder;
  PluginInstance instance_;
  std::string config_;

  std::string config_as_arguments() const;  // for types that do not say what they print
};

// Return what a module was made of: the id and the config of its plugin type; of other modules the name that repr
// shows, and nothing.
std::string type_of(const Module& module);
std::string config_of(const Module& module);

}  // namespace td
