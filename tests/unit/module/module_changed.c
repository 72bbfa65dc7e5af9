/* What was built over a module, after that module has changed: it works on, or says what does not fit any more. */
#include "support/probabilistic_support.h"

TestSuite(module_changed, .init = count_live, .fini = check_live);

static const char linear_3_2[] = "{\"in_features\": 3, \"out_features\": 2}";

typedef struct built {
  td_module *inner, *keyed, *outer; /* outer is what is tried, and may be `keyed` itself */
  td_optimizer *optimizer;
  td_scope *scope;
  td_dict *params;
} built;

/* ---- What is built over the inner module */

static void over_nothing(built *b) {
  td_module_retain(b->keyed);
  b->outer = b->keyed;
}
static void over_ensemble(built *b) {
  must(td_module_ensemble(b->keyed, 2, 1, NULL, &b->outer, &err));
}
static void over_sequence(built *b) {
  td_module *members[] = {b->keyed, b->keyed};
  must(td_module_sequential(members, 2, NULL, &b->outer, &err));
}
static void over_named_sequence(built *b) {
  td_sequential_options o = TD_SEQUENTIAL_OPTIONS_INIT;
  td_str names[] = {TD_STR("first")};
  o.names = names;
  must(td_module_sequential(&b->keyed, 1, &o, &b->outer, &err));
}
static void over_probabilistic_sequence(built *b) {
  td_module *normal = unit_normal("y", "a", TD_INTERACTION_MEAN, 0), *members[] = {b->keyed, normal};
  must(td_module_probabilistic_sequential(members, 2, TD_RETURN_COMPOSITE_DEFAULT, NULL, &b->outer, &err));
  td_module_release(normal);
}
static void over_chain(built *b) {
  td_module *chain;
  must(td_module_chain(&b->inner, 1, NULL, &chain, &err));
  b->outer = keyed(chain, "x", "y");
}
static void over_ensemble_of_sequence(built *b) {
  td_module *sequence;
  must(td_module_sequential(&b->keyed, 1, NULL, &sequence, &err));
  must(td_module_ensemble(sequence, 2, 1, NULL, &b->outer, &err));
  td_module_release(sequence);
}
static void over_optimizer(built *b) {
  over_nothing(b);
  must(td_dict_from_module(b->inner, &b->params, &err));
  must(td_optimizer_adam(b->params, NULL, &b->optimizer, &err));
}
static void over_scope(built *b) {
  td_dict *own;
  over_nothing(b);
  must(td_dict_from_module(b->inner, &own, &err));
  must(td_dict_clone(own, &b->params, &err));
  must(td_module_swap(b->inner, b->params, 1, &b->scope, &err));
  td_dict_release(own);
}
static void over_query(built *b) {
  td_query *query;
  td_module *rows, *members[2];
  must(td_query_new(TD_KEY("y"), 1, NULL, &query, &err));
  must(td_module_query(query, &rows, &err));
  members[0] = b->keyed, members[1] = rows;
  must(td_module_sequential(members, 2, NULL, &b->outer, &err));
  must(td_query_select_out_keys(query, NULL, 0, &err));
  td_module_release(rows);
  td_query_release(query);
}

/* ---- What changes: each may be refused. */

static td_status more_parameters(built *b, int n) {
  td_status status = TD_OK;
  for (int i = 0; i < n && status == TD_OK; ++i) {
    char name[8];
    snprintf(name, sizeof name, "w%d", i);
    td_tensor *t = full(1, TD_SHAPE(3));
    status = td_module_register_parameter(b->inner, TD_STR(name), t, &err);
    td_tensor_release(t);
  }
  return status;
}
static td_status one_parameter(built *b) {
  return more_parameters(b, 1);
}
static td_status many_parameters(built *b) {
  return more_parameters(b, 40);
}
static td_status a_buffer(built *b) {
  td_tensor *t = full(1, TD_SHAPE(3));
  td_status status = td_module_register_buffer(b->keyed, TD_STR("extra"), t, 1, &err);
  td_tensor_release(t);
  return status;
}
static td_status a_child(built *b) {
  td_module *more = module("td.linear", linear_3_2, 1);
  td_status status = td_module_register_module(b->inner, TD_STR("more"), more, &err);
  td_module_release(more);
  return status;
}
static td_status no_bias(built *b) {
  return td_module_set_parameter(b->inner, TD_KEY("bias"), NULL, &err);
}
static td_status other_shape(built *b) {
  td_tensor *t = full(1, TD_SHAPE(5, 3));
  td_status status = td_module_set_parameter(b->inner, TD_KEY("weight"), t, &err);
  td_tensor_release(t);
  return status;
}
static td_status smaller_shape(built *b) { /* that would be broadcast */
  td_tensor *t = full(1, TD_SHAPE(1, 1));
  td_status status = td_module_set_parameter(b->inner, TD_KEY("weight"), t, &err);
  td_tensor_release(t);
  return status;
}
static td_status other_module(built *b) {
  td_module *other = module("td.linear", "{\"in_features\": 3, \"out_features\": 5, \"bias\": false}", 1);
  td_status status = td_module_set_submodule(b->keyed, TD_KEY("module"), other, &err);
  td_module_release(other);
  return status;
}

/* Into the list that a sequence keeps its members in, or beside the copies of an ensemble. */
static td_status into_list(built *b, td_module *more) {
  td_module *list = NULL;
  td_status status = td_module_get_submodule(b->outer, TD_KEY("module"), &list, &err);
  if (status == TD_OK) status = td_module_register_module(list, TD_STR("zz"), more, &err);
  td_module_release(list);
  td_module_release(more);
  return status;
}
static td_status a_member(built *b) {
  return into_list(b, mod("y", "z"));
}
static td_status a_member_without_keys(built *b) {
  return into_list(b, module("td.linear", linear_3_2, 1));
}
static td_status an_empty_member(built *b) {
  return into_list(b, NULL);
}
static td_status another_list(built *b) {
  td_module *list, *plain = module("td.linear", linear_3_2, 1);
  must(td_module_list(&plain, 1, NULL, &list, &err));
  td_status status = td_module_set_submodule(b->outer, TD_KEY("module"), list, &err);
  td_module_release(list);
  td_module_release(plain);
  return status;
}
static td_status an_empty_list(built *b) {
  td_module *list;
  must(td_module_list(NULL, 0, NULL, &list, &err));
  td_status status = td_module_set_submodule(b->outer, TD_KEY("module"), list, &err);
  td_module_release(list);
  return status;
}
static td_status a_copy_more(built *b) {
  td_module *copies = NULL;
  td_status status = td_module_get_submodule(b->outer, TD_KEY("params_td"), &copies, &err);
  td_tensor *t = full(1, TD_SHAPE(2));
  if (status == TD_OK) status = td_module_register_parameter(copies, TD_STR("extra"), t, &err);
  td_tensor_release(t);
  td_module_release(copies);
  return status;
}

/* ---- What is tried then: nothing ends the process, and what fails says more than that something is wrong inside. */

static void tried(td_status status) {
  cr_assert(status != TD_ERR_INTERNAL, "%s", err ? td_error_message(err).data : "");
  cr_assert_eq(status == TD_OK, err == NULL);
  td_error_release(err);
  err = NULL;
}

static void try_running(built *b) {
  td_dict *data = dict(TD_SHAPE(2)), *out = NULL, *state = NULL;
  put(data, TD_KEY("x"), full(1, TD_SHAPE(2, 3)));
  tried(td_module_run(b->outer, data, NULL, &out, &err));
  td_dict_release(out);
  must(td_dict_from_module(b->outer, &state, &err));
  tried(td_module_forward_with_state(b->outer, state, data, &err));
  td_dict_release(state);
  td_dict_release(data);
}

static void try_state(built *b) {
  td_dict *state = NULL;
  tried(td_module_reset_parameters(b->outer, NULL, NULL, NULL, NULL, &err));
  tried(td_module_state_dict(b->outer, TD_NO_STR, 0, &state, &err));
  if (state) tried(td_module_load_state_dict(b->outer, state, NULL, NULL, NULL, &err));
  td_dict_release(state);
  state = NULL;
  td_dict *own, *clone, *drawn = NULL;
  must(td_dict_from_module(b->keyed, &own, &err));
  must(td_dict_clone(own, &clone, &err));
  tried(td_module_reset_parameters(b->outer, clone, NULL, &drawn, NULL, &err));
  td_dict_release(drawn);
  td_dict_release(clone);
  td_dict_release(own);
}

static void try_members(built *b) {
  td_module *part = NULL;
  td_string *text = NULL;
  tried(td_module_repr(b->outer, &text, &err));
  td_string_release(text);
  tried(td_module_slice(b->outer, 0, INT64_MAX, 1, &part, &err));
  td_module_release(part);
  part = NULL;
  tried(td_module_select_subsequence(b->outer, NULL, 0, TD_KEY("y"), 1, &part, &err));
  td_module_release(part);
  tried(td_module_set_member(b->outer, 0, b->keyed, &err));
  tried(td_module_remove_member(b->outer, -1, &err));
}

static void try_distribution(built *b) {
  td_dict *data = dict(TD_SHAPE(2)), *out = NULL;
  put(data, TD_KEY("x"), full(1, TD_SHAPE(2, 3)));
  put(data, TD_KEY("a"), full(1, TD_SHAPE(2, 2)));
  td_dist *made = NULL;
  td_tensor *score = NULL;
  td_keys *keys = NULL;
  tried(td_module_get_dist(b->outer, data, NULL, &made, &err));
  td_dist_release(made);
  tried(td_module_log_prob(b->outer, data, NULL, &score, &err));
  td_tensor_release(score);
  tried(td_module_log_prob_dict(b->outer, data, NULL, &out, &err));
  td_dict_release(out);
  tried(td_module_log_prob_keys(b->outer, &keys, &err));
  td_keys_release(keys);
  td_dict_release(data);
}

static void try_the_rest(built *b) {
  if (b->optimizer) {
    td_dict *state = NULL;
    tried(td_optimizer_step(b->optimizer, &err));
    tried(td_optimizer_state(b->optimizer, &state, &err));
    td_dict_release(state);
  }
  if (b->scope) tried(td_scope_end(b->scope, &err));
}

static void give_back(built *b) {
  td_scope_release(b->scope);
  td_optimizer_release(b->optimizer);
  td_dict_release(b->params);
  td_module *const modules[] = {b->outer, b->keyed, b->inner};
  for (size_t i = 0; i < 3; ++i) td_module_release(modules[i]);
}

typedef void (*builder)(built *);
typedef td_status (*change)(built *);
typedef void (*trial)(built *);
static const builder builders[] = {over_nothing,
                                   over_ensemble,
                                   over_sequence,
                                   over_named_sequence,
                                   over_probabilistic_sequence,
                                   over_chain,
                                   over_ensemble_of_sequence,
                                   over_optimizer,
                                   over_scope,
                                   over_query};
static const change changes[] = {one_parameter,   many_parameters, a_buffer,      a_child,    no_bias,
                                 other_shape,     smaller_shape,   other_module,  a_member,   a_member_without_keys,
                                 an_empty_member, another_list,    an_empty_list, a_copy_more};
static const trial trials[] = {try_running, try_state, try_members, try_distribution, try_the_rest};
enum { BUILDERS = sizeof builders / sizeof *builders, CHANGES = sizeof changes / sizeof *changes };

static void draw(size_t builder, size_t first, size_t second) {
  for (size_t start = 0; start < sizeof trials / sizeof *trials; ++start) {
    built b = {0};
    b.inner = module("td.linear", linear_3_2, 0);
    must(td_module_tensordict(b.inner, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &b.keyed, &err));
    builders[builder](&b);
    tried(changes[first](&b));
    if (second < CHANGES) tried(changes[second](&b));
    for (size_t i = 0; i < sizeof trials / sizeof *trials; ++i)
      trials[(start + i) % (sizeof trials / sizeof *trials)](&b);
    give_back(&b);
  }
}

Test(module_changed, every_pair_of_something_built_and_a_later_change, .timeout = 120) {
  for (size_t b = 0; b < BUILDERS; ++b)
    for (size_t c = 0; c < CHANGES; ++c) draw(b, c, CHANGES);
}

Test(module_changed, changes_one_after_the_other, .timeout = 120) {
  for (size_t b = 0; b < BUILDERS; ++b)
    for (size_t c = 0; c < CHANGES; ++c) draw(b, c, (c * 5 + b) % CHANGES);
}

/* ---- What exactly happens where something could be read past its end */

Test(module_changed, copies_are_not_drawn_for_another_module_than_they_were_made_of) {
  for (int n = 1; n < 40; n += 13) {
    built b = {0};
    b.inner = module("td.linear", linear_3_2, 0);
    must(td_module_tensordict(b.inner, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &b.keyed, &err));
    over_ensemble(&b);
    td_tensor *own = parameter(b.outer, TD_KEY("params_td", "module", "weight"));
    double before = at(own, 0);
    must(more_parameters(&b, n));
    expect_error(td_module_reset_parameters(b.outer, NULL, NULL, NULL, NULL, &err), TD_ERR_UNSUPPORTED, NULL,
                 "members of the ensemble's module changed");
    cr_assert(at(own, 0) == before, "nothing was drawn");
    td_dict *data = dict(TD_NO_DIMS), *out;
    put(data, TD_KEY("x"), VEC(1, 2, 3));
    expect_error(td_module_run(b.outer, data, NULL, &out, &err), TD_ERR_UNSUPPORTED, NULL,
                 "members of the ensemble's module changed");
    td_dict_release(data);
    give_back(&b);
  }
}

Test(module_changed, nothing_is_drawn_into_another_shape) {
  built b = {0};
  b.inner = module("td.linear", linear_3_2, 0);
  must(td_module_tensordict(b.inner, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &b.keyed, &err));
  over_ensemble(&b);
  td_tensor *wide = full(7, TD_SHAPE(3, 2, 2, 3)), *bias = parameter(b.outer, TD_KEY("params_td", "module", "bias"));
  double before = at(bias, 0);
  must(td_module_set_parameter(b.outer, TD_KEY("params_td", "module", "weight"), wide, &err));
  expect_error(td_module_reset_parameters(b.outer, NULL, NULL, NULL, NULL, &err), TD_ERR_SHAPE, NULL, "[3, 2, 2, 3]");
  cr_assert(at(wide, 0) == 7 && at(bias, 0) == before, "nothing was drawn");
  must(td_module_set_parameter(b.inner, TD_KEY("weight"), wide, &err));
  expect_error(td_module_reset_parameters(b.inner, NULL, NULL, NULL, NULL, &err), TD_ERR_SHAPE, NULL, "[3, 2, 2, 3]");
  cr_assert(at(wide, 0) == 7, "nothing was drawn");
  td_tensor_release(wide);
  give_back(&b);
}

Test(module_changed, a_sequence_says_what_was_put_behind_its_members) {
  built b = {0};
  b.inner = module("td.linear", linear_3_2, 0);
  must(td_module_tensordict(b.inner, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &b.keyed, &err));
  over_probabilistic_sequence(&b);
  must(a_member(&b));
  td_dict *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("x"), VEC(1, 2, 3));
  td_dist *dist;
  expect_error(td_module_get_dist(b.outer, data, NULL, &dist, &err), TD_ERR_UNSUPPORTED, NULL, "no distribution");
  give_back(&b);

  b = (built){0};
  b.inner = module("td.linear", linear_3_2, 0);
  must(td_module_tensordict(b.inner, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &b.keyed, &err));
  over_named_sequence(&b);
  must(a_member(&b));
  td_module *part;
  must(td_module_slice(b.outer, 0, 2, 1, &part, &err)); /* with the name that it was given there */
  td_module *found;
  must(td_module_get_submodule(part, TD_KEY("module", "zz"), &found, &err));
  td_module *const modules[] = {part, found};
  for (size_t i = 0; i < 2; ++i) td_module_release(modules[i]);
  td_dict_release(data);
  give_back(&b);
}
