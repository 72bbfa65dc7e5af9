/* Children that are forked while other threads are in the middle of calls: whatever lock such a call held, its owner is not
 * in the child, and the child can do all the same. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdatomic.h>

#include "support/channels.h"

static char directory[PATH_MAX + 16];

static void set_up(void) {
  pick_name();
  make_test_dir();
  snprintf(directory, sizeof directory, "%s/saved", test_dir);
}
static void tear_down(void) {
  remove_name();
  remove_test_dir();
}

TestSuite(fork_faults, .init = set_up, .fini = tear_down, .timeout = FAULT_TIMEOUT);

enum { CALLERS = 8 };

static td_segment *shared; /* with snapshots; of the parent */
static td_channel *room;
static td_dict *common;
static atomic_int over, failures;
static atomic_long calls[CALLERS];

static void count(td_status status, int line) {
  if (status == TD_OK) return;
  fprintf(stderr, "process %ld: status %d in line %d\n", (long)getpid(), (int)status, line);
  atomic_fetch_add(&failures, 1);
}
#define right(call) count(call, __LINE__)

typedef struct name {
  char text[160];
} name;

static name own_name(const char *what) {
  name n;
  snprintf(n.text, sizeof n.text, "%s.%s.%ld", channel_name, what, (long)getpid());
  return n;
}

static void names(void) {
  const name own = own_name("names");
  td_segment *s = NULL;
  td_string *all = NULL;
  int64_t removed;
  right(td_segment_create(TD_STR(own.text), common, NULL, &s, NULL));
  right(td_segment_list(TD_STR(channel_name), &all, NULL));
  td_string_release(all);
  td_segment_release(s);
  right(td_segment_prune(TD_STR(own.text), &removed, NULL));
}

static void snapshots(void) {
  td_segment *s = NULL;
  td_dict *d = NULL;
  right(td_segment_open(TD_STR(channel_name), NULL, &s, NULL));
  if (s) right(td_segment_snapshot(s, &d, NULL));
  td_dict_release(d), td_segment_release(s);
}

static void messages(void) {
  const name own = own_name("room");
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  td_dict *schema = payload_schema();
  td_channel *ch = NULL;
  right(td_channel_create(TD_STR(own.text), schema, &o, &ch, NULL));
  td_dict_release(schema);
  for (uint64_t i = 0; ch && i < 3; ++i) {
    uint64_t id;
    td_message *m = NULL;
    right(send_id(ch, 1000, i));
    right(take_id(ch, 1000, &id, &m));
    td_message_release(m);
  }
  td_channel_release(ch);
}

static void save_and_open(td_save_options o, const char *ending) {
  o.overwrite = 1;
  char to[PATH_MAX + 64];
  snprintf(to, sizeof to, "%s.%ld%s", directory, (long)getpid(), ending);
  right(td_save(common, TD_STR(to), &o, NULL));
  td_dict *d = NULL;
  td_open_options how = TD_OPEN_OPTIONS_INIT;
  how.format = o.format;
  right(td_open(TD_STR(to), &how, &d, NULL));
  td_dict_release(d);
}

static void saves(void) {
  td_save_options o = TD_SAVE_OPTIONS_INIT;
  o.threads = 2;
  save_and_open(o, "");
}

static void registries(void) {
  td_hash *hash = NULL;
  td_query *query = NULL;
  right(td_query_new(TD_KEY("a"), 1, NULL, &query, NULL));
  td_query_release(query);
  td_error *error = NULL;
  if (td_hash_new(TD_STR("no.such"), TD_NO_STR, &hash, &error) == TD_OK) atomic_fetch_add(&failures, 1);
  td_error_release(error);
}

static void locks(void) {
  td_dict *d = NULL, *below = NULL;
  right(td_dict_clone(common, &d, NULL));
  for (int i = 0; d && i < 20; ++i) {
    right(td_dict_lock_(d, NULL));
    right(td_dict_get_dict(d, TD_KEY("n"), &below, NULL));
    td_dict_release(below);
    right(td_dict_unlock_(d, NULL));
  }
  td_dict_release(d);
}

static void modules(void) {
  td_module *linear = NULL;
  td_dict *own = NULL;
  td_scope *swapped = NULL;
  td_op *softmax = NULL;
  right(td_module_new(TD_STR("td.linear"), TD_STR("{\"in_features\": 3, \"out_features\": 2}"), NULL, &linear, NULL));
  right(td_dict_from_module(linear, &own, NULL));
  right(td_module_swap(linear, own, 0, &swapped, NULL));
  right(td_scope_end(swapped, NULL));
  right(td_op_find(TD_STR("softmax"), TD_STR("int"), &softmax, NULL));
  td_op_release(softmax), td_scope_release(swapped), td_dict_release(own), td_module_release(linear);
}

static void hdf5(void) {
  if (!td_has_feature(TD_STR("hdf5"))) return;
  td_save_options o = TD_SAVE_OPTIONS_INIT;
  o.format = TD_FORMAT_HDF5;
  save_and_open(o, ".h5");
}

static void (*const callers[CALLERS])(void) = {names, snapshots, messages, saves, registries, locks, modules, hdf5};

static void *call_again_and_again(void *which) {
  const size_t i = (size_t)which;
  while (!atomic_load(&over)) {
    callers[i]();
    atomic_fetch_add(&calls[i], 1);
  }
  return NULL;
}

/* What the parent's threads were doing, and what a child may do with what was the parent's. */
static int child(void) {
  td_after_fork();
  atomic_store(&failures, 0);
  td_dict *d = NULL;
  td_message *m = NULL;
  if (td_segment_update(shared, common, NULL) != TD_ERR_LOCKED) return 2;
  if (td_segment_snapshot(shared, &d, NULL) != TD_ERR_UNSUPPORTED) return 3;
  if (td_channel_take(room, 0, NULL, &m, NULL) != TD_ERR_UNSUPPORTED) return 4;
  if (td_segment_dict(shared, &d, NULL)) return 5;
  td_dict_release(d);
  for (size_t i = 0; i < CALLERS; ++i) {
    callers[i]();
    if (atomic_load(&failures)) return 10 + (int)i;
  }
  td_segment_release(shared), td_channel_release(room); /* they stay there for the others */
  return 0;
}

Test(fork_faults, a_child_of_a_thread_in_a_call_is_not_stuck) {
  SKIP_IF_SANITIZED();
  common = small_dict(1);
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = 3;
  must(td_segment_create(TD_STR(channel_name), common, &o, &shared, &err));
  const name own = own_name("parent");
  td_channel_options co = TD_CHANNEL_OPTIONS_INIT;
  co.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  must(td_channel_create(TD_STR(own.text), common, &co, &room, &err));
  for (size_t i = 0; i < CALLERS; ++i) callers[i](); /* what LibTorch sets up in first calls is guarded by itself */
  pthread_t threads[CALLERS];
  for (size_t i = 0; i < CALLERS; ++i)
    cr_assert_eq(pthread_create(&threads[i], NULL, call_again_and_again, (void *)i), 0);
  for (size_t i = 0; i < CALLERS; ++i) /* LibTorch has a lock for the first call of a thread, too */
    while (atomic_load(&calls[i]) == 0) pause_us(500);
  const int forks = fault_rounds(40, 2000);
  for (int i = 0; i < forks; ++i) {
    pause_us((long)random_below(3000));
    const pid_t pid = fork();
    if (pid == 0) _exit(child());
    const int64_t start = fault_ms();
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
      if (fault_ms() - start > STUCK_MS) {
        reap(pid, SIGKILL);
        cr_assert_fail("child %d is stuck", i);
      }
      pause_us(500);
    }
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child %d: %#x", i, status);
  }
  atomic_store(&over, 1);
  for (size_t i = 0; i < CALLERS; ++i) {
    pthread_join(threads[i], NULL);
    cr_expect(atomic_load(&calls[i]) > 0, "thread %zu did nothing", i);
  }
  cr_expect_eq(atomic_load(&failures), 0);
  td_segment *again = NULL;
  must(td_segment_open(TD_STR(channel_name), NULL, &again, &err));
  td_segment_release(again), td_segment_release(shared), td_channel_release(room), td_dict_release(common);
  int64_t removed = -1;
  must(td_segment_prune(TD_STR(channel_name), &removed, &err));
  cr_expect_eq(removed, 0, "%lld names were left behind", (long long)removed);
}
