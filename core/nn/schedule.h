// Learning rates that follow from the number of steps, with the recursions of torch.optim.lr_scheduler: what is done to
// a learning rate by hand, or by another schedule, goes on from there.
#pragma once

#include <variant>
#include <vector>

#include "core/nn/optimizer.h"

namespace td {

struct StepDecay {
  int64_t size;
  double gamma;
};

struct MilestoneDecay {
  std::vector<int64_t> milestones;
  double gamma;
};

struct ExponentialDecay {
  double gamma;
};

struct CosineAnnealing {
  int64_t steps;
  double min_lr;
};

struct LinearRamp {
  double start_factor, end_factor;
  int64_t steps;
};

struct ConstantFactor {
  double factor;
  int64_t steps;
};

struct OneCycle {
  double max_lr;
  int64_t steps;
  double start_share, div_factor, final_div_factor, base_momentum, max_momentum;
  bool linear, three_phases, with_momentum;
};

using ScheduleKind =
    std::variant<StepDecay, MilestoneDecay, ExponentialDecay, CosineAnnealing, LinearRamp, ConstantFactor, OneCycle>;

class Schedule final : public c10::intrusive_ptr_target {
 public:
  // Sets the learning rates of step 0. Throws Error(argument) for a number out of range.
  Schedule(c10::intrusive_ptr<Optimizer> optimizer, ScheduleKind kind);

  // The learning rates of the next step. Throws Error(argument) after the last step of a OneCycle.
  void step();
  int64_t steps() const { return steps_; }

  // Throws Error(key), Error(shape), Error(argument) for a state of something else; nothing has changed then.
  NodePtr state() const;
  void load_state(const Node& state);

 private:
  void apply();

  c10::intrusive_ptr<Optimizer> optimizer_;
  ScheduleKind kind_;
  int64_t steps_ = 0;
};

}  // namespace td
