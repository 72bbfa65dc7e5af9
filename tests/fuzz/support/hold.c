#include "support/fuzz.h"

void does_not_hold(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d: %s\n", file, line, what);
  abort();
}

/* Length of the character at `s`, 0 if it is none, or one that moves a terminal. */
static size_t character(const unsigned char *s, size_t left) {
  const size_t n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
  if (n == 0 || n > left || s[0] < ' ' || s[0] == 0x7F) return 0;
  for (size_t i = 1; i < n; ++i)
    if ((s[i] & 0xC0) != 0x80) return 0;
  return n;
}

static int is_text(td_str s) {
  for (size_t i = 0, n; i < s.size; i += n)
    if ((n = character((const unsigned char *)s.data + i, s.size - i)) == 0) return 0;
  return s.size > 0;
}

int ended_well(td_status status, td_error **given, int oom) {
  td_error *error = *given;
  hold((status == TD_OK) == (error == NULL), "a failure has an error, and a success none");
  if (status == TD_OK) return 1;
  const td_str message = td_error_message(error);
  const int bad = status == TD_ERR_INTERNAL || (status == TD_ERR_OOM && !oom) || status < TD_OK || status > TD_ERR_BUSY;
  if (bad || !is_text(message)) fprintf(stderr, "%s: %s\n", td_status_name(status).data, message.data);
  hold(!bad, "the library fails with a status that blames the input");
  hold(td_error_code(error) == status, "the error has the status of the call");
  hold(is_text(message), "the message is a line of text");
  td_error_release(error);
  *given = NULL;
  return 0;
}

int take_part(bytes_left *from, bytes_left *part) {
  if (!from->at) return 0;
  const uint8_t *end = from->size ? memchr(from->at, 0xFF, from->size) : NULL;
  part->at = from->at;
  part->size = end ? (size_t)(end - from->at) : from->size;
  from->size -= part->size + (end != NULL);
  from->at = end ? end + 1 : NULL;
  return 1;
}

uint64_t take_number(bytes_left *from, size_t width) {
  uint64_t n = 0;
  for (size_t i = 0; i < width && from->size > 0; ++i, ++from->at, --from->size) n |= (uint64_t)*from->at << 8 * i;
  return n;
}
