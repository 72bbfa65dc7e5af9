// What the tests of `plugin check` are made of. A test is a function that returns if all is well, and else says why not.
#ifndef CLI_CHECK_TEST_H
#define CLI_CHECK_TEST_H

#include <stddef.h>
#include <stdint.h>

#include "cli.h"

typedef struct trial {
  const char *file;
  const char *kind, *id;  // of the type; "file" and "" for tests of the file itself
  const char *about;      // the type's object in td_plugins_list, "{}" for the file
  const char *config;     // JSON
  uint64_t seed;
  uint64_t random;  // where the trial's own sequence stands
} trial;

typedef struct test {
  const char *name;
  const char *what;  // what it would find
  void (*run)(trial *t);
} test;

extern const test file_tests[], hash_tests[], dist_tests[], module_tests[];

// End the trial, from any thread.
CLI_NORETURN void fail_trial(const char *format, ...) CLI_FORMAT(1);
CLI_NORETURN void skip_trial(const char *format, ...) CLI_FORMAT(1);

// Fails the trial, with the error's message, unless the call succeeded: must(td_x(..., &err), &err, "making it").
void must(td_status status, td_error **err, const char *doing);
// Clears the error of a call that was allowed to fail.
void forget(td_error **err);

uint64_t draw(trial *t);     // 64 random bits
double draw_unit(trial *t);  // in [0, 1)
void draw_bytes(trial *t, void *bytes, size_t size);
td_generator *draw_generator(trial *t);  // seeded from the trial's sequence

// Runs fn(context, i) for i in [0, n), each in a thread of its own, all begun at once.
void in_threads(int n, void (*fn)(void *context, int i), void *context);

// Fails the trial if memory in use, or references that are alive, grow with each call of `fn`.
void check_leaks(void (*fn)(void *context), void *context);

// Owned copies of members of trial.about; `otherwise` if the library does not tell.
char *about(const trial *t, const char *name, const char *otherwise);
int has_flag(const trial *t, const char *flag);  // 1, 0, or -1 if the library does not tell

#endif
