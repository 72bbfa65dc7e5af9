/* Children that are killed after a given instruction, or before or after a given system call. */
#ifndef TESTS_FAULT_KILL_POINTS_H
#define TESTS_FAULT_KILL_POINTS_H

#include <sys/mman.h>
#include <sys/ptrace.h>

#include "channels.h"

/* The processor's trap flag: a signal after each instruction, which is much faster than a tracer. */
#if defined(__x86_64__)
#define SET_TRAP_FLAG(how)                                                                               \
  __asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; " how ", (%%rsp); popfq; leaq 128(%%rsp), %%rsp" :: \
                       : "memory", "cc")
FILES_UNUSED static void start_trapping(void) {
  SET_TRAP_FLAG("orq $0x100");
}
FILES_UNUSED static void at_full_speed(void) {
  SET_TRAP_FLAG("andq $-0x101");
}
enum { CAN_STEP = 1 };
#else
FILES_UNUSED static void start_trapping(void) {}
FILES_UNUSED static void at_full_speed(void) {}
enum { CAN_STEP = 0 };
#endif

/* The instructions that the last child made: in memory that it shares with its parent. */
static volatile long *steps;
static volatile long last_step;

FILES_UNUSED static void share_steps(void) {
  steps = mmap(NULL, sizeof *steps, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  cr_assert(steps != MAP_FAILED);
}

static void count_step(int signal) {
  (void)signal;
  if (++*steps > last_step) kill(getpid(), SIGKILL);
}

/* In a child: from now on, until at_full_speed(), `k` instructions are left to live. */
FILES_UNUSED static void step_by_step(long k) {
  *steps = 0;
  struct sigaction action = {.sa_handler = count_step};
  sigaction(SIGTRAP, &action, NULL);
  last_step = k;
  start_trapping();
}

/* Starts a child that gets `ready`, then does `body`; it is stopped between them if it is `traced`. */
static pid_t start_victim(void (*ready)(void), void (*body)(void), bool traced, long k) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  td_after_fork();
  if (ready) ready();
  if (traced) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(77);
    raise(SIGSTOP);
    body();
    kill(getpid(), SIGUSR1); /* tells the tracer that it is over */
  } else {
    step_by_step(k);
    body();
    at_full_speed();
  }
  _exit(0);
}

/* Does `body` in a child that is killed after `k` instructions of it; false if it ended before. */
FILES_UNUSED static bool killed_at_step(const char *what, long k, void (*ready)(void), void (*body)(void)) {
  int status = 0;
  const pid_t pid = start_victim(ready, body, false, k);
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  cr_assert(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0, "%s: the child failed: %#x",
            what, status);
  return WIFSIGNALED(status);
}

/* Does `body` in a child that is killed at the `k`th boundary of a system call: with even k before it is made, with odd k
 * when it has been. False if it ended before. */
FILES_UNUSED static bool killed_at_call(const char *what, int k, void (*ready)(void), void (*body)(void)) {
  int status = 0;
  const pid_t pid = start_victim(ready, body, true, 0);
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) cr_skip_test("a process cannot be traced here");
  cr_assert(WIFSTOPPED(status), "%s: the child could not begin: %#x", what, status);
  ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  for (int boundary = 0; boundary <= k; ++boundary) {
    cr_assert_eq(ptrace(PTRACE_SYSCALL, pid, NULL, NULL), 0);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFSTOPPED(status), "%s: the child ended: %#x", what, status);
    if (WSTOPSIG(status) == SIGUSR1) break;
    cr_assert_eq(WSTOPSIG(status), SIGTRAP | 0x80, "%s: the child got a signal: %#x", what, status);
  }
  reap(pid, SIGKILL);
  return WSTOPSIG(status) != SIGUSR1;
}

#endif
