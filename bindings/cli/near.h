// The word that was probably meant.
#ifndef CLI_NEAR_H
#define CLI_NEAR_H

#include <stddef.h>

// How many letters differ between two words: missing, too many, others, or two that changed places.
size_t letters_apart(const char *a, const char *b);

// Whether `meant` is near enough to `typed` to be named in a message.
int is_near(const char *typed, const char *meant);

#endif
