/* The library's side of test_hdf5.py: one command a process.
 *
 *   show FILE            prints each leaf: key dtype shape bytes
 *   copy FROM TO         opens a file and saves what is in it
 *   create FILE          a file of batch size [4] with what test_hdf5.py knows by heart, written row by row
 *   change FILE          writes into a file of Python's, that has "a" [3, 2] and "n" {"b" [3]}
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "full.h"
#include "peer.h"
#include "serve.h"

static void show(const td_dict *d) {
  static const char *const names[] = {"none",    "bool",    "uint8",     "int8",      "int16",     "int32",
                                      "int64",   "uint16",  "uint32",    "uint64",    "float16",   "bfloat16",
                                      "float32", "float64", "complex32", "complex64", "complex128"};
  td_keys *keys = NULL;
  check(td_dict_keys(d, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    td_tensor *t = NULL;
    const void *data = NULL;
    int64_t dims[8];
    check(td_keys_get(keys, i, &key, &err));
    check(td_dict_get(d, &key, &t, &err));
    check(td_tensor_data(t, &data, &err));
    for (size_t k = 0; k < key.n; ++k) printf("%s%.*s", k ? "|" : "", (int)key.parts[k].size, key.parts[k].data);
    printf("\t%s\t", names[td_tensor_dtype(t)]);
    size_t ndim = td_tensor_shape(t, dims, 8);
    for (size_t k = 0; k < ndim; ++k) printf("%s%lld", k ? "," : "", (long long)dims[k]);
    printf("\t");
    for (int64_t k = 0; k < td_tensor_nbytes(t); ++k) printf("%02x", ((const unsigned char *)data)[k]);
    printf("\n");
    td_tensor_release(t);
  }
  td_keys_release(keys);
}

static td_dict *opened(const char *path, td_open_mode mode) {
  td_dict *d = NULL;
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = mode;
  options.format = TD_FORMAT_HDF5;
  check(td_open(TD_STR(path), &options, &d, &err));
  return d;
}

static td_dict *created(const char *path) {
  td_dict *d = NULL;
  const int64_t batch[] = {4};
  td_persistent_options options = TD_PERSISTENT_OPTIONS_INIT;
  options.batch_size = batch, options.ndim = 1;
  options.compression = 4;
  check(td_persistent_create(TD_STR(path), &options, &d, &err));
  put(d, TD_KEY("a"), full(0, TD_DTYPE_FLOAT32, TD_SHAPE(4, 2)));
  put(d, TD_KEY("n", "flags"), full(0, TD_DTYPE_BOOL, TD_SHAPE(4)));
  put(d, TD_KEY("n", "z"), full(0, TD_DTYPE_COMPLEX64, TD_SHAPE(4)));
  put(d, TD_KEY("\xD0\xB6"), full(7, TD_DTYPE_INT8, TD_SHAPE(4)));
  check(td_dict_set_data(d, TD_KEY("text"), TD_DATA(td_data_str(TD_STR("h\xC3\xA9"))), &err));
  check(td_dict_set_data(d, TD_KEY("number"), TD_DATA(td_data_int(3)), &err));
  const td_data words[] = {td_data_str(TD_STR("a")), td_data_str(TD_STR("b")), td_data_str(TD_STR("c")),
                           td_data_str(TD_STR("d"))};
  check(td_dict_set_data_stack(d, TD_KEY("words"), words, 4, &err));
  for (int64_t i = 0; i < 4; ++i) {
    const td_index row[] = {TD_INT(i)};
    td_dict *value = NULL;
    check(td_dict_new(TD_NO_DIMS, NULL, &value, &err));
    put(value, TD_KEY("a"), full((double)i, TD_DTYPE_FLOAT32, TD_SHAPE(2)));
    put(value, TD_KEY("n", "flags"), full(i % 2, TD_DTYPE_BOOL, TD_NO_DIMS));
    put(value, TD_KEY("n", "z"), full((double)-i, TD_DTYPE_COMPLEX64, TD_NO_DIMS));
    check(td_dict_set_at(d, row, 1, value, &err));
    td_dict_release(value);
  }
  return d;
}

static int run(int argc, char **argv) {
  const char *command = argc > 2 ? argv[1] : "";
  td_dict *d = NULL;
  if (!strcmp(command, "show")) {
    show(d = opened(argv[2], TD_OPEN_READ));
  } else if (!strcmp(command, "copy") && argc == 4) {
    d = opened(argv[2], TD_OPEN_READ);
    check(td_save(d, TD_STR(argv[3]), NULL, &err));
  } else if (!strcmp(command, "create")) {
    d = created(argv[2]);
    check(td_persistent_close(d, &err));
  } else if (!strcmp(command, "change")) {
    d = opened(argv[2], TD_OPEN_READ_WRITE);
    const td_index rows[] = {TD_SLICE(1, 3)};
    check(td_dict_set_at_value(d, rows, 1, TD_VALUE(td_value_double(9)), &err));
    put(d, TD_KEY("n", "c"), full(2, TD_DTYPE_INT16, TD_SHAPE(3, 1)));
    check(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("m"), 0, &err));
  } else {
    fprintf(stderr, "usage: hdf5_peer show|copy|create|change FILE ...\n");
    return 2;
  }
  td_dict_release(d);
  return 0;
}

MAIN_THAT_SERVES(run)
