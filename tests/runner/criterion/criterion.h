/* The macros of Criterion that the tests use, each test in a forked child of one process. Criterion itself starts the
 * program anew for each test: loading LibTorch takes longer than most of them, and its launcher does not survive the
 * thread sanitizer. */
#ifndef RUNNER_CRITERION_H
#define RUNNER_CRITERION_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct criterion_test_extra_data {
  int sentinel_;
  void (*init)(void);
  void (*fini)(void);
  int signal;
  int exit_code;
  int disabled;
  double timeout;
  const char *description;
};

enum runner_state { RUNNER_NOT_RUN, RUNNER_PASSED, RUNNER_FAILED, RUNNER_SKIPPED, RUNNER_LEFT_OUT };
enum { RUNNER_SKIPS = 77 }; /* the exit status of a test that cannot run here */

struct runner_test {
  const char *suite;
  const char *name; /* NULL: the suite's own settings */
  void (*run)(void);
  const struct criterion_test_extra_data *settings;
  struct runner_test *next;
  enum runner_state state;
  double took; /* seconds */
};

void runner_register(struct runner_test *test);
__attribute__((noreturn)) void runner_skip(const char *file, int line, const char *reason);
void runner_failed(const char *file, int line, const char *expression, const char *format, ...);

#define RUNNER_REGISTER_(id, suite_text, name_text, function, ...)                                                  \
  static const struct criterion_test_extra_data id##_settings = {.sentinel_ = 0, ##__VA_ARGS__};                    \
  static struct runner_test id##_test = {suite_text, name_text, function, &id##_settings, NULL, RUNNER_NOT_RUN, 0}; \
  __attribute__((constructor)) static void id##_register(void) {                                                    \
    runner_register(&id##_test);                                                                                    \
  }
#define Test(suite, name, ...)                                                         \
  static void suite##_##name##_run(void);                                              \
  RUNNER_REGISTER_(suite##_##name, #suite, #name, suite##_##name##_run, ##__VA_ARGS__) \
  static void suite##_##name##_run(void)
#define TestSuite(suite, ...) RUNNER_REGISTER_(suite##_suite, #suite, NULL, NULL, ##__VA_ARGS__)

/* That a fatal one does not return is said here, where compilers see it. */
#define RUNNER_CHECK_(fatal, ok, text, ...) \
  ((ok) ? (void)0 : (runner_failed(__FILE__, __LINE__, text, __VA_ARGS__), (fatal) ? exit(1) : (void)0))
#define RUNNER_ABS_(x) ((x) < 0 ? -(x) : (x))

#define cr_assert(ok, ...) RUNNER_CHECK_(1, ok, #ok, "" __VA_ARGS__)
#define cr_assert_not(ok, ...) RUNNER_CHECK_(1, !(ok), "not " #ok, "" __VA_ARGS__)
#define cr_assert_eq(a, b, ...) RUNNER_CHECK_(1, (a) == (b), #a " == " #b, "" __VA_ARGS__)
#define cr_assert_neq(a, b, ...) RUNNER_CHECK_(1, (a) != (b), #a " != " #b, "" __VA_ARGS__)
#define cr_assert_lt(a, b, ...) RUNNER_CHECK_(1, (a) < (b), #a " < " #b, "" __VA_ARGS__)
#define cr_assert_leq(a, b, ...) RUNNER_CHECK_(1, (a) <= (b), #a " <= " #b, "" __VA_ARGS__)
#define cr_assert_gt(a, b, ...) RUNNER_CHECK_(1, (a) > (b), #a " > " #b, "" __VA_ARGS__)
#define cr_assert_geq(a, b, ...) RUNNER_CHECK_(1, (a) >= (b), #a " >= " #b, "" __VA_ARGS__)
#define cr_assert_null(p, ...) RUNNER_CHECK_(1, (p) == NULL, #p " is NULL", "" __VA_ARGS__)
#define cr_assert_not_null(p, ...) RUNNER_CHECK_(1, (p) != NULL, #p " is not NULL", "" __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) RUNNER_CHECK_(1, strcmp(a, b) == 0, #a " is " #b, "" __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...) RUNNER_CHECK_(1, strcmp(a, b) != 0, #a " is not " #b, "" __VA_ARGS__)
#define cr_assert_str_empty(a, ...) RUNNER_CHECK_(1, *(a) == 0, #a " is empty", "" __VA_ARGS__)
#define cr_assert_str_not_empty(a, ...) RUNNER_CHECK_(1, *(a) != 0, #a " is not empty", "" __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...) RUNNER_CHECK_(1, memcmp(a, b, size) == 0, #a " holds " #b, "" __VA_ARGS__)
#define cr_assert_arr_neq(a, b, size, ...) \
  RUNNER_CHECK_(1, memcmp(a, b, size) != 0, #a " does not hold " #b, "" __VA_ARGS__)
#define cr_assert_float_eq(a, b, e, ...) \
  RUNNER_CHECK_(1, RUNNER_ABS_((a) - (b)) <= (e), #a " is about " #b, "" __VA_ARGS__)
#define cr_assert_fail(...) RUNNER_CHECK_(1, 0, "fail", "" __VA_ARGS__)
#define cr_expect(ok, ...) RUNNER_CHECK_(0, ok, #ok, "" __VA_ARGS__)
#define cr_expect_not(ok, ...) RUNNER_CHECK_(0, !(ok), "not " #ok, "" __VA_ARGS__)
#define cr_expect_eq(a, b, ...) RUNNER_CHECK_(0, (a) == (b), #a " == " #b, "" __VA_ARGS__)
#define cr_expect_neq(a, b, ...) RUNNER_CHECK_(0, (a) != (b), #a " != " #b, "" __VA_ARGS__)
#define cr_expect_null(p, ...) RUNNER_CHECK_(0, (p) == NULL, #p " is NULL", "" __VA_ARGS__)
#define cr_expect_not_null(p, ...) RUNNER_CHECK_(0, (p) != NULL, #p " is not NULL", "" __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) RUNNER_CHECK_(0, strcmp(a, b) == 0, #a " is " #b, "" __VA_ARGS__)
#define cr_expect_float_eq(a, b, e, ...) \
  RUNNER_CHECK_(0, RUNNER_ABS_((a) - (b)) <= (e), #a " is about " #b, "" __VA_ARGS__)
#define cr_expect_lt(a, b, ...) RUNNER_CHECK_(0, (a) < (b), #a " < " #b, "" __VA_ARGS__)
#define cr_expect_leq(a, b, ...) RUNNER_CHECK_(0, (a) <= (b), #a " <= " #b, "" __VA_ARGS__)
#define cr_expect_gt(a, b, ...) RUNNER_CHECK_(0, (a) > (b), #a " > " #b, "" __VA_ARGS__)
#define cr_expect_geq(a, b, ...) RUNNER_CHECK_(0, (a) >= (b), #a " >= " #b, "" __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...) RUNNER_CHECK_(0, strcmp(a, b) != 0, #a " is not " #b, "" __VA_ARGS__)
#define cr_expect_str_empty(a, ...) RUNNER_CHECK_(0, *(a) == 0, #a " is empty", "" __VA_ARGS__)
#define cr_expect_str_not_empty(a, ...) RUNNER_CHECK_(0, *(a) != 0, #a " is not empty", "" __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...) RUNNER_CHECK_(0, memcmp(a, b, size) == 0, #a " holds " #b, "" __VA_ARGS__)
#define cr_expect_arr_neq(a, b, size, ...) \
  RUNNER_CHECK_(0, memcmp(a, b, size) != 0, #a " does not hold " #b, "" __VA_ARGS__)
#define cr_expect_fail(...) RUNNER_CHECK_(0, 0, "fail", "" __VA_ARGS__)
#define cr_fatal(...) RUNNER_CHECK_(1, 0, "fatal", "" __VA_ARGS__)
#define cr_skip_test(...) runner_skip(__FILE__, __LINE__, "" __VA_ARGS__)
#define cr_skip(...) runner_skip(__FILE__, __LINE__, "" __VA_ARGS__)
#define cr_log_info(...) ((void)0)
#define cr_log_warn(...) ((void)0)
#define cr_log_error(...) ((void)0)

#endif
