// A distribution of a plugin type over named parameters.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/distributions/distribution.h"
#include "core/error.h"
#include "core/plugin/plugin_instance.h"

namespace td {

// A type and its config, from which any number of distributions are made.
class DistributionType {
 public:
  // Throws Error(not_found), and Error(argument) for a config that the type does not take.
  DistributionType(std::string_view type, std::string_view config);
  const std::string& id() const { return instance_->id(); }

 private:
  friend class PluginDistribution;
  std::shared_ptr<PluginInstance> instance_;
  std::string config_;
  td_distribution_type table_{};  // members that the plugin is too old for are null
  optional<bool> validate_;       // as the config says
};

class PluginDistribution final : public Distribution {
 public:
  // Keeps the tensors of `params`. Throws Error(key) for a missing or unknown one, Error(shape) if they do not
  // broadcast, and, unless validation is off, Error(argument) for values that the type does not take.
  PluginDistribution(std::string_view type, const Node& params, std::string_view config)
      : PluginDistribution(DistributionType(type, config), params) {}
  PluginDistribution(const DistributionType& type, const Node& params);

  // The same over a larger batch; for expand, which checks it.
  PluginDistribution(const PluginDistribution& other, at::IntArrayRef batch);

  const std::string& type_id() const { return instance_->id(); }
  bool is(std::string_view type) const { return type_id() == type; }

  // A parameter as it was given, broadcast to batch + its own event dims; undefined if it was not given.
  at::Tensor param(std::string_view name) const;

  std::string class_name() const override;
  std::string repr() const override;
  bool has_rsample() const override { return table_.rsample != nullptr; }
  bool has_enumerate_support() const override { return table_.enumerate != nullptr; }
  Constraint support() const override;
  at::Tensor within_support(const at::Tensor& value) const override;
  Point point() const override;
  at::Tensor sample(at::IntArrayRef shape, Generator* generator) const override;
  at::Tensor rsample(at::IntArrayRef shape, Generator* generator) const override;
  at::Tensor value(ValueOf what, const at::Tensor& value) const override;
  at::Tensor stat(Stat which) const override;
  bool has(Stat which) const override;
  at::Tensor enumerate_support(bool expand) const override;
  DistributionPtr expand(at::IntArrayRef batch) const override;

  // Undefined if neither type knows the divergence to that of `other`.
  at::Tensor kl_to(const PluginDistribution& other) const;

 private:
  using Sampler = decltype(td_distribution_type::sample);
  using Statistic = decltype(td_distribution_type::mean);
  using ValueFunction = decltype(td_distribution_type::log_prob);
  using Divergence = decltype(td_distribution_type::kl);
  using Handles = std::vector<td_tensor*>;

  at::Tensor divergence(Divergence function, const PluginDistribution& other) const;
  td_distribution_param rule(size_t i) const;
  std::string param_name(size_t i) const;
  std::string with_event_dims(std::string_view config);
  void take_params(const Node& params);
  void check_choices() const;
  void find_batch();
  void find_event();
  void check_params() const;
  Statistic statistic(Stat which) const;
  void check_offered(bool there, const char* what) const;
  at::Tensor broadcast(size_t i) const;
  at::Tensor draw(Sampler sampler, at::IntArrayRef shape, Generator* generator) const;
  template <class F>
  at::Tensor result_of(F&& function) const;

  std::shared_ptr<PluginInstance> instance_;  // shared by what was expanded from it
  int32_t event_dims_ = 1;                    // for TD_EVENT_DIMS_OF_CONFIG
  td_distribution_type table_{};              // members that the plugin is too old for are null
  std::vector<at::Tensor> params_;            // undefined: not given
};

template <class F>
at::Tensor PluginDistribution::result_of(F&& function) const {
  c10::SmallVector<at::Tensor, 4> held;
  c10::SmallVector<td_tensor*, 4> handles;
  for (size_t i = 0; i < params_.size(); ++i) {
    held.push_back(broadcast(i));
    handles.push_back(plugin::borrow(held.back()));
  }
  td_tensor* result = nullptr;
  instance_->call([&](td_error** err) { return function(handles.data(), &result, err); });
  if (!result) throw Error(Code::plugin, "the distribution type returned no tensor").where(instance_->id());
  return plugin::adopt(result);
}

// The same distribution, or null if it is of another kind. c10's own cast would lose a reference then.
inline c10::intrusive_ptr<PluginDistribution> as_plugin(const DistributionPtr& dist) {
  auto* plugin = dynamic_cast<PluginDistribution*>(dist.get());
  if (!plugin) return {};
  c10::raw::intrusive_ptr::incref(static_cast<c10::intrusive_ptr_target*>(plugin));
  return c10::intrusive_ptr<PluginDistribution>::reclaim(plugin);
}

}  // namespace td
