/* What no message may hold: text of the standard library or of LibTorch that says nothing to a caller. Every helper that
 * sees an error asks this. */
#ifndef TESTS_MESSAGES_H
#define TESTS_MESSAGES_H

#include <ctype.h>
#include <string.h>

/* The first such text in the message; NULL if it is clean. */
static inline const char *internal_text(const char *message) {
  static const char *const texts[] = {"std::",           "c10::",        "torch::",          "_M_",
                                      "vector::",        "basic_string", "bad_variant",      "bad_optional",
                                      "wrong index for", "bad_function", "Exception raised", "INTERNAL ASSERT",
                                      "TensorImpl",      "__cxx11",      "terminate called", ".cpp:"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    if (strstr(message, texts[i])) return texts[i];
  for (const char *at = message; (at = strstr(at, "at::")); at += 4)
    if (at == message || !isalnum((unsigned char)at[-1])) return "at::";
  const char *type = strstr(message, "Type{"); /* CPUFloatType{[2, 3]} */
  return type && type > message && isalpha((unsigned char)type[-1]) ? "Type{" : NULL;
}

#endif
