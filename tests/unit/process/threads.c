/* Threads: const calls at once, references dropped elsewhere, and counters that come back to where they were. */
#include <pthread.h>

#include "support/td.h"

enum { THREADS = 4, ROUNDS = 200, KEYS = 12 };

static void together(void *(*body)(void *), void *const *arguments) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) check(pthread_create(&threads[i], NULL, body, arguments[i]) == 0);
  for (int i = 0; i < THREADS; ++i) {
    void *failed;
    pthread_join(threads[i], &failed);
    check(failed == NULL);
  }
}

/* No asserts off the test's own thread: a failure is what a thread returns. */
#define sure(ok) \
  if (!(ok)) return "failed"

static const char *read_all_of(const td_dict *td) {
  td_error *e = NULL;
  for (int round = 0; round < ROUNDS; ++round) {
    char name[8];
    snprintf(name, sizeof name, "k%d", round % KEYS);
    td_tensor *t;
    td_dict *n, *d;
    td_keys *keys;
    td_string *text;
    td_entry_kind kind;
    sure(td_dict_get(td, TD_KEY(name), &t, &e) == TD_OK && td_tensor_numel(t) == 6);
    td_tensor_retain(t);
    td_tensor_release(t);
    td_tensor_release(t);
    sure(td_dict_get_dict(td, TD_KEY("n"), &n, &e) == TD_OK);
    td_dict_release(n);
    sure(td_dict_entry_kind(td, TD_KEY("n", name), &kind, &e) == TD_OK && kind == TD_ENTRY_TENSOR);
    sure(td_dict_keys(td, TD_KEYS_NESTED, &keys, &e) == TD_OK && td_keys_size(keys) == 2 * KEYS + 1);
    td_keys_release(keys);
    sure(td_dict_get(td, TD_KEY("missing"), &t, &e) == TD_ERR_KEY);
    td_error_release(e);
    e = NULL;
    if (round % 10) continue;
    sure(td_dict_repr(td, 0, &text, &e) == TD_OK);
    td_string_release(text);
    sure(td_dict_copy(td, &d, &e) == TD_OK);
    td_dict_release(d);
    sure(td_dict_clone(td, &d, &e) == TD_OK);
    td_dict_release(d);
    sure(td_dict_index(td, (const td_index[]){TD_INT(1)}, 1, &d, &e) == TD_OK);
    td_dict_release(d);
    const td_dict *twice[] = {td, td};
    sure(td_dict_stack(twice, 2, 0, &d, &e) == TD_OK && td_dict_nbytes(d) == 2 * td_dict_nbytes(td));
    td_dict_release(d);
    td_op *op;
    const td_value args[] = {td_value_dict(td), td_value_double(1)};
    sure(td_op_find(TD_STR("add"), TD_NO_STR, &op, &e) == TD_OK);
    sure(td_dict_apply_op(op, args, 2, NULL, 0, &d, 1, &e) == TD_OK);
    td_dict_release(d);
    td_op_release(op);
  }
  return NULL;
}
static void *read_all(void *td) {
  return (void *)(uintptr_t)read_all_of(td);
}

LeaklessTest(threads, const_calls_run_at_once_on_one_dict) {
  td_dict *td = new_dict(TD_SHAPE(2));
  for (int i = 0; i < KEYS; ++i) {
    char name[16];
    snprintf(name, sizeof name, "k%d", i);
    put(td, TD_KEY(name), range_f32(TD_SHAPE(2, 3)));
    put(td, TD_KEY("n", name), range_f32(TD_SHAPE(2)));
  }
  void *const same[THREADS] = {td, td, td, td};
  together(read_all, same);
  expect_entry(td, TD_KEY("k3"), VALUES(0, 1, 2, 3, 4, 5));
  td_dict_release(td);
}

struct parcel {
  td_dict *dict;
  td_tensor *tensor;
  td_error *error;
  td_string *text;
  td_tensor *made; /* handed back */
};

static void *drop_all(void *argument) {
  struct parcel *p = argument;
  td_dict_release(p->dict);
  td_tensor_release(p->tensor);
  td_error_release(p->error);
  td_string_release(p->text);
  return td_tensor_zeros(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_NO_STR, &p->made, NULL) == TD_OK ? NULL : argument;
}

static int released_elsewhere;
static void note_release(void *owner) {
  check(owner == &released_elsewhere);
  __atomic_fetch_add(&released_elsewhere, 1, __ATOMIC_RELAXED);
}

LeaklessTest(threads, references_may_be_dropped_on_other_threads) {
  static float memory[4];
  const int64_t tensors = td_live_objects(TD_OBJECT_TENSOR);
  for (int round = 0; round < 20; ++round) {
    struct parcel parcels[THREADS];
    void *arguments[THREADS];
    td_tensor *shared;
    released_elsewhere = 0;
    must(td_tensor_from_memory(memory, TD_DTYPE_FLOAT32, TD_SHAPE(4), NULL, note_release, &released_elsewhere, &shared,
                               &err));
    for (int i = 0; i < THREADS; ++i) {
      parcels[i].dict = new_dict(TD_NO_DIMS);
      must(td_dict_set(parcels[i].dict, TD_KEY("n", "t"), shared, &err));
      td_tensor_retain(shared);
      parcels[i].tensor = shared;
      parcels[i].error = td_error_new(TD_ERR_IO, TD_STR("elsewhere"));
      must(td_build_info(&parcels[i].text, &err));
      arguments[i] = &parcels[i];
    }
    td_tensor_release(shared);
    check(released_elsewhere == 0);
    together(drop_all, arguments);
    check(released_elsewhere == 1);
    check(td_live_objects(TD_OBJECT_TENSOR) == tensors + THREADS); /* what ended threads made still counts */
    for (int i = 0; i < THREADS; ++i) td_tensor_release(parcels[i].made);
    check(td_live_objects(TD_OBJECT_TENSOR) == tensors);
  }
}
