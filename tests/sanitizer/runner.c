/* runner [-jN] [SUITE...]: runs the tests, of these suites only, N at a time. */
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "criterion/criterion.h"

enum { MOST_JOBS = 16 };

struct job {
  pid_t child;
  const struct sanitizer_test *test;
  struct criterion_test_extra_data settings;
};

static struct sanitizer_test *tests;
static int failures;

void sanitizer_register(struct sanitizer_test *test) {
  test->next = tests;
  tests = test;
}

void sanitizer_failed(const char *file, int line, const char *expression, int fatal, const char *format, ...) {
  char words[512] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  fprintf(stderr, "%s:%d: failed: %s%s%s\n", file, line, expression, *words ? ": " : "", words);
  failures = 1;
  if (fatal) exit(1);
}

static const struct criterion_test_extra_data *suite_settings(const struct sanitizer_test *test) {
  for (const struct sanitizer_test *other = tests; other; other = other->next) {
    if (!other->name && strcmp(other->suite, test->suite) == 0) return other->settings;
  }
  return test->settings;
}

/* What the test or, where it says nothing, its suite asks for. */
static struct criterion_test_extra_data settings_of(const struct sanitizer_test *test) {
  const struct criterion_test_extra_data *suite = suite_settings(test);
  struct criterion_test_extra_data settings = *test->settings;
  if (!settings.init) settings.init = suite->init;
  if (!settings.fini) settings.fini = suite->fini;
  if (settings.timeout == 0) settings.timeout = suite->timeout;
  if (!settings.disabled) settings.disabled = suite->disabled;
  return settings;
}

static struct job start(const struct sanitizer_test *test, struct criterion_test_extra_data settings) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    /* The sanitizers are several times slower than what the limits were made for. */
    alarm(settings.timeout > 0 ? (unsigned)(settings.timeout * 20) + 1 : 300);
    if (settings.init) settings.init();
    test->run();
    if (settings.fini) settings.fini();
    exit(failures);
  }
  const struct job job = {child, test, settings};
  return job;
}

/* Waits for one of them to end, and fills its place with the last. The number of tests that failed: 0 or 1. */
static int finish_one(struct job *jobs, int *n) {
  int status = 0, i = 0;
  const pid_t child = waitpid(-1, &status, 0);
  while (i < *n && jobs[i].child != child) ++i;
  if (i == *n) {
    if (child >= 0) return 0; /* a grandchild that lost its parent */
    i = 0;
  }
  const struct job job = jobs[i];
  jobs[i] = jobs[--*n];
  const int passed = job.settings.signal ? WIFSIGNALED(status) && WTERMSIG(status) == job.settings.signal
                                         : WIFEXITED(status) && WEXITSTATUS(status) == job.settings.exit_code;
  if (child >= 0 && passed) return 0;
  printf("[FAIL] %s::%s (status 0x%x)\n", job.test->suite, job.test->name, (unsigned)status);
  return 1;
}

static int chosen(const struct sanitizer_test *test, char **suites, int n) {
  for (int i = 0; i < n; ++i)
    if (strcmp(suites[i], test->suite) == 0) return 1;
  return n == 0;
}

int main(int argc, char **argv) {
  struct job jobs[MOST_JOBS];
  int most = 1, running = 0, run = 0, failed = 0, first = 1;
  if (argc > 1 && strncmp(argv[1], "-j", 2) == 0) most = atoi(argv[1] + 2), first = 2;
  if (most < 1 || most > MOST_JOBS) most = 1;
  for (const struct sanitizer_test *test = tests; test; test = test->next) {
    const struct criterion_test_extra_data settings = settings_of(test);
    if (!test->name || settings.disabled || !chosen(test, argv + first, argc - first)) continue;
    while (running == most) failed += finish_one(jobs, &running);
    jobs[running++] = start(test, settings);
    ++run;
  }
  while (running > 0) failed += finish_one(jobs, &running);
  printf("Tested: %d | Passing: %d | Failing: %d\n", run, run - failed, failed);
  return failed > 0 || run == 0;
}
