#include "digits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

td_error *err;

void must(td_status status) {
  if (status == TD_OK) return;
  fprintf(stderr, "digits: %s: %s\n", td_status_name(status).data, err ? td_error_message(err).data : "(no message)");
  exit(1);
}

void fail(const char *what, const char *why) {
  fprintf(stderr, "digits: %s: %s\n", what, why);
  exit(1);
}

double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

td_tensor *op(const char *name, const td_value *args, size_t n, const td_named_value *kwarg) {
  td_op *found;
  td_value result;
  must(td_op_find(TD_STR(name), TD_NO_STR, &found, &err));
  must(td_op_call(found, args, n, kwarg, kwarg ? 1 : 0, &result, 1, &err));
  td_op_release(found);
  return result.as.tensor;
}

td_tensor *get(const td_dict *dict, const char *key) {
  td_tensor *tensor;
  must(td_dict_get(dict, TD_KEY(key), &tensor, &err));
  return tensor;
}

void put(td_dict *dict, const char *key, td_tensor *value) {
  must(td_dict_set(dict, TD_KEY(key), value, &err));
  td_tensor_release(value);
}

td_dict *rows_of(const td_dict *dict, const td_tensor *rows) {
  td_dict *out;
  must(td_dict_index(dict, (td_index[]){TD_TENSOR(rows)}, 1, &out, &err));
  return out;
}

int is_copy(const td_tensor *tensor, const char *path) {
  const void *data;
  must(td_tensor_data(tensor, &data, &err));
  uintptr_t first = (uintptr_t)data, last = first + (uintptr_t)td_tensor_nbytes(tensor);

  FILE *maps = fopen("/proc/self/maps", "r");
  char line[4600];
  int copy = 1;
  while (copy && maps && fgets(line, sizeof line, maps)) {
    uintptr_t begin, end;
    const char *file = strchr(line, '/');
    if (file && sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) == 2 && begin <= first && last <= end) {
      line[strcspn(line, "\n")] = 0;
      copy = strcmp(file, path) != 0;
    }
  }
  if (maps) fclose(maps);
  return copy;
}
