#include "core/nn/schedule.h"

#include <algorithm>
#include <cmath>

#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

constexpr double pi = 3.14159265358979323846;

// ---- What is in range. Written so that NaN is not.

void check(bool in_range, const char* what, double value) {
  if (!in_range || !std::isfinite(value))
    throw Error(Code::argument, std::string(what) + " = " + std::to_string(value) + " is out of range");
}

void check_steps(int64_t steps, const char* what = "the number of steps") {
  if (steps < 1) throw Error(Code::argument, std::string(what) + " is " + std::to_string(steps) + ", less than 1");
}

void check(const StepDecay& k) {
  check_steps(k.size, "the step size");
  check(k.gamma >= 0, "gamma", k.gamma);
}
void check(const MilestoneDecay& k) {
  for (int64_t milestone : k.milestones) check_steps(milestone, "a milestone");
  check(k.gamma >= 0, "gamma", k.gamma);
}
void check(const ExponentialDecay& k) {
  check(k.gamma >= 0, "gamma", k.gamma);
}
void check(const CosineAnnealing& k) {
  check_steps(k.steps);
  if (k.steps > INT64_MAX / 2)
    throw Error(Code::argument, "a period of " + std::to_string(k.steps) + " steps is too long");
  check(k.min_lr >= 0, "min_lr", k.min_lr);
}
void check(const LinearRamp& k) {
  check_steps(k.steps);
  check(k.start_factor > 0 && k.start_factor <= 1, "start_factor", k.start_factor);
  check(k.end_factor >= 0 && k.end_factor <= 1, "end_factor", k.end_factor);
}
void check(const ConstantFactor& k) {
  check_steps(k.steps);
  check(k.factor > 0 && k.factor <= 1, "factor", k.factor);
}
void check(const OneCycle& k) {
  check_steps(k.steps);
  check(k.max_lr > 0, "max_lr", k.max_lr);
  check(k.start_share >= 0 && k.start_share <= 1, "pct_start", k.start_share);
  check(k.div_factor > 0, "div_factor", k.div_factor);
  check(k.final_div_factor > 0, "final_div_factor", k.final_div_factor);
  check(k.base_momentum >= 0 && k.base_momentum < 1, "base_momentum", k.base_momentum);
  check(k.max_momentum >= 0 && k.max_momentum < 1, "max_momentum", k.max_momentum);
}

// ---- The learning rate of step `i`, from that of the step before and the one that the group began with.

double next(const StepDecay& k, int64_t i, double lr, double) {
  return i == 0 || i % k.size != 0 ? lr : lr * k.gamma;
}
double next(const MilestoneDecay& k, int64_t i, double lr, double) {
  const auto times = std::count(k.milestones.begin(), k.milestones.end(), i);
  return times == 0 ? lr : lr * std::pow(k.gamma, static_cast<double>(times));
}
double next(const ExponentialDecay& k, int64_t i, double lr, double) {
  return i == 0 ? lr : lr * k.gamma;
}
double next(const CosineAnnealing& k, int64_t i, double lr, double base) {
  const auto step = static_cast<double>(i), steps = static_cast<double>(k.steps);
  if (i == 0) return lr;
  if ((i - 1 - k.steps) % (2 * k.steps) == 0) return lr + (base - k.min_lr) * (1 - std::cos(pi / steps)) / 2;
  return (1 + std::cos(pi * step / steps)) / (1 + std::cos(pi * (step - 1) / steps)) * (lr - k.min_lr) + k.min_lr;
}
double next(const LinearRamp& k, int64_t i, double lr, double) {
  if (i == 0) return lr * k.start_factor;
  if (i > k.steps) return lr;
  const double rise = k.end_factor - k.start_factor;
  return lr * (1.0 + rise / (static_cast<double>(k.steps) * k.start_factor + static_cast<double>(i - 1) * rise));
}
double next(const ConstantFactor& k, int64_t i, double lr, double) {
  if (i == 0) return lr * k.factor;
  return i != k.steps ? lr : lr * (1.0 / k.factor);
}

// What a cycle runs through: from one learning rate and momentum to the next.
struct Phase {
  double end, lr_from, lr_to, momentum_from, momentum_to;
};

std::vector<Phase> phases(const OneCycle& k) {
  const auto steps = static_cast<double>(k.steps);
  const double first = k.max_lr / k.div_factor, least = first / k.final_div_factor, up = k.start_share * steps - 1;
  const double low = k.base_momentum, high = k.max_momentum;
  if (!k.three_phases) return {{up, first, k.max_lr, high, low}, {steps - 1, k.max_lr, least, low, high}};
  return {{up, first, k.max_lr, high, low},
          {2 * k.start_share * steps - 2, k.max_lr, first, low, high},
          {steps - 1, first, least, high, high}};
}

double between(const OneCycle& k, double from, double to, double share) {
  return k.linear ? (to - from) * share + from : to + (from - to) / 2.0 * (std::cos(pi * share) + 1);
}

// The learning rate and the momentum of step `i`.
std::pair<double, double> in_cycle(const OneCycle& k, int64_t i) {
  const auto step = static_cast<double>(i);
  const std::vector<Phase> all = phases(k);
  double start = 0;
  for (const Phase& p : all) {
    if (step <= p.end || &p == &all.back()) {
      const double share = p.end == start ? 1 : (step - start) / (p.end - start);
      return {between(k, p.lr_from, p.lr_to, share), between(k, p.momentum_from, p.momentum_to, share)};
    }
    start = p.end;
  }
  return {};
}

}  // namespace

Schedule::Schedule(c10::intrusive_ptr<Optimizer> optimizer, ScheduleKind kind)
    : optimizer_(std::move(optimizer)), kind_(std::move(kind)) {
  std::visit([](const auto& k) { check(k); }, kind_);
  if (auto* cycle = std::get_if<OneCycle>(&kind_))
    for (size_t g = 0; g < optimizer_->groups(); ++g) optimizer_->initial_lr(g) = cycle->max_lr / cycle->div_factor;
  apply();
}

void Schedule::apply() {
  for (size_t g = 0; g < optimizer_->groups(); ++g) {
    double& lr = optimizer_->option_ref(g, "lr");
    const double base = optimizer_->initial_lr(g);
    if (auto* cycle = std::get_if<OneCycle>(&kind_)) {
      const auto [rate, momentum] = in_cycle(*cycle, steps_);
      lr = rate;
      if (cycle->with_momentum) optimizer_->momentum_ref(g) = momentum;
    } else {
      lr = std::visit(
          [&](const auto& k) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(k)>, OneCycle>)
              return lr;
            else
              return next(k, steps_, lr, base);
          },
          kind_);
    }
  }
}

void Schedule::step() {
  if (auto* cycle = std::get_if<OneCycle>(&kind_); cycle && steps_ >= cycle->steps)
    throw Error(Code::argument, "the cycle ended after " + std::to_string(cycle->steps) + " steps");
  ++steps_;
  apply();
}

NodePtr Schedule::state() const {
  NodePtr state = TensorDict::make({});
  const auto groups = static_cast<int64_t>(optimizer_->groups());
  at::Tensor bases = at::empty({groups}, at::kDouble);
  for (int64_t g = 0; g < groups; ++g) bases.data_ptr<double>()[g] = optimizer_->initial_lr(static_cast<size_t>(g));
  state->put("last_epoch", Entry(at::scalar_tensor(steps_, at::kLong)));
  state->put("base_lrs", Entry(bases));
  return state;
}

void Schedule::load_state(const Node& state) {
  const auto groups = static_cast<int64_t>(optimizer_->groups());
  const at::Tensor last = state.tensor(Path{"last_epoch"}), bases = state.tensor(Path{"base_lrs"});
  if (last.numel() != 1) throw Error(Code::shape, "the number of steps must be one number").key("\"last_epoch\"");
  if (bases.dim() != 1 || bases.size(0) != groups)
    throw Error(Code::shape, "the optimizer has " + std::to_string(groups) + " groups, but the state has " +
                                 std::to_string(bases.numel()) + " learning rates")
        .key("\"base_lrs\"");
  const auto steps = last.item<int64_t>();
  if (steps < 0) throw Error(Code::argument, std::to_string(steps) + " steps").key("\"last_epoch\"");
  const at::Tensor rates = bases.detach().to(at::kCPU, at::kDouble).contiguous();
  for (int64_t g = 0; g < groups; ++g) optimizer_->initial_lr(static_cast<size_t>(g)) = rates.data_ptr<double>()[g];
  steps_ = steps;
}

}  // namespace td
