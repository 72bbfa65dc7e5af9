// The stack machine that a pickle is a program for, as far as it makes data.
#ifndef CLI_PICKLE_MACHINE_H
#define CLI_PICKLE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_VALUES = 1 << 20, MOST_WRITTEN = 1 << 17, DEEPEST = 100 };

typedef enum kind { NONE, TRUTH, WHOLE, REAL, TEXT, BYTES, LIST, DICT, MARK } kind;

typedef struct value {
  kind kind;
  int64_t i;
  double f;
  const char *data;  // of text and bytes, in the pickle
  size_t size;       // of them; of a list and a dict the number of values in it
  size_t *members;   // their numbers; key, value, key, value... of a dict
} value;

typedef struct machine {
  const unsigned char *at, *end;
  value *values;
  size_t n_values;
  size_t *stack, n_stack, stack_capacity;
  size_t *memo, n_memo;
  size_t written;
} machine;

// 1 if the program ends with one value, the first on the stack.
int run_pickle(machine *m);

#endif
