// torch::optim's options and states by name: the names are PyTorch's. Only the optimizer's files include this.
#pragma once

#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

namespace td {

struct NamedOption {
  const char* name;
  double* value;
};

struct NamedFlag {
  const char* name;
  bool* value;
};

inline std::vector<NamedFlag> named_flags(torch::optim::OptimizerOptions& options) {
  if (auto* o = dynamic_cast<torch::optim::AdamOptions*>(&options)) return {{"amsgrad", &o->amsgrad()}};
  if (auto* o = dynamic_cast<torch::optim::AdamWOptions*>(&options)) return {{"amsgrad", &o->amsgrad()}};
  if (auto* o = dynamic_cast<torch::optim::RMSpropOptions*>(&options)) return {{"centered", &o->centered()}};
  return {{"nesterov", &dynamic_cast<torch::optim::SGDOptions&>(options).nesterov()}};
}

// The state that a step keeps for a parameter: a count, and tensors that may be undefined.
struct ParamState {
  int64_t* step = nullptr;
  std::vector<std::pair<const char*, at::Tensor*>> tensors;
};

template <class O>
std::vector<NamedOption> adam_options(O& o) {
  return {{"lr", &o.lr()},
          {"beta1", &std::get<0>(o.betas())},
          {"beta2", &std::get<1>(o.betas())},
          {"eps", &o.eps()},
          {"weight_decay", &o.weight_decay()}};
}

inline std::vector<NamedOption> named_options(torch::optim::OptimizerOptions& options) {
  if (auto* o = dynamic_cast<torch::optim::AdamOptions*>(&options)) return adam_options(*o);
  if (auto* o = dynamic_cast<torch::optim::AdamWOptions*>(&options)) return adam_options(*o);
  if (auto* o = dynamic_cast<torch::optim::RMSpropOptions*>(&options))
    return {{"lr", &o->lr()},
            {"alpha", &o->alpha()},
            {"eps", &o->eps()},
            {"weight_decay", &o->weight_decay()},
            {"momentum", &o->momentum()}};
  auto& o = dynamic_cast<torch::optim::SGDOptions&>(options);
  return {
      {"lr", &o.lr()}, {"momentum", &o.momentum()}, {"dampening", &o.dampening()}, {"weight_decay", &o.weight_decay()}};
}

template <class S>
ParamState adam_state(S& s) {
  return {&s.step(),
          {{"exp_avg", &s.exp_avg()}, {"exp_avg_sq", &s.exp_avg_sq()}, {"max_exp_avg_sq", &s.max_exp_avg_sq()}}};
}

inline ParamState param_state(torch::optim::OptimizerParamState& state) {
  if (auto* s = dynamic_cast<torch::optim::AdamParamState*>(&state)) return adam_state(*s);
  if (auto* s = dynamic_cast<torch::optim::AdamWParamState*>(&state)) return adam_state(*s);
  if (auto* s = dynamic_cast<torch::optim::RMSpropParamState*>(&state))
    return {
        &s->step(),
        {{"square_avg", &s->square_avg()}, {"momentum_buffer", &s->momentum_buffer()}, {"grad_avg", &s->grad_avg()}}};
  auto& s = dynamic_cast<torch::optim::SGDParamState&>(state);
  return {nullptr, {{"momentum_buffer", &s.momentum_buffer()}}};
}

// The key of a parameter in torch::optim's map: an address, or its text in old versions.
template <class Map>
typename Map::key_type state_key(const Map&, const at::Tensor& t) {
  if constexpr (std::is_same_v<typename Map::key_type, std::string>) {
    std::ostringstream text;
    text << t.unsafeGetTensorImpl();
    return text.str();
  } else {
    return t.unsafeGetTensorImpl();
  }
}

}  // namespace td
