/* A directory for one process, and a watch over what the library opens: this program's open stands before the C
 * library's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/fuzz.h"

enum { PATHS = 8, LENGTH = 512 };

static char directory[64];
static char also[4][LENGTH];
static __thread int watched;

/* ---- The watch ------------------------------------------------------------------------------------------------------------ */

void watch(int how) {
  watched = how;
}

void watch_also(const char *path) {
  for (size_t i = 0; i < 4; ++i)
    if (!also[i][0]) {
      snprintf(also[i], LENGTH, "%s", path);
      return;
    }
  hold(0, "there is room for one more path");
}

static int begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static void expect_inside(int dir, const char *path, int flags) {
  if (!watched) return;
  const int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  for (size_t i = 0; i < 4; ++i)
    if (also[i][0] && strcmp(path, also[i]) == 0) return;
  int fine;
  if (path[0] == '/' || dir == AT_FDCWD)
    fine = (begins(path, directory) && !strstr(path, "/..")) ||
           (!writes && (begins(path, "/proc/") || begins(path, "/sys/") || strcmp(path, "/dev/urandom") == 0));
  else
    fine = !strchr(path, '/') && strcmp(path, "..") != 0;
  if (writes && watched != WATCH_WRITING) fine = 0;
  if (fine) return;
  watched = WATCH_OFF;
  fprintf(stderr, "opened%s: %s\n", writes ? " to be written" : "", path);
  hold(0, "nothing outside of the given path is opened");
}

#define VISIBLE __attribute__((visibility("default")))
#define INSTEAD(name, ...)                             \
  static int (*real)(__VA_ARGS__);                     \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, name); \
  mode_t mode = 0;                                     \
  if (flags & (O_CREAT | O_TMPFILE)) {                 \
    va_list rest;                                      \
    va_start(rest, flags);                             \
    mode = (mode_t)va_arg(rest, unsigned);             \
    va_end(rest);                                      \
  }

VISIBLE int open(const char *path, int flags, ...) {
  INSTEAD("open", const char *, int, ...)
  expect_inside(AT_FDCWD, path, flags);
  return real(path, flags, mode);
}
VISIBLE int open64(const char *path, int flags, ...) {
  INSTEAD("open64", const char *, int, ...)
  expect_inside(AT_FDCWD, path, flags);
  return real(path, flags, mode);
}
VISIBLE int openat(int dir, const char *path, int flags, ...) {
  INSTEAD("openat", int, const char *, int, ...)
  expect_inside(dir, path, flags);
  return real(dir, path, flags, mode);
}
VISIBLE int openat64(int dir, const char *path, int flags, ...) {
  INSTEAD("openat64", int, const char *, int, ...)
  expect_inside(dir, path, flags);
  return real(dir, path, flags, mode);
}

/* ---- The directory -------------------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where) {
  (void)s, (void)kind, (void)where;
  return remove(path);
}

static void remove_sandbox(void) {
  nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* What a fuzzer left that crashed. */
static void remove_old_ones(const char *parent) {
  DIR *d = opendir(parent);
  for (const struct dirent *entry; d && (entry = readdir(d));) {
    int pid = 0;
    char path[LENGTH];
    if (sscanf(entry->d_name, "td-fuzz.%d", &pid) != 1 || pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH) continue;
    snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  }
  if (d) closedir(d);
}

const char *sandbox(void) {
  if (directory[0]) return directory;
  const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  remove_old_ones(parent);
  snprintf(directory, sizeof directory, "%s/td-fuzz.%d", parent, (int)getpid());
  hold(mkdir(directory, 0700) == 0, "the sandbox can be made");
  atexit(remove_sandbox);
  return directory;
}

const char *inside(const char *name) {
  static char paths[PATHS][LENGTH];
  static size_t next;
  char *path = paths[next++ % PATHS];
  snprintf(path, LENGTH, "%s/%s", sandbox(), name);
  return path;
}

void put_file(const char *name, const void *bytes, size_t size) {
  char path[LENGTH];
  snprintf(path, sizeof path, "%s", inside(name));
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 && errno == ENOENT) {
    for (char *slash = path + strlen(sandbox()) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
      *slash = '\0';
      mkdir(path, 0700);
    }
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }
  hold(fd >= 0, "a file of the sandbox can be made");
  for (const char *at = bytes; size > 0;) {
    const ssize_t n = write(fd, at, size);
    hold(n > 0, "a file of the sandbox can be written");
    at += n, size -= (size_t)n;
  }
  close(fd);
}

void drop_file(const char *name) {
  unlink(inside(name));
}
