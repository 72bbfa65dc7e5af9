/* What the library's side of the interop tests has in common: the first failure ends the program. */
#ifndef TESTS_INTEROP_PEER_H
#define TESTS_INTEROP_PEER_H

#include <stdio.h>
#include <stdlib.h>

#include "tensordict.h"

static td_error *err;

static void check(td_status status) {
  if (status == TD_OK) return;
  fprintf(stderr, "%s: %s\n", td_status_name(status).data, err ? td_error_message(err).data : "");
  exit(1);
}

/* The path of a file; the next call overwrites it. */
__attribute__((unused)) static const char *in(const char *directory, const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

#endif
