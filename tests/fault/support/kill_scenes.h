/* Scenes in which somebody is killed at each system call, and after single instructions, of one thing that it does. */
#ifndef TESTS_FAULT_KILL_SCENES_H
#define TESTS_FAULT_KILL_SCENES_H

#include "kill_points.h"

static const char *when; /* of the kill, for messages */
#define expect(what, ...) cr_assert((what), "%s: %s", when, path_of(__VA_ARGS__))

typedef struct scene {
  const char *what;
  void (*before)(void); /* in the parent */
  void (*ready)(void);  /* in the child, before it is watched */
  void (*body)(void);   /* in the child */
  void (*after)(void);  /* in the parent */
} scene;

/* What the others check with. */
static int64_t prune_all(void) {
  int64_t removed = -1;
  must(td_segment_prune(TD_STR(channel_name), &removed, &err));
  return removed;
}

/* Somebody else can have the name, and nothing is left of it afterwards. */
static void expect_free(void) {
  td_dict *d = small_dict(9);
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(channel_name), d, NULL, &s, &err));
  td_segment_release(s), td_dict_release(d);
  expect(names_left() == 0, "%d names are left", names_left());
}

static bool one_kill(const scene *s, bool at_call, long k) {
  char text[120];
  snprintf(text, sizeof text, "%s, killed %s %ld", s->what,
           !at_call     ? "after instruction"
           : k % 2 == 0 ? "before call"
                        : "after call",
           at_call ? k / 2 : k);
  when = text;
  if (s->before) s->before();
  const bool killed =
      at_call ? killed_at_call(s->what, (int)k, s->ready, s->body) : killed_at_step(s->what, k, s->ready, s->body);
  s->after();
  return killed;
}

static void kill_scene(const scene *s) {
  int calls = 0, kills = 0;
  one_kill(s, true, 0); /* what is made once and kept is there now */
  const int fds = descriptors();
  while (one_kill(s, true, calls)) ++calls;
  if (CAN_STEP) {
    cr_assert_not(one_kill(s, false, LONG_MAX), "%s never ends", s->what);
    const long length = *steps, stride = 1 + length / fault_rounds(4, 1000);
    for (long k = (long)random_below((uint64_t)stride); k < length;
         k += 1 + (long)random_below((uint64_t)(2 * stride - 1)))
      kills += one_kill(s, false, k);
    printf("%s: killed at %d boundaries of system calls, at %d of %ld instructions\n", s->what, calls, kills, length);
  }
  cr_expect_eq(descriptors(), fds, "%s: descriptors are left", s->what);
}

/* Every other one of them. */
static void kill_scenes(const scene *scenes, size_t n, size_t from) {
  SKIP_IF_SANITIZED();
  td_dict_release(small_dict(0)); /* what LibTorch starts lazily starts before the forks */
  share_steps();
  for (size_t i = from; i < n; i += 2) {
    const int64_t before = live_objects();
    kill_scene(&scenes[i]);
    cr_expect_eq(live_objects(), before, "%s: objects are left", scenes[i].what);
  }
}

#endif
