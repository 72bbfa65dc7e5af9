// LibTorch's optimizers, over the leaves of a dict that require grad.
//
//     Optimizer adam = Optimizer::adam(params, {1e-3});
//     loss.backward();
//     adam.step();
//     adam.zero_grad();
#ifndef TENSORDICT_OPTIMIZER_HPP
#define TENSORDICT_OPTIMIZER_HPP

#include "dict.hpp"

namespace tensordict {

struct SgdOptions {
  double lr = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
};

struct AdamOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  bool amsgrad = false;
};

struct AdamWOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 1e-2;
  bool amsgrad = false;
};

struct RmspropOptions {
  double lr = 1e-2, alpha = 0.99, eps = 1e-8, weight_decay = 0, momentum = 0;
  bool centered = false;
};

class Optimizer : public Handle<Optimizer, td_optimizer, td_optimizer_retain, td_optimizer_release> {
 public:
  explicit Optimizer(Adopted raw) noexcept : Handle(raw) {}

  static Optimizer sgd(const Dict& params, const SgdOptions& options = {}) {
    td_sgd_options raw = TD_SGD_OPTIONS_INIT;
    raw.lr = given(options.lr);
    raw.momentum = given(options.momentum);
    raw.dampening = given(options.dampening);
    raw.weight_decay = given(options.weight_decay);
    raw.nesterov = options.nesterov;
    return detail::made<Optimizer>(td_optimizer_sgd, params.get(), &raw);
  }
  static Optimizer adam(const Dict& params, const AdamOptions& options = {}) {
    const td_adam_options raw = of_adam(td_adam_options TD_ADAM_OPTIONS_INIT, options);
    return detail::made<Optimizer>(td_optimizer_adam, params.get(), &raw);
  }
  static Optimizer adamw(const Dict& params, const AdamWOptions& options = {}) {
    const td_adamw_options raw = of_adam(td_adamw_options TD_ADAMW_OPTIONS_INIT, options);
    return detail::made<Optimizer>(td_optimizer_adamw, params.get(), &raw);
  }
  static Optimizer rmsprop(const Dict& params, const RmspropOptions& options = {}) {
    td_rmsprop_options raw = TD_RMSPROP_OPTIONS_INIT;
    raw.lr = given(options.lr);
    raw.alpha = given(options.alpha);
    raw.eps = given(options.eps);
    raw.weight_decay = given(options.weight_decay);
    raw.momentum = given(options.momentum);
    raw.centered = options.centered;
    return detail::made<Optimizer>(td_optimizer_rmsprop, params.get(), &raw);
  }

  void zero_grad() { detail::call(td_optimizer_zero_grad, get()); }
  void step() { detail::call(td_optimizer_step, get()); }

  // Another group of parameters, with the options of the first until they are set.
  void add_group(const Dict& params) { detail::call(td_optimizer_add_group, get(), params.get()); }
  std::size_t group_count() const noexcept { return td_optimizer_group_count(get()); }
  // "SGD", "Adam", "AdamW", "RMSprop".
  std::string_view type_name() const noexcept { return detail::view(td_optimizer_type_name(get())); }
  // An option of a group by the name that torch.optim gives it: a scheduler sets "lr".
  double option(std::size_t group, std::string_view name) const {
    return detail::got<double>(td_optimizer_get, get(), group, detail::str(name));
  }
  void set_option(std::size_t group, std::string_view name, double value) {
    detail::call(td_optimizer_set, get(), group, detail::str(name), value);
  }

  Dict state() const { return detail::made<Dict>(td_optimizer_state, get()); }
  void load_state(const Dict& state) { detail::call(td_optimizer_load_state, get(), state.get()); }

 private:
  // Our defaults are in our structs; 0 is a number here.
  static double given(double value) noexcept { return value == 0 ? TD_ZERO : value; }
  template <class Raw, class Options>
  static Raw of_adam(Raw raw, const Options& options) {
    raw.lr = given(options.lr);
    raw.beta1 = given(options.beta1);
    raw.beta2 = given(options.beta2);
    raw.eps = given(options.eps);
    raw.weight_decay = given(options.weight_decay);
    raw.amsgrad = options.amsgrad;
    return raw;
  }
};

struct OneCycleOptions {
  double pct_start = 0.3, div_factor = 25, final_div_factor = 1e4, base_momentum = 0.85, max_momentum = 0.95;
  bool linear = false, three_phases = false, keep_momentum = false;
};

// Changes the learning rates of an optimizer from step to step, as torch.optim.lr_scheduler does. Neither may be in use by
// another thread then.
class Schedule : public Handle<Schedule, td_schedule, td_schedule_retain, td_schedule_release> {
 public:
  explicit Schedule(Adopted raw) noexcept : Handle(raw) {}

  // These multiply by `gamma`: after every `size` steps, at milestones, in every step.
  static Schedule step_size(Optimizer& optimizer, std::int64_t size, double gamma = 0.1) {
    return detail::made<Schedule>(td_schedule_new_step, optimizer.get(), size, gamma);
  }
  static Schedule multi_step(Optimizer& optimizer, Ints milestones, double gamma = 0.1) {
    return detail::made<Schedule>(td_schedule_new_multi_step, optimizer.get(), milestones.data(), milestones.size(),
                                  gamma);
  }
  static Schedule exponential(Optimizer& optimizer, double gamma) {
    return detail::made<Schedule>(td_schedule_new_exponential, optimizer.get(), gamma);
  }
  static Schedule cosine(Optimizer& optimizer, std::int64_t steps, double min_lr = 0) {
    return detail::made<Schedule>(td_schedule_new_cosine, optimizer.get(), steps, min_lr);
  }
  static Schedule linear(Optimizer& optimizer, double start_factor, double end_factor, std::int64_t steps) {
    return detail::made<Schedule>(td_schedule_new_linear, optimizer.get(), start_factor, end_factor, steps);
  }
  static Schedule constant(Optimizer& optimizer, double factor, std::int64_t steps) {
    return detail::made<Schedule>(td_schedule_new_constant, optimizer.get(), factor, steps);
  }
  static Schedule one_cycle(Optimizer& optimizer, double max_lr, std::int64_t steps,
                            const OneCycleOptions& options = {}) {
    const auto given = [](double value) { return value == 0 ? TD_ZERO : value; };
    td_one_cycle_options raw = TD_ONE_CYCLE_OPTIONS_INIT;
    raw.pct_start = given(options.pct_start);
    raw.div_factor = given(options.div_factor);
    raw.final_div_factor = given(options.final_div_factor);
    raw.base_momentum = given(options.base_momentum);
    raw.max_momentum = given(options.max_momentum);
    raw.linear = options.linear;
    raw.three_phases = options.three_phases;
    raw.keep_momentum = options.keep_momentum;
    return detail::made<Schedule>(td_schedule_new_one_cycle, optimizer.get(), max_lr, steps, &raw);
  }

  // The learning rates of the next step.
  void step() { detail::call(td_schedule_step, get()); }
  std::int64_t steps() const noexcept { return td_schedule_steps(get()); }

  Dict state() const { return detail::made<Dict>(td_schedule_state, get()); }
  void load_state(const Dict& state) { detail::call(td_schedule_load_state, get(), state.get()); }
};

}  // namespace tensordict

#endif
