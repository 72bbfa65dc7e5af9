/* What segments offer beyond a name: snapshots that no update tears, lists, removal of what dead owners left, and pages
 * that are mapped at once. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "support/files.h"
#include "support/small_dicts.h"

static char prefix[64], name[80], file[128];

static void pick_name(void) {
  snprintf(prefix, sizeof prefix, "td-sharing-%ld.", (long)getpid());
  snprintf(name, sizeof name, "%sa", prefix);
  snprintf(file, sizeof file, "/dev/shm/%s", name);
  unlink(file);
}

static void remove_name(void) {
  remove_tree(file);
}

TestSuite(segment_sharing, .init = pick_name, .fini = remove_name, .timeout = 120);

static td_segment *create(const td_dict *d, int snapshots) {
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = snapshots, o.large_pages = 1;
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(name), d, &o, &s, &err));
  return s;
}

static td_dict *snapshot_of(const td_segment *s) {
  td_dict *d = NULL;
  must(td_segment_snapshot(s, &d, &err));
  return d;
}

static void update(td_segment *s, float value) {
  td_dict *d = small_dict(value);
  must(td_segment_update(s, d, &err));
  td_dict_release(d);
}

Test(segment_sharing, a_snapshot_stays_as_it_was) {
  int64_t bytes = td_live_bytes();
  td_dict *d = small_dict(1);
  td_segment *owner = create(d, 3), *reader = NULL;
  must(td_segment_open(TD_STR(name), NULL, &reader, &err));
  td_dict *one = snapshot_of(reader), *live = NULL;
  must(td_segment_dict(reader, &live, &err));
  cr_expect(td_dict_is_locked(one) && float_at(one, TD_KEY("a")) == 1);
  update(owner, 2);
  cr_expect(float_at(live, TD_KEY("a")) == 2 && float_at(one, TD_KEY("a")) == 1);
  td_dict *two = snapshot_of(reader), *again = snapshot_of(reader), *mine = snapshot_of(owner);
  td_tensor *b = tensor_at(two, TD_KEY("n", "b"));
  void *data = NULL;
  expect_error(td_tensor_mutable_data(b, &data, &err), TD_ERR_LOCKED, NULL, "read-only");
  update(owner, 3); /* 1 and 2 are held, the third buffer is free */
  td_dict *three = snapshot_of(reader);
  cr_expect(float_at(one, TD_KEY("a")) == 1 && float_at(two, TD_KEY("a")) == 2 && float_at(mine, TD_KEY("a")) == 2 &&
            float_at(three, TD_KEY("a")) == 3);
  td_dict *four = small_dict(4);
  expect_error(td_segment_update(owner, four, &err), TD_ERR_NOSPACE, NULL, "readers hold");
  cr_expect(float_at(live, TD_KEY("a")) == 3 && td_segment_version(reader) == 4, "nothing was written");
  td_dict_release(two), td_dict_release(again), td_dict_release(mine);
  expect_error(td_segment_update(owner, four, &err), TD_ERR_NOSPACE, NULL, "readers hold"); /* a tensor of it lives */
  td_tensor_release(b);
  must(td_segment_update(owner, four, &err));
  td_segment_release(owner), td_segment_release(reader);
  cr_expect_not(there(file));
  cr_expect(float_at(one, TD_KEY("a")) == 1 && float_at(live, TD_KEY("a")) == 4);
  td_dict_release(one), td_dict_release(three), td_dict_release(four), td_dict_release(live), td_dict_release(d);
  cr_expect_eq(td_live_bytes(), bytes);
}

Test(segment_sharing, snapshots_are_an_option) {
  td_dict *d = small_dict(1), *none = NULL;
  td_segment *s = create(d, 0);
  expect_error(td_segment_snapshot(s, &none, &err), TD_ERR_UNSUPPORTED, NULL, "snapshots");
  expect_error(td_segment_snapshot(NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_segment_snapshot(s, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_segment_release(s), s = NULL;
  const int32_t bad[] = {-1, 1, 9, 100000};
  for (size_t i = 0; i < 4; ++i) {
    td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
    o.snapshots = bad[i];
    expect_error(td_segment_create(TD_STR(name), d, &o, &s, &err), TD_ERR_ARGUMENT, NULL, "snapshots");
  }
  cr_expect(!s && !none && !there(file));
  td_dict_release(d);
}

static pid_t held_child(void (*body)(void)) {
  int ends[2];
  cr_assert_eq(pipe(ends), 0);
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    body();
    if (write(ends[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char c;
  cr_assert(read(ends[0], &c, 1) == 1);
  close(ends[0]), close(ends[1]);
  return pid;
}

static void end(pid_t pid) {
  int status;
  kill(pid, SIGKILL);
  cr_assert_eq(waitpid(pid, &status, 0), pid);
}

static void hold_a_snapshot(void) {
  td_segment *s = NULL;
  if (td_segment_open(TD_STR(name), NULL, &s, NULL)) _exit(2);
  snapshot_of(s);
}

Test(segment_sharing, a_dead_reader_holds_nothing) {
  td_dict *d = small_dict(1);
  td_segment *s = create(d, 2);
  pid_t pid = held_child(hold_a_snapshot);
  update(s, 2);
  td_dict *three = small_dict(3);
  expect_error(td_segment_update(s, three, &err), TD_ERR_NOSPACE, NULL, "readers hold");
  end(pid);
  must(td_segment_update(s, three, &err));
  td_dict_release(three);
  for (int i = 0; i < 10; ++i) update(s, (float)i);
  td_segment_release(s), td_dict_release(d);
}

static const char *listed(void) {
  static char text[4096];
  td_string *s = NULL;
  must(td_segment_list(TD_STR(prefix), &s, &err));
  snprintf(text, sizeof text, "%s", td_string_view(s).data);
  td_string_release(s);
  return text;
}

static int64_t pruned(void) {
  int64_t n = -1;
  must(td_segment_prune(TD_STR(prefix), &n, &err));
  return n;
}

static void own_two(void) {
  td_dict *d = small_dict(1);
  td_segment *s = create(d, 0);
  char other[128];
  td_channel *ch = NULL;
  snprintf(other, sizeof other, "%sb", prefix);
  if (!s || td_channel_create(TD_STR(other), d, NULL, &ch, NULL)) _exit(2);
}

Test(segment_sharing, what_dead_owners_left_is_pruned_and_nothing_else) {
  td_dict_release(small_dict(0));
  pid_t pid = held_child(own_two);
  cr_expect(strstr(listed(), "\"kind\":\"segment\"") && strstr(listed(), "\"kind\":\"channel\"") &&
                !strstr(listed(), "\"alive\":false"),
            "%s", listed());
  cr_expect_eq(pruned(), 0, "their owner lives");
  char other[128];
  snprintf(other, sizeof other, "%sb", prefix);
  td_channel *ch = NULL;
  must(td_channel_open(TD_STR(other), TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, &err));
  end(pid);
  cr_expect(strstr(listed(), "\"alive\":false") && strstr(listed(), "\"alive\":true"), "%s", listed());
  cr_expect_eq(pruned(), 1, "somebody is in the channel still");
  cr_expect_not(there(file));
  td_channel_release(ch);
  cr_expect_eq(pruned(), 1);
  cr_expect_eq(strcmp(listed(), "[]"), 0);

  td_dict *d = small_dict(1);
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.keep = 1;
  td_segment *s = NULL;
  pid = fork();
  if (pid == 0) {
    td_after_fork();
    _exit(td_segment_create(TD_STR(name), d, &o, &s, NULL) != TD_OK);
  }
  int status = -1;
  cr_assert(waitpid(pid, &status, 0) == pid && status == 0);
  cr_expect_eq(pruned(), 0, "it is to be kept");
  int fd = open(file, O_WRONLY);
  cr_assert(pwrite(fd, "??", 2, 80) == 2);
  close(fd);
  cr_expect(strstr(listed(), "damaged") && pruned() == 0, "%s", listed());
  td_dict_release(d);
  expect_error(td_segment_list(TD_STR(prefix), NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_segment_prune(TD_STR(prefix), NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
}

Test(segment_sharing, pages_can_be_mapped_at_once) {
  td_dict *d = new_dict(NULL, 0);
  td_tensor *t = NULL;
  must(td_tensor_full(TD_SHAPE(1 << 20), TD_VALUE(td_value_double(3)), TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err));
  must(td_dict_set(d, TD_KEY("a"), t, &err));
  td_segment *owner = create(d, 0), *s = NULL;
  td_segment_open_options o = TD_SEGMENT_OPEN_OPTIONS_INIT;
  long faults[2];
  for (int i = 0; i < 2; ++i) {
    o.populate = (td_bool)i, o.large_pages = (td_bool)i;
    td_dict *got = NULL;
    must(td_segment_open(TD_STR(name), &o, &s, &err));
    must(td_segment_dict(s, &got, &err));
    td_tensor *a = tensor_at(got, TD_KEY("a"));
    const void *data = NULL;
    must(td_tensor_data(a, &data, &err));
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    float sum = 0;
    for (int k = 0; k < 1 << 20; k += 1024) sum += ((const volatile float *)data)[k];
    getrusage(RUSAGE_SELF, &after);
    faults[i] = after.ru_minflt - before.ru_minflt;
    cr_expect_eq(sum, 3 * 1024);
    td_tensor_release(a), td_dict_release(got), td_segment_release(s);
  }
#ifndef __SANITIZE_THREAD__ /* its notes on each page are pages, too */
  cr_expect(faults[1] < 8 && faults[0] > faults[1], "%ld page faults, and %ld", faults[0], faults[1]);
#endif
  s = NULL;
  o.struct_size = 0;
  expect_error(td_segment_open(TD_STR(name), &o, &s, &err), TD_ERR_ARGUMENT, NULL, "struct_size");
  expect_error(td_segment_open(TD_STR("td-no-such-segment"), NULL, &s, &err), TD_ERR_NOT_FOUND, NULL, "");
  td_segment_release(owner), td_dict_release(d), td_tensor_release(t);
}
