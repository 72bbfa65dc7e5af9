/* The library's side of test_storage.py: one command a process, text on stdout.
 *
 *   save DIR             saves a dict that test_storage.py knows by heart
 *   copy FROM TO         opens a save and saves it again
 *   show DIR             prints each leaf: key dtype shape sum
 *   live DIR             obeys lines on stdin on a directory that is open for writing
 *   hold FROM NAME       opens a save, creates a segment of it, prints its path, and waits for the end of stdin
 *   own NAME [KEY]       creates a segment of the same dict, prints its path, adds 1 to "a" at each line on stdin; or of
 *                        a dict that has only this, as KEY; own-snapshots with snapshots, own-stacks with snapshots and a
 *                        lazy stack, to which it adds too
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

static void put(td_dict *d, const td_key *key, td_dtype dtype, const void *data, const int64_t *dims, size_t ndim) {
  td_tensor *t = NULL;
  check(td_tensor_copy_from(data, dtype, dims, ndim, &t, &err));
  check(td_dict_set(d, key, t, &err));
  td_tensor_release(t);
}

static td_dict *example(float offset) {
  td_dict *d = NULL;
  float a[6];
  for (int i = 0; i < 6; ++i) a[i] = (float)i + offset;
  check(td_dict_new(TD_SHAPE(2), NULL, &d, &err));
  put(d, TD_KEY("a"), TD_DTYPE_FLOAT32, a, TD_SHAPE(2, 3));
  put(d, TD_KEY("n", "b/c"), TD_DTYPE_INT64, (int64_t[]){-1, INT64_MAX}, TD_SHAPE(2));
  put(d, TD_KEY("n", "\xD0\xB6"), TD_DTYPE_BOOL, (uint8_t[]){1, 0}, TD_SHAPE(2, 1));
  put(d, TD_KEY("n", "deep", "z"), TD_DTYPE_COMPLEX128, (double[]){1, 2, 3, 4}, TD_SHAPE(2));
  put(d, TD_KEY("half"), TD_DTYPE_BFLOAT16, (uint16_t[]){0x3F80, 0x4000}, TD_SHAPE(2));
  put(d, TD_KEY("none"), TD_DTYPE_FLOAT64, a, TD_SHAPE(2, 0));
  return d;
}

/* Members of other shapes and keys, all filled with `value`. */
static void add_stack(td_dict *d, double value) {
  td_dict *members[2] = {NULL, NULL}, *stack = NULL;
  for (int64_t i = 0; i < 2; ++i) {
    td_tensor *x = NULL;
    check(td_dict_new(NULL, 0, NULL, &members[i], &err));
    check(td_tensor_full(TD_SHAPE(i + 2), TD_VALUE(td_value_double(value)), TD_DTYPE_FLOAT32, TD_NO_STR, &x, &err));
    check(td_dict_set(members[i], TD_KEY("x"), x, &err));
    if (i) check(td_dict_set(members[i], TD_KEY("n", "own"), x, &err));
    td_tensor_release(x);
  }
  check(td_dict_lazy_stack(members, 2, 0, &stack, &err));
  check(td_dict_set_dict(d, TD_KEY("stack"), stack, &err));
  td_dict_release(members[0]), td_dict_release(members[1]), td_dict_release(stack);
}

/* The same, or only its "a" under another key. */
static td_dict *example_as(const char *key, float offset) {
  td_dict *whole = example(offset), *d = NULL;
  td_tensor *a = NULL;
  if (!key) return whole;
  check(td_dict_get(whole, TD_KEY("a"), &a, &err));
  check(td_dict_new(TD_SHAPE(2), NULL, &d, &err));
  check(td_dict_set(d, TD_KEY(key), a, &err));
  td_tensor_release(a), td_dict_release(whole);
  return d;
}

static void show(const td_dict *d) {
  static const char *const names[] = {"none",    "bool",    "uint8",     "int8",      "int16",     "int32",
                                      "int64",   "uint16",  "uint32",    "uint64",    "float16",   "bfloat16",
                                      "float32", "float64", "complex32", "complex64", "complex128"};
  td_keys *keys = NULL;
  check(td_dict_keys(d, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    td_tensor *t = NULL, *row_major = NULL;
    const void *data = NULL;
    int64_t dims[8];
    check(td_keys_get(keys, i, &key, &err));
    check(td_dict_get(d, &key, &t, &err));
    check(td_tensor_contiguous(t, &row_major, &err));
    check(td_tensor_data(row_major, &data, &err));
    for (size_t k = 0; k < key.n; ++k) printf("%s%.*s", k ? "|" : "", (int)key.parts[k].size, key.parts[k].data);
    printf("\t%s\t", names[td_tensor_dtype(t)]);
    size_t ndim = td_tensor_shape(t, dims, 8);
    for (size_t k = 0; k < ndim; ++k) printf("%s%lld", k ? "," : "", (long long)dims[k]);
    printf("\t");
    for (int64_t k = 0; k < td_tensor_nbytes(t); ++k) printf("%02x", ((const unsigned char *)data)[k]);
    printf("\n");
    td_tensor_release(row_major), td_tensor_release(t);
  }
  td_keys_release(keys);
}

/* Obeys lines on a directory that is open for writing: "fill KEY VALUE", "first KEY", "make KEY", "refresh". */
static void live(const char *path) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  td_dict *d = NULL;
  options.mode = TD_OPEN_READ_WRITE;
  check(td_open(TD_STR(path), &options, &d, &err));
  puts("ready"), fflush(stdout);
  for (char line[256], verb[16], key[64]; fgets(line, sizeof line, stdin);) {
    double value = 0;
    td_tensor *t = NULL;
    if (sscanf(line, "%15s %63s %lf", verb, key, &value) < 1) continue;
    if (!strcmp(verb, "refresh")) {
      check(td_dict_memmap_refresh_(d, &err));
    } else if (!strcmp(verb, "make")) {
      check(td_dict_make_memmap(d, TD_KEY(key), TD_SHAPE(2), TD_DTYPE_FLOAT32, NULL, &err));
    } else {
      void *data = NULL;
      check(td_dict_get(d, TD_KEY(key), &t, &err));
      check(td_tensor_mutable_data(t, &data, &err));
      for (int64_t i = 0; verb[1] == 'i' && verb[2] == 'l' && i < td_tensor_nbytes(t) / 4; ++i)
        ((float *)data)[i] = (float)value;
      value = ((float *)data)[0];
    }
    printf("%g\n", value), fflush(stdout);
    td_tensor_release(t);
  }
  td_dict_release(d);
}

int main(int argc, char **argv) {
  const char *command = argc > 2 ? argv[1] : "";
  td_dict *d = NULL;
  if (!strcmp(command, "save")) {
    d = example(0);
    check(td_save(d, TD_STR(argv[2]), NULL, &err));
  } else if (!strcmp(command, "copy") && argc == 4) {
    check(td_open(TD_STR(argv[2]), NULL, &d, &err));
    check(td_save(d, TD_STR(argv[3]), NULL, &err));
  } else if (!strcmp(command, "show")) {
    check(td_open(TD_STR(argv[2]), NULL, &d, &err));
    show(d);
  } else if (!strcmp(command, "live")) {
    live(argv[2]);
  } else if (!strcmp(command, "watch")) { /* what another process writes into a save in shared memory */
    check(td_open(TD_STR(argv[2]), NULL, &d, &err));
    show(d), puts("."), fflush(stdout);
    for (char line[64]; fgets(line, sizeof line, stdin);) show(d), puts("."), fflush(stdout);
  } else if (!strcmp(command, "hold") && argc == 4) {
    td_segment *s = NULL;
    check(td_open(TD_STR(argv[2]), NULL, &d, &err));
    check(td_segment_create(TD_STR(argv[3]), d, NULL, &s, &err));
    puts(td_segment_path(s).data), fflush(stdout);
    for (char line[64]; fgets(line, sizeof line, stdin);) {
    }
    td_segment_release(s);
  } else if (!strncmp(command, "own", 3)) {
    int stacks = !strcmp(command, "own-stacks");
    td_segment *s = NULL;
    td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
    const char *key = argc > 3 ? argv[3] : NULL;
    float offset = 0;
    o.snapshots = strcmp(command, "own") ? 3 : 0;
    d = example_as(key, offset);
    if (stacks) add_stack(d, offset);
    check(td_segment_create(TD_STR(argv[2]), d, &o, &s, &err));
    puts(td_segment_path(s).data), fflush(stdout);
    for (char line[64]; fgets(line, sizeof line, stdin);) {
      td_dict *next = example_as(key, ++offset);
      if (stacks) add_stack(next, offset);
      check(td_segment_update(s, next, &err));
      td_dict_release(next);
      printf("%llu\n", (unsigned long long)td_segment_version(s)), fflush(stdout);
    }
    td_segment_release(s);
  } else {
    fprintf(stderr, "usage: storage_peer save|copy|show|watch|hold|own|own-snapshots ...\n");
    return 2;
  }
  td_dict_release(d);
  return 0;
}
