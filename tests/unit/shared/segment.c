/* Dicts in shared memory: made atomically, opened by name, updated in place, gone with their owner. */
#include <sys/wait.h>

#include "support/files.h"
#include "support/small_dicts.h"

/* A name that no other test uses; the file behind it is in `segment_file`. */
static char segment_name[64], segment_file[128];

static void pick_name(void) {
  snprintf(segment_name, sizeof segment_name, "td-test-%ld", (long)getpid());
  snprintf(segment_file, sizeof segment_file, "/dev/shm/%s", segment_name);
  unlink(segment_file);
}

static void remove_name(void) {
  remove_tree(segment_file);
}

TestSuite(segment, .init = pick_name, .fini = remove_name);

static td_segment *create(const td_dict *d) {
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(segment_name), d, NULL, &s, &err));
  return s;
}

static td_segment *open_segment(void) {
  td_segment *s = NULL;
  must(td_segment_open(TD_STR(segment_name), NULL, &s, &err));
  return s;
}

static td_dict *dict_of(const td_segment *s) {
  td_dict *d = NULL;
  must(td_segment_dict(s, &d, &err));
  return d;
}

static void expect_same_tensor(const td_dict *want, const td_dict *got, const td_key *key) {
  td_tensor *a = tensor_at(want, key), *b = tensor_at(got, key), *dense = NULL;
  must(td_tensor_contiguous(a, &dense, &err));
  int64_t sizes[2][8];
  size_t n = td_tensor_shape(a, sizes[0], 8), m = td_tensor_shape(b, sizes[1], 8);
  cr_expect(n == m && memcmp(sizes[0], sizes[1], n * sizeof(int64_t)) == 0);
  cr_expect_eq(td_tensor_dtype(a), td_tensor_dtype(b));
  const void *p = NULL, *q = NULL;
  must(td_tensor_data(dense, &p, &err));
  must(td_tensor_data(b, &q, &err));
  cr_expect_eq((uintptr_t)q % 64, 0, "tensors in a segment are aligned");
  cr_expect_eq(memcmp(p, q, (size_t)td_tensor_nbytes(a)), 0, "other values under %s", key->parts[0].data);
  td_tensor_release(a), td_tensor_release(b), td_tensor_release(dense);
}

Test(segment, every_dtype_and_shape_arrives) {
  static const char *const names[] = {"none", "bool", "u8",  "i8",  "i16", "i32", "i64", "u16", "u32",
                                      "u64",  "f16",  "b16", "f32", "f64", "c32", "c64", "c128"};
  static const int64_t raw[32] = {0x0101010101010101, 0x0001000100000001, 7, -8, 1};
  td_dict *d = new_dict(TD_SHAPE(2));
  td_dtype last = TD_DTYPE_COMPLEX128;
  for (td_dtype t = TD_DTYPE_BOOL; t <= last; ++t) {
    if (t >= TD_DTYPE_UINT16 && t <= TD_DTYPE_UINT64 && !td_has_feature(TD_STR("uint16"))) continue;
    put(d, TD_KEY("all", names[t]), t, raw, TD_SHAPE(2, 3));
  }
  put(d, TD_KEY("none"), TD_DTYPE_FLOAT32, raw, TD_SHAPE(2, 0, 3));
  put(d, TD_KEY("\xF0\x9F\x98\x80 a/b \"\\\n\x01"), TD_DTYPE_INT16, raw, TD_SHAPE(2));
  td_segment *s = create(d), *other = open_segment();
  td_dict *got = dict_of(other);
  for (td_dtype t = TD_DTYPE_BOOL; t <= last; ++t) {
    if (t >= TD_DTYPE_UINT16 && t <= TD_DTYPE_UINT64 && !td_has_feature(TD_STR("uint16"))) continue;
    expect_same_tensor(d, got, TD_KEY("all", names[t]));
  }
  expect_same_tensor(d, got, TD_KEY("none"));
  expect_same_tensor(d, got, TD_KEY("\xF0\x9F\x98\x80 a/b \"\\\n\x01"));
  int64_t batch[4];
  cr_expect(td_dict_batch_size(got, batch, 4) == 1 && batch[0] == 2);
  cr_expect_eq(td_dict_count(got), td_dict_count(d));
  cr_expect_eq(td_segment_nbytes(s), td_segment_nbytes(other));
  cr_expect_str_eq(td_segment_path(s).data, segment_file);
  struct stat st;
  cr_assert_eq(stat(segment_file, &st), 0);
  cr_expect_eq(st.st_mode & 0777, 0600);
  cr_expect_eq(st.st_size, td_segment_nbytes(s));
  td_dict_release(got), td_segment_release(other), td_segment_release(s), td_dict_release(d);
}

Test(segment, dicts_without_tensors_are_segments_too) {
  td_dict *empty = new_dict(TD_NO_DIMS), *got;
  td_segment *s = create(empty), *other = open_segment();
  got = dict_of(other);
  cr_expect_eq(td_dict_count(got), 0);
  td_dict_release(got), td_segment_release(other), td_segment_release(s), td_dict_release(empty);
}

Test(segment, the_content_is_a_copy_of_the_values_in_row_major_order) {
  td_dict *d = new_dict(TD_NO_DIMS);
  put(d, TD_KEY("x"), TD_DTYPE_FLOAT32, (float[]){1, 2, 3, 4, 5, 6}, TD_SHAPE(2, 3));
  td_tensor *x = tensor_at(d, TD_KEY("x"));
  must(td_tensor_requires_grad_(x, 1, &err));
  td_op *op = NULL;
  td_value args[] = {td_value_tensor(x), td_value_int(0), td_value_int(1)}, out;
  must(td_op_find(TD_STR("transpose"), TD_STR("int"), &op, &err));
  must(td_op_call(op, args, 3, NULL, 0, &out, 1, &err));
  must(td_dict_set(d, TD_KEY("t"), out.as.tensor, &err));
  td_segment *s = create(d);
  td_dict *got = dict_of(s);
  td_tensor *t = tensor_at(got, TD_KEY("t"));
  const void *data = NULL;
  must(td_tensor_data(t, &data, &err));
  cr_expect_eq(memcmp(data, (float[]){1, 4, 2, 5, 3, 6}, 24), 0);
  cr_expect_not(td_tensor_requires_grad(t));
  td_value_clear(&out), td_op_release(op), td_tensor_release(t), td_tensor_release(x);
  td_dict_release(got), td_segment_release(s), td_dict_release(d);
}

Test(segment, views_are_locked_shared_and_only_the_owners_may_be_written) {
  td_dict *d = small_dict(1), *two = small_dict(2);
  td_segment *s = create(d), *other = open_segment();
  td_dict *mine = dict_of(s), *theirs = dict_of(other);
  td_tensor *value = tensor_at(two, TD_KEY("a"));
  cr_expect(td_dict_is_locked(mine) && td_dict_is_locked(theirs));
  td_string *text = NULL;
  must(td_dict_repr(theirs, 0, &text, &err));
  cr_expect(strstr(td_string_view(text).data, "is_shared=True"), "%s", td_string_view(text).data);
  expect_error(td_dict_set(mine, TD_KEY("new"), value, &err), TD_ERR_LOCKED, NULL, "locked");
  expect_error(td_dict_copy_into(theirs, TD_KEY("a"), value, &err), TD_ERR_LOCKED, NULL, "read-only");
  must(td_dict_copy_into(mine, TD_KEY("a"), value, &err));
  cr_expect_eq(float_at(theirs, TD_KEY("a")), 2, "the memory is the same");
  td_string_release(text), td_tensor_release(value);
  td_dict_release(mine), td_dict_release(theirs), td_segment_release(s), td_segment_release(other);
  td_dict_release(d), td_dict_release(two);
}

Test(segment, updates_show_everywhere_and_move_the_version_by_two) {
  td_dict *one = small_dict(1), *two = small_dict(2), *wrong = small_dict(3);
  td_segment *s = create(one), *other = open_segment();
  td_dict *theirs = dict_of(other);
  cr_expect_eq(td_segment_version(other), 0);
  must(td_segment_update(s, two, &err));
  cr_expect_eq(td_segment_version(other), 2);
  cr_expect_eq(float_at(theirs, TD_KEY("a")), 2);
  expect_error(td_segment_update(other, one, &err), TD_ERR_LOCKED, NULL, "created");

  put(wrong, TD_KEY("n", "more"), TD_DTYPE_FLOAT32, (float[]){0, 0}, TD_SHAPE(2));
  expect_error(td_segment_update(s, wrong, &err), TD_ERR_KEY, NULL, "more");
  must(td_dict_remove(wrong, TD_KEY("n", "more"), &err));
  put(wrong, TD_KEY("n", "b"), TD_DTYPE_INT32, (int32_t[]){0, 0}, TD_SHAPE(2));
  expect_error(td_segment_update(s, wrong, &err), TD_ERR_DTYPE, NULL, "int32");
  put(wrong, TD_KEY("n", "b"), TD_DTYPE_INT64, (int64_t[]){0, 0}, TD_SHAPE(2, 1));
  expect_error(td_segment_update(s, wrong, &err), TD_ERR_SHAPE, NULL, "[2, 1]");
  must(td_dict_remove(wrong, TD_KEY("n", "b"), &err));
  expect_error(td_segment_update(s, wrong, &err), TD_ERR_KEY, NULL, "\"b\"");
  cr_expect_eq(td_segment_version(other), 2, "a refused update must not begin");
  cr_expect_eq(float_at(theirs, TD_KEY("a")), 2);

  must(td_segment_update(s, theirs, &err)); /* onto itself */
  cr_expect_eq(float_at(theirs, TD_KEY("a")), 2);
  cr_expect_eq(td_segment_version(s), 4);
  cr_expect_eq(td_segment_version(NULL), 0);
  td_dict_release(theirs), td_segment_release(other), td_segment_release(s);
  td_dict_release(one), td_dict_release(two), td_dict_release(wrong);
}

Test(segment, entries_can_be_swapped_by_an_update) {
  td_dict *d = new_dict(TD_NO_DIMS), *views, *swapped = new_dict(TD_NO_DIMS);
  put(d, TD_KEY("a"), TD_DTYPE_FLOAT32, (float[]){1}, TD_SHAPE(1));
  put(d, TD_KEY("b"), TD_DTYPE_FLOAT32, (float[]){2}, TD_SHAPE(1));
  td_segment *s = create(d);
  views = dict_of(s);
  td_tensor *a = tensor_at(views, TD_KEY("a")), *b = tensor_at(views, TD_KEY("b"));
  must(td_dict_set(swapped, TD_KEY("a"), b, &err));
  must(td_dict_set(swapped, TD_KEY("b"), a, &err));
  must(td_segment_update(s, swapped, &err));
  cr_expect_eq(float_at(views, TD_KEY("a")), 2);
  cr_expect_eq(float_at(views, TD_KEY("b")), 1);
  td_tensor_release(a), td_tensor_release(b), td_dict_release(swapped), td_dict_release(views), td_dict_release(d);
  td_segment_release(s);
}

Test(segment, names_are_taken_checked_and_removed) {
  td_dict *d = small_dict(1);
  td_segment *s = create(d), *none = NULL;
  expect_error(td_segment_create(TD_STR(segment_name), d, NULL, &none, &err), TD_ERR_EXISTS, NULL, "is running");
  char longest[202];
  memset(longest, 'x', sizeof longest);
  static const char *const bad[] = {"", ".hidden", "a/b", "..", "a b", "\xC3\xA9", "a\\b"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    expect_error(td_segment_create(TD_STR(bad[i]), d, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "name");
    expect_error(td_segment_open(TD_STR(bad[i]), NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "name");
    expect_error(td_segment_unlink(TD_STR(bad[i]), &err), TD_ERR_ARGUMENT, NULL, "name");
  }
  expect_error(td_segment_open((td_str){longest, 201}, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "name");
  expect_error(td_segment_open((td_str){"a\0b", 3}, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "name");
  expect_error(td_segment_open((td_str){longest, 200}, NULL, &none, &err), TD_ERR_NOT_FOUND, NULL, "xxx");
  expect_error(td_segment_create(TD_STR(segment_name), NULL, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "dict");
  expect_error(td_segment_dict(NULL, &(td_dict *){NULL}, &err), TD_ERR_ARGUMENT, NULL, "segment");
  cr_expect_null(none);

  must(td_segment_unlink(TD_STR(segment_name), &err));
  expect_error(td_segment_unlink(TD_STR(segment_name), &err), TD_ERR_NOT_FOUND, NULL, segment_file);
  expect_error(td_segment_open(TD_STR(segment_name), NULL, &none, &err), TD_ERR_NOT_FOUND, NULL, segment_file);
  td_segment *next = create(d);
  td_segment_release(s);
  cr_expect(there(segment_file), "an owner must not unlink the segment that took its name over");
  td_segment_release(next);
  cr_expect_not(there(segment_file));
  td_dict_release(d);
}

Test(segment, a_kept_name_outlives_its_owner) {
  td_dict *d = small_dict(4);
  td_segment_options keep = TD_SEGMENT_OPTIONS_INIT;
  keep.keep = 1;
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(segment_name), d, &keep, &s, &err));
  td_segment_release(s);
  s = open_segment();
  td_dict *got = dict_of(s);
  cr_expect_eq(float_at(got, TD_KEY("a")), 4);
  must(td_segment_unlink(TD_STR(segment_name), &err));
  td_dict_release(got), td_segment_release(s), td_dict_release(d);
}

Test(segment, views_outlive_handle_name_and_owner) {
  int64_t mappings = td_live_objects(TD_OBJECT_MAPPING), bytes = td_live_bytes();
  td_dict *d = small_dict(1);
  td_segment *s = create(d), *other = open_segment();
  td_segment_retain(other);
  td_dict *got = dict_of(other);
  td_segment_release(s), td_segment_release(other), td_segment_release(other);
  cr_expect_not(there(segment_file));
  cr_expect_eq(float_at(got, TD_KEY("a")), 1);
  td_tensor *a = tensor_at(got, TD_KEY("a"));
  td_dict_release(got);
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), mappings + 1);
  td_tensor_release(a), td_dict_release(d);
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), mappings);
  cr_expect_eq(td_live_objects(TD_OBJECT_SEGMENT), 0);
  cr_expect_eq(td_live_bytes(), bytes);
  td_segment_release(NULL);
}

/* Runs `body` in a forked child; its result is the exit status. */
static int in_child(int (*body)(td_segment *), td_segment *s) {
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    _exit(body(s));
  }
  int status = -1;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

static int child_uses_it(td_segment *inherited) {
  td_segment *s = NULL;
  td_dict *d = NULL, *two = NULL;
  td_tensor *a = NULL;
  const void *data;
  if (td_segment_open(TD_STR(segment_name), NULL, &s, NULL) || td_segment_dict(s, &d, NULL)) return 1;
  if (td_dict_get(d, TD_KEY("a"), &a, NULL) || td_tensor_data(a, &data, NULL)) return 2;
  if (*(const float *)data != 1) return 3;
  if (td_dict_new(TD_SHAPE(2), NULL, &two, NULL)) return 4;
  if (td_segment_update(inherited, d, NULL) != TD_ERR_LOCKED) return 5;
  td_tensor_release(a), td_dict_release(d), td_dict_release(two), td_segment_release(s);
  td_segment_release(inherited);
  return 0;
}

Test(segment, a_forked_child_reads_but_does_not_own) {
  td_dict *d = small_dict(1);
  td_segment *s = create(d);
  cr_expect_eq(in_child(child_uses_it, s), 0);
  cr_expect(there(segment_file), "the child must not unlink what its parent owns");
  td_segment_release(s), td_dict_release(d);
  cr_expect_not(there(segment_file));
}

/* What may squat on a name. */
static void squat_link(void) {
  cr_assert_eq(symlink("/etc/hostname", segment_file), 0);
}
static void squat_fifo(void) {
  cr_assert_eq(mkfifo(segment_file, 0600), 0);
}
static void squat_directory(void) {
  make_dir(segment_file);
}
static void squat_text(void) {
  write_text(segment_file, "not a segment");
  chmod(segment_file, 0600);
}
static void squat_page(void) {
  char page[8192] = {0};
  write_file(segment_file, page, sizeof page);
  chmod(segment_file, 0600);
}
static void squat_writable(void) {
  squat_page();
  chmod(segment_file, 0666);
}
static void squat_foreign(void) {
  squat_page();
  if (chown(segment_file, 12345, 12345)) cr_log_warn("not root: a file of another user is not tried");
}

Test(segment, other_files_are_neither_opened_nor_removed) {
  static const struct {
    void (*squat)(void);
    td_status status;
    const char *words;
  } cases[] = {{squat_link, TD_ERR_CORRUPT, "symbolic link"}, {squat_fifo, TD_ERR_CORRUPT, "regular"},
               {squat_directory, TD_ERR_CORRUPT, "regular"},  {squat_text, TD_ERR_CORRUPT, "segment"},
               {squat_page, TD_ERR_CORRUPT, "not a segment"}, {squat_writable, TD_ERR_IO, "may write"},
               {squat_foreign, TD_ERR_IO, "belongs to"}};
  td_dict *d = small_dict(1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (cases[i].squat == squat_foreign && geteuid() != 0) continue;
    cases[i].squat();
    td_segment *s = NULL;
    expect_error(td_segment_open(TD_STR(segment_name), NULL, &s, &err), cases[i].status, NULL, cases[i].words);
    expect_error(td_segment_unlink(TD_STR(segment_name), &err), cases[i].status, NULL, "");
    expect_error(td_segment_create(TD_STR(segment_name), d, NULL, &s, &err), TD_ERR_EXISTS, NULL, "taken");
    cr_expect(there(segment_file) && !s);
    remove_tree(segment_file);
  }
  td_dict_release(d);
}

Test(segment, what_the_format_cannot_hold_is_refused) {
  static const char *const nodes[] = {"cls", "non_tensors", "leaves", "cls_metadata", "size"};
  td_segment *s = NULL;
  for (size_t i = 0; i < 5; ++i) {
    td_dict *d = small_dict(1);
    put(d, TD_KEY(nodes[i], "x"), TD_DTYPE_FLOAT32, (float[]){1, 2}, TD_SHAPE(2));
    expect_error(td_segment_create(TD_STR(segment_name), d, NULL, &s, &err), TD_ERR_KEY, NULL, nodes[i]);
    td_dict_release(d);
  }
  td_dict *d = small_dict(1);
  put(d, TD_KEY("cls"), TD_DTYPE_FLOAT32, (float[]){1, 2}, TD_SHAPE(2));
  td_segment_release(create(d));
  put(d, TD_KEY("<NJT_VALUES>"), TD_DTYPE_FLOAT32, (float[]){1, 2}, TD_SHAPE(2));
  expect_error(td_segment_create(TD_STR(segment_name), d, NULL, &s, &err), TD_ERR_KEY, NULL, "NJT");
  td_dict_release(d);
  cr_expect_not(there(segment_file));
}
