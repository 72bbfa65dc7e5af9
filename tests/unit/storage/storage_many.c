/* Directories of many leaves, which several threads open: the same dict, the same error, and nothing left. */
#include "support/files.h"
#include "support/small_dicts.h"

enum { LEAVES = 700, ROWS = 3 };

static void with_threads(void) {
  make_test_dir();
  must(td_set_num_threads(4, &err));
}

TestSuite(storage_many, .init = with_threads, .fini = remove_test_dir);

static const char *leaf_name(int i) {
  static char name[32]; /* too many for path_of */
  snprintf(name, sizeof name, "leaf_%d", i);
  return name;
}

/* Leaves that say their number, of one page and of two; another dict of as many below "n". */
static const char *save_many(void) {
  td_dict *d = new_dict(TD_SHAPE(ROWS));
  static float numbers[ROWS * 600];
  for (int i = 0; i < 2 * LEAVES; ++i) {
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) numbers[k] = (float)i;
    const char *name = leaf_name(i % LEAVES);
    if (i < LEAVES)
      put(d, TD_KEY(name), TD_DTYPE_FLOAT32, numbers, TD_SHAPE(ROWS, i % 5 ? 1 : 600));
    else
      put(d, TD_KEY("n", name), TD_DTYPE_FLOAT32, numbers, TD_SHAPE(ROWS));
  }
  const char *path = path_of("%s/many", test_dir);
  must(td_save(d, TD_STR(path), NULL, &err));
  td_dict_release(d);
  return path;
}

static td_dict *open_with(const char *path, td_open_mode mode) {
  td_open_options o = TD_OPEN_OPTIONS_INIT;
  o.mode = mode;
  td_dict *d = NULL;
  must(td_open(TD_STR(path), &o, &d, &err));
  return d;
}

/* How many files below `test_dir` this process has mapped. */
static int mapped_files(void) {
  char line[PATH_MAX + 256];
  int n = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) n += strstr(line, test_dir) != NULL;
  fclose(maps);
  return n;
}

Test(storage_many, every_leaf_is_the_one_of_its_key_in_the_order_of_the_file) {
  const char *path = save_many();
  const int before = descriptors();
  for (td_open_mode mode = TD_OPEN_READ; mode <= TD_OPEN_READ_WRITE; ++mode) {
    td_dict *d = open_with(path, mode);
    cr_expect_eq(descriptors(), before, "descriptors are kept");
    for (int i = 0; i < LEAVES; ++i) {
      cr_assert_eq(float_at(d, TD_KEY(leaf_name(i))), (float)i);
      cr_assert_eq(float_at(d, TD_KEY("n", leaf_name(i))), (float)(LEAVES + i));
    }
    const char *again = path_of("%s/again%d", test_dir, mode);
    must(td_save(d, TD_STR(again), NULL, &err));
    expect_same_files(path, again);
    td_dict_release(d);
    remove_tree(again);
  }
}

Test(storage_many, what_goes_away_is_unmapped_and_what_is_kept_is_not) {
  const char *path = save_many();
  const int64_t objects = td_live_objects(TD_OBJECT_MAPPING), bytes = td_live_bytes();
  const float numbers[] = {0, 350, LEAVES + 699};
  for (int round = 0; round < 3; ++round) {
    td_dict *d = open_with(path, TD_OPEN_READ_WRITE), *other = open_with(path, TD_OPEN_READ);
    cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), objects + 4 * LEAVES);
    td_tensor *kept[] = {tensor_at(d, TD_KEY("leaf_0")), tensor_at(d, TD_KEY("leaf_350")),
                         tensor_at(d, TD_KEY("n", "leaf_699"))};
    td_dict_release(d);
    cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), objects + 2 * LEAVES + 3);
    td_dict_release(other);
    cr_expect_eq(mapped_files(), 3);
    for (int i = 0; i < 3; ++i) {
      const void *p = NULL;
      must(td_tensor_data(kept[i], &p, &err));
      cr_expect_eq(*(const float *)p, numbers[i]);
      td_tensor_release(kept[i]);
    }
    cr_expect_eq(mapped_files(), 0);
    cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), objects);
    cr_expect_eq(td_live_bytes(), bytes);
  }
}

Test(storage_many, of_several_bad_leaves_the_first_is_named) {
  const char *path = save_many();
  const char *link = path_of("%s/leaf_301.memmap", path), *fifo = path_of("%s/leaf_302.memmap", path);
  cr_assert(truncate(path_of("%s/leaf_690.memmap", path), 4) == 0);
  cr_assert(unlink(link) == 0 && symlink("leaf_300.memmap", link) == 0);
  cr_assert(unlink(fifo) == 0 && mkfifo(fifo, 0600) == 0);
  cr_assert(unlink(path_of("%s/n/leaf_0.memmap", path)) == 0);
  const int64_t objects = td_live_objects(TD_OBJECT_MAPPING);
  const int before = descriptors();
  static const char *const keys[] = {"leaf_301", "leaf_302", "leaf_690"}, *const whys[] = {"link", "regular",
                                                                                           "4 bytes"};
  for (int bad = 0; bad < 3; ++bad) {
    for (int round = 0; round < 20; ++round) {
      td_dict *d = NULL;
      td_error *e = NULL;
      cr_assert_eq(td_open(TD_STR(path), NULL, &d, &e), TD_ERR_CORRUPT);
      cr_expect_null(d);
      cr_expect(strstr(td_error_key(e).data, keys[bad]), "%s", td_error_key(e).data);
      cr_expect(strstr(td_error_where(e).data, keys[bad]), "%s", td_error_where(e).data);
      cr_expect(strstr(td_error_message(e).data, whys[bad]), "%s", td_error_message(e).data);
      td_error_release(e);
      cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), objects);
    }
    const char *file = path_of("%s/%s.memmap", path, keys[bad]);
    unlink(file);
    int whole = open(file, O_WRONLY | O_CREAT, 0600);
    cr_assert(whole >= 0 && ftruncate(whole, ROWS * 600 * 4) == 0 && close(whole) == 0);
  }
  td_open_options lenient = TD_OPEN_OPTIONS_INIT;
  lenient.lenient = 1;
  td_dict *d = NULL;
  expect_error(td_open(TD_STR(path), NULL, &d, &err), TD_ERR_CORRUPT, NULL, "missing");
  must(td_open(TD_STR(path), &lenient, &d, &err));
  cr_expect_eq(td_dict_count(d), LEAVES + 1);
  cr_expect_eq(float_at(d, TD_KEY("n", "leaf_1")), LEAVES + 1);
  td_dict_release(d);
  cr_expect_eq(descriptors(), before);
}
