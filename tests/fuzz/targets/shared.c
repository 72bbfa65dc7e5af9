/* Forged files in shared memory. Their checksums and sizes would stop nearly every mutation, so the input says what to
 * put into a file that is right otherwise: numbers, bytes to change in its first pages, and its JSON. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../fault/support/crc32c.h"
#include "support/fuzz.h"

enum { PAGE = 4096, HEADER_CRC = 252, RAW = 0x80, EDITS_AFTER = 0x40, LARGEST = 1 << 20 };

static char name[64], path[80];
static uint8_t forged[LARGEST];

static void remove_file(void) {
  unlink(path);
}

static void begin(void) {
  snprintf(name, sizeof name, "td-fuzz.%d.shared", (int)getpid());
  snprintf(path, sizeof path, "/dev/shm/%s", name);
  sandbox();
  if (!*path || access("/dev/shm", W_OK)) return;
  char registry[80];
  snprintf(registry, sizeof registry, "/dev/shm/.td.%u.registry", (unsigned)geteuid());
  watch_also(path), watch_also(registry);
  atexit(remove_file);
}

static void put_shared(const uint8_t *bytes, size_t size) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  hold(fd >= 0 && write(fd, bytes, size) == (ssize_t)size, "a file can be written to /dev/shm");
  close(fd);
}

static size_t up_to(size_t n, size_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

static void put_number(size_t at, uint64_t n, size_t width) {
  for (size_t i = 0; i < width; ++i) forged[at + i] = (uint8_t)(n >> 8 * i);
}

static void put_header(const char *magic, size_t total) {
  memset(forged, 0, total);
  memcpy(forged, magic, 8);
  put_number(8, 1, 4), put_number(12, 1, 4), put_number(16, 0x01020304, 4), put_number(20, PAGE, 4);
  put_number(40, total, 8);
}

static void edit(bytes_left *edits, size_t below) {
  while (edits->size >= 3) {
    const size_t at = take_number(edits, 2);
    forged[at % below] = (uint8_t)take_number(edits, 1);
  }
}

/* Takes the changes from the input: a count, and so many times a place and a value. */
static bytes_left take_edits(bytes_left *from) {
  const size_t count = 3 * take_number(from, 1);
  bytes_left edits = {from->at, count < from->size ? count : from->size};
  from->at += edits.size, from->size -= edits.size;
  return edits;
}

static void seal_header(uint64_t how, bytes_left *edits, size_t below) {
  if (!(how & EDITS_AFTER)) edit(edits, below);
  put_number(HEADER_CRC, crc32c(forged, HEADER_CRC), 4);
  edit(edits, below);
}

/* ---- Segments ------------------------------------------------------------------------------------------------------------- */

static size_t forge_segment(bytes_left in, uint64_t how) {
  const size_t snapshots = take_number(&in, 1) % 9, data = take_number(&in, 2) % 0x4000;
  bytes_left edits = take_edits(&in);
  const size_t stride = snapshots ? up_to(data, PAGE) : data, meta = PAGE + stride * (snapshots + 1);
  const size_t total = meta + in.size + 8;
  if (total > LARGEST) return 0;
  put_header("TDSEG\r\n\x1a", total);
  put_number(48, PAGE, 8), put_number(56, meta, 8), put_number(64, in.size, 8);
  put_number(72, (uint64_t)getpid(), 8);
  put_number(104, data, 8), put_number(112, snapshots, 4);
  for (size_t i = PAGE; i < meta; ++i) forged[i] = (uint8_t)i;
  if (in.size) memcpy(forged + meta, in.at, in.size);
  put_number(92, crc32c(forged + meta, in.size), 4);
  put_number(meta + in.size, in.size, 8);
  seal_header(how, &edits, 2048);
  return total;
}

static void look_at_segment(td_segment *segment) {
  td_dict *dict = NULL;
  td_error *error = NULL;
  if (typed(td_segment_dict(segment, &dict, &error), error)) look_at(dict);
  td_dict_release(dict);
  dict = NULL, error = NULL;
  if (typed(td_segment_snapshot(segment, &dict, &error), error)) look_at(dict);
  td_dict_release(dict);
  td_segment_version(segment);
}

static void segment(const uint8_t *bytes, size_t size) {
  bytes_left in = {bytes, size};
  const uint64_t how = take_number(&in, 1);
  if (how & RAW)
    bytes = in.at, size = in.size;
  else
    bytes = forged, size = forge_segment(in, how);
  td_segment *opened = NULL;
  td_error *error = NULL;
  put_shared(bytes, size);
  watch(WATCH_WRITING);
  if (typed(td_segment_open(TD_STR(name), NULL, &opened, &error), error)) look_at_segment(opened);
  td_segment_release(opened);
  watch(WATCH_OFF);

  const int fd = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  hold(fd >= 0 && write(fd, bytes, size) == (ssize_t)size, "nameless memory can be written");
  fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
  opened = NULL, error = NULL;
  watch(WATCH_READING);
  if (typed(td_segment_import(fd, &opened, &error), error)) look_at_segment(opened);
  watch(WATCH_OFF);
  td_segment_release(opened);
  close(fd);
}
const fuzz_target fuzz_segment = {"segment", segment, begin, NULL, 0};

/* ---- Channels ------------------------------------------------------------------------------------------------------------- */

enum { CONTROL = 768 + 128 * 64, SCHEMA = PAGE + 12288 };

static size_t forge_channel(bytes_left in, uint64_t how) {
  const size_t mode = take_number(&in, 1), overflow = take_number(&in, 1), slots = take_number(&in, 1);
  const size_t members = take_number(&in, 1), deliveries = take_number(&in, 1), held = take_number(&in, 1);
  const size_t slot_bytes = take_number(&in, 2);
  bytes_left edits = take_edits(&in);
  const size_t first = up_to(SCHEMA + in.size, PAGE);
  const size_t stride = slot_bytes == 0 ? 128 : up_to(slot_bytes, slot_bytes < PAGE ? 128 : PAGE);
  const size_t total = first + stride * slots;
  if (total > LARGEST) return 0;
  put_header("TDCHAN\r\n", total);
  put_number(48, slot_bytes, 8), put_number(56, in.size, 8), put_number(64, (uint64_t)getpid(), 8);
  put_number(80, mode, 4), put_number(84, overflow, 4), put_number(88, slots, 4), put_number(92, members, 4);
  put_number(96, deliveries, 4), put_number(100, held, 4), put_number(104, CONTROL, 4);
  if (in.size) memcpy(forged + SCHEMA, in.at, in.size);
  put_number(108, crc32c(forged + SCHEMA, in.size), 4);
  seal_header(how, &edits, PAGE + CONTROL);
  return total;
}

static void look_at_message(td_status status, td_message *message, td_error *error, int publish) {
  td_dict *dict = NULL;
  if (typed(status, error)) {
    error = NULL;
    if (typed(td_message_dict(message, &dict, &error), error)) look_at(dict);
    error = NULL;
    if (publish) typed(td_message_publish(message, &error), error);
  }
  td_dict_release(dict), td_message_release(message);
}

static void use_channel(td_channel *channel) {
  td_error *error = NULL;
  td_message *message = NULL;
  td_string *text = NULL;
  td_dict *schema = NULL;
  int32_t dead = 0;
  td_channel_statistics numbers = TD_CHANNEL_STATISTICS_INIT;
  if (typed(td_channel_schema(channel, &schema, &error), error)) look_at(schema);
  for (int round = 0; round < 2; ++round) {
    message = NULL, error = NULL;
    td_status status = td_channel_acquire(channel, 0, NULL, &message, &error);
    look_at_message(status, message, error, round == 0);
    message = NULL, error = NULL;
    status = td_channel_take(channel, 0, NULL, &message, &error);
    look_at_message(status, message, error, 0);
  }
  error = NULL;
  typed(td_channel_stats(channel, &numbers, &error), error);
  error = NULL;
  typed(td_channel_dump(channel, &text, &error), error);
  error = NULL;
  typed(td_channel_sweep(channel, &dead, &error), error);
  error = NULL;
  typed(td_channel_close(channel, &error), error);
  td_string_release(text), td_dict_release(schema);
}

static void channel(const uint8_t *bytes, size_t size) {
  bytes_left in = {bytes, size};
  const uint64_t how = take_number(&in, 1);
  if (how & RAW)
    bytes = in.at, size = in.size;
  else
    bytes = forged, size = forge_channel(in, how);
  td_channel *opened = NULL;
  td_error *error = NULL;
  put_shared(bytes, size);
  watch(WATCH_WRITING);
  if (typed(td_channel_open(TD_STR(name), (td_channel_role)(how & 3), NULL, &opened, &error), error))
    use_channel(opened);
  td_channel_release(opened);
  watch(WATCH_OFF);
}
const fuzz_target fuzz_channel = {"channel", channel, begin, NULL, 0};
