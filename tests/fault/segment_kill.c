/* Whoever makes, opens, reads, changes or removes a segment is killed at each of its system calls, and after single
 * instructions. What the others find is whole or not there, nobody has to wait, and the name can be used again. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "support/kill_scenes.h"

TestSuite(segment_kill, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

enum { BIG_WORDS = 512 };

/* ---- What is under the name ------------------------------------------------------------------------------------------------ */

static td_dict *words_dict(int64_t value) {
  int64_t words[BIG_WORDS];
  for (int i = 0; i < BIG_WORDS; ++i) words[i] = value;
  td_dict *d = new_dict(NULL, 0);
  put(d, TD_KEY("x"), TD_DTYPE_INT64, words, TD_SHAPE(BIG_WORDS));
  return d;
}

/* The value of all words, or -1 if they differ. */
static int64_t value_in(const td_dict *d) {
  td_tensor *t = tensor_at(d, TD_KEY("x"));
  const void *data = NULL;
  must(td_tensor_data(t, &data, &err));
  const int64_t *words = data;
  int64_t value = words[0];
  for (int i = 1; i < BIG_WORDS; ++i)
    if (words[i] != value) value = -1;
  td_tensor_release(t);
  return value;
}

static td_segment *new_segment(const char *name, int64_t value, int snapshots, bool keep) {
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = snapshots, o.keep = keep;
  td_dict *d = words_dict(value);
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(name), d, &o, &s, &err));
  td_dict_release(d);
  return s;
}

/* The value and version of the segment; false if there is none. */
static bool look(int64_t *value, uint64_t *version) {
  td_segment *s = NULL;
  const td_status status = td_segment_open(TD_STR(channel_name), NULL, &s, NULL);
  expect(status == TD_OK || status == TD_ERR_NOT_FOUND, "open: %s", td_status_name(status).data);
  if (status != TD_OK) return false;
  td_dict *d = NULL;
  must(td_segment_dict(s, &d, &err));
  *value = value_in(d), *version = td_segment_version(s);
  td_dict_release(d), td_segment_release(s);
  return true;
}

/* The newest snapshot of whoever opens it now. */
static int64_t newest(void) {
  td_segment *s = NULL;
  td_dict *d = NULL;
  must(td_segment_open(TD_STR(channel_name), NULL, &s, &err));
  must(td_segment_snapshot(s, &d, &err));
  const int64_t value = value_in(d);
  td_dict_release(d), td_segment_release(s);
  return value;
}

/* ---- The scenes ------------------------------------------------------------------------------------------------------------ */

/* What the scene under way needs; each process has its own. */
static td_dict *given;
static td_segment *mine;

static void have_values(void) {
  given = words_dict(5);
}
static void creates(void) {
  td_segment_create(TD_STR(channel_name), given, NULL, &mine, NULL);
}
static void creates_snapshots(void) {
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = 3;
  td_segment_create(TD_STR(channel_name), given, &o, &mine, NULL);
}
static void whole_or_absent(void) {
  int64_t value = 0;
  uint64_t version = 0;
  const bool there = look(&value, &version);
  expect(!there || (value == 5 && version == 0), "value %lld, version %llu", (long long)value,
         (unsigned long long)version);
  const int64_t removed = prune_all();
  expect(removed == there, "%lld names were removed", (long long)removed);
  expect_free();
}

static void segment_here(void) {
  mine = new_segment(channel_name, 3, 2, false);
}
static void opens(void) {
  td_segment *s = NULL;
  td_segment_open(TD_STR(channel_name), NULL, &s, NULL);
  td_segment_release(s);
}
static void open_now(void) {
  td_dict *d = NULL;
  must(td_segment_open(TD_STR(channel_name), NULL, &mine, &err));
  must(td_segment_snapshot(mine, &d, &err)); /* with the first one it becomes a reader */
  td_dict_release(d);
}
static void pins(void) {
  td_dict *d = NULL;
  td_segment_snapshot(mine, &d, NULL);
  td_dict_release(d);
}
static void opens_and_pins(void) {
  opens(), open_now();
}
static void owner_goes_on(void) {
  for (int64_t value = 10; value < 14; ++value) {
    td_dict *d = words_dict(value);
    const td_status status = td_segment_update(mine, d, NULL);
    expect(status == TD_OK, "update: %s", td_status_name(status).data);
    td_dict_release(d);
    expect(newest() == value, "%lld is not the newest", (long long)newest());
  }
  td_segment_release(mine), mine = NULL;
  expect_free();
}

static void owns(void) {
  mine = new_segment(channel_name, 3, 0, false);
  have_values();
}
static void owns_snapshots(void) {
  mine = new_segment(channel_name, 3, 3, false);
  have_values();
}
static void updates(void) {
  td_segment_update(mine, given, NULL);
}
static void version_tells(void) {
  int64_t value = 0;
  uint64_t version = 0;
  expect(look(&value, &version), "the segment is gone");
  expect(version == 1 || value == (version == 0 ? 3 : 5), "value %lld, version %llu", (long long)value,
         (unsigned long long)version);
  expect(version <= 2, "version %llu", (unsigned long long)version);
  expect(prune_all() == 1, "the owner is dead");
  expect_free();
}
static void snapshot_is_whole(void) {
  const int64_t value = newest();
  expect(value == 3 || value == 5, "a snapshot of %lld", (long long)value);
  expect(prune_all() == 1, "the owner is dead");
  expect_free();
}
static void lets_go(void) {
  td_segment_release(mine);
}
static void there_or_gone(void) {
  int64_t value = 0;
  uint64_t version = 0;
  const bool there = look(&value, &version);
  expect(!there || value == 3, "value %lld", (long long)value);
  expect(prune_all() == there, "it can be removed once");
  expect_free();
}

static void kept_segment(void) {
  td_segment_release(new_segment(channel_name, 3, 0, true));
}
static void unlinks(void) {
  td_segment_unlink(TD_STR(channel_name), NULL);
}
static void can_be_unlinked(void) {
  int64_t value = 0;
  uint64_t version = 0;
  const bool there = look(&value, &version);
  const td_status status = td_segment_unlink(TD_STR(channel_name), NULL);
  expect(status == (there ? TD_OK : TD_ERR_NOT_FOUND), "unlink: %s", td_status_name(status).data);
  expect_free();
}

/* One whose owner has died, and one whose owner lives. */
static void orphan_and_living(void) {
  const pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    new_segment(channel_name, 3, 0, false);
    kill(getpid(), SIGKILL);
  }
  reap(pid, 0);
  mine = new_segment(path_of("%s.living", channel_name), 4, 0, false);
}
static void prunes(void) {
  int64_t removed;
  td_segment_prune(TD_STR(channel_name), &removed, NULL);
}
static void only_the_orphan_goes(void) {
  int64_t value = 0;
  uint64_t version = 0;
  const bool there = look(&value, &version);
  expect(prune_all() == there, "the orphan is removed once");
  expect(names_left() == 1, "%d names are left", names_left());
  td_segment_release(mine), mine = NULL;
  expect_free();
}

static const scene scenes[] = {
    {"one that creates a segment", NULL, have_values, creates, whole_or_absent},
    {"one that creates snapshots", NULL, have_values, creates_snapshots, whole_or_absent},
    {"one that opens a segment", segment_here, NULL, opens, owner_goes_on},
    {"one that opens and reads", segment_here, NULL, opens_and_pins, owner_goes_on},
    {"a reader of snapshots", segment_here, open_now, pins, owner_goes_on},
    {"one that updates", NULL, owns, updates, version_tells},
    {"one that updates snapshots", NULL, owns_snapshots, updates, snapshot_is_whole},
    {"an owner that lets go", NULL, owns, lets_go, there_or_gone},
    {"one that unlinks", kept_segment, NULL, unlinks, can_be_unlinked},
    {"one that prunes", orphan_and_living, NULL, prunes, only_the_orphan_goes},
};

enum { SCENES = sizeof scenes / sizeof *scenes };

Test(segment_kill, at_any_call_leaves_all_or_nothing) {
  kill_scenes(scenes, SCENES, 0);
}

Test(segment_kill, at_any_call_leaves_all_or_nothing_either) {
  kill_scenes(scenes, SCENES, 1);
}
