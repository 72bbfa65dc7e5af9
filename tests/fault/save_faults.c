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
    cr_expect(WIFSIGNALED(status), "a save failed");
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
