/* How the cost of operations grows with a dict: each is timed at sizes that double, and the exponent of n that fits the
 * times is printed where it is above 1.1. Operations on one key are done for all n keys, so that 1 is a cost that does not
 * grow. Exits with 1 if there is such an operation. usage: growth [LARGEST [NAME]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tensordict.h"

static td_error* err;

static void must(td_status status) {
  if (status == TD_OK) return;
  fprintf(stderr, "growth: %s\n", err ? td_error_message(err).data : td_status_name(status).data);
  exit(2);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Keys "k0", "k1"... live as long as the process. */
static char (*names)[24];
static td_str* parts;
static td_key* keys;
static td_tensor* value;

static void make_keys(size_t n) {
  names = malloc(n * sizeof *names), parts = malloc(n * sizeof *parts), keys = malloc(n * sizeof *keys);
  if (!names || !parts || !keys) exit(2);
  for (size_t i = 0; i < n; ++i) {
    snprintf(names[i], sizeof names[i], "k%zu", i);
    parts[i] = (td_str){names[i], strlen(names[i])};
    keys[i] = (td_key){&parts[i], 1};
  }
}

/* ---- Dicts ---------------------------------------------------------------------------------------------------------------- */

static td_dict* empty(size_t n) {
  td_dict* d;
  (void)n;
  must(td_dict_new(TD_SHAPE(1), NULL, &d, &err));
  return d;
}

static td_dict* flat(size_t n) {
  td_dict* d = empty(n);
  for (size_t i = 0; i < n; ++i) must(td_dict_set(d, &keys[i], value, &err));
  return d;
}

/* n nodes with one tensor. */
static td_dict* nested(size_t n) {
  td_dict* d = empty(n);
  for (size_t i = 0; i < n; ++i) {
    const td_str path[] = {parts[i], parts[0]};
    const td_key key = {path, 2};
    must(td_dict_set(d, &key, value, &err));
  }
  return d;
}

/* n members with one tensor. */
static td_dict* stacked(size_t n) {
  td_dict **members = calloc(n, sizeof(td_dict*)), *d;
  if (!members) exit(2);
  for (size_t i = 0; i < n; ++i) members[i] = flat(1);
  must(td_dict_lazy_stack(members, n, 0, &d, &err));
  for (size_t i = 0; i < n; ++i) td_dict_release(members[i]);
  free(members);
  return d;
}

static td_dict* one_member(size_t n) {
  (void)n;
  return stacked(1);
}

/* ---- Operations: all of what is timed -------------------------------------------------------------------------------------- */

static void set_all(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; ++i) must(td_dict_set(d, &keys[i], value, &err));
}
static void get_all(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    td_tensor* t;
    must(td_dict_get(d, &keys[i], &t, &err));
    td_tensor_release(t);
  }
}
static void delete_first(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; ++i) must(td_dict_remove(d, &keys[i], &err));
}
static void delete_last(td_dict* d, size_t n) {
  for (size_t i = n; i-- > 0;) must(td_dict_remove(d, &keys[i], &err));
}
static void delete_between(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; i += 2) must(td_dict_remove(d, &keys[i], &err));
  for (size_t i = 1; i < n; i += 2) must(td_dict_remove(d, &keys[i], &err));
}
static void delete_and_set(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    must(td_dict_remove(d, &keys[i], &err));
    must(td_dict_set(d, &keys[i], value, &err));
  }
}
static void pop_all(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    td_tensor* t;
    must(td_dict_pop(d, &keys[i], &t, &err));
    td_tensor_release(t);
  }
}
static void popitem_all(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    td_string* key;
    td_tensor* t;
    td_dict* node;
    td_data_list* data;
    must(td_dict_popitem(d, &key, &t, &node, &data, &err));
    td_string_release(key), td_tensor_release(t), td_dict_release(node), td_data_list_release(data);
  }
}
static void rename_all(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const td_str to[] = {{"renamed", 7}, parts[i]}, back[] = {parts[i]};
    const td_key there = {to, 1}, here = {back, 1};
    must(td_dict_rename_key_(d, &here, &there, 1, &err));
    must(td_dict_rename_key_(d, &there, &here, 1, &err));
  }
}
static void setdefault_all(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    td_tensor* t;
    must(td_dict_set_default(d, &keys[i], value, &t, &err));
    td_tensor_release(t);
  }
}
static void set_data_all(td_dict* d, size_t n) {
  const td_data text = td_data_str((td_str){"text", 4});
  for (size_t i = 0; i < n; ++i) must(td_dict_set_data(d, &keys[i], &text, &err));
}
static void list_keys(td_dict* d, size_t n) {
  td_keys* all;
  (void)n;
  must(td_dict_keys(d, TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_SORTED, &all, &err));
  td_keys_release(all);
}

/* Operations that make another dict. */
static void copy(td_dict* d, size_t n) {
  td_dict* made;
  (void)n;
  must(td_dict_copy(d, &made, &err));
  td_dict_release(made);
}
static void clone(td_dict* d, size_t n) {
  td_dict* made;
  (void)n;
  must(td_dict_clone(d, &made, &err));
  td_dict_release(made);
}
static void consolidate(td_dict* d, size_t n) {
  td_dict* made;
  (void)n;
  must(td_dict_consolidate(d, &made, &err));
  td_dict_release(made);
}
static void select_half(td_dict* d, size_t n) {
  td_dict* made;
  must(td_dict_select(d, keys, n / 2, 1, &made, &err));
  td_dict_release(made);
}
static void exclude_half(td_dict* d, size_t n) {
  td_dict* made;
  must(td_dict_exclude(d, keys, n / 2, &made, &err));
  td_dict_release(made);
}
static void exclude_in_place(td_dict* d, size_t n) {
  must(td_dict_exclude_(d, keys, n / 2, &err));
}
static void split_half(td_dict* d, size_t n) {
  const td_key_set set = {keys, n / 2};
  td_dict* made[2];
  must(td_dict_split_keys(d, &set, 1, NULL, made, &err));
  td_dict_release(made[0]), td_dict_release(made[1]);
}
static void separate_half(td_dict* d, size_t n) {
  td_dict* made;
  must(td_dict_separate(d, keys, n / 2, NULL, &made, &err));
  td_dict_release(made);
}
static void flatten(td_dict* d, size_t n) {
  td_dict *made, *back;
  (void)n;
  must(td_dict_flatten_keys(d, TD_NO_STR, &made, &err));
  must(td_dict_unflatten_keys(made, TD_NO_STR, &back, &err));
  td_dict_release(made), td_dict_release(back);
}
static void update(td_dict* d, size_t n) {
  td_dict* other = flat(n);
  must(td_dict_update(d, other, NULL, &err));
  must(td_dict_update_(d, other, &err));
  td_dict_release(other);
}
static void stack_two(td_dict* d, size_t n) {
  const td_dict* two[] = {d, d};
  td_dict* made;
  (void)n;
  must(td_dict_stack(two, 2, 0, &made, &err));
  td_dict_release(made);
}
static void print_and_lock(td_dict* d, size_t n) {
  td_string* text;
  (void)n;
  must(td_dict_repr(d, 0, &text, &err));
  td_string_release(text);
  must(td_dict_lock_(d, &err));
  must(td_dict_unlock_(d, &err));
}
static void drop_empty(td_dict* d, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const td_str path[] = {parts[i], parts[0]};
    const td_key key = {path, 2};
    must(td_dict_remove(d, &key, &err));
  }
  must(td_dict_filter_empty_(d, &err));
}
static void append_all(td_dict* d, size_t n) {
  td_dict* member = flat(1);
  for (size_t i = 0; i < n; ++i) must(td_dict_append(d, member, &err));
  td_dict_release(member);
}

/* A file of n rows. */
static td_dict* in_file(size_t n) {
  td_dict *d, *rows;
  td_tensor* t;
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  char path[64];
  snprintf(path, sizeof path, "/tmp/growth.%ld.h5", (long)getpid());
  options.format = TD_FORMAT_HDF5, options.mode = TD_OPEN_READ;
  must(td_dict_new(TD_SHAPE((int64_t)n), NULL, &rows, &err));
  must(td_tensor_zeros(TD_SHAPE((int64_t)n), TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err));
  must(td_dict_set(rows, TD_KEY("a"), t, &err));
  must(td_save(rows, (td_str){path, strlen(path)}, NULL, &err));
  must(td_open((td_str){path, strlen(path)}, &options, &d, &err));
  unlink(path);
  td_tensor_release(t), td_dict_release(rows);
  return d;
}
static void split_rows(td_dict* d, size_t n) {
  td_dict_list* pieces;
  must(td_dict_tensor_split(d, (int64_t)n / 16, 0, &pieces, &err));
  td_dict_list_release(pieces);
}

static const struct operation {
  const char* name;
  td_dict* (*make)(size_t n);
  void (*run)(td_dict* d, size_t n);
} operations[] = {
    {"set", empty, set_all},
    {"set over", flat, set_all},
    {"get", flat, get_all},
    {"delete the first", flat, delete_first},
    {"delete the last", flat, delete_last},
    {"delete every second", flat, delete_between},
    {"delete and set again", flat, delete_and_set},
    {"pop", flat, pop_all},
    {"popitem", flat, popitem_all},
    {"rename", flat, rename_all},
    {"setdefault", flat, setdefault_all},
    {"set data", empty, set_data_all},
    {"keys, sorted", flat, list_keys},
    {"keys, nested", nested, list_keys},
    {"copy", flat, copy},
    {"copy, nested", nested, copy},
    {"copy, stack", stacked, copy},
    {"clone", flat, clone},
    {"clone, nested", nested, clone},
    {"clone, stack", stacked, clone},
    {"consolidate", nested, consolidate},
    {"select", flat, select_half},
    {"exclude", flat, exclude_half},
    {"exclude in place", flat, exclude_in_place},
    {"split_keys", flat, split_half},
    {"separates", flat, separate_half},
    {"flatten and unflatten", nested, flatten},
    {"update", flat, update},
    {"stack", flat, stack_two},
    {"print and lock", nested, print_and_lock},
    {"filter_empty", nested, drop_empty},
    {"append to a stack", one_member, append_all},
    {"split of a file", in_file, split_rows},
};
enum { OPERATIONS = sizeof operations / sizeof *operations, SIZES = 5 };

static double seconds(const struct operation* o, size_t n) {
  td_dict* d = o->make(n);
  const double begin = now();
  o->run(d, n);
  const double took = now() - begin;
  td_dict_release(d);
  return took;
}

/* The least of three, as a busy machine only adds. */
static double least(const struct operation* o, size_t n) {
  double best = seconds(o, n);
  for (int again = 0; again < 2 && best < 1; ++again) best = fmin(best, seconds(o, n));
  return best;
}

/* The slope of the logarithms. */
static double exponent(const struct operation* o, size_t largest) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t i = 0; i < SIZES; ++i) {
    const size_t n = largest >> (SIZES - 1 - i);
    const double x = log((double)n), y = log(least(o, n) + 1e-9);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (SIZES * sxy - sx * sy) / (SIZES * sxx - sx * sx);
}

int main(int argc, char** argv) {
  const size_t largest = argc > 1 ? strtoul(argv[1], NULL, 10) : 32000;
  int above = 0;
  if (largest < 1000) {
    fprintf(stderr, "usage: growth [LARGEST [NAME]], LARGEST of at least 1000\n");
    return 2;
  }
  make_keys(largest);
  must(td_tensor_zeros(TD_SHAPE(1), TD_DTYPE_FLOAT32, TD_NO_STR, &value, &err));
  for (size_t i = 0; i < OPERATIONS; ++i) {
    if (argc > 2 && !strstr(operations[i].name, argv[2])) continue;
    const double e = exponent(&operations[i], largest);
    if (e > 1.1 || argc > 2) printf("%-24s n^%.2f\n", operations[i].name, e);
    above += e > 1.1;
  }
  printf("%d of %d operations grow faster than n^1.1 up to n = %zu\n", above, OPERATIONS, largest);
  return above > 0;
}
