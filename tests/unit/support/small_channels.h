/* A channel of small dicts under a name of this process's own. */
#ifndef TESTS_SMALL_CHANNELS_H
#define TESTS_SMALL_CHANNELS_H

#include <poll.h>
#include <sys/wait.h>
#include <time.h>

#include "support/files.h"
#include "support/small_dicts.h"

SMALL_UNUSED static char channel_name[64], channel_file[128];

SMALL_UNUSED static void pick_name(void) {
  snprintf(channel_name, sizeof channel_name, "td-channel-%ld", (long)getpid());
  snprintf(channel_file, sizeof channel_file, "/dev/shm/%s", channel_name);
  unlink(channel_file);
}

SMALL_UNUSED static void remove_name(void) {
  remove_tree(channel_file);
}

SMALL_UNUSED static td_channel *create_with(td_channel_options o) {
  td_dict *schema = small_dict(0);
  td_channel *ch = NULL;
  must(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err));
  td_dict_release(schema);
  return ch;
}

SMALL_UNUSED static td_channel *create(td_channel_mode mode, td_channel_overflow overflow, int slots) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.mode = mode, o.overflow = overflow, o.slots = slots;
  return create_with(o);
}

SMALL_UNUSED static td_channel *join(td_channel_role roles) {
  td_channel *ch = NULL;
  must(td_channel_open(TD_STR(channel_name), roles, NULL, &ch, &err));
  return ch;
}

SMALL_UNUSED static td_message *acquire(td_channel *ch) {
  td_message *m = NULL;
  must(td_channel_acquire(ch, 30000, NULL, &m, &err));
  return m;
}

SMALL_UNUSED static td_message *take(td_channel *ch) {
  td_message *m = NULL;
  must(td_channel_take(ch, 30000, NULL, &m, &err));
  return m;
}

SMALL_UNUSED static td_dict *dict_of(const td_message *m) {
  td_dict *d = NULL;
  must(td_message_dict(m, &d, &err));
  return d;
}

SMALL_UNUSED static void write_dict(const td_message *m, const td_dict *from) {
  td_dict *d = dict_of(m);
  must(td_dict_update_(d, from, &err));
  td_dict_release(d);
}

SMALL_UNUSED static void write_value(const td_message *m, float value) {
  td_dict *from = small_dict(value);
  write_dict(m, from);
  td_dict_release(from);
}

SMALL_UNUSED static void send_value(td_channel *ch, float value) {
  td_message *m = acquire(ch);
  write_value(m, value);
  must(td_message_publish(m, &err));
  td_message_release(m);
}

SMALL_UNUSED static float value_of(const td_message *m) {
  td_dict *d = dict_of(m);
  float f = float_at(d, TD_KEY("a"));
  td_dict_release(d);
  return f;
}

SMALL_UNUSED static float receive(td_channel *ch) {
  td_message *m = take(ch);
  float f = value_of(m);
  td_message_release(m);
  return f;
}

SMALL_UNUSED static int descriptor(td_channel *ch, td_channel_role role) {
  int32_t fd = -1;
  must(td_channel_descriptor(ch, role, &fd, &err));
  return fd;
}

SMALL_UNUSED static bool readable(int fd, int ms) {
  struct pollfd p = {fd, POLLIN, 0};
  return poll(&p, 1, ms) == 1;
}

SMALL_UNUSED static td_channel_statistics stats(const td_channel *ch) {
  td_channel_statistics s = TD_CHANNEL_STATISTICS_INIT;
  must(td_channel_stats(ch, &s, &err));
  return s;
}

SMALL_UNUSED static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

SMALL_UNUSED static void expect_nothing_left(int64_t objects, int64_t bytes, int fds) {
  cr_expect_eq(td_live_objects(TD_OBJECT_CHANNEL) + td_live_objects(TD_OBJECT_MESSAGE), objects);
  cr_expect_eq(td_live_bytes(), bytes);
  cr_expect_eq(descriptors(), fds);
}

#endif
