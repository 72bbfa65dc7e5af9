#include "pickle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "pickle_machine.h"

static int write_value(machine *m, FILE *out, size_t index, int depth);

// Keys are text in JSON, as Python's str gives them.
static int write_key(FILE *out, const value *key) {
  if (key->kind == TEXT)
    json_string(out, key->data, key->size);
  else if (key->kind == WHOLE)
    fprintf(out, "\"%" PRId64 "\"", key->i);
  else if (key->kind == TRUTH || key->kind == NONE)
    fprintf(out, "\"%s\"", key->kind == NONE ? "None" : key->i ? "True" : "False");
  else
    return 0;
  return 1;
}

static int write_members(machine *m, FILE *out, const value *v, int depth) {
  putc(v->kind == DICT ? '{' : '[', out);
  for (size_t i = 0; i < v->size; ++i) {
    if (i) fputs(", ", out);
    if (v->kind == DICT) {
      if (!write_key(out, m->values + v->members[i++])) return 0;
      fputs(": ", out);
    }
    if (!write_value(m, out, v->members[i], depth + 1)) return 0;
  }
  putc(v->kind == DICT ? '}' : ']', out);
  return 1;
}

// A pickle may name one value many times, or have a list hold itself: what is written is bounded.
static int write_value(machine *m, FILE *out, size_t index, int depth) {
  const value *v = m->values + index;
  if (depth > DEEPEST || ++m->written > MOST_WRITTEN) return 0;
  switch (v->kind) {
    case NONE:
      fputs("null", out);
      return 1;
    case TRUTH:
      fputs(v->i ? "true" : "false", out);
      return 1;
    case WHOLE:
      fprintf(out, "%" PRId64, v->i);
      return 1;
    case REAL:
      json_double(out, v->f);
      return 1;
    case TEXT:
      m->written += v->size / 64;
      json_string(out, v->data, v->size);
      return 1;
    case BYTES:
      m->written += v->size / 64;
      fputs("{\"__bytes_hex__\": ", out);
      json_hex(out, v->data, v->size);
      putc('}', out);
      return 1;
    case LIST:
    case DICT:
      return write_members(m, out, v, depth);
    default:
      return 0;
  }
}

static int choose(const machine *m, const char *member, int64_t index, size_t *chosen) {
  const value *v = m->values + *chosen;
  if (index >= 0) {
    if (v->kind != LIST || (uint64_t)index >= v->size) return 0;
    *chosen = v->members[index];
    return 1;
  }
  for (size_t i = 0; member && v->kind == DICT && i < v->size; i += 2) {
    const value *key = m->values + v->members[i];
    if (key->kind != TEXT || key->size != strlen(member) || memcmp(key->data, member, key->size)) continue;
    *chosen = v->members[i + 1];
    return 1;
  }
  return !member;
}

int json_of_pickle(FILE *out, const void *bytes, size_t size, const char *member, int64_t index) {
  machine m;
  char *written = NULL;
  size_t length = 0, chosen = 0;
  memset(&m, 0, sizeof m);
  m.at = bytes;
  m.end = m.at + size;
  int good = run_pickle(&m);
  if (good) chosen = m.stack[0];
  good = good && choose(&m, member, index, &chosen);
  if (good) {
    FILE *memory = open_memstream(&written, &length);
    if (!memory) die("out of memory");
    good = write_value(&m, memory, chosen, 0);
    fclose(memory);
    if (good) fwrite(written, 1, length, out);
  }
  for (size_t i = 0; i < m.n_values; ++i) free(m.values[i].members);
  free(written);
  free(m.values);
  free(m.stack);
  free(m.memo);
  return good;
}
