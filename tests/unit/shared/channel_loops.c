/* Event loops beside threads that take from the same channel. */
#include <pthread.h>
#include <sys/epoll.h>

#include "support/small_channels.h"

TestSuite(channel_loops, .init = pick_name, .fini = remove_name, .timeout = 240);

/* Threads that wait in take beside the loop. */
static void *take_all(void *argument) {
  td_channel *ch = argument;
  long n = 0;
  for (td_message *m = NULL; td_channel_take(ch, -1, NULL, &m, NULL) == TD_OK; td_message_release(m)) ++n;
  return (void *)n;
}

Test(channel_loops, loops_and_waiting_threads_share_a_channel) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 4), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  const int fd = descriptor(in, TD_CHANNEL_ROLE_CONSUMES);
  pthread_t thread;
  check(!pthread_create(&thread, NULL, take_all, in));
  long polled = 0;
  void *waited = NULL;
  for (int i = 0; i < 3000; ++i) {
    send_value(out, 1);
    td_message *m = NULL;
    if (readable(fd, 0) && td_channel_take(in, 0, NULL, &m, NULL) == TD_OK) ++polled;
    td_message_release(m);
  }
  must(td_channel_close(out, &err));
  for (td_message *m = NULL; td_channel_take(in, 0, NULL, &m, NULL) == TD_OK; td_message_release(m)) ++polled;
  pthread_join(thread, &waited);
  check(polled + (long)waited == 3000);
  td_channel_release(in), td_channel_release(out);
}

/* An edge-triggered loop beside a thread that takes the same messages: a message may come while a take finds nothing. */
enum { MANY = 50000 };

static void *take_what_there_is(void *argument) {
  td_channel *ch = argument;
  long n = 0;
  td_status status = TD_OK;
  while (status != TD_ERR_CLOSED) {
    td_message *m = NULL;
    status = td_channel_take(ch, 0, NULL, &m, NULL);
    n += status == TD_OK;
    td_message_release(m);
  }
  return (void *)n;
}

static void *send_many(void *argument) {
  td_channel *ch = argument;
  for (int i = 0; i < MANY; ++i) {
    td_message *m = acquire(ch);
    must(td_message_publish(m, &err));
    td_message_release(m);
  }
  must(td_channel_close(ch, &err));
  return NULL;
}

Test(channel_loops, edge_triggered_loops_miss_nothing) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 4), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  td_channel *other = join(TD_CHANNEL_ROLE_CONSUMES);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  const int loop = epoll_create1(EPOLL_CLOEXEC);
  check(!epoll_ctl(loop, EPOLL_CTL_ADD, descriptor(in, TD_CHANNEL_ROLE_CONSUMES), &event));
  pthread_t producer, thief;
  check(!pthread_create(&thief, NULL, take_what_there_is, other));
  check(!pthread_create(&producer, NULL, send_many, out));
  long mine = 0;
  td_status status = TD_OK;
  while (status != TD_ERR_CLOSED) {
    check(epoll_wait(loop, &event, 1, 20000) == 1);
    do {
      td_message *m = NULL;
      status = td_channel_take(in, 0, NULL, &m, NULL);
      mine += status == TD_OK;
      td_message_release(m);
    } while (status == TD_OK);
  }
  void *stolen = NULL;
  pthread_join(producer, NULL), pthread_join(thief, &stolen);
  check(mine + (long)stolen == MANY);
  close(loop);
  td_channel_release(in), td_channel_release(other), td_channel_release(out);
}
