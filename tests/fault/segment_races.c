/* Segments under fire: readers of snapshots beside a writer that never pauses and is killed, processes that create, open,
 * remove and prune the same names at once, and more segments than there are descriptors. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "support/channels.h"

TestSuite(segment_races, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

static td_dict *filled(int64_t value, int64_t n) {
  int64_t *words = malloc((size_t)n * sizeof *words);
  for (int64_t i = 0; i < n; ++i) words[i] = value;
  td_dict *d = new_dict(NULL, 0);
  put(d, TD_KEY("x"), TD_DTYPE_INT64, words, TD_SHAPE(n));
  free(words);
  return d;
}

/* The value of a snapshot, or -1 if it is torn. */
static int64_t value_of(const td_dict *d) {
  td_tensor *t = tensor_at(d, TD_KEY("x"));
  const void *data = NULL;
  must(td_tensor_data(t, &data, &err));
  const volatile int64_t *words = data;
  int64_t n = td_tensor_numel(t), first = words[0];
  for (int64_t i = 1; i < n; ++i)
    if (words[i] != first) first = -1;
  td_tensor_release(t);
  return first;
}

/* Updates as fast as it can, until it is killed. */
static void write_for_ever(int64_t n) {
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = 4;
  td_segment *s = NULL;
  td_dict *d[2] = {filled(0, n), filled(1, n)};
  if (td_segment_create(TD_STR(channel_name), d[0], &o, &s, NULL)) _exit(1);
  td_tensor *t[2] = {tensor_at(d[0], TD_KEY("x")), tensor_at(d[1], TD_KEY("x"))};
  for (int64_t value = 1;; ++value) {
    void *data = NULL;
    if (td_tensor_mutable_data(t[value % 2], &data, NULL)) _exit(2);
    for (int64_t i = 0; i < n; ++i) ((int64_t *)data)[i] = value;
    td_status status = td_segment_update(s, d[value % 2], NULL);
    if (status != TD_OK && status != TD_ERR_NOSPACE) _exit(3);
  }
}

static pid_t writer_of(int64_t n) {
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    write_for_ever(n);
  }
  return pid;
}

static td_segment *opened(void) {
  td_segment *s = NULL;
  for (int64_t end = fault_ms() + RECOVERY_MS; td_segment_open(TD_STR(channel_name), NULL, &s, NULL) != TD_OK;
       pause_us(500))
    cr_assert(fault_ms() < end, "there is no segment");
  return s;
}

/* Also through a death of the writer at a random moment. */
static void read_beside_a_writer(int64_t n, int64_t ms) {
  pid_t pid = writer_of(n);
  td_segment *s = opened();
  int64_t last = 0, reads = 0, changes = 0;
  int64_t kill_at = fault_ms() + ms, end = kill_at + ms / 4, watchdog = end + RECOVERY_MS;
  /* A busy machine takes its time; the writer is killed when something has been seen of it. */
  while (pid || fault_ms() < end) {
    cr_assert(fault_ms() < watchdog, "only %lld reads, %lld of them new", (long long)reads, (long long)changes);
    if (pid && fault_ms() >= kill_at && reads > 10 && changes > 0) reap(pid, SIGKILL), pid = 0;
    td_dict *d = NULL;
    must(td_segment_snapshot(s, &d, &err));
    int64_t value = value_of(d);
    cr_assert(value >= last, "%s: %lld after %lld", value < 0 ? "torn" : "older than the last", (long long)value,
              (long long)last);
    changes += value != last, last = value, reads += 1;
    td_dict_release(d);
  }
  printf("snapshots of %lld bytes: %lld reads, %lld of them new\n", (long long)n * 8, (long long)reads,
         (long long)changes);
  td_segment_release(s);
  int64_t removed = 0;
  must(td_segment_prune(TD_STR(channel_name), &removed, &err));
  cr_expect_eq(removed, 1, "the owner is dead");
}

Test(segment_races, snapshots_are_never_torn) {
  td_dict_release(small_dict(0));
  const int64_t sizes[] = {128, 1 << 17, 1 << 20};
  for (int i = 0; i < 3; ++i) read_beside_a_writer(sizes[i], fault_rounds(400, 20000));
}

static void hold_and_wait(void) {
  td_segment *s = opened();
  for (;;) {
    td_dict *d = NULL;
    if (td_segment_snapshot(s, &d, NULL)) _exit(1);
    pause_us(100);
    td_dict_release(d);
  }
}

Test(segment_races, killed_readers_do_not_stop_the_writer) {
  td_dict_release(small_dict(0));
  td_dict *d = filled(0, 64);
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = 2;
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(channel_name), d, &o, &s, &err));
  for (int i = 0; i < fault_rounds(40, 2000); ++i) {
    pid_t pid = fork();
    if (pid == 0) {
      td_after_fork();
      hold_and_wait();
    }
    pause_us(500 + (long)random_below(8000));
    reap(pid, SIGKILL);
    for (int k = 0; k < 3; ++k) must(td_segment_update(s, d, &err));
  }
  td_segment_release(s), td_dict_release(d);
}

typedef struct tally {
  atomic_long created, taken, opened, missing, removed, wrong;
} tally;

static tally *sums;

/* Creates, opens, removes and prunes what the others do too. */
static void race(int rounds) {
  td_dict *d = filled(7, 32);
  for (int i = 0; i < rounds; ++i) {
    char name[80];
    snprintf(name, sizeof name, "%s.%d", channel_name, (int)random_below(3));
    td_segment *s = NULL;
    td_status status = td_segment_create(TD_STR(name), d, NULL, &s, NULL);
    if (status == TD_OK) {
      atomic_fetch_add(&sums->created, 1);
      int64_t removed = 0;
      if (td_segment_prune(TD_STR(channel_name), &removed, NULL) || removed) atomic_fetch_add(&sums->wrong, 1);
      /* Mine lives: nobody may have pruned it. */
      td_segment *again = NULL;
      if (td_segment_open(TD_STR(name), NULL, &again, NULL)) atomic_fetch_add(&sums->wrong, 1);
      td_segment_release(again);
    } else if (status == TD_ERR_EXISTS) {
      atomic_fetch_add(&sums->taken, 1);
      status = td_segment_open(TD_STR(name), NULL, &s, NULL);
      td_dict *read = NULL;
      if (status == TD_OK && td_segment_dict(s, &read, NULL) == TD_OK)
        atomic_fetch_add(value_of(read) == 7 ? &sums->opened : &sums->wrong, 1);
      else if (status == TD_ERR_NOT_FOUND)
        atomic_fetch_add(&sums->missing, 1);
      else
        atomic_fetch_add(&sums->wrong, 1);
      td_dict_release(read);
    } else {
      atomic_fetch_add(&sums->wrong, 1);
    }
    td_segment_release(s);
  }
}

Test(segment_races, one_creator_wins_and_nobody_prunes_the_living) {
  td_dict_release(small_dict(0));
  sums = mmap(NULL, sizeof *sums, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t pids[4];
  for (int i = 0; i < 4; ++i)
    if ((pids[i] = fork()) == 0) {
      td_after_fork();
      fault_random += (uint64_t)getpid();
      race(fault_rounds(300, 100000));
      _exit(0);
    }
  for (int i = 0; i < 4; ++i) {
    int status = -1;
    cr_assert_eq(waitpid(pids[i], &status, 0), pids[i]);
    cr_expect_eq(status, 0);
  }
  cr_expect_eq(atomic_load(&sums->wrong), 0);
  cr_expect(atomic_load(&sums->created) > 10);
  td_string *left = NULL;
  must(td_segment_list(TD_STR(channel_name), &left, &err));
  cr_expect_eq(strcmp(td_string_view(left).data, "[]"), 0, "%s", td_string_view(left).data);
  td_string_release(left);
}

/* Makes and releases a segment and a channel of the same name until it is killed. */
static _Noreturn void take_turns(void) {
  td_dict *d = filled(7, 32);
  for (;;) {
    td_segment *s = NULL;
    td_channel *ch = NULL;
    if (td_segment_create(TD_STR(channel_name), d, NULL, &s, NULL)) _exit(1);
    td_segment_release(s);
    if (td_channel_create(TD_STR(channel_name), d, NULL, &ch, NULL)) _exit(2);
    td_channel_release(ch);
  }
}

Test(segment_races, a_name_that_goes_to_another_file_is_nothing_to_prune) {
  td_dict_release(small_dict(0));
  const pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    take_turns();
  }
  for (int i = 0; i < fault_rounds(10000, 1000000); ++i) {
    int64_t removed = 0;
    td_string *all = NULL;
    must(td_segment_prune(TD_STR(channel_name), &removed, &err));
    cr_assert_eq(removed, 0, "its owner lives");
    must(td_segment_list(TD_STR(channel_name), &all, &err));
    cr_assert(!strstr(td_string_view(all).data, "damaged"), "%s", td_string_view(all).data);
    td_string_release(all);
  }
  int status = 0;
  cr_assert_eq(waitpid(pid, &status, WNOHANG), 0, "the other one failed: %#x", status);
  reap(pid, SIGKILL);
  int64_t removed = 0;
  must(td_segment_prune(TD_STR(channel_name), &removed, &err));
}

Test(segment_races, a_thousand_segments_need_no_descriptors) {
  enum { MANY = 1000 };
  static td_segment *owned[MANY], *read[MANY];
  td_dict *d = small_dict(1);
  char name[80];
  snprintf(name, sizeof name, "%s.first", channel_name);
  td_segment *first = NULL;
  must(td_segment_create(TD_STR(name), d, NULL, &first, &err)); /* the process's own lock is there from now on */
  struct rlimit before, few;
  getrlimit(RLIMIT_NOFILE, &before);
  int open_now = descriptors();
  few = before, few.rlim_cur = (rlim_t)open_now + 8;
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int i = 0; i < MANY; ++i) {
    snprintf(name, sizeof name, "%s.%d", channel_name, i);
    must(td_segment_create(TD_STR(name), d, NULL, &owned[i], &err));
    must(td_segment_open(TD_STR(name), NULL, &read[i], &err));
  }
  setrlimit(RLIMIT_NOFILE, &before);
  cr_expect_eq(descriptors(), open_now);
  for (int i = 0; i < MANY; ++i) td_segment_release(owned[i]), td_segment_release(read[i]);
  td_segment_release(first), td_dict_release(d);
}
