/* A small reader of JSON for the expectations that stand beside fixtures. Values live until js_free. */
#ifndef TESTS_JSON_H
#define TESTS_JSON_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define JSON_UNUSED __attribute__((unused))

typedef enum js_kind { JS_NULL, JS_BOOL, JS_NUMBER, JS_STRING, JS_LIST, JS_OBJECT } js_kind;

typedef struct js {
  js_kind kind;
  double number; /* of a bool too */
  char *text;    /* of a string; of a number as it is written */
  size_t size;   /* of the text; or members */
  char **names;
  struct js **items;
} js;

JSON_UNUSED static void js_free(js *v) {
  if (!v) return;
  for (size_t i = 0; v->items && i < v->size; ++i) {
    js_free(v->items[i]);
    if (v->names) free(v->names[i]);
  }
  free(v->items), free(v->names), free(v->text), free(v);
}

static void js_space(const char **p) {
  *p += strspn(*p, " \t\r\n");
}

static size_t js_utf8(unsigned code, char *out) {
  if (code < 0x80) return out[0] = (char)code, 1;
  if (code < 0x800) return out[0] = (char)(0xC0 | code >> 6), out[1] = (char)(0x80 | (code & 63)), 2;
  size_t n = code < 0x10000 ? 3 : 4;
  for (size_t i = n; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 63));
  out[0] = (char)((n == 3 ? 0xE0 : 0xF0) | code);
  return n;
}

static char *js_string(const char **p, size_t *size) {
  cr_assert_eq(**p, '"');
  char *text = malloc(strlen(*p) + 1);
  size_t n = 0;
  for (++*p; **p && **p != '"';) {
    if (**p != '\\') {
      text[n++] = *(*p)++;
      continue;
    }
    const char c = (*p)[1], *known = strchr("\"\"\\\\//b\bf\fn\nr\rt\t", c);
    *p += 2;
    if (c != 'u') {
      cr_assert(known);
      text[n++] = known[1];
      continue;
    }
    char hex[5] = {0};
    memcpy(hex, *p, 4);
    unsigned code = (unsigned)strtoul(hex, NULL, 16);
    *p += 4;
    if (code >= 0xD800 && code < 0xDC00) {
      memcpy(hex, *p + 2, 4);
      code = 0x10000 + ((code - 0xD800) << 10) + ((unsigned)strtoul(hex, NULL, 16) - 0xDC00);
      *p += 6;
    }
    n += js_utf8(code, text + n);
  }
  cr_assert_eq(**p, '"');
  ++*p;
  text[n] = '\0';
  *size = n;
  return text;
}

static js *js_value(const char **p) {
  js *v = calloc(1, sizeof *v);
  js_space(p);
  if (**p == '"') {
    v->kind = JS_STRING;
    v->text = js_string(p, &v->size);
  } else if (**p == '[' || **p == '{') {
    const int object = **p == '{';
    v->kind = object ? JS_OBJECT : JS_LIST;
    for (++*p, js_space(p); **p != ']' && **p != '}';) {
      v->items = realloc(v->items, (v->size + 1) * sizeof *v->items);
      if (object) {
        size_t n;
        v->names = realloc(v->names, (v->size + 1) * sizeof *v->names);
        v->names[v->size] = js_string(p, &n);
        js_space(p);
        cr_assert_eq(**p, ':');
        ++*p;
      }
      v->items[v->size++] = js_value(p);
      js_space(p);
      if (**p == ',') ++*p, js_space(p);
    }
    ++*p;
  } else if (!strncmp(*p, "true", 4) || !strncmp(*p, "false", 5)) {
    v->kind = JS_BOOL;
    v->number = **p == 't';
    *p += v->number ? 4 : 5;
  } else if (!strncmp(*p, "null", 4)) {
    *p += 4;
  } else {
    char *end;
    v->kind = JS_NUMBER;
    v->number = strtod(*p, &end);
    cr_assert(end > *p, "no JSON: %.40s", *p);
    v->size = 0;
    v->text = calloc(1, (size_t)(end - *p) + 1);
    memcpy(v->text, *p, (size_t)(end - *p));
    *p = end;
  }
  return v;
}

JSON_UNUSED static js *js_parse(const char *text) {
  return js_value(&text);
}

/* NULL if it is not there. */
JSON_UNUSED static const js *js_get(const js *object, const char *name) {
  for (size_t i = 0; object && object->names && i < object->size; ++i)
    if (!strcmp(object->names[i], name)) return object->items[i];
  return NULL;
}

#endif
