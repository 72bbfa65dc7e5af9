// Pickles that hold nothing but data (None, bools, numbers, text, bytes, lists, tuples, dicts), as JSON. Nothing is run:
// whatever would name a class or a function is refused.
#ifndef CLI_PICKLE_H
#define CLI_PICKLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Writes the pickled value, or with `member` the value under that key of the pickled dict, or with `index` >= 0 that
// element of the pickled list. 0, and nothing is written, unless it is all data.
int json_of_pickle(FILE *out, const void *bytes, size_t size, const char *member, int64_t index);

#endif
