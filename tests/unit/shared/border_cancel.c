/* A wait ends when another thread wants it to, and no other wait does. */
#include <pthread.h>
#include <signal.h>

#include "support/small_channels.h"

TestSuite(border_cancel, .init = pick_name, .fini = remove_name, .timeout = 120);

static td_cancel *new_cancel(void) {
  td_cancel *cancel = NULL;
  must(td_cancel_new(&cancel, &err));
  return cancel;
}

typedef td_status (*wait_function)(td_channel *, int64_t, const td_cancel *, td_message **, td_error **);

typedef struct waiter {
  td_channel *ch;
  const td_cancel *cancel;
  wait_function wait;
  td_status status;
  _Atomic int64_t ended_ms; /* 0 while it waits */
  pthread_t thread;
} waiter;

static void *run_wait(void *argument) {
  waiter *w = argument;
  td_message *m = NULL;
  w->status = w->wait(w->ch, -1, w->cancel, &m, NULL);
  w->ended_ms = now_ms();
  td_message_release(m);
  return NULL;
}

static void start(waiter *w) {
  check(!pthread_create(&w->thread, NULL, run_wait, w));
}

static void rest(int ms) {
  nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

LeaklessTest(border_cancel, it_stays_requested) {
  td_cancel *cancel = new_cancel();
  check(!td_cancel_requested(cancel));
  td_cancel_request(cancel), td_cancel_request(cancel);
  check(td_cancel_requested(cancel));
  td_cancel_retain(cancel), td_cancel_release(cancel), td_cancel_release(cancel);
  check(!td_cancel_requested(NULL));
  td_cancel_request(NULL), td_cancel_retain(NULL), td_cancel_release(NULL);
  expect_error(td_cancel_new(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
}

Test(border_cancel, a_request_before_the_call_is_not_lost_and_takes_nothing) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  td_cancel *cancel = new_cancel();
  td_message *m = NULL;
  send_value(out, 1);
  td_cancel_request(cancel);
  for (int64_t timeout = -1; timeout <= 1; ++timeout) {
    expect_error(td_channel_take(in, timeout, cancel, &m, &err), TD_ERR_CANCELLED, NULL, "cancelled");
    expect_error(td_channel_acquire(out, timeout, cancel, &m, &err), TD_ERR_CANCELLED, NULL, "cancelled");
  }
  check(!m);
  m = take(in); /* it is still there */
  td_message_release(m);
  td_cancel_release(cancel);
  td_channel_release(in), td_channel_release(out);
}

Test(border_cancel, one_that_is_not_requested_changes_nothing) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  td_cancel *cancel = new_cancel();
  td_message *m = NULL;
  expect_error(td_channel_take(in, 0, cancel, &m, &err), TD_ERR_TIMEOUT, NULL, NULL);
  expect_error(td_channel_take(in, 30, cancel, &m, &err), TD_ERR_TIMEOUT, NULL, "30 ms");
  send_value(out, 1);
  must(td_channel_take(in, -1, cancel, &m, &err));
  td_message_release(m);
  td_cancel_release(cancel);
  td_channel_release(in), td_channel_release(out);
}

Test(border_cancel, it_ends_the_waits_that_it_was_given_to_and_no_other) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 1), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  td_message *held = acquire(out); /* so that there is no slot */
  td_cancel *one = new_cancel(), *two = new_cancel();
  waiter w[] = {{in, one, td_channel_take, -1, 0, 0},
                {in, one, td_channel_take, -1, 0, 0},
                {out, one, td_channel_acquire, -1, 0, 0},
                {in, two, td_channel_take, -1, 0, 0},
                {in, NULL, td_channel_take, -1, 0, 0}};
  for (int i = 0; i < 5; ++i) start(&w[i]);
  rest(100);
  td_cancel_request(one);
  for (int i = 0; i < 3; ++i) {
    pthread_join(w[i].thread, NULL);
    check(w[i].status == TD_ERR_CANCELLED);
  }
  rest(50);
  check(!w[3].ended_ms && !w[4].ended_ms);
  must(td_message_publish(held, &err));
  td_message_release(held);
  send_value(out, 2); /* both get one */
  for (int i = 3; i < 5; ++i) {
    pthread_join(w[i].thread, NULL);
    check(w[i].status == TD_OK);
  }
  td_cancel_release(one), td_cancel_release(two);
  td_channel_release(in), td_channel_release(out);
}

/* The request comes at any moment of the wait, mostly while its thread falls asleep. */
Test(border_cancel, no_request_is_lost_and_none_waits_for_a_time_slice) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  int late = 0;
  for (int i = 0; i < 1000; ++i) {
    td_cancel *cancel = new_cancel();
    waiter w = {in, cancel, td_channel_take, -1, 0, 0};
    start(&w);
    for (volatile int k = 0; k < i * 97 % 40000; ++k) {
    }
    const int64_t asked = now_ms();
    td_cancel_request(cancel);
    pthread_join(w.thread, NULL);
    check(w.status == TD_ERR_CANCELLED);
    if (w.ended_ms - asked >= 15) ++late;
    td_cancel_release(cancel);
  }
  check(late < 100); /* a busy machine lets threads wait */
  td_channel_release(in), td_channel_release(out);
}

/* While messages pass, waits are cancelled and begun anew; nothing is lost or doubled. */
typedef struct consumer {
  td_channel *ch;
  td_cancel *volatile cancel;
  int64_t sum, count;
  int cancelled;
  pthread_mutex_t mutex;
} consumer;

static void *consume_with(void *argument) {
  consumer *c = argument;
  for (;;) {
    td_message *m = NULL;
    pthread_mutex_lock(&c->mutex);
    td_cancel *cancel = c->cancel;
    td_cancel_retain(cancel);
    pthread_mutex_unlock(&c->mutex);
    const td_status status = td_channel_take(c->ch, -1, cancel, &m, NULL);
    td_cancel_release(cancel);
    if (status == TD_ERR_CANCELLED) {
      c->cancelled++;
      continue;
    }
    if (status != TD_OK) return NULL;
    c->sum += (int64_t)value_of(m), c->count += 1;
    td_message_release(m);
  }
}

static void *cancel_often(void *argument) {
  consumer *c = argument;
  for (int i = 0; i < 2000; ++i) {
    td_cancel *fresh = NULL;
    must(td_cancel_new(&fresh, &err));
    pthread_mutex_lock(&c->mutex);
    td_cancel *old = c->cancel;
    c->cancel = fresh;
    pthread_mutex_unlock(&c->mutex);
    td_cancel_request(old);
    td_cancel_release(old);
    if (i % 16 == 0) rest(1);
  }
  return NULL;
}

Test(border_cancel, messages_pass_while_waits_are_cancelled) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 4), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  consumer c[2];
  pthread_t threads[4];
  for (int i = 0; i < 2; ++i) {
    c[i] = (consumer){in, new_cancel(), 0, 0, 0, PTHREAD_MUTEX_INITIALIZER};
    pthread_create(&threads[i], NULL, consume_with, &c[i]);
    pthread_create(&threads[2 + i], NULL, cancel_often, &c[i]);
  }
  for (int i = 0; i < 2000; ++i) send_value(out, (float)i);
  pthread_join(threads[2], NULL), pthread_join(threads[3], NULL);
  must(td_channel_close(out, &err));
  pthread_join(threads[0], NULL), pthread_join(threads[1], NULL);
  check(c[0].count + c[1].count == 2000 && c[0].sum + c[1].sum == 1999 * 1000);
  check(c[0].cancelled + c[1].cancelled > 0);
  td_cancel_release(c[0].cancel), td_cancel_release(c[1].cancel);
  td_channel_release(in), td_channel_release(out);
}

/* Other processes wait on; one that is killed in its wait does not hold up a request. */
Test(border_cancel, processes_do_not_notice) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  pid_t children[2];
  for (int i = 0; i < 2; ++i) {
    children[i] = fork();
    if (children[i] == 0) {
      td_after_fork();
      td_channel *ch = NULL;
      td_message *m = NULL;
      td_cancel *own = NULL;
      if (td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL) || td_cancel_new(&own, NULL))
        _exit(1);
      _exit(td_channel_take(ch, 60000, own, &m, NULL) == TD_OK ? 0 : 2);
    }
  }
  rest(200);
  kill(children[0], SIGKILL);
  td_cancel *cancel = new_cancel();
  waiter w = {in, cancel, td_channel_take, -1, 0, 0};
  start(&w);
  rest(50);
  td_cancel_request(cancel);
  pthread_join(w.thread, NULL);
  check(w.status == TD_ERR_CANCELLED);
  int status = -1;
  waitpid(children[0], &status, 0);
  check(waitpid(children[1], &status, WNOHANG) == 0);
  send_value(out, 1);
  waitpid(children[1], &status, 0);
  check(status == 0);
  td_cancel_release(cancel);
  td_channel_release(in), td_channel_release(out);
}

/* A fork while a thread of the parent sleeps: the child may use the td_cancel, which does nothing to the parent. */
Test(border_cancel, a_forked_child_ends_no_waits_of_its_parent) {
#ifdef __SANITIZE_THREAD__
  cr_skip_test("the thread sanitizer lets no thread start in a child that was forked beside another");
#endif
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  td_cancel *cancel = new_cancel();
  waiter w = {in, cancel, td_channel_take, -1, 0, 0};
  start(&w);
  rest(50);
  pid_t child = fork();
  if (child == 0) {
    td_after_fork();
    td_cancel_request(cancel);
    _exit(td_cancel_requested(cancel) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  check(status == 0);
  rest(50);
  check(!w.ended_ms && !td_cancel_requested(cancel));
  td_cancel_request(cancel);
  pthread_join(w.thread, NULL);
  check(w.status == TD_ERR_CANCELLED);
  td_cancel_release(cancel);
  td_channel_release(in), td_channel_release(out);
}
