/* What keeps the slot of a message, and a clone that does not. */
#include "support/small_channels.h"

TestSuite(message_views, .init = pick_name, .fini = remove_name, .timeout = 60);

LeaklessTest(message_views, each_use_outside_of_the_message_counts) {
  td_channel *out = create(TD_CHANNEL_MODE_QUEUE, TD_CHANNEL_OVERFLOW_BLOCK, 2), *in = join(TD_CHANNEL_ROLE_CONSUMES);
  td_message *m = acquire(out);
  check(td_message_open_views(m) == 0);
  write_value(m, 3);
  check(td_message_open_views(m) == 0);
  td_dict *writes = dict_of(m);
  check(td_message_open_views(m) == 1);
  must(td_message_publish(m, &err));
  check(td_message_open_views(m) == 0);
  td_dict_release(writes), td_message_release(m);

  m = take(in);
  check(td_message_open_views(m) == 0 && td_message_open_views(NULL) == 0);
  td_dict *d = dict_of(m), *again = dict_of(m), *node = NULL;
  check(d == again && td_message_open_views(m) == 1);
  must(td_dict_get_dict(d, TD_KEY("n"), &node, &err));
  check(td_message_open_views(m) == 2);
  td_tensor *a = tensor_at(d, TD_KEY("a")), *b = tensor_at(d, TD_KEY("n", "b"));
  check(td_message_open_views(m) == 4);
  td_dict_release(d), td_dict_release(again), td_dict_release(node);
  check(td_message_open_views(m) == 2);
  td_tensor *part = NULL, *copy = NULL;
  must(td_tensor_index(a, (const td_index[]){TD_INT(0)}, 1, &part, &err));
  check(td_message_open_views(m) == 3);
  must(td_tensor_clone(a, &copy, &err));
  check(td_message_open_views(m) == 3);
  td_tensor_release(a), td_tensor_release(b);
  check(td_message_open_views(m) == 2); /* the part, and the tensor that autograd keeps for it */
  td_message_release(m);
  check(stats(in).reading == 1); /* the part keeps the slot */
  td_tensor_release(part);
  check(stats(in).reading == 0);
  td_tensor_release(copy);
  td_channel_release(in), td_channel_release(out);
}

/* With 0 views the release does free the slot; with any it does not. */
Test(message_views, none_means_that_the_slot_becomes_free) {
  td_channel *ch = NULL;
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 1, o.roles = TD_CHANNEL_ROLE_PRODUCES | TD_CHANNEL_ROLE_CONSUMES;
  ch = create_with(o);
  for (int hold = 0; hold < 2; ++hold) {
    send_value(ch, 1);
    td_message *m = take(ch), *next = NULL;
    check(value_of(m) == 1);
    td_dict *d = dict_of(m);
    td_tensor *a = hold ? tensor_at(d, TD_KEY("a")) : NULL;
    td_dict_release(d);
    check(td_message_open_views(m) == hold);
    td_message_release(m);
    check(td_channel_acquire(ch, 0, NULL, &next, NULL) == (hold ? TD_ERR_TIMEOUT : TD_OK));
    td_message_release(next), td_tensor_release(a);
  }
  td_channel_release(ch);
}

LeaklessTest(message_views, a_clone_does_not_keep_the_slot_and_never_changes) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 1, o.roles = TD_CHANNEL_ROLE_PRODUCES | TD_CHANNEL_ROLE_CONSUMES;
  td_channel *ch = create_with(o);
  send_value(ch, 4);
  td_message *m = take(ch);
  td_dict *mine = NULL;
  must(td_message_clone(m, &mine, &err));
  check(td_message_open_views(m) == 0);
  td_message_release(m);
  check(stats(ch).free == 1);
  send_value(ch, 5);
  check(float_at(mine, TD_KEY("a")) == 4 && !td_dict_is_locked(mine));
  td_dict *from = small_dict(6);
  must(td_dict_update_(mine, from, &err));
  check(receive(ch) == 5 && float_at(mine, TD_KEY("a")) == 6);
  m = acquire(ch);
  write_value(m, 7);
  td_dict *draft = NULL;
  must(td_message_clone(m, &draft, &err)); /* also of one that is not published */
  check(float_at(draft, TD_KEY("a")) == 7);
  must(td_message_publish(m, &err));
  td_dict *none = NULL;
  expect_error(td_message_clone(m, &none, &err), TD_ERR_CLOSED, NULL, "published");
  expect_error(td_message_clone(NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_message_clone(m, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(!none);
  td_message_release(m);
  td_dict_release(mine), td_dict_release(draft), td_dict_release(from), td_channel_release(ch);
}
