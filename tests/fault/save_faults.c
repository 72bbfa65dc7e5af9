/* Saves that are killed or run out of space: the path holds the old save or the new one, and nothing else stays. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "support/channels.h"

TestSuite(save_faults, .init = make_test_dir, .fini = remove_test_dir, .timeout = 1200);

static const td_open_options trusted = {.struct_size = sizeof(td_open_options), .trusted = 1};

static td_status overwrite(const td_dict *d, const char *path) {
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.overwrite = 1;
  return td_save(d, TD_STR(path), &options, NULL);
}

/* What a save of small_dict is made of. */
typedef struct save_form {
  const char *ending, *feature;
  size_t entries; /* with the directory that it lies in */
} save_form;
static const save_form directory = {"", NULL, 1 + 6};
static const save_form single_files[] = {
    {".td", NULL, 1 + 1}, {".tdz", "archive", 1 + 1}, {".safetensors", NULL, 1 + 1}, {".h5", "hdf5", 1 + 1}};
enum { SINGLE_FILES = sizeof single_files / sizeof *single_files };

static void kill_saves(const save_form *form, int rounds) {
  const char *path = path_of("%s/save%s", test_dir, form->ending);
  td_dict *d = small_dict(0);
  cr_assert_eq(overwrite(d, path), TD_OK);
  /* Kills come within the time of ten saves, however slow this machine is today. */
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  for (int i = 0; i < 5; ++i) cr_assert_eq(overwrite(d, path), TD_OK);
  clock_gettime(CLOCK_MONOTONIC, &after);
  long ten_saves = 2 * ((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec);
  float newest = 0;
  size_t leftovers = 0;
  srand(1);
  for (int round = 0; round < rounds || ((!leftovers || newest <= 1) && round < 40 * rounds); ++round) {
    pid_t pid = fork();
    if (pid == 0) {
      td_after_fork();
      for (int i = 1;; ++i) {
        td_dict *next = small_dict((float)i);
        if (overwrite(next, path)) _exit(1);
        td_dict_release(next);
      }
    }
    /* Starting the child may take longer than ten saves on a busy machine: later rounds wait longer. */
    long wait = 1000000 + (long)((double)rand() / RAND_MAX * (double)ten_saves * (1 + round / rounds));
    struct timespec pause = {wait / 1000000000, wait % 1000000000};
    nanosleep(&pause, NULL);
    kill(pid, SIGKILL);
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "%s: a save failed: %#x", path, status);
    td_dict *got = NULL;
    must(td_open(TD_STR(path), &trusted, &got, &err));
    td_tensor *b = tensor_at(got, TD_KEY("n", "b"));
    const void *data = NULL;
    must(td_tensor_data(b, &data, &err));
    float a = float_at(got, TD_KEY("a"));
    cr_expect_eq((float)*(const int64_t *)data, a, "%s: half of one save and half of another", path);
    newest = a > newest ? a : newest;
    leftovers += size_of_tree(test_dir).entries > form->entries;
    td_tensor_release(b), td_dict_release(got);
  }
  cr_expect(newest > 1, "%s: no save got through", path);
  cr_expect(leftovers > 0, "%s: no kill came at an interesting time", path);
  cr_expect_eq(overwrite(d, path), TD_OK);
  cr_expect_eq(size_of_tree(test_dir).entries, form->entries, "%s: the leftovers of killed saves are there", path);
  td_dict_release(d);
}

Test(save_faults, a_killed_save_leaves_the_old_or_the_new) {
  kill_saves(&directory, fault_rounds(150, 1500));
}

Test(save_faults, a_killed_save_of_a_file_leaves_the_old_or_the_new) {
  for (size_t i = 0; i < SINGLE_FILES; ++i) {
    if (single_files[i].feature && !td_has_feature(TD_STR(single_files[i].feature))) continue;
    kill_saves(&single_files[i], fault_rounds(60, 1000));
    remove_tree(path_of("%s/save%s", test_dir, single_files[i].ending));
  }
}

/* Makes entries in the directory until it is killed: tensors, and tensors in new nodes. */
static void make_entries(const char *path) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = TD_OPEN_READ_WRITE;
  td_dict *d = NULL;
  td_tensor *ones = NULL;
  if (td_open(TD_STR(path), &options, &d, NULL) ||
      td_tensor_full(TD_SHAPE(2, 500), TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32, TD_NO_STR, &ones, NULL))
    _exit(1);
  td_keys *keys = NULL;
  if (td_dict_keys(d, 0, &keys, NULL)) _exit(2);
  for (size_t i = td_keys_size(keys);; ++i) {
    const char *name = path_of("k%zu", i);
    td_status status = i % 2 ? td_dict_make_memmap_from(d, TD_KEY(name, "x", "y"), ones, NULL, NULL)
                             : td_dict_make_memmap_from(d, TD_KEY(name), ones, NULL, NULL);
    if (status != TD_OK) _exit(3);
  }
}

Test(save_faults, a_killed_maker_of_entries_leaves_a_directory_that_opens) {
  const char *path = path_of("%s/live", test_dir);
  td_dict *d = small_dict(1);
  cr_assert_eq(overwrite(d, path), TD_OK);
  size_t made = 0;
  srand(2);
  for (int round = 0; round < 60; ++round) {
    pid_t pid = fork();
    if (pid == 0) {
      td_after_fork();
      make_entries(path);
    }
    struct timespec pause = {0, 1000000 + rand() % 20000000};
    nanosleep(&pause, NULL);
    kill(pid, SIGKILL);
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "making entries failed: %#x", status);
    td_dict *got = NULL;
    td_keys *keys = NULL;
    must(td_open(TD_STR(path), &trusted, &got, &err));
    must(td_dict_keys(got, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, &err));
    for (size_t i = 2; i < td_keys_size(keys); ++i) {
      td_key key;
      must(td_keys_get(keys, i, &key, &err));
      cr_expect_eq(float_at(got, &key), 1, "an entry without its elements");
    }
    cr_expect(td_keys_size(keys) >= made, "an entry was lost");
    made = td_keys_size(keys);
    td_keys_release(keys), td_dict_release(got);
  }
  cr_expect(made > 2, "no entry got through");
  cr_expect_eq(overwrite(d, path), TD_OK);
  cr_expect_eq(size_of_tree(test_dir).entries, 1 + 6, "the next save does not clean up");
  td_dict_release(d);
}

/* Beyond its limit a process gets a signal from the system, unless it does not try. */
static int save_with_a_limit(const save_form *form) {
  const struct rlimit limit = {1 << 20, 1 << 20};
  td_dict *small = small_dict(1), *d = small_dict(2);
  td_tensor *t = NULL;
  td_segment *s = NULL;
  if (td_tensor_zeros(TD_SHAPE(2, 1 << 20), TD_DTYPE_FLOAT32, TD_NO_STR, &t, NULL) ||
      td_dict_set(d, TD_KEY("x"), t, NULL))
    return 1;
  const char *path = path_of("%s/limited%s", test_dir, form->ending);
  if (setrlimit(RLIMIT_FSIZE, &limit)) return 2;
  if (overwrite(small, path) != TD_OK) return 3;
  if (overwrite(d, path) != TD_ERR_NOSPACE) return 4;
  if (size_of_tree(test_dir).entries != form->entries) return 5;
  if (td_segment_create(TD_STR(channel_name), d, NULL, &s, NULL) != TD_ERR_NOSPACE) return 6;
  td_dict_release(small), td_dict_release(d), td_tensor_release(t);
  return 0;
}

static int save_on_a_small_disk(const save_form *form) {
  if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
      mount("tmpfs", test_dir, "tmpfs", 0, "size=1m"))
    return 77;
  td_dict *small = small_dict(1), *d = small_dict(2);
  td_tensor *t = NULL;
  if (td_tensor_zeros(TD_SHAPE(2, 1 << 20), TD_DTYPE_FLOAT32, TD_NO_STR, &t, NULL) ||
      td_dict_set(d, TD_KEY("x"), t, NULL))
    return 1;
  const char *path = path_of("%s/save%s", test_dir, form->ending);
  const char *first = path_of(form == &directory ? "%s/new/parent/save%s" : "%s/first%s", test_dir, form->ending);
  if (td_save(d, TD_STR(first), NULL, NULL) != TD_ERR_NOSPACE) return 2;
  if (size_of_tree(test_dir).entries != 1) return 3;
  if (overwrite(small, path) != TD_OK) return 4;
  if (overwrite(d, path) != TD_ERR_NOSPACE) return 5;
  if (size_of_tree(test_dir).entries != form->entries) return 6;
  td_dict *old = NULL;
  if (td_open(TD_STR(path), &trusted, &old, NULL) != TD_OK) return 7;
  if (float_at(old, TD_KEY("a")) != 1) return 8;
  td_dict_release(old);
  td_dict_release(small), td_dict_release(d), td_tensor_release(t);
  return 0;
}

/* `body` in a child for each form; 77: it may not do what it needs here. */
static void in_a_child(int (*body)(const save_form *)) {
  td_dict_release(small_dict(0));
  pick_name();
  for (size_t i = 0; i <= SINGLE_FILES; ++i) {
    const save_form *form = i < SINGLE_FILES ? &single_files[i] : &directory;
    if (form->feature && !td_has_feature(TD_STR(form->feature))) continue;
    pid_t pid = fork();
    if (pid == 0) {
      td_after_fork();
      _exit(body(form));
    }
    int status = -1;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
      cr_skip_test("a mount namespace of its own is not allowed here");
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "save%s: status %#x", form->ending, status);
    remove_tree(path_of("%s/limited%s", test_dir, form->ending));
  }
}

Test(save_faults, a_limit_of_the_process_is_an_error_and_not_a_signal) {
  in_a_child(save_with_a_limit);
}

Test(save_faults, a_full_disk_is_an_error_and_leaves_what_was_there) {
  in_a_child(save_on_a_small_disk);
}
