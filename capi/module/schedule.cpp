#include "core/nn/schedule.h"

#include "capi/convert.h"
#include "capi/guard.h"

using namespace td::capi;

namespace {

// The place for the result is checked first: making a schedule changes the optimizer.
void schedule(td_optimizer* optimizer, td::ScheduleKind kind, td_schedule** out_schedule) {
  td_schedule*& slot = out(out_schedule);
  slot = own<td_schedule>(c10::make_intrusive<td::Schedule>(share(optimizer), std::move(kind)));
}

td::OneCycle one_cycle(double max_lr, int64_t steps, const td_one_cycle_options* given) {
  const td_one_cycle_options o = options(given);
  auto number = [](double value, double otherwise) { return value == TD_ZERO ? 0 : or_default(value, otherwise); };
  return {max_lr,
          steps,
          number(o.pct_start, 0.3),
          number(o.div_factor, 25),
          number(o.final_div_factor, 1e4),
          number(o.base_momentum, 0.85),
          number(o.max_momentum, 0.95),
          o.linear != 0,
          o.three_phases != 0,
          o.keep_momentum == 0};
}

}  // namespace

td_status td_schedule_new_step(td_optimizer* optimizer, int64_t step_size, double gamma, td_schedule** result,
                               td_error** err) noexcept {
  return guard(err, [&] { schedule(optimizer, td::StepDecay{step_size, gamma}, result); });
}

td_status td_schedule_new_multi_step(td_optimizer* optimizer, const int64_t* milestones, size_t n, double gamma,
                                     td_schedule** result, td_error** err) noexcept {
  return guard(err, [&] {
    if (n > 0 && !milestones) throw_null("milestones");
    schedule(optimizer, td::MilestoneDecay{std::vector<int64_t>(milestones, milestones + n), gamma}, result);
  });
}

td_status td_schedule_new_exponential(td_optimizer* optimizer, double gamma, td_schedule** result,
                                      td_error** err) noexcept {
  return guard(err, [&] { schedule(optimizer, td::ExponentialDecay{gamma}, result); });
}

td_status td_schedule_new_cosine(td_optimizer* optimizer, int64_t steps, double min_lr, td_schedule** result,
                                 td_error** err) noexcept {
  return guard(err, [&] { schedule(optimizer, td::CosineAnnealing{steps, min_lr}, result); });
}

td_status td_schedule_new_linear(td_optimizer* optimizer, double start_factor, double end_factor, int64_t steps,
                                 td_schedule** result, td_error** err) noexcept {
  return guard(err, [&] { schedule(optimizer, td::LinearRamp{start_factor, end_factor, steps}, result); });
}

td_status td_schedule_new_constant(td_optimizer* optimizer, double factor, int64_t steps, td_schedule** result,
                                   td_error** err) noexcept {
  return guard(err, [&] { schedule(optimizer, td::ConstantFactor{factor, steps}, result); });
}

td_status td_schedule_new_one_cycle(td_optimizer* optimizer, double max_lr, int64_t steps,
                                    const td_one_cycle_options* given_options, td_schedule** result,
                                    td_error** err) noexcept {
  return guard(err, [&] { schedule(optimizer, one_cycle(max_lr, steps, given_options), result); });
}

td_status td_schedule_step(td_schedule* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).step(); });
}

int64_t td_schedule_steps(const td_schedule* self) noexcept {
  if (!self) return int64_t{0};
  return guard_value(int64_t{0}, [&] { return ref(self).steps(); });
}

td_status td_schedule_state(const td_schedule* self, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, ref(self).state()); });
}

td_status td_schedule_load_state(td_schedule* self, const td_dict* state, td_error** err) noexcept {
  return guard(err, [&] { ref(self).load_state(ref(state)); });
}

void td_schedule_retain(const td_schedule* self) noexcept {
  retain(self);
}
void td_schedule_release(const td_schedule* self) noexcept {
  release(self);
}
