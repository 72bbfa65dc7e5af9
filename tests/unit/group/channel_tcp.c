/* Channels over TCP: what they pass, in which order, and how they are opened and looked at. */
#include "support/tcp_channels.h"

TestSuite(channel_tcp, .init = pick_address, .fini = end_members, .timeout = 120);

static td_channel *create_for(td_channel_role roles, td_channel_mode mode, int slots) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = roles, o.mode = mode, o.slots = slots;
  return create_with(o);
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

enum { EACH = 200 };

static void sends_its_part(int number) {
  td_channel *ch = join_tcp(PRODUCES);
  for (int i = 0; i < EACH; ++i) send_value(ch, (float)(number * 1000 + i));
  td_channel_release(ch);
}

Test(channel_tcp, producers_elsewhere_reach_a_consumer_in_their_order) {
  for (int i = 0; i < 3; ++i) member(sends_its_part, i);
  td_channel *ch = create_for(CONSUMES, TD_CHANNEL_MODE_QUEUE, 8);
  int next[3] = {0, 0, 0};
  for (int i = 0; i < 3 * EACH; ++i) {
    td_message *m = take(ch);
    const int value = (int)value_of(m), from = value / 1000;
    check(from >= 0 && from < 3 && value % 1000 == next[from]++);
    check(td_message_number(m) == i && td_message_delivery(m) == 1);
    td_message_release(m);
  }
  expect_members_succeed();
  check(stats(ch).published == 3 * EACH && stats(ch).producers == 0);
  td_channel_release(ch);
}

static int reports[2];

static void takes_until_closed(int number) {
  td_channel *ch = join_tcp(CONSUMES);
  float value = 0;
  td_status status;
  while ((status = try_take(ch, 30000, &value)) == TD_OK) {
    const int told[2] = {number, (int)value};
    check(write(reports[1], told, sizeof told) == sizeof told);
  }
  check(status == TD_ERR_CLOSED);
  td_channel_release(ch);
}

Test(channel_tcp, each_message_of_a_queue_goes_to_one_consumer) {
  int seen[EACH] = {0}, told[2], shares[2] = {0, 0};
  check(pipe(reports) == 0);
  for (int i = 0; i < 2; ++i) member(takes_until_closed, i);
  td_channel *ch = create_for(PRODUCES, TD_CHANNEL_MODE_QUEUE, 8);
  wait_for_members(ch, 1, 2);
  for (int i = 0; i < EACH; ++i) send_value(ch, (float)i);
  td_channel_release(ch); /* waits for those who take */
  expect_members_succeed();
  for (int i = 0; i < EACH; ++i) {
    check(read(reports[0], told, sizeof told) == sizeof told);
    check(told[1] >= 0 && told[1] < EACH && seen[told[1]]++ == 0);
    ++shares[told[0]];
  }
  check(shares[0] > 0 && shares[1] > 0);
}

static void takes_all_in_order(int number) {
  (void)number;
  td_channel *ch = join_tcp(CONSUMES);
  for (int i = 0; i < EACH; ++i) {
    td_message *m = take(ch);
    check(value_of(m) == (float)i && td_message_number(m) == i && td_message_lag(m) == 0);
    td_message_release(m);
  }
  td_channel_release(ch);
}

Test(channel_tcp, a_broadcast_reaches_every_consumer) {
  for (int i = 0; i < 2; ++i) member(takes_all_in_order, i);
  td_channel *ch = create_for(PRODUCES, TD_CHANNEL_MODE_BROADCAST, 4);
  wait_for_members(ch, 1, 2);
  for (int i = 0; i < EACH; ++i) send_value(ch, (float)i);
  expect_members_succeed();
  td_channel_release(ch);
}

static void sends_and_takes(int number) {
  (void)number;
  td_channel *ch = join_tcp(PRODUCES | CONSUMES);
  for (int i = 0; i < 50; ++i) {
    send_value(ch, (float)i);
    check(receive(ch) == (float)i);
  }
  td_channel_release(ch);
}

Test(channel_tcp, a_member_may_have_both_roles) {
  member(sends_and_takes, 0);
  td_channel *ch = create_for(PRODUCES, TD_CHANNEL_MODE_QUEUE, 2);
  expect_members_succeed();
  check(stats(ch).published == 50);
  td_channel_release(ch);
}

static void sends_big(int number) {
  td_channel *ch = join_tcp(PRODUCES);
  for (int i = 0; i < 8; ++i) {
    td_message *m = acquire(ch);
    td_dict *from = big_dict((float)(number * 100 + i));
    write_dict(m, from);
    td_dict_release(from);
    must(td_message_publish(m, &err));
    td_message_release(m);
  }
  td_channel_release(ch);
}

Test(channel_tcp, big_messages_come_whole) {
  for (int i = 0; i < 2; ++i) member(sends_big, i);
  td_channel *ch = create_big(CONSUMES);
  int next[2] = {0, 0};
  for (int i = 0; i < 16; ++i) {
    const int value = receive_big(ch);
    check(value % 100 == next[value / 100]++);
  }
  expect_members_succeed();
  td_channel_release(ch);
}

static void sends_nothing(int number) {
  (void)number;
  td_channel *ch = join_tcp(PRODUCES);
  for (int i = 0; i < 20; ++i) {
    td_message *m = acquire(ch);
    must(td_message_publish(m, &err));
    td_message_release(m);
  }
  td_channel_release(ch);
}

Test(channel_tcp, messages_without_tensors_are_messages) {
  member(sends_nothing, 0);
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = CONSUMES;
  td_dict *schema = new_dict(TD_SHAPE(3));
  td_channel *ch = NULL;
  must(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err));
  td_dict_release(schema);
  for (int i = 0; i < 20; ++i) td_message_release(take(ch));
  expect_members_succeed();
  td_channel_release(ch);
}

/* ---- Room -------------------------------------------------------------------------------------------------------- */

static void fills_it(int number) {
  td_channel *ch = join_tcp(PRODUCES);
  td_status status;
  int sent = 0;
  while ((status = try_send(ch, 500, (float)sent)) == TD_OK) check(++sent < 100);
  check(status == (number == TD_CHANNEL_OVERFLOW_FAIL ? TD_ERR_NOSPACE : TD_ERR_TIMEOUT));
  /* Nothing was lost: when messages are taken, there is room again. */
  check(write(reports[1], &sent, sizeof sent) == sizeof sent);
  for (int tries = 0; try_send(ch, 30000, (float)sent) != TD_OK; ++tries) check(tries < 3000 && usleep(10000) == 0);
  td_channel_release(ch);
}

static void expect_room_again(td_channel_overflow overflow) {
  check(pipe(reports) == 0);
  member(fills_it, overflow);
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = CONSUMES, o.slots = 2, o.overflow = overflow;
  td_channel *ch = create_with(o);
  int sent = 0;
  check(read(reports[0], &sent, sizeof sent) == sizeof sent);
  check(sent >= 2);
  for (int i = 0; i <= sent; ++i) check(receive(ch) == (float)i);
  expect_members_succeed();
  td_channel_release(ch);
}

Test(channel_tcp, a_producer_waits_while_there_is_no_room) {
  expect_room_again(TD_CHANNEL_OVERFLOW_BLOCK);
}

Test(channel_tcp, a_producer_may_fail_where_there_is_no_room) {
  expect_room_again(TD_CHANNEL_OVERFLOW_FAIL);
}

static void sends_many(int number) {
  td_channel *ch = join_tcp(PRODUCES);
  for (int i = 0; i < number; ++i) send_value(ch, (float)i);
  td_channel_release(ch);
  check(write(reports[1], &number, sizeof number) == sizeof number);
}

Test(channel_tcp, the_oldest_may_be_dropped) {
  check(pipe(reports) == 0);
  member(sends_many, EACH);
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = CONSUMES, o.slots = 2, o.overflow = TD_CHANNEL_OVERFLOW_DROP_OLDEST;
  td_channel *ch = create_with(o);
  int sent = 0;
  check(read(reports[0], &sent, sizeof sent) == sizeof sent);
  expect_members_succeed();
  float last = -1, value = -1;
  while (try_take(ch, 0, &value) == TD_OK) {
    check(value > last);
    last = value;
  }
  check(last == EACH - 1);
  td_channel_release(ch);
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

Test(channel_tcp, names_that_are_none_are_refused) {
  td_channel *ch = NULL;
  td_dict *schema = small_dict(0);
  const char *const wrong[] = {"tcp://",     "tcp://host",     "tcp://host/x",       "tcp://host:1",    "tcp://host:1/",
                               "tcp://:1/x", "tcp://host:0/x", "tcp://host:65536/x", "tcp://host:one/x"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    expect_error(td_channel_create(TD_STR(wrong[i]), schema, NULL, &ch, &err), TD_ERR_ARGUMENT, NULL, NULL);
    expect_error(td_channel_open(TD_STR(wrong[i]), CONSUMES, NULL, &ch, &err), TD_ERR_ARGUMENT, NULL, NULL);
  }
  td_dict_release(schema);
}

Test(channel_tcp, what_only_shared_memory_offers_is_unsupported) {
  td_channel *ch = NULL;
  td_dict *schema = small_dict(0);
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.deliveries = 2;
  expect_error(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err), TD_ERR_UNSUPPORTED, NULL, NULL);
  o.deliveries = 1, o.keep = 1;
  expect_error(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err), TD_ERR_UNSUPPORTED, NULL, NULL);
  o.keep = 0, o.replace_dead = 1;
  expect_error(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err), TD_ERR_UNSUPPORTED, NULL, NULL);
  expect_error(td_channel_unlink(TD_STR(channel_name), &err), TD_ERR_UNSUPPORTED, NULL, NULL);
  td_dict_release(schema);
}

static void finds_nothing(int number) {
  (void)number;
  td_channel *ch = NULL;
  char other[80];
  td_channel *there = join_tcp(TD_CHANNEL_ROLE_OBSERVES);
  snprintf(other, sizeof other, "tcp://127.0.0.1:%d/another", channel_port);
  expect_error(td_channel_open(TD_STR(other), CONSUMES, NULL, &ch, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  td_channel_open_options o = TD_CHANNEL_OPEN_OPTIONS_INIT;
  o.timeout_ms = 100;
  expect_error(td_channel_open(TD_STR(other), CONSUMES, &o, &ch, &err), TD_ERR_TIMEOUT, NULL, NULL);
  td_channel_release(there);
}

Test(channel_tcp, a_channel_that_is_not_there_is_not_found) {
  td_channel *ch = NULL;
  expect_error(td_channel_open(TD_STR(member_name), CONSUMES, NULL, &ch, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  td_channel_open_options o = TD_CHANNEL_OPEN_OPTIONS_INIT;
  o.timeout_ms = 100;
  expect_error(td_channel_open(TD_STR(member_name), CONSUMES, &o, &ch, &err), TD_ERR_TIMEOUT, NULL, NULL);
  td_cancel *cancel = NULL;
  must(td_cancel_new(&cancel, &err));
  td_cancel_request(cancel);
  o.timeout_ms = -1, o.cancel = cancel;
  expect_error(td_channel_open(TD_STR(member_name), CONSUMES, &o, &ch, &err), TD_ERR_CANCELLED, NULL, NULL);
  td_cancel_release(cancel);
  member(finds_nothing, 0);
  td_channel *there = create_for(PRODUCES, TD_CHANNEL_MODE_QUEUE, 2);
  expect_members_succeed();
  td_channel_release(there);
}

static void takes_one_of_each(int number) {
  (void)number;
  char other[80];
  snprintf(other, sizeof other, "tcp://127.0.0.1:%d/other", channel_port);
  td_channel *first = join_tcp(CONSUMES), *second = join_named(other, CONSUMES);
  check(receive(second) == 2);
  check(receive(first) == 1);
  td_channel_release(first), td_channel_release(second);
}

Test(channel_tcp, one_port_serves_several_channels_with_different_names) {
  member(takes_one_of_each, 0);
  td_dict *schema = small_dict(0);
  td_channel *first = create_for(PRODUCES, TD_CHANNEL_MODE_QUEUE, 2), *second = NULL;
  expect_error(td_channel_create(TD_STR(channel_name), schema, NULL, &second, &err), TD_ERR_EXISTS, NULL, NULL);
  snprintf(channel_name, sizeof channel_name, "tcp://0.0.0.0:%d/other", channel_port);
  must(td_channel_create(TD_STR(channel_name), schema, NULL, &second, &err));
  td_dict_release(schema);
  send_value(first, 1), send_value(second, 2);
  expect_members_succeed();
  td_channel_release(first), td_channel_release(second);
}

Test(channel_tcp, a_name_is_free_again_when_its_channel_has_ended) {
  for (int i = 0; i < 3; ++i) {
    td_channel *ch = create_for(PRODUCES, TD_CHANNEL_MODE_QUEUE, 2);
    send_value(ch, 1);
    td_channel_release(ch);
  }
}

static void is_one_too_many(int number) {
  (void)number;
  td_channel *ch = NULL, *observer = join_tcp(TD_CHANNEL_ROLE_OBSERVES);
  expect_error(td_channel_open(TD_STR(member_name), PRODUCES, NULL, &ch, &err), TD_ERR_NOSPACE, NULL, NULL);
  check(stats(observer).producers == 1);
  td_channel_release(observer);
}

Test(channel_tcp, members_are_counted_and_observers_are_not) {
  member(is_one_too_many, 0);
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = PRODUCES, o.members = 1;
  td_channel *ch = create_with(o);
  expect_members_succeed();
  td_channel_release(ch);
}

/* ---- Looking ----------------------------------------------------------------------------------------------------- */

static void looks(int number) {
  (void)number;
  td_channel *ch = join_tcp(CONSUMES);
  td_message *none = NULL;
  td_dict *schema = NULL;
  td_string *text = NULL;
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  must(td_channel_schema(ch, &schema, &err));
  check(float_at(schema, TD_KEY("a")) == 0);
  td_dict_release(schema);
  must(td_channel_get_options(ch, &o, &err));
  check(o.slots == 4 && o.overflow == TD_CHANNEL_OVERFLOW_FAIL && o.deliveries == 1 && o.max_held == 2);
  check(o.roles == CONSUMES);
  const td_str path = td_channel_path(ch);
  check(path.size == strlen(member_name) && memcmp(path.data, member_name, path.size) == 0);
  check(td_channel_nbytes(ch) > 0);
  must(td_channel_dump(ch, &text, &err));
  check(strstr(td_string_view(text).data, "connected"));
  td_string_release(text);
  check(td_channel_acquire(ch, 0, NULL, &none, NULL) == TD_ERR_ARGUMENT);
  const int fd = descriptor(ch, CONSUMES);
  check(readable(fd, 30000)); /* the first message */
  td_message *first = take(ch), *second = take(ch);
  check(td_channel_take(ch, 0, NULL, &none, NULL) == TD_ERR_NOSPACE);
  check(value_of(first) == 1 && value_of(second) == 2);
  td_message_release(first), td_message_release(second);
  int32_t dead = -1;
  must(td_channel_sweep(ch, &dead, &err));
  check(dead == 0);
  check(td_channel_take(ch, 100, NULL, &none, NULL) == TD_ERR_TIMEOUT);
  td_channel_release(ch);
}

Test(channel_tcp, a_member_knows_the_channel) {
  member(looks, 0);
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = PRODUCES, o.slots = 4, o.max_held = 2, o.overflow = TD_CHANNEL_OVERFLOW_FAIL;
  td_channel *ch = create_with(o);
  const td_str path = td_channel_path(ch);
  check(path.size == strlen(channel_name) && memcmp(path.data, channel_name, path.size) == 0);
  must(td_channel_get_options(ch, &o, &err));
  check(o.roles == PRODUCES && o.deliveries == 1);
  send_value(ch, 1), send_value(ch, 2);
  expect_members_succeed();
  td_channel_release(ch);
}

static void waits_for_producers(int number) {
  (void)number;
  td_channel *ch = join_tcp(CONSUMES);
  td_message *none = NULL;
  check(td_channel_take(ch, 50, NULL, &none, NULL) == TD_ERR_NOT_FOUND);
  td_channel_release(ch);
}

Test(channel_tcp, a_consumer_hears_that_nobody_produces) {
  member(waits_for_producers, 0);
  td_channel *ch = create_for(CONSUMES, TD_CHANNEL_MODE_QUEUE, 2);
  expect_members_succeed();
  td_channel_release(ch);
}
