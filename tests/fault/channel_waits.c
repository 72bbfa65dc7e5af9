/* What may happen to a wait: the process that should have ended it dies before it does, the clock on the wall is turned, the
 * thread is cancelled. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/user.h>

#include "support/channels.h"

TestSuite(channel_waits, .init = pick_name, .fini = remove_name, .timeout = 1200);

static td_channel *both_ends(void) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  return payload_channel(o);
}

/* ---- A wake that never comes ------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)

static pid_t sleeper(volatile int64_t *taken_at) {
  const pid_t pid = fork();
  if (pid) return pid;
  td_after_fork();
  td_channel *ch = open_channel(TD_CHANNEL_ROLE_CONSUMES);
  uint64_t id;
  td_message *m = NULL;
  if (take_id(ch, -1, &id, &m) != TD_OK || id != 5) _exit(1);
  *taken_at = fault_ms();
  _exit(0);
}

static pid_t traced_producer(void) {
  const pid_t pid = fork();
  if (pid) return pid;
  td_after_fork();
  td_channel *ch = open_channel(TD_CHANNEL_ROLE_PRODUCES);
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(77);
  raise(SIGSTOP);
  send_id(ch, 1000, 5);
  _exit(0);
}

/* Lets it go until it is about to wake somebody: the message is there, and nobody knows. */
static bool run_to_wake(pid_t pid) {
  int status;
  for (;;) {
    ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    if (!WIFSTOPPED(status)) return false;
    struct user_regs_struct r;
    ptrace(PTRACE_GETREGS, pid, NULL, &r);
    if (r.orig_rax == SYS_futex && (r.rsi & FUTEX_CMD_MASK) == FUTEX_WAKE) return true;
  }
}

Test(channel_waits, a_sleeper_does_not_need_the_wake_of_a_process_that_died) {
  SKIP_IF_SANITIZED();
  td_dict_release(small_dict(0));
  volatile int64_t *taken_at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  cr_assert_neq(taken_at, MAP_FAILED);
  int64_t best = RECOVERY_MS;
  for (int i = 0; i < fault_rounds(10, 500); ++i) {
    td_channel *ch = both_ends();
    const pid_t consumer = sleeper(taken_at), producer = traced_producer();
    int status;
    cr_assert_eq(waitpid(producer, &status, 0), producer);
    if (WIFEXITED(status)) {
      reap(consumer, SIGKILL);
      cr_skip_test("a process cannot be traced here");
    }
    for (int64_t end = fault_ms() + RECOVERY_MS; !strstr(dump_of(ch), "sleeps"); pause_us(500))
      cr_assert(fault_ms() < end, "nobody sleeps:\n%s", dump_of(ch));
    cr_assert(run_to_wake(producer), "it woke nobody");
    const int64_t killed_at = fault_ms();
    reap(producer, SIGKILL);
    cr_assert(waitpid(consumer, &status, 0) == consumer && status == 0, "%#x", status);
    const int64_t took = *taken_at - killed_at;
    if (took < best) best = took;
    td_channel_release(ch);
  }
  cr_expect_leq(best, 120, "a slice and 100 ms; it took %lld ms at least", (long long)best);
}

#endif

/* ---- The clock on the wall --------------------------------------------------------------------------------------------- */

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

static atomic_long hours, looks;

/* Stands in for libc's in this program and all that it loads: the wall clock jumps at every look, the other one does not. */
int clock_gettime(clockid_t clock, struct timespec *t) {
  const int failed = (int)syscall(SYS_clock_gettime, clock, t);
  const bool wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  if (!wall) atomic_fetch_add(&looks, 1);
  if (wall && !failed && atomic_load(&hours)) t->tv_sec += 3600 * atomic_load(&hours) * (atomic_load(&looks) + 1);
  return failed;
}

Test(channel_waits, deadlines_do_not_follow_the_clock_on_the_wall) {
  td_channel *ch = both_ends();
  td_message *m = NULL, *held[64];
  const long jumps[] = {24, -24};
  for (size_t i = 0; i < 2; ++i) {
    atomic_store(&hours, jumps[i]);
    const long before = atomic_load(&looks);
    const int64_t start = fault_ms();
    const td_status took = td_channel_take(ch, 200, NULL, &m, NULL);
    const int64_t after_take = fault_ms();
    int n = 0;
    while (td_channel_acquire(ch, n < 8 ? 0 : 200, NULL, &held[n], NULL) == TD_OK) ++n;
    const int64_t after_acquire = fault_ms();
    atomic_store(&hours, 0);
    cr_expect(took == TD_ERR_TIMEOUT && n == 8, "%s, %d slots", td_status_name(took).data, n);
    cr_expect(after_take - start >= 199 && after_take - start < RECOVERY_MS, "%lld", (long long)(after_take - start));
    cr_expect(after_acquire - after_take >= 199 && after_acquire - after_take < RECOVERY_MS);
    cr_expect_gt(atomic_load(&looks), before, "the library looked at a clock of its own");
    while (n > 0) td_message_release(held[--n]);
  }
  td_channel_release(ch);
}

#endif

/* ---- A thread that is cancelled ------------------------------------------------------------------------------------------ */

static void *waits_and_is_cancelled(void *ch) {
  td_message *m = NULL;
  static td_status status;
  status = td_channel_take(ch, 300, NULL, &m, NULL);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  return &status;
}

Test(channel_waits, a_cancelled_thread_ends_after_the_call) {
  td_channel *ch = both_ends();
  pthread_t thread;
  cr_assert_eq(pthread_create(&thread, NULL, waits_and_is_cancelled, ch), 0);
  pause_us(50000);
  pthread_cancel(thread);
  void *result = NULL;
  cr_assert_eq(pthread_join(thread, &result), 0);
  cr_assert_neq(result, PTHREAD_CANCELED, "it was torn out of the call");
  cr_expect_eq(*(td_status *)result, TD_ERR_TIMEOUT);
  expect_whole(ch, "after a cancelled thread");
  td_channel_release(ch);
}
