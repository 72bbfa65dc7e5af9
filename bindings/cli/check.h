// `tensordict plugin check`: tests of a plugin file, each in a process of its own.
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include <stdint.h>

#include "tensordict.h"

typedef struct check_options {
  int json, verbose, names_only, seeded, timeout;
  uint64_t seed;
  const char *only, *reproduce, *config;
} check_options;
#define CHECK_OPTIONS_INIT \
  { 0, 0, 0, 0, 30, 0, NULL, NULL, NULL }

int check_plugin(const char *file, const check_options *options);

#endif
