#include "tree_json.h"

#include "json.h"
#include "stats.h"
#include "value.h"

static void number(FILE *out, int *count, const char *name, int64_t n) {
  json_key(out, count, name);
  fprintf(out, "%lld", (long long)n);
}

static void names(FILE *out, const item *self) {
  putc('[', out);
  for (size_t i = 0; i < self->ndim; ++i) {
    if (i) fputs(", ", out);
    json_text(out, self->names[i]);
  }
  putc(']', out);
}

static void of_tensor(FILE *out, int *count, const item *self, int with_stats) {
  json_key(out, count, "dtype");
  json_text(out, dtype_word(self->dtype));
  if (self->nested) {
    number(out, count, "components", (int64_t)self->n_members);
  } else {
    json_key(out, count, "shape");
    json_dims(out, self->dims, self->ndim);
  }
  number(out, count, "bytes", self->nbytes);
  if (!with_stats || self->nested) return;
  stats s = stats_of(self);
  json_key(out, count, "stats");
  stats_json(out, &s);
}

static void of_dict(FILE *out, int *count, const item *self, int64_t depth, int with_stats) {
  json_key(out, count, "class");
  json_text(out, self->class_name);
  json_key(out, count, "batch_size");
  json_dims(out, self->dims, self->ndim);
  if (self->names) {
    json_key(out, count, "names");
    names(out, self);
  }
  if (self->device) {
    json_key(out, count, "device");
    json_text(out, self->device);
  }
  if (self->stack_dim >= 0) number(out, count, "stack_dim", self->stack_dim);
  if (!depth) return;
  json_key(out, count, self->stack_dim >= 0 ? "members" : "entries");
  putc('[', out);
  for (size_t i = 0; i < self->n_children; ++i) {
    if (i) fputs(", ", out);
    tree_json(out, self->children + i, depth - 1, with_stats);
  }
  putc(']', out);
}

void tree_json(FILE *out, const item *self, int64_t depth, int with_stats) {
  static const char *const kinds[] = {"tensor", "data", "dict"};
  int count = 0;
  putc('{', out);
  if (self->key) {
    json_key(out, &count, "key");
    json_string(out, self->key, self->key_size);
  }
  json_key(out, &count, "kind");
  json_text(out, kinds[self->kind]);
  if (self->kind == ITEM_TENSOR) {
    of_tensor(out, &count, self, with_stats);
  } else if (self->kind == ITEM_DICT) {
    of_dict(out, &count, self, depth, with_stats);
  } else {
    json_key(out, &count, "data");
    data_list_json(out, self->data, 0);
  }
  putc('}', out);
}
