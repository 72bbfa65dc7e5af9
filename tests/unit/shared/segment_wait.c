/* Waiting for updates of a segment: what ends a wait, and what does not. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

#include "support/small_channels.h"

TestSuite(segment_wait, .init = pick_name, .fini = remove_name, .timeout = 120);

static td_segment *create_segment(void) {
  td_dict *d = small_dict(0);
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(channel_name), d, NULL, &s, &err));
  td_dict_release(d);
  return s;
}

static td_segment *open_segment(void) {
  td_segment *s = NULL;
  must(td_segment_open(TD_STR(channel_name), NULL, &s, &err));
  return s;
}

static void update(td_segment *s, float value) {
  td_dict *d = small_dict(value);
  must(td_segment_update(s, d, &err));
  td_dict_release(d);
}

static void rest(int ms) {
  nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* Writes the counter as a stranger does, without waking anybody. */
static void count_to(uint64_t version) {
  const int fd = open(channel_file, O_RDWR);
  check(fd >= 0 && pwrite(fd, &version, sizeof version, 256) == sizeof version);
  close(fd);
}

typedef struct waiter {
  const td_segment *segment;
  uint64_t seen;
  const td_cancel *cancel;
  uint64_t version;
  td_status status;
  _Atomic int64_t ended_ms; /* 0 while it waits */
  pthread_t thread;
} waiter;

static void *run_wait(void *argument) {
  waiter *w = argument;
  w->status = td_segment_wait(w->segment, w->seen, -1, w->cancel, &w->version, NULL);
  w->ended_ms = now_ms();
  return NULL;
}

static void start(waiter *w) {
  check(!pthread_create(&w->thread, NULL, run_wait, w));
}

LeaklessTest(segment_wait, it_ends_with_a_later_complete_update) {
  td_segment *owner = create_segment(), *reader = open_segment();
  uint64_t version = 99;
  expect_error(td_segment_wait(reader, 0, 0, NULL, &version, &err), TD_ERR_TIMEOUT, NULL,
               "no update arrived within 0 ms");
  const int64_t began = now_ms();
  expect_error(td_segment_wait(reader, 0, 40, NULL, &version, &err), TD_ERR_TIMEOUT, NULL, "40 ms");
  cr_expect(now_ms() - began >= 39 && version == 99);
  update(owner, 1);
  must(td_segment_wait(reader, 0, 0, NULL, &version, &err));
  cr_expect_eq(version, 2u);
  must(td_segment_wait(owner, 1, -1, NULL, &version, &err)); /* seen in the middle of it */
  cr_expect_eq(version, 2u);
  expect_error(td_segment_wait(reader, version, 1, NULL, &version, &err), TD_ERR_TIMEOUT, NULL, NULL);
  expect_error(td_segment_wait(reader, UINT64_MAX, 1, NULL, &version, &err), TD_ERR_TIMEOUT, NULL, NULL);
  update(owner, 2), update(owner, 3);
  must(td_segment_wait(reader, version, -1, NULL, &version, &err));
  cr_expect_eq(version, 6u, "several updates are one");
  expect_error(td_segment_wait(NULL, 0, 0, NULL, &version, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_segment_wait(reader, 0, 0, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_segment_release(reader), td_segment_release(owner);
}

Test(segment_wait, memory_without_a_name_never_changes) {
  td_dict *d = small_dict(1);
  td_segment *s = NULL;
  int32_t fd = -1;
  uint64_t version = 0;
  must(td_segment_export(d, &fd, &err));
  must(td_segment_import(fd, &s, &err));
  expect_error(td_segment_wait(s, 0, -1, NULL, &version, &err), TD_ERR_UNSUPPORTED, NULL, "without a name");
  close(fd);
  td_segment_release(s), td_dict_release(d);
}

/* An update comes at any moment of the wait, mostly while its thread falls asleep. */
Test(segment_wait, no_update_is_missed_and_none_waits_for_a_time_slice) {
  td_segment *owner = create_segment(), *reader = open_segment();
  td_cancel *cancel = NULL;
  must(td_cancel_new(&cancel, &err));
  int late = 0;
  for (int i = 0; i < 400; ++i) {
    waiter w = {reader, td_segment_version(reader), i % 2 ? cancel : NULL, 0, -1, 0, 0};
    start(&w);
    for (volatile int k = 0; k < i * 97 % 40000; ++k) {
    }
    update(owner, (float)i);
    const int64_t done = now_ms();
    pthread_join(w.thread, NULL);
    check(w.status == TD_OK && w.version == (uint64_t)(2 * i + 2));
    if (w.ended_ms - done >= 15) ++late;
  }
  check(late < 60); /* a busy machine lets threads wait */
  td_cancel_release(cancel);
  td_segment_release(reader), td_segment_release(owner);
}

Test(segment_wait, a_request_ends_it_at_once_and_no_other_wait) {
  td_segment *owner = create_segment(), *reader = open_segment();
  int late = 0;
  waiter other = {reader, 0, NULL, 0, -1, 0, 0};
  start(&other);
  for (int i = 0; i < 400; ++i) {
    td_cancel *cancel = NULL;
    must(td_cancel_new(&cancel, &err));
    waiter w = {reader, 0, cancel, 0, -1, 0, 0};
    start(&w);
    for (volatile int k = 0; k < i * 97 % 40000; ++k) {
    }
    if (i % 8 == 0) rest(3);
    const int64_t asked = now_ms();
    td_cancel_request(cancel);
    pthread_join(w.thread, NULL);
    check(w.status == TD_ERR_CANCELLED);
    if (w.ended_ms - asked >= 15) ++late;
    uint64_t version = 7;
    expect_error(td_segment_wait(reader, 0, 0, cancel, &version, &err), TD_ERR_CANCELLED, NULL, "cancelled");
    check(version == 7);
    td_cancel_release(cancel);
  }
  check(late < 60);
  check(!other.ended_ms);
  update(owner, 1);
  pthread_join(other.thread, NULL);
  check(other.status == TD_OK && other.version == 2);
  td_segment_release(reader), td_segment_release(owner);
}

/* Old writers, and those of other libraries. */
Test(segment_wait, writers_that_wake_nobody_are_noticed) {
  td_segment *owner = create_segment(), *reader = open_segment();
  waiter w = {reader, 0, NULL, 0, -1, 0, 0};
  start(&w);
  rest(60);
  count_to(1);
  rest(60);
  check(!w.ended_ms);
  const int64_t written = now_ms();
  count_to(2);
  pthread_join(w.thread, NULL);
  check(w.status == TD_OK && w.version == 2);
  check(w.ended_ms - written < 1000);
  td_segment_release(reader), td_segment_release(owner);
}

Test(segment_wait, every_process_sees_every_last_update) {
  td_segment *owner = create_segment();
  pid_t children[8];
  for (int i = 0; i < 8; ++i) {
    children[i] = fork();
    if (children[i] == 0) {
      td_after_fork();
      td_segment *s = owner; /* also through the handle of the parent */
      if (i % 2 && td_segment_open(TD_STR(channel_name), NULL, &s, NULL)) _exit(1);
      uint64_t version = 0;
      while (version < 400)
        if (td_segment_wait(s, version, 60000, NULL, &version, NULL)) _exit(2);
      _exit(version == 400 ? 0 : 3);
    }
  }
  for (int i = 0; i < 200; ++i) {
    update(owner, (float)i);
    if (i % 10 == 0) rest(1);
  }
  for (int i = 0; i < 8; ++i) {
    int status = -1;
    waitpid(children[i], &status, 0);
    check(status == 0);
  }
  td_segment_release(owner);
}

static pid_t owner_process(int updates) {
  const pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    td_segment *s = create_segment();
    for (int i = 0; i < updates; ++i) update(s, (float)i);
    for (;;) rest(1000);
  }
  return pid;
}

static td_segment *open_in_time(void) {
  td_segment_open_options o = TD_SEGMENT_OPEN_OPTIONS_INIT;
  td_segment *s = NULL;
  o.timeout_ms = 60000;
  must(td_segment_open(TD_STR(channel_name), &o, &s, &err));
  return s;
}

static void end(pid_t pid) {
  int status;
  kill(pid, SIGKILL);
  check(waitpid(pid, &status, 0) == pid);
}

Test(segment_wait, it_ends_when_the_owner_is_killed) {
  for (int round = 0; round < 5; ++round) {
    const pid_t pid = owner_process(1000000000);
    td_segment *s = open_in_time();
    uint64_t version = 0;
    while (version < 20) must(td_segment_wait(s, version, 60000, NULL, &version, &err));
    waiter w = {s, UINT64_MAX, NULL, 0, -1, 0, 0};
    start(&w);
    rest(10 + round);
    end(pid);
    const int64_t killed = now_ms();
    pthread_join(w.thread, NULL);
    check(w.status == TD_ERR_CLOSED);
    check(w.ended_ms - killed < 5000);
    /* Its last complete update is still reported; then there is none to come, whatever the timeout. */
    const uint64_t last = td_segment_version(s);
    const int reported = last % 2 || last == version; /* a busy machine may not let it update again before the kill */
    check(td_segment_wait(s, version, 0, NULL, &version, NULL) == (reported ? TD_ERR_CLOSED : TD_OK));
    for (int64_t timeout = -1; timeout <= 1; ++timeout)
      expect_error(td_segment_wait(s, version, timeout, NULL, &version, &err), TD_ERR_CLOSED, NULL,
                   last % 2 ? "in the middle of an update" : "has ended");
    td_segment_release(s);
    remove_name();
  }
}

Test(segment_wait, an_update_that_a_kill_cut_off_is_not_reported) {
  const pid_t pid = owner_process(1);
  td_segment *s = open_in_time();
  uint64_t version = 0;
  must(td_segment_wait(s, 0, 60000, NULL, &version, &err));
  end(pid);
  count_to(3);
  expect_error(td_segment_wait(s, 0, -1, NULL, &version, &err), TD_ERR_CLOSED, NULL, "in the middle of an update");
  check(version == 2);
  td_segment_release(s);
}
