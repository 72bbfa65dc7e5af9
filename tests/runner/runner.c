/* runner [-jN] [--filter PATTERN] [--xml=FILE]: runs the tests, those whose suite/name the pattern fits, N at a time. The
 * report has the form of JUnit. */
#include <fnmatch.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "criterion/criterion.h"

enum { MAX_JOBS = 16 };

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
  double begin;
};

struct options {
  int jobs;
  const char *filter, *report;
};

static struct runner_test *tests;
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

static struct job start(struct runner_test *test, struct criterion_test_extra_data settings) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const double limit = settings.timeout > 0 ? settings.timeout * PATIENCE + 1 : NO_LIMIT;
    const double most = settings.timeout > MAX_LIMIT ? settings.timeout : MAX_LIMIT;
    alarm((unsigned)(limit < most ? limit : most));
    if (settings.init) settings.init();
    test->run();
    if (settings.fini) settings.fini();
    exit(failures);
  }
  const struct job job = {child, test, settings, seconds()};
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
  job.test->took = seconds() - job.begin;
  job.test->state = child >= 0 && passed ? RUNNER_PASSED : RUNNER_FAILED;
  if (job.test->state == RUNNER_PASSED) return 0;
  printf("[FAIL] %s::%s (%s %d)\n", job.test->suite, job.test->name, WIFSIGNALED(status) ? "signal" : "exit status",
         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  return 1;
}

static int chosen(const struct runner_test *test, const char *filter) {
  char name[512];
  snprintf(name, sizeof name, "%s/%s", test->suite, test->name);
  return !filter || fnmatch(filter, name, 0) == 0;
}

/* Names are identifiers of C, so nothing needs to be escaped. */
static int write_report(const char *path, int run, int failed) {
  FILE *out = fopen(path, "w");
  const char *suite = "";
  if (!out) return perror(path), 1;
  fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tests\" tests=\"%d\" failures=\"%d\">\n",
          run, failed);
  for (const struct runner_test *test = tests; test; test = test->next) {
    if (test->state == RUNNER_NOT_RUN) continue;
    if (strcmp(suite, test->suite) != 0) {
      fprintf(out, "%s<testsuite name=\"%s\">\n", *suite ? "</testsuite>\n" : "", test->suite);
      suite = test->suite;
    }
    fprintf(out, "<testcase name=\"%s\" time=\"%.3f\">%s</testcase>\n", test->name, test->took,
            test->state == RUNNER_FAILED ? "<failure/>" : "");
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
  int running = 0, run = 0, failed = 0;
  if (!parse(argc, argv, &options)) {
    fprintf(stderr, "usage: %s [-jN] [--filter 'SUITE/NAME'] [--xml=FILE], N up to %d\n", argv[0], MAX_JOBS);
    return 2;
  }
  for (struct runner_test *test = tests; test; test = test->next) {
    const struct criterion_test_extra_data settings = settings_of(test);
    if (!test->name || settings.disabled || !chosen(test, options.filter)) continue;
    while (running == options.jobs) failed += finish_one(jobs, &running);
    jobs[running++] = start(test, settings);
    ++run;
  }
  while (running > 0) failed += finish_one(jobs, &running);
  printf("Tested: %d | Passing: %d | Failing: %d\n", run, run - failed, failed);
  if (options.report && write_report(options.report, run, failed)) return 1;
  return failed > 0 || run == 0;
}
