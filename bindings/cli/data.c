// Non-tensor values as JSON and as text.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "pickle.h"
#include "value.h"

static void json_of_scalar(FILE *out, const td_data *value) {
  switch (value->kind) {
    case TD_DATA_BOOL:
      fputs(value->i ? "true" : "false", out);
      break;
    case TD_DATA_INT:
      fprintf(out, "%" PRId64, value->i);
      break;
    default:
      json_double(out, value->f);
  }
}

static void json_of_bytes(FILE *out, td_str bytes) {
  fputs("{\"__bytes_hex__\": ", out);
  json_hex(out, bytes.data, bytes.size);
  putc('}', out);
}

// What NumPy looks at when it makes an array of a list.
typedef struct list_kinds {
  int booleans, numbers, reals, large, texts;
  size_t longest;  // text, in code points
} list_kinds;

// Goes past the text that begins behind its quote and returns how many code points it has.
static size_t text_length(const char **p, const char *end) {
  size_t length = 0;
  const char *at = *p;
  for (; at < end && *at != '"'; ++at) {
    if (*at == '\\' && ++at < end && *at == 'u') {
      int low_half = end - at > 2 && (at[1] == 'd' || at[1] == 'D') && strchr("cdefCDEF", at[2]);
      length -= (size_t)low_half;  // one code point with what is before it
      at += 4;
    } else if (((unsigned char)*at & 0xC0) == 0x80) {
      continue;
    }
    ++length;
  }
  *p = at;
  return length;
}

static list_kinds kinds_in(td_str json) {
  list_kinds found = {0};
  const char *end = json.data + json.size;
  for (const char *p = json.data; p < end; ++p) {
    if (*p == '"') {
      ++p;
      size_t length = text_length(&p, end);
      found.texts = 1;
      if (length > found.longest) found.longest = length;
    } else if (*p == 't' || *p == 'f') {
      found.booleans = 1;
      p += *p == 't' ? 3 : 4;
    } else if (*p == '.' || *p == 'e' || *p == 'E' || *p == 'N' || *p == 'I') {
      found.numbers = found.reals = 1;
      while (p + 1 < end && !strchr(",]", p[1])) ++p;
    } else if (*p >= '0' && *p <= '9') {
      const char *first = p;
      found.numbers = 1;
      while (p + 1 < end && p[1] >= '0' && p[1] <= '9') ++p;
      size_t digits = (size_t)(p + 1 - first);
      if (digits > 19 || (digits == 19 && memcmp(first, "9223372036854775807", 19) > 0)) found.large = first[-1] != '-';
    }
  }
  return found;
}

// The dtype that NumPy gives the values of a list; one without any has numbers, as there.
static void put_list_dtype(FILE *out, td_str json) {
  list_kinds k = kinds_in(json);
  if (k.texts)
    fprintf(out, "<U%zu", k.longest ? k.longest : 1);
  else
    fputs(k.booleans ? "bool" : k.reals || !k.numbers ? "float64" : k.large ? "uint64" : "int64", out);
}

// HDF5 holds what NumPy made of the values: scalars and arrays of a type, and text as bytes.
static int json_of_numpy(FILE *out, const td_data *value) {
  switch (value->kind) {
    case TD_DATA_BOOL:
    case TD_DATA_INT:
    case TD_DATA_DOUBLE:
      fputs("{\"__npscalar__\": ", out);
      json_of_scalar(out, value);
      fprintf(out, ", \"dtype\": \"%s\"}",
              value->kind == TD_DATA_BOOL  ? "bool"
              : value->kind == TD_DATA_INT ? "int64"
                                           : "float64");
      return 1;
    case TD_DATA_STR:
      json_of_bytes(out, value->text);
      return 1;
    case TD_DATA_JSON:
      if (!value->text.size || value->text.data[0] != '[') return 0;
      fputs("{\"__ndarray__\": ", out);
      json_copy(out, value->text.data, value->text.size);
      fputs(", \"dtype\": \"", out);
      put_list_dtype(out, value->text);
      fputs("\"}", out);
      return 1;
    default:
      return 0;
  }
}

// Data that Python pickled is shown as what it is, as far as that takes no Python.
static void json_of_pickled(FILE *out, const td_data *value) {
  if (json_of_pickle(out, value->text.data, value->text.size, value->i < 0 ? "data" : NULL, value->i)) return;
  fputs("{\"__pickle_hex__\": ", out);
  json_hex(out, value->text.data, value->text.size);
  if (value->i >= 0) fprintf(out, ", \"index\": %" PRId64, value->i);
  putc('}', out);
}

void data_json(FILE *out, const td_data *value, int numpy) {
  if (numpy && json_of_numpy(out, value)) return;
  switch (value->kind) {
    case TD_DATA_NONE:
      fputs("null", out);
      break;
    case TD_DATA_STR:
      json_string(out, value->text.data, value->text.size);
      break;
    case TD_DATA_BYTES:
      json_of_bytes(out, value->text);
      break;
    case TD_DATA_JSON:
      json_copy(out, value->text.data, value->text.size);
      break;
    case TD_DATA_PICKLE:
      json_of_pickled(out, value);
      break;
    default:
      json_of_scalar(out, value);
  }
}

void data_text(text *t, const td_data *value, size_t width) {
  switch (value->kind) {
    case TD_DATA_NONE:
      text_str(t, "null");
      break;
    case TD_DATA_BOOL:
      text_str(t, value->i ? "true" : "false");
      break;
    case TD_DATA_INT:
      text_int(t, value->i);
      break;
    case TD_DATA_DOUBLE:
      text_double(t, value->f);
      break;
    case TD_DATA_STR:
      text_quoted(t, value->text.data, value->text.size, width);
      break;
    case TD_DATA_BYTES:
      text_str(t, "bytes ");
      text_quoted(t, value->text.data, value->text.size, width);
      break;
    case TD_DATA_PICKLE:
      text_str(t, "pickled, ");
      text_bytes(t, (int64_t)value->text.size);
      break;
    default:
      text_shown(t, value->text.data, value->text.size < width ? value->text.size : width);
      if (value->text.size >= width) text_str(t, "...");
  }
}

static td_data value_at(const td_data_list *list, size_t index) {
  td_data value;
  td_error *err = NULL;
  check(td_data_list_get(list, index, &value, &err), &err);
  return value;
}

// Writes dim `dim` of a stack from the value `*next` on.
static void json_of_dim(FILE *out, const td_data_list *list, const int64_t *dims, size_t ndim, size_t *next,
                        int numpy) {
  if (!ndim) {
    td_data value = value_at(list, (*next)++);
    data_json(out, &value, numpy);
    return;
  }
  putc('[', out);
  for (int64_t i = 0; i < dims[0]; ++i) {
    if (i) fputs(", ", out);
    json_of_dim(out, list, dims + 1, ndim - 1, next, numpy);
  }
  putc(']', out);
}

void data_list_json(FILE *out, const td_data_list *list, int numpy) {
  size_t next = 0, ndim = td_data_list_is_stack(list) ? td_data_list_shape(list, NULL, 0) : 0;
  int64_t *dims = xalloc(ndim * sizeof *dims);
  td_data_list_shape(list, dims, ndim);
  json_of_dim(out, list, dims, ndim, &next, numpy);
  free(dims);
}

void data_list_text(text *t, const td_data_list *list, size_t width) {
  size_t n = td_data_list_size(list), shown = n < 5 ? n : 4;
  if (!td_data_list_is_stack(list) && n) {
    td_data value = value_at(list, 0);
    data_text(t, &value, width);
    return;
  }
  text_str(t, "[");
  for (size_t i = 0; i < shown; ++i) {
    td_data value = value_at(list, i);
    if (i) text_str(t, ", ");
    data_text(t, &value, width / 4);
  }
  text_str(t, shown < n ? ", ...]" : "]");
}
