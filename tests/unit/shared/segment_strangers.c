/* Another user takes the name of the hidden file that this user's processes agree through: they agree nevertheless. */
#include "support/td.h"
#include "support/users.h"

TestSuite(segment_strangers, .init = make_test_dir, .fini = remove_test_dir);

#define REGISTRY "/dev/shm/.td.61001.registry" /* of VICTIM */
enum { PROCESSES = 8 };

static int make_file(void *path) {
  const int fd = open(path, O_CREAT | O_WRONLY, 0600);
  return fd >= 0 && write(fd, "x", 1) == 1 ? 0 : 1;
}
static int make_open_file(void *path) {
  const int fd = open(path, O_CREAT | O_WRONLY, 0666);
  return fd >= 0 && fchmod(fd, 0666) == 0 ? 0 : 1;
}
static int make_fifo(void *path) {
  return mkfifo(path, 0666);
}
static int make_directory(void *path) {
  return mkdir(path, 0777);
}
static int make_link(void *path) {
  return symlink("/dev/shm/.td.nobody", path);
}

/* How many files of the victim beside the usual name there are. */
static int fallbacks(void) {
  int n = 0;
  DIR *d = opendir("/dev/shm");
  for (struct dirent *e; (e = readdir(d));) n += strncmp(e->d_name, ".td.61001.registry.", 19) == 0;
  closedir(d);
  return n;
}

static void clean_up(void) {
  DIR *d = opendir("/dev/shm");
  for (struct dirent *e; (e = readdir(d));)
    if (strncmp(e->d_name, ".td.61001.registry", 18) == 0 || strncmp(e->d_name, "td-strangers-", 13) == 0)
      remove_tree(path_of("/dev/shm/%s", e->d_name));
  closedir(d);
}

static td_status make_segment(int i, td_segment **out) {
  td_dict *d;
  td_tensor *x = full_f32(1, TD_SHAPE(2));
  must(td_dict_new(TD_SHAPE(2), NULL, &d, &err));
  must(td_dict_set(d, TD_KEY("x"), x, &err));
  const td_status status = td_segment_create(TD_STR(path_of("td-strangers-%d", i)), d, NULL, out, &err);
  if (status != TD_OK) fprintf(stderr, "%s\n", td_error_message(err).data);
  td_tensor_release(x), td_dict_release(d);
  return status;
}

/* All at once: each makes a segment and waits for the end of the pipe, holding it. */
static void hold_segment(int i, const int begin[2], const int made[2], const int end[2]) {
  td_segment *s;
  char c;
  td_after_fork();
  close(begin[1]), close(end[1]);
  if (read(begin[0], &c, 1) != 0 || make_segment(i, &s) != TD_OK || write(made[1], "+", 1) != 1) _exit(1);
  if (read(end[0], &c, 1) != 0) _exit(2);
  _exit(0); /* without a release: what a killed owner leaves */
}

static int64_t pruned(void) {
  int64_t n = -1;
  must(td_segment_prune(TD_STR("td-strangers-"), &n, &err));
  return n;
}

static int live_and_die(void *context) {
  (void)context;
  int begin[2], made[2], end[2], good = pipe(begin) == 0 && pipe(made) == 0 && pipe(end) == 0;
  pid_t children[PROCESSES];
  for (int i = 0; i < PROCESSES; ++i)
    if ((children[i] = fork()) == 0) hold_segment(i, begin, made, end);
  close(begin[1]), close(made[1]);
  char c;
  int n = 0;
  while (n < PROCESSES && read(made[0], &c, 1) == 1) ++n;
  good = good && n == PROCESSES && pruned() == 0; /* their owners live */
  close(end[1]);
  for (int i = 0; i < PROCESSES; ++i) {
    int status = -1;
    good = waitpid(children[i], &status, 0) == children[i] && status == 0 && good;
  }
  return good && pruned() == PROCESSES ? 0 : 1;
}

Test(segment_strangers, a_name_that_a_stranger_has_taken_keeps_nobody_from_sharing) {
  int (*const ways[])(void *) = {make_file, make_open_file, make_fifo, make_directory, make_link};
  if (!can_be_others("segment_strangers")) return;
  if (!td_has_feature(TD_STR("segment"))) cr_skip_test("there is no shared memory here");
  clean_up();
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    check(as_user(STRANGER, STRANGER, ways[i], (void *)REGISTRY) == 0);
    for (int again = 0; again < 2; ++again) {
      check(as_user(VICTIM, VICTIM, live_and_die, NULL) == 0);
      cr_expect_eq(fallbacks(), 1, "way %zu: %d files", i, fallbacks());
    }
    remove_tree(REGISTRY); /* as root would: the other one stays in use */
    check(as_user(VICTIM, VICTIM, live_and_die, NULL) == 0);
    check(fallbacks() == 1 && !there(REGISTRY));
    clean_up();
  }
  check(as_user(VICTIM, VICTIM, live_and_die, NULL) == 0);
  check(fallbacks() == 0 && there(REGISTRY));
  clean_up();
}
