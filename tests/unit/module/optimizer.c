#include "support/nn_support.h"

TestSuite(optimizer, .init = count_live, .fini = check_live);

/* {"n": {"w": [1, -2] requiring grad}, "fixed": [5, 5]} */
static td_dict *some_params(void) {
  td_dict *params = dict(TD_NO_DIMS);
  td_tensor *w = VEC(1, -2);
  must(td_tensor_requires_grad_(w, 1, &err));
  put(params, TD_KEY("n", "w"), w);
  put(params, TD_KEY("fixed"), VEC(5, 5));
  return params;
}

/* Adds the gradient of sum(w * w), 2 w, and returns the loss. */
static double add_grad(const td_dict *params) {
  td_tensor *w = peek(params, TD_KEY("n", "w")), *square = apply("mul", w, w), *loss = apply("sum", square, NULL);
  double value = at(loss, 0);
  must(td_tensor_backward(loss, NULL, 0, &err));
  td_tensor_release(square);
  td_tensor_release(loss);
  return value;
}

/* The rules of torch.optim, written out. */
typedef struct state {
  double w, m, v, vmax;
} state;

static void sgd_by_hand(state *s, const td_sgd_options *o, int step) {
  double g = 2 * s->w + o->weight_decay * s->w;
  if (o->momentum > 0) {
    s->m = step == 1 ? g : o->momentum * s->m + (1 - o->dampening) * g;
    g = o->nesterov ? g + o->momentum * s->m : s->m;
  }
  s->w -= o->lr * g;
}

static void adam_by_hand(state *s, const td_adam_options *o, int step) {
  double g = 2 * s->w + o->weight_decay * s->w;
  s->m = o->beta1 * s->m + (1 - o->beta1) * g;
  s->v = o->beta2 * s->v + (1 - o->beta2) * g * g;
  s->vmax = fmax(s->vmax, s->v);
  double v = (o->amsgrad ? s->vmax : s->v) / (1 - pow(o->beta2, step));
  s->w -= o->lr * s->m / (1 - pow(o->beta1, step)) / (sqrt(v) + o->eps);
}

static const struct {
  int adam;
  td_sgd_options sgd;
  td_adam_options with_adam;
} rules[] = {
    {0, {sizeof(td_sgd_options), 0.1, 0, 0, 0, 0, TD_RESERVED}, TD_ADAM_OPTIONS_INIT},
    {0, {sizeof(td_sgd_options), 0.1, 0.9, 0.5, 0.01, 0, TD_RESERVED}, TD_ADAM_OPTIONS_INIT},
    {0, {sizeof(td_sgd_options), 0.1, 0.9, 0, 0, 1, TD_RESERVED}, TD_ADAM_OPTIONS_INIT},
    {1, TD_SGD_OPTIONS_INIT, {sizeof(td_adam_options), 0.1, 0.9, 0.999, 1e-8, 0, 0, TD_RESERVED}},
    {1, TD_SGD_OPTIONS_INIT, {sizeof(td_adam_options), 0.5, 0.5, 0.9, 1e-3, 0.1, 1, TD_RESERVED}},
};

Test(optimizer, steps_follow_the_rules_and_the_loss_falls) {
  for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r) {
    td_dict *params = some_params();
    td_optimizer *optimizer;
    if (rules[r].adam)
      must(td_optimizer_adam(params, &rules[r].with_adam, &optimizer, &err));
    else
      must(td_optimizer_sgd(params, &rules[r].sgd, &optimizer, &err));
    must(td_optimizer_step(optimizer, &err)); /* without gradients nothing happens */
    EXPECT(peek(params, TD_KEY("n", "w")), 1, -2);

    state by_hand[2] = {{.w = 1}, {.w = -2}};
    double first = 0, last = 0;
    for (int step = 1; step <= 3; ++step) {
      must(td_optimizer_zero_grad(optimizer, &err));
      last = add_grad(params);
      if (step == 1) first = last;
      must(td_optimizer_step(optimizer, &err));
      for (int i = 0; i < 2; ++i) {
        if (rules[r].adam)
          adam_by_hand(&by_hand[i], &rules[r].with_adam, step);
        else
          sgd_by_hand(&by_hand[i], &rules[r].sgd, step);
      }
      expect(peek(params, TD_KEY("n", "w")), (double[]){by_hand[0].w, by_hand[1].w}, 2, 1e-5, "w");
    }
    cr_assert_lt(last, first);
    EXPECT(peek(params, TD_KEY("fixed")), 5, 5);
    td_optimizer_retain(optimizer);
    td_optimizer_release(optimizer);
    td_optimizer_release(optimizer);
    td_dict_release(params);
  }
}

Test(optimizer, zero_grad_forgets) {
  td_dict *params = some_params();
  td_optimizer *optimizer;
  must(td_optimizer_sgd(params, NULL, &optimizer, &err));
  td_tensor *w = peek(params, TD_KEY("n", "w")), *grad;
  add_grad(params);
  add_grad(params);
  must(td_tensor_grad(w, &grad, &err));
  EXPECT(grad, 4, -8);
  td_tensor_release(grad);
  must(td_optimizer_zero_grad(optimizer, &err));
  must(td_tensor_grad(w, &grad, &err));
  cr_assert_null(grad);
  td_optimizer_release(optimizer);
  td_dict_release(params);
}

Test(optimizer, options_are_checked) {
  const size_t sgd = sizeof(td_sgd_options), adam = sizeof(td_adam_options);
  const struct {
    td_sgd_options options;
    const char *message;
  } bad_sgd[] = {
      {{sgd, -0.1, 0, 0, 0, 0, TD_RESERVED}, "lr"},           {{sgd, NAN, 0, 0, 0, 0, TD_RESERVED}, "lr"},
      {{sgd, INFINITY, 0, 0, 0, 0, TD_RESERVED}, "lr"},       {{sgd, 0.1, -1, 0, 0, 0, TD_RESERVED}, "momentum"},
      {{sgd, 0.1, 0, 0, -1, 0, TD_RESERVED}, "weight_decay"}, {{sgd, 0.1, 0, 0, 0, 1, TD_RESERVED}, "nesterov"},
      {{sgd, 0.1, 0.9, 0.1, 0, 1, TD_RESERVED}, "nesterov"},  {{3, 0.1, 0, 0, 0, 0, TD_RESERVED}, "struct_size"}};
  const struct {
    td_adam_options options;
    const char *message;
  } bad_adam[] = {{{adam, -1, 0.9, 0.999, 1e-8, 0, 0, TD_RESERVED}, "lr"},
                  {{adam, 0.1, 1, 0.999, 1e-8, 0, 0, TD_RESERVED}, "beta1"},
                  {{adam, 0.1, 0.9, -0.1, 1e-8, 0, 0, TD_RESERVED}, "beta2"},
                  {{adam, 0.1, 0.9, NAN, 1e-8, 0, 0, TD_RESERVED}, "beta2"},
                  {{adam, 0.1, 0.9, 0.999, -1, 0, 0, TD_RESERVED}, "eps"},
                  {{adam, 0.1, 0.9, 0.999, 1e-8, -1, 0, TD_RESERVED}, "weight_decay"}};
  td_dict *params = some_params();
  td_optimizer *optimizer = NULL;
  for (size_t i = 0; i < sizeof bad_sgd / sizeof *bad_sgd; ++i)
    expect_error(td_optimizer_sgd(params, &bad_sgd[i].options, &optimizer, &err), TD_ERR_ARGUMENT, NULL,
                 bad_sgd[i].message);
  for (size_t i = 0; i < sizeof bad_adam / sizeof *bad_adam; ++i)
    expect_error(td_optimizer_adam(params, &bad_adam[i].options, &optimizer, &err), TD_ERR_ARGUMENT, NULL,
                 bad_adam[i].message);
  cr_assert_null(optimizer);
  td_dict_release(params);
}

Test(optimizer, params_are_leaves_that_require_grad) {
  td_dict *params = some_params(), *fixed = dict(TD_NO_DIMS), *computed = dict(TD_NO_DIMS);
  td_optimizer *optimizer = NULL;
  put(fixed, TD_KEY("fixed"), VEC(1));
  expect_error(td_optimizer_sgd(fixed, NULL, &optimizer, &err), TD_ERR_ARGUMENT, NULL, "requires grad");
  expect_error(td_optimizer_sgd(NULL, NULL, &optimizer, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_optimizer_sgd(params, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_optimizer_step(NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  put(computed, TD_KEY("a", "b"), apply("neg", peek(params, TD_KEY("n", "w")), NULL));
  expect_error(td_optimizer_adam(computed, NULL, &optimizer, &err), TD_ERR_ARGUMENT, NULL, "(\"a\", \"b\")");
  cr_assert_null(optimizer);
  td_dict_release(computed);
  td_dict_release(fixed);
  td_dict_release(params);
}

/* One tensor under two names takes one step. */
Test(optimizer, a_tied_parameter_takes_one_step) {
  td_dict *params = some_params();
  td_optimizer *optimizer;
  put(params, TD_KEY("tied"), get(params, TD_KEY("n", "w")));
  td_sgd_options options = TD_SGD_OPTIONS_INIT;
  options.lr = 0.25;
  must(td_optimizer_sgd(params, &options, &optimizer, &err));
  add_grad(params);
  must(td_optimizer_step(optimizer, &err));
  EXPECT(peek(params, TD_KEY("tied")), 0.5, -1);
  td_optimizer_release(optimizer);
  td_dict_release(params);
}

/* y = 2 a - b + 1 is learnt by an ensemble of two, trained through td_module_vmap. */
Test(optimizer, an_ensemble_learns) {
  td_module *members[2];
  for (int i = 0; i < 2; ++i)
    members[i] = keyed(module("td.linear", "{\"in_features\": 2, \"out_features\": 1}", (uint64_t)i), "x", "y");
  td_dict *states, *data = dict(TD_SHAPE(4));
  must(td_dict_from_modules(members, 2, NULL, &states, &err));
  put(data, TD_KEY("x"), floats((const float[]){0, 0, 1, 0, 0, 1, 1, 1}, TD_SHAPE(4, 2)));
  td_tensor *target = floats((const float[]){1, 3, 0, 2}, TD_SHAPE(4, 1));
  td_adam_options options = TD_ADAM_OPTIONS_INIT;
  options.lr = 0.05;
  td_optimizer *optimizer;
  must(td_optimizer_adam(states, &options, &optimizer, &err));
  double loss_value = 0;
  for (int step = 0; step < 400; ++step) {
    td_dict *out;
    must(td_module_vmap(members[0], states, data, NULL, &out, &err));
    td_tensor *difference = apply("sub", peek(out, TD_KEY("y")), target),
              *square = apply("mul", difference, difference), *loss = apply("sum", square, NULL);
    must(td_optimizer_zero_grad(optimizer, &err));
    must(td_tensor_backward(loss, NULL, 0, &err));
    must(td_optimizer_step(optimizer, &err));
    loss_value = at(loss, 0);
    td_tensor_release(difference);
    td_tensor_release(square);
    td_tensor_release(loss);
    td_dict_release(out);
  }
  cr_assert_lt(loss_value, 1e-3);
  expect(peek(states, TD_KEY("module", "weight")), (double[]){2, -1, 2, -1}, 4, 0.05, "weight");
  td_tensor_release(target);
  td_optimizer_release(optimizer);
  td_dict_release(data);
  td_dict_release(states);
  td_module_release(members[0]);
  td_module_release(members[1]);
}

/* ---- The other optimizers, groups, and what they have collected */

static void adamw_by_hand(state *s, const td_adamw_options *o, int step) {
  double decayed = s->w * (1 - o->lr * o->weight_decay), g = 2 * s->w;
  s->m = o->beta1 * s->m + (1 - o->beta1) * g;
  s->v = o->beta2 * s->v + (1 - o->beta2) * g * g;
  s->w = decayed - o->lr * s->m / (1 - pow(o->beta1, step)) / (sqrt(s->v / (1 - pow(o->beta2, step))) + o->eps);
}

static void rmsprop_by_hand(state *s, const td_rmsprop_options *o, double *mean) {
  double g = 2 * s->w + o->weight_decay * s->w;
  s->v = o->alpha * s->v + (1 - o->alpha) * g * g;
  *mean = o->alpha * *mean + (1 - o->alpha) * g;
  double scaled = g / (sqrt(o->centered ? s->v - *mean * *mean : s->v) + o->eps);
  s->m = o->momentum * s->m + scaled;
  s->w -= o->lr * (o->momentum > 0 ? s->m : scaled);
}

Test(optimizer, adamw_and_rmsprop_follow_their_rules) {
  /* What the defaults are, by number. */
  const td_adamw_options adamw = {sizeof adamw, 0.1, 0.9, 0.999, 1e-8, 1e-2, 0, TD_RESERVED};
  const td_rmsprop_options plain = {sizeof plain, 1e-2, 0.99, 1e-8, 0, 0, 0, TD_RESERVED};
  td_adamw_options defaults = TD_ADAMW_OPTIONS_INIT;
  defaults.lr = 0.1;
  td_rmsprop_options full = {sizeof full, 0.05, 0.9, 1e-6, 0.1, 0.5, 1, TD_RESERVED};
  for (int rule = 0; rule < 3; ++rule) {
    td_dict *params = some_params();
    td_optimizer *o;
    const td_rmsprop_options *rms = rule == 1 ? &plain : &full;
    must(rule == 0 ? td_optimizer_adamw(params, &defaults, &o, &err)
                   : td_optimizer_rmsprop(params, rule == 1 ? NULL : rms, &o, &err));
    state expected[2] = {{1, 0, 0, 0}, {-2, 0, 0, 0}};
    double means[2] = {0, 0};
    for (int step = 1; step <= 4; ++step) {
      must(td_optimizer_zero_grad(o, &err));
      add_grad(params);
      must(td_optimizer_step(o, &err));
      for (int i = 0; i < 2; ++i) {
        if (rule == 0)
          adamw_by_hand(&expected[i], &adamw, step);
        else
          rmsprop_by_hand(&expected[i], rms, &means[i]);
        double w = at(peek(params, TD_KEY("n", "w")), i);
        cr_assert(fabs(w - expected[i].w) < 1e-5, "rule %d step %d: %g, not %g", rule, step, w, expected[i].w);
      }
    }
    td_optimizer_release(o);
    td_dict_release(params);
  }
  td_rmsprop_options bad = TD_RMSPROP_OPTIONS_INIT;
  bad.alpha = -1;
  td_dict *params = some_params();
  td_optimizer *o;
  expect_error(td_optimizer_rmsprop(params, &bad, &o, &err), TD_ERR_ARGUMENT, NULL, "alpha");
  td_dict_release(params);
}

Test(optimizer, adam_and_adamw_have_defaults_of_their_own) {
  td_dict *params = some_params();
  td_adam_options adam = TD_ADAM_OPTIONS_INIT;
  td_adamw_options adamw = TD_ADAMW_OPTIONS_INIT;
  for (int kind = 0; kind < 4; ++kind) {
    td_optimizer *o;
    double decay;
    must(kind < 2 ? td_optimizer_adam(params, kind ? &adam : NULL, &o, &err)
                  : td_optimizer_adamw(params, kind == 3 ? &adamw : NULL, &o, &err));
    must(td_optimizer_get(o, 0, TD_STR("weight_decay"), &decay, &err));
    cr_assert_eq(decay, kind < 2 ? 0 : 1e-2);
    td_optimizer_release(o);
  }
  td_dict_release(params);
}

Test(optimizer, groups_have_options_of_their_own) {
  td_dict *first = some_params(), *second = some_params();
  td_optimizer *o;
  double value;
  must(td_optimizer_sgd(first, NULL, &o, &err));
  must(td_optimizer_add_group(o, second, &err));
  expect_error(td_optimizer_add_group(o, second, &err), TD_ERR_EXISTS, NULL, "already in a group");
  must(td_optimizer_set(o, 0, TD_STR("lr"), 0.5, &err));
  must(td_optimizer_set(o, 1, TD_STR("lr"), 0.25, &err));
  must(td_optimizer_get(o, 0, TD_STR("lr"), &value, &err));
  cr_assert_eq(value, 0.5);
  expect_error(td_optimizer_get(o, 2, TD_STR("lr"), &value, &err), TD_ERR_INDEX, NULL, "group 2");
  expect_error(td_optimizer_set(o, 0, TD_STR("beta1"), 0.5, &err), TD_ERR_KEY, NULL, "momentum");
  expect_error(td_optimizer_set(o, 0, TD_STR("lr"), -1, &err), TD_ERR_ARGUMENT, NULL, "out of range");
  add_grad(first);
  add_grad(second);
  must(td_optimizer_step(o, &err));
  EXPECT(peek(first, TD_KEY("n", "w")), 0, 0);
  EXPECT(peek(second, TD_KEY("n", "w")), 0.5, -1);
  td_optimizer_release(o);
  td_dict_release(first);
  td_dict_release(second);
}

static td_status make_kind(int kind, const td_dict *params, td_optimizer **o) {
  td_sgd_options sgd = {sizeof sgd, 0.1, 0.9, 0, 0, 0, TD_RESERVED};
  td_adam_options adam = {sizeof adam, 0.1, 0.9, 0.99, 1e-8, 0.01, 1, TD_RESERVED};
  td_adamw_options adamw = {sizeof adamw, 0.1, 0.9, 0.99, 1e-8, 0.01, 1, TD_RESERVED};
  td_rmsprop_options rms = {sizeof rms, 0.1, 0.9, 1e-8, 0, 0.5, 1, TD_RESERVED};
  if (kind == 0) return td_optimizer_sgd(params, &sgd, o, &err);
  if (kind == 1) return td_optimizer_adam(params, &adam, o, &err);
  return kind == 2 ? td_optimizer_adamw(params, &adamw, o, &err) : td_optimizer_rmsprop(params, &rms, o, &err);
}

static td_optimizer *after_three_steps(int kind, const td_dict *params) {
  td_optimizer *trained;
  must(make_kind(kind, params, &trained));
  for (int step = 0; step < 3; ++step) {
    must(td_optimizer_zero_grad(trained, &err));
    add_grad(params);
    must(td_optimizer_step(trained, &err));
  }
  return trained;
}

Test(optimizer, a_saved_state_goes_on_where_it_was) {
  for (int kind = 0; kind < 4; ++kind) {
    td_dict *a = some_params(), *b, *state;
    td_optimizer *trained = after_three_steps(kind, a), *loaded;
    must(td_optimizer_set(trained, 0, TD_STR("lr"), 0.03, &err));
    must(td_optimizer_state(trained, &state, &err));
    b = some_params();
    copy_into(b, TD_KEY("n", "w"),
              VEC((float)at(peek(a, TD_KEY("n", "w")), 0), (float)at(peek(a, TD_KEY("n", "w")), 1)));
    must(make_kind(kind, b, &loaded));
    must(td_optimizer_load_state(loaded, state, &err));
    td_dict *both[] = {a, b};
    td_optimizer *optimizers[] = {trained, loaded};
    for (int i = 0; i < 2; ++i) {
      must(td_optimizer_zero_grad(optimizers[i], &err));
      add_grad(both[i]);
      must(td_optimizer_step(optimizers[i], &err));
    }
    expect_equal(peek(a, TD_KEY("n", "w")), peek(b, TD_KEY("n", "w")), 0, "the step after loading");
    td_optimizer_release(trained);
    td_optimizer_release(loaded);
    td_dict_release(state);
    td_dict_release(a);
    td_dict_release(b);
  }
}

Test(optimizer, a_state_of_another_kind_is_refused) {
  for (int kind = 0; kind < 4; ++kind) {
    td_dict *params = some_params(), *state, *bad;
    td_optimizer *trained = after_three_steps(kind, params), *other;
    must(td_optimizer_state(trained, &state, &err));
    must(make_kind(kind == 0, params, &other));
    must(td_dict_clone(state, &bad, &err));
    td_status s = td_optimizer_load_state(other, bad, &err);
    cr_assert(s == TD_ERR_KEY, "a state of another kind: %s", td_status_name(s).data);
    td_error_release(err);
    err = NULL;
    td_dict_release(bad);
    td_dict_release(state);
    td_dict_release(params);
    td_optimizer_release(other);
    td_optimizer_release(trained);
  }
}

Test(optimizer, gradients_are_clipped) {
  td_dict *params = some_params();
  td_tensor *grad;
  double norm = -1;
  must(td_dict_clip_grad_norm_(params, 1, 2, 0, &norm, &err));
  cr_assert_eq(norm, 0, "there are no gradients yet");
  add_grad(params); /* 2, -4 */
  must(td_dict_clip_grad_norm_(params, 100, 2, 0, &norm, &err));
  cr_assert(fabs(norm - sqrt(20)) < 1e-5);
  must(td_tensor_grad(peek(params, TD_KEY("n", "w")), &grad, &err));
  EXPECT(grad, 2, -4);
  must(td_dict_clip_grad_norm_(params, 2, INFINITY, 0, &norm, &err));
  cr_assert(fabs(norm - 4) < 1e-6);
  EXPECT(grad, 1, -2);
  must(td_dict_clip_grad_value_(params, 1.5, &err));
  EXPECT(grad, 1, -1.5);
  expect_error(td_dict_clip_grad_norm_(params, -1, 2, 0, &norm, &err), TD_ERR_ARGUMENT, NULL, "max_norm");
  expect_error(td_dict_clip_grad_value_(params, NAN, &err), TD_ERR_ARGUMENT, NULL, "at least 0");
  td_tensor_release(grad);
  td_dict_release(params);
}

/* An optimizer made with other options goes on as the saved one would have. */
Test(optimizer, a_saved_state_has_the_flags_too) {
  for (int kind = 0; kind < 3; ++kind) {
    td_dict *params[2];
    td_optimizer *optimizers[2];
    for (int i = 0; i < 2; ++i) {
      params[i] = some_params();
      td_sgd_options sgd = TD_SGD_OPTIONS_INIT;
      td_adam_options adam = TD_ADAM_OPTIONS_INIT;
      td_rmsprop_options rmsprop = TD_RMSPROP_OPTIONS_INIT;
      sgd.lr = 0.1, sgd.momentum = 0.9, sgd.nesterov = i == 0;
      adam.amsgrad = rmsprop.centered = i == 0;
      must(kind == 0   ? td_optimizer_sgd(params[i], &sgd, &optimizers[i], &err)
           : kind == 1 ? td_optimizer_adam(params[i], &adam, &optimizers[i], &err)
                       : td_optimizer_rmsprop(params[i], &rmsprop, &optimizers[i], &err));
    }
    td_dict *state = NULL;
    must(td_optimizer_state(optimizers[0], &state, &err));
    must(td_optimizer_load_state(optimizers[1], state, &err));
    for (int step = 0; step < 3; ++step)
      for (int i = 0; i < 2; ++i) {
        must(td_optimizer_zero_grad(optimizers[i], &err));
        add_grad(params[i]);
        must(td_optimizer_step(optimizers[i], &err));
      }
    expect_equal(peek(params[0], TD_KEY("n", "w")), peek(params[1], TD_KEY("n", "w")), 0, "steps after loading");
    td_dict_release(state);
    for (int i = 0; i < 2; ++i) td_optimizer_release(optimizers[i]), td_dict_release(params[i]);
  }
}

/* The members' leaves: what a lazy stack shows is computed from them. */
Test(optimizer, a_lazy_stack_is_trained_by_its_members) {
  td_dict *members[2], *lazy;
  td_tensor *leaves[2];
  for (int i = 0; i < 2; ++i) {
    members[i] = dict(TD_NO_DIMS);
    leaves[i] = VEC(1, 2);
    must(td_tensor_requires_grad_(leaves[i], 1, &err));
    must(td_dict_set(members[i], TD_KEY("w"), leaves[i], &err));
  }
  must(td_dict_lazy_stack(members, 2, 0, &lazy, &err));
  td_sgd_options o = TD_SGD_OPTIONS_INIT;
  o.lr = .5;
  td_optimizer *sgd;
  must(td_optimizer_sgd(lazy, &o, &sgd, &err));
  td_tensor *whole = get(lazy, TD_KEY("w")), *sum = apply("sum", whole, NULL);
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_optimizer_step(sgd, &err));
  for (int i = 0; i < 2; ++i) EXPECT(leaves[i], .5, 1.5);
  td_tensor *const tensors[] = {whole, sum, leaves[0], leaves[1]};
  for (size_t i = 0; i < 4; ++i) td_tensor_release(tensors[i]);
  td_dict *const dicts[] = {lazy, members[0], members[1]};
  for (size_t i = 0; i < 3; ++i) td_dict_release(dicts[i]);
  td_optimizer_release(sgd);
}

Test(optimizer, what_it_was_made_of_can_be_asked_for) {
  td_dict *params = some_params();
  td_optimizer *all[4];
  td_sgd_options nesterov = TD_SGD_OPTIONS_INIT;
  nesterov.nesterov = 1, nesterov.momentum = 0.5;
  must(td_optimizer_sgd(params, &nesterov, &all[0], &err));
  must(td_optimizer_adam(params, NULL, &all[1], &err));
  must(td_optimizer_adamw(params, NULL, &all[2], &err));
  must(td_optimizer_rmsprop(params, NULL, &all[3], &err));
  static const char *const names[] = {"SGD", "Adam", "AdamW", "RMSprop"};
  static const char *const flags[] = {"nesterov", "amsgrad", "amsgrad", "centered"};
  for (int i = 0; i < 4; ++i) {
    const td_str name = td_optimizer_type_name(all[i]);
    check(name.size == strlen(names[i]) && memcmp(name.data, names[i], name.size) == 0);
    check(td_optimizer_group_count(all[i]) == 1);
    double value = 9;
    must(td_optimizer_get(all[i], 0, TD_STR(flags[i]), &value, &err));
    check(value == (i == 0));
    must(td_optimizer_set(all[i], 0, TD_STR(flags[i]), 1 - value, &err));
    must(td_optimizer_get(all[i], 0, TD_STR(flags[i]), &value, &err));
    check(value == (i != 0));
    expect_error(td_optimizer_set(all[i], 0, TD_STR(flags[i]), 0.5, &err), TD_ERR_ARGUMENT, NULL, flags[i]);
  }
  must(td_optimizer_set(all[0], 0, TD_STR("momentum"), 0, &err));
  expect_error(td_optimizer_set(all[0], 0, TD_STR("nesterov"), 1, &err), TD_ERR_ARGUMENT, NULL, "momentum");
  td_dict *more = some_params();
  must(td_optimizer_add_group(all[1], more, &err));
  check(td_optimizer_group_count(all[1]) == 2 && td_optimizer_group_count(NULL) == 0);
  check(td_optimizer_type_name(NULL).size == 0);
  for (int i = 0; i < 4; ++i) td_optimizer_release(all[i]);
  td_dict_release(more);
  td_dict_release(params);
}

static void expect_made(const td_module *module, const char *type, const char *config) {
  td_string *text;
  must(td_module_type_name(module, &text, &err));
  check(strcmp(td_string_view(text).data, type) == 0);
  td_string_release(text);
  must(td_module_config(module, &text, &err));
  check(strcmp(td_string_view(text).data, config) == 0);
  td_string_release(text);
}

Test(optimizer, modules_say_what_they_were_made_of) {
  td_module *relu, *linear, *keyed;
  const char *config = "{\"in_features\": 2, \"out_features\": 3}";
  must(td_module_new(TD_STR("td.relu"), TD_NO_STR, NULL, &relu, &err));
  must(td_module_new(TD_STR("td.linear"), TD_STR(config), NULL, &linear, &err));
  must(td_module_tensordict(linear, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &keyed, &err));
  expect_made(relu, "td.relu", "{}");
  expect_made(linear, "td.linear", config);
  expect_made(keyed, "TensorDictModule", "");
  td_string *text;
  expect_error(td_module_type_name(NULL, &text, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_module_release(relu);
  td_module_release(linear);
  td_module_release(keyed);
}
