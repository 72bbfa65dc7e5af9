/* What a fuzz target is made of. A target takes any bytes and drives the library with them, through tensordict.h only; what
 * must hold is checked by the functions below, which end the process with a line that says what does not. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensordict.h"

typedef struct fuzz_target {
  const char *name;
  void (*run)(const uint8_t *bytes, size_t size);
  void (*begin)(void);  /* once, before the first input; NULL: nothing */
  const char *fixtures; /* files in tests/data/fixtures that are inputs too: the end of their paths; NULL: none */
  int trusts;           /* 1: a library below ours may crash on inputs that are not in the repository */
} fuzz_target;

extern const fuzz_target *const fuzz_targets[]; /* ends with NULL */

/* ---- What must hold ------------------------------------------------------------------------------------------------------- */

#define hold(ok, what) ((ok) ? (void)0 : does_not_hold(__FILE__, __LINE__, (what)))
void does_not_hold(const char *file, int line, const char *what);

/* Takes the error over. A failure has an error with a message of one line, and is neither a bug of the library nor memory
 * that the input only talked of. Gives 1 for TD_OK. */
#define typed(call, error) ended_well((call), &(error), 0)
/* The same where the input may ask for any amount of memory. */
#define typed_or_oom(call, error) ended_well((call), &(error), 1)
int ended_well(td_status status, td_error **error, int oom);

/* Asks a dict for everything there is, and reads every byte of every tensor. */
void look_at(const td_dict *dict);

/* ---- Files ---------------------------------------------------------------------------------------------------------------- */

/* An empty directory in memory, only for this process. */
const char *sandbox(void);
/* The path of `name` in it; good for the next few calls. */
const char *inside(const char *name);
/* Writes a file of the sandbox, and the directories above it. */
void put_file(const char *name, const void *bytes, size_t size);
void drop_file(const char *name);

/* While this is on, the library may open files of the sandbox only, the ones below, and those for reading only. */
enum { WATCH_OFF = 0, WATCH_READING = 1, WATCH_WRITING = 2 };
void watch(int how);
void watch_also(const char *path); /* a file elsewhere that may be opened in any way */

/* ---- Inputs of several parts ---------------------------------------------------------------------------------------------- */

typedef struct bytes_left {
  const uint8_t *at;
  size_t size;
} bytes_left;

/* Takes what stands before the next byte 0xFF, which is in no UTF-8 text; 0 if nothing is left. */
int take_part(bytes_left *from, bytes_left *part);
/* Takes a number of `width` bytes, little-endian; 0 where nothing is left. */
uint64_t take_number(bytes_left *from, size_t width);

#endif
