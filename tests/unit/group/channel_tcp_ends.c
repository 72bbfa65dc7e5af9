/* Channels over TCP when somebody leaves, closes, is killed, or was never a member. */
#include <pthread.h>

#include "support/tcp_channels.h"

TestSuite(channel_tcp_ends, .init = pick_address, .fini = end_members, .timeout = 120);

static int reports[2];

static void report(int what) {
  check(write(reports[1], &what, sizeof what) == sizeof what);
}

static int reported(void) {
  int what = -1;
  check(read(reports[0], &what, sizeof what) == sizeof what);
  return what;
}

static td_channel *create_for(td_channel_role roles) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = roles, o.slots = 4;
  return create_with(o);
}

/* ---- Closing ----------------------------------------------------------------------------------------------------- */

static void produces_until_closed(int number) {
  td_channel *ch = join_tcp(PRODUCES);
  td_status status;
  while ((status = try_send(ch, 30000, (float)number)) == TD_OK) {
  }
  check(status == TD_ERR_CLOSED && stats(ch).state == TD_CHANNEL_STATE_CLOSED);
  td_channel_release(ch);
}

Test(channel_tcp_ends, producers_learn_that_the_channel_is_closed) {
  for (int i = 0; i < 2; ++i) member(produces_until_closed, i);
  td_channel *ch = create_for(CONSUMES);
  float value = 0;
  for (int i = 0; i < 20; ++i) receive(ch);
  must(td_channel_close(ch, &err));
  td_status status;
  while ((status = try_take(ch, 1000, &value)) == TD_OK) {
  }
  check(status == TD_ERR_CLOSED);
  expect_members_succeed();
  td_channel_release(ch);
}

Test(channel_tcp_ends, producers_learn_that_the_creator_has_left) {
  member(produces_until_closed, 0);
  td_channel *ch = create_for(CONSUMES);
  for (int i = 0; i < 20; ++i) receive(ch);
  td_channel_release(ch);
  expect_members_succeed();
}

static void closes_behind_five(int number) {
  td_channel *ch = join_tcp(PRODUCES);
  for (int i = 0; i < number; ++i) send_value(ch, (float)i);
  must(td_channel_close(ch, &err));
  check(try_send(ch, 1000, 0) == TD_ERR_CLOSED);
  td_channel_release(ch);
}

Test(channel_tcp_ends, a_member_closes_the_channel_behind_its_messages) {
  member(closes_behind_five, 5);
  td_channel *ch = create_for(CONSUMES);
  float value = 0;
  for (int i = 0; i < 5; ++i) check(receive(ch) == (float)i);
  check(try_take(ch, 30000, &value) == TD_ERR_CLOSED);
  expect_members_succeed();
  td_channel_release(ch);
}

static void consumer_closes(int number) {
  (void)number;
  td_channel *ch = join_tcp(CONSUMES);
  must(td_channel_close(ch, &err));
  td_channel_release(ch);
}

Test(channel_tcp_ends, a_consumer_closes_the_channel) {
  member(consumer_closes, 0);
  td_channel *ch = create_for(PRODUCES);
  td_status status;
  while ((status = try_send(ch, 100, 0)) == TD_OK || status == TD_ERR_TIMEOUT) {
  }
  check(status == TD_ERR_CLOSED);
  expect_members_succeed();
  td_channel_release(ch);
}

static void keeps_its_message(int number) {
  td_channel *ch = join_tcp(PRODUCES);
  td_message *m = acquire(ch);
  td_channel_release(ch);
  write_value(m, (float)number);
  must(td_message_publish(m, &err));
  td_message_release(m);
}

Test(channel_tcp_ends, a_message_outlives_its_handle) {
  member(keeps_its_message, 7);
  td_channel *ch = create_for(CONSUMES);
  check(receive(ch) == 7);
  expect_members_succeed();
  td_channel_release(ch);
}

/* ---- Death ------------------------------------------------------------------------------------------------------- */

static void produces_big(int number) {
  td_channel *ch = join_tcp(PRODUCES);
  td_dict *from = big_dict((float)number);
  td_message *m = NULL;
  while (td_channel_acquire(ch, 30000, NULL, &m, NULL) == TD_OK) {
    write_dict(m, from);
    td_message_publish(m, NULL);
    td_message_release(m);
  }
  td_dict_release(from);
  td_channel_release(ch);
}

Test(channel_tcp_ends, a_killed_producer_leaves_nothing_torn_and_the_others_go_on) {
  const pid_t first = member(produces_big, 1), second = member(produces_big, 2);
  td_channel *ch = create_big(CONSUMES);
  wait_for_members(ch, 2, 1);
  for (int i = 0; i < 20; ++i) receive_big(ch);
  kill(first, SIGKILL);
  forget_member(first);
  wait_for_members(ch, 1, 1);
  for (int i = 0; i < 4; ++i) receive_big(ch); /* what the dead one had sent may be among these */
  for (int i = 0; i < 20; ++i) check(receive_big(ch) == 2);
  kill(second, SIGKILL);
  forget_member(second);
  wait_for_members(ch, 0, 1);
  td_status status;
  td_message *m = NULL;
  while ((status = td_channel_take(ch, 0, NULL, &m, NULL)) == TD_OK) td_message_release(m), m = NULL;
  check(status == TD_ERR_NOT_FOUND);
  td_channel_release(ch);
}

static void consumes_one(int number) {
  td_channel *ch = join_tcp(CONSUMES);
  receive(ch);
  report(number);
  pause();
  td_channel_release(ch);
}

Test(channel_tcp_ends, a_killed_consumer_holds_up_nobody) {
  check(pipe(reports) == 0);
  const pid_t first = member(consumes_one, 1);
  td_channel *ch = create_for(PRODUCES | CONSUMES);
  wait_for_members(ch, 1, 2);
  send_value(ch, 1);
  check(reported() == 1);
  for (int i = 0; i < 4; ++i) send_value(ch, 1); /* some are on their way to it */
  kill(first, SIGKILL);
  forget_member(first);
  wait_for_members(ch, 1, 1);
  check(stats(ch).reading == 0);
  float value = 0;
  while (try_take(ch, 0, &value) == TD_OK) check(value == 1);
  for (int i = 0; i < 8; ++i) {
    send_value(ch, 2);
    check(receive(ch) == 2);
  }
  td_channel_release(ch);
}

static void creates_and_sends(int number) {
  td_channel *ch = create_for(PRODUCES);
  wait_for_members(ch, 1, 1);
  for (int i = 0; i < number; ++i) send_value(ch, (float)i);
  report(number);
  pause();
  td_channel_release(ch);
}

Test(channel_tcp_ends, the_death_of_the_creator_closes_the_channel) {
  check(pipe(reports) == 0);
  const pid_t creator = member(creates_and_sends, 2);
  td_channel *ch = join_tcp(CONSUMES);
  check(reported() == 2);
  check(receive(ch) == 0 && receive(ch) == 1);
  kill(creator, SIGKILL);
  forget_member(creator);
  float value = 0;
  check(try_take(ch, 30000, &value) == TD_ERR_CLOSED);
  check(stats(ch).state == TD_CHANNEL_STATE_CLOSED);
  must(td_channel_close(ch, &err));
  td_channel_release(ch);
}

static void takes_what_comes(int number) {
  td_channel *ch = join_tcp(CONSUMES);
  for (int i = 0; i < number; ++i) check(receive(ch) == (float)i);
  td_channel_release(ch);
}

Test(channel_tcp_ends, a_member_that_is_stopped_for_a_while_goes_on) {
  const pid_t stopped = member(takes_what_comes, 40);
  td_channel *ch = create_for(PRODUCES);
  wait_for_members(ch, 1, 1);
  for (int i = 0; i < 20; ++i) send_value(ch, (float)i);
  kill(stopped, SIGSTOP);
  usleep(700000); /* several of its words are missing */
  kill(stopped, SIGCONT);
  for (int i = 20; i < 40; ++i) send_value(ch, (float)i);
  expect_members_succeed();
  td_channel_release(ch);
}

/* ---- Strangers --------------------------------------------------------------------------------------------------- */

static void sends_junk(int number) {
  char junk[4096];
  memset(junk, number, sizeof junk);
  td_channel *there = join_tcp(TD_CHANNEL_ROLE_OBSERVES);
  for (int i = 0; i < 20; ++i) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)channel_port)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    check(connect(fd, (struct sockaddr *)&a, sizeof a) == 0);
    const size_t sizes[] = {0, 1, 18, 64, sizeof junk};
    if (write(fd, junk, sizes[i % 5]) < 0) check(errno == EPIPE || errno == ECONNRESET);
    close(fd);
  }
  td_channel_release(there);
}

Test(channel_tcp_ends, junk_into_the_port_harms_nobody) {
  signal(SIGPIPE, SIG_IGN);
  member(sends_junk, 0xff), member(sends_junk, 0), member(takes_what_comes, 40);
  td_channel *ch = create_for(PRODUCES);
  wait_for_members(ch, 1, 1);
  for (int i = 0; i < 40; ++i) {
    send_value(ch, (float)i);
    usleep(5000);
  }
  expect_members_succeed();
  td_channel_release(ch);
}

static void child_has_no_part(td_channel *ch) {
  td_message *none = NULL;
  td_channel_statistics s = TD_CHANNEL_STATISTICS_INIT;
  const pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    const bool good = td_channel_take(ch, 0, NULL, &none, NULL) == TD_ERR_UNSUPPORTED &&
                      td_channel_acquire(ch, 0, NULL, &none, NULL) == TD_ERR_UNSUPPORTED &&
                      td_channel_close(ch, NULL) == TD_ERR_UNSUPPORTED &&
                      td_channel_stats(ch, &s, NULL) == TD_ERR_UNSUPPORTED;
    td_channel_release(ch);
    _exit(good ? 0 : 1);
  }
  int status = -1;
  check(waitpid(pid, &status, 0) == pid && status == 0);
}

static void has_a_child(int number) {
  (void)number;
  td_channel *ch = join_tcp(PRODUCES | CONSUMES);
  child_has_no_part(ch);
  send_value(ch, 1);
  check(receive(ch) == 1);
  td_channel_release(ch);
}

Test(channel_tcp_ends, a_forked_child_has_no_part_in_it) {
  member(has_a_child, 0);
  td_channel *ch = create_for(PRODUCES | CONSUMES);
  child_has_no_part(ch);
  expect_members_succeed();
  td_channel_release(ch);
}

static void *takes_without_limit(void *argument) {
  td_message *m = NULL;
  const td_cancel *cancel = ((void **)argument)[1];
  const td_status status = td_channel_take(((void **)argument)[0], -1, cancel, &m, NULL);
  return status == TD_ERR_CANCELLED ? NULL : argument;
}

static void is_cancelled(int number) {
  (void)number;
  td_cancel *cancel = NULL;
  must(td_cancel_new(&cancel, &err));
  td_channel *ch = join_tcp(CONSUMES);
  void *argument[2] = {ch, cancel}, *failed = NULL;
  pthread_t thread;
  check(pthread_create(&thread, NULL, takes_without_limit, argument) == 0);
  usleep(50000);
  td_cancel_request(cancel);
  check(pthread_join(thread, &failed) == 0 && !failed);
  td_cancel_release(cancel);
  td_channel_release(ch);
}

Test(channel_tcp_ends, a_wait_can_be_cancelled) {
  member(is_cancelled, 0);
  td_channel *ch = create_for(PRODUCES);
  expect_members_succeed();
  td_channel_release(ch);
}
