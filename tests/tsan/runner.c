#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "criterion/criterion.h"

static struct tsan_test *tests;
static int failures;

void tsan_register(struct tsan_test *test) {
  test->next = tests;
  tests = test;
}

void tsan_failed(const char *file, int line, const char *expression, int fatal) {
  fprintf(stderr, "%s:%d: failed: %s\n", file, line, expression);
  failures = 1;
  if (fatal) exit(1);
}

static const struct criterion_test_extra_data *suite_settings(const struct tsan_test *test) {
  for (const struct tsan_test *other = tests; other; other = other->next) {
    if (!other->name && strcmp(other->suite, test->suite) == 0) return other->settings;
  }
  return test->settings;
}

/* What the test or, where it says nothing, its suite asks for. */
static struct criterion_test_extra_data settings_of(const struct tsan_test *test) {
  const struct criterion_test_extra_data *suite = suite_settings(test);
  struct criterion_test_extra_data settings = *test->settings;
  if (!settings.init) settings.init = suite->init;
  if (!settings.fini) settings.fini = suite->fini;
  if (settings.timeout == 0) settings.timeout = suite->timeout;
  if (!settings.disabled) settings.disabled = suite->disabled;
  return settings;
}

static int passes(const struct tsan_test *test, const struct criterion_test_extra_data *settings) {
  const pid_t child = fork();
  if (child == 0) {
    /* The sanitizer is several times slower than what the limits were made for. */
    alarm(settings->timeout > 0 ? (unsigned)(settings->timeout * 20) + 1 : 300);
    if (settings->init) settings->init();
    test->run();
    if (settings->fini) settings->fini();
    exit(failures);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 0;
  if (settings->signal) return WIFSIGNALED(status) && WTERMSIG(status) == settings->signal;
  return WIFEXITED(status) && WEXITSTATUS(status) == settings->exit_code;
}

int main(void) {
  int run = 0, failed = 0;
  for (const struct tsan_test *test = tests; test; test = test->next) {
    const struct criterion_test_extra_data settings = settings_of(test);
    if (!test->name || settings.disabled) continue;
    ++run;
    if (!passes(test, &settings)) {
      ++failed;
      printf("[FAIL] %s::%s\n", test->suite, test->name);
    }
    fflush(stdout);
  }
  printf("Tested: %d | Passing: %d | Failing: %d\n", run, run - failed, failed);
  return failed > 0 || run == 0;
}
