#include "channel.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli.h"
#include "json.h"
#include "text.h"

static const char *word(const char *const *words, size_t n, int32_t i) {
  return i >= 0 && (size_t)i < n ? words[i] : "?";
}

static const char *const modes[] = {"queue", "broadcast"}, *const states[] = {"open", "closed", "corrupt"},
                         *const overflows[] = {"block", "fail", "drop-oldest"};

static void print_text(const td_channel *c, const td_channel_options *o, const td_channel_statistics *s) {
  text line = {0};
  text_bytes(&line, td_channel_nbytes(c));
  printf("channel: %s, %s, overflow %s, %s\n", word(states, 3, s->state), word(modes, 2, o->mode),
         word(overflows, 3, o->overflow), line.data);
  text_clear(&line);
  printf("  slots      %d: %d free, %d being written, %d ready, %d being read\n", (int)s->slots, (int)s->free,
         (int)s->writing, (int)s->ready, (int)s->reading);
  printf("  members    %d producing, %d consuming\n", (int)s->producers, (int)s->consumers);
  printf("  messages   %" PRId64 " published, %" PRId64 " dropped, %" PRId64 " delivered again, %" PRId64
         " given up, %" PRId64 " aborted\n",
         s->published, s->dropped, s->redelivered, s->dead_letters, s->aborted);
  if (s->oldest_pid)
    printf("  oldest     a slot held by process %" PRId64 " for %" PRId64 " ms\n", s->oldest_pid, s->oldest_ms);
}

static void print_json(const td_channel *c, const td_channel_options *o, const td_channel_statistics *s) {
  const struct {
    const char *name;
    int64_t n;
  } numbers[] = {{"bytes", td_channel_nbytes(c)},
                 {"slots", s->slots},
                 {"free", s->free},
                 {"writing", s->writing},
                 {"ready", s->ready},
                 {"reading", s->reading},
                 {"producers", s->producers},
                 {"consumers", s->consumers},
                 {"published", s->published},
                 {"dropped", s->dropped},
                 {"redelivered", s->redelivered},
                 {"dead_letters", s->dead_letters},
                 {"aborted", s->aborted},
                 {"swept", s->swept},
                 {"oldest_ms", s->oldest_ms},
                 {"oldest_pid", s->oldest_pid}};
  int count = 0;
  json_key(stdout, &count, "state");
  json_text(stdout, word(states, 3, s->state));
  json_key(stdout, &count, "mode");
  json_text(stdout, word(modes, 2, o->mode));
  json_key(stdout, &count, "overflow");
  json_text(stdout, word(overflows, 3, o->overflow));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    json_key(stdout, &count, numbers[i].name);
    printf("%" PRId64, numbers[i].n);
  }
}

td_dict *show_channel(const char *name, int json) {
  td_channel *c;
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  td_channel_statistics s = TD_CHANNEL_STATISTICS_INIT;
  td_dict *schema;
  td_error *err = NULL;
  check(td_channel_open(TD_STR(name), TD_CHANNEL_ROLE_OBSERVES, NULL, &c, &err), &err);
  check(td_channel_get_options(c, &o, &err), &err);
  check(td_channel_stats(c, &s, &err), &err);
  check(td_channel_schema(c, &schema, &err), &err);
  (json ? print_json : print_text)(c, &o, &s);
  td_channel_release(c);
  return schema;
}
