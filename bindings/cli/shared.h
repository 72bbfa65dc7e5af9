// What lies under a name in shared memory, as the library lists it.
#ifndef CLI_SHARED_H
#define CLI_SHARED_H

#include "tensordict.h"

typedef struct shared {
  char *name, *kind, *bytes, *pid;  // kind: "segment", "channel", "map" or "damaged"; NULL for what is not known
  int alive, keep;
} shared;

// The JSON of all names that begin with `prefix`, which may be NULL. Owned. Ends the process on failure.
char *shared_list(const char *prefix);

// One object of that list.
shared shared_of(const char *object);
void shared_clear(shared *self);

// What has this very name; 0 if nothing of this user has it.
int shared_find(const char *name, shared *out);

#endif
