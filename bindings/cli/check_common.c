#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_run.h"
#include "check_test.h"
#include "report.h"
#include "text.h"

// One answer: threads that fail after the first wait for the end.
static void answer(const char *verdict, const char *format, va_list arguments) {
  static atomic_flag answered = ATOMIC_FLAG_INIT;
  char message[2048];
  while (atomic_flag_test_and_set(&answered)) pause();
  vsnprintf(message, sizeof message, format, arguments);
  answer_trial(verdict, message);
}

void fail_trial(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  answer("fail", format, arguments);
  va_end(arguments);
  _exit(EXIT_FAILED);
}

void skip_trial(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  answer("skip", format, arguments);
  va_end(arguments);
  _exit(EXIT_GOOD);
}

void must(td_status status, td_error **err, const char *doing) {
  if (status != TD_OK) fail_trial("%s: %s", doing, *err ? td_error_message(*err).data : td_status_name(status).data);
}

void forget(td_error **err) {
  td_error_release(*err);
  *err = NULL;
}

// splitmix64 of Steele, Lea and Flood.
uint64_t draw(trial *t) {
  uint64_t z = t->random += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

double draw_unit(trial *t) {
  return (double)(draw(t) >> 11) * 0x1p-53;
}

void draw_bytes(trial *t, void *bytes, size_t size) {
  unsigned char *p = bytes;
  for (size_t i = 0; i < size; ++i) p[i] = (unsigned char)(draw(t) >> 24);
}

td_generator *draw_generator(trial *t) {
  td_generator *g;
  td_error *err = NULL;
  must(td_generator_new(draw(t), &g, &err), &err, "making a generator");
  return g;
}

// ---- Threads --------------------------------------------------------------------------------------------------------------
typedef struct worker {
  void (*fn)(void *context, int i);
  void *context;
  int i;
  pthread_barrier_t *start;
} worker;

static void *work(void *self) {
  worker *w = self;
  pthread_barrier_wait(w->start);
  w->fn(w->context, w->i);
  return NULL;
}

void in_threads(int n, void (*fn)(void *context, int i), void *context) {
  pthread_t threads[64];
  worker workers[64];
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, (unsigned)n);
  for (int i = 0; i < n; ++i) {
    workers[i] = (worker){fn, context, i, &start};
    if (pthread_create(threads + i, NULL, work, workers + i)) skip_trial("no thread could be started");
  }
  for (int i = 0; i < n; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&start);
}

// ---- Leaks ----------------------------------------------------------------------------------------------------------------
static size_t memory_in_use(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
#else
  return 0;
#endif
}

static int64_t references(void) {
  int64_t n = 0;
  for (td_object_kind kind = 0;; ++kind) {
    int64_t held = td_live_objects(kind);
    if (held < 0) return n;
    n += held;
  }
}

void check_leaks(void (*fn)(void *context), void *context) {
  enum { WARM = 40, CALLS = 200 };
  double grown[2];
  for (int i = 0; i < WARM; ++i) fn(context);  // caches fill up
  int64_t held = references();
  for (int round = 0; round < 2; ++round) {
    size_t before = memory_in_use();
    for (int i = 0; i < CALLS; ++i) fn(context);
    grown[round] = ((double)memory_in_use() - (double)before) / CALLS;
  }
  if (references() > held)
    fail_trial("%lld references of the library's objects are alive after %d calls that were not before",
               (long long)(references() - held), 2 * CALLS);
  // What grows with each call grows in both rounds; a table that doubles now and then does not.
  if (grown[0] >= 8 && grown[1] >= 8)
    fail_trial("memory grows by %.0f bytes with each instance", grown[0] < grown[1] ? grown[0] : grown[1]);
}

// ---- What the library tells about a type ----------------------------------------------------------------------------------
char *about(const trial *t, const char *name, const char *otherwise) {
  char *found = json_member(t->about, name);
  return found ? found : otherwise ? xcopy(otherwise, strlen(otherwise)) : NULL;
}

int has_flag(const trial *t, const char *flag) {
  char *flags = json_member(t->about, "flags");
  if (!flags) return -1;
  int found = 0;
  for (size_t i = 0, n = json_objects(flags); i < n && !found; ++i) {
    char *one = json_element(flags, i);
    found = !strcmp(one, flag);
    free(one);
  }
  free(flags);
  return found;
}
