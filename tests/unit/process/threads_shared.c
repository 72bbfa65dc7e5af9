/* Eight threads share a module, a distribution and the tables of the process: they run, hook, register and report at once,
 * and release what another thread made. */
#include <pthread.h>
#include <stdatomic.h>

#include "support/nn_support.h"

TestSuite(threads_shared, .init = count_live, .fini = check_live);

enum { THREADS = 8, ROUNDS = 25 };

typedef struct scene {
  td_module *module;
  td_dist *normal;
  _Atomic(td_dict *) parcels[THREADS]; /* what a thread made, for its neighbour to release */
  atomic_int hooked, hooks_destroyed, hashes_destroyed;
} scene;

typedef struct worker {
  scene *scene;
  int number;
} worker;

/* No asserts off the test's own thread: a failure is what a thread returns. */
#define sure(call)                     \
  do {                                 \
    if ((call) != TD_OK) return #call; \
  } while (0)

static td_status count_run(void *userdata, const td_module *m, td_hook_call *call, td_error **error) {
  (void)m, (void)call, (void)error;
  atomic_fetch_add(&((scene *)userdata)->hooked, 1);
  return TD_OK;
}
static void hook_gone(void *userdata) {
  atomic_fetch_add(&((scene *)userdata)->hooks_destroyed, 1);
}

static td_status row_size(void *userdata, td_str config, const void *rows, size_t n, size_t row_bytes, size_t stride,
                          uint64_t *out, td_error **error) {
  (void)userdata, (void)config, (void)rows, (void)stride, (void)error;
  for (size_t i = 0; i < n; ++i) out[i] = row_bytes;
  return TD_OK;
}
static void hash_gone(void *userdata) {
  atomic_fetch_add(&((scene *)userdata)->hashes_destroyed, 1);
}

static void hear(void *userdata, td_str text, td_str where) {
  (void)userdata, (void)text, (void)where;
}

/* Leaves its data for the next thread, and releases what the one before it left there. */
static const char *run_with_a_hook(scene *s, int number) {
  uint64_t id;
  td_tensor *x;
  td_dict *data, *state, *out;
  sure(td_module_add_forward_hook(s->module, TD_CALLBACKS(td_forward_hook, count_run, s, hook_gone), 0, &id, NULL));
  sure(td_dict_new(TD_SHAPE(3), NULL, &data, NULL));
  sure(td_tensor_full(TD_SHAPE(3, 2), TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32, TD_NO_STR, &x, NULL));
  sure(td_dict_set(data, TD_KEY("x"), x, NULL));
  sure(td_module_run(s->module, data, NULL, &out, NULL));
  td_dict_release(out);
  sure(td_module_remove_hook(s->module, id, NULL));
  sure(td_module_state_dict(s->module, TD_NO_STR, 0, &state, NULL));
  td_dict_release(state), td_tensor_release(x);
  td_dict_release(atomic_exchange(&s->parcels[(number + 1) % THREADS], data));
  td_dict_release(atomic_exchange(&s->parcels[number], NULL));
  return NULL;
}

static const char *register_a_hash(scene *s, int number) {
  char id[32];
  snprintf(id, sizeof id, "org.here.thread%d", number);
  td_type_info info = TD_TYPE_INFO_INIT;
  info.id = TD_STR(id), info.version = TD_STR("1.0.0");
  const td_hash_callbacks callbacks = {sizeof callbacks, row_size, s, hash_gone};
  td_hash *hash;
  td_string *list;
  uint64_t out[2];
  sure(td_plugins_register_hash(&info, &callbacks, NULL));
  sure(td_hash_new(TD_STR(id), TD_NO_STR, &hash, NULL));
  sure(td_hash_rows(hash, "abcd", 2, 2, 2, out, NULL));
  sure(td_plugins_list(&list, NULL));
  td_string_release(list);
  sure(td_plugins_unregister(TD_PLUGIN_KIND_HASH, TD_STR(id), NULL));
  td_hash_release(hash);
  return out[0] == 2 && out[1] == 2 ? NULL : "a hash of this thread's own";
}

static const char *draw(scene *s, uint64_t seed) {
  td_generator *rng;
  td_tensor *sample, *log_prob;
  sure(td_generator_new(seed, &rng, NULL));
  sure(td_dist_sample(s->normal, TD_SHAPE(4), rng, &sample, NULL));
  sure(td_dist_log_prob(s->normal, sample, &log_prob, NULL));
  td_tensor_release(sample), td_tensor_release(log_prob), td_generator_release(rng);
  sure(td_set_warning_callback(seed % 2 ? TD_CALLBACKS(td_warning_function, hear, NULL, NULL) : NULL, NULL));
  return NULL;
}

static void *work(void *argument) {
  worker *w = argument;
  const char *failed = NULL;
  for (int round = 0; round < ROUNDS && !failed; ++round) {
    failed = run_with_a_hook(w->scene, w->number);
    if (!failed) failed = register_a_hash(w->scene, w->number);
    if (!failed) failed = draw(w->scene, (uint64_t)(round * THREADS + w->number));
  }
  return (void *)(uintptr_t)failed;
}

Test(threads_shared, eight_threads_run_hook_register_and_release) {
  scene s = {0};
  td_module *linear = module("td.linear", "{\"in_features\":2,\"out_features\":3}", 1);
  must(td_module_tensordict(linear, TD_KEY("x"), 1, TD_KEY("y"), 1, NULL, &s.module, &err));
  td_dict *params = dict(TD_NO_DIMS);
  put(params, TD_KEY("loc"), VEC(0));
  put(params, TD_KEY("scale"), VEC(1));
  must(td_dist_new(TD_STR("td.normal"), params, TD_NO_STR, &s.normal, &err));

  pthread_t threads[THREADS];
  worker workers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    workers[i] = (worker){&s, i};
    cr_assert_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    void *failed;
    pthread_join(threads[i], &failed);
    cr_assert(!failed, "thread %d: %s", i, (const char *)failed);
  }
  cr_assert(s.hooked >= THREADS * ROUNDS, "each run calls the hook of its thread at least: %d", s.hooked);
  cr_assert_eq(s.hooks_destroyed, THREADS * ROUNDS);
  cr_assert_eq(s.hashes_destroyed, THREADS * ROUNDS);

  must(td_set_warning_callback(NULL, &err));
  for (int i = 0; i < THREADS; ++i) td_dict_release(s.parcels[i]);
  td_dist_release(s.normal), td_dict_release(params), td_module_release(s.module), td_module_release(linear);
}
