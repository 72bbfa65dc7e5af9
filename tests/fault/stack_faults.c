/* Lazy stacks in shared memory that is flipped, forged or left by the dead: segments with snapshots, and channels. */
#include "support/channels.h"
#include "support/crc32c.h"
#include "support/small_stacks.h"

TestSuite(stack_faults, .init = pick_name, .fini = remove_name, .timeout = 3600);

enum { HEADER_CRC = 252, WORDS = 256, SNAPSHOT_WORDS = 512, SNAPSHOT_WORDS_END = 512 + 9 * 128 };

/* Where the JSON of a file begins, how long it is, and where its checksum lies. */
typedef struct layout {
  const char *what;
  unsigned char *bytes;
  size_t size, json, length, json_crc;
  td_status (*read)(void);
} layout;

static int64_t get64(const unsigned char *p) {
  int64_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

static unsigned sum_of_reads; /* keeps the reads from being optimised away */

static void touch(void *writable, const td_tensor *t) {
  const void *data = NULL;
  void *mine = NULL;
  must(td_tensor_data(t, &data, &err));
  for (int64_t i = 0; i < td_tensor_nbytes(t); ++i) sum_of_reads += ((const unsigned char *)data)[i];
  if (!writable) return;
  must(td_tensor_mutable_data((td_tensor *)t, &mine, &err));
  memset(mine, 1, (size_t)td_tensor_nbytes(t));
}

static void look_at(td_dict *d, bool writable) {
  td_string *text = NULL;
  for_each_tensor(d, touch, writable ? d : NULL);
  td_dict_repr(d, 0, &text, NULL); /* of stacks that nobody would make it may say no */
  td_string_release(text), td_dict_release(d);
}

static td_status open_and_read(void) {
  td_segment *s = NULL;
  td_dict *d = NULL;
  td_status status = td_segment_open(TD_STR(channel_name), NULL, &s, NULL);
  if (status) return status;
  must(td_segment_dict(s, &d, &err));
  look_at(d, false), d = NULL;
  status = td_segment_snapshot(s, &d, NULL);
  if (status == TD_OK) look_at(d, false);
  td_segment_release(s);
  return status;
}

static td_status join_and_write(void) {
  td_channel *ch = NULL;
  td_status status =
      td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL);
  if (status) return status;
  for (int taking = 0; taking < 2; ++taking) {
    td_message *m = NULL;
    td_dict *d = NULL;
    if ((taking ? td_channel_take(ch, 0, NULL, &m, NULL) : td_channel_acquire(ch, 0, NULL, &m, NULL)) != TD_OK) break;
    must(td_message_dict(m, &d, &err));
    look_at(d, !taking);
    if (!taking) must(td_message_publish(m, &err));
    td_message_release(m);
  }
  td_channel_release(ch);
  return TD_OK;
}

static layout kept_segment(void) {
  td_dict *d = small_stacks(1);
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.keep = 1, o.snapshots = 2;
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(channel_name), d, &o, &s, &err));
  td_segment_release(s), td_dict_release(d);
  layout l = {"segment", NULL, 0, 0, 0, 92, open_and_read};
  l.bytes = (unsigned char *)file_bytes(channel_file, &l.size);
  l.json = (size_t)get64(l.bytes + 56), l.length = (size_t)get64(l.bytes + 64);
  return l;
}

static layout kept_channel(void) {
  td_dict *schema = small_stacks(1);
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 2, o.keep = 1;
  td_channel *ch = NULL;
  must(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err));
  td_channel_release(ch), td_dict_release(schema);
  layout l = {"channel", NULL, 0, 4096 + 12288, 0, 108, join_and_write};
  l.bytes = (unsigned char *)file_bytes(channel_file, &l.size);
  l.length = (size_t)get64(l.bytes + 56);
  return l;
}

static bool is_word(const layout *l, size_t at) {
  return l->json_crc == 92 && ((at >= WORDS && at < WORDS + 8) || (at >= SNAPSHOT_WORDS && at < SNAPSHOT_WORDS_END));
}

static void flip_all(layout l) {
  cr_assert_eq(l.bytes[l.json], '{', "the layout is another one");
  cr_expect_eq(l.read(), TD_OK);
  int fd = open(channel_file, O_RDWR), step = fault_rounds(8, 1);
  cr_assert(pwrite(fd, l.bytes, l.size, 0) == (ssize_t)l.size);
  for (size_t at = 0; at < l.json + l.length; ++at) {
    if (at == 4096) at = l.json;
    for (int bit = (int)(at % (size_t)step); bit < 8; bit += step) {
      unsigned char flipped = (unsigned char)(l.bytes[at] ^ (1 << bit));
      cr_assert(pwrite(fd, &flipped, 1, (off_t)at) == 1);
      td_status status = l.read();
      cr_expect(status == TD_ERR_CORRUPT || status == TD_ERR_VERSION || (status == TD_OK && is_word(&l, at)),
                "%s: bit %d of byte %zu: %s", l.what, bit, at, td_status_name(status).data);
    }
    if (is_word(&l, at)) { /* readers write there too */
      cr_assert(pwrite(fd, l.bytes, 4096, 0) == 4096);
      continue;
    }
    cr_assert(pwrite(fd, l.bytes + at, 1, (off_t)at) == 1);
  }
  cr_expect_eq(l.read(), TD_OK);
  close(fd), free(l.bytes), unlink(channel_file);
}

Test(stack_faults, every_flipped_bit_is_refused) {
  flip_all(kept_segment());
  flip_all(kept_channel());
}

/* Over text that begins alike. */
static void put_word(unsigned char *json, size_t length, const char *word) {
  size_t n = strlen(word);
  for (size_t at = (size_t)random_below(length); at + n < length; ++at)
    if (memcmp(json + at, word, 2) == 0) {
      memcpy(json + at, word, n);
      return;
    }
}

/* Other numbers, and other members and dims of stacks. */
static void forge(unsigned char *json, size_t length) {
  static const char digits[] = "0123456789-9999eE.,[]{}\":null";
  static const char *const words[] = {"\"stack_dim\":1", "\"0\":{", "\"1\":{", "\"2\":{", "[3,2]", "[2]"};
  for (uint64_t edits = 1 + random_below(3); edits > 0; --edits)
    if (random_below(3))
      json[random_below(length)] = (unsigned char)digits[random_below(sizeof digits - 1)];
    else
      put_word(json, length, words[random_below(sizeof words / sizeof *words)]);
}

static void forge_all(layout l) {
  int rounds = fault_rounds(4000, 400000), accepted = 0, refused = 0;
  unsigned char *forged = malloc(l.size);
  int fd = open(channel_file, O_RDWR);
  for (int round = 0; round < rounds; ++round) {
    memcpy(forged, l.bytes, l.size);
    forge(forged + l.json, l.length);
    uint32_t crc = crc32c(forged + l.json, l.length);
    memcpy(forged + l.json_crc, &crc, 4);
    crc = crc32c(forged, HEADER_CRC);
    memcpy(forged + HEADER_CRC, &crc, 4);
    cr_assert(pwrite(fd, forged, l.size, 0) == (ssize_t)l.size);
    td_status status = l.read();
    status == TD_OK ? ++accepted : ++refused;
    cr_expect(status == TD_OK || status == TD_ERR_CORRUPT || status == TD_ERR_DTYPE || status == TD_ERR_UNSUPPORTED,
              "%s: %s", l.what, td_status_name(status).data);
  }
  printf("forged stacks in a %s: %d accepted, %d refused\n", l.what, accepted, refused);
  cr_expect(accepted > 0 && refused > 0, "%d accepted: the mutations test nothing", accepted);
  close(fd), free(forged), free(l.bytes), unlink(channel_file);
}

Test(stack_faults, forged_checksums_never_lead_out_of_bounds) {
  forge_all(kept_segment());
  forge_all(kept_channel());
}

/* ---- Killed writers --------------------------------------------------------------------------------------------------- */

static void update_for_ever(void) {
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = 3;
  td_segment *s = NULL;
  td_dict *d = small_stacks(1);
  if (td_segment_create(TD_STR(channel_name), d, &o, &s, NULL)) _exit(1);
  for (double value = 1;; ++value) {
    must(td_dict_fill_(d, TD_KEY("a"), TD_VALUE(td_value_double(value)), &err));
    must(td_dict_fill_(d, TD_KEY("n"), TD_VALUE(td_value_double(value)), &err));
    must(td_dict_fill_(d, TD_KEY("ragged"), TD_VALUE(td_value_double(value)), &err));
    must(td_dict_fill_(d, TD_KEY("deep"), TD_VALUE(td_value_double(value)), &err));
    td_status status = td_segment_update(s, d, NULL);
    if (status != TD_OK && status != TD_ERR_NOSPACE) _exit(2);
  }
}

static pid_t child(void (*body)(void)) {
  pid_t pid = fork();
  if (pid) return pid;
  td_after_fork();
  body();
  _exit(0);
}

Test(stack_faults, a_killed_owner_tears_no_snapshot) {
  td_dict_release(small_stacks(0));
  int reads = 0, changes = 0;
  for (int round = 0; round < fault_rounds(20, 1000); ++round) {
    pid_t pid = child(update_for_ever);
    td_segment *s = NULL;
    for (int64_t end = fault_ms() + RECOVERY_MS; td_segment_open(TD_STR(channel_name), NULL, &s, NULL); pause_us(200))
      cr_assert(fault_ms() < end, "there is no segment");
    double last = 0;
    int64_t kill_at = fault_ms() + 5 + (int64_t)random_below(20);
    for (int after = 0; after < 20;) {
      if (pid && fault_ms() >= kill_at) reap(pid, SIGKILL), pid = 0;
      after += pid == 0;
      td_dict *d = NULL;
      must(td_segment_snapshot(s, &d, &err));
      double value = value_everywhere(d);
      cr_assert(value >= last, "%g after %g", value, last);
      reads += 1, changes += value != last, last = value;
      td_dict_release(d);
    }
    td_segment_release(s);
    must(td_segment_unlink(TD_STR(channel_name), &err));
  }
  printf("snapshots of stacks: %d reads, %d of them new\n", reads, changes);
  cr_expect(changes > 0);
}

static void send_for_ever(void) {
  td_channel *ch = NULL;
  td_dict *from = small_stacks(1);
  if (td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES, NULL, &ch, NULL)) _exit(1);
  for (;;) {
    td_message *m = NULL;
    td_dict *d = NULL;
    if (td_channel_acquire(ch, -1, NULL, &m, NULL)) _exit(2);
    must(td_message_dict(m, &d, &err));
    must(td_dict_zero_(d, &err)); /* what a message never shows */
    must(td_dict_update_(d, from, &err));
    must(td_message_publish(m, &err));
    td_dict_release(d), td_message_release(m);
  }
}

Test(stack_faults, a_killed_producer_tears_no_message) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 3, o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  td_dict *schema = small_stacks(0);
  td_channel *ch = NULL;
  must(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err));
  int64_t taken = 0;
  for (int round = 0; round < fault_rounds(40, 2000); ++round) {
    pid_t pid = child(send_for_ever);
    int64_t kill_at = fault_ms() + 5 + (int64_t)random_below(20);
    for (int64_t end = kill_at + RECOVERY_MS, before = taken; pid;) {
      td_message *m = NULL;
      td_dict *d = NULL;
      if (fault_ms() >= kill_at && taken > before && stats_of(ch).writing > 0) reap(pid, SIGKILL), pid = 0;
      cr_assert(fault_ms() < end, "no message came:\n%s", dump_of(ch));
      if (td_channel_take(ch, 1, NULL, &m, NULL)) continue;
      must(td_message_dict(m, &d, &err));
      cr_assert_eq(value_everywhere(d), 1, "torn");
      taken += 1;
      td_dict_release(d), td_message_release(m);
    }
  }
  td_message *m[3] = {NULL};
  while (td_channel_take(ch, 0, NULL, &m[0], NULL) == TD_OK) td_message_release(m[0]), m[0] = NULL;
  int32_t dead;
  must(td_channel_sweep(ch, &dead, &err));
  int64_t given_up = stats_of(ch).aborted;
  for (int i = 0; i < 3; ++i) must(td_channel_acquire(ch, RECOVERY_MS, NULL, &m[i], &err));
  for (int i = 0; i < 3; ++i) td_message_release(m[i]);
  cr_expect(given_up > 0 && stats_of(ch).free == 3, "%s", dump_of(ch));
  printf("messages with stacks: %lld taken, %lld given up\n", (long long)taken, (long long)given_up);
  td_channel_release(ch), td_dict_release(schema);
}
