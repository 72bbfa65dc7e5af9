/* A channel over TCP, and its members in forked processes: each begins before this process has any thread. */
#ifndef TESTS_TCP_CHANNELS_H
#define TESTS_TCP_CHANNELS_H

#include <signal.h>
#include <sys/prctl.h>

#include "support/ports.h"
#include "support/small_channels.h"

enum { MAX_MEMBERS = 8 };

static int channel_port;
static char member_name[64]; /* by which members see the channel; channel_name is the creator's */
static pid_t members[MAX_MEMBERS];
static int member_count;

/* On every address, because the store of an old LibTorch listens on all of them or nowhere. */
FILES_UNUSED static void pick_address(void) {
  channel_port = free_port();
  snprintf(channel_name, sizeof channel_name, "tcp://0.0.0.0:%d/digits.work", channel_port);
  snprintf(member_name, sizeof member_name, "tcp://127.0.0.1:%d/digits.work", channel_port);
}

FILES_UNUSED static void end_members(void) {
  for (int i = 0; i < member_count; ++i)
    if (members[i] > 0) kill(members[i], SIGKILL);
}

static td_channel *join_named(const char *name, td_channel_role roles) {
  td_channel *ch = NULL;
  td_channel_open_options o = TD_CHANNEL_OPEN_OPTIONS_INIT;
  o.timeout_ms = 60000;
  must(td_channel_open(TD_STR(name), roles, &o, &ch, &err));
  return ch;
}

FILES_UNUSED static td_channel *join_tcp(td_channel_role roles) {
  return join_named(member_name, roles);
}

/* Runs `body` in a process of its own, which waits for the channel in there. */
FILES_UNUSED static pid_t member(void (*body)(int), int argument) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    td_after_fork();
    body(argument);
    check(td_live_objects(TD_OBJECT_CHANNEL) == 0 && td_live_objects(TD_OBJECT_MESSAGE) == 0);
    fflush(NULL);
    _exit(0);
  }
  members[member_count++] = pid;
  return pid;
}

/* Until the next message, a state other than this, or an error. */
FILES_UNUSED static td_status try_take(td_channel *ch, int64_t timeout_ms, float *value) {
  td_message *m = NULL;
  const td_status status = td_channel_take(ch, timeout_ms, NULL, &m, NULL);
  if (status == TD_OK) *value = value_of(m);
  td_message_release(m);
  return status;
}

FILES_UNUSED static td_status try_send(td_channel *ch, int64_t timeout_ms, float value) {
  td_message *m = NULL;
  td_status status = td_channel_acquire(ch, timeout_ms, NULL, &m, NULL);
  if (status == TD_OK) {
    write_value(m, value);
    status = td_message_publish(m, NULL);
  }
  td_message_release(m);
  return status;
}

FILES_UNUSED static void expect_members_succeed(void) {
  for (int i = 0; i < member_count; ++i) {
    int status = -1;
    if (members[i] == 0) continue;
    check(waitpid(members[i], &status, 0) == members[i]);
    if (status != 0) fprintf(stderr, "member %d ended with the status %d\n", i, status);
    check(status == 0);
  }
  member_count = 0;
}

/* Of a member that was killed. */
FILES_UNUSED static void forget_member(pid_t pid) {
  int status = -1;
  check(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
  for (int i = 0; i < member_count; ++i)
    if (members[i] == pid) members[i] = 0;
}

#endif
