/* The peer in C: what bindings/go/examples/peer does, with the same command line. saves.h has what it does with files.
 *
 *   own|own-snapshots NAME         creates a segment of the example, prints its path, adds 1 to "a" for each line on stdin
 *   spin NAME                      creates one with snapshots and updates it without end
 *   map|map-snapshots NAME         opens a segment and prints its leaves and a ".", again for each line on stdin
 *   prune PREFIX                   removes the names that killed processes left, and prints how many
 *   produce NAME MODE N CONSUMERS  creates a channel ("queue" or "broadcast"), prints its path, waits for as many
 *                                  consumers, publishes 0 to N-1, closes the channel, and leaves at the end of stdin
 *   join NAME FIRST N              publishes as many messages into a channel that exists, and closes it
 *   flood NAME                     publishes without end
 *   half NAME N                    publishes 0 to N-1, writes half of the next one, prints "half", and waits for its end
 *   host NAME MODE                 creates a channel and does what consume does
 *   consume NAME                   prints "ready", then the number in each message, until the channel is closed
 *   hold NAME                      takes one message, prints its number, and waits for its end
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <time.h>

#include "saves.h"

enum { PAYLOAD = 4096 };

static void until_end_of_stdin(void) {
  for (char line[64]; fgets(line, sizeof line, stdin);) {
  }
}

/* The next state of "a", with which the segment is updated. */
static void update(td_segment *s, float offset) {
  td_dict *next = example(offset);
  check(td_segment_update(s, next, &err));
  td_dict_release(next);
}

static td_segment *segment(const char *name, int32_t snapshots) {
  td_segment_options options = TD_SEGMENT_OPTIONS_INIT;
  td_segment *s = NULL;
  td_dict *first = example(0);
  options.snapshots = snapshots;
  check(td_segment_create(TD_STR(name), first, &options, &s, &err));
  td_dict_release(first);
  puts(td_segment_path(s).data), fflush(stdout);
  return s;
}

static void own(const char *name, int32_t snapshots) {
  td_segment *s = segment(name, snapshots);
  float offset = 0;
  for (char line[64]; fgets(line, sizeof line, stdin);) {
    update(s, ++offset);
    printf("%" PRIu64 "\n", td_segment_version(s)), fflush(stdout);
  }
  td_segment_release(s);
}

static void spin(const char *name) {
  td_segment *s = segment(name, 3);
  for (float offset = 1;; ++offset) update(s, offset);
}

static void map(const char *name, int snapshots) {
  td_segment *s = NULL;
  check(td_segment_open(TD_STR(name), NULL, &s, &err));
  char line[64];
  do {
    td_dict *d = NULL;
    check(snapshots ? td_segment_snapshot(s, &d, &err) : td_segment_dict(s, &d, &err));
    show(d), puts("."), fflush(stdout);
    td_dict_release(d);
  } while (fgets(line, sizeof line, stdin));
  td_segment_release(s);
}

static void prune(const char *prefix) {
  int64_t removed = 0;
  check(td_segment_prune(TD_STR(prefix), &removed, &err));
  printf("%" PRId64 "\n", removed);
}

static td_channel *create(const char *name, const char *mode, td_channel_role roles) {
  td_channel_options options = TD_CHANNEL_OPTIONS_INIT;
  td_channel *ch = NULL;
  td_dict *schema = NULL;
  td_tensor *id = NULL, *x = NULL;
  options.mode = strcmp(mode, "broadcast") ? TD_CHANNEL_MODE_QUEUE : TD_CHANNEL_MODE_BROADCAST;
  options.roles = roles;
  options.slots = 4;
  check(td_dict_new(NULL, 0, NULL, &schema, &err));
  check(td_tensor_zeros(NULL, 0, TD_DTYPE_INT64, TD_NO_STR, &id, &err));
  check(td_tensor_zeros(TD_SHAPE(PAYLOAD), TD_DTYPE_FLOAT32, TD_NO_STR, &x, &err));
  check(td_dict_set(schema, TD_KEY("id"), id, &err));
  check(td_dict_set(schema, TD_KEY("x"), x, &err));
  check(td_channel_create(TD_STR(name), schema, &options, &ch, &err));
  td_tensor_release(x), td_tensor_release(id), td_dict_release(schema);
  return ch;
}

static td_channel *join(const char *name, td_channel_role roles) {
  td_channel *ch = NULL;
  check(td_channel_open(TD_STR(name), roles, NULL, &ch, &err));
  return ch;
}

/* An acquired message with the first elements written. */
static td_message *written(td_channel *ch, int64_t number, int elements) {
  td_message *m = NULL;
  td_dict *d = NULL;
  td_tensor *id = NULL, *x = NULL;
  void *ids = NULL, *values = NULL;
  check(td_channel_acquire(ch, -1, NULL, &m, &err));
  check(td_message_dict(m, &d, &err));
  check(td_dict_get(d, TD_KEY("id"), &id, &err));
  check(td_dict_get(d, TD_KEY("x"), &x, &err));
  check(td_tensor_mutable_data(id, &ids, &err));
  check(td_tensor_mutable_data(x, &values, &err));
  *(int64_t *)ids = number;
  for (int i = 0; i < elements; ++i) ((float *)values)[i] = (float)number;
  td_tensor_release(x), td_tensor_release(id), td_dict_release(d);
  return m;
}

static void publish(td_channel *ch, int64_t number) {
  td_message *m = written(ch, number, PAYLOAD);
  check(td_message_publish(m, &err));
  td_message_release(m);
}

static void half(td_channel *ch, int64_t n) {
  for (int64_t i = 0; i < n; ++i) publish(ch, i);
  written(ch, n, PAYLOAD / 2);
  puts("half"), fflush(stdout);
  until_end_of_stdin();
  exit(1); /* the test kills it before */
}

static void hold(td_channel *ch) {
  td_message *m = NULL;
  td_dict *d = NULL;
  td_tensor *id = NULL;
  const void *ids = NULL;
  check(td_channel_take(ch, -1, NULL, &m, &err));
  check(td_message_dict(m, &d, &err));
  check(td_dict_get(d, TD_KEY("id"), &id, &err));
  check(td_tensor_data(id, &ids, &err));
  printf("%" PRId64 "\n", *(const int64_t *)ids), fflush(stdout);
  until_end_of_stdin();
  exit(1); /* as above */
}

static void publish_all(td_channel *ch, int64_t first, int64_t n) {
  for (int64_t i = 0; i < n; ++i) publish(ch, first + i);
  check(td_channel_close(ch, &err));
}

static void await_consumers(const td_channel *ch, int n) {
  td_channel_statistics seen = TD_CHANNEL_STATISTICS_INIT;
  do {
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    check(td_channel_stats(ch, &seen, &err));
  } while (seen.consumers < n);
}

static void consume(td_channel *ch) {
  puts("ready"), fflush(stdout);
  for (;;) {
    td_message *m = NULL;
    td_dict *d = NULL;
    td_tensor *id = NULL, *x = NULL;
    const void *ids = NULL, *values = NULL;
    td_status status = td_channel_take(ch, -1, NULL, &m, &err);
    if (status == TD_ERR_CLOSED) break;
    check(status);
    check(td_message_dict(m, &d, &err));
    check(td_dict_get(d, TD_KEY("id"), &id, &err));
    check(td_dict_get(d, TD_KEY("x"), &x, &err));
    check(td_tensor_data(id, &ids, &err));
    check(td_tensor_data(x, &values, &err));
    const int64_t number = *(const int64_t *)ids;
    for (int i = 0; i < PAYLOAD; ++i) {
      if (((const float *)values)[i] == (float)number) continue;
      fprintf(stderr, "%" PRId64 ": a torn message\n", number);
      exit(1);
    }
    printf("%" PRId64 "\n", number), fflush(stdout);
    td_tensor_release(x), td_tensor_release(id), td_dict_release(d), td_message_release(m);
  }
  td_error_release(err);
}

int main(int argc, char **argv) {
  const char *command = argc > 2 ? argv[1] : "";
  td_channel *ch = NULL;
  if (argc > 2 && do_saves(command, argv[2], argc > 3 ? argv[3] : NULL)) {
    return 0;
  } else if (!strcmp(command, "own") || !strcmp(command, "own-snapshots")) {
    own(argv[2], strcmp(command, "own") ? 3 : 0);
  } else if (!strcmp(command, "spin")) {
    spin(argv[2]);
  } else if (!strcmp(command, "prune")) {
    prune(argv[2]);
  } else if (!strcmp(command, "map") || !strcmp(command, "map-snapshots")) {
    map(argv[2], strcmp(command, "map"));
  } else if (!strcmp(command, "produce") && argc == 6) {
    ch = create(argv[2], argv[3], TD_CHANNEL_ROLE_PRODUCES);
    puts(td_channel_path(ch).data), fflush(stdout);
    await_consumers(ch, atoi(argv[5]));
    publish_all(ch, 0, atoll(argv[4]));
    until_end_of_stdin();
  } else if (!strcmp(command, "join") && argc == 5) {
    ch = join(argv[2], TD_CHANNEL_ROLE_PRODUCES);
    publish_all(ch, atoll(argv[3]), atoll(argv[4]));
  } else if (!strcmp(command, "flood")) {
    ch = join(argv[2], TD_CHANNEL_ROLE_PRODUCES);
    for (int64_t i = 0;; ++i) publish(ch, i);
  } else if (!strcmp(command, "half") && argc == 4) {
    half(join(argv[2], TD_CHANNEL_ROLE_PRODUCES), atoll(argv[3]));
  } else if (!strcmp(command, "hold")) {
    hold(join(argv[2], TD_CHANNEL_ROLE_CONSUMES));
  } else if (!strcmp(command, "host") && argc == 4) {
    ch = create(argv[2], argv[3], TD_CHANNEL_ROLE_CONSUMES);
    consume(ch);
  } else if (!strcmp(command, "consume")) {
    ch = join(argv[2], TD_CHANNEL_ROLE_CONSUMES);
    consume(ch);
  } else {
    fprintf(stderr, "usage: shared_peer COMMAND ARGUMENTS, see the source\n");
    return 2;
  }
  td_channel_release(ch);
  return 0;
}
