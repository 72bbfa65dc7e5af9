// What must hold in the programs of this folder, which are no tests of tests/runner.
#pragma once

#include <cstdio>
#include <cstdlib>

#include <errno.h>

inline void need(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
  std::_Exit(1);
}
