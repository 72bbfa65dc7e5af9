/* The library's side of test_files.py: one command a process.
 *
 *   part PATH KEY...       opens the dict at the key and saves it to PATH with ".part" behind it
 *   append DIR ROWS        appends what is saved at ROWS to DIR
 *   pack FROM TO           saves with lzma
 *   tensor PATH N          makes a file of N int64 zeros and counts in it
 *   tensor-from PATH       makes a file of the floats 0 1 2 3 4 5 in the shape [2,3]
 *   tensor-sum PATH N      prints the sum of N int64, and doubles them in the file
 */
#include <string.h>

#include "peer.h"
#include "serve.h"

static void open_part(const char *path, char **keys, size_t n) {
  td_str parts[16];
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  td_dict *d = NULL;
  char copy[4096];
  for (size_t i = 0; i < n && i < 16; ++i) parts[i] = TD_STR(keys[i]);
  const td_key key = {parts, n};
  options.part = &key;
  check(td_open(TD_STR(path), &options, &d, &err));
  snprintf(copy, sizeof copy, "%s.part", path);
  check(td_save(d, TD_STR(copy), NULL, &err));
  td_dict_release(d);
}

static void tensor(const char *command, const char *path, int64_t n) {
  td_tensor *t = NULL;
  void *data = NULL;
  if (!strcmp(command, "tensor")) {
    check(td_tensor_memmap_zeros(TD_STR(path), TD_SHAPE(n), TD_DTYPE_INT64, NULL, &t, &err));
    check(td_tensor_mutable_data(t, &data, &err));
    for (int64_t i = 0; i < n; ++i) ((int64_t *)data)[i] = i;
  } else if (!strcmp(command, "tensor-from")) {
    td_tensor *values = NULL;
    check(td_tensor_copy_from((float[]){0, 1, 2, 3, 4, 5}, TD_DTYPE_FLOAT32, TD_SHAPE(2, 3), &values, &err));
    check(td_tensor_memmap_from(values, TD_STR(path), NULL, &t, &err));
    td_tensor_release(values);
  } else {
    int64_t sum = 0;
    check(td_tensor_memmap_open(TD_STR(path), TD_SHAPE(n), TD_DTYPE_INT64, TD_OPEN_READ_WRITE, &t, &err));
    check(td_tensor_mutable_data(t, &data, &err));
    for (int64_t i = 0; i < n; ++i) sum += ((int64_t *)data)[i], ((int64_t *)data)[i] *= 2;
    printf("%lld\n", (long long)sum);
  }
  td_tensor_release(t);
}

static int run(int argc, char **argv) {
  const char *command = argc > 2 ? argv[1] : "";
  td_dict *d = NULL;
  if (!strcmp(command, "part")) {
    open_part(argv[2], argv + 3, (size_t)argc - 3);
  } else if (!strcmp(command, "append") && argc == 4) {
    check(td_open(TD_STR(argv[3]), NULL, &d, &err));
    check(td_append_memmap(TD_STR(argv[2]), d, 0, &err));
  } else if (!strcmp(command, "pack") && argc == 4) {
    td_save_options options = TD_SAVE_OPTIONS_INIT;
    options.compression = TD_COMPRESSION_LZMA;
    check(td_open(TD_STR(argv[2]), NULL, &d, &err));
    check(td_save(d, TD_STR(argv[3]), &options, &err));
  } else if (!strncmp(command, "tensor", 6)) {
    tensor(command, argv[2], argc > 3 ? atoll(argv[3]) : 0);
  } else {
    fprintf(stderr, "usage: files_peer part|append|pack|tensor|tensor-from|tensor-sum ...\n");
    return 2;
  }
  td_dict_release(d);
  return 0;
}

MAIN_THAT_SERVES(run)
