/* The targets without libFuzzer, for any compiler: all fixtures, seeds and findings, and then changes of them, the same in
 * every run. `replay [target...]`; TD_FUZZ_ROUNDS is the number of changed inputs for each target, TD_FUZZ_SEED another
 * choice of them. The input under way is kept in the file that a failure names. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "support/one_input.h"

enum { MOST_INPUTS = 4096, LONGEST = 1 << 17, SECONDS_FOR_ONE = 30, SECONDS_ASLEEP = 600 };

typedef struct input {
  uint8_t *bytes;
  size_t size;
  char *path;
} input;

static input inputs[MOST_INPUTS];
static size_t n_inputs;

/* ---- Inputs --------------------------------------------------------------------------------------------------------------- */

static int ends(const char *text, const char *with) {
  const size_t n = strlen(text), m = strlen(with);
  return n >= m && strcmp(text + n - m, with) == 0;
}

static void add_file(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f || n_inputs == MOST_INPUTS) {
    if (f) fclose(f);
    return;
  }
  input *in = &inputs[n_inputs++];
  static uint8_t all[LONGEST];
  in->size = fread(all, 1, LONGEST, f);
  in->bytes = malloc(in->size + 1);
  memcpy(in->bytes, all, in->size);
  in->path = strdup(path);
  fclose(f);
}

/* In the order of the names, so that every run is the same. */
static void add_files(const char *directory, const char *ending) {
  struct dirent **entries = NULL;
  const int n = scandir(directory, &entries, NULL, alphasort);
  for (int i = 0; i < n; ++i) {
    char path[4096];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.' && lstat(path, &s) == 0) {
      if (S_ISDIR(s.st_mode)) add_files(path, ending);
      if (S_ISREG(s.st_mode) && ends(path, ending)) add_file(path);
    }
    free(entries[i]);
  }
  free(entries);
}

static void find_inputs(const fuzz_target *target) {
  char directory[4096];
  for (size_t i = 0; i < n_inputs; ++i) free(inputs[i].bytes), free(inputs[i].path);
  n_inputs = 0;
  if (target->fixtures) add_files(TD_TEST_DATA "/fixtures", target->fixtures);
  snprintf(directory, sizeof directory, FUZZ_SOURCE "/seeds/%s", target->name);
  add_files(directory, "");
  hold(n_inputs > 0, "a target has seeds");
  snprintf(directory, sizeof directory, FUZZ_SOURCE "/findings/%s", target->name);
  add_files(directory, "");
}

/* ---- Changes -------------------------------------------------------------------------------------------------------------- */

static uint64_t state;

static uint64_t below(uint64_t n) { /* xorshift64* */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return n ? (state * 0x2545F4914F6CDD1DULL >> 11) % n : 0;
}

static size_t take_out(uint8_t *b, size_t size, size_t at, size_t n) {
  if (at + n > size) n = size - at;
  memmove(b + at, b + at + n, size - at - n);
  return size - n;
}

static size_t put_in(uint8_t *b, size_t size, size_t at, const uint8_t *from, size_t n) {
  if (size + n > LONGEST) return size;
  memmove(b + at + n, b + at, size - at);
  memcpy(b + at, from, n);
  return size + n;
}

static size_t change(uint8_t *b, size_t size) {
  static const char *const words[] = {"0",          "-1",      "1",   "9223372036854775807",
                                      "4294967296", "[]",      "{}",  "null",
                                      "\"\"",       "true",    "1e9", "[[",
                                      "\"a\":",     "\\u0000", "..",  "/",
                                      "%"};
  static const uint64_t numbers[] = {0,      1,          0x7F,       0x80,      0xFF,      0x7FFF,
                                     0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, INT64_MAX, UINT64_MAX};
  const size_t at = below(size);
  uint8_t copy[64];
  switch (below(size ? 8 : 1)) {
    case 0: {
      const char *word = words[below(sizeof words / sizeof *words)];
      return put_in(b, size, at, (const uint8_t *)word, strlen(word));
    }
    case 1:
      b[at] ^= (uint8_t)(1u << below(8));
      return size;
    case 2:
      b[at] = (uint8_t)below(256);
      return size;
    case 3:
      return take_out(b, size, at, 1 + below(below(4) ? 4 : 64));
    case 4: {
      const size_t n = 1 + below(sizeof copy - 1), from = below(size);
      memcpy(copy, b + from, from + n > size ? size - from : n);
      return put_in(b, size, at, copy, from + n > size ? size - from : n);
    }
    case 5: {
      const uint64_t number = numbers[below(sizeof numbers / sizeof *numbers)];
      const size_t width = (size_t)1 << below(4);
      if (at + width <= size) memcpy(b + at, &number, width);
      return size;
    }
    case 6: { /* a part of another input */
      const input *other = &inputs[below(n_inputs)];
      const size_t from = below(other->size), n = other->size - from < 256 ? other->size - from : 256;
      return put_in(b, size, at, other->bytes + from, n);
    }
    default:
      return below(8) ? size : at;
  }
}

/* ---- The run -------------------------------------------------------------------------------------------------------------- */

static uint8_t *kept; /* the input under way, and its size before it */
static char kept_path[256];

static void keep(const uint8_t *bytes, size_t size) {
  memcpy(kept, &size, sizeof size);
  memcpy(kept + sizeof size, bytes, size);
}

/* Leaves the input in a file of its length and says where. */
static void on_signal(int signal_number) {
  static const char text[] = "replay: stopped by a signal; the input is in ";
  size_t size;
  watch(WATCH_OFF);
  memcpy(&size, kept, sizeof size);
  const int fd = open(kept_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int fine = fd >= 0 && write(fd, kept + sizeof size, size) == (ssize_t)size;
  fine = write(2, text, sizeof text - 1) > 0 && write(2, kept_path, strlen(kept_path)) > 0 && write(2, "\n", 1) > 0 &&
         fine;
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  _exit(fine ? 1 : 2);
}

/* Of the processor's time, as others may be using it; and of the clock's, for what waits. */
static void limit_time(int seconds, unsigned asleep) {
  const struct itimerval limit = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, NULL);
  alarm(asleep);
}

static void run_kept(const fuzz_target *target, const uint8_t *bytes, size_t size) {
  keep(bytes, size);
  limit_time(SECONDS_FOR_ONE, SECONDS_ASLEEP);
  run_one(target, bytes, size);
  limit_time(0, 0);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void replay(const fuzz_target *target, long rounds, uint64_t seed) {
  const double start = seconds();
  begin_target(target->name);
  find_inputs(target);
  snprintf(kept_path, sizeof kept_path, "%s/fuzz-%s.input", TD_BUILD_DIR, target->name);
  for (size_t i = 0; i < n_inputs; ++i) run_kept(target, inputs[i].bytes, inputs[i].size);
  static uint8_t changed[LONGEST];
  state = seed;
  if (target->trusts) rounds = 0;
  for (long round = 0; round < rounds; ++round) {
    const input *from = &inputs[below(n_inputs)];
    size_t size = from->size;
    memcpy(changed, from->bytes, size);
    for (uint64_t n = 1 + below(4); n > 0; --n) size = change(changed, size);
    run_kept(target, changed, size);
  }
  printf("%-12s %4zu inputs, %ld changed ones, %.1f s\n", target->name, n_inputs, rounds, seconds() - start);
  fflush(stdout);
}

/* Inputs are small, so what they make the library take is too; a sanitizer needs the space for itself. */
static void limit_memory(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%lu", &pages) == 1) {
    const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)512 << 20);
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
  }
  if (f) fclose(f);
#endif
}

int main(int argc, char **argv) {
  const char *given = getenv("TD_FUZZ_ROUNDS"), *seed = getenv("TD_FUZZ_SEED");
  const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGALRM, SIGPROF, SIGFPE, SIGILL};
  kept = malloc(sizeof(size_t) + LONGEST);
  limit_memory();
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) signal(signals[i], on_signal);
  for (const fuzz_target *const *t = fuzz_targets; *t; ++t) {
    int wanted = argc < 2;
    for (int i = 1; i < argc; ++i) wanted |= strcmp(argv[i], (*t)->name) == 0;
    if (wanted) replay(*t, given ? atol(given) : 4000, seed ? strtoull(seed, NULL, 10) * 2 + 1 : 20261);
  }
  return 0;
}
