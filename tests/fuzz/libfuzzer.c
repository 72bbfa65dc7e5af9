/* The entry of libFuzzer, for the target FUZZ_TARGET. Memory that an input only talks of is refused to the library, so that
 * it shows as a failure and not as a slow machine. */
#include "support/one_input.h"

static const fuzz_target *target;

const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:max_allocation_size_mb=512:detect_leaks=1";
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  target = begin_target(FUZZ_TARGET);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  run_one(target, bytes, size);
  return 0;
}
