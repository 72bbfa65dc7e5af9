// A distribution under test: parameters that it takes, and its functions on plain numbers.
#ifndef CLI_CHECK_DIST_H
#define CLI_CHECK_DIST_H

#include "check_test.h"

enum { MOST_PARAMS = 8, MOST_SIZES = 3 };

// The value of one parameter: a number, a vector or a square matrix.
typedef struct param {
  char *name;
  double values[9];
  int64_t dims[2];
  size_t ndim;
} param;

typedef struct family {
  trial *t;
  param params[MOST_PARAMS];
  size_t n;
  size_t event_dims;  // of a draw
  int discrete;       // all draws are whole numbers
} family;

// Parameters with which it can be drawn from; skips the trial if there are none to be found.
family find_family(trial *t);

// What functions here do when the type fails.
typedef enum on_error { FAIL, TELL } on_error;

td_dist *make_dist(const family *f);
// With these tensors instead, one for each parameter; NULL if it is refused and `what` is TELL.
td_dist *make_dist_of(const family *f, td_tensor *const *params, on_error what);
td_tensor *param_tensor(const param *p, td_dtype dtype);

// Owned tensors.
td_tensor *draw_values(const td_dist *d, const int64_t *shape, size_t ndim, uint64_t seed);
td_tensor *log_prob_of(const td_dist *d, const td_tensor *values, on_error what);
td_tensor *statistic(const td_dist *d, td_dist_stat which);  // NULL if it has none
td_tensor *vector_of(const double *values, size_t n);

double *numbers_of(const td_tensor *t, size_t *n);  // owned
double number_of(const td_tensor *t);               // the first

// log_prob at single values, released in between. Not a number where the type refuses a value.
void log_probs(const td_dist *d, const double *x, size_t n, double *out);

#endif
