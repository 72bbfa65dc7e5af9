// Tests of module types.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_module.h"
#include "value.h"

static void state(trial *t) {
  subject s = find_subject(t);
  td_keys *keys;
  td_tensor_list *leaves;
  td_error *err = NULL;
  must(td_dict_leaves(state_of(make_module(&s, 1)), &keys, &leaves, &err), &err, "reading its state");
  for (size_t i = 0; i < td_tensor_list_size(leaves); ++i) {
    td_tensor *x, *held;
    const char *bytes;
    double both[2];
    must(td_tensor_list_get(leaves, i, &x, &err), &err, "reading its state");
    must(dense_bytes(x, &held, &bytes, &err), &err, "reading its state");
    for (int64_t k = 0; k < td_tensor_numel(held); ++k) {
      element_number(td_tensor_dtype(held), bytes + k * td_tensor_itemsize(held), both);
      if (!isfinite(both[0]))
        fail_trial("element %lld of tensor %zu of its state begins as %g", (long long)k, i, both[0]);
    }
  }
}

static const void *first_address(const td_module *m) {
  td_keys *keys;
  td_tensor_list *leaves;
  td_tensor *x;
  const void *data;
  td_error *err = NULL;
  must(td_dict_leaves(state_of(m), &keys, &leaves, &err), &err, "reading its state");
  if (!td_tensor_list_size(leaves)) return NULL;
  must(td_tensor_list_get(leaves, 0, &x, &err), &err, "reading its state");
  must(td_tensor_data(x, &data, &err), &err, "reading its state");
  return data;
}

static void start(trial *t) {
  subject s = find_subject(t);
  td_module *a = make_module(&s, 7), *b = make_module(&s, 7);
  if (!same_dicts(state_of(a), state_of(b)))
    fail_trial("with a generator of the same seed it begins with another state");
  if (first_address(a) && first_address(a) == first_address(b))
    fail_trial("two modules share the memory of their state");
}

static void determinism(trial *t) {
  subject s = find_subject(t);
  td_module *m = make_module(&s, 1);
  td_tensor *first[MOST_INPUTS], *again[MOST_INPUTS];
  uint64_t seed = draw(t);
  run_module(&s, m, seed, first);
  for (int i = 0; i < 50; ++i) {
    run_module(&s, m, draw(t), again);
    release_all(again, s.n_out);
    run_module(&s, m, seed, again);
    for (size_t k = 0; k < s.n_out; ++k)
      if (!same_tensors(first[k], again[k])) fail_trial("the same inputs give another output %zu after %d calls", k, i);
    release_all(again, s.n_out);
  }
}

static void purity(trial *t) {
  subject s = find_subject(t);
  td_module *m = with_keys(&s, make_module(&s, 1));
  td_dict *before, *data = input_dict(&s, 3, s.dtype), *same = input_dict(&s, 3, s.dtype);
  td_error *err = NULL;
  must(td_dict_clone(state_of(m), &before, &err), &err, "copying its state");
  must(td_module_forward(m, data, &err), &err, "running it");
  if (!same_dicts(before, state_of(m))) fail_trial("a call in evaluation mode changes its state");
  for (size_t i = 0; i < s.n_out; ++i) td_tensor_release(output_of(data, i));
  td_keys *keys;
  must(td_dict_keys(same, 0, &keys, &err), &err, "listing the inputs");
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    td_tensor *x, *y;
    must(td_keys_get(keys, i, &key, &err), &err, "listing the inputs");
    must(td_dict_get(same, &key, &x, &err), &err, "reading an input");
    must(td_dict_get(data, &key, &y, &err), &err, "reading an input");
    if (!same_tensors(x, y)) fail_trial("it writes to its input %zu", i);
  }
}

// With the state of another module, given by the caller, it is that other module: as in functional calls and ensembles.
static void functional(trial *t) {
  subject s = find_subject(t);
  td_module *a = with_keys(&s, make_module(&s, 1)), *b = with_keys(&s, make_module(&s, 2));
  td_dict *through_a = input_dict(&s, 3, s.dtype), *through_b = input_dict(&s, 3, s.dtype);
  td_error *err = NULL;
  if (td_dict_is_empty(state_of(a))) skip_trial("it has no state");
  must(td_module_forward_with_state(a, state_of(b), through_a, &err), &err, "running it with another state");
  must(td_module_forward(b, through_b, &err), &err, "running it");
  for (size_t i = 0; i < s.n_out; ++i)
    if (!same_tensors(output_of(through_a, i), output_of(through_b, i)))
      fail_trial("with the state of another module, output %zu is not that module's: it keeps tensors of its own", i);
}

static void roundtrip(trial *t) {
  subject s = find_subject(t);
  char folder[] = "/tmp/tensordict-check-XXXXXX", path[64];
  td_module *a = make_module(&s, 1), *b = make_module(&s, 2);
  td_dict *loaded;
  td_tensor *x[MOST_INPUTS], *y[MOST_INPUTS];
  td_error *err = NULL;
  if (!mkdtemp(folder)) skip_trial("no temporary directory");
  snprintf(path, sizeof path, "%s/state", folder);
  td_save_options o = TD_SAVE_OPTIONS_INIT;
  o.format = TD_FORMAT_CONSOLIDATED;
  td_status saved = td_save(state_of(a), TD_STR(path), &o, &err);
  td_status opened = saved == TD_OK ? td_open(TD_STR(path), NULL, &loaded, &err) : saved;
  unlink(path);
  rmdir(folder);
  must(saved, &err, "saving its state");
  must(opened, &err, "opening its state");
  must(td_dict_load_state_dict(state_of(b), loaded, NULL, &err), &err, "loading its state");
  run_module(&s, a, 3, x);
  run_module(&s, b, 3, y);
  for (size_t i = 0; i < s.n_out; ++i)
    if (!same_tensors(x[i], y[i])) fail_trial("a module that was given the saved state gives another output %zu", i);
}

typedef struct shared {
  const subject *s;
  const td_module *m;
  td_tensor **expected;
} shared;

static void call_in_thread(void *context, int thread) {
  const shared *c = context;
  (void)thread;
  for (int round = 0; round < 50; ++round) {
    td_tensor *got[MOST_INPUTS];
    run_module(c->s, c->m, 5, got);
    for (size_t i = 0; i < c->s->n_out; ++i)
      if (!same_tensors(got[i], c->expected[i])) fail_trial("output %zu differs while other threads run it too", i);
    release_all(got, c->s->n_out);
  }
}

static void threads(trial *t) {
  subject s = find_subject(t);
  td_tensor *expected[MOST_INPUTS];
  td_module *m = make_module(&s, 1);
  run_module(&s, m, 5, expected);
  shared c = {&s, m, expected};
  in_threads(4, call_in_thread, &c);
}

static void bad_inputs(trial *t) {
  static const int64_t shapes[][5] = {{0}, {1}, {0, 0}, {3, 1}, {1, 2, 3, 4, 5}, {7, 11}};
  static const size_t ndims[] = {0, 1, 2, 2, 5, 2};
  static const td_dtype dtypes[] = {TD_DTYPE_FLOAT32, TD_DTYPE_INT64, TD_DTYPE_BOOL, TD_DTYPE_COMPLEX64};
  subject s = find_subject(t);
  td_module *m = make_module(&s, 1);
  for (size_t i = 0; i < sizeof ndims / sizeof *ndims; ++i)
    for (size_t k = 0; k < 4; ++k)
      for (size_t n = 0; n < 4; ++n) {
        td_tensor *x, *inputs[4], *out[1] = {NULL};
        td_error *err = NULL;
        must(td_tensor_zeros(shapes[i], ndims[i], dtypes[k], TD_NO_STR, &x, &err), &err, "making an input");
        for (size_t j = 0; j < 4; ++j) inputs[j] = x;
        if (td_module_call(m, inputs, n, out, 1, &err) == TD_ERR_INTERNAL)
          fail_trial("%zu inputs of %zu dims: %s", n, ndims[i], td_error_message(err).data);
        forget(&err);
        td_tensor_release(out[0]);
        td_tensor_release(x);
      }
  td_tensor *outputs[5] = {NULL, NULL, NULL, NULL, NULL}, *inputs[MOST_INPUTS];
  td_error *err = NULL;
  for (size_t i = 0; i < s.n_in; ++i) inputs[i] = make_input(&s, i, s.dtype);
  if (td_module_call(m, inputs, s.n_in, outputs, 5, &err) == TD_OK) fail_trial("it says that it gave 5 outputs");
}

static void bad_config(trial *t) {
  static const char *const bad[] = {"{",
                                    "[]",
                                    "null",
                                    "{} {}",
                                    "{\"a\": }",
                                    "{\"in_features\": -1}",
                                    "{\"in_features\": 1e300}",
                                    "{\"in_features\": \"x\"}",
                                    "{\"hidden\": {}}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    td_module *m = NULL;
    td_error *err = NULL;
    td_status status = td_module_new(TD_STR(t->id), TD_STR(bad[i]), NULL, &m, &err);
    if (i < 5 && status == TD_OK) fail_trial("it takes the config '%s'", bad[i]);
    if (status == TD_ERR_INTERNAL) fail_trial("the config '%s': %s", bad[i], td_error_message(err).data);
    forget(&err);
    td_module_release(m);
  }
}

static void use_once(void *context) {
  const subject *s = context;
  td_tensor *out[MOST_INPUTS];
  td_module *m = make_module(s, 1);
  run_module(s, m, 1, out);
  release_all(out, s->n_out);
  td_module_release(m);
}

static void leaks(trial *t) {
  subject s = find_subject(t);
  check_leaks(use_once, &s);
}

void check_module_gradients(trial *t);

const test module_tests[] = {
    {"state", "its parameters and buffers begin as numbers", state},
    {"config", "bad configs are refused and break nothing", bad_config},
    {"start", "the same seed gives the same state, and modules share none", start},
    {"determinism", "the same inputs give the same outputs", determinism},
    {"purity", "a call changes neither state nor inputs", purity},
    {"functional", "it uses the state that it is handed, not one of its own", functional},
    {"roundtrip", "a module that is given the saved state does the same", roundtrip},
    {"gradients", "gradients by parameters and inputs are their finite differences", check_module_gradients},
    {"inputs", "inputs that do not fit break nothing", bad_inputs},
    {"threads", "outputs are the same while other threads run it too", threads},
    {"leaks", "an instance leaves nothing behind", leaks},
    {NULL, NULL, NULL},
};
