/* Whoever makes, unlinks or closes a channel, or shares a map, is killed at each of its system calls, and after single
 * instructions. What the others find is whole or not there, and the name can be used again. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "support/kill_scenes.h"

TestSuite(making_kill, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

enum { MAP_ROWS = 100 };

/* What the scene under way needs; each process has its own. */
static td_dict *given;
static td_channel *room;
static td_query *query;

static td_query *a_query(void) {
  td_query *query = NULL;
  must(td_query_new(TD_KEY("x"), 1, NULL, &query, &err));
  return query;
}

static td_channel_options both(void) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 4, o.members = 8, o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  return o;
}
static void have_schema(void) {
  given = payload_schema();
}
static void makes_a_channel(void) {
  const td_channel_options o = both();
  td_channel_create(TD_STR(channel_name), given, &o, &room, NULL);
}
static void channel_is_whole_or_absent(void) {
  td_channel *ch = NULL;
  const td_status status =
      td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL);
  expect(status == TD_OK || status == TD_ERR_NOT_FOUND, "open: %s", td_status_name(status).data);
  if (ch) expect_whole(ch, when);
  if (ch) expect(prune_all() == 0, "somebody is in the channel");
  td_channel_release(ch);
  expect(prune_all() == (status == TD_OK), "it is removed once");
  expect_free();
}

static void kept_channel(void) {
  td_channel_options o = both();
  o.keep = 1;
  td_channel_release(payload_channel(o));
}
static void unlinks_the_channel(void) {
  td_channel_unlink(TD_STR(channel_name), NULL);
}
static void channel_can_be_unlinked(void) {
  td_channel *ch = NULL;
  const bool there = td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_OBSERVES, NULL, &ch, NULL) == TD_OK;
  td_channel_release(ch);
  const td_status status = td_channel_unlink(TD_STR(channel_name), NULL);
  expect(status == (there ? TD_OK : TD_ERR_NOT_FOUND), "unlink: %s", td_status_name(status).data);
  expect_free();
}

static void channel_with_messages(void) {
  room = payload_channel(both());
  for (uint64_t id = 0; id < 2; ++id) cr_assert_eq(send_id(room, 0, id), TD_OK);
}
static void joined(void) {
  room = open_channel(TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES);
}
static void closes(void) {
  td_channel_close(room, NULL);
}
static void closed_or_open(void) {
  uint64_t id;
  td_message *m = NULL;
  for (uint64_t wanted = 0; wanted < 2; ++wanted) {
    expect(take_id(room, 0, &id, &m) == TD_OK && id == wanted, "message %d is lost", (int)wanted);
    td_message_release(m);
  }
  const td_status last = take_id(room, 0, &id, &m);
  expect(last == TD_ERR_TIMEOUT || last == TD_ERR_CLOSED, "take: %s", td_status_name(last).data);
  expect(send_id(room, 0, 7) == (last == TD_ERR_CLOSED ? TD_ERR_CLOSED : TD_OK), "neither open nor closed");
  must(td_channel_close(room, &err));
  cr_assert_eq(send_id(room, 0, 8), TD_ERR_CLOSED);
  td_channel_release(room), room = NULL;
  expect_free();
}

static td_dict *map_rows(void) {
  int64_t rows[MAP_ROWS];
  for (int i = 0; i < MAP_ROWS; ++i) rows[i] = i;
  td_dict *d = new_dict(TD_SHAPE(MAP_ROWS));
  put(d, TD_KEY("x"), TD_DTYPE_INT64, rows, TD_SHAPE(MAP_ROWS));
  return d;
}
static void have_a_map(void) {
  query = a_query();
  given = map_rows();
  must(td_query_forward(query, given, TD_QUERY_DEFAULT, &err));
}
static void shares_the_map(void) {
  td_query_share_options o = TD_QUERY_SHARE_OPTIONS_INIT;
  o.capacity = 1000;
  td_query_share(query, TD_STR(channel_name), &o, NULL);
}
static void map_is_whole_or_absent(void) {
  td_query *reader = a_query();
  const td_status status = td_query_attach(reader, TD_STR(channel_name), TD_QUERY_MAP_READ, NULL);
  expect(status == TD_OK || status == TD_ERR_NOT_FOUND, "open: %s", td_status_name(status).data);
  if (status == TD_OK) {
    td_dict *rows = map_rows();
    td_tensor *indices = NULL;
    const void *data = NULL;
    must(td_query_look_up(reader, rows, &indices, &err));
    must(td_tensor_data(indices, &data, &err));
    for (int64_t i = 0; i < MAP_ROWS; ++i) expect(((const int64_t *)data)[i] == i, "row %d is wrong", (int)i);
    td_tensor_release(indices), td_dict_release(rows);
  }
  td_query_release(reader);
  expect(prune_all() == (status == TD_OK), "it is removed once");
  expect_free();
}

static const scene scenes[] = {
    {"one that makes a channel", NULL, have_schema, makes_a_channel, channel_is_whole_or_absent},
    {"one that unlinks a channel", kept_channel, NULL, unlinks_the_channel, channel_can_be_unlinked},
    {"one that closes a channel", channel_with_messages, joined, closes, closed_or_open},
    {"one that shares a map", NULL, have_a_map, shares_the_map, map_is_whole_or_absent},
};

enum { SCENES = sizeof scenes / sizeof *scenes };

Test(making_kill, at_any_call_leaves_all_or_nothing) {
  td_query_release(a_query()); /* its plugin is loaded before the forks */
  kill_scenes(scenes, SCENES, 0);
}

Test(making_kill, at_any_call_leaves_all_or_nothing_either) {
  td_query_release(a_query());
  kill_scenes(scenes, SCENES, 1);
}
