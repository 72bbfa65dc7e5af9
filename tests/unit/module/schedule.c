/* Learning rates that change: torch's numbers, and what a schedule refuses. */
#include <ctype.h>

#include "support/nn_support.h"

TestSuite(schedule, .init = count_live, .fini = check_live);

static td_dict *trainable(void) {
  td_dict *params = dict(TD_NO_DIMS);
  td_tensor *w = VEC(1, -2);
  must(td_tensor_requires_grad_(w, 1, &err));
  put(params, TD_KEY("w"), w);
  return params;
}

static td_optimizer *optimizer_of(const char *name, double lr) {
  td_dict *params = trainable();
  td_optimizer *optimizer;
  td_adam_options adam = TD_ADAM_OPTIONS_INIT;
  td_sgd_options sgd = TD_SGD_OPTIONS_INIT;
  adam.lr = sgd.lr = lr, sgd.momentum = 0.7;
  must(strcmp(name, "adam") == 0 ? td_optimizer_adam(params, &adam, &optimizer, &err)
                                 : td_optimizer_sgd(params, &sgd, &optimizer, &err));
  td_dict_release(params);
  return optimizer;
}

static double option(const td_optimizer *optimizer, const char *name) {
  double value;
  must(td_optimizer_get(optimizer, 0, TD_STR(name), &value, &err));
  return value;
}

/* ---- The vectors of torch ------------------------------------------------------------------------------------------- */

/* "cosine,0x1.4p+2,0x0p+0" */
static td_schedule *schedule_of(td_optimizer *optimizer, char *spelled) {
  double x[8] = {0};
  size_t n = 0;
  char *comma = strchr(spelled, ','), *at = comma;
  while (at && n < 8) x[n++] = strtod(at + 1, &at), at = *at == ',' ? at : NULL;
  if (comma) *comma = '\0';
  td_schedule *made = NULL;
  td_one_cycle_options other = TD_ONE_CYCLE_OPTIONS_INIT, kept = TD_ONE_CYCLE_OPTIONS_INIT;
  other.pct_start = 0.4, other.linear = 1, other.base_momentum = 0.5, other.max_momentum = 0.9;
  other.div_factor = 10, other.final_div_factor = 100, other.three_phases = 1;
  kept.keep_momentum = 1;
  const int64_t steps = (int64_t)x[1];
  if (strcmp(spelled, "step") == 0) must(td_schedule_new_step(optimizer, (int64_t)x[0], x[1], &made, &err));
  if (strcmp(spelled, "multi_step") == 0) {
    int64_t milestones[8];
    for (size_t i = 1; i < n; ++i) milestones[i - 1] = (int64_t)x[i];
    must(td_schedule_new_multi_step(optimizer, milestones, n - 1, x[0], &made, &err));
  }
  if (strcmp(spelled, "exponential") == 0) must(td_schedule_new_exponential(optimizer, x[0], &made, &err));
  if (strcmp(spelled, "cosine") == 0) must(td_schedule_new_cosine(optimizer, (int64_t)x[0], x[1], &made, &err));
  if (strcmp(spelled, "linear") == 0) must(td_schedule_new_linear(optimizer, x[0], x[1], (int64_t)x[2], &made, &err));
  if (strcmp(spelled, "constant") == 0) must(td_schedule_new_constant(optimizer, x[0], steps, &made, &err));
  if (strcmp(spelled, "one_cycle") == 0) must(td_schedule_new_one_cycle(optimizer, x[0], steps, NULL, &made, &err));
  if (strcmp(spelled, "one_cycle_other") == 0)
    must(td_schedule_new_one_cycle(optimizer, x[0], steps, &other, &made, &err));
  if (strcmp(spelled, "one_cycle_kept") == 0)
    must(td_schedule_new_one_cycle(optimizer, x[0], steps, &kept, &made, &err));
  check(made);
  return made;
}

/* The last bits of a cosine are those of the C library. */
static int same(double got, double wanted) {
  return fabs(got - wanted) <= 1e-14 * fabs(wanted) + 1e-18;
}

static void run_case(char *first, char *numbers) {
  char *words[8] = {NULL};
  size_t n = 0;
  for (char *w = strtok(first, " \n"); w && n < 8; w = strtok(NULL, " \n")) words[n++] = w;
  check(n >= 4 && strcmp(words[0], "case") == 0);
  td_optimizer *optimizer = optimizer_of(words[1], strtod(words[2], NULL));
  td_schedule *schedules[4];
  const size_t n_schedules = n - 3;
  for (size_t i = 0; i < n_schedules; ++i) schedules[i] = schedule_of(optimizer, words[3 + i]);
  int64_t step = 0;
  char *end;
  for (double lr = strtod(numbers, &end); end != numbers; lr = strtod(numbers, &end), ++step) {
    const double momentum = strtod(end, &numbers);
    for (size_t i = 0; step > 0 && i < n_schedules; ++i) must(td_schedule_step(schedules[i], &err));
    const double got = option(optimizer, "lr");
    if (!same(got, lr))
      fprintf(stderr, "%s %s: step %lld: %.17g, not %.17g\n", words[1], words[3], (long long)step, got, lr);
    check(same(got, lr));
    check(same(option(optimizer, strcmp(words[1], "adam") == 0 ? "beta1" : "momentum"), momentum));
    check(td_schedule_steps(schedules[0]) == step);
    if (strcmp(words[1], "by_hand") == 0 && step == 3)
      must(td_optimizer_set(optimizer, 0, TD_STR("lr"), 2 * got, &err));
  }
  check(step > 7);
  for (size_t i = 0; i < n_schedules; ++i) td_schedule_release(schedules[i]);
  td_optimizer_release(optimizer);
}

Test(schedule, the_numbers_are_those_of_torch) {
  FILE *f = fopen(TD_TEST_DATA "/vectors/schedule.txt", "rb");
  check(f);
  static char first[1000], numbers[4000];
  int cases = 0;
  for (; fgets(first, sizeof first, f) && fgets(numbers, sizeof numbers, f); ++cases) run_case(first, numbers);
  fclose(f);
  check(cases > 20);
}

/* ---- The rest ------------------------------------------------------------------------------------------------------- */

Test(schedule, a_saved_schedule_continues) {
  td_optimizer *a = optimizer_of("adam", 0.1), *b = optimizer_of("adam", 0.7);
  td_schedule *first, *second;
  must(td_schedule_new_cosine(a, 6, 0.01, &first, &err));
  for (int i = 0; i < 8; ++i) must(td_schedule_step(first, &err));
  must(td_schedule_new_cosine(b, 6, 0.01, &second, &err));
  td_dict *state;
  must(td_schedule_state(first, &state, &err));
  must(td_schedule_load_state(second, state, &err));
  td_dict_release(state);
  must(td_optimizer_state(a, &state, &err));
  must(td_optimizer_load_state(b, state, &err));
  td_dict_release(state);
  for (int i = 0; i < 8; ++i) {
    check(option(a, "lr") == option(b, "lr") && td_schedule_steps(first) == td_schedule_steps(second));
    must(td_schedule_step(first, &err));
    must(td_schedule_step(second, &err));
  }
  td_dict *wrong = dict(TD_NO_DIMS);
  expect_error(td_schedule_load_state(second, wrong, &err), TD_ERR_KEY, NULL, "last_epoch");
  td_tensor *count;
  must(td_tensor_full(TD_NO_DIMS, TD_VALUE(td_value_int(3)), TD_DTYPE_INT64, TD_NO_STR, &count, &err));
  put(wrong, TD_KEY("last_epoch"), count);
  put(wrong, TD_KEY("base_lrs"), VEC(1, 2));
  expect_error(td_schedule_load_state(second, wrong, &err), TD_ERR_SHAPE, NULL, "1 groups");
  check(td_schedule_steps(second) == 16);
  td_dict_release(wrong);
  td_schedule_release(first);
  td_schedule_release(second);
  td_optimizer_release(a);
  td_optimizer_release(b);
}

Test(schedule, groups_that_are_added_later_follow) {
  td_optimizer *optimizer = optimizer_of("sgd", 0.5);
  td_schedule *schedule;
  must(td_schedule_new_exponential(optimizer, 0.5, &schedule, &err));
  must(td_schedule_step(schedule, &err));
  td_dict *more = trainable();
  must(td_optimizer_add_group(optimizer, more, &err));
  must(td_optimizer_set(optimizer, 1, TD_STR("lr"), 4, &err));
  must(td_schedule_step(schedule, &err));
  double lr;
  must(td_optimizer_get(optimizer, 1, TD_STR("lr"), &lr, &err));
  check(lr == 2 && option(optimizer, "lr") == 0.125);
  td_optimizer_release(optimizer); /* the schedule keeps it */
  must(td_schedule_step(schedule, &err));
  td_schedule_release(schedule);
  td_dict_release(more);
}

Test(schedule, numbers_out_of_range_change_nothing) {
  td_optimizer *o = optimizer_of("sgd", 0.5);
  td_schedule *s = NULL;
#define REFUSED(call, says) expect_error((call), TD_ERR_ARGUMENT, NULL, (says))
  REFUSED(td_schedule_new_step(o, 0, 0.5, &s, &err), "step size");
  REFUSED(td_schedule_new_step(o, 1, -0.5, &s, &err), "gamma");
  REFUSED(td_schedule_new_step(o, 1, NAN, &s, &err), "gamma");
  REFUSED(td_schedule_new_multi_step(o, (const int64_t[]){3, 0}, 2, 0.5, &s, &err), "milestone");
  REFUSED(td_schedule_new_multi_step(o, NULL, 2, 0.5, &s, &err), NULL);
  REFUSED(td_schedule_new_exponential(o, INFINITY, &s, &err), "gamma");
  REFUSED(td_schedule_new_cosine(o, 0, 0, &s, &err), "steps");
  REFUSED(td_schedule_new_cosine(o, 5, -1, &s, &err), "min_lr");
  REFUSED(td_schedule_new_cosine(o, INT64_MAX, 0, &s, &err), "too long");
  REFUSED(td_schedule_new_linear(o, 0, 1, 5, &s, &err), "start_factor");
  REFUSED(td_schedule_new_linear(o, 0.5, 1.5, 5, &s, &err), "end_factor");
  REFUSED(td_schedule_new_constant(o, 0, 5, &s, &err), "factor");
  REFUSED(td_schedule_new_one_cycle(o, 0, 5, NULL, &s, &err), "max_lr");
  td_one_cycle_options cycle = TD_ONE_CYCLE_OPTIONS_INIT;
  cycle.pct_start = 1.5;
  REFUSED(td_schedule_new_one_cycle(o, 1, 5, &cycle, &s, &err), "pct_start");
  REFUSED(td_schedule_new_step(NULL, 1, 0.5, &s, &err), NULL);
  REFUSED(td_schedule_new_constant(o, 0.5, 5, NULL, &err), NULL);
  check(!s && option(o, "lr") == 0.5 && option(o, "momentum") == 0.7 && td_schedule_steps(NULL) == 0);
  must(td_schedule_new_one_cycle(o, 1, 1, NULL, &s, &err));
  must(td_schedule_step(s, &err));
  const double last = option(o, "lr");
  REFUSED(td_schedule_step(s, &err), "ended after 1 steps");
  check(option(o, "lr") == last && td_schedule_steps(s) == 1);
  td_schedule_release(s);
  td_optimizer_release(o);
}
