// Puts a dict into shared memory under a name that stays.
#ifndef CLI_SEGMENT_H
#define CLI_SEGMENT_H

#include "tensordict.h"

// `replace`: 1 to replace an earlier segment atomically. Ends the process on failure, which leaves the old one as it was.
void put_segment(const td_dict *dict, const char *name, int replace);

#endif
