#include <pthread.h>

#include "support/nn_support.h"

TestSuite(vmap, .init = count_live, .fini = check_live);

enum { MEMBERS = 4 };
static const char mlp[] = "{\"in_features\": 5, \"hidden\": [8, 6], \"out_features\": 3, \"activation\": \"tanh\"}";

static td_dict *stacked(td_module *const *members, size_t n) {
  td_dict *states;
  must(td_dict_from_modules(members, n, NULL, &states, &err));
  return states;
}

static td_dict *vmap(const td_module *m, const td_dict *states, const td_dict *data, td_randomness randomness,
                     int32_t dim) {
  td_vmap_options options = TD_VMAP_OPTIONS_INIT;
  options.randomness = randomness;
  options.map_data = dim != TD_VMAP_SHARED;
  if (options.map_data) options.data_dim = dim;
  td_dict *out;
  must(td_module_vmap(m, states, data, &options, &out, &err));
  return out;
}

static td_tensor *normal(const int64_t *dims, size_t ndim, uint64_t seed) {
  td_generator *rng;
  td_tensor *t;
  must(td_generator_new(seed, &rng, &err));
  must(td_tensor_randn(dims, ndim, TD_DTYPE_NONE, TD_NO_STR, rng, &t, &err));
  td_generator_release(rng);
  return t;
}

static td_dict *row(const td_dict *d, size_t n_full, int64_t i) {
  td_index index[3] = {TD_SLICE(0, TD_END), TD_SLICE(0, TD_END), TD_SLICE(0, TD_END)};
  index[n_full] = (td_index)TD_INT(i);
  td_dict *out;
  must(td_dict_index(d, index, n_full + 1, &out, &err));
  return out;
}

/* Data of batch size [7], [4, 7] or [7, 4] with "x" of 5 features and a nested tensor. */
static td_dict *some_data(const int64_t *batch, size_t ndim) {
  td_dict *data = dict(batch, ndim);
  int64_t dims[3];
  memcpy(dims, batch, ndim * sizeof *dims);
  dims[ndim] = 5;
  put(data, TD_KEY("x"), normal(dims, ndim + 1, 3));
  put(data, TD_KEY("n", "extra"), normal(batch, ndim, 4));
  return data;
}

static const struct {
  int64_t batch[2];
  size_t ndim;
  int32_t dim;
  size_t mapped;
} batches[] = {
    {{7, 0}, 1, TD_VMAP_SHARED, 0}, {{4, 7}, 2, 0, 0}, {{7, 4}, 2, 1, 1}, {{7, 4}, 2, -1, 1}, {{4, 0}, 1, 0, 0},
    {{0, 0}, 0, TD_VMAP_SHARED, 0}};

Test(vmap, an_ensemble_equals_the_loop_over_its_members) {
  td_module *members[MEMBERS], *keyed_members[MEMBERS], *sequences[MEMBERS];
  for (int i = 0; i < MEMBERS; ++i) {
    members[i] = module("td.mlp", mlp, (uint64_t)i);
    keyed_members[i] = keyed(members[i], "x", "y");
    must(td_module_sequential(&keyed_members[i], 1, NULL, &sequences[i], &err));
  }
  td_dict *states = stacked(sequences, MEMBERS);

  for (size_t c = 0; c < sizeof batches / sizeof *batches; ++c) {
    td_dict *data = some_data(batches[c].batch, batches[c].ndim);
    td_dict *out = vmap(sequences[0], states, data, TD_RANDOMNESS_ERROR, batches[c].dim);
    size_t n_batch = td_dict_batch_size(out, NULL, 0);
    cr_assert_eq(n_batch, batches[c].ndim + (batches[c].dim == TD_VMAP_SHARED ? 1 : 0));
    cr_assert_eq(td_dict_len(out), MEMBERS);
    cr_assert_eq(td_dict_count(data), 2u, "data has changed");
    for (int i = 0; i < MEMBERS; ++i) {
      td_dict *own, *member = row(out, 0, i);
      if (batches[c].dim == TD_VMAP_SHARED)
        must(td_dict_copy(data, &own, &err));
      else
        own = row(data, batches[c].mapped, i);
      must(td_module_forward(sequences[i], own, &err));
      expect_equal(peek(member, TD_KEY("y")), peek(own, TD_KEY("y")), 1e-5, "y");
      expect_equal(peek(member, TD_KEY("x")), peek(own, TD_KEY("x")), 0, "x");
      expect_equal(peek(member, TD_KEY("n", "extra")), peek(own, TD_KEY("n", "extra")), 0, "extra");
      td_dict_release(own);
      td_dict_release(member);
    }
    td_dict_release(out);
    td_dict_release(data);
  }
  td_dict_release(states);
  for (int i = 0; i < MEMBERS; ++i) {
    td_module_release(keyed_members[i]);
    td_module_release(sequences[i]);
  }
}

/* The vector vmap.ensemble_linear that stock Python gave. */
Test(vmap, gradients_reach_the_stacked_leaves_and_not_the_modules) {
  td_module *members[2];
  const float weights[2][2] = {{1, 2}, {3, -1}};
  for (int i = 0; i < 2; ++i) {
    td_dict *own;
    members[i] = keyed(module("td.linear", "{\"in_features\": 2, \"out_features\": 1}", 0), "x", "y");
    must(td_dict_from_module(members[i], &own, &err));
    copy_into(own, TD_KEY("module", "weight"), floats(weights[i], TD_SHAPE(1, 2)));
    copy_into(own, TD_KEY("module", "bias"), VEC(0.5f));
    td_dict_release(own);
  }
  td_dict *states = stacked(members, 2), *data = dict(TD_NO_DIMS), *own;
  put(data, TD_KEY("x"), VEC(1, 2));
  td_dict *out = vmap(members[0], states, data, TD_RANDOMNESS_ERROR, TD_VMAP_SHARED);
  EXPECT(peek(out, TD_KEY("y")), 5.5, 1.5);
  td_tensor *sum = apply("sum", peek(out, TD_KEY("y")), NULL), *grad;
  must(td_tensor_backward(sum, NULL, 0, &err));
  must(td_tensor_grad(peek(states, TD_KEY("module", "weight")), &grad, &err));
  EXPECT(grad, 1, 2, 1, 2);
  td_tensor_release(grad);
  must(td_tensor_grad(peek(states, TD_KEY("module", "bias")), &grad, &err));
  EXPECT(grad, 1, 1);
  td_tensor_release(grad);
  must(td_dict_from_module(members[0], &own, &err));
  must(td_tensor_grad(peek(own, TD_KEY("module", "weight")), &grad, &err));
  cr_assert_null(grad);
  td_tensor_release(sum);
  td_dict_release(own);
  td_dict_release(out);
  td_dict_release(data);
  td_dict_release(states);
  td_module_release(members[0]);
  td_module_release(members[1]);
}

/* Each row is a state of one module; entries that the states lack are the module's own, shared by all. */
Test(vmap, states_may_be_partial_and_outputs_may_be_shared) {
  td_module *scale = keyed(module("test.scale", "{}", 0), "x", "y");
  td_dict *states = dict(TD_SHAPE(2)), *data = dict(TD_NO_DIMS);
  put(data, TD_KEY("x"), VEC(1, 1, 1));
  td_dict *out = vmap(scale, states, data, TD_RANDOMNESS_ERROR, TD_VMAP_SHARED);
  EXPECT(peek(out, TD_KEY("y")), 3, 3, 3, 3, 3, 3);
  td_dict_release(out);
  put(states, TD_KEY("module", "deep", "scale"), floats((const float[]){0, 1, 2, 3, 4, 5}, TD_SHAPE(2, 3)));
  out = vmap(scale, states, data, TD_RANDOMNESS_ERROR, TD_VMAP_SHARED);
  EXPECT(peek(out, TD_KEY("y")), 1, 2, 3, 4, 5, 6);
  td_dict_release(out);
  td_dict_release(states);
  td_dict_release(data);
  td_module_release(scale);
}

Test(vmap, members_draw_different_or_the_same_numbers_or_none) {
  td_module *noise = keyed(module("test.noise", "{}", 0), "x", "y"),
            *scale = keyed(module("test.scale", "{}", 0), "x", "h");
  td_module *m, *chain[] = {scale, noise};
  td_module_release(noise);
  noise = keyed(module("test.noise", "{}", 0), "h", "y");
  chain[1] = noise;
  must(td_module_sequential(chain, 2, NULL, &m, &err));
  td_dict *states = dict(TD_SHAPE(2)), *data = dict(TD_NO_DIMS);
  put(states, TD_KEY("module", "0", "module", "deep", "scale"),
      floats((const float[]){1, 1, 1, 1, 1, 1}, TD_SHAPE(2, 3)));
  put(data, TD_KEY("x"), VEC(0, 0, 0));

  for (td_randomness r = TD_RANDOMNESS_DIFFERENT; r <= TD_RANDOMNESS_SAME; ++r) {
    td_dict *out = vmap(m, states, data, r, TD_VMAP_SHARED);
    td_tensor *y = peek(out, TD_KEY("y"));
    int equal = at(y, 0) == at(y, 3) && at(y, 1) == at(y, 4) && at(y, 2) == at(y, 5);
    cr_assert_eq(equal, r == TD_RANDOMNESS_SAME);
    td_dict_release(out);
  }
  td_dict *out;
  expect_error(td_module_vmap(m, states, data, NULL, &out, &err), TD_ERR_TORCH, NULL, "random");
  td_vmap_options unknown = TD_VMAP_OPTIONS_INIT;
  unknown.randomness = 99;
  expect_error(td_module_vmap(m, states, data, &unknown, &out, &err), TD_ERR_ARGUMENT, NULL, "99");

  must(td_module_forward(m, data, &err)); /* no level of vmap is left behind */
  expect_shape(peek(data, TD_KEY("y")), TD_SHAPE(3));
  td_dict_release(states);
  td_dict_release(data);
  td_module_release(m);
  td_module_release(noise);
  td_module_release(scale);
}

static td_status fail_inside(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                             size_t n_outputs, td_error **error) {
  (void)userdata, (void)outputs, (void)n_inputs, (void)n_outputs;
  const void *data;
  cr_assert_eq(td_tensor_data(inputs[0], &data, NULL), TD_ERR_UNSUPPORTED, "a batched tensor has no memory of its own");
  *error = td_error_new(TD_ERR_IO, TD_STR("failed inside"));
  return TD_ERR_IO;
}

Test(vmap, failures_leave_no_level_behind) {
  td_module *scale = keyed(module("test.scale", "{}", 0), "x", "y"), *plain = module("test.scale", "{}", 0), *fn, *m,
            *failing;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, fail_inside, NULL, NULL), &fn, &err));
  td_module *chain[] = {scale, keyed(fn, "y", "z")};
  must(td_module_sequential(chain, 2, NULL, &failing, &err));
  td_dict *good = dict(TD_SHAPE(2)), *bad_key = dict(TD_SHAPE(2)), *nested = dict(TD_SHAPE(2)),
          *no_dims = dict(TD_NO_DIMS), *two_dims = dict(TD_SHAPE(2, 2)), *empty = dict(TD_SHAPE(0)),
          *data = dict(TD_SHAPE(3)), *out;
  put(good, TD_KEY("module", "deep", "scale"), floats((const float[]){0, 1, 2, 3, 4, 5}, TD_SHAPE(2, 3)));
  put(nested, TD_KEY("module", "0", "module", "deep", "scale"),
      floats((const float[]){0, 1, 2, 3, 4, 5}, TD_SHAPE(2, 3)));
  put(bad_key, TD_KEY("module", "nothing"), VEC(1, 2));
  put(data, TD_KEY("x"), VEC(1, 1, 1));

  const struct {
    const td_module *m;
    const td_dict *states;
    int32_t dim;
    td_status status;
    const char *message;
  } cases[] = {
      {plain, dict(TD_SHAPE(2)), TD_VMAP_SHARED, TD_ERR_ARGUMENT, "no keys"},
      {failing, nested, TD_VMAP_SHARED, TD_ERR_CALLBACK, "failed inside"},
      {scale, bad_key, TD_VMAP_SHARED, TD_ERR_KEY, "(\"module\", \"nothing\")"},
      {scale, no_dims, TD_VMAP_SHARED, TD_ERR_SHAPE, "one batch dim"},
      {scale, two_dims, TD_VMAP_SHARED, TD_ERR_SHAPE, "one batch dim"},
      {scale, empty, TD_VMAP_SHARED, TD_ERR_SHAPE, "at least one member"},
      {scale, good, 0, TD_ERR_SHAPE, "3 members along dim 0"},
      {scale, good, 1, TD_ERR_INDEX, "data_dim 1"},
      {scale, good, -2, TD_ERR_INDEX, "data_dim -2"},
      {scale, NULL, TD_VMAP_SHARED, TD_ERR_ARGUMENT, "NULL"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_vmap_options options = TD_VMAP_OPTIONS_INIT;
    options.map_data = cases[i].dim != TD_VMAP_SHARED;
    options.data_dim = options.map_data ? cases[i].dim : 0;
    expect_error(td_module_vmap(cases[i].m, cases[i].states, data, &options, &out, &err), cases[i].status, NULL,
                 cases[i].message);
    td_dict *copy;
    must(td_dict_copy(data, &copy, &err));
    must(td_module_forward(scale, copy, &err));
    expect_shape(peek(copy, TD_KEY("y")), TD_SHAPE(3));
    EXPECT(peek(copy, TD_KEY("y")), 3, 3, 3);
    td_dict_release(copy);
  }
  expect_error(td_module_vmap(scale, good, data, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  m = chain[1];
  td_dict_release((td_dict *)cases[0].states);
  td_dict *all[] = {good, bad_key, nested, no_dims, two_dims, empty, data};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) td_dict_release(all[i]);
  td_module *modules[] = {scale, plain, m, failing};
  for (size_t i = 0; i < sizeof modules / sizeof *modules; ++i) td_module_release(modules[i]);
}

/* A function may call td_module_vmap again: levels nest. */
static td_status vmap_inside(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                             size_t n_outputs, td_error **error) {
  (void)n_inputs, (void)n_outputs, (void)error;
  td_dict *states = dict(TD_SHAPE(2)), *data = dict(TD_NO_DIMS), *out;
  put(states, TD_KEY("module", "deep", "scale"), floats((const float[]){1, 1, 1, 10, 10, 10}, TD_SHAPE(2, 3)));
  must(td_dict_set(data, TD_KEY("x"), inputs[0], &err));
  out = vmap(userdata, states, data, TD_RANDOMNESS_ERROR, TD_VMAP_SHARED);
  outputs[0] = get(out, TD_KEY("y"));
  td_dict_release(states);
  td_dict_release(data);
  td_dict_release(out);
  return TD_OK;
}

Test(vmap, levels_nest) {
  td_module *scale = keyed(module("test.scale", "{}", 0), "x", "y"),
            *outer_scale = keyed(module("test.scale", "{}", 0), "x", "h"), *fn, *m;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, vmap_inside, scale, NULL), &fn, &err));
  td_module *chain[] = {outer_scale, keyed(fn, "h", "z")};
  must(td_module_sequential(chain, 2, NULL, &m, &err));
  td_dict *states = dict(TD_SHAPE(2)), *data = dict(TD_NO_DIMS);
  put(states, TD_KEY("module", "0", "module", "deep", "scale"),
      floats((const float[]){0, 0, 0, 1, 2, 3}, TD_SHAPE(2, 3)));
  put(data, TD_KEY("x"), VEC(1, 1, 1));
  td_dict *out = vmap(m, states, data, TD_RANDOMNESS_ERROR, TD_VMAP_SHARED);
  expect_shape(peek(out, TD_KEY("z")), TD_SHAPE(2, 2, 3));
  EXPECT(peek(out, TD_KEY("z")), 2, 2, 2, 11, 11, 11, 3, 4, 5, 21, 31, 41);
  td_dict_release(out);
  td_dict_release(data);
  td_dict_release(states);
  td_module *all[] = {scale, chain[0], chain[1], m};
  for (size_t i = 0; i < 4; ++i) td_module_release(all[i]);
}

/* ---- Threads: a module is only read, so any number may run it, each with its own level. */
enum { THREADS = 4, ROUNDS = 20 };
typedef struct job {
  td_module *m;
  td_dict *states, *data;
  int failures;
} job;

static void *run_job(void *userdata) {
  job *j = userdata;
  for (int i = 0; i < ROUNDS; ++i) {
    td_dict *out = NULL, *own = NULL;
    if (td_module_vmap(j->m, j->states, j->data, NULL, &out, NULL) != TD_OK) j->failures++;
    if (td_dict_copy(j->data, &own, NULL) != TD_OK || td_module_forward(j->m, own, NULL) != TD_OK) j->failures++;
    td_dict_release(out);
    td_dict_release(own);
  }
  return NULL;
}

Test(vmap, threads_run_one_module_at_once) {
  td_module *m = keyed(module("test.scale", "{}", 0), "x", "y");
  td_dict *states = stacked(&m, 1), *data = dict(TD_SHAPE(2));
  put(data, TD_KEY("x"), floats((const float[]){1, 2, 3, 4, 5, 6}, TD_SHAPE(2, 3)));
  pthread_t threads[THREADS];
  job jobs[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    jobs[i] = (job){m, states, data, 0};
    cr_assert_eq(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    cr_assert_eq(jobs[i].failures, 0);
  }
  td_dict_release(data);
  td_dict_release(states);
  td_module_release(m);
}
