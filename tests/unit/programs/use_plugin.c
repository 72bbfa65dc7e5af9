/* use_plugin FILE TYPE CONFIG TEXT HASH: loads a plugin, hashes the text with one of its types, and compares. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensordict.h"

static int failed(const char *what, const td_error *err) {
  fprintf(stderr, "%s: %s\n", what, td_error_message(err).data);
  return 1;
}

int main(int argc, char **argv) {
  td_error *err = NULL;
  td_hash *hash;
  uint64_t value;
  if (argc != 6) return 2;
  if (td_plugins_load(TD_STR(argv[1]), &err) != TD_OK) return failed(argv[1], err);
  if (td_hash_new(TD_STR(argv[2]), TD_STR(argv[3]), &hash, &err) != TD_OK) return failed(argv[2], err);
  const size_t size = strlen(argv[4]);
  if (td_hash_rows(hash, argv[4], 1, size, size, &value, &err) != TD_OK) return failed("hashing", err);
  td_hash_release(hash);
  if (value == strtoull(argv[5], NULL, 0)) return 0;
  fprintf(stderr, "%s gives %" PRIx64 " for '%s', not %s\n", argv[2], value, argv[4], argv[5]);
  return 1;
}
