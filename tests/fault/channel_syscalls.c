/* No system call is made for a message while both sides are busy: processes that make one are killed. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "support/channels.h"

TestSuite(channel_syscalls, .init = pick_name, .fini = remove_name, .timeout = 1200);

enum { MESSAGES = 2000, NOT_ALLOWED_HERE = 77 };

/* From here on every system call but the end kills the process; reading the clock is one where the kernel has no better. */
static void forbid_system_calls(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    _exit(NOT_ALLOWED_HERE);
}

static int take_one(td_channel *ch) {
  uint64_t id;
  td_message *m = NULL;
  td_status status = take_id(ch, 10000, &id, &m);
  td_message_release(m);
  return status == TD_OK;
}

/* Sends and takes in turn, first without the filter, then with it. */
static void alone(void) {
  td_channel *ch = open_channel(TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES);
  for (int i = 0; i < 2 * MESSAGES; ++i) {
    if (i == MESSAGES) forbid_system_calls();
    if (send_id(ch, 1000, 1) != TD_OK || !take_one(ch)) _exit(1);
  }
  _exit(0);
}

/* Spins until both sides have come; `arrived` is theirs. */
static volatile int *arrived;
static void meet(int at) {
  __atomic_fetch_add(&arrived[at], 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&arrived[at], __ATOMIC_SEQ_CST) < 2) {
  }
}

static void side(td_channel_role role) {
  td_channel *ch = open_channel(role);
  for (int i = 0; i < 2 * MESSAGES; ++i) {
    if (i == MESSAGES) meet(0), forbid_system_calls(), meet(1);
    if (role == TD_CHANNEL_ROLE_PRODUCES ? send_id(ch, 10000, 1) != TD_OK : !take_one(ch)) _exit(1);
  }
  _exit(0);
}
static void producer(void) {
  side(TD_CHANNEL_ROLE_PRODUCES);
}
static void consumer(void) {
  side(TD_CHANNEL_ROLE_CONSUMES);
}

static pid_t run(void (*side)(void)) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  td_after_fork();
  side();
  _exit(2);
}

/* How the next child to end ended: 0, NOT_ALLOWED_HERE, SIGSYS if it made a system call. */
static int outcome(pid_t pid, pid_t *which) {
  int status;
  *which = waitpid(pid, &status, 0);
  cr_assert_gt(*which, 0);
  const int how = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  cr_assert(how == 0 || how == NOT_ALLOWED_HERE || how == SIGSYS || how == SIGKILL, "%d", how);
  return how;
}

static td_channel *empty_channel(void) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = TD_CHANNEL_ROLE_OBSERVES, o.slots = 8;
  return payload_channel(o);
}

Test(channel_syscalls, a_message_that_nobody_waits_for_needs_none) {
  SKIP_IF_SANITIZED();
  td_channel *ch = empty_channel();
  pid_t pid = run(alone);
  const int came = outcome(pid, &pid);
  td_channel_release(ch);
  if (came == NOT_ALLOWED_HERE) cr_skip_test("filters of system calls are not allowed here");
  cr_expect_eq(came, 0, "a system call was made");
}

/* Whoever is not scheduled keeps the other waiting, who rightly sleeps after a while. So it is one of many tries in which
 * both had a processor all the time; a call for each message, or for each hundredth, would leave none. */
Test(channel_syscalls, two_busy_processes_need_none) {
  SKIP_IF_SANITIZED();
  cpu_set_t cpus;
  cr_assert_eq(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  if (CPU_COUNT(&cpus) < 2) cr_skip_test("two processes cannot be busy at once on one processor");
  arrived = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  cr_assert_neq(arrived, MAP_FAILED);
  int quiet = 0;
  for (int i = 0; i < 300 && !quiet; ++i) {
    arrived[0] = arrived[1] = 0;
    td_channel *ch = empty_channel();
    const pid_t a = run(producer), b = run(consumer);
    pid_t ended;
    const int first = outcome(-1, &ended);
    const pid_t other = ended == a ? b : a;
    if (first != 0) kill(other, SIGKILL);
    const int second = outcome(other, &ended);
    td_channel_release(ch);
    if (first == NOT_ALLOWED_HERE) cr_skip_test("filters of system calls are not allowed here");
    quiet = first == 0 && second == 0;
  }
  cr_expect(quiet, "a system call was made in each of 300 tries");
}
