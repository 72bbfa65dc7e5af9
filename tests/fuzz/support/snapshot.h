/* What a dict holds, as numbers that are equal when nothing has changed: structure, order, names, locks, shapes, which
 * memory, and every value. */
#ifndef TESTS_FUZZ_SNAPSHOT_H
#define TESTS_FUZZ_SNAPSHOT_H

#include "tensordict.h"

typedef struct snapshot {
  uint64_t structure; /* kinds, keys and their order, batch sizes, names, locks, devices */
  uint64_t values;    /* of tensors and of non-tensor data */
  uint64_t memory;    /* where the tensors are */
  uint64_t grad;      /* what requires grad */
} snapshot;

snapshot snapshot_of(const td_dict *dict);
/* NULL if they are equal, else what differs. */
const char *snapshot_difference(const snapshot *before, const snapshot *after);

#endif
