/* Channels in an event loop: descriptors that are readable while there is something, whoever is killed on the other side. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "support/small_channels.h"

TestSuite(channel_descriptor, .init = pick_name, .fini = remove_name, .timeout = 240);

/* A child that was forked beside another thread may find the sanitizer's allocator locked and never unlocked. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKIP_FORKS_BESIDE_THREADS() cr_skip_test("a sanitizer does not survive a fork beside a thread")
#else
#define SKIP_FORKS_BESIDE_THREADS() ((void)0)
#endif

enum { BOTH = TD_CHANNEL_ROLE_PRODUCES | TD_CHANNEL_ROLE_CONSUMES };

static int threads(void) {
  int n = 0;
  DIR *d = opendir("/proc/self/task");
  for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
  closedir(d);
  return n;
}

static void *do_nothing(void *argument) {
  return argument;
}

static td_message *take_now(td_channel *ch) {
  td_message *m = NULL;
  must(td_channel_take(ch, 0, NULL, &m, &err));
  return m;
}

static void take_nothing(td_channel *ch) {
  td_message *m = NULL;
  const td_status status = td_channel_take(ch, 0, NULL, &m, NULL);
  check(!m && (status == TD_ERR_TIMEOUT || status == TD_ERR_NOT_FOUND));
}

static pid_t held_child(void (*body)(void)) {
  int ends[2];
  check(!pipe(ends));
  const pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    body();
    if (write(ends[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char c;
  check(read(ends[0], &c, 1) == 1);
  close(ends[0]), close(ends[1]);
  return pid;
}

static void end(pid_t pid) {
  int status;
  kill(pid, SIGKILL);
  check(waitpid(pid, &status, 0) == pid);
}

Test(channel_descriptor, it_is_readable_while_there_is_a_message) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 4), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  send_value(out, 0), td_message_release(take(in));
  pthread_t first; /* with which the thread sanitizer starts one of its own */
  check(!pthread_create(&first, NULL, do_nothing, NULL) && !pthread_join(first, NULL));
  const int before = threads();
  const int fd = descriptor(in, TD_CHANNEL_ROLE_CONSUMES);
  check(descriptor(in, TD_CHANNEL_ROLE_CONSUMES) == fd && threads() == before + 1);
  for (int i = 0; i < 200; ++i) {
    check(!readable(fd, i ? 0 : 50));
    send_value(out, 1), send_value(out, 2);
    check(readable(fd, 10000));
    td_message_release(take_now(in));
    check(readable(fd, 0)); /* one more */
    td_message_release(take_now(in));
    check(!readable(fd, 0)); /* at once */
    take_nothing(in);
  }
  check(!td_channel_close(out, NULL));
  check(readable(fd, 10000)); /* a take would fail */
  td_message *m = NULL;
  expect_error(td_channel_take(in, -1, NULL, &m, &err), TD_ERR_CLOSED, NULL, NULL);
  check(readable(fd, 0));
  td_channel_release(in);
  check(fcntl(fd, F_GETFD) == -1);
  td_channel_release(out);
}

Test(channel_descriptor, it_is_readable_while_there_is_a_slot) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 2, o.roles = BOTH;
  td_channel *ch = create_with(o);
  const int slots = descriptor(ch, TD_CHANNEL_ROLE_PRODUCES), messages = descriptor(ch, TD_CHANNEL_ROLE_CONSUMES);
  check(slots != messages && readable(slots, 10000) && !readable(messages, 20));
  td_message *one = acquire(ch), *none = NULL;
  check(readable(slots, 0));
  td_message *two = acquire(ch);
  check(!readable(slots, 20));
  expect_error(td_channel_acquire(ch, 0, NULL, &none, &err), TD_ERR_TIMEOUT, NULL, NULL);
  td_message_release(one); /* given up */
  check(readable(slots, 10000) && !readable(messages, 0));
  must(td_message_publish(two, &err));
  td_message_release(two);
  check(readable(messages, 10000));
  td_channel_release(ch);
}

Test(channel_descriptor, every_subscriber_of_a_broadcast_has_its_own) {
  td_channel *out = create(TD_CHANNEL_MODE_BROADCAST, TD_CHANNEL_OVERFLOW_DROP_OLDEST, 2);
  td_channel *a = join(TD_CHANNEL_ROLE_CONSUMES), *b = join(TD_CHANNEL_ROLE_CONSUMES);
  const int of_a = descriptor(a, TD_CHANNEL_ROLE_CONSUMES), of_b = descriptor(b, TD_CHANNEL_ROLE_CONSUMES);
  send_value(out, 1);
  check(readable(of_a, 10000) && readable(of_b, 10000));
  td_message_release(take_now(a));
  check(!readable(of_a, 20) && readable(of_b, 0));
  td_channel_release(a), td_channel_release(b), td_channel_release(out);
}

Test(channel_descriptor, it_is_for_one_role_that_the_handle_has) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2), *eye = join(TD_CHANNEL_ROLE_OBSERVES);
  int32_t fd = -7;
  const td_channel_role bad[] = {0, BOTH, TD_CHANNEL_ROLE_OBSERVES, 99, -1};
  for (size_t i = 0; i < 5; ++i)
    expect_error(td_channel_descriptor(out, bad[i], &fd, &err), TD_ERR_ARGUMENT, NULL, "one role");
  expect_error(td_channel_descriptor(out, TD_CHANNEL_ROLE_CONSUMES, &fd, &err), TD_ERR_ARGUMENT, NULL, "consumer");
  expect_error(td_channel_descriptor(eye, TD_CHANNEL_ROLE_CONSUMES, &fd, &err), TD_ERR_ARGUMENT, NULL, "consumer");
  expect_error(td_channel_descriptor(NULL, 1, &fd, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_descriptor(out, 1, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(fd == -7);
  td_channel_release(eye), td_channel_release(out);
}

/* Handlers of the program run in its own threads. */
Test(channel_descriptor, its_thread_takes_no_signals) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2);
  sigset_t usr1, pending;
  descriptor(out, TD_CHANNEL_ROLE_PRODUCES);
  sigemptyset(&usr1), sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, NULL);
  kill(getpid(), SIGUSR1); /* would end the process, had any thread taken it */
  check(!sigpending(&pending) && sigismember(&pending, SIGUSR1));
  td_channel_release(out);
}

static void take_and_hold(void) {
  td_channel *ch = NULL;
  td_message *m = NULL;
  if (td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL)) _exit(2);
  if (td_channel_take(ch, 10000, NULL, &m, NULL)) _exit(3);
}

static void acquire_and_hold(void) {
  td_channel *ch = NULL;
  td_message *m = NULL;
  if (td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES, NULL, &ch, NULL)) _exit(2);
  if (td_channel_acquire(ch, 10000, NULL, &m, NULL)) _exit(3);
}

Test(channel_descriptor, what_the_killed_held_comes_back) {
  SKIP_FORKS_BESIDE_THREADS();
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 1), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  const int messages = descriptor(in, TD_CHANNEL_ROLE_CONSUMES), slots = descriptor(out, TD_CHANNEL_ROLE_PRODUCES);
  send_value(out, 3);
  check(readable(messages, 10000));
  pid_t pid = held_child(take_and_hold);
  take_nothing(in);
  check(!readable(messages, 60));
  int64_t killed = now_ms();
  end(pid);
  check(readable(messages, 10000) && now_ms() - killed < 2000);
  td_message *m = take_now(in), *none = NULL;
  check(td_message_delivery(m) == 2);
  td_message_release(m);
  check(readable(slots, 10000));
  pid = held_child(acquire_and_hold);
  expect_error(td_channel_acquire(out, 0, NULL, &none, &err), TD_ERR_TIMEOUT, NULL, NULL);
  check(!readable(slots, 60));
  killed = now_ms();
  end(pid);
  check(readable(slots, 10000) && now_ms() - killed < 2000);
  td_channel_release(in), td_channel_release(out);
}

/* The thread is not in the child, and what the child has of its parent does nothing. */
Test(channel_descriptor, a_forked_child_has_its_own) {
  SKIP_FORKS_BESIDE_THREADS();
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 4), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  const int fd = descriptor(in, TD_CHANNEL_ROLE_CONSUMES);
  for (int i = 0; i < 30; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      td_after_fork();
      int32_t mine = -1;
      const int before = threads();
#ifndef __SANITIZE_THREAD__ /* has one of its own */
      if (before != 1) _exit(1);
#endif
      if (td_channel_descriptor(in, TD_CHANNEL_ROLE_CONSUMES, &mine, NULL) != TD_ERR_UNSUPPORTED) _exit(2);
      td_channel_release(in), td_channel_release(out);
      snprintf(channel_name, sizeof channel_name, "td-channel-%ld", (long)getpid());
      td_channel *a = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2), *b = join(TD_CHANNEL_ROLE_CONSUMES);
      if (td_channel_descriptor(b, TD_CHANNEL_ROLE_CONSUMES, &mine, NULL) || threads() != before + 1) _exit(3);
      if (readable(mine, 5)) _exit(4);
      send_value(a, 1);
      if (!readable(mine, 10000)) _exit(5);
      td_message_release(take_now(b));
      if (readable(mine, 0)) _exit(6);
      td_channel_release(a), td_channel_release(b);
      _exit(0);
    }
    send_value(out, 1);
    check(readable(fd, 10000));
    td_message_release(take_now(in));
    int status = -1;
    waitpid(pid, &status, 0);
    check(status == 0);
    check(!readable(fd, 0));
  }
  td_channel_release(in), td_channel_release(out);
}

/* A hundred channels in one loop; the producers of all of them are killed again and again. */
enum { CHANNELS = 100, PRODUCERS = 3 };
static atomic_long *published;

static void name_of(int i, char *name, size_t size) {
  snprintf(name, size, "%s.%d", channel_name, i);
}

static pid_t random_producer(unsigned seed) {
  const pid_t pid = fork();
  if (pid) return pid;
  td_after_fork();
  static td_channel *all[CHANNELS];
  for (int i = 0; i < CHANNELS; ++i) {
    char name[80];
    name_of(i, name, sizeof name);
    if (td_channel_open(TD_STR(name), TD_CHANNEL_ROLE_PRODUCES, NULL, &all[i], NULL)) _exit(2);
  }
  for (;;) {
    seed = seed * 1103515245u + 12345u;
    td_message *m = NULL;
    if (td_channel_acquire(all[(seed >> 8) % CHANNELS], 60000, NULL, &m, NULL)) _exit(3);
    if (td_message_publish(m, NULL)) _exit(4);
    td_message_release(m);
    atomic_fetch_add(published, 1);
    if (seed % 3 == 0) nanosleep(&(struct timespec){0, seed % 300000}, NULL);
  }
}

Test(channel_descriptor, a_hundred_channels_lose_nothing_while_producers_are_killed) {
  SKIP_FORKS_BESIDE_THREADS();
  static td_channel *all[CHANNELS];
  static struct pollfd polled[CHANNELS];
  static int64_t last[CHANNELS];
  published = mmap(NULL, sizeof *published, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const int before = threads();
  td_dict *schema = small_dict(0);
  for (int i = 0; i < CHANNELS; ++i) {
    char name[80];
    td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
    o.roles = TD_CHANNEL_ROLE_CONSUMES, o.members = 8;
    name_of(i, name, sizeof name);
    must(td_channel_create(TD_STR(name), schema, &o, &all[i], &err));
    polled[i] = (struct pollfd){descriptor(all[i], TD_CHANNEL_ROLE_CONSUMES), POLLIN, 0};
    last[i] = -1;
  }
  check(threads() == before + 1);
  pid_t pids[PRODUCERS];
  for (int i = 0; i < PRODUCERS; ++i) pids[i] = random_producer((unsigned)i + 1);
  long taken = 0;
  int kills = 0;
  int64_t next_kill = now_ms() + 40;
  for (;;) {
    const int found = poll(polled, CHANNELS, kills < 40 ? 20000 : 500);
    if (found == 0 && kills == 40) break;
    check(found > 0);
    for (int i = 0; i < CHANNELS; ++i) {
      if (!polled[i].revents) continue;
      td_message *m = NULL;
      while (td_channel_take(all[i], 0, NULL, &m, NULL) == TD_OK) {
        check(td_message_number(m) > last[i]); /* none twice, and in order */
        last[i] = td_message_number(m);
        taken++;
        td_message_release(m);
      }
    }
    if (kills < 40 && now_ms() >= next_kill) {
      end(pids[kills % PRODUCERS]);
      if (++kills < 40)
        pids[(kills - 1) % PRODUCERS] = random_producer((unsigned)kills + 100);
      else
        for (int i = 0; i < PRODUCERS; ++i)
          if (i != (kills - 1) % PRODUCERS) end(pids[i]);
      next_kill = now_ms() + 40;
    }
  }
  /* A producer may be killed between its message and its count. */
  check(taken >= atomic_load(published) && taken <= atomic_load(published) + 42);
  check(taken > 1000);
  for (int i = 0; i < CHANNELS; ++i) check(!readable(polled[i].fd, 0)), td_channel_release(all[i]);
  td_dict_release(schema);
}
