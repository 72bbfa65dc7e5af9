/* Segments that are cut, flipped, forged or abandoned: the reader errs cleanly or reads in bounds; nobody hangs, and
 * nothing but a complete segment is ever visible. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>

#include "support/crc32c.h"
#include "support/files.h"
#include "support/small_dicts.h"

static char name[64], file[128];

static void pick_name(void) {
  snprintf(name, sizeof name, "td-fault-%ld", (long)getpid());
  snprintf(file, sizeof file, "/dev/shm/%s", name);
  unlink(file);
}

static void remove_name(void) {
  remove_tree(file);
}

TestSuite(segment_faults, .init = pick_name, .fini = remove_name, .timeout = 1200);

/* A kept segment of small_dict(1), as bytes; free them. */
static unsigned char *segment_bytes(size_t *size) {
  td_dict *d = small_dict(1);
  td_segment_options keep = TD_SEGMENT_OPTIONS_INIT;
  keep.keep = 1;
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(name), d, &keep, &s, &err));
  td_segment_release(s), td_dict_release(d);
  return (unsigned char *)file_bytes(file, size);
}

static void replace_segment(const void *bytes, size_t size) {
  unlink(file);
  int fd = open(file, O_CREAT | O_EXCL | O_WRONLY, 0600);
  cr_assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
  close(fd);
}

static unsigned sum_of_reads; /* keeps the reads from being optimised away */

/* Opens the segment and reads every byte of every tensor. */
static td_status open_and_read(void) {
  td_segment *s = NULL;
  td_status status = td_segment_open(TD_STR(name), NULL, &s, NULL);
  if (status != TD_OK) return status;
  td_dict *d = NULL;
  td_keys *keys = NULL;
  must(td_segment_dict(s, &d, &err));
  must(td_dict_keys(d, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    must(td_keys_get(keys, i, &key, &err));
    td_tensor *t = tensor_at(d, &key);
    const void *data = NULL;
    must(td_tensor_data(t, &data, &err));
    for (int64_t k = 0; k < td_tensor_nbytes(t); ++k) sum_of_reads += ((const unsigned char *)data)[k];
    td_tensor_release(t);
  }
  td_keys_release(keys), td_dict_release(d), td_segment_release(s);
  return TD_OK;
}

static int64_t get64(const unsigned char *p) {
  int64_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

Test(segment_faults, every_truncation_is_refused) {
  size_t n = 0;
  unsigned char *bytes = segment_bytes(&n);
  for (size_t k = 0; k < n; ++k) {
    replace_segment(bytes, 0);
    cr_assert_eq(truncate(file, 0), 0);
    int fd = open(file, O_WRONLY);
    cr_assert(pwrite(fd, bytes, k, 0) == (ssize_t)k);
    close(fd);
    cr_expect_eq(open_and_read(), TD_ERR_CORRUPT, "cut at %zu", k);
  }
  replace_segment(bytes, n);
  cr_expect_eq(open_and_read(), TD_OK);
  int fd = open(file, O_WRONLY | O_APPEND);
  cr_assert(write(fd, "x", 1) == 1);
  close(fd);
  cr_expect_eq(open_and_read(), TD_ERR_CORRUPT, "longer than it says");
  free(bytes);
}

Test(segment_faults, every_flipped_bit_of_header_and_metadata_is_refused) {
  size_t n = 0, harmless = 0;
  unsigned char *bytes = segment_bytes(&n);
  size_t meta = (size_t)get64(bytes + 56), counter = 256;
  int fd = open(file, O_RDWR);
  for (size_t at = 0; at < n; ++at) {
    if (at == 4096) at = meta; /* the tensors between may be anything */
    for (int bit = 0; bit < 8; ++bit) {
      unsigned char flipped = (unsigned char)(bytes[at] ^ (1 << bit));
      cr_assert(pwrite(fd, &flipped, 1, (off_t)at) == 1);
      td_status status = open_and_read();
      bool version = at >= counter && at < counter + 8;
      harmless += version;
      cr_expect(version ? status == TD_OK : status == TD_ERR_CORRUPT || status == TD_ERR_VERSION,
                "bit %d of byte %zu: %s", bit, at, td_status_name(status).data);
    }
    cr_assert(pwrite(fd, bytes + at, 1, (off_t)at) == 1);
  }
  cr_expect_eq(harmless, 64);
  cr_expect_eq(open_and_read(), TD_OK);
  close(fd), free(bytes);
}

static uint64_t random_state = 88172645463325252u;
static uint64_t random_below(uint64_t n) {
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return random_state % n;
}

Test(segment_faults, forged_checksums_never_lead_out_of_bounds) {
  static const char digits[] = "0123456789-9999eE.,[]{}\":null";
  size_t n = 0, accepted = 0;
  unsigned char *bytes = segment_bytes(&n), *forged = malloc(n);
  size_t meta = (size_t)get64(bytes + 56), length = (size_t)get64(bytes + 64);
  int fd = open(file, O_RDWR);
  for (int round = 0; round < 20000; ++round) {
    memcpy(forged, bytes, n);
    for (uint64_t edits = 1 + random_below(3); edits > 0; --edits) {
      if (random_below(4))
        forged[meta + random_below(length)] = (unsigned char)digits[random_below(sizeof digits - 1)];
      else
        forged[8 + random_below(88)] = (unsigned char)random_below(256);
    }
    uint32_t crc = crc32c(forged + meta, length);
    memcpy(forged + 92, &crc, 4);
    crc = crc32c(forged, 252);
    memcpy(forged + 252, &crc, 4);
    cr_assert(pwrite(fd, forged, n, 0) == (ssize_t)n);
    td_status status = open_and_read();
    accepted += status == TD_OK;
    cr_expect(status == TD_OK || status == TD_ERR_CORRUPT || status == TD_ERR_VERSION || status == TD_ERR_DTYPE ||
                  status == TD_ERR_UNSUPPORTED,
              "%s", td_status_name(status).data);
  }
  cr_expect(accepted > 0 && accepted < 20000, "%zu accepted: the mutations test nothing", accepted);
  close(fd), free(bytes), free(forged);
}

/* Runs `body` in a child until it is killed after a random time, `rounds` times; `after_death` runs after each death. */
static void kill_again_and_again(int rounds, void (*body)(int round), void (*after_death)(int round)) {
  /* Kills come within the time of twenty calls, however slow this machine is today. */
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  for (int i = 0; i < 10; ++i) body(i);
  clock_gettime(CLOCK_MONOTONIC, &after);
  int64_t twenty_calls = 2 * ((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec);
  for (int round = 0; round < rounds; ++round) {
    int ends[2]; /* on a busy machine the child may begin late */
    cr_assert_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
      td_after_fork();
      if (write(ends[1], "x", 1) != 1) _exit(9);
      for (int i = 0;; ++i) body(i);
    }
    char begun;
    cr_assert_eq(read(ends[0], &begun, 1), 1);
    close(ends[0]), close(ends[1]);
    long wait = 2000000 + (long)random_below((uint64_t)twenty_calls);
    struct timespec pause = {wait / 1000000000, wait % 1000000000};
    nanosleep(&pause, NULL);
    kill(pid, SIGKILL);
    cr_assert_eq(waitpid(pid, NULL, 0), pid);
    after_death(round);
  }
}

/* Files in `directory` whose names begin with `prefix`. */
static size_t count_files(const char *directory, const char *prefix) {
  size_t n = 0;
  DIR *d = opendir(directory);
  for (struct dirent *e; d && (e = readdir(d));) n += strncmp(e->d_name, prefix, strlen(prefix)) == 0;
  if (d) closedir(d);
  return n;
}

static int segments_seen;

static void create_and_drop(int i) {
  td_dict *d = small_dict((float)i);
  td_segment *s = NULL;
  if (td_segment_create(TD_STR(name), d, NULL, &s, NULL)) _exit(1);
  for (int k = 0; k < 4; ++k) /* so that it is there for a good part of the time */
    if (td_segment_update(s, d, NULL)) _exit(2);
  td_segment_release(s), td_dict_release(d);
}

static void complete_or_absent(int round) {
  td_status status = open_and_read();
  segments_seen += status == TD_OK;
  cr_expect(status == TD_OK || status == TD_ERR_NOT_FOUND, "round %d: %s", round, td_status_name(status).data);
  if (status != TD_OK) return;
  td_dict *d = small_dict(0);
  td_segment *s = NULL;
  expect_error(td_segment_create(TD_STR(name), d, NULL, &s, &err), TD_ERR_EXISTS, NULL, "has ended");
  td_dict_release(d);
  must(td_segment_unlink(TD_STR(name), &err));
}

Test(segment_faults, a_killed_creator_leaves_a_complete_segment_or_none) {
  td_dict_release(small_dict(0)); /* what LibTorch starts lazily starts before the forks */
  for (int tries = 0; tries < 10 && segments_seen == 0; ++tries)
    kill_again_and_again(150, create_and_drop, complete_or_absent);
  cr_expect(segments_seen > 0, "none was killed at an interesting time");
  cr_expect_eq(count_files("/dev/shm", name), 0, "something was left in /dev/shm");
}

static int create_in_small_memory(void) {
  if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
      mount("tmpfs", "/dev/shm", "tmpfs", 0, "size=1m"))
    return 77;
  td_dict *d = NULL;
  td_tensor *t = NULL;
  td_segment *s = NULL;
  int64_t size = 1 << 20;
  if (td_dict_new(NULL, 0, NULL, &d, NULL)) return 1;
  if (td_tensor_zeros(&size, 1, TD_DTYPE_FLOAT32, TD_NO_STR, &t, NULL) || td_dict_set(d, TD_KEY("x"), t, NULL))
    return 2;
  for (int i = 0; i < 3; ++i)
    if (td_segment_create(TD_STR(name), d, NULL, &s, NULL) != TD_ERR_NOSPACE || s) return 3;
  if (count_files("/dev/shm", "") != 2) return 4; /* . and .. */
  td_dict_release(d), td_tensor_release(t);
  d = small_dict(1);
  if (td_segment_create(TD_STR(name), d, NULL, &s, NULL)) return 5; /* the space came back */
  td_segment_release(s), td_dict_release(d);
  return 0;
}

Test(segment_faults, full_shared_memory_is_an_error_and_not_a_signal) {
  td_dict_release(small_dict(0));
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    _exit(create_in_small_memory());
  }
  int status = -1;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) cr_skip_test("a mount namespace of its own is not allowed here");
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
}
