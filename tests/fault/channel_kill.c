/* A member is killed after each single instruction of what it does in a channel. The others go on with every slot, read
 * nothing torn, and lose nothing but what the dead one had taken. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <sys/ptrace.h>

#include "support/channels.h"

TestSuite(channel_kill, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

typedef struct scene {
  const char *what;
  td_channel_mode mode;
  td_channel_overflow overflow;
  int preload;                /* messages that are there before */
  bool before_open;           /* the child opens the channel under the eyes of the killer */
  bool orphans;               /* another process has died in the channel before, holding a slot of each kind */
  void (*body)(td_channel *); /* in the child */
  int at_least;               /* messages that must be there afterwards */
} scene;

static void produces(td_channel *ch) {
  send_id(ch, 1000, 77);
}
static void consumes(td_channel *ch) {
  uint64_t id;
  td_message *m = NULL;
  if (take_id(ch, 1000, &id, &m) == TD_OK) td_message_release(m);
}
static void gives_up(td_channel *ch) {
  td_message *m = NULL;
  if (td_channel_acquire(ch, 1000, NULL, &m, NULL) == TD_OK) td_message_release(m);
}
static void sweeps(td_channel *ch) {
  int32_t dead;
  td_channel_sweep(ch, &dead, NULL);
}
static void leaves(td_channel *ch) {
  td_channel_release(ch);
}
static void joins(td_channel *unused) {
  (void)unused;
  td_channel *ch = NULL;
  if (td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL) ==
      TD_OK)
    td_channel_release(ch);
}

static const scene scenes[] = {
    {"a producer", TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 0, false, false, produces, 0},
    {"a producer that drops", TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_DROP_OLDEST, 4, false, false, produces, 3},
    {"a producer that gives up", TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2, false, false, gives_up, 2},
    {"a consumer", TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2, false, false, consumes, 1},
    {"a broadcaster", TD_CHANNEL_MODE_BROADCAST, TD_CHANNEL_OVERFLOW_BLOCK, 2, false, false, produces, 2},
    {"a broadcaster that drops", TD_CHANNEL_MODE_BROADCAST, TD_CHANNEL_OVERFLOW_DROP_OLDEST, 4, false, false, produces,
     3},
    {"a subscriber", TD_CHANNEL_MODE_BROADCAST, TD_CHANNEL_OVERFLOW_BLOCK, 2, false, false, consumes, 2},
    {"one that leaves", TD_CHANNEL_MODE_BROADCAST, TD_CHANNEL_OVERFLOW_BLOCK, 2, false, false, leaves, 2},
    {"a sweeper of a queue", TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 3, false, true, sweeps, 3},
    {"a sweeper of a broadcast", TD_CHANNEL_MODE_BROADCAST, TD_CHANNEL_OVERFLOW_BLOCK, 2, false, true, sweeps, 2},
    {"one that joins", TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2, true, true, joins, 2},
};

/* A process that dies with a slot being written and one being read. */
static void leave_orphans(void) {
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    td_channel *ch = NULL;
    td_message *m = NULL;
    if (td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL))
      _exit(1);
    if (td_channel_take(ch, 0, NULL, &m, NULL) && td_channel_acquire(ch, 0, NULL, &m, NULL)) _exit(2);
    td_channel_acquire(ch, 0, NULL, &m, NULL);
    kill(getpid(), SIGKILL);
  }
  reap(pid, 0);
}

static long steps; /* that the last child made */

/* Runs the scene in a child that is killed after `k` instructions; false if it ended before. */
static bool killed_after(const scene *s, long k) {
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    td_channel *ch = NULL;
    if (!s->before_open &&
        td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL))
      _exit(1);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    s->body(ch);
    kill(getpid(), SIGUSR1); /* tells the tracer that it is over */
    _exit(0);
  }
  int status = 0;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  cr_assert(WIFSTOPPED(status), "%s: the child could not open the channel: %#x", s->what, status);
  bool over = false;
  for (steps = 0; steps < k && !over; ++steps) {
    if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL)) break;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    over = !WIFSTOPPED(status) || WSTOPSIG(status) == SIGUSR1;
  }
  if (WIFSTOPPED(status)) reap(pid, SIGKILL);
  return !over;
}

static int drain(td_channel *ch, const scene *s, long k) {
  int n = 0;
  uint64_t id;
  td_message *m = NULL;
  td_status status;
  while ((status = take_id(ch, 0, &id, &m)) == TD_OK) {
    ++n;
    td_message_release(m);
  }
  cr_assert_eq(status, TD_ERR_TIMEOUT, "%s killed after %ld: %s\n%s", s->what, k, td_status_name(status).data,
               dump_of(ch));
  return n;
}

static bool one_kill(const scene *s, long k) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.mode = s->mode, o.overflow = s->overflow, o.slots = 4, o.members = 8, o.deliveries = 255;
  o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  td_channel *ch = payload_channel(o);
  for (int i = 0; i < s->preload; ++i) cr_assert_eq(send_id(ch, 0, (uint64_t)i), TD_OK);
  if (s->orphans) leave_orphans();
  bool killed = killed_after(s, k);
  int32_t dead = 0;
  must(td_channel_sweep(ch, &dead, &err));
  int n = drain(ch, s, k);
  cr_assert(n >= s->at_least, "%s killed after %ld: %d messages\n%s", s->what, k, n, dump_of(ch));
  char when[80];
  snprintf(when, sizeof when, "%s killed after %ld instructions", s->what, k);
  expect_whole(ch, when);
  td_channel_statistics after = stats_of(ch);
  cr_assert(after.producers == 1 && after.consumers == 1, "%s:\n%s", when, dump_of(ch));
  td_channel_release(ch);
  return killed;
}

static void sweep_scene(const scene *s) {
  cr_assert_not(one_kill(s, LONG_MAX), "%s never ends", s->what);
  int points = fault_rounds(s->before_open ? 4 : 8, 500);
  long length = steps, stride = length / points > 0 ? length / points : 1;
  if (s->before_open && stride < 97) stride = 97; /* mostly system calls and JSON */
  int kills = 0;
  for (long k = (long)random_below((uint64_t)stride); k < length;
       k += 1 + (long)random_below((uint64_t)(2 * stride - 1))) {
    if (!one_kill(s, k)) break;
    ++kills;
  }
  printf("%s: %ld instructions, killed at %d of them\n", s->what, length, kills);
  cr_expect(kills > 0, "%s was never killed", s->what);
}

static void sweep_scenes(size_t from) {
  SKIP_IF_SANITIZED();
  td_dict_release(small_dict(0)); /* what LibTorch starts lazily starts before the forks */
  for (size_t i = from; i < sizeof scenes / sizeof *scenes; i += 2) sweep_scene(&scenes[i]);
}

Test(channel_kill, at_any_instruction_costs_the_others_nothing) {
  sweep_scenes(0);
}

Test(channel_kill, at_any_instruction_costs_the_others_nothing_either) {
  sweep_scenes(1);
}
