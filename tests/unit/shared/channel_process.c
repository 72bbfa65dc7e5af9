/* Channels between processes, across a fork, and among threads. */
#include <pthread.h>

#include "support/small_channels.h"

TestSuite(channel_process, .init = pick_name, .fini = remove_name, .timeout = 120);

static int in_child(int (*body)(void *), void *argument) {
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    _exit(body(argument));
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

Test(channel_process, processes_talk) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = TD_CHANNEL_ROLE_PRODUCES;
  td_channel *out = create_with(o);
  char back[80];
  snprintf(back, sizeof back, "%s.back", channel_name);
  td_dict *schema = small_dict(0);
  td_channel *in = NULL;
  o.roles = TD_CHANNEL_ROLE_CONSUMES;
  must(td_channel_create(TD_STR(back), schema, &o, &in, &err));
  td_dict_release(schema);
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    td_channel *from = NULL, *to = NULL;
    if (td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, &from, NULL)) _exit(1);
    if (td_channel_open(TD_STR(back), TD_CHANNEL_ROLE_PRODUCES, NULL, &to, NULL)) _exit(2);
    for (int i = 0; i < 300; ++i) send_value(to, receive(from) + 1);
    td_channel_release(from), td_channel_release(to);
    _exit(0);
  }
  for (int i = 0; i < 300; ++i) {
    send_value(out, (float)i);
    cr_expect_eq(receive(in), (float)(i + 1));
  }
  int status = -1;
  waitpid(pid, &status, 0);
  cr_expect_eq(status, 0);
  td_channel_release(in), td_channel_release(out);
}

static int child_has_no_part(void *held) {
  td_message **m = held;
  td_channel *ch = (td_channel *)m[2];
  td_message *none = NULL;
  td_dict *d = NULL;
  td_channel_statistics s = TD_CHANNEL_STATISTICS_INIT;
  if (td_channel_take(ch, 0, NULL, &none, NULL) != TD_ERR_UNSUPPORTED) return 1;
  if (td_channel_acquire(ch, 0, NULL, &none, NULL) != TD_ERR_UNSUPPORTED) return 2;
  if (td_message_publish(m[0], NULL) != TD_ERR_UNSUPPORTED) return 3;
  if (td_message_dict(m[1], &d, NULL) != TD_ERR_UNSUPPORTED) return 4;
  if (td_channel_close(ch, NULL) != TD_ERR_UNSUPPORTED) return 5;
  if (td_channel_stats(ch, &s, NULL) != TD_ERR_UNSUPPORTED) return 6;
  td_message_release(m[0]), td_message_release(m[1]), td_channel_release(ch);
  ch = NULL;
  if (td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_OBSERVES, NULL, &ch, NULL)) return 7;
  if (td_channel_stats(ch, &s, NULL)) return 8;
  return s.writing == 1 && s.reading == 1 && s.producers == 1 ? 0 : 9;
}

Test(channel_process, a_forked_child_has_no_part_in_what_its_parent_holds) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  td_channel *ch = create_with(o);
  send_value(ch, 5);
  td_message *held[3] = {acquire(ch), take(ch), (td_message *)ch};
  cr_expect_eq(in_child(child_has_no_part, held), 0);
  cr_expect(there(channel_file), "the child must not unlink what its parent owns");
  cr_expect_eq(value_of(held[1]), 5);
  write_value(held[0], 6);
  must(td_message_publish(held[0], &err));
  td_message_release(held[0]), td_message_release(held[1]);
  cr_expect_eq(receive(ch), 6);
  td_channel_release(ch);
}

typedef struct crowd {
  td_channel *ch;
  int64_t sum;
  int count, first;
} crowd;

static void *produce(void *argument) {
  crowd *c = argument;
  for (int i = 0; i < c->count; ++i) send_value(c->ch, (float)(c->first + i));
  return NULL;
}

static void *consume(void *argument) {
  crowd *c = argument;
  td_message *m;
  while (td_channel_take(c->ch, 20000, NULL, &m, NULL) == TD_OK) {
    c->sum += (int64_t)value_of(m), c->count += 1;
    td_message_release(m);
  }
  return NULL;
}

Test(channel_process, threads_share_a_handle) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 4), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  crowd producers[3], consumers[3];
  pthread_t threads[6];
  for (int i = 0; i < 3; ++i) {
    producers[i] = (crowd){out, 0, 500, 500 * i}, consumers[i] = (crowd){in, 0, 0, 0};
    pthread_create(&threads[i], NULL, produce, &producers[i]);
    pthread_create(&threads[3 + i], NULL, consume, &consumers[i]);
  }
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  must(td_channel_close(out, &err));
  int64_t sum = 0, count = 0;
  for (int i = 0; i < 3; ++i) pthread_join(threads[3 + i], NULL), sum += consumers[i].sum, count += consumers[i].count;
  cr_expect(count == 1500 && sum == 1499 * 1500 / 2);
  td_channel_release(in), td_channel_release(out);
}
