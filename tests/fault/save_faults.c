/* Saves that are killed or run out of space: the path holds the old save or the new one, and nothing else stays. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>

#include "support/files.h"
#include "support/small_dicts.h"

TestSuite(save_faults, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

static td_status overwrite(const td_dict *d, const char *path) {
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.overwrite = 1;
  return td_save(d, TD_STR(path), &options, NULL);
}

Test(save_faults, a_killed_save_leaves_the_old_or_the_new) {
  const char *path = path_of("%s/save", test_dir);
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
  for (int round = 0; round < 150; ++round) {
    pid_t pid = fork();
    if (pid == 0) {
      td_after_fork();
      for (int i = 1;; ++i) {
        td_dict *next = small_dict((float)i);
        if (overwrite(next, path)) _exit(1);
        td_dict_release(next);
      }
    }
    long wait = 1000000 + (long)((double)rand() / RAND_MAX * (double)ten_saves);
    struct timespec pause = {wait / 1000000000, wait % 1000000000};
    nanosleep(&pause, NULL);
    kill(pid, SIGKILL);
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "a save failed: %#x", status);
    td_dict *got = NULL;
    ok(td_open(TD_STR(path), NULL, &got, err));
    td_tensor *b = tensor_at(got, TD_KEY("n", "b"));
    const void *data = NULL;
    ok(td_tensor_data(b, &data, err));
    float a = float_at(got, TD_KEY("a"));
    cr_expect_eq((float)*(const int64_t *)data, a, "half of one save and half of another");
    newest = a > newest ? a : newest;
    leftovers += size_of_tree(test_dir).entries > 1 + 6;
    td_tensor_release(b), td_dict_release(got);
  }
  cr_expect(newest > 1, "no save got through");
  cr_expect(leftovers > 0, "no kill came at an interesting time");
  cr_expect_eq(overwrite(d, path), TD_OK);
  cr_expect_eq(size_of_tree(test_dir).entries, 1 + 6, "the leftovers of killed saves are still there");
  td_dict_release(d);
}

/* Makes entries in the directory for ever: tensors, and tensors in new nodes. */
static void make_entries(const char *path) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = TD_MODE_READ_WRITE;
  td_dict *d = NULL;
  td_tensor *ones = NULL;
  if (td_open(TD_STR(path), &options, &d, NULL) ||
      td_tensor_full(TD_SHAPE(2, 500), 1, TD_FLOAT32, TD_NO_STR, &ones, NULL))
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
    ok(td_open(TD_STR(path), NULL, &got, err));
    ok(td_dict_keys(got, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, err));
    for (size_t i = 2; i < td_keys_size(keys); ++i) {
      td_key key;
      ok(td_keys_get(keys, i, &key, err));
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

static int save_on_a_small_disk(void) {
  if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
      mount("tmpfs", test_dir, "tmpfs", 0, "size=1m"))
    return 77;
  td_dict *small = small_dict(1), *d = small_dict(2);
  td_tensor *t = NULL;
  if (td_tensor_zeros(TD_SHAPE(2, 1 << 20), TD_FLOAT32, TD_NO_STR, &t, NULL) || td_dict_set(d, TD_KEY("x"), t, NULL))
    return 1;
  const char *path = path_of("%s/save", test_dir);
  if (td_save(d, TD_STR(path_of("%s/new/parent/save", test_dir)), NULL, NULL) != TD_ERR_NOSPACE) return 2;
  if (size_of_tree(test_dir).entries != 1) return 3;
  if (overwrite(small, path) != TD_OK) return 4;
  if (overwrite(d, path) != TD_ERR_NOSPACE) return 5;
  if (size_of_tree(test_dir).entries != 1 + 6) return 6;
  if (float_at(small, TD_KEY("a")) != 1) return 7;
  td_dict_release(small), td_dict_release(d), td_tensor_release(t);
  return 0;
}

Test(save_faults, a_full_disk_is_an_error_and_leaves_what_was_there) {
  td_dict_release(small_dict(0));
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    _exit(save_on_a_small_disk());
  }
  int status = -1;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) cr_skip_test("a mount namespace of its own is not allowed here");
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
}
