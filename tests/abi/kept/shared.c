/* Kept as it is: a program that was built with the first header of this major passes dicts through a segment and a channel. */
#include "kept.h"

int main(int argc, char **argv) {
  td_dict *td, *there, *written;
  td_tensor *x, *y;
  char name[64];
  check(argc == 2 && strlen(argv[1]) < 40);
  must(td_dict_new(TD_SHAPE(2), NULL, &td, &err));
  must(td_tensor_full(TD_SHAPE(2, 3), TD_VALUE(td_value_int(7)), TD_DTYPE_FLOAT32, TD_NO_STR, &x, &err));
  must(td_dict_set(td, TD_KEY("x"), x, &err));

  td_segment_options options = TD_SEGMENT_OPTIONS_INIT;
  td_segment_open_options opening = TD_SEGMENT_OPEN_OPTIONS_INIT;
  td_segment *owner, *reader;
  snprintf(name, sizeof name, "%s.segment", argv[1]);
  options.replace_dead = 1, opening.timeout_ms = 1000;
  must(td_segment_create(TD_STR(name), td, &options, &owner, &err));
  must(td_segment_open(TD_STR(name), &opening, &reader, &err));
  must(td_segment_update(owner, td, &err));
  uint64_t version = 0;
  must(td_segment_wait(reader, 0, 1000, NULL, &version, &err));
  check(version == 2);
  must(td_segment_dict(reader, &there, &err));
  must(td_dict_get(there, TD_KEY("x"), &y, &err));
  check(td_tensor_is_read_only(y) && td_tensor_numel(y) == 6);
  td_tensor_release(y), td_dict_release(there), td_segment_release(reader), td_segment_release(owner);

  td_channel_options two = TD_CHANNEL_OPTIONS_INIT;
  td_channel *channel;
  td_message *message;
  snprintf(name, sizeof name, "%s.channel", argv[1]);
  two.slots = 2, two.replace_dead = 1, two.roles = TD_CHANNEL_ROLE_PRODUCES | TD_CHANNEL_ROLE_CONSUMES;
  must(td_channel_create(TD_STR(name), td, &two, &channel, &err));
  must(td_channel_acquire(channel, 1000, NULL, &message, &err));
  must(td_message_dict(message, &written, &err));
  must(td_dict_copy_into(written, TD_KEY("x"), x, &err));
  td_dict_release(written);
  must(td_message_publish(message, &err));
  td_message_release(message);
  must(td_channel_take(channel, 1000, NULL, &message, &err));
  check(td_message_number(message) == 0);
  must(td_message_clone(message, &written, &err));
  td_bool equal = 0;
  must(td_dict_equal(written, td, NULL, &equal, NULL, &err));
  check(equal);
  td_dict_release(written), td_message_release(message);
  td_channel_statistics statistics = TD_CHANNEL_STATISTICS_INIT;
  must(td_channel_stats(channel, &statistics, &err));
  check(statistics.published == 1 && statistics.slots == 2 && statistics.free == 2);
  td_channel_release(channel), td_tensor_release(x), td_dict_release(td);
  return 0;
}
