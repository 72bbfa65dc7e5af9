// A distribution of a plugin type over named parameters.
#pragma once

#include <string_view>

#include "core/dict/node.h"
#include "core/nn/plugin_instance.h"

namespace td {

class Distribution final : public c10::intrusive_ptr_target {
 public:
  enum class Stat { mean, mode, variance, entropy };

  // Keeps the tensors of `params`. Throws Error(key) for a missing or unknown one, Error(shape) if they do not broadcast.
  Distribution(std::string_view type, const Node& params, std::string_view config);

  // Draw `shape` + batch shape values; a null generator is LibTorch's default one. All throw Error(unsupported) for what
  // the type does not offer.
  at::Tensor sample(at::IntArrayRef shape, Generator* generator) const;   // without gradients
  at::Tensor rsample(at::IntArrayRef shape, Generator* generator) const;  // with gradients to the parameters
  at::Tensor log_prob(const at::Tensor& value) const;
  at::Tensor stat(Stat which) const;

 private:
  using Sampler = decltype(td_distribution_type::sample);
  using Statistic = decltype(td_distribution_type::mean);

  const td_distribution_type& table() const { return instance_.table<td_distribution_type>(); }
  void check_offered(bool there, const char* what) const;
  at::Tensor draw(Sampler sampler, at::IntArrayRef shape, Generator* generator) const;
  std::vector<at::Tensor> broadcast() const;
  template <class F>
  at::Tensor result_of(F&& function) const;

  PluginInstance instance_;
  std::vector<at::Tensor> params_;
  Dims batch_;
};

}  // namespace td
