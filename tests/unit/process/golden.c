/* Files of shared memory that earlier releases made are opened by this one: data/golden has a folder for each layout. With
 * TD_GOLDEN=FOLDER in the environment they are made instead, by the library at hand. */
#include <signal.h>
#include <sys/wait.h>

#include "support/files.h"
#include "support/small_dicts.h"

static char name[64], file[128];

static void set_up(void) {
  snprintf(name, sizeof name, "td-golden-%ld", (long)getpid());
  snprintf(file, sizeof file, "/dev/shm/%s", name);
  unlink(file);
  make_test_dir();
}
static void tear_down(void) {
  unlink(file);
  remove_test_dir();
}

TestSuite(golden, .init = set_up, .fini = tear_down);

/* ---- What is in them ------------------------------------------------------------------------------------------------------- */

static void put_number(td_dict *d, const td_key *key, td_dtype dtype, int64_t number) {
  const int64_t numbers[] = {number, number + 1};
  td_tensor *wide = NULL, *t = NULL;
  must(td_tensor_copy_from(numbers, TD_DTYPE_INT64, TD_SHAPE(2), &wide, &err));
  must(td_tensor_to(wide, dtype, TD_NO_STR, &t, &err));
  must(td_dict_set(d, key, t, &err));
  td_tensor_release(t), td_tensor_release(wide);
}

/* A bit of all that a segment keeps: dtypes, names, nesting, text, a tensor without elements. In the order in which it gives
 * them back: tensors before text before dicts. */
static td_dict *rich_dict(int64_t number) {
  static const td_dtype dtypes[] = {TD_DTYPE_BOOL,      TD_DTYPE_UINT8,     TD_DTYPE_INT16,    TD_DTYPE_INT32,
                                    TD_DTYPE_INT64,     TD_DTYPE_FLOAT16,   TD_DTYPE_BFLOAT16, TD_DTYPE_FLOAT32,
                                    TD_DTYPE_COMPLEX64, TD_DTYPE_COMPLEX128};
  td_dict *d = new_dict(TD_SHAPE(2));
  const td_str time = TD_STR("time");
  put_number(d, TD_KEY("a key, with = and \xc3\xa9"), TD_DTYPE_FLOAT64, number);
  put(d, TD_KEY("nothing"), TD_DTYPE_FLOAT32, NULL, TD_SHAPE(2, 0));
  must(td_dict_set_data(d, TD_KEY("task"), TD_DATA(td_data_str(TD_STR("digits"))), &err));
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i) {
    const char *key = path_of("d%zu", i);
    put_number(d, TD_KEY("dtypes", key), dtypes[i], number + (int64_t)i);
  }
  td_dict *below = small_dict((float)number);
  must(td_dict_set_dict(d, TD_KEY("below"), below, &err));
  td_dict_release(below);
  must(td_dict_set_names(d, &time, 1, &err));
  return d;
}

/* The same to the last bit: so are the files that hold them. */
static void expect_same_dict(const char *what, const td_dict *want, const td_dict *got) {
  const td_dict *const both[] = {want, got};
  for (int i = 0; i < 2; ++i) {
    td_dict *unlocked = NULL;
    must(td_dict_clone(both[i], &unlocked, &err));
    must(td_save(unlocked, TD_STR(path_of("%s/%d.td", test_dir, i)), NULL, &err));
    td_dict_release(unlocked);
  }
  cr_expect(there(path_of("%s/0.td", test_dir)), "%s", what);
  expect_same_files(path_of("%s/0.td", test_dir), path_of("%s/1.td", test_dir));
  remove_tree(path_of("%s/0.td", test_dir)), remove_tree(path_of("%s/1.td", test_dir));
}

static td_dict *rows(void) {
  int64_t values[100];
  for (int i = 0; i < 100; ++i) values[i] = 7 * i;
  td_dict *d = new_dict(TD_SHAPE(100));
  put(d, TD_KEY("row"), TD_DTYPE_INT64, values, TD_SHAPE(100));
  return d;
}

static td_query *new_query(void) {
  td_query *q = NULL;
  must(td_query_new(TD_KEY("row"), 1, NULL, &q, &err));
  return q;
}

enum { BOTH_ROLES = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES };

static td_channel *open_channel(void) {
  td_channel *ch = NULL;
  must(td_channel_open(TD_STR(name), BOTH_ROLES, NULL, &ch, &err));
  return ch;
}

static void publish(td_channel *ch, int64_t number) {
  td_message *m = NULL;
  td_dict *to = NULL, *from = rich_dict(number);
  must(td_channel_acquire(ch, 1000, NULL, &m, &err));
  must(td_message_dict(m, &to, &err));
  must(td_dict_update_(to, from, &err));
  must(td_message_publish(m, &err));
  td_dict_release(to), td_dict_release(from), td_message_release(m);
}

static void expect_message(const char *what, td_channel *ch, int64_t number, int delivery) {
  td_message *m = NULL;
  td_dict *got = NULL, *want = rich_dict(number);
  must(td_channel_take(ch, 1000, NULL, &m, &err));
  must(td_message_dict(m, &got, &err));
  expect_same_dict(what, want, got);
  cr_expect_eq(td_message_delivery(m), delivery, "%s: handed out %d times", what, (int)td_message_delivery(m));
  td_dict_release(got), td_dict_release(want), td_message_release(m);
}

/* ---- Making ---------------------------------------------------------------------------------------------------------------- */

static void make_segment(void) {
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.keep = 1;
  td_dict *d = rich_dict(1);
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(name), d, &o, &s, &err));
  td_segment_release(s), td_dict_release(d);
}

static void make_snapshots(void) {
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.keep = 1, o.snapshots = 2;
  td_segment *s = NULL;
  for (int64_t number = 1; number <= 4; ++number) {
    td_dict *d = rich_dict(number);
    must(s ? td_segment_update(s, d, &err) : td_segment_create(TD_STR(name), d, &o, &s, &err));
    td_dict_release(d);
  }
  td_segment_release(s);
}

static void make_channel(td_channel_mode mode) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.mode = mode, o.keep = 1, o.slots = 4, o.members = 8, o.roles = BOTH_ROLES;
  td_dict *schema = rich_dict(0);
  td_channel *ch = NULL;
  must(td_channel_create(TD_STR(name), schema, &o, &ch, &err));
  td_dict_release(schema);
  for (int64_t number = 1; number <= 3; ++number) publish(ch, number);
  const pid_t pid = fork(); /* one that dies with a message to read and one to write */
  if (pid == 0) {
    td_after_fork();
    td_message *m = NULL;
    td_channel *mine = open_channel();
    if (mode == TD_CHANNEL_MODE_QUEUE && td_channel_take(mine, 0, NULL, &m, NULL)) _exit(1);
    if (td_channel_acquire(mine, 0, NULL, &m, NULL)) _exit(1);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  cr_assert(WIFSIGNALED(status));
  td_channel_release(ch);
}
static void make_queue(void) {
  make_channel(TD_CHANNEL_MODE_QUEUE);
}
static void make_broadcast(void) {
  make_channel(TD_CHANNEL_MODE_BROADCAST);
}

static void make_map(void) {
  td_query_share_options o = TD_QUERY_SHARE_OPTIONS_INIT;
  o.keep = 1, o.capacity = 1000;
  td_query *q = new_query();
  td_dict *d = rows();
  must(td_query_share(q, TD_STR(name), &o, &err));
  must(td_query_forward(q, d, TD_QUERY_DEFAULT, &err));
  td_query_release(q), td_dict_release(d);
}

/* ---- Reading --------------------------------------------------------------------------------------------------------------- */

static void read_values(const char *what, int64_t number, bool snapshots) {
  td_segment *s = NULL;
  td_dict *got = NULL, *want = rich_dict(number);
  must(td_segment_open(TD_STR(name), NULL, &s, &err));
  must(td_segment_dict(s, &got, &err));
  expect_same_dict(what, want, got);
  td_dict_release(got);
  if (snapshots) {
    must(td_segment_snapshot(s, &got, &err));
    expect_same_dict(what, want, got);
    td_dict_release(got);
  }
  td_segment_release(s), td_dict_release(want);
}
static void read_segment(const char *what) {
  read_values(what, 1, false);
}
static void read_snapshots(const char *what) {
  read_values(what, 4, true);
}

/* What the dead one held: the message is handed out again, the slot is free. */
static void read_queue(const char *what) {
  td_channel *ch = open_channel();
  int32_t dead = 0;
  must(td_channel_sweep(ch, &dead, &err));
  expect_message(what, ch, 1, 2);
  expect_message(what, ch, 2, 1);
  expect_message(what, ch, 3, 1);
  for (int64_t number = 5; number < 9; ++number) publish(ch, number);
  for (int64_t number = 5; number < 9; ++number) expect_message(what, ch, number, 1);
  td_channel_release(ch);
}

/* There is nothing for those who come later, but what is published from now on. */
static void read_broadcast(const char *what) {
  td_channel *ch = open_channel();
  for (int64_t number = 5; number < 9; ++number) {
    publish(ch, number);
    expect_message(what, ch, number, 0);
  }
  td_channel_release(ch);
}

static void read_map(const char *what) {
  for (td_query_map_mode mode = TD_QUERY_MAP_READ; mode <= TD_QUERY_MAP_WRITE; ++mode) {
    td_query *q = new_query();
    td_dict *d = rows();
    td_tensor *indices = NULL;
    const void *data = NULL;
    must(td_query_attach(q, TD_STR(name), mode, &err));
    cr_expect_eq(td_query_size(q), 100, "%s", what);
    must(td_query_look_up(q, d, &indices, &err));
    must(td_tensor_data(indices, &data, &err));
    for (int64_t i = 0; i < 100; ++i) cr_expect_eq(((const int64_t *)data)[i], i, "%s: row %d", what, (int)i);
    td_tensor_release(indices), td_dict_release(d), td_query_release(q);
  }
}

static const struct {
  const char *what;
  void (*make)(void);
  void (*read)(const char *what);
} files[] = {
    {"segment", make_segment, read_segment},
    {"snapshots", make_snapshots, read_snapshots},
    {"queue", make_queue, read_queue},
    {"broadcast", make_broadcast, read_broadcast},
    {"map", make_map, read_map},
};
enum { FILES = sizeof files / sizeof *files };

Test(golden, files_of_every_layout_are_read) {
  if (!td_has_feature(TD_STR("segment"))) cr_skip_test("there is no shared memory here");
  const char *to = getenv("TD_GOLDEN");
  for (int i = 0; to && i < FILES; ++i) {
    files[i].make();
    copy_tree(file, path_of("%s/%s", to, files[i].what));
    unlink(file);
  }
  int folders = 0;
  DIR *d = opendir(TD_TEST_DATA "/golden");
  for (struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.' || strchr(e->d_name, '.')) continue; /* README.md */
    ++folders;
    for (int i = 0; i < FILES; ++i) {
      const char *from = path_of("%s/golden/%s/%s", TD_TEST_DATA, e->d_name, files[i].what);
      copy_tree(from, file);
      cr_assert_eq(chmod(file, 0600), 0);
      files[i].read(from);
      unlink(file);
    }
  }
  if (d) closedir(d);
  cr_expect(folders > 0, "there are no golden files");
}
