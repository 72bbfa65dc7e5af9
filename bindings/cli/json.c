#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "text.h"

void json_next(FILE *out, int *count) {
  if ((*count)++) fputs(", ", out);
}

void json_key(FILE *out, int *count, const char *name) {
  json_next(out, count);
  json_text(out, name);
  fputs(": ", out);
}

void json_string(FILE *out, const char *data, size_t size) {
  static const char special[] = "\"\\\n\t\r", letters[] = "\"\\ntr";
  putc('"', out);
  for (const char *p = data, *end = data + size; p < end;) {
    uint32_t c = 0;
    size_t n = utf8_decode(p, end, &c);
    if (!n) {
      fputs("\\ufffd", out);
      ++p;
      continue;
    }
    const char *at = c && c < 0x80 ? strchr(special, (int)c) : NULL;
    if (at)
      fprintf(out, "\\%c", letters[at - special]);
    else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
      fprintf(out, "\\u%04x", (unsigned)c);
    else
      fwrite(p, 1, n, out);
    p += n;
  }
  putc('"', out);
}

void json_text(FILE *out, const char *s) {
  if (s)
    json_string(out, s, strlen(s));
  else
    fputs("null", out);
}

void json_double(FILE *out, double f) {
  if (isnan(f) || isinf(f)) {
    fputs(isnan(f) ? "\"nan\"" : f > 0 ? "\"inf\"" : "\"-inf\"", out);
    return;
  }
  text t = {0};
  text_double(&t, f);
  fputs(t.data, out);
  text_clear(&t);
}

void json_dims(FILE *out, const int64_t *dims, size_t n) {
  putc('[', out);
  for (size_t i = 0; i < n; ++i) fprintf(out, "%s%" PRId64, i ? ", " : "", dims[i]);
  putc(']', out);
}

void json_hex(FILE *out, const void *bytes, size_t size) {
  const unsigned char *p = bytes;
  putc('"', out);
  for (size_t i = 0; i < size; ++i) fprintf(out, "%02x", p[i]);
  putc('"', out);
}

void json_copy(FILE *out, const char *data, size_t size) {
  static const struct {
    const char *word, *valid;
  } odd[] = {{"NaN", "\"nan\""}, {"Infinity", "\"inf\""}, {"-Infinity", "\"-inf\""}};
  int quoted = 0;
  for (size_t i = 0; i < size; ++i) {
    size_t k = 0;
    for (; !quoted && k < 3; ++k) {
      size_t n = strlen(odd[k].word);
      if (size - i < n || memcmp(data + i, odd[k].word, n)) continue;
      fputs(odd[k].valid, out);
      i += n - 1;
      break;
    }
    if (!quoted && k < 3) continue;
    if (data[i] == '"') quoted = !quoted;
    putc(data[i], out);
    if (quoted && data[i] == '\\' && i + 1 < size) putc(data[++i], out);
  }
}
