/* The parts of the digits example: see digits.c for the story. */
#ifndef DIGITS_H
#define DIGITS_H

#define _XOPEN_SOURCE 700 /* POSIX 2008, with realpath */
#include <stdio.h>
#include <sys/types.h>

#include "tensordict.h"

/* ---- common.c ---- */

/* Every call of the library goes through must(): `must(td_open(..., &err))` prints what went wrong and exits. */
extern td_error *err;
void must(td_status status);
void fail(const char *what, const char *why);
double seconds(void);

/* The tensor that an operator returns: OP("softmax", T(x), td_value_int(-1)). Release it. */
td_tensor *op(const char *name, const td_value *args, size_t n, const td_named_value *kwarg);
#define OP(name, ...) op(name, (td_value[]){__VA_ARGS__}, sizeof((td_value[]){__VA_ARGS__}) / sizeof(td_value), NULL)
#define T(tensor) td_value_tensor(tensor)

td_tensor *get(const td_dict *dict, const char *key);
/* Puts `value` under `key` and gives the caller's reference back. */
void put(td_dict *dict, const char *key, td_tensor *value);
td_dict *rows_of(const td_dict *dict, const td_tensor *rows);
/* 1 unless all elements lie in memory that is mapped from the file `path`: the kernel knows. */
int is_copy(const td_tensor *tensor, const char *path);

/* ---- train.c ---- */
enum { MEMBERS = 8, CLASSES = 10 };

typedef struct ensemble {
  td_module *net;  /* what one member computes: "pixels" -> "logits" */
  td_dict *states; /* the parameters of all members, stacked */
} ensemble;

ensemble ensemble_train(const td_dict *rows, int epochs, td_generator *generator);
td_tensor *ensemble_probability(const ensemble *self, const td_dict *rows); /* [MEMBERS, N, CLASSES] */
void ensemble_release(ensemble *self);

/* ---- reader.c ---- */
typedef struct reader {
  pid_t pid;
  FILE *to, *from;
} reader;

reader reader_start(const char *program, const char *segment, const char *data);
void reader_print(reader *self); /* what it says, until it is ready or done */
void reader_tell(reader *self, int64_t row);
void reader_finish(reader *self); /* exits if it failed */

#endif
