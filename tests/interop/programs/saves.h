/* Saves that the tests know by heart, and what programs here do with them: what all languages' peers do. */
#ifndef TESTS_INTEROP_SAVES_H
#define TESTS_INTEROP_SAVES_H

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

/* Prints the leaves and a ".", and again for each line on stdin. */
static void watch(const td_dict *d) {
  show(d), puts("."), fflush(stdout);
  for (char line[64]; fgets(line, sizeof line, stdin);) show(d), puts("."), fflush(stdout);
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

/* Does "save PATH", "copy FROM TO", "show PATH", "watch PATH" or "live DIR", or returns 0. */
__attribute__((unused)) static int do_saves(const char *command, const char *path, const char *to) {
  td_dict *d = NULL;
  if (!strcmp(command, "save")) {
    d = example(0);
    check(td_save(d, TD_STR(path), NULL, &err));
  } else if (!strcmp(command, "copy") && to) {
    check(td_open(TD_STR(path), NULL, &d, &err));
    check(td_save(d, TD_STR(to), NULL, &err));
  } else if (!strcmp(command, "show") || !strcmp(command, "watch")) {
    check(td_open(TD_STR(path), NULL, &d, &err));
    command[0] == 's' ? show(d) : watch(d);
  } else if (!strcmp(command, "live")) {
    live(path);
  } else {
    return 0;
  }
  td_dict_release(d);
  return 1;
}

#endif
