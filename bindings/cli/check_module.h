// A module type under test: a config and inputs that it takes.
#ifndef CLI_CHECK_MODULE_H
#define CLI_CHECK_MODULE_H

#include "check_test.h"

enum { MOST_INPUTS = 3 };

typedef struct subject {
  trial *t;
  char *config;
  size_t n_in, n_out;
  td_dtype dtype;  // of the inputs, which all have one shape
  int64_t shape[4];
  size_t ndim;
} subject;

// Skips the trial if nothing is found that it takes.
subject find_subject(trial *t);

td_module *make_module(const subject *s, uint64_t seed);   // in evaluation mode
td_module *with_keys(const subject *s, td_module *inner);  // takes `inner` over
td_tensor *make_input(const subject *s, uint64_t seed, td_dtype dtype);

// Owned outputs of the module for inputs drawn from `seed`.
void run_module(const subject *s, const td_module *m, uint64_t seed, td_tensor **outputs);
void release_all(td_tensor **tensors, size_t n);

// The inputs as a dict, with the keys that with_keys gives, and running on it.
td_dict *input_dict(const subject *s, uint64_t seed, td_dtype dtype);
td_tensor *output_of(const td_dict *data, size_t i);  // borrowed from nobody: owned

td_dict *state_of(const td_module *m);
int same_tensors(const td_tensor *a, const td_tensor *b);  // in dtype, shape and bytes
int same_dicts(const td_dict *a, const td_dict *b);

#endif
