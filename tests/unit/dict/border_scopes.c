/* What a finalizer does on its own thread changes nobody's data: releasing a scope, or a no-grad, is not its end. */
#include <pthread.h>

#include "support/nn_support.h"

TestSuite(border_scopes, .init = count_live, .fini = check_live);

static void *release_scope(void *scope) {
  td_scope_release(scope);
  return NULL;
}

static void *release_no_grad(void *scope) {
  td_no_grad_release(scope);
  return NULL;
}

static void on_another_thread(void *(*run)(void *), void *argument) {
  pthread_t thread;
  check(!pthread_create(&thread, NULL, run, argument) && !pthread_join(thread, NULL));
}

Test(border_scopes, releasing_an_unlocked_one_elsewhere_leaves_the_dict_unlocked) {
  td_dict *data = dict(TD_NO_DIMS);
  td_scope *scope;
  must(td_dict_lock_(data, &err));
  must(td_scope_unlock(data, &scope, &err));
  on_another_thread(release_scope, scope);
  check(!td_dict_is_locked(data));
  put(data, TD_KEY("x"), VEC(1));
  td_dict_release(data);
}

Test(border_scopes, releasing_one_of_another_form_leaves_the_original) {
  td_dict *data = dict(TD_NO_DIMS), *flat;
  td_scope *scope;
  td_tensor *out;
  put(data, TD_KEY("n", "x"), VEC(1));
  must(td_scope_flatten_keys(data, TD_STR("."), &flat, &scope, &err));
  put(flat, TD_KEY("n.y"), VEC(2));
  on_another_thread(release_scope, scope);
  expect_error(td_dict_get(data, TD_KEY("n", "y"), &out, &err), TD_ERR_KEY, NULL, NULL);
  must(td_dict_get(flat, TD_KEY("n.y"), &out, &err));
  td_tensor_release(out);
  td_dict_release(flat), td_dict_release(data);
}

/* Swaps of one module: what was given up stays, and outer and inner ones still end. */
Test(border_scopes, releasing_a_swap_elsewhere_leaves_the_module) {
  td_module *linear = known_linear();
  td_tensor *own = parameter(linear, TD_KEY("bias"));
  td_tensor_retain(own);
  for (int released = 0; released < 3; ++released) {
    td_dict *params[3];
    td_scope *scopes[3];
    td_tensor *given[3];
    for (int i = 0; i < 3; ++i) {
      params[i] = dict(TD_NO_DIMS);
      given[i] = VEC((float)i, 1);
      must(td_dict_set(params[i], TD_KEY("bias"), given[i], &err));
      must(td_module_swap(linear, params[i], 0, &scopes[i], &err));
    }
    on_another_thread(release_scope, scopes[released]);
    check(parameter(linear, TD_KEY("bias")) == given[2]);
    for (int i = 2; i >= 0; --i)
      if (i != released) {
        must(td_scope_end(scopes[i], &err));
        td_scope_release(scopes[i]);
      }
    /* The first one that began puts back what was there before it, unless it was given up. */
    check(parameter(linear, TD_KEY("bias")) == (released == 0 ? given[0] : own));
    must(td_module_set_parameter(linear, TD_KEY("bias"), own, &err));
    for (int i = 0; i < 3; ++i) td_dict_release(params[i]), td_tensor_release(given[i]);
  }
  td_tensor_release(own);
  td_module_release(linear);
}

/* ---- Recording ------------------------------------------------------------------------------------------------------ */

static td_tensor *leaf(void) {
  td_tensor *x = VEC(1);
  must(td_tensor_requires_grad_(x, 1, &err));
  return x;
}

static int records(void) {
  td_tensor *x = leaf(), *y = apply("add", x, x);
  const int recorded = td_tensor_requires_grad(y);
  td_tensor_release(x), td_tensor_release(y);
  return recorded;
}

Test(border_scopes, releasing_a_no_grad_elsewhere_changes_the_mode_of_no_thread) {
  td_no_grad *outer, *inner;
  must(td_no_grad_begin(&outer, &err));
  must(td_no_grad_begin(&inner, &err));
  on_another_thread(release_no_grad, inner);
  check(!records());
  must(td_no_grad_end(outer, &err)); /* which it does not keep from ending */
  check(records());
  expect_error(td_no_grad_end(outer, &err), TD_ERR_CLOSED, NULL, NULL);
  check(records());
  td_no_grad_release(outer);
  must(td_no_grad_begin(&outer, &err));
  td_no_grad_release(outer);
  check(!records()); /* nobody can end it any more */
  must(td_no_grad_begin(&inner, &err));
  must(td_no_grad_end(inner, &err));
  td_no_grad_release(inner);
}

enum { THREADS = 16, ROUNDS = 200 };

/* Handles that other threads drop while their own thread goes on with scopes of its own. */
static void *hand_over(void *slot) {
  td_no_grad **dropped = slot;
  for (int i = 0; i < ROUNDS; ++i) {
    td_no_grad *outer, *inner;
    must(td_no_grad_begin(&outer, &err));
    must(td_no_grad_begin(&inner, &err));
    td_no_grad_release(__atomic_exchange_n(dropped, inner, __ATOMIC_ACQ_REL)); /* that of another thread */
    td_no_grad *mine = __atomic_exchange_n(dropped, NULL, __ATOMIC_ACQ_REL);
    td_no_grad_release(mine);
    const td_status status = td_no_grad_end(outer, NULL); /* unless another thread has not dropped it yet */
    check(status == TD_OK || status == TD_ERR_ARGUMENT);
    check(!records() || status == TD_OK);
    td_no_grad_release(outer);
  }
  return NULL;
}

Test(border_scopes, threads_drop_each_others_no_grads) {
  td_no_grad *slot = NULL;
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) check(!pthread_create(&threads[i], NULL, hand_over, &slot));
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  td_no_grad_release(slot);
  check(records());
}

typedef struct seen {
  int runs, recorded;
  td_interaction interaction;
  td_status fails;
} seen;

static td_status look(void *userdata, td_error **error) {
  seen *s = userdata;
  s->runs++;
  s->recorded = records();
  s->interaction = td_interaction_get();
  if (s->fails) *error = td_error_new(s->fails, TD_STR("on purpose"));
  return s->fails;
}

static void *run_all(void *unused) {
  (void)unused;
  seen s = {0, 1, TD_INTERACTION_DEFAULT, TD_OK};
  must(td_no_grad_run(look, &s, &err));
  check(s.runs == 1 && !s.recorded && records());
  must(td_interaction_run(TD_INTERACTION_MODE, look, &s, &err));
  check(s.runs == 2 && s.recorded && s.interaction == TD_INTERACTION_MODE);
  check(td_interaction_get() == TD_INTERACTION_DEFAULT);
  s.fails = TD_ERR_NOSPACE;
  expect_error(td_no_grad_run(look, &s, &err), TD_ERR_CALLBACK, NULL, "on purpose");
  expect_error(td_interaction_run(TD_INTERACTION_MEAN, look, &s, &err), TD_ERR_CALLBACK, NULL, "on purpose");
  check(records() && td_interaction_get() == TD_INTERACTION_DEFAULT);
  expect_error(td_no_grad_run(NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "fn");
  expect_error(td_interaction_run(TD_INTERACTION_MEAN, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "fn");
  expect_error(td_interaction_run(17, look, &s, &err), TD_ERR_ARGUMENT, NULL, "17");
  check(s.runs == 4);
  return NULL;
}

Test(border_scopes, functions_run_without_recording_and_with_an_interaction_type) {
  run_all(NULL);
  on_another_thread(run_all, NULL);
}

static td_status note_modes(void *userdata, const td_module *m, td_hook_call *call, td_error **error) {
  (void)m, (void)call;
  return look(userdata, error);
}

Test(border_scopes, a_run_has_its_modes_as_options) {
  seen s = {0, 0, TD_INTERACTION_DEFAULT, TD_OK};
  td_module *m = keyed(known_linear(), "x", "y");
  must(td_module_add_forward_hook(m, TD_CALLBACKS(td_forward_hook, note_modes, &s, NULL), 0, NULL, &err));
  td_dict *data = dict(TD_NO_DIMS), *out;
  put(data, TD_KEY("x"), VEC(1, 2, 3));
  td_run_options options = TD_RUN_OPTIONS_INIT;
  options.no_grad = 1;
  options.interaction = TD_INTERACTION_RANDOM;
  must(td_module_run(m, data, &options, &out, &err));
  td_dict_release(out);
  check(s.runs == 1 && !s.recorded && s.interaction == TD_INTERACTION_RANDOM);
  check(!td_tensor_requires_grad(peek(data, TD_KEY("y"))));
  must(td_module_run(m, data, NULL, &out, &err));
  td_dict_release(out);
  check(s.recorded && s.interaction == TD_INTERACTION_DEFAULT && td_tensor_requires_grad(peek(data, TD_KEY("y"))));
  s.fails = TD_ERR_IO;
  expect_error(td_module_run(m, data, &options, &out, &err), TD_ERR_CALLBACK, NULL, "on purpose");
  check(records() && td_interaction_get() == TD_INTERACTION_DEFAULT);
  options.interaction = -1;
  expect_error(td_module_run(m, data, &options, &out, &err), TD_ERR_ARGUMENT, NULL, "-1");
  td_dict_release(data);
  td_module_release(m);
}
