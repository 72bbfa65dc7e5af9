#include "report.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "text.h"

static const char *after_space(const char *p) {
  return p + strspn(p, " \t\r\n");
}

static const char *after_string(const char *p) {
  for (++p; *p && *p != '"'; ++p)
    if (*p == '\\' && p[1]) ++p;
  return *p ? p + 1 : p;
}

// Behind a value of any kind: at the comma or the bracket that ends it.
static const char *after_value(const char *p) {
  for (int depth = 0; *p;) {
    if (*p == '"') {
      p = after_string(p);
      continue;
    }
    if (*p == '{' || *p == '[') ++depth;
    if (!depth && (*p == ',' || *p == '}' || *p == ']')) break;
    if (*p == '}' || *p == ']') --depth;
    ++p;
  }
  return p;
}

static void add_code(text *t, uint32_t c) {
  char bytes[4];
  if (c < 0x80) {
    bytes[0] = (char)c;
    text_add(t, bytes, 1);
  } else if (c < 0x800) {
    bytes[0] = (char)(0xc0 | c >> 6);
    bytes[1] = (char)(0x80 | (c & 0x3f));
    text_add(t, bytes, 2);
  } else {
    bytes[0] = (char)(0xe0 | c >> 12);
    bytes[1] = (char)(0x80 | (c >> 6 & 0x3f));
    bytes[2] = (char)(0x80 | (c & 0x3f));
    text_add(t, bytes, 3);
  }
}

static char *unquoted(const char *p) {
  static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
  text t = {0};
  text_add(&t, "", 0);
  for (++p; *p && *p != '"'; ++p) {
    if (*p != '\\' || !p[1]) {
      text_add(&t, p, 1);
      continue;
    }
    const char *short_form = strchr(from, *++p);
    char digits[5] = "";
    if (*p == 'u' && strlen(p) > 4) {
      memcpy(digits, p + 1, 4);
      add_code(&t, (uint32_t)strtoul(digits, NULL, 16));
      p += 4;
    } else {
      text_add(&t, short_form ? to + (short_form - from) : p, 1);
    }
  }
  return t.data;
}

static char *value_text(const char *p) {
  p = after_space(p);
  return *p == '"' ? unquoted(p) : xcopy(p, (size_t)(after_value(p) - p));
}

char *json_member(const char *json, const char *name) {
  const char *p = strchr(json, '{');
  for (p = p ? after_space(p + 1) : ""; *p == '"';) {
    char *found = unquoted(p);
    int same = !strcmp(found, name);
    free(found);
    p = after_space(after_string(p));
    if (*p == ':') ++p;
    if (same) return value_text(p);
    p = after_space(after_value(p));
    if (*p == ',') p = after_space(p + 1);
  }
  return NULL;
}

// Where an element of an array begins; NULL if there are fewer.
static const char *element(const char *json, size_t index) {
  const char *p = after_space(json);
  if (*p != '[') return NULL;
  p = after_space(p + 1);
  for (size_t i = 0; *p && *p != ']'; ++i) {
    if (i == index) return p;
    p = after_space(after_value(p));
    if (*p == ',') p = after_space(p + 1);
  }
  return NULL;
}

char *json_element(const char *json, size_t index) {
  const char *p = element(json, index);
  return p ? value_text(p) : NULL;
}

char *json_object(const char *json, size_t index) {
  const char *p = element(json, index);
  return p && *p == '{' ? xcopy(p, (size_t)(after_value(p) - p)) : NULL;
}

size_t json_objects(const char *json) {
  size_t n = 0;
  while (element(json, n)) ++n;
  return n;
}
