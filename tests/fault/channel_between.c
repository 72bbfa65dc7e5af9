/* Something happens to a channel between two instructions of what another thread does in it: after each single one. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "support/channels.h"
#include "support/kill_points.h"

TestSuite(channel_between, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

static volatile long left; /* instructions until the other thread does its part */
static atomic_int turn;    /* 0: nobody's, 1: the other thread's, 2: it has done it */

static void count_down(int signal) {
  (void)signal;
  if (--left != 0) return;
  atomic_store(&turn, 1);
  while (atomic_load(&turn) != 2) sched_yield();
}

static td_channel *open_as(td_channel_role roles) {
  td_channel *ch = NULL;
  must(td_channel_open(TD_STR(channel_name), roles, NULL, &ch, &err));
  return ch;
}

/* A subscriber leaves, and a producer gets its place. */
static void *replace(void *subscriber) {
  while (atomic_load(&turn) != 1) sched_yield();
  td_channel_release(subscriber);
  td_channel *other = open_as(TD_CHANNEL_ROLE_PRODUCES);
  atomic_store(&turn, 2);
  return other;
}

/* False if publishing was over before. */
static bool replaced_after(long k) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.mode = TD_CHANNEL_MODE_BROADCAST, o.slots = 1, o.members = 2, o.roles = TD_CHANNEL_ROLE_PRODUCES;
  td_channel *ch = payload_channel(o);
  td_channel *subscriber = open_as(TD_CHANNEL_ROLE_CONSUMES);
  td_message *m = NULL;
  must(td_channel_acquire(ch, 0, NULL, &m, &err));
  pthread_t thread;
  atomic_store(&turn, 0);
  cr_assert_eq(pthread_create(&thread, NULL, replace, subscriber), 0);
  left = k;
  start_trapping();
  td_status published = td_message_publish(m, NULL);
  at_full_speed();
  bool between = atomic_exchange(&turn, atomic_load(&turn) == 2 ? 2 : 1) == 2;
  void *other = NULL;
  pthread_join(thread, &other);
  cr_assert_eq(published, TD_OK);
  td_message_release(m);
  m = NULL;
  cr_assert_eq(td_channel_acquire(ch, 0, NULL, &m, NULL), TD_OK,
               "nobody reads, but the slot is held after a subscriber left at instruction %ld of publishing:\n%s", k,
               dump_of(ch));
  td_message_release(m);
  td_channel_release(other), td_channel_release(ch);
  return between;
}

Test(channel_between, a_subscriber_that_leaves_while_a_message_is_published_keeps_no_slot) {
  SKIP_IF_SANITIZED();
  if (!CAN_STEP) cr_skip_test("no single steps here");
  struct sigaction action = {.sa_handler = count_down};
  sigaction(SIGTRAP, &action, NULL);
  long k = 1;
  while (replaced_after(k)) ++k;
  printf("%ld instructions\n", k - 1);
  cr_expect(k > 50, "publishing has more than %ld instructions", k - 1);
}
