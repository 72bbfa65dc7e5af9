/* The library's side of test_distributions.py. From standard input, a command a line:
 *
 *   type TYPE | config JSON | param NAME TENSOR | value TENSOR     what the next answers are about
 *   ask WORD                                                       prints WORD and a tensor, or WORD and a status
 *   keep                                                           remembers the distribution: `ask kl` is from it to another
 *   end                                                            forgets all of it
 *
 * A tensor is its number of dims, its sizes and its float64 values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

static td_error *err;
static td_dict *params;
static td_dist *kept;
static td_tensor *value;
static char type[128], config[512];

static td_tensor *read_tensor(char *text) {
  int64_t dims[8], n = 1;
  const size_t ndim = (size_t)strtol(text, &text, 10);
  if (ndim > 8) exit(2);
  for (size_t i = 0; i < ndim; ++i) n *= dims[i] = strtoll(text, &text, 10);
  double *values = malloc((size_t)(n + 1) * sizeof *values);
  for (int64_t i = 0; i < n; ++i) values[i] = strtod(text, &text);
  td_tensor *t;
  check(td_tensor_copy_from(values, TD_DTYPE_FLOAT64, dims, ndim, &t, &err));
  free(values);
  return t;
}

static void print_tensor(const char *word, td_tensor *t) {
  int64_t dims[8];
  const void *data;
  td_tensor *plain, *wide, *flat;
  check(td_tensor_detach(t, &plain, &err));
  check(td_tensor_to(plain, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, &err));
  check(td_tensor_contiguous(wide, &flat, &err));
  check(td_tensor_data(flat, &data, &err));
  const size_t ndim = td_tensor_shape(flat, dims, 8);
  printf("%s %zu", word, ndim);
  for (size_t i = 0; i < ndim; ++i) printf(" %lld", (long long)dims[i]);
  for (int64_t i = 0; i < td_tensor_numel(flat); ++i) printf(" %.17g", ((const double *)data)[i]);
  printf("\n");
  td_tensor_release(plain);
  td_tensor_release(wide);
  td_tensor_release(flat);
  td_tensor_release(t);
}

static td_status answer(const td_dist *d, const char *word, td_tensor **out) {
  static const char *const stats[] = {"mean", "mode", "variance", "entropy", "median", "stddev"};
  if (!strcmp(word, "log_prob")) return td_dist_log_prob(d, value, out, &err);
  if (!strcmp(word, "cdf")) return td_dist_cdf(d, value, out, &err);
  if (!strcmp(word, "icdf")) return td_dist_icdf(d, value, out, &err);
  if (!strcmp(word, "sample")) return td_dist_sample(d, TD_SHAPE(4000), NULL, out, &err);
  if (!strcmp(word, "kl")) return td_dist_kl_divergence(kept, d, out, &err);
  for (td_dist_stat i = 0; i < 6; ++i)
    if (!strcmp(word, stats[i])) return td_dist_get(d, i, out, &err);
  exit(2);
}

static void ask(const char *word) {
  td_dist *d = NULL;
  td_tensor *t = NULL;
  td_status s = td_dist_new(TD_STR(type), params, TD_STR(config), &d, &err);
  if (s == TD_OK) s = answer(d, word, &t);
  if (s == TD_OK)
    print_tensor(word, t);
  else
    printf("%s %s %s\n", word, td_status_name(s).data, err ? td_error_message(err).data : "");
  td_error_release(err);
  err = NULL;
  td_dist_release(d);
}

static void start(void) {
  td_dict_release(params);
  td_tensor_release(value);
  value = NULL;
  strcpy(config, "{}");
  check(td_dict_new(NULL, 0, NULL, &params, &err));
}

int main(void) {
  static char line[1 << 16];
  start();
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    char *rest = strchr(line, ' ');
    if (rest) *rest++ = 0;
    if (!strcmp(line, "end")) {
      start();
    } else if (!strcmp(line, "keep")) {
      td_dist_release(kept);
      check(td_dist_new(TD_STR(type), params, TD_STR(config), &kept, &err));
    } else if (!rest) {
      return 2;
    } else if (!strcmp(line, "type")) {
      snprintf(type, sizeof type, "%s", rest);
    } else if (!strcmp(line, "config")) {
      snprintf(config, sizeof config, "%s", rest);
    } else if (!strcmp(line, "param")) {
      char *tensor = strchr(rest, ' ');
      if (!tensor) return 2;
      *tensor++ = 0;
      td_tensor *t = read_tensor(tensor);
      check(td_dict_set(params, TD_KEY(rest), t, &err));
      td_tensor_release(t);
    } else if (!strcmp(line, "value")) {
      td_tensor_release(value);
      value = read_tensor(rest);
    } else if (!strcmp(line, "ask")) {
      ask(rest);
    }
  }
  td_dist_release(kept);
  td_dict_release(params);
  td_tensor_release(value);
  return 0;
}
