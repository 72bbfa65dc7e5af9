/* Opening a name that does not exist yet. */
#include <fcntl.h>
#include <pthread.h>

#include "support/small_channels.h"

TestSuite(open_wait, .init = pick_name, .fini = remove_name, .timeout = 120);

static void rest(int ms) {
  nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static td_status open_either(int channel, const char *name, int64_t timeout_ms, const td_cancel *cancel, td_error **e) {
  td_segment_open_options of_segment = TD_SEGMENT_OPEN_OPTIONS_INIT;
  td_channel_open_options of_channel = TD_CHANNEL_OPEN_OPTIONS_INIT;
  td_segment *s = NULL;
  td_channel *ch = NULL;
  of_segment.timeout_ms = of_channel.timeout_ms = timeout_ms, of_segment.cancel = of_channel.cancel = cancel;
  const td_status status = channel ? td_channel_open(TD_STR(name), TD_CHANNEL_ROLE_CONSUMES, &of_channel, &ch, e)
                                   : td_segment_open(TD_STR(name), &of_segment, &s, e);
  check(!s == (status != TD_OK || channel) && !ch == (status != TD_OK || !channel));
  td_segment_release(s), td_channel_release(ch);
  return status;
}

static void create_either(int channel) {
  td_dict *d = small_dict(1);
  td_segment *s = NULL;
  td_channel *ch = NULL;
  if (channel ? td_channel_create(TD_STR(channel_name), d, NULL, &ch, NULL)
              : td_segment_create(TD_STR(channel_name), d, NULL, &s, NULL))
    _exit(1);
}

Test(open_wait, it_waits_until_the_name_exists) {
  for (int channel = 0; channel < 2; ++channel)
    for (int64_t timeout = -1; timeout <= 60000; timeout += 60001) {
      int ends[2];
      check(!pipe(ends));
      const pid_t pid = fork();
      if (pid == 0) {
        td_after_fork();
        rest(80);
        create_either(channel);
        char c;
        _exit(read(ends[0], &c, 1) == 1 ? 0 : 1); /* without release: the name stays */
      }
      const int64_t began = now_ms();
      must(open_either(channel, channel_name, timeout, NULL, &err));
      check(now_ms() - began >= 70);
      must(open_either(channel, channel_name, timeout, NULL, &err)); /* it exists */
      check(write(ends[1], "x", 1) == 1);
      int status = -1;
      waitpid(pid, &status, 0);
      check(status == 0);
      close(ends[0]), close(ends[1]);
      remove_name();
    }
}

LeaklessTest(open_wait, it_gives_up_in_time) {
  for (int channel = 0; channel < 2; ++channel) {
    const int64_t began = now_ms();
    expect_error(open_either(channel, channel_name, 0, NULL, &err), TD_ERR_NOT_FOUND, NULL, "no such");
    expect_error(open_either(channel, channel_name, 60, NULL, &err), TD_ERR_TIMEOUT, NULL, "60 ms");
    check(now_ms() - began >= 59);
  }
}

/* What no patience can mend fails at once. */
Test(open_wait, it_does_not_wait_for_what_cannot_come) {
  td_channel_open_options patient = TD_CHANNEL_OPEN_OPTIONS_INIT;
  td_channel *ch = NULL;
  patient.timeout_ms = -1;
  for (int channel = 0; channel < 2; ++channel)
    expect_error(open_either(channel, "no/such/name", -1, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_channel_open(TD_STR(channel_name), 9, &patient, &ch, &err), TD_ERR_ARGUMENT, NULL, "roles");
  patient.struct_size = 0;
  expect_error(td_channel_open(TD_STR(channel_name), 1, &patient, &ch, &err), TD_ERR_ARGUMENT, NULL, "struct_size");
  const int fd = open(channel_file, O_CREAT | O_WRONLY, 0600);
  check(write(fd, "no segment, no channel", 22) == 22);
  close(fd);
  for (int channel = 0; channel < 2; ++channel)
    expect_error(open_either(channel, channel_name, -1, NULL, &err), TD_ERR_CORRUPT, NULL, NULL);
}

typedef struct waiter {
  int channel;
  const td_cancel *cancel;
  td_status status;
  pthread_t thread;
} waiter;

static void *run_open(void *argument) {
  waiter *w = argument;
  w->status = open_either(w->channel, channel_name, -1, w->cancel, NULL);
  return NULL;
}

Test(open_wait, a_request_ends_it) {
  for (int channel = 0; channel < 2; ++channel) {
    td_cancel *cancel = NULL;
    must(td_cancel_new(&cancel, &err));
    waiter w[2] = {{channel, cancel, TD_OK, 0}, {channel, cancel, TD_OK, 0}};
    for (int i = 0; i < 2; ++i) check(!pthread_create(&w[i].thread, NULL, run_open, &w[i]));
    rest(50);
    td_cancel_request(cancel);
    for (int i = 0; i < 2; ++i) {
      pthread_join(w[i].thread, NULL);
      check(w[i].status == TD_ERR_CANCELLED);
    }
    for (int64_t timeout = -1; timeout <= 1; ++timeout)
      expect_error(open_either(channel, channel_name, timeout, cancel, &err), TD_ERR_CANCELLED, NULL, "cancelled");
    td_cancel_release(cancel);
  }
}
