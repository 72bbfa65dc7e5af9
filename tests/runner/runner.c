/* runner [-jN] [--filter PATTERN] [--xml=FILE]: runs the tests, those whose suite/name the pattern fits, N at a time. The
 * report has the form of JUnit. $TD_TESTS_LEFT_OUT may name a file with a line `PATTERN REASON` for tests that cannot run
 * here: they are named and counted instead. */
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "criterion/criterion.h"

enum { MAX_JOBS = 16, MAX_LEFT_OUT = 64 };

/* A limit is what a test may take on a quiet machine; the sanitizers are several times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { PATIENCE = 20, NO_LIMIT = 300, MAX_LIMIT = 600 }; /* so that a test that hangs is named, if it sets less */
#else
enum { PATIENCE = 4, NO_LIMIT = 300, MAX_LIMIT = 24 * 3600 };
#endif

struct job {
  pid_t child;
  struct runner_test *test;
  struct criterion_test_extra_data settings;
  double begin, limit; /* seconds */
  int late;
};

struct options {
  int jobs;
  const char *filter, *report;
};

struct left_out {
  char pattern[128], reason[256];
  int fitted;
};

struct totals {
  int run, failed, skipped, left_out;
};

static struct runner_test *tests;
static struct left_out left_out[MAX_LEFT_OUT];
static int failures;

void runner_register(struct runner_test *test) {
  test->next = tests;
  tests = test;
}

void runner_failed(const char *file, int line, const char *expression, const char *format, ...) {
  char words[512] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  fprintf(stderr, "%s:%d: failed: %s%s%s\n", file, line, expression, *words ? ": " : "", words);
  failures = 1;
}

void runner_skip(const char *file, int line, const char *reason) {
  fprintf(stderr, "%s:%d: skipped: %s\n", file, line, reason);
  exit(failures ? 1 : RUNNER_SKIPS);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static const struct criterion_test_extra_data *suite_settings(const struct runner_test *test) {
  for (const struct runner_test *other = tests; other; other = other->next) {
    if (!other->name && strcmp(other->suite, test->suite) == 0) return other->settings;
  }
  return test->settings;
}

/* What the test or, where it says nothing, its suite asks for. */
static struct criterion_test_extra_data settings_of(const struct runner_test *test) {
  const struct criterion_test_extra_data *suite = suite_settings(test);
  struct criterion_test_extra_data settings = *test->settings;
  if (!settings.init) settings.init = suite->init;
  if (!settings.fini) settings.fini = suite->fini;
  if (settings.timeout == 0) settings.timeout = suite->timeout;
  if (!settings.disabled) settings.disabled = suite->disabled;
  return settings;
}

static double limit_of(const struct criterion_test_extra_data *settings) {
  const double limit = settings->timeout > 0 ? settings->timeout * PATIENCE + 1 : NO_LIMIT;
  const double most = settings->timeout > MAX_LIMIT ? settings->timeout : MAX_LIMIT;
  return limit < most ? limit : most;
}

/* In a group of processes of its own, so that nothing that it started outlives it. */
static struct job start(struct runner_test *test, struct criterion_test_extra_data settings) {
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0) perror("fork"), exit(1);
  if (child == 0) {
    signal(SIGALRM, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* tests of a run that is broken off end with it */
    if (settings.init) settings.init();
    test->run();
    if (settings.fini) settings.fini();
    exit(failures);
  }
  setpgid(child, child); /* whoever comes first */
  const struct job job = {child, test, settings, seconds(), limit_of(&settings), 0};
  return job;
}

static void wake(int signal) {
  (void)signal;
}

/* Waits end each second, so that a test that hangs is seen, whatever it does to its own signals and timers. */
static void wake_each_second(void) {
  const struct sigaction action = {.sa_handler = wake}; /* without SA_RESTART */
  const struct itimerval each_second = {{1, 0}, {1, 0}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &each_second, NULL);
}

static void kill_late(struct job *jobs, int n) {
  for (struct job *job = jobs; job < jobs + n; ++job) {
    if (job->late || seconds() - job->begin <= job->limit) continue;
    job->late = 1;
    kill(-job->child, SIGKILL);
  }
}

static enum runner_state judge(const struct job *job, int status) {
  if (job->late) return RUNNER_FAILED;
  if (job->settings.signal)
    return WIFSIGNALED(status) && WTERMSIG(status) == job->settings.signal ? RUNNER_PASSED : RUNNER_FAILED;
  if (WIFEXITED(status) && WEXITSTATUS(status) == job->settings.exit_code) return RUNNER_PASSED;
  return WIFEXITED(status) && WEXITSTATUS(status) == RUNNER_SKIPS ? RUNNER_SKIPPED : RUNNER_FAILED;
}

static void tell_failure(const struct job *job, int status) {
  printf("[FAIL] %s::%s ", job->test->suite, job->test->name);
  if (job->late)
    printf("(ended after its limit of %.0f s)\n", job->limit);
  else if (WIFSIGNALED(status))
    printf("(signal %d)\n", WTERMSIG(status));
  else
    printf("(exit status %d)\n", WEXITSTATUS(status));
}

/* Waits for one of them to end, and fills its place with the last. */
static void finish_one(struct job *jobs, int *n, struct totals *totals) {
  for (;;) {
    int status = 0, i = 0;
    const pid_t child = waitpid(-1, &status, 0);
    if (child < 0 && errno != EINTR) perror("waitpid"), exit(1);
    kill_late(jobs, *n);
    while (i < *n && jobs[i].child != child) ++i;
    if (i == *n) continue; /* a second has passed, or a grandchild has lost its parent */
    const struct job job = jobs[i];
    jobs[i] = jobs[--*n];
    kill(-job.child, SIGKILL);
    job.test->took = seconds() - job.begin;
    job.test->state = judge(&job, status);
    totals->skipped += job.test->state == RUNNER_SKIPPED;
    totals->failed += job.test->state == RUNNER_FAILED;
    if (job.test->state == RUNNER_FAILED) tell_failure(&job, status);
    return;
  }
}

static int fits(const char *pattern, const struct runner_test *test) {
  char name[512];
  snprintf(name, sizeof name, "%s/%s", test->suite, test->name);
  return fnmatch(pattern, name, 0) == 0;
}

/* Each line must say why. */
static int read_left_out(const char *path) {
  FILE *in = fopen(path, "r");
  char line[400];
  int n = 0;
  if (!in) return perror(path), 0;
  while (fgets(line, sizeof line, in)) {
    if (*line == '#' || *line == '\n') continue;
    if (n == MAX_LEFT_OUT || sscanf(line, "%127s %255[^\n]", left_out[n].pattern, left_out[n].reason) != 2) {
      fprintf(stderr, "%s: a line without a pattern and a reason, or too many lines: %s", path, line);
      return fclose(in), 0;
    }
    ++n;
  }
  return fclose(in), 1;
}

static int is_left_out(const struct runner_test *test) {
  for (struct left_out *line = left_out; line < left_out + MAX_LEFT_OUT && *line->pattern; ++line) {
    if (!fits(line->pattern, test)) continue;
    printf("[LEFT OUT] %s::%s: %s\n", test->suite, test->name, line->reason);
    return line->fitted = 1;
  }
  return 0;
}

/* Reports each line that fits no test, because it is out of date. */
static int lines_without_test(void) {
  int n = 0;
  for (struct left_out *line = left_out; line < left_out + MAX_LEFT_OUT && *line->pattern; ++line) {
    if (line->fitted) continue;
    printf("[FAIL] no test is left out by '%s'\n", line->pattern);
    ++n;
  }
  return n;
}

/* Names are identifiers of C, so nothing needs to be escaped. */
static int write_report(const char *path, const struct totals *totals) {
  static const char *const words[] = {[RUNNER_FAILED] = "<failure/>",
                                      [RUNNER_SKIPPED] = "<skipped/>",
                                      [RUNNER_LEFT_OUT] = "<skipped/>",
                                      [RUNNER_PASSED] = ""};
  FILE *out = fopen(path, "w");
  const char *suite = "";
  if (!out) return perror(path), 1;
  fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  fprintf(out, "<testsuites name=\"tests\" tests=\"%d\" failures=\"%d\" disabled=\"%d\">\n",
          totals->run + totals->left_out, totals->failed, totals->left_out);
  for (const struct runner_test *test = tests; test; test = test->next) {
    if (test->state == RUNNER_NOT_RUN) continue;
    if (strcmp(suite, test->suite) != 0) {
      fprintf(out, "%s<testsuite name=\"%s\">\n", *suite ? "</testsuite>\n" : "", test->suite);
      suite = test->suite;
    }
    fprintf(out, "<testcase name=\"%s\" time=\"%.3f\">%s</testcase>\n", test->name, test->took, words[test->state]);
  }
  fprintf(out, "%s</testsuites>\n", *suite ? "</testsuite>\n" : "");
  if (fclose(out) == 0) return 0;
  return perror(path), 1;
}

static int parse(int argc, char **argv, struct options *options) {
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "-j", 2) == 0)
      options->jobs = atoi(argv[i] + 2);
    else if (strcmp(argv[i], "--filter") == 0 && i + 1 < argc)
      options->filter = argv[++i];
    else if (strncmp(argv[i], "--xml=", 6) == 0)
      options->report = argv[i] + 6;
    else
      return 0;
  }
  return options->jobs >= 1 && options->jobs <= MAX_JOBS;
}

int main(int argc, char **argv) {
  struct job jobs[MAX_JOBS];
  struct options options = {1, NULL, NULL};
  struct totals totals = {0, 0, 0, 0};
  const char *list = getenv("TD_TESTS_LEFT_OUT");
  int running = 0;
  if (!parse(argc, argv, &options)) {
    fprintf(stderr, "usage: %s [-jN] [--filter 'SUITE/NAME'] [--xml=FILE], N up to %d\n", argv[0], MAX_JOBS);
    return 2;
  }
  if (list && !read_left_out(list)) return 2;
  wake_each_second();
  for (struct runner_test *test = tests; test; test = test->next) {
    const struct criterion_test_extra_data settings = settings_of(test);
    if (!test->name || settings.disabled || (options.filter && !fits(options.filter, test))) continue;
    if (is_left_out(test)) {
      test->state = RUNNER_LEFT_OUT;
      ++totals.left_out;
      continue;
    }
    while (running == options.jobs) finish_one(jobs, &running, &totals);
    jobs[running++] = start(test, settings);
    ++totals.run;
  }
  while (running > 0) finish_one(jobs, &running, &totals);
  const int unfit = options.filter ? 0 : lines_without_test();
  printf("Tested: %d | Passing: %d | Failing: %d | Skipped: %d | Left out: %d\n", totals.run,
         totals.run - totals.failed - totals.skipped, totals.failed, totals.skipped, totals.left_out);
  if (options.report && write_report(options.report, &totals)) return 1;
  return totals.failed > 0 || unfit > 0 || totals.run == 0;
}
