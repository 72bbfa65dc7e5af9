/* Channels whose checksums are right and whose contents are lies, and members that meet in one process. */
#include "support/channels.h"
#include "support/crc32c.h"

TestSuite(channel_forged, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

enum { SCHEMA = 4096 + 12288, SCHEMA_BYTES = 56, LAYOUT = 8, SCHEMA_CRC = 108, HEADER_CRC = 252 };

static unsigned char *kept_channel(size_t *size) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 2, o.keep = 1;
  td_channel_release(payload_channel(o));
  return (unsigned char *)file_bytes(channel_file, size);
}

static void seal(unsigned char *bytes, size_t length) {
  uint32_t crc = crc32c(bytes + SCHEMA, length);
  memcpy(bytes + SCHEMA_CRC, &crc, 4);
  crc = crc32c(bytes, HEADER_CRC);
  memcpy(bytes + HEADER_CRC, &crc, 4);
}

/* Joins, and looks at every byte of a message. */
static td_status join_and_look(void) {
  td_channel *ch = NULL;
  td_status status =
      td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL);
  if (status) return status;
  td_message *m = NULL;
  td_dict *d = NULL;
  td_keys *keys = NULL;
  if (td_channel_acquire(ch, 0, NULL, &m, NULL) == TD_OK) {
    must(td_message_dict(m, &d, &err));
    must(td_dict_keys(d, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, &err));
    for (size_t i = 0; i < td_keys_size(keys); ++i) {
      td_key key;
      void *data = NULL;
      must(td_keys_get(keys, i, &key, &err));
      td_tensor *t = tensor_at(d, &key);
      must(td_tensor_mutable_data(t, &data, &err));
      memset(data, 1, (size_t)td_tensor_nbytes(t));
      td_tensor_release(t);
    }
  }
  td_keys_release(keys), td_dict_release(d), td_message_release(m), td_channel_release(ch);
  return TD_OK;
}

Test(channel_forged, never_leads_out_of_bounds) {
  static const char digits[] = "0123456789-9999eE.,[]{}\":null";
  size_t n = 0;
  int accepted = 0, rounds = fault_rounds(4000, 400000);
  unsigned char *bytes = kept_channel(&n), *forged = malloc(n);
  int64_t length;
  memcpy(&length, bytes + SCHEMA_BYTES, sizeof length);
  seal(bytes, (size_t)length);
  int fd = open(channel_file, O_RDWR);
  cr_assert(pwrite(fd, bytes, n, 0) == (ssize_t)n);
  cr_assert_eq(join_and_look(), TD_OK, "the checksums are others");
  for (int round = 0; round < rounds; ++round) {
    memcpy(forged, bytes, n);
    for (uint64_t edits = 1 + random_below(3); edits > 0; --edits) {
      if (random_below(4))
        forged[SCHEMA + random_below((uint64_t)length)] = (unsigned char)digits[random_below(sizeof digits - 1)];
      else
        forged[LAYOUT + random_below(SCHEMA_CRC - LAYOUT)] = (unsigned char)random_below(256);
    }
    seal(forged, (size_t)length);
    cr_assert(pwrite(fd, forged, n, 0) == (ssize_t)n);
    td_status status = join_and_look();
    accepted += status == TD_OK;
    cr_expect(status == TD_OK || status == TD_ERR_CORRUPT || status == TD_ERR_VERSION || status == TD_ERR_DTYPE ||
                  status == TD_ERR_UNSUPPORTED,
              "%s", td_status_name(status).data);
  }
  cr_expect(accepted > 0 && accepted < rounds, "%d accepted: the mutations test nothing", accepted);
  close(fd), free(bytes), free(forged);
}

Test(channel_forged, another_layout_is_another_version) {
  size_t n = 0;
  unsigned char *bytes = kept_channel(&n);
  int64_t length;
  memcpy(&length, bytes + SCHEMA_BYTES, sizeof length);
  int fd = open(channel_file, O_RDWR);
  for (int field = 0; field < 3; ++field) { /* layout, least reader, byte order */
    unsigned char forged[4096];
    memcpy(forged, bytes, sizeof forged);
    forged[LAYOUT + 4 * field] ^= 2;
    uint32_t crc = crc32c(forged, HEADER_CRC);
    memcpy(forged + HEADER_CRC, &crc, 4);
    cr_assert(pwrite(fd, forged, sizeof forged, 0) == sizeof forged);
    cr_expect_eq(join_and_look(), TD_ERR_VERSION, "field %d", field);
  }
  close(fd), free(bytes);
}

Test(channel_forged, closing_another_descriptor_of_the_file_kills_nobody) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  td_channel *one = payload_channel(o), *two = open_channel(TD_CHANNEL_ROLE_CONSUMES);
  cr_assert_eq(send_id(one, 0, 4), TD_OK);
  uint64_t id;
  td_message *m = NULL;
  cr_assert_eq(take_id(two, 0, &id, &m), TD_OK);
  for (int i = 0; i < 3; ++i) close(open(channel_file, O_RDWR));
  int32_t dead = -1;
  must(td_channel_sweep(one, &dead, &err));
  cr_expect(dead == 0 && stats_of(one).reading == 1 && stats_of(one).consumers == 2);
  td_message_release(m), td_channel_release(two);
  cr_expect_eq(stats_of(one).consumers, 1);
  td_channel_release(one);
}

Test(channel_forged, opening_again_and_again_leaves_nothing) {
  td_channel *ch = payload_channel((td_channel_options)TD_CHANNEL_OPTIONS_INIT);
  td_channel_release(open_channel(TD_CHANNEL_ROLE_CONSUMES));
  int fds = descriptors();
  int64_t bytes = td_live_bytes();
  for (int i = 0; i < fault_rounds(2000, 100000); ++i) td_channel_release(open_channel(TD_CHANNEL_ROLE_CONSUMES));
  cr_expect(descriptors() == fds && td_live_bytes() == bytes && stats_of(ch).consumers == 0);
  td_channel_release(ch);
}
