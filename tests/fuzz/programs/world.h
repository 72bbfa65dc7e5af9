/* A program is a world of a few dicts of different kinds, and steps: each a call, or some, that mean something to them. After
 * each step everything that must hold is asked again; after one that failed nothing may have changed. */
#ifndef TESTS_FUZZ_WORLD_H
#define TESTS_FUZZ_WORLD_H

#include "support/children.h"
#include "support/fuzz.h"
#include "support/random.h"
#include "support/snapshot.h"

enum { MOST_DICTS = 7 };

typedef struct world {
  td_dict *dicts[MOST_DICTS];
  int n;
  int resized;   /* a dict that others may hold has got another batch size, which they are not told */
  int unfitting; /* and such a dict is in another one */
} world;

/* PURE: no dict changes, whatever happens. WRITES: those it works on may change if it succeeds. PARTLY: a part of it may
 * have been done when it fails, as its doc says. */
enum { PURE, WRITES, PARTLY };

typedef td_status (*step_function)(world *w, td_dict *self, td_error **err);
typedef struct step {
  const char *name;
  step_function run;
  int effect;
} step;
extern const step steps[];
extern const size_t n_steps;

/* ---- Dicts ---------------------------------------------------------------------------------------------------------- */

td_dict *new_kind(void);                                /* of any kind */
td_dict *any_dict(const world *w);                      /* borrowed */
td_dict *any_like(const world *w, const td_dict *self); /* one with the batch size of `self`, if there is one */
void add_dict(world *w, td_dict *taken);                /* in place of another one, if there are too many */

/* ---- Keys and tensors ------------------------------------------------------------------------------------------------ */

typedef struct some_key {
  td_key key;
  td_str parts[8];
  char text[8][64];
} some_key;
/* One that the dict has, or, seldom, another. */
const td_key *any_key(some_key *k, const td_dict *dict);
const td_key *new_key(some_key *k);
td_tensor *fitting(const td_dict *dict, const td_key *key); /* as what is there, or of the batch size */
td_tensor *numbers(td_dtype dtype, const int64_t *dims, size_t ndim);
int64_t any_dim(const td_dict *dict);

/* ---- What must hold -------------------------------------------------------------------------------------------------- */

void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note_dict(const td_dict *dict);
/* Sizes, names, locks and counts agree with each other, here and below. */
void expect_sound(world *w, const td_dict *dict);
/* The same keys, kinds and values; without `data`, of the tensors. */
int same_content(const td_dict *a, const td_dict *b, int data);
/* 1 if members of a stack have entries under one key that cannot be stacked: of different kinds, or dicts with different
 * numbers of batch dims. */
int has_mixed_entries(const td_dict *dict);
/* 1 if the first entry that has elements is the same memory in both. */
int shares_memory(const td_dict *a, const td_dict *b);

#endif
