/* Calls that must succeed, calls that must fail in one way, and a check that nothing is left behind: what every test is
 * written with. */
#ifndef TESTS_SUPPORT_CALLS_H
#define TESTS_SUPPORT_CALLS_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/messages.h"
#include "tensordict.h"

#if defined(__GNUC__)
#define TD_MAYBE_UNUSED __attribute__((unused))
#else
#define TD_MAYBE_UNUSED
#endif

/* The error of the last call on this thread. */
static _Thread_local td_error *err TD_MAYBE_UNUSED;

/* ---- Calls ---------------------------------------------------------------------------------------------------------- */

#define check(ok) ((ok) ? (void)0 : failed_at(__FILE__, __LINE__, #ok, NULL))
#define must(call) ((call) == TD_OK ? (void)0 : failed_at(__FILE__, __LINE__, #call, err))
#define expect_error(call, code, key, says) expect_error_at(__FILE__, __LINE__, #call, (call), (code), (key), (says))

static inline void failed_at(const char *file, int line, const char *text, const td_error *error) {
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, text, error ? td_error_message(error).data : "does not hold");
  cr_assert_fail("%s:%d: %s: %s", file, line, text, error ? td_error_message(error).data : "does not hold");
}

/* Fails with `code`, an error object that names `key` (NULL: any) and a message that contains `says` (NULL: any). */
static inline void expect_error_at(const char *file, int line, const char *text, td_status status, td_status code,
                                   const char *key, const char *says) {
  if (status != code) {
    fprintf(stderr, "%s:%d: %s gave %s instead of %s\n", file, line, text, td_status_name(status).data,
            td_status_name(code).data);
    failed_at(file, line, text, err);
  }
  if (!err || td_error_code(err) != code) failed_at(file, line, "the error object has the status of the call", err);
  const td_str message = td_error_message(err);
  if (message.size == 0 || message.data[message.size] != '\0' || strlen(message.data) != message.size ||
      strchr(message.data, '\n'))
    failed_at(file, line, "the message is one line of text", err);
  if (internal_text(message.data)) failed_at(file, line, "the message holds no text from inside", err);
  if (says && !strstr(message.data, says)) {
    fprintf(stderr, "%s:%d: nothing is said of '%s'\n", file, line, says);
    failed_at(file, line, text, err);
  }
  const char *at = td_error_key(err).data;
  if (key && (at ? strcmp(at, key) != 0 : *key != '\0')) {
    fprintf(stderr, "%s:%d: the key is %s, not %s\n", file, line, at ? at : "absent", key);
    failed_at(file, line, text, err);
  }
  td_error_release(err);
  err = NULL;
}

/* ---- Leaks ---------------------------------------------------------------------------------------------------------- */

enum { OBJECT_KINDS = TD_OBJECT_WORK + 1 };
static int64_t live_before[OBJECT_KINDS] TD_MAYBE_UNUSED;

static inline void count_live_objects(void) {
  for (int kind = 0; kind < OBJECT_KINDS; ++kind) live_before[kind] = td_live_objects(kind);
}

static inline int leaks(const char *file, int line) {
  int leaking = 0;
  for (int kind = 0; kind < OBJECT_KINDS; ++kind) {
    if (td_live_objects(kind) == live_before[kind]) continue;
    fprintf(stderr, "%s:%d: %lld live objects of kind %d, %lld before\n", file, line, (long long)td_live_objects(kind),
            kind, (long long)live_before[kind]);
    ++leaking;
  }
  return leaking;
}

static inline void expect_no_leaks(const char *file, int line) {
  if (leaks(file, line)) failed_at(file, line, "every handle was given back", NULL);
}

/* A test after which every handle has been given back. Inside the test, as Criterion lets failures of fixtures pass. */
#define LeaklessTest(suite, name)          \
  static void suite##_##name##_body(void); \
  Test(suite, name) {                      \
    count_live_objects();                  \
    suite##_##name##_body();               \
    expect_no_leaks(__FILE__, __LINE__);   \
  }                                        \
  static void suite##_##name##_body(void)

#endif
