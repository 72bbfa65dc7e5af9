/* fuzz_programs: seeds, in each of which a child does steps in a world of dicts. */
#include "../../unit/support/messages.h"
#include "programs/world.h"

enum { STEPS = 50 };

static const char *const effects[] = {"pure", "writes", "partly"};

static void expect_error(const char *name, td_status status, td_error *error) {
  if ((status == TD_OK) != (error == NULL))
    child_fails("%s gave %s and %s error", name, td_status_name(status).data, error ? "an" : "no");
  if (!error) return;
  const char *message = td_error_message(error).data;
  note(": %.300s", message);
  if (td_error_code(error) != status) child_fails("%s: the error has another code than the call", name);
  if (status == TD_ERR_INTERNAL || status == TD_ERR_OOM)
    child_fails("%s gave %s: %s", name, td_status_name(status).data, message);
  if (internal_text(message)) child_fails("%s: text from inside: %s", name, message);
  td_error_release(error);
}

static void expect_unchanged(const world *w, const snapshot *before, const step *s, td_status status) {
  for (int i = 0; i < w->n; ++i) {
    const snapshot after = snapshot_of(w->dicts[i]);
    const char *what = snapshot_difference(&before[i], &after);
    if (what)
      child_fails("%s (%s) gave %s and changed dict %d: %s", s->name, effects[s->effect], td_status_name(status).data,
                  i, what);
  }
}

static void one_step(world *w) {
  const step *s = &steps[below(n_steps)];
  snapshot before[MOST_DICTS];
  td_dict *held[MOST_DICTS];
  const int n = w->n, which = (int)below((uint64_t)n);
  for (int i = 0; i < n; ++i) {
    before[i] = snapshot_of(w->dicts[i]);
    td_dict_retain(held[i] = w->dicts[i]); /* a step may put another one in its place */
  }
  td_no_grad *no_grad = NULL;
  if (chance(20)) td_no_grad_begin(&no_grad, NULL);
  td_string *text = NULL;
  if (getenv("TD_FUZZ_SHOW") && td_dict_repr(w->dicts[which], 0, &text, NULL) == TD_OK) {
    note("\n%s", td_string_view(text).data);
    td_string_release(text);
  }
  note("\n%s of %d%s", s->name, which, no_grad ? " without grad" : "");
  td_error *error = NULL;
  const td_status status = s->run(w, w->dicts[which], &error);
  note(" -> %s", td_status_name(status).data);
  if (no_grad && td_no_grad_end(no_grad, NULL) != TD_OK) child_fails("%s leaves a scope open", s->name);
  td_no_grad_release(no_grad);
  count_result(status == TD_OK);
  shared_counts()[2 * (s - steps)] += 1, shared_counts()[2 * (s - steps) + 1] += status == TD_OK;
  expect_error(s->name, status, error);
  world as_before = {.n = n};
  memcpy(as_before.dicts, held, sizeof held[0] * (size_t)n);
  if (s->effect == PURE || (s->effect == WRITES && status != TD_OK)) expect_unchanged(&as_before, before, s, status);
  for (int i = 0; i < n; ++i) td_dict_release(held[i]);
  for (int i = 0; i < w->n; ++i) {
    expect_sound(w, w->dicts[i]);
    if (td_dict_requires_grad(w->dicts[i])) child_has_graphs();
  }
  if (td_live_objects(TD_OBJECT_DICT) != w->n) child_fails("%s leaves a reference to a dict", s->name);
  if (td_live_objects(TD_OBJECT_TENSOR) != 0) child_fails("%s leaves a reference to a tensor", s->name);
}

static void program(uint64_t seed) {
  world w = {.n = 0};
  (void)seed;
  note("dicts:");
  for (int i = 0; i < 4; ++i) add_dict(&w, new_kind());
  for (int i = 0; i < STEPS; ++i) {
    if (w.n == 0 || chance(8)) add_dict(&w, new_kind());
    one_step(&w);
  }
  while (w.n > 0) td_dict_release(w.dicts[--w.n]);
}

static void statistics(void) {
  const int64_t *counts = shared_counts();
  for (size_t i = 0; i < n_steps; ++i)
    if (counts[2 * i] > 20 && counts[2 * i + 1] == 0) printf("%s never succeeds\n", steps[i].name);
}

int main(int argc, char **argv) {
  fuzz_run run = {"fuzz_programs", 1, 100, 0, 0, 0, program, statistics};
  read_arguments(&run, argc, argv);
  return run_children(&run) != 0;
}
