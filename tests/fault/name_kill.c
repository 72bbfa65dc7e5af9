/* Whoever makes, opens, changes or removes a segment, a channel or a map under a name is killed at each of its system calls,
 * and after single instructions. What the others find is whole or not there, nobody has to wait, and the name can be used
 * again. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "support/kill_points.h"

TestSuite(name_kill, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

enum { BIG_WORDS = 512, MAP_ROWS = 100 };

static const char *when; /* of the kill, for messages */
#define expect(what, ...) cr_assert((what), "%s: %s", when, path_of(__VA_ARGS__))

/* ---- What is under the name ------------------------------------------------------------------------------------------------ */

static td_dict *words_dict(int64_t value) {
  int64_t words[BIG_WORDS];
  for (int i = 0; i < BIG_WORDS; ++i) words[i] = value;
  td_dict *d = new_dict(NULL, 0);
  put(d, TD_KEY("x"), TD_INT64, words, TD_SHAPE(BIG_WORDS));
  return d;
}

/* The value of all words, or -1 if they differ. */
static int64_t value_in(const td_dict *d) {
  td_tensor *t = tensor_at(d, TD_KEY("x"));
  const void *data = NULL;
  ok(td_tensor_data(t, &data, err));
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
  ok(td_segment_create(TD_STR(name), d, &o, &s, err));
  td_dict_release(d);
  return s;
}

static int64_t prune_all(void) {
  int64_t removed = -1;
  ok(td_segment_prune(TD_STR(channel_name), &removed, err));
  return removed;
}

/* Files in the directory of segments whose names begin with ours. */
static int names_left(void) {
  int n = 0;
  DIR *d = opendir("/dev/shm");
  for (struct dirent *e; d && (e = readdir(d));) n += strncmp(e->d_name, channel_name, strlen(channel_name)) == 0;
  if (d) closedir(d);
  return n;
}

/* The value and version of the segment; false if there is none. */
static bool look(int64_t *value, uint64_t *version) {
  td_segment *s = NULL;
  const td_status status = td_segment_open(TD_STR(channel_name), &s, NULL);
  expect(status == TD_OK || status == TD_ERR_NOT_FOUND, "open: %s", td_status_name(status));
  if (status != TD_OK) return false;
  td_dict *d = NULL;
  ok(td_segment_dict(s, &d, err));
  *value = value_in(d), *version = td_segment_version(s);
  td_dict_release(d), td_segment_release(s);
  return true;
}

/* The newest snapshot of whoever opens it now. */
static int64_t newest(void) {
  td_segment *s = NULL;
  td_dict *d = NULL;
  ok(td_segment_open(TD_STR(channel_name), &s, err));
  ok(td_segment_snapshot(s, &d, err));
  const int64_t value = value_in(d);
  td_dict_release(d), td_segment_release(s);
  return value;
}

/* Somebody else can have the name, and nothing is left of it afterwards. */
static void expect_free(void) {
  td_segment_release(new_segment(channel_name, 9, 0, false));
  expect(names_left() == 0, "%d names are left", names_left());
}

static td_query *a_query(void) {
  td_query *query = NULL;
  ok(td_query_new(TD_KEY("x"), 1, NULL, &query, err));
  return query;
}

/* ---- The scenes ------------------------------------------------------------------------------------------------------------ */

typedef struct scene {
  const char *what;
  void (*before)(void); /* in the parent */
  void (*ready)(void);  /* in the child, before it is watched */
  void (*body)(void);   /* in the child */
  void (*after)(void);  /* in the parent */
} scene;

/* What the scene under way needs; each process has its own. */
static td_dict *given;
static td_segment *mine;
static td_channel *room;
static td_query *query;

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
  td_segment_open(TD_STR(channel_name), &s, NULL);
  td_segment_release(s);
}
static void open_now(void) {
  td_dict *d = NULL;
  ok(td_segment_open(TD_STR(channel_name), &mine, err));
  ok(td_segment_snapshot(mine, &d, err)); /* with the first one it becomes a reader */
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
    expect(status == TD_OK, "update: %s", td_status_name(status));
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
  expect(status == (there ? TD_OK : TD_ERR_NOT_FOUND), "unlink: %s", td_status_name(status));
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

static td_channel_options both(void) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 4, o.members = 8, o.roles = TD_CHANNEL_PRODUCES + TD_CHANNEL_CONSUMES;
  return o;
}
static void have_schema(void) {
  given = payload_schema();
}
static void makes_a_channel(void) {
  const td_channel_options o = both();
  td_channel_create(TD_STR(channel_name), given, &o, &room, NULL);
}
static void channel_is_whole_or_absent(void) {
  td_channel *ch = NULL;
  const td_status status = td_channel_open(TD_STR(channel_name), TD_CHANNEL_PRODUCES + TD_CHANNEL_CONSUMES, &ch, NULL);
  expect(status == TD_OK || status == TD_ERR_NOT_FOUND, "open: %s", td_status_name(status));
  if (ch) expect_whole(ch, when);
  if (ch) expect(prune_all() == 0, "somebody is in the channel");
  td_channel_release(ch);
  expect(prune_all() == (status == TD_OK), "it is removed once");
  expect_free();
}

static void kept_channel(void) {
  td_channel_options o = both();
  o.keep = 1;
  td_channel_release(payload_channel(o));
}
static void unlinks_the_channel(void) {
  td_channel_unlink(TD_STR(channel_name), NULL);
}
static void channel_can_be_unlinked(void) {
  td_channel *ch = NULL;
  const bool there = td_channel_open(TD_STR(channel_name), 0, &ch, NULL) == TD_OK;
  td_channel_release(ch);
  const td_status status = td_channel_unlink(TD_STR(channel_name), NULL);
  expect(status == (there ? TD_OK : TD_ERR_NOT_FOUND), "unlink: %s", td_status_name(status));
  expect_free();
}

static void channel_with_messages(void) {
  room = payload_channel(both());
  for (uint64_t id = 0; id < 2; ++id) cr_assert_eq(send_id(room, 0, id), TD_OK);
}
static void joined(void) {
  room = open_channel(TD_CHANNEL_PRODUCES + TD_CHANNEL_CONSUMES);
}
static void closes(void) {
  td_channel_close(room, NULL);
}
static void closed_or_open(void) {
  uint64_t id;
  td_message *m = NULL;
  for (uint64_t wanted = 0; wanted < 2; ++wanted) {
    expect(take_id(room, 0, &id, &m) == TD_OK && id == wanted, "message %d is lost", (int)wanted);
    td_message_release(m);
  }
  const td_status last = take_id(room, 0, &id, &m);
  expect(last == TD_ERR_TIMEOUT || last == TD_ERR_CLOSED, "take: %s", td_status_name(last));
  expect(send_id(room, 0, 7) == (last == TD_ERR_CLOSED ? TD_ERR_CLOSED : TD_OK), "neither open nor closed");
  ok(td_channel_close(room, err));
  cr_assert_eq(send_id(room, 0, 8), TD_ERR_CLOSED);
  td_channel_release(room), room = NULL;
  expect_free();
}

static td_dict *map_rows(void) {
  int64_t rows[MAP_ROWS];
  for (int i = 0; i < MAP_ROWS; ++i) rows[i] = i;
  td_dict *d = new_dict(TD_SHAPE(MAP_ROWS));
  put(d, TD_KEY("x"), TD_INT64, rows, TD_SHAPE(MAP_ROWS));
  return d;
}
static void have_a_map(void) {
  query = a_query();
  given = map_rows();
  ok(td_query_forward(query, given, TD_QUERY_DEFAULT, err));
}
static void shares_the_map(void) {
  td_query_share_options o = TD_QUERY_SHARE_OPTIONS_INIT;
  o.capacity = 1000;
  td_query_share(query, TD_STR(channel_name), &o, NULL);
}
static void map_is_whole_or_absent(void) {
  td_query *reader = a_query();
  const td_status status = td_query_open(reader, TD_STR(channel_name), TD_QUERY_MAP_READ, NULL);
  expect(status == TD_OK || status == TD_ERR_NOT_FOUND, "open: %s", td_status_name(status));
  if (status == TD_OK) {
    td_dict *rows = map_rows();
    td_tensor *indices = NULL;
    const void *data = NULL;
    ok(td_query_look_up(reader, rows, &indices, err));
    ok(td_tensor_data(indices, &data, err));
    for (int64_t i = 0; i < MAP_ROWS; ++i) expect(((const int64_t *)data)[i] == i, "row %d is wrong", (int)i);
    td_tensor_release(indices), td_dict_release(rows);
  }
  td_query_release(reader);
  expect(prune_all() == (status == TD_OK), "it is removed once");
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
    {"one that makes a channel", NULL, have_schema, makes_a_channel, channel_is_whole_or_absent},
    {"one that unlinks a channel", kept_channel, NULL, unlinks_the_channel, channel_can_be_unlinked},
    {"one that closes a channel", channel_with_messages, joined, closes, closed_or_open},
    {"one that shares a map", NULL, have_a_map, shares_the_map, map_is_whole_or_absent},
};

/* ---- The killer ------------------------------------------------------------------------------------------------------------ */

static bool one_kill(const scene *s, bool at_call, long k) {
  char text[120];
  snprintf(text, sizeof text, "%s, killed %s %ld", s->what,
           !at_call     ? "after instruction"
           : k % 2 == 0 ? "before call"
                        : "after call",
           at_call ? k / 2 : k);
  when = text;
  if (s->before) s->before();
  const bool killed =
      at_call ? killed_at_call(s->what, (int)k, s->ready, s->body) : killed_at_step(s->what, k, s->ready, s->body);
  s->after();
  return killed;
}

static void kill_scene(const scene *s) {
  int calls = 0, kills = 0;
  one_kill(s, true, 0); /* what is made once and kept is there now */
  const int fds = descriptors();
  while (one_kill(s, true, calls)) ++calls;
  if (CAN_STEP) {
    cr_assert_not(one_kill(s, false, LONG_MAX), "%s never ends", s->what);
    const long length = *steps, stride = 1 + length / fault_rounds(4, 4000);
    for (long k = (long)random_below((uint64_t)stride); k < length;
         k += 1 + (long)random_below((uint64_t)(2 * stride - 1)))
      kills += one_kill(s, false, k);
    printf("%s: killed at %d boundaries of system calls, at %d of %ld instructions\n", s->what, calls, kills, length);
  }
  cr_expect_eq(descriptors(), fds, "%s: descriptors are left", s->what);
}

static void kill_scenes(size_t from) {
  SKIP_IF_SANITIZED();
  td_dict_release(words_dict(0)); /* what LibTorch starts lazily starts before the forks */
  td_query_release(a_query());
  share_steps();
  for (size_t i = from; i < sizeof scenes / sizeof *scenes; i += 2) {
    const int64_t before = live_objects();
    kill_scene(&scenes[i]);
    cr_expect_eq(live_objects(), before, "%s: objects are left", scenes[i].what);
  }
}

Test(name_kill, at_any_call_leaves_all_or_nothing) {
  kill_scenes(0);
}

Test(name_kill, at_any_call_leaves_all_or_nothing_either) {
  kill_scenes(1);
}
