#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

void text_add(text *t, const char *data, size_t size) {
  if (t->capacity - t->size <= size) {
    if (size > SIZE_MAX / 4 || t->size > SIZE_MAX / 4) die("out of memory");
    t->capacity = (t->size + size + 1) * 2;
    t->data = xrealloc(t->data, t->capacity);
  }
  if (size) memcpy(t->data + t->size, data, size);
  t->size += size;
  t->data[t->size] = 0;
}

void text_str(text *t, const char *s) {
  text_add(t, s, strlen(s));
}

void text_int(text *t, int64_t i) {
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRId64, i);
  text_str(t, digits);
}

void text_clear(text *t) {
  free(t->data);
  memset(t, 0, sizeof *t);
}

size_t utf8_decode(const char *p, const char *end, uint32_t *c) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *u = (const unsigned char *)p;
  if (p >= end) return 0;
  size_t n = u[0] < 0x80 ? 1 : u[0] >> 5 == 6 ? 2 : u[0] >> 4 == 14 ? 3 : u[0] >> 3 == 30 ? 4 : 0;
  if (!n || (size_t)(end - p) < n) return 0;
  uint32_t code = n == 1 ? u[0] : u[0] & (0x7fu >> n);
  for (size_t i = 1; i < n; ++i) {
    if (u[i] >> 6 != 2) return 0;
    code = code << 6 | (u[i] & 0x3f);
  }
  if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  *c = code;
  return n;
}

// Characters that change how the text around them is shown, or that cannot be seen.
static int unseen(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
         (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

static void add_character(text *t, const char *p, size_t n, uint32_t c) {
  char escaped[16];
  if (n && !unseen(c)) {
    text_add(t, p, n);
  } else if (n && (c == '\n' || c == '\t' || c == '\r')) {
    text_str(t, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
  } else {
    unsigned code = n ? c : (unsigned char)*p;
    snprintf(escaped, sizeof escaped, code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
    text_str(t, escaped);
  }
}

void text_shown(text *t, const char *data, size_t size) {
  for (const char *p = data, *end = data + size; p < end;) {
    uint32_t c = 0;
    size_t n = utf8_decode(p, end, &c);
    add_character(t, p, n, c);
    p += n ? n : 1;
  }
}

void text_quoted(text *t, const char *data, size_t size, size_t width) {
  const char *p = data, *end = data + size;
  text_str(t, "\"");
  for (size_t shown = 0; p < end && shown < width; ++shown) {
    uint32_t c = 0;
    size_t n = utf8_decode(p, end, &c);
    if (n && (c == '"' || c == '\\')) text_str(t, "\\");
    add_character(t, p, n, c);
    p += n ? n : 1;
  }
  text_str(t, p < end ? "\"..." : "\"");
}

void text_dims(text *t, const int64_t *dims, size_t n) {
  text_str(t, "[");
  for (size_t i = 0; i < n; ++i) {
    if (i) text_str(t, ", ");
    text_int(t, dims[i]);
  }
  text_str(t, "]");
}

void text_bytes(text *t, int64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  char shown[48];
  double n = (double)bytes;
  size_t unit = 0;
  for (; n >= 1024 && unit < 6; ++unit) n /= 1024;
  snprintf(shown, sizeof shown, unit ? "%.1f %s" : "%.0f %s", n, units[unit]);
  text_str(t, shown);
}

static void add_number(text *t, const char *digits) {
  text_str(t, digits);
  if (!strpbrk(digits, ".en")) text_str(t, ".0");  // it stays a number with a fraction; "nan" and "inf" are as they are
}

void text_double(text *t, double f) {
  char digits[40];
  for (int precision = 15; precision <= 17; ++precision) {
    snprintf(digits, sizeof digits, "%.*g", precision, f);
    if (isnan(f) || strtod(digits, NULL) == f) break;
  }
  add_number(t, isnan(f) ? "nan" : digits);
}

void text_float(text *t, float f) {
  char digits[40];
  for (int precision = 6; precision <= 9; ++precision) {
    snprintf(digits, sizeof digits, "%.*g", precision, (double)f);
    if (isnan(f) || strtof(digits, NULL) == f) break;
  }
  add_number(t, isnan(f) ? "nan" : digits);
}
