/* What a binding's everyday calls cost in C: the floor of the other languages. Prints "row<TAB>nanoseconds" lines; every
 * language's program has the same rows and the same way to measure: process time, the median of 9 repetitions of 20 ms. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tensordict.h"

static td_dict *td, *wide;
static td_path* path;
static td_tensor* obs;
static td_module* identity;
static td_error* err;

static void must(td_status status) {
  if (status == TD_OK) return;
  fprintf(stderr, "%s\n", err ? td_error_message(err).data : td_status_name(status).data);
  exit(1);
}

static void empty(void) {
  td_abi_version();
}

static void get_prepared(void) {
  td_tensor* t;
  must(td_dict_get_path(td, path, &t, &err));
  td_tensor_release(t);
}

static void get_strings(void) {
  td_tensor* t;
  must(td_dict_get(td, TD_KEY("next", "obs"), &t, &err));
  td_tensor_release(t);
}

static void look_up_missing(void) {
  td_entry entry;
  must(td_dict_lookup(td, TD_KEY("next", "none"), &entry, &err));
  if (entry.kind != TD_ENTRY_NONE) abort();
}

static void iterate(void) {
  td_entries* entries;
  const td_key* keys;
  const td_entry* seen;
  size_t n;
  must(td_dict_entries(wide, 0, &entries, &err));
  must(td_entries_view(entries, &keys, &seen, &n, &err));
  int64_t elements = 0;
  for (size_t i = 0; i < n; ++i) elements += td_tensor_numel(seen[i].tensor);
  if (elements != 100 * 4) abort();
  td_entries_release(entries);
}

static void view(void) {
  const void* data;
  must(td_tensor_data(obs, &data, &err));
  if (((const float*)data)[511] != 0) abort();
}

static td_status same(void* userdata, td_tensor* const* in, size_t n, td_tensor** out, size_t n_out, td_error** error) {
  (void)userdata, (void)n, (void)n_out, (void)error;
  td_tensor_retain(in[0]);
  out[0] = in[0];
  return TD_OK;
}

static void callback(void) {
  td_tensor* out;
  must(td_module_call(identity, &obs, 1, &out, 1, &err));
  td_tensor_release(out);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void row(const char* name, void (*call)(void)) {
  enum { REPETITIONS = 9 };
  double times[REPETITIONS];
  long calls = 1;
  for (double took = 0; took < 20e6; calls *= 2) {
    const double start = now();
    for (long i = 0; i < 2 * calls; ++i) call();
    took = now() - start;
  }
  for (int r = 0; r < REPETITIONS; ++r) {
    const double start = now();
    for (long i = 0; i < calls; ++i) call();
    times[r] = (now() - start) / (double)calls;
  }
  qsort(times, REPETITIONS, sizeof *times, ascending);
  printf("%s\t%.1f\n", name, times[REPETITIONS / 2]);
}

int main(void) {
  td_tensor* small;
  must(td_dict_new(TD_SHAPE(128), NULL, &td, &err));
  must(td_tensor_zeros(TD_SHAPE(128, 4), TD_DTYPE_FLOAT32, TD_NO_STR, &obs, &err));
  must(td_dict_set(td, TD_KEY("next", "obs"), obs, &err));
  must(td_path_new(TD_KEY("next", "obs"), &path, &err));
  must(td_dict_new(NULL, 0, NULL, &wide, &err));
  must(td_tensor_zeros(TD_SHAPE(4), TD_DTYPE_FLOAT32, TD_NO_STR, &small, &err));
  for (int i = 0; i < 100; ++i) {
    char name[16];
    snprintf(name, sizeof name, "leaf_%d", i);
    must(td_dict_set(wide, TD_KEY(name), small, &err));
  }
  must(td_module_from_function(TD_CALLBACKS(td_module_function, same, NULL, NULL), &identity, &err));
  row("an empty call", empty);
  row("get, prepared key", get_prepared);
  row("get, two strings", get_strings);
  row("look-up of a missing key", look_up_missing);
  row("iterate 100 entries", iterate);
  row("view of a tensor", view);
  row("a callback", callback);
  td_module_release(identity), td_path_release(path);
  td_tensor_release(small), td_tensor_release(obs), td_dict_release(wide), td_dict_release(td);
  return 0;
}
