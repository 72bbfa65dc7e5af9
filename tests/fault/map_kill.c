/* The writer of a map in shared memory is killed after each single instruction, and at random moments under the eyes of
 * readers. What was visible stays, where it was; nothing is visible in part; and the next writer goes on from there. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <stdatomic.h>

#include "support/kill_points.h"

TestSuite(map_kill, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

enum { BATCH = 40, ROOM = 5000, MOST_ROWS = 4000000 };

static td_query *new_query(void) {
  td_query *query = NULL;
  must(td_query_new(TD_KEY("row"), 1, NULL, &query, &err));
  return query;
}

static td_dict *rows_from(int64_t first, int64_t n) {
  int64_t *values = malloc((size_t)n * sizeof *values);
  for (int64_t i = 0; i < n; ++i) values[i] = first + i;
  td_dict *rows = new_dict(TD_SHAPE(n));
  put(rows, TD_KEY("row"), TD_DTYPE_INT64, values, TD_SHAPE(n));
  free(values);
  return rows;
}

static td_status add(td_query *query, int64_t first, int64_t n) {
  td_dict *rows = rows_from(first, n);
  td_status status = td_query_forward(query, rows, TD_QUERY_DEFAULT, NULL);
  td_dict_release(rows);
  return status;
}

/* Rows from `first` on whose index is `index` and the next ones, up to `most`; -1 if one behind them is there, too. */
static int64_t in_order(const td_query *query, int64_t first, int64_t index, int64_t most) {
  td_dict *rows = rows_from(first, most);
  td_tensor *indices = NULL;
  const void *data = NULL;
  int64_t n = 0;
  if (td_query_look_up(query, rows, &indices, NULL) || td_tensor_data(indices, &data, NULL)) return -2;
  const int64_t *at = data;
  while (n < most && at[n] == index + n) ++n;
  for (int64_t i = n; i < most; ++i)
    if (at[i] != -1) n = -1, i = most;
  td_tensor_release(indices);
  td_dict_release(rows);
  return n;
}

static td_query *opened(td_query_map_mode mode) {
  td_query *query = new_query();
  must(td_query_attach(query, TD_STR(channel_name), mode, &err));
  return query;
}

static void make_map(int64_t preload, int64_t capacity) {
  td_query *query = new_query();
  td_query_share_options o = TD_QUERY_SHARE_OPTIONS_INIT;
  o.keep = 1, o.capacity = capacity;
  must(td_query_share(query, TD_STR(channel_name), &o, &err));
  if (preload) cr_assert_eq(add(query, 0, preload), TD_OK);
  td_query_release(query);
}

/* ---- Every instruction ----------------------------------------------------------------------------------------------------- */

typedef struct scene {
  const char *what;
  int64_t preload;
  bool before_open; /* the child opens the map under the eyes of the killer */
  bool orphaned;    /* another writer has died in the middle of a batch before */
} scene;

static const scene scenes[] = {
    {"a writer", 100, false, false},
    {"a writer that makes a larger table", 400, false, false}, /* of the first one's 512 slots 409 are used at most */
    {"one that takes over", 400, true, true},
};

/* Adds a batch in a child that dies after `k` instructions; false if it ended before. */
static bool killed_after(const scene *s, long k) {
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    td_query *query = new_query();
    if (!s->before_open && td_query_attach(query, TD_STR(channel_name), TD_QUERY_MAP_WRITE, NULL)) _exit(1);
    td_dict *rows = rows_from(s->preload, BATCH);
    step_by_step(k);
    td_status status = s->before_open ? td_query_attach(query, TD_STR(channel_name), TD_QUERY_MAP_WRITE, NULL) : TD_OK;
    if (status == TD_OK) status = td_query_forward(query, rows, TD_QUERY_DEFAULT, NULL);
    at_full_speed();
    _exit(status ? 2 : 0);
  }
  int status = 0;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  cr_assert(WIFSIGNALED(status) || WEXITSTATUS(status) == 0, "%s: the child failed: %#x", s->what, status);
  return WIFSIGNALED(status);
}

static bool one_kill(const scene *s, long k, long orphan_after) {
  make_map(s->preload, ROOM);
  td_query *reader = opened(TD_QUERY_MAP_READ);
  scene first = *s;
  first.before_open = false;
  if (s->orphaned) killed_after(&first, orphan_after);
  bool killed = killed_after(s, k);
  int64_t n = in_order(reader, 0, 0, s->preload + BATCH + 10);
  cr_assert(n == s->preload || n == s->preload + BATCH, "%s killed after %ld: %ld rows", s->what, k, (long)n);
  cr_assert_eq(td_query_size(reader), n, "%s killed after %ld", s->what, k);
  td_query *next = opened(TD_QUERY_MAP_WRITE); /* others than the dead one was about to add */
  cr_assert_eq(add(next, 1000000, 700), TD_OK, "%s killed after %ld", s->what, k);
  cr_assert_eq(add(next, s->preload, BATCH), TD_OK, "%s killed after %ld", s->what, k);
  td_query *const both[] = {reader, next};
  for (int i = 0; i < 2; ++i) {
    cr_assert_eq(in_order(both[i], 0, 0, s->preload), s->preload, "%s killed after %ld", s->what, k);
    cr_assert_eq(in_order(both[i], 1000000, n, 710), 700, "%s killed after %ld", s->what, k);
    int64_t index = n == s->preload ? n + 700 : s->preload;
    cr_assert_eq(in_order(both[i], s->preload, index, BATCH), BATCH, "%s killed after %ld", s->what, k);
    td_query_release(both[i]);
  }
  must(td_query_unlink(TD_STR(channel_name), &err));
  return killed;
}

Test(map_kill, at_any_instruction_leaves_what_was_visible) {
  SKIP_IF_SANITIZED();
  if (!CAN_STEP) cr_skip_test("there is no trap flag");
  share_steps();
  td_query_release(new_query()); /* what LibTorch starts lazily starts before the forks */
  make_map(1, ROOM);
  must(td_query_unlink(TD_STR(channel_name), &err));
  long forward = 0;
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
    const scene *s = &scenes[i];
    cr_assert_not(one_kill(s, LONG_MAX, forward * 2 / 3), "%s never ends", s->what);
    if (!s->before_open) forward = *steps;
    long length = *steps, stride = length / fault_rounds(8, 1500);
    if (stride < 1) stride = 1;
    int kills = 0;
    for (long k = (long)random_below((uint64_t)stride); k < length; k += 1 + (long)random_below((uint64_t)(2 * stride)))
      kills += one_kill(s, k, (long)random_below((uint64_t)forward));
    printf("%s: %ld instructions, killed at %d of them\n", s->what, length, kills);
    cr_expect(kills > 0, "%s was never killed", s->what);
  }
}

/* ---- Random moments -------------------------------------------------------------------------------------------------------- */

typedef struct ledger {
  atomic_long visible; /* rows whose adding has returned */
  atomic_long looks, writers;
  atomic_int wrong, over;
} ledger;

static ledger *book;

static void writes(uint64_t seed) {
  td_query *query = new_query();
  if (td_query_attach(query, TD_STR(channel_name), TD_QUERY_MAP_WRITE, NULL)) atomic_store(&book->wrong, 1), _exit(1);
  fault_random = mixed(seed + 1) | 1;
  int64_t size = td_query_size(query);
  if (size < atomic_load(&book->visible)) atomic_store(&book->wrong, 2), _exit(1);
  atomic_fetch_add(&book->writers, 1);
  while (size < MOST_ROWS - 5000) {
    int64_t n = 1 + (int64_t)random_below(random_below(8) ? 50 : 5000);
    if (add(query, size, n)) atomic_store(&book->wrong, 3), _exit(1);
    size += n;
    atomic_store(&book->visible, size);
  }
  for (;;) pause();
}

static void reads(uint64_t seed) {
  td_query *query = opened(TD_QUERY_MAP_READ);
  fault_random = mixed(seed + 1) | 1;
  int64_t last = 0;
  while (!atomic_load(&book->over)) {
    int64_t visible = atomic_load(&book->visible), size = td_query_size(query);
    if (size < visible || size < last) atomic_store(&book->wrong, 4), _exit(1);
    last = size;
    int64_t from = (int64_t)random_below((uint64_t)size + 1);
    if (random_below(4) == 0) from = size > 30 ? size - 30 : 0;
    int64_t there = in_order(query, from, from, 100), at_least = size - from < 100 ? size - from : 100;
    if (there < at_least) atomic_store(&book->wrong, 5), _exit(1);
    atomic_fetch_add(&book->looks, 1);
  }
  _exit(0);
}

Test(map_kill, at_random_moments_readers_see_nothing_of_it) {
  SKIP_IF_SANITIZED();
  td_query_release(new_query());
  book = mmap(NULL, sizeof *book, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  make_map(10, MOST_ROWS);
  atomic_store(&book->visible, 10);
  pid_t readers[2];
  for (uint64_t i = 0; i < 2; ++i) {
    readers[i] = fork();
    if (readers[i] == 0) td_after_fork(), reads(i);
  }
  int kills = fault_rounds(60, 3000);
  for (int i = 0; i < kills; ++i) {
    long before = atomic_load(&book->writers);
    pid_t pid = fork();
    if (pid == 0) td_after_fork(), writes((uint64_t)i + 2);
    int64_t start = fault_ms();
    while (atomic_load(&book->writers) == before && fault_ms() - start < RECOVERY_MS && !atomic_load(&book->wrong))
      pause_us(100);
    pause_us((long)random_below(8000));
    reap(pid, SIGKILL);
    cr_assert_eq(atomic_load(&book->wrong), 0, "after %d kills: %d", i, atomic_load(&book->wrong));
  }
  atomic_store(&book->over, 1);
  for (int i = 0; i < 2; ++i) reap(readers[i], 0);
  cr_assert_eq(atomic_load(&book->wrong), 0, "%d", atomic_load(&book->wrong));
  td_query *query = opened(TD_QUERY_MAP_WRITE);
  int64_t size = td_query_size(query), visible = atomic_load(&book->visible);
  cr_assert(size >= visible && size < visible + 5001);
  cr_assert_eq(in_order(query, 0, 0, size + 100), size);
  printf("%d writers killed, %ld rows, %ld looks at them\n", kills, (long)size, atomic_load(&book->looks));
  td_query_release(query);
  must(td_query_unlink(TD_STR(channel_name), &err));
}
