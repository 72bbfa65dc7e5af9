/* Seeds, each run in a forked child with limits, so that what one does wrong stops no other. The log of a child is in memory
 * that the parent shares: where one fails, the parent prints what it did. */
#ifndef TESTS_FUZZ_CHILDREN_H
#define TESTS_FUZZ_CHILDREN_H

#include <stdarg.h>
#include <stdint.h>

typedef struct fuzz_run {
  const char *name;
  uint64_t first, last; /* seeds */
  double seconds;       /* with the seeds after `last` until this time is over; 0: the seeds only */
  int verbose;          /* prints the log of every child */
  int keep_going;       /* after a failure */
  void (*child)(uint64_t seed);
  void (*statistics)(void); /* printed in the end; may be NULL */
} fuzz_run;

/* Runs them all; gives the number of seeds that failed. */
int run_children(const fuzz_run *run);
/* Reads --seed A:B, --seconds N, --verbose and --keep-going; ends the process with the usage for anything else. */
void read_arguments(fuzz_run *run, int argc, char **argv);

/* In a child. */
void child_log(const char *format, va_list arguments);
/* Allows this child to leave mappings. LibTorch never frees a tensor whose graph holds a view of that tensor, and
 * `m[0].mul_(m[1])` makes such a graph while autograd records; the memory of the tensor may be mapped. */
void child_has_graphs(void);
void child_fails(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void count_result(int succeeded);
/* Numbers that all children add to, `n` at most 4096. */
int64_t *shared_counts(void);
const char *child_directory(void); /* empty, and the current one; removed after the child */
const char *child_prefix(void);    /* of the names of its segments */

#endif
