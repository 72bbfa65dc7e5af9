/* Channels of self-checked messages, and processes to be killed. */
#ifndef TESTS_FAULT_CHANNELS_H
#define TESTS_FAULT_CHANNELS_H

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "support/files.h"
#include "support/small_dicts.h"

/* Instructions by the million, and forks by the thousand, take too long under a sanitizer, which looks for other things. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SKIP_IF_SANITIZED() cr_skip_test("too slow under a sanitizer")
#else
#define SKIP_IF_SANITIZED() ((void)0)
#endif

/* Watchdogs, made for machines that do other things meanwhile; what things take is measured elsewhere. */
enum { PAYLOAD_WORDS = 64, RECOVERY_MS = 30000, STUCK_MS = 300000, FAULT_TIMEOUT = 6 * 3600 };

FILES_UNUSED static char channel_name[64], channel_file[128];

FILES_UNUSED static void pick_name(void) {
  snprintf(channel_name, sizeof channel_name, "td-fault-%ld", (long)getpid());
  snprintf(channel_file, sizeof channel_file, "/dev/shm/%s", channel_name);
  unlink(channel_file);
}

FILES_UNUSED static void remove_name(void) {
  remove_tree(channel_file);
}

/* Names in the directory of segments that begin with ours. */
FILES_UNUSED static int names_left(void) {
  int n = 0;
  DIR *d = opendir("/dev/shm");
  for (struct dirent *e; d && (e = readdir(d));) n += strncmp(e->d_name, channel_name, strlen(channel_name)) == 0;
  if (d) closedir(d);
  return n;
}

/* `make fault` sets TD_FAULT=full; ctest takes samples. */
FILES_UNUSED static int fault_rounds(int sample, int full) {
  const char *mode = getenv("TD_FAULT");
  return mode && strcmp(mode, "full") == 0 ? full : sample;
}

FILES_UNUSED static int64_t fault_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

FILES_UNUSED static void pause_us(long us) {
  struct timespec t = {us / 1000000, us % 1000000 * 1000};
  nanosleep(&t, NULL);
}

/* Objects of all kinds. */
FILES_UNUSED static int64_t live_objects(void) {
  int64_t n = 0;
  for (td_object_kind kind = 0; kind <= TD_OBJECT_WORK; ++kind) n += td_live_objects(kind);
  return n;
}

static uint64_t fault_random = 88172645463325252u;
FILES_UNUSED static uint64_t random_below(uint64_t n) {
  fault_random ^= fault_random << 13, fault_random ^= fault_random >> 7, fault_random ^= fault_random << 17;
  return fault_random % n;
}

FILES_UNUSED static uint64_t mixed(uint64_t x) {
  x ^= x >> 33, x *= 0xff51afd7ed558ccdu, x ^= x >> 33, x *= 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

FILES_UNUSED static td_dict *payload_schema(void) {
  int64_t words[PAYLOAD_WORDS] = {0};
  td_dict *d = new_dict(NULL, 0);
  put(d, TD_KEY("payload"), TD_DTYPE_INT64, words, TD_SHAPE(PAYLOAD_WORDS));
  return d;
}

FILES_UNUSED static td_channel *payload_channel(td_channel_options o) {
  td_dict *schema = payload_schema();
  td_channel *ch = NULL;
  must(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err));
  td_dict_release(schema);
  return ch;
}

/* The words of a message; they stay where they are while `*keep` is not released. NULL if anything fails. */
FILES_UNUSED static uint64_t *words_of(const td_message *m, td_tensor **keep) {
  td_dict *d = NULL;
  const void *data = NULL;
  *keep = NULL;
  if (td_message_dict(m, &d, NULL)) return NULL;
  if (td_dict_get(d, TD_KEY("payload"), keep, NULL) == TD_OK) td_tensor_data(*keep, &data, NULL);
  td_dict_release(d);
  return (uint64_t *)(uintptr_t)data;
}

/* Publishes `id`; 0 if all went well. */
FILES_UNUSED static td_status send_id(td_channel *ch, int64_t timeout, uint64_t id) {
  td_message *m = NULL;
  td_status status = td_channel_acquire(ch, timeout, NULL, &m, NULL);
  if (status) return status;
  td_tensor *keep;
  uint64_t *words = words_of(m, &keep);
  for (uint64_t i = 0; words && i < PAYLOAD_WORDS; ++i) words[i] = i ? mixed(id + i) : id;
  td_tensor_release(keep);
  status = words ? td_message_publish(m, NULL) : TD_ERR_INTERNAL;
  td_message_release(m);
  return status;
}

/* Takes a message, still held in `*m`; CORRUPT if it is torn. */
FILES_UNUSED static td_status take_id(td_channel *ch, int64_t timeout, uint64_t *id, td_message **m) {
  td_status status = td_channel_take(ch, timeout, NULL, m, NULL);
  if (status) return status;
  td_tensor *keep;
  const uint64_t *words = words_of(*m, &keep);
  *id = words ? words[0] : 0;
  for (uint64_t i = 1; words && i < PAYLOAD_WORDS; ++i)
    if (words[i] != mixed(*id + i)) status = TD_ERR_INTERNAL;
  td_tensor_release(keep);
  return words ? status : TD_ERR_INTERNAL;
}

FILES_UNUSED static td_channel *open_channel(td_channel_role roles) {
  td_channel *ch = NULL;
  must(td_channel_open(TD_STR(channel_name), roles, NULL, &ch, &err));
  return ch;
}

FILES_UNUSED static td_channel_statistics stats_of(const td_channel *ch) {
  td_channel_statistics s = TD_CHANNEL_STATISTICS_INIT;
  must(td_channel_stats(ch, &s, &err));
  return s;
}

FILES_UNUSED static const char *dump_of(const td_channel *ch) {
  static char text[16384];
  td_string *s = NULL;
  if (td_channel_dump(ch, &s, NULL)) return "";
  snprintf(text, sizeof text, "%s", td_string_view(s).data);
  td_string_release(s);
  return text;
}

/* Every slot can be had, written, published and read again. Drains what is in the channel; `ch` has both roles. */
FILES_UNUSED static void expect_whole(td_channel *ch, const char *when) {
  td_message *m[64] = {NULL};
  uint64_t id;
  int slots = stats_of(ch).slots;
  while (take_id(ch, 0, &id, &m[0]) == TD_OK) td_message_release(m[0]);
  for (int i = 0; i < slots; ++i) {
    m[i] = NULL;
    td_status status = td_channel_acquire(ch, RECOVERY_MS, NULL, &m[i], NULL);
    cr_assert_eq(status, TD_OK, "%s: slot %d: %s\n%s", when, i, td_status_name(status).data, dump_of(ch));
  }
  for (int i = 0; i < slots; ++i) td_message_release(m[i]);
  for (int i = 0; i < slots; ++i) cr_assert_eq(send_id(ch, RECOVERY_MS, 1000 + (uint64_t)i), TD_OK, "%s", when);
  for (int i = 0; i < slots; ++i) {
    cr_assert_eq(take_id(ch, RECOVERY_MS, &id, &m[0]), TD_OK, "%s", when);
    cr_assert_eq(id, 1000 + (uint64_t)i, "%s", when);
    td_message_release(m[0]);
  }
  td_channel_statistics s = stats_of(ch);
  cr_assert(s.free == slots && s.state == 0, "%s:\n%s", when, dump_of(ch));
}

FILES_UNUSED static void reap(pid_t pid, int signal) {
  int status;
  if (signal) kill(pid, signal);
  cr_assert_eq(waitpid(pid, &status, 0), pid);
}

#endif
