/* The library's side of test_probabilistic.py: probabilistic modules on what Python saved. For each line on stdin,
 *
 *   TYPE <tab> CONFIG <tab> DIR <tab> IN-KEYS <tab> OUT-KEY <tab> INTERACTION <tab> AGGREGATE <tab> SAMPLES <tab> SEED
 *
 * it prints the module's out-keys. IN-KEYS is "loc,n.scale"; SAMPLES is the number of samples or -1. DIR/data holds the data;
 * it saves DIR/result, and DIR/score: what the samples of the result are worth under "log_prob", where they have no extra
 * dims.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

static void save(const td_dict *d, const char *directory, const char *name) {
  td_dict *plain = NULL, *dense = NULL;
  check(td_dict_detach(d, &plain, &err));
  check(td_dict_contiguous(plain, &dense, &err)); /* an expanded dict has elements in one place */
  check(td_save(dense, TD_STR(in(directory, name)), NULL, &err));
  td_dict_release(dense);
  td_dict_release(plain);
}

enum { MOST_KEYS = 4 };

/* "a.b,c" as keys, which point into `text`. */
static size_t keys_of(char *text, td_str parts[MOST_KEYS][2], td_key keys[MOST_KEYS]) {
  size_t n = 0;
  for (char *word = strtok(text, ","); word && n < MOST_KEYS; word = strtok(NULL, ","), ++n) {
    char *dot = strchr(word, '.');
    if (dot) *dot = '\0';
    parts[n][0] = TD_STR(word);
    parts[n][1] = TD_STR(dot ? dot + 1 : NULL);
    keys[n] = (td_key){parts[n], dot ? 2 : 1};
  }
  return n;
}

static void print_keys(const td_module *m) {
  td_keys *keys = NULL;
  check(td_module_out_keys(m, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key k;
    check(td_keys_get(keys, i, &k, &err));
    for (size_t j = 0; j < k.n; ++j) printf("%s%.*s", j ? "." : i ? "," : "", (int)k.parts[j].size, k.parts[j].data);
  }
  td_keys_release(keys);
  puts("");
}

static void run(char **parts) {
  td_str views[2][MOST_KEYS][2];
  td_key ins[MOST_KEYS], outs[MOST_KEYS];
  const size_t n_in = keys_of(parts[3], views[0], ins), n_out = keys_of(parts[4], views[1], outs);
  td_generator *rng = NULL;
  td_interaction type;
  const int64_t samples = atoll(parts[7]);
  check(td_generator_new((uint64_t)atoll(parts[8]), &rng, &err));
  check(td_interaction_from_name(TD_STR(parts[5]), &type, &err));
  td_probabilistic_options options = TD_PROBABILISTIC_OPTIONS_INIT;
  options.default_interaction = type;
  options.return_log_prob = 1;
  options.aggregate = parts[6][0] == '1';
  options.generator = rng;
  if (samples >= 0) options.num_samples = &samples, options.n_num_samples = 1;
  td_module *m = NULL;
  check(td_module_probabilistic(TD_STR(parts[0]), TD_STR(parts[1]), ins, n_in, outs, n_out, &options, &m, &err));

  td_dict *data = NULL, *own = NULL, *result = NULL, *score = NULL;
  td_tensor *log_prob = NULL;
  check(td_open(TD_STR(in(parts[2], "data")), NULL, &data, &err));
  check(td_dict_clone(data, &own, &err)); /* what is opened is locked */
  check(td_module_run(m, own, NULL, &result, &err));
  save(result, parts[2], "result");
  if (samples < 0) {
    check(td_module_log_prob(m, result, NULL, &log_prob, &err));
    check(td_dict_new(NULL, 0, NULL, &score, &err));
    check(td_dict_set(score, TD_KEY("log_prob"), log_prob, &err));
    save(score, parts[2], "score");
  }
  print_keys(m);
  td_tensor_release(log_prob), td_dict_release(score), td_dict_release(result), td_dict_release(own);
  td_dict_release(data), td_module_release(m), td_generator_release(rng);
}

int main(void) {
  for (char line[8192]; fgets(line, sizeof line, stdin);) {
    char *parts[9], *at = line;
    line[strcspn(line, "\n")] = 0;
    for (int i = 0; i < 9; ++i) {
      parts[i] = at;
      at += strcspn(at, "\t");
      if (*at) *at++ = 0;
    }
    run(parts);
    fflush(stdout);
  }
  return 0;
}
