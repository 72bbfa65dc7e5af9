/* What the kept programs share: a call that must succeed, and a line that says what did not hold. */
#ifndef KEPT_H
#define KEPT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensordict.h"

static td_error *err;

#define must(call)                                                                                                  \
  do {                                                                                                              \
    if ((call) != TD_OK) {                                                                                          \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, err ? td_error_message(err).data : "no error"); \
      exit(1);                                                                                                      \
    }                                                                                                               \
  } while (0)
#define check(holds)                                                            \
  do {                                                                          \
    if (!(holds)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #holds); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

#endif
