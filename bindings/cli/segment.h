// Puts a dict into shared memory under a name that stays.
#ifndef CLI_SEGMENT_H
#define CLI_SEGMENT_H

#include "tensordict.h"

// `replace`: 1 to take the place of an earlier segment, at one stroke. Ends the process on failure, and the old one is as it was.
void put_segment(const td_dict *dict, const char *name, int replace);

#endif
