/* Segments, channels, messages; queries, hashes and the stores behind them. */
#include <limits.h>
#include <pthread.h>

#include "api/api.h"
#include "api/made.h"
#include "support/children.h"

static void own_name(char *name, size_t size) {
  static int n;
  snprintf(name, size, "%s%d", child_prefix(), chance(50) ? (int)below(6) : 10 + ++n);
}

td_segment *make_td_segment(void) {
  char name[100];
  td_segment *segment = NULL;
  td_segment_options options = TD_SEGMENT_OPTIONS_INIT;
  td_dict *dict = small_dict(TD_SHAPE(2));
  own_name(name, sizeof name);
  options.snapshots = chance(50) ? 0 : 3;
  if (td_segment_create(TD_STR(name), dict, &options, &segment, NULL) != TD_OK)
    td_segment_open(TD_STR(name), NULL, &segment, NULL);
  td_dict_release(dict);
  return segment;
}

td_cancel *make_td_cancel(void) {
  td_cancel *cancel = NULL;
  td_cancel_new(&cancel, NULL);
  return cancel;
}

td_channel *make_td_channel(void) {
  char name[100];
  td_channel *channel = NULL;
  td_channel_options options = TD_CHANNEL_OPTIONS_INIT;
  td_dict *dict = small_dict(TD_SHAPE(2));
  own_name(name, sizeof name);
  options.slots = 4, options.roles = TD_CHANNEL_ROLE_PRODUCES | TD_CHANNEL_ROLE_CONSUMES;
  options.mode = (td_channel_mode)below(2), options.overflow = (td_channel_overflow)below(2);
  if (td_channel_create(TD_STR(name), dict, &options, &channel, NULL) != TD_OK)
    td_channel_open(TD_STR(name), TD_CHANNEL_ROLE_PRODUCES | TD_CHANNEL_ROLE_CONSUMES, NULL, &channel, NULL);
  td_dict_release(dict);
  return channel;
}

td_message *make_td_message(void) {
  td_channel *channel = any_handle(KIND_td_channel, "message of");
  td_message *message = NULL;
  if (chance(40) && td_channel_take(channel, 0, NULL, &message, NULL) == TD_OK) return message;
  message = NULL;
  td_channel_acquire(channel, 0, NULL, &message, NULL);
  return message;
}

td_hash *make_td_hash(void) {
  static const struct {
    const char *type, *config;
  } hashes[] = {{"td.siphash", "{}"},
                {"td.xxh3", "{}"},
                {"td.random_projection", "{\"n_components\": 2}"},
                {"td.binary_to_decimal", "{}"}};
  td_hash *hash = NULL;
  const size_t i = below(4);
  if (td_hash_new(TD_STR(hashes[i].type), TD_STR(hashes[i].config), &hash, NULL) != TD_OK)
    td_hash_new(TD_STR("td.siphash"), TD_NO_STR, &hash, NULL);
  return hash;
}

td_query *make_td_query(void) {
  td_query *query = NULL;
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.capacity = chance(30) ? 4 : 0;
  options.miss = (td_query_miss)below(3);
  options.exact = chance(30), options.clone = chance(30);
  options.threads = 1;
  const td_key *keys = chance(50) ? TD_KEY("b") : TD_KEY("a");
  td_query_new(keys, 1, &options, &query, NULL);
  return query;
}

td_store *make_td_store(void) {
  td_store *store = NULL;
  td_store_options options = TD_STORE_OPTIONS_INIT;
  options.capacity = chance(50) ? 0 : 8;
  options.preallocate = chance(20);
  td_store_new(&options, &store, NULL);
  return store;
}

td_row_map *make_td_row_map(void) {
  td_row_map *map = NULL;
  td_query *query = make_td_query();
  td_store *store = make_td_store();
  td_row_map_new(query, store, &map, NULL);
  td_query_release(query), td_store_release(store);
  return map;
}

typedef struct rank {
  char store[PATH_MAX + 100];
  int32_t number, size;
  td_group *group;
} rank;

static void *open_rank(void *opened) {
  rank *r = opened;
  td_group_options options = TD_GROUP_OPTIONS_INIT;
  options.rank = r->number, options.size = r->size, options.timeout_ms = 1000;
  td_group_open(TD_STR(r->store), &options, &r->group, NULL);
  return NULL;
}

/* A group of one rank, which meets nobody. */
td_group *make_td_group(void) {
  rank alone = {.size = 1};
  char name[100];
  own_name(name, sizeof name);
  snprintf(alone.store, sizeof alone.store, "file:///dev/shm/%s.meet", name);
  open_rank(&alone);
  return alone.group;
}

/* To a rank that leaves, so that it ends in one way or the other. */
td_work *make_td_work(void) {
  td_work *work = NULL;
  rank here = {.size = 2}, there = {.size = 2, .number = 1};
  char name[100];
  pthread_t thread;
  td_dict *dict = NULL;
  td_dict_new(NULL, 0, NULL, &dict, NULL);
  own_name(name, sizeof name);
  snprintf(here.store, sizeof here.store, "file:///dev/shm/%s.meet", name);
  snprintf(there.store, sizeof there.store, "%s", here.store);
  if (pthread_create(&thread, NULL, open_rank, &there) == 0) {
    open_rank(&here);
    pthread_join(thread, NULL);
    if (here.group) td_dict_isend(dict, here.group, 1, NULL, &work, NULL);
  }
  td_group_release(there.group), td_group_release(here.group), td_dict_release(dict);
  return work;
}
