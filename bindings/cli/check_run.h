// One test in a process of its own.
#ifndef CLI_CHECK_RUN_H
#define CLI_CHECK_RUN_H

#include "check_test.h"

typedef enum outcome { OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_SKIP } outcome;

typedef struct result {
  outcome outcome;
  char *message;  // owned
  double seconds;
} result;

// Runs it in a new process of this program, and kills that after `timeout` seconds.
result run_apart(const trial *t, const test *which, int timeout);

// The types that the file offers, as td_plugins_list tells of them, found out in the same way: an array in `message`.
result types_apart(const char *file, int timeout);

// Runs it here: the process ends if it fails.
void run_here(trial *t, const test *which);

// Says how the trial ended; in the process that runs it.
void answer_trial(const char *verdict, const char *message);

// The test of a kind with this name; NULL if there is none.
const test *find_test(const char *kind, const char *name);
const test *tests_of(const char *kind);

#endif
