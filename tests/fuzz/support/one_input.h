/* An input, and what must be as it was before it. */
#ifndef TESTS_FUZZ_ONE_INPUT_H
#define TESTS_FUZZ_ONE_INPUT_H

#include "support/fuzz.h"

/* The target of this name, begun; ends the process if there is none. */
const fuzz_target *begin_target(const char *name);

/* Runs it, and holds that no handle and no mapping is left. */
void run_one(const fuzz_target *target, const uint8_t *bytes, size_t size);

#endif
