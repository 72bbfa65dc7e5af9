/* What a fixture's expected.json says of it, compared with a dict that was opened. */
#ifndef TESTS_EXPECTED_H
#define TESTS_EXPECTED_H

#include "bindings/cli/sha256.h"
#include "support/files.h"
#include "support/json.h"
#include "support/small_dicts.h"

static const char *expected_dtype(const td_tensor *t) {
  return path_of("torch.%s", td_dtype_name(td_tensor_stored_dtype(t)).data);
}

static void expect_dims(const char *name, const js *want, const int64_t *dims, size_t ndim) {
  cr_expect_eq(ndim, want->size, "%s: %zu dims", name, ndim);
  for (size_t i = 0; i < ndim && i < want->size; ++i)
    cr_expect_eq((double)dims[i], want->items[i]->number, "%s: dim %zu is %lld", name, i, (long long)dims[i]);
}

static void expect_tensor(const char *name, const td_tensor *t, const js *want, const char *dtype) {
  int64_t dims[64];
  const td_dtype stored = td_tensor_stored_dtype(t);
  const int bytes = stored != td_tensor_dtype(t) && td_dtype_size(stored) > 1; /* of each element, in a dim more */
  expect_dims(name, js_get(want, "shape"), dims, td_tensor_shape(t, dims, 64) - (size_t)bytes);
  cr_expect_str_eq(expected_dtype(t), dtype, "%s: dtype", name);
  const js *hash = js_get(want, "sha256");
  if (!hash) return;
  td_tensor *dense = NULL;
  const void *data = NULL;
  char hex[65];
  must(td_tensor_contiguous(t, &dense, &err));
  must(td_tensor_data(dense, &data, &err));
  sha256_hex(data, (size_t)td_tensor_nbytes(dense), hex);
  cr_expect_str_eq(hex, hash->text, "%s: the bytes differ", name);
  td_tensor_release(dense);
}

/* The dict that holds the last part of the path, which goes to `key`: keys, and numbers of members of stacks. */
static td_dict *holder_of(const td_dict *root, const js *path, td_str *key) {
  td_dict *at = (td_dict *)root;
  td_dict_retain(at);
  for (size_t i = 0; i < path->size; ++i) {
    const js *part = path->items[i];
    td_dict *next = NULL;
    if (part->kind == JS_STRING) {
      *key = (td_str){part->text, part->size};
      if (i + 1 == path->size) return at;
      must(td_dict_get_dict(at, &(td_key){key, 1}, &next, &err));
    } else {
      td_dict_list *members = NULL;
      must(td_dict_members(at, &members, &err));
      must(td_dict_list_get(members, (size_t)part->number, &next, &err));
      td_dict_list_release(members);
    }
    td_dict_release(at);
    at = next;
  }
  return at;
}

/* A nested tensor is a stack of dicts with a component each. */
static void expect_nested(const char *name, const td_dict *holder, td_str key, const js *want) {
  td_dict *stack = NULL;
  td_dict_list *members = NULL;
  must(td_dict_get_dict(holder, &(td_key){&key, 1}, &stack, &err));
  must(td_dict_members(stack, &members, &err));
  const js *components = js_get(want, "components");
  cr_expect_eq(td_dict_list_size(members), components->size, "%s: %zu components", name, td_dict_list_size(members));
  for (size_t i = 0; i < components->size && i < td_dict_list_size(members); ++i) {
    td_dict *member = NULL;
    must(td_dict_list_get(members, i, &member, &err));
    td_tensor *t = tensor_at(member, TD_KEY("values"));
    expect_tensor(name, t, components->items[i], js_get(want, "dtype")->text);
    td_tensor_release(t), td_dict_release(member);
  }
  td_dict_list_release(members), td_dict_release(stack);
}

/* Compact JSON of what was read, to compare with what the library says. */
static void append_compact(char *out, const js *v) {
  char *end = out + strlen(out);
  if (v->kind == JS_STRING) {
    sprintf(end, "\"%s\"", v->text);
  } else if (v->kind == JS_LIST || v->kind == JS_OBJECT) {
    strcat(end, v->kind == JS_LIST ? "[" : "{");
    for (size_t i = 0; i < v->size; ++i) {
      if (i) strcat(end, ",");
      if (v->names) sprintf(end + strlen(end), "\"%s\":", v->names[i]);
      append_compact(out, v->items[i]);
    }
    strcat(end, v->kind == JS_LIST ? "]" : "}");
  } else {
    strcat(end, v->kind == JS_NULL ? "null" : v->kind == JS_NUMBER ? v->text : v->number ? "true" : "false");
  }
}

static void expect_value(const char *name, const td_data *got, const js *want) {
  char text[4096] = "";
  append_compact(text, want);
  switch (got->kind) {
    case TD_DATA_NONE:
      cr_expect_eq(want->kind, JS_NULL, "%s: %s", name, text);
      break;
    case TD_DATA_BOOL:
    case TD_DATA_INT:
      cr_expect(want->kind == (got->kind == TD_DATA_INT ? JS_NUMBER : JS_BOOL), "%s: %s", name, text);
      cr_expect_eq((double)got->i, want->number, "%s: %s", name, text);
      break;
    case TD_DATA_DOUBLE:
      cr_expect_eq(got->f, want->number, "%s: %s", name, text);
      break;
    case TD_DATA_STR:
      cr_expect(want->kind == JS_STRING && got->text.size == want->size, "%s: %s", name, text);
      cr_expect_eq(memcmp(got->text.data, want->text, want->size), 0, "%s: %s", name, text);
      break;
    default:
      cr_expect_str_eq(got->text.data, text, "%s", name);
  }
}

static size_t expect_values(const char *name, const td_data_list *list, size_t at, const js *want, size_t dims) {
  td_data value;
  if (dims == 0) {
    must(td_data_list_get(list, at, &value, &err));
    expect_value(name, &value, want);
    return at + 1;
  }
  for (size_t i = 0; i < want->size; ++i) at = expect_values(name, list, at, want->items[i], dims - 1);
  return at;
}

static void count_one(void *count, const td_tensor *t) {
  (void)t;
  ++*(size_t *)count;
}

static size_t count_leaves(const td_dict *d) {
  size_t n = 0;
  for_each_tensor(d, count_one, &n);
  return n;
}

static void expect_root(const char *name, const td_dict *d, const js *root) {
  int64_t dims[64];
  const size_t ndim = td_dict_batch_size(d, dims, 64);
  expect_dims(name, js_get(root, "batch_size"), dims, ndim);
  cr_expect_eq(td_dict_kind_of(d) == TD_DICT_KIND_LAZY_STACK,
               !strcmp(js_get(root, "kind")->text, "LazyStackedTensorDict"), "%s: kind", name);
  const js *names = js_get(root, "names"), *device = js_get(root, "device");
  for (size_t i = 0; i < ndim; ++i) {
    td_string *text = NULL;
    must(td_dict_name(d, (int64_t)i, &text, &err));
    const js *want = names && names->kind == JS_LIST ? names->items[i] : NULL;
    const int named = want && want->kind == JS_STRING;
    cr_expect_eq(text != NULL, named, "%s: name of dim %zu", name, i);
    if (text && named) cr_expect_str_eq(td_string_view(text).data, want->text, "%s: name of dim %zu", name, i);
    td_string_release(text);
  }
  const int is_lazy = td_dict_kind_of(d) == TD_DICT_KIND_LAZY_STACK;
  if (!is_lazy) cr_expect_eq(td_dict_device(d).data != NULL, device && device->kind == JS_STRING, "%s: device", name);
}

/* Expects `d` to be what `file` says. */
FILES_UNUSED static void expect_as_in(const char *file, const td_dict *d) {
  size_t n = 0;
  char *text = file_bytes(file, &n);
  cr_assert(text, "no %s", file);
  js *all = js_parse(text);
  expect_root(file, d, js_get(all, "root"));
  const js *leaves = js_get(all, "leaves"), *data = js_get(all, "non_tensors");
  size_t count = 0;
  for (size_t i = 0; i < leaves->size; ++i) {
    const js *leaf = leaves->items[i];
    td_str key = {"", 0};
    td_dict *holder = holder_of(d, js_get(leaf, "path"), &key);
    const char *name = path_of("%s: %s", file, key.data);
    if (js_get(leaf, "nested")) {
      expect_nested(name, holder, key, leaf);
      count += js_get(leaf, "components")->size;
    } else {
      td_tensor *t = tensor_at(holder, &(td_key){&key, 1});
      expect_tensor(name, t, leaf, js_get(leaf, "dtype")->text);
      td_tensor_release(t);
      ++count;
    }
    td_dict_release(holder);
  }
  cr_expect_eq(count_leaves(d), count, "%s: another number of tensors: %zu", file, count_leaves(d));
  for (size_t i = 0; i < data->size; ++i) {
    const js *entry = data->items[i];
    td_str key = {"", 0};
    td_dict *holder = holder_of(d, js_get(entry, "path"), &key);
    td_data_list *list = NULL;
    must(td_dict_get_data(holder, &(td_key){&key, 1}, &list, &err));
    const int stack = !strcmp(js_get(entry, "kind")->text, "NonTensorStack");
    expect_values(path_of("%s: %s", file, key.data), list, 0, js_get(entry, "data"),
                  stack ? js_get(entry, "batch_size")->size : 0);
    td_data_list_release(list), td_dict_release(holder);
  }
  js_free(all), free(text);
}

#endif
