#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "support/children.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/fuzz.h"
#include "support/random.h"

enum { LOG_SIZE = 1 << 20, COUNTS = 4096, OBJECTS = 64, SECONDS = 30, SECONDS_ASLEEP = 300, FAILED = 77 };

typedef struct shared {
  int64_t calls, succeeded;
  int64_t counts[COUNTS];
  size_t used;
  char why[1 << 14];
  char log[LOG_SIZE];
} shared;
static shared *between_us;

uint64_t random_state = 1;
static char directory[128], prefix[64];

const char *child_directory(void) {
  return directory;
}
const char *child_prefix(void) {
  return prefix;
}
int64_t *shared_counts(void) {
  return between_us->counts;
}

void child_log(const char *format, va_list arguments) {
  shared *s = between_us;
  const size_t left = LOG_SIZE - s->used;
  const int n = vsnprintf(s->log + s->used, left, format, arguments);
  if (n > 0) s->used += (size_t)n < left ? (size_t)n : left - 1;
}

void child_fails(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(between_us->why, sizeof between_us->why, format, arguments);
  va_end(arguments);
  if (getenv("TD_FUZZ_ABORT")) abort(); /* for a debugger */
  _exit(FAILED);
}

void count_result(int succeeded) {
  between_us->calls += 1;
  between_us->succeeded += succeeded != 0;
}

/* ---- Limits --------------------------------------------------------------------------------------------------------- */

static void limit(int what, rlim_t most) {
  setrlimit((__rlimit_resource_t)what, &(struct rlimit){most, most});
}

static void limit_child(void) {
  limit(RLIMIT_CPU, SECONDS);
  limit(RLIMIT_FSIZE, (rlim_t)256 << 20);
  limit(RLIMIT_CORE, 0);
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  alarm(SECONDS_ASLEEP);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
  mallopt(M_ARENA_MAX,
          2); /* each thread's own would reserve 64 MiB of the limit, and glibc aborts where none is left */
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%lu", &pages) == 1)
    limit(RLIMIT_AS, (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)768 << 20));
  if (f) fclose(f);
#endif
}

/* ---- What a child leaves -------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where) {
  (void)s, (void)kind, (void)where;
  return remove(path);
}

static void remove_names(const char *parent) {
  DIR *d = opendir(parent);
  for (const struct dirent *entry; d && (entry = readdir(d));) {
    char path[512];
    if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  }
  if (d) closedir(d);
}

static void make_directory(void) {
  const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(prefix, sizeof prefix, "td-fuzz-%ld-", (long)getpid());
  snprintf(directory, sizeof directory, "%s/td-fuzz.%ld", parent, (long)getpid());
  nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  hold(mkdir(directory, 0700) == 0, "a child has a directory");
}

static void clean_up(void) {
  nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  remove_names("/dev/shm");
}

/* ---- A child -------------------------------------------------------------------------------------------------------- */

enum { FILES = 256 };

/* The registry of segments stays open as long as a process. Gloo 0.5 leaves its list of devices and its epoll, which
 * nothing else here uses, open if memory ends while it makes a device. */
static int may_stay_open(const char *name) {
  return strstr(name, ".registry") || strcmp(name, "/sys/bus/pci/devices") == 0 ||
         strcmp(name, "anon_inode:[eventpoll]") == 0;
}

/* What each descriptor stands for. */
static void files_open(char names[FILES][64]) {
  for (int fd = 0; fd < FILES; ++fd) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(path, names[fd], 63);
    names[fd][n > 0 ? n : 0] = '\0';
  }
}

static int has_graphs;

void child_has_graphs(void) {
  has_graphs = 1;
}

static void run_child(const fuzz_run *run, uint64_t seed) {
  int64_t before[OBJECTS];
  td_after_fork();
  hold(chdir(directory) == 0, "a child works in its directory");
  limit_child();
  random_seed(seed);
  for (int kind = 0; kind < OBJECTS; ++kind) before[kind] = td_live_objects(kind);
  const int64_t mapped = td_live_bytes();
  static char files[FILES][64], files_now[FILES][64];
  files_open(files);
  run->child(seed);
  for (int kind = 0; kind < OBJECTS; ++kind)
    if (td_live_objects(kind) != before[kind] && !(has_graphs && kind == TD_OBJECT_MAPPING))
      child_fails("%lld objects of kind %d are left, and there were %lld", (long long)td_live_objects(kind), kind,
                  (long long)before[kind]);
  if (td_live_bytes() != mapped && !has_graphs) child_fails("%lld bytes are mapped", (long long)td_live_bytes());
  files_open(files_now);
  for (int fd = 0; fd < FILES; ++fd)
    if (strcmp(files[fd], files_now[fd]) != 0 && !may_stay_open(files_now[fd]))
      child_fails("the file %d is open: %s", fd, files_now[fd]);
  fflush(NULL);
#if defined(__SANITIZE_ADDRESS__)
  exit(0); /* the detector of leaks runs at the exit */
#else
  _exit(0);
#endif
}

static const char *ending(int status) {
  static char text[64];
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return "it slept too long";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return "it took too much of the processor's time";
  if (WIFSIGNALED(status)) snprintf(text, sizeof text, "it died of %s", strsignal(WTERMSIG(status)));
  if (WIFEXITED(status)) snprintf(text, sizeof text, "it ended with %d", WEXITSTATUS(status));
  return text;
}

static int run_seed(const fuzz_run *run, uint64_t seed) {
  make_directory();
  between_us->used = 0, between_us->log[0] = '\0', between_us->why[0] = '\0';
  fflush(NULL);
  const pid_t child = fork();
  hold(child >= 0, "there is room for a child");
  if (child == 0) run_child(run, seed);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  clean_up();
  const int failed = status != 0;
  if (run->verbose && !failed) printf("---- seed %llu\n%s", (unsigned long long)seed, between_us->log);
  if (failed)
    fprintf(stderr, "---- seed %llu, what it did:\n%s\n%s: seed %llu fails: %s\n", (unsigned long long)seed,
            between_us->log, run->name, (unsigned long long)seed,
            between_us->why[0] ? between_us->why : ending(status));
  return failed;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int run_children(const fuzz_run *run) {
  between_us = mmap(NULL, sizeof *between_us, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  hold(between_us != MAP_FAILED, "there is room for the log");
  const double start = seconds();
  int failed = 0;
  uint64_t seed = run->first;
  for (; (seed <= run->last || seconds() - start < run->seconds) && (failed == 0 || run->keep_going); ++seed)
    failed += run_seed(run, seed);
  printf("%s: seeds %llu to %llu, %lld calls, %lld succeeded, %d seeds failed, %.1f s\n", run->name,
         (unsigned long long)run->first, (unsigned long long)seed - 1, (long long)between_us->calls,
         (long long)between_us->succeeded, failed, seconds() - start);
  if (run->statistics) run->statistics();
  return failed;
}

void read_arguments(fuzz_run *run, int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    unsigned long long first = 0, last = 0;
    if (strcmp(argv[i], "--verbose") == 0) {
      run->verbose = 1;
    } else if (strcmp(argv[i], "--keep-going") == 0) {
      run->keep_going = 1;
    } else if (i + 1 < argc && strcmp(argv[i], "--seconds") == 0) {
      run->seconds = atof(argv[++i]);
    } else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) {
      const int n = sscanf(argv[++i], "%llu:%llu", &first, &last);
      if (n >= 1) run->first = first, run->last = n == 2 ? last : first;
    } else {
      fprintf(stderr, "usage: %s [--seed A[:B]] [--seconds N] [--keep-going] [--verbose]\n", argv[0]);
      exit(2);
    }
  }
}
