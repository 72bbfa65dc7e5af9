/* Channels: dicts handed from one handle to another. */
#include <signal.h>

#include "support/small_channels.h"

TestSuite(channel, .init = pick_name, .fini = remove_name, .timeout = 120);

/* Both ends of a channel with a word in its schema, and what was there before them. */
typedef struct ends {
  td_channel *out, *in;
  int64_t bytes;
  int fds;
} ends;

static ends both_ends(void) {
  td_channel_release(
      create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 1)); /* opens the descriptor that a process keeps */
  ends e = {.bytes = td_live_bytes()};
  td_dict *schema = small_dict(0);
  must(td_dict_set_data(schema, TD_KEY("n", "what"), TD_DATA(td_data_str(TD_STR("a word"))), &err));
  e.fds = descriptors();
  must(td_channel_create(TD_STR(channel_name), schema, NULL, &e.out, &err));
  e.in = join(TD_CHANNEL_ROLE_CONSUMES);
  td_dict_release(schema);
  return e;
}

static void release_ends(ends e) {
  td_channel_release(e.in), td_channel_release(e.out);
  cr_expect_not(there(channel_file), "the name goes with its creator");
  expect_nothing_left(0, e.bytes, e.fds);
}

/* A message that holds 0.5, 1.5, ... 5.5. */
static td_message *filled(td_channel *out) {
  td_message *m = acquire(out);
  td_dict *d = dict_of(m);
  td_tensor *a = tensor_at(d, TD_KEY("a"));
  void *data = NULL;
  must(td_tensor_mutable_data(a, &data, &err));
  cr_expect_eq((uintptr_t)data % 64, 0);
  for (int i = 0; i < 6; ++i) ((float *)data)[i] = (float)i + 0.5f;
  td_tensor_release(a), td_dict_release(d);
  return m;
}

Test(channel, a_channel_is_a_file_and_one_descriptor_each) {
  ends e = both_ends();
  cr_expect_eq(descriptors(), e.fds + 2, "one descriptor each");
  cr_expect_eq(strcmp(td_channel_path(e.in).data, channel_file), 0);
  struct stat s;
  cr_expect(stat(channel_file, &s) == 0 && s.st_size == td_channel_nbytes(e.in) && (s.st_mode & 0777) == 0600);
  release_ends(e);
}

Test(channel, a_message_has_one_dict_and_is_published_once) {
  ends e = both_ends();
  td_message *m = filled(e.out);
  cr_expect(td_message_delivery(m) == 0 && td_message_number(m) == -1);
  td_dict *d = dict_of(m), *again = dict_of(m);
  cr_expect_eq(d, again, "one dict a message");
  cr_expect(td_dict_is_locked(d));
  td_dict_release(again);
  must(td_message_publish(m, &err));
  cr_expect_eq(td_message_number(m), 0);
  expect_error(td_message_publish(m, &err), TD_ERR_CLOSED, NULL, "published");
  expect_error(td_message_dict(m, &again, &err), TD_ERR_CLOSED, NULL, "published");
  td_message_release(m), td_dict_release(d);
  release_ends(e);
}

Test(channel, a_message_arrives_as_it_was_written) {
  ends e = both_ends();
  td_message *m = filled(e.out);
  must(td_message_publish(m, &err));
  td_message_release(m);
  m = take(e.in);
  cr_expect(td_message_number(m) == 0 && td_message_delivery(m) == 1 && td_message_lag(m) == 0);
  expect_error(td_message_publish(m, &err), TD_ERR_ARGUMENT, NULL, "taken");
  td_dict *d = dict_of(m), *same = NULL;
  cr_expect_eq(float_at(d, TD_KEY("a")), 0.5f);
  td_tensor *a = tensor_at(d, TD_KEY("a"));
  void *data = NULL;
  expect_error(td_tensor_mutable_data(a, &data, &err), TD_ERR_LOCKED, NULL, "read-only");
  const void *read = NULL;
  must(td_tensor_data(a, &read, &err));
  cr_expect_eq(((const float *)read)[5], 5.5f);
  td_string *repr = NULL, *want = NULL;
  must(td_channel_schema(e.in, &same, &err));
  must(td_dict_repr(d, 0, &repr, &err));
  cr_expect(strstr(td_string_view(repr).data, "is_shared=True") && strstr(td_string_view(repr).data, "a word"));
  must(td_dict_repr(same, 0, &want, &err));
  td_string_release(repr), td_string_release(want), td_dict_release(same);
  td_message_release(m), td_tensor_release(a), td_dict_release(d);
  release_ends(e);
}

Test(channel, a_queue_gives_each_message_to_one_in_order) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 5), *one = join(TD_CHANNEL_ROLE_CONSUMES),
             *two = join(TD_CHANNEL_ROLE_CONSUMES);
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 5; ++i) send_value(out, (float)(round * 5 + i));
    for (int i = 0; i < 5; ++i) cr_expect_eq(receive(i % 2 ? one : two), (float)(round * 5 + i));
  }
  td_message *m = NULL;
  expect_error(td_channel_take(one, 0, NULL, &m, &err), TD_ERR_TIMEOUT, NULL, "no message");
  expect_error(td_channel_take(one, 30, NULL, &m, &err), TD_ERR_TIMEOUT, NULL, "within 30 ms");
  for (int i = 0; i < 5; ++i) send_value(out, 0);
  int64_t before = now_ms();
  expect_error(td_channel_acquire(out, 60, NULL, &m, &err), TD_ERR_TIMEOUT, NULL, "no slot");
  cr_expect(now_ms() - before >= 59, "it came back after %lld ms", (long long)(now_ms() - before));
  expect_error(td_channel_acquire(one, 0, NULL, &m, &err), TD_ERR_ARGUMENT, NULL, "producer");
  expect_error(td_channel_take(out, 0, NULL, &m, &err), TD_ERR_ARGUMENT, NULL, "consumer");
  cr_expect_null(m);
  td_channel_statistics s = stats(one);
  cr_expect(s.published == 255 && s.ready == 5 && s.free == 0 && s.slots == 5 && s.producers == 1 && s.consumers == 2);
  td_channel_release(one), td_channel_release(two), td_channel_release(out);
}

Test(channel, a_broadcast_goes_to_all_who_are_there) {
  td_channel *out = create(TD_CHANNEL_MODE_BROADCAST, TD_CHANNEL_OVERFLOW_BLOCK, 3);
  send_value(out, 1); /* to nobody */
  td_channel *one = join(TD_CHANNEL_ROLE_CONSUMES);
  send_value(out, 2);
  td_channel *two = join(TD_CHANNEL_ROLE_CONSUMES), *both = join(TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES);
  send_value(both, 3);
  cr_expect(receive(one) == 2 && receive(one) == 3 && receive(two) == 3 && receive(both) == 3);
  td_message *m = NULL;
  expect_error(td_channel_take(two, 0, NULL, &m, &err), TD_ERR_TIMEOUT, NULL, "");
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 3; ++i) send_value(out, (float)(3 * round + i));
    for (int i = 0; i < 3; ++i) cr_expect_eq(receive(one), (float)(3 * round + i));
    expect_error(td_channel_acquire(out, 0, NULL, &m, &err), TD_ERR_TIMEOUT, NULL, "no slot");
    for (int i = 0; i < 3; ++i) cr_expect_eq(receive(two), (float)(3 * round + i));
    for (int i = 0; i < 3; ++i) cr_expect_eq(receive(both), (float)(3 * round + i));
  }
  for (int i = 0; i < 3; ++i) send_value(out, 0);
  td_channel_release(one), td_channel_release(two), td_channel_release(both); /* what they did not read is free */
  for (int i = 0; i < 3; ++i) send_value(out, 0);
  td_channel_release(out);
}

Test(channel, a_full_channel_does_what_it_was_made_for) {
  td_message *m = NULL;
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_FAIL, 2), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  send_value(out, 1), send_value(out, 2);
  expect_error(td_channel_acquire(out, 1000000, NULL, &m, &err), TD_ERR_NOSPACE, NULL, "all 2 slots");
  cr_expect(receive(in) == 1 && receive(in) == 2);
  td_channel_release(in), td_channel_release(out);

  out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_DROP_OLDEST, 3), in = join(TD_CHANNEL_ROLE_CONSUMES);
  for (int i = 0; i < 10; ++i) send_value(out, (float)i);
  m = take(in);
  cr_expect(value_of(m) == 7 && td_message_lag(m) == 7 && td_message_number(m) == 7);
  for (int i = 10; i < 13; ++i) send_value(out, (float)i); /* the one that is read stays */
  cr_expect_eq(value_of(m), 7);
  td_message_release(m);
  m = take(in);
  cr_expect(value_of(m) == 11 && td_message_lag(m) == 3);
  cr_expect_eq(stats(in).dropped, 10);
  td_message_release(m), td_channel_release(in), td_channel_release(out);

  out = create(TD_CHANNEL_MODE_BROADCAST, TD_CHANNEL_OVERFLOW_DROP_OLDEST, 3), in = join(TD_CHANNEL_ROLE_CONSUMES);
  td_channel *slow = join(TD_CHANNEL_ROLE_CONSUMES);
  int64_t lag = 0, got = 0;
  for (int i = 0; i < 50; ++i) {
    send_value(out, (float)i);
    cr_expect_eq(receive(in), (float)i);
    if (i % 7 == 6) {
      m = take(slow);
      lag += td_message_lag(m), got += 1;
      cr_expect_eq(value_of(m), (float)(got + lag - 1), "what was lost and what came add up");
      td_message_release(m);
    }
  }
  cr_expect_eq(stats(in).dropped, 50 - got - 3, "all but the three that are there");
  td_channel_release(in), td_channel_release(slow), td_channel_release(out);
}

Test(channel, a_slot_is_held_until_the_last_view_is_gone) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_FAIL, 1), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  send_value(out, 1);
  td_message *m = take(in), *none = NULL;
  td_dict *d = dict_of(m);
  td_tensor *a = tensor_at(d, TD_KEY("n", "b"));
  td_message_release(m);
  expect_error(td_channel_acquire(out, 0, NULL, &none, &err), TD_ERR_NOSPACE, NULL, "");
  td_dict_release(d);
  expect_error(td_channel_acquire(out, 0, NULL, &none, &err), TD_ERR_NOSPACE, NULL, "");
  td_channel_release(in); /* and its place in the channel with it */
  expect_error(td_channel_acquire(out, 0, NULL, &none, &err), TD_ERR_NOSPACE, NULL, "");
  cr_expect_eq(stats(out).consumers, 1);
  const void *data = NULL;
  must(td_tensor_data(a, &data, &err));
  cr_expect_eq(((const int64_t *)data)[1], 7);
  td_tensor_release(a);
  cr_expect_eq(stats(out).consumers, 0);
  m = acquire(out); /* given up */
  td_message_release(m);
  cr_expect_eq(stats(out).aborted, 1);
  m = acquire(out);
  d = dict_of(m);
  td_channel_release(out);
  write_value(m, 4);
  must(td_message_publish(m, &err));
  cr_expect_eq(float_at(d, TD_KEY("a")), 4);
  td_message_release(m), td_dict_release(d);
}

Test(channel, closing_lets_consumers_finish) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 4), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  send_value(out, 1), send_value(out, 2);
  td_message *m = acquire(out), *none = NULL;
  must(td_channel_close(in, &err));
  must(td_channel_close(in, &err));
  expect_error(td_message_publish(m, &err), TD_ERR_CLOSED, NULL, "closed");
  td_message_release(m);
  expect_error(td_channel_acquire(out, 1000, NULL, &none, &err), TD_ERR_CLOSED, NULL, "closed");
  cr_expect(receive(in) == 1 && receive(in) == 2);
  expect_error(td_channel_take(in, -1, NULL, &none, &err), TD_ERR_CLOSED, NULL, "closed");
  td_channel_statistics s = stats(out);
  cr_expect(s.state == TD_CHANNEL_STATE_CLOSED && s.free == 4);
  td_channel_release(in), td_channel_release(out);
}

Test(channel, a_channel_without_producers_is_not_just_slow) {
  td_channel *in, *out;
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = TD_CHANNEL_ROLE_CONSUMES;
  in = create_with(o);
  td_message *m = NULL;
  expect_error(td_channel_take(in, 0, NULL, &m, &err), TD_ERR_NOT_FOUND, NULL, "no producer"); /* none yet */
  int64_t before = now_ms();
  expect_error(td_channel_take(in, 40, NULL, &m, &err), TD_ERR_NOT_FOUND, NULL, "within 40 ms");
  cr_expect(now_ms() - before >= 39, "it waits for one to come");
  out = join(TD_CHANNEL_ROLE_PRODUCES);
  expect_error(td_channel_take(in, 0, NULL, &m, &err), TD_ERR_TIMEOUT, NULL, "no message");
  send_value(out, 3);
  td_channel_release(out);
  cr_expect_eq(receive(in), 3, "what was published stays");
  expect_error(td_channel_take(in, 30, NULL, &m, &err), TD_ERR_NOT_FOUND, NULL, "no producer"); /* none any more */
  cr_expect_null(m);
  td_channel_release(in);
}

Test(channel, options_are_checked) {
  td_dict *schema = small_dict(0);
  td_channel *ch = NULL;
  const size_t size = sizeof(td_channel_options);
  const struct {
    const char *words;
    td_channel_options o;
  } cases[] = {
      {"mode", {size, 2, 0, 1, 8, 32, 2, 0, 0, 0, TD_RESERVED}},
      {"overflow", {size, 0, 3, 1, 8, 32, 2, 0, 0, 0, TD_RESERVED}},
      {"roles", {size, 0, 0, 5, 8, 32, 2, 0, 0, 0, TD_RESERVED}},
      {"roles", {size, 0, 0, -1, 8, 32, 2, 0, 0, 0, TD_RESERVED}},
      {"slots", {size, 0, 0, 1, -1, 32, 2, 0, 0, 0, TD_RESERVED}},
      {"slots", {size, 0, 0, 1, 65, 32, 2, 0, 0, 0, TD_RESERVED}},
      {"slots", {size, 0, 0, 1, -8, 32, 2, 0, 0, 0, TD_RESERVED}},
      {"members", {size, 0, 0, 1, 8, -1, 2, 0, 0, 0, TD_RESERVED}},
      {"members", {size, 0, 0, 1, 8, 63, 2, 0, 0, 0, TD_RESERVED}},
      {"members", {size, 1, 0, 1, 8, 33, 2, 0, 0, 0, TD_RESERVED}},
      {"deliveries", {size, 0, 0, 1, 8, 32, -1, 0, 0, 0, TD_RESERVED}},
      {"deliveries", {size, 0, 0, 1, 8, 32, 256, 0, 0, 0, TD_RESERVED}},
      {"max_held", {size, 0, 0, 1, 8, 32, 2, -1, 0, 0, TD_RESERVED}},
      {"struct_size", {1, 0, 0, 1, 8, 32, 2, 0, 0, 0, TD_RESERVED}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    expect_error(td_channel_create(TD_STR(channel_name), schema, &cases[i].o, &ch, &err), TD_ERR_ARGUMENT, NULL,
                 cases[i].words);
  cr_expect(!ch && !there(channel_file));
  td_dict_release(schema);
}

Test(channel, names_roles_and_schemas_are_checked) {
  td_dict *schema = small_dict(0), *bytes = small_dict(0);
  must(td_dict_set_data(bytes, TD_KEY("raw"), TD_DATA(td_data_bytes("x", 1)), &err));
  td_channel *ch = NULL;
  expect_error(td_channel_create(TD_STR("a/b"), schema, NULL, &ch, &err), TD_ERR_ARGUMENT, NULL, "name");
  expect_error(td_channel_open(TD_STR(channel_name), 9, NULL, &ch, &err), TD_ERR_ARGUMENT, NULL, "roles");
  expect_error(td_channel_open(TD_STR(channel_name), 1, NULL, &ch, &err), TD_ERR_NOT_FOUND, NULL, "no such channel");
  expect_error(td_channel_unlink(TD_STR(channel_name), &err), TD_ERR_NOT_FOUND, NULL, "no such channel");
  expect_error(td_channel_create(TD_STR(channel_name), bytes, NULL, &ch, &err), TD_ERR_UNSUPPORTED, NULL, "");
  cr_expect(!ch && !there(channel_file));
  td_dict_release(schema), td_dict_release(bytes);
}

Test(channel, a_segment_is_no_channel) {
  td_dict *schema = small_dict(0);
  td_channel *ch = NULL;
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(channel_name), schema, NULL, &s, &err));
  expect_error(td_channel_open(TD_STR(channel_name), 1, NULL, &ch, &err), TD_ERR_CORRUPT, NULL, "not a channel");
  expect_error(td_channel_unlink(TD_STR(channel_name), &err), TD_ERR_CORRUPT, NULL, "not a channel");
  expect_error(td_channel_create(TD_STR(channel_name), schema, NULL, &ch, &err), TD_ERR_EXISTS, NULL, "not a channel");
  td_segment_release(s);
  td_dict_release(schema);
}

static const td_channel_options for_two = {.struct_size = sizeof for_two, .keep = 1, .members = 2, .max_held = 1};

Test(channel, places_and_messages_are_as_many_as_were_agreed) {
  td_dict *schema = small_dict(0);
  td_channel *one = create_with(for_two), *two = join(TD_CHANNEL_ROLE_CONSUMES), *ch = NULL;
  td_channel *watch = join(TD_CHANNEL_ROLE_OBSERVES);
  expect_error(td_channel_open(TD_STR(channel_name), 1, NULL, &ch, &err), TD_ERR_NOSPACE, NULL, "all 2 places");
  expect_error(td_channel_create(TD_STR(channel_name), schema, NULL, &ch, &err), TD_ERR_EXISTS, NULL, "running");
  td_message *m = acquire(one), *more = NULL;
  expect_error(td_channel_acquire(one, 0, NULL, &more, &err), TD_ERR_NOSPACE, NULL, "holds 1");
  td_message_release(m);
  td_channel_release(one), td_channel_release(two), td_channel_release(watch);
  td_dict_release(schema);
}

Test(channel, an_observer_sees_who_is_there_and_what_they_do) {
  td_channel *one = create_with(for_two), *two = join(TD_CHANNEL_ROLE_CONSUMES),
             *watch = join(TD_CHANNEL_ROLE_OBSERVES);
  td_message *m = acquire(one);
  td_string *text = NULL;
  must(td_channel_dump(watch, &text, &err));
  cr_expect(
      strstr(td_string_view(text).data, "slot 0: writing") && strstr(td_string_view(text).data, "alive, produces"),
      "%s", td_string_view(text).data);
  td_channel_statistics st = stats(watch);
  cr_expect(st.writing == 1 && st.oldest_pid == getpid() && st.producers == 1 && st.consumers == 1);
  td_string_release(text), td_message_release(m);
  td_channel_release(one), td_channel_release(two), td_channel_release(watch);
}

Test(channel, a_name_that_is_kept_stays_until_it_is_unlinked) {
  td_channel_release(create_with(for_two));
  cr_expect(there(channel_file), "kept");
  must(td_channel_unlink(TD_STR(channel_name), &err));
}

Test(channel, null_handles_are_refused) {
  td_channel *ch = NULL;
  td_message *m = NULL;
  td_dict *d = NULL, *schema = small_dict(0);
  td_string *text = NULL;
  int32_t dead = 0;
  expect_error(td_channel_create(TD_STR(channel_name), NULL, NULL, &ch, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_create(TD_STR(channel_name), schema, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_open(TD_STR(channel_name), 1, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_acquire(NULL, 0, NULL, &m, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_take(NULL, 0, NULL, &m, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_close(NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_sweep(NULL, &dead, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_dump(NULL, &text, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_schema(NULL, &d, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_message_dict(NULL, &d, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_message_publish(NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_channel *real = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 1);
  expect_error(td_channel_acquire(real, 0, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_stats(real, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_channel_sweep(real, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  m = acquire(real);
  expect_error(td_message_dict(m, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_message_release(m), td_channel_release(real), td_dict_release(schema);
  cr_expect(td_channel_nbytes(NULL) == 0 && td_channel_path(NULL).size == 0);
  cr_expect(td_message_number(NULL) == -1 && td_message_delivery(NULL) == 0 && td_message_lag(NULL) == 0);
  td_channel_retain(NULL), td_channel_release(NULL), td_message_retain(NULL), td_message_release(NULL);
}

Test(channel, it_knows_its_options) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT, got = TD_CHANNEL_OPTIONS_INIT;
  o.mode = TD_CHANNEL_MODE_BROADCAST, o.overflow = TD_CHANNEL_OVERFLOW_DROP_OLDEST;
  o.roles = TD_CHANNEL_ROLE_PRODUCES | TD_CHANNEL_ROLE_CONSUMES;
  o.slots = 5, o.members = 6, o.max_held = 2;
  td_channel *ch = create_with(o), *reader = join(TD_CHANNEL_ROLE_CONSUMES), *other = join(TD_CHANNEL_ROLE_OBSERVES);
  must(td_channel_get_options(ch, &got, &err));
  check(got.struct_size == sizeof got && got.mode == o.mode && got.overflow == o.overflow && got.roles == o.roles);
  check(got.slots == 5 && got.members == 6 && got.deliveries == 2 && got.max_held == 2 && !got.keep);
  must(td_channel_get_options(reader, &got, &err));
  check(got.roles == TD_CHANNEL_ROLE_CONSUMES && got.slots == 5 && got.mode == TD_CHANNEL_MODE_BROADCAST);
  must(td_channel_get_options(other, &got, &err));
  check(got.roles == TD_CHANNEL_ROLE_OBSERVES);
  got.struct_size = 5;
  expect_error(td_channel_get_options(ch, &got, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_channel_release(other);
  td_channel_release(reader);
  td_channel_release(ch);
}
