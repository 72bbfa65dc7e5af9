/* What the fuzz of the API is made of: a child makes objects and calls functions with them, each chosen by the numbers that
 * follow from its seed. The functions that call are written by generate.py, from the header. */
#ifndef TESTS_FUZZ_API_H
#define TESTS_FUZZ_API_H

#include "api/makers.h"
#include "support/fuzz.h"
#include "support/random.h"
#include "support/snapshot.h"

typedef struct api_call {
  const char *name;
  void (*call)(void);
} api_call;
extern const api_call api_calls[];
extern const size_t n_api_calls;

/* ---- Objects -------------------------------------------------------------------------------------------------------- */

enum {
#define X(type) KIND_##type,
  HANDLE_KINDS(X)
#undef X
      N_HANDLE_KINDS
};

/* Takes a handle over: it may be an argument from now on, and is given back in the end. */
void adopt(int kind, void *handle);
/* One that there is, or a new one, or, where a call is wild, NULL. Borrowed. */
void *any_handle(int kind, const char *name);
/* Out of the pool: the caller's from now on; NULL if there is none. */
void *take_handle(int kind);
void give_back_all(void);
void trim_pool(void);
int pool_size(int kind);
extern long made[N_HANDLE_KINDS], not_made[N_HANDLE_KINDS];

/* The dict that the call under way has met last, from which other arguments take their keys and shapes; may be NULL. */
extern const td_dict *of_call;

/* ---- A call --------------------------------------------------------------------------------------------------------- */

enum { OUTPUTS = 80 };

void begin_call(const char *name); /* decides how wild it is */
void end_call(void);               /* frees what its arguments were made of */
extern int wild;                   /* the percentage of arguments that are wrong */
extern int wrong_size;             /* a struct of this call has a size that is not its own */
int pick_wrong(void);              /* 1 for an argument that shall be wrong */
void *keep(size_t size);           /* zeroed memory until the end of the call */
void say(const char *format, ...) __attribute__((format(printf, 1, 2))); /* adds to the log of the seed */
void called(void);                                                       /* the arguments are made: the call is next */
/* Run right before and right after each call that may fail; NULL, or set by the program. */
extern void (*before_call)(void), (*after_call)(const char *of);
/* The same around each function with the tag [leaf]. */
extern void (*before_leaf)(void), (*after_leaf)(const char *of);
void leaf_begins(void);
void leaf_ends(const char *of);

void make_calls(uint64_t seed); /* what a child does */

/* What must hold after it. `null_err`: no place for the error was given. */
void ended(const char *of, td_status status, td_error *error, int null_err);
void remember(const td_dict *dict);
void expect_as_before(td_status status);
void forget_dicts(int in_files_only); /* those that were remembered for this call */
void spoil(void *out, size_t size);   /* fills an output with what no call writes */
void settle_handle(const char *of, td_status status, void *out, int kind, int was_null);
/* What the header says of NULL: whether it is taken for an argument, and given for an output. */
void expect_allowed(const char *of, const char *name, td_status status, int was_null, int nullable);
void expect_given(const char *of, const char *name, td_status status, const void *out, int was_null, int nullable);
void settle_handles(const char *of, td_status status, void **outs, int kind);
void settle_plain(const char *of, td_status status, const void *out, size_t size, int was_null);
void settle_sizes(const char *of, const int64_t *out, size_t capacity);
void settle_values(const char *of, td_status status, td_value *outs, size_t n);
void settle_descriptor(const char *of, td_status status, int fd, int is_ours);
void read_text(td_str text);
void read_static(const char *text);

/* ---- Userdata ------------------------------------------------------------------------------------------------------- */

void *held_userdata(void);    /* lives as long as the child */
void *counted_userdata(void); /* the same, and `destroy_counted` must be called once for it */
void destroy_counted(void *userdata);
void forget_counted(void); /* those of this call */
void expect_all_destroyed(void);

/* Arrays and single structs of one type, for the functions that are written by generate.py. */
#define STRUCTS(type)                                                                 \
  static inline const type *many_##type(const char *of, const char *name, size_t n) { \
    type *all = keep((n + 8) * sizeof *all + 64);                                     \
    if (pick_none("array", name)) return NULL;                                        \
    for (size_t i = 0; i < n + 8; ++i) fill_##type(&all[i], of, name);                \
    return all;                                                                       \
  }                                                                                   \
  static inline const type *one_##type(const char *of, const char *name) {            \
    if (pick_none(#type, name)) return NULL;                                          \
    type *one = keep(sizeof *one + 64);                                               \
    fill_##type(one, of, name);                                                       \
    return one;                                                                       \
  }
#define HANDLES(type)                                                           \
  static inline type *pick_##type(const char *of, const char *name) {           \
    (void)of;                                                                   \
    return any_handle(KIND_##type, name);                                       \
  }                                                                             \
  static inline void *many_##type(const char *of, const char *name, size_t n) { \
    type **all = keep((n + 8) * sizeof *all);                                   \
    if (pick_none("array", name)) return NULL;                                  \
    for (size_t i = 0; i < n + 8; ++i) all[i] = pick_##type(of, name);          \
    return all;                                                                 \
  }

#endif
