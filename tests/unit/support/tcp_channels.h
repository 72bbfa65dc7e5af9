/* A channel over TCP, and its members in forked processes: each begins before this process has any thread. */
#ifndef TESTS_TCP_CHANNELS_H
#define TESTS_TCP_CHANNELS_H

#include <signal.h>
#include <sys/prctl.h>

#include "support/ports.h"
#include "support/small_channels.h"

enum { MAX_MEMBERS = 8, BIG = 1 << 20 };
enum { PRODUCES = TD_CHANNEL_ROLE_PRODUCES, CONSUMES = TD_CHANNEL_ROLE_CONSUMES };

static int channel_port;
static char member_name[64]; /* by which members see the channel; channel_name is the creator's */
static pid_t members[MAX_MEMBERS];
static int member_count;

/* On every address, because the store of an old LibTorch listens on all of them or nowhere. */
FILES_UNUSED static void pick_address(void) {
  check((channel_port = free_port()) > 0);
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

/* The value of the next message. */
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

FILES_UNUSED static void wait_for_members(const td_channel *ch, int producers, int consumers) {
  for (int i = 0; i < 3000; ++i) {
    const td_channel_statistics s = stats(ch);
    if (s.producers == producers && s.consumers == consumers) return;
    usleep(10000);
  }
  check(!"the members are there");
}

/* ---- Messages of 4 MiB, all of one value -------------------------------------------------------------------------- */

FILES_UNUSED static td_dict *big_dict(float value) {
  static float rows[BIG];
  td_dict *d = new_dict(NULL, 0);
  for (int i = 0; i < BIG; ++i) rows[i] = value;
  put(d, TD_KEY("rows"), TD_DTYPE_FLOAT32, rows, TD_SHAPE(BIG));
  return d;
}

FILES_UNUSED static td_channel *create_big(td_channel_role roles) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = roles, o.slots = 2;
  td_dict *schema = big_dict(0);
  td_channel *ch = NULL;
  must(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err));
  td_dict_release(schema);
  return ch;
}

/* The value of the next message, all of which has it. */
FILES_UNUSED static int receive_big(td_channel *ch) {
  td_message *m = take(ch);
  td_dict *d = dict_of(m);
  td_tensor *rows = tensor_at(d, TD_KEY("rows"));
  const void *data = NULL;
  must(td_tensor_data(rows, &data, &err));
  const float *values = (const float *)data;
  const int value = (int)values[0];
  for (int i = 0; i < BIG; ++i) check(values[i] == values[0]);
  td_tensor_release(rows), td_dict_release(d), td_message_release(m);
  return value;
}

/* Of a member that was killed. */
FILES_UNUSED static void forget_member(pid_t pid) {
  int status = -1;
  check(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
  for (int i = 0; i < member_count; ++i)
    if (members[i] == pid) members[i] = 0;
}

#endif
