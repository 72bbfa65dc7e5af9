/* Files and directories for tests: each test works in a directory of its own below the system's temporary one. */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_UNUSED __attribute__((unused))

/* A path from parts; the last 256 results stay valid. */
FILES_UNUSED __attribute__((format(printf, 1, 2))) static const char *path_of(const char *format, ...) {
  static char ring[256][PATH_MAX];
  static int next;
  char *text = ring[next++ % 256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, PATH_MAX, format, args);
  va_end(args);
  return text;
}

FILES_UNUSED static char test_dir[PATH_MAX];

/* Makes `test_dir`; remove_test_dir takes it away with all it holds. */
FILES_UNUSED static void make_test_dir(void) {
  const char *tmp = getenv("TMPDIR");
  snprintf(test_dir, sizeof test_dir, "%s/td-test-XXXXXX", tmp ? tmp : "/tmp");
  cr_assert_not_null(mkdtemp(test_dir));
}

FILES_UNUSED static void remove_tree(const char *path) {
  struct stat s;
  if (lstat(path, &s) != 0) return;
  if (S_ISDIR(s.st_mode)) {
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));)
      if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
        char below[PATH_MAX];
        if (snprintf(below, sizeof below, "%s/%s", path, e->d_name) < PATH_MAX) remove_tree(below);
      }
    if (d) closedir(d);
    rmdir(path);
  } else {
    unlink(path);
  }
}

FILES_UNUSED static void remove_test_dir(void) {
  remove_tree(test_dir);
}

FILES_UNUSED static bool there(const char *path) {
  struct stat s;
  return lstat(path, &s) == 0;
}

/* The bytes of a file, with a NUL behind them; free them. NULL if it cannot be read. */
FILES_UNUSED static char *file_bytes(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  rewind(f);
  char *bytes = calloc(1, (size_t)n + 1);
  *size = fread(bytes, 1, (size_t)n, f);
  fclose(f);
  return bytes;
}

FILES_UNUSED static void write_file(const char *path, const void *bytes, size_t size) {
  FILE *f = fopen(path, "wb");
  cr_assert(f, "cannot write %s: %s", path, strerror(errno));
  cr_assert_eq(fwrite(bytes, 1, size, f), size);
  fclose(f);
}

FILES_UNUSED static void write_text(const char *path, const char *text) {
  write_file(path, text, strlen(text));
}

FILES_UNUSED static void make_dir(const char *path) {
  cr_assert_eq(mkdir(path, 0777), 0, "cannot make %s: %s", path, strerror(errno));
}

FILES_UNUSED static void copy_tree(const char *from, const char *to) {
  struct stat s;
  cr_assert_eq(lstat(from, &s), 0, "no %s", from);
  if (!S_ISDIR(s.st_mode)) {
    size_t n;
    char *bytes = file_bytes(from, &n);
    cr_assert(bytes, "cannot read %s", from);
    write_file(to, bytes, n);
    free(bytes);
    return;
  }
  make_dir(to);
  DIR *d = opendir(from);
  for (struct dirent *e; (e = readdir(d));)
    if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
      char a[PATH_MAX], b[PATH_MAX];
      snprintf(a, sizeof a, "%s/%s", from, e->d_name);
      snprintf(b, sizeof b, "%s/%s", to, e->d_name);
      copy_tree(a, b);
    }
  closedir(d);
}

/* Files and directories below `path`, and bytes in them: changes show in the pair. */
typedef struct tree_size {
  size_t entries;
  long long bytes;
} tree_size;

FILES_UNUSED static tree_size size_of_tree(const char *path) {
  tree_size sum = {0, 0};
  struct stat s;
  if (lstat(path, &s) != 0) return sum;
  sum.entries = 1;
  if (!S_ISDIR(s.st_mode)) {
    sum.bytes = s.st_size;
    return sum;
  }
  DIR *d = opendir(path);
  for (struct dirent *e; d && (e = readdir(d));)
    if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
      char below[PATH_MAX];
      snprintf(below, sizeof below, "%s/%s", path, e->d_name);
      tree_size more = size_of_tree(below);
      sum.entries += more.entries;
      sum.bytes += more.bytes;
    }
  if (d) closedir(d);
  return sum;
}

/* Expects every file below `want` to be below `got` with the same bytes. */
FILES_UNUSED static void expect_same_files(const char *want, const char *got) {
  struct stat s;
  cr_assert_eq(lstat(want, &s), 0, "no %s", want);
  if (!S_ISDIR(s.st_mode)) {
    size_t n = 0, m = 0;
    char *a = file_bytes(want, &n), *b = file_bytes(got, &m);
    cr_expect(a && b && n == m && memcmp(a, b, n) == 0, "%s differs from %s:\n  %.300s\n  %.300s", got, want, a, b);
    free(a), free(b);
    return;
  }
  DIR *d = opendir(want);
  for (struct dirent *e; (e = readdir(d));)
    if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
      char a[PATH_MAX], b[PATH_MAX];
      snprintf(a, sizeof a, "%s/%s", want, e->d_name);
      snprintf(b, sizeof b, "%s/%s", got, e->d_name);
      expect_same_files(a, b);
    }
  closedir(d);
}

/* How many descriptors this process has. */
FILES_UNUSED static int descriptors(void) {
  int n = 0;
  DIR *d = opendir("/proc/self/fd");
  while (readdir(d)) ++n;
  closedir(d);
  return n;
}

#endif
