#include "support/snapshot.h"

#include <string.h>

#include "support/fuzz.h"

enum { DEEPEST = 300 };

static void mix(uint64_t *h, const void *bytes, size_t size) { /* FNV-1a */
  for (const unsigned char *b = bytes; size > 0; --size, ++b) *h = (*h ^ *b) * 0x100000001B3ULL;
}

static void mix_number(uint64_t *h, int64_t n) {
  mix(h, &n, sizeof n);
}

static void mix_text(uint64_t *h, td_str text) {
  mix_number(h, (int64_t)text.size);
  mix(h, text.data, text.data ? text.size : 0);
}

/* The text of a getter; that there is none counts too. */
static void mix_string(uint64_t *h, td_status status, const td_string *text) {
  mix_number(h, status);
  if (status == TD_OK && text) mix_text(h, td_string_view(text));
  if (status == TD_OK) td_string_release(text);
}

static void add_tensor(snapshot *s, const td_tensor *t, int stays) {
  int64_t dims[64], strides[64];
  const size_t ndim = td_tensor_shape(t, dims, 64);
  mix_number(&s->values, td_tensor_dtype(t));
  mix(&s->values, dims, ndim * sizeof *dims);
  const void *data = NULL;
  if (td_tensor_data(t, &data, NULL) == TD_OK && stays) {
    mix_number(&s->memory, td_tensor_numel(t) ? (int64_t)(intptr_t)data : 0);
    mix(&s->memory, strides, td_tensor_strides(t, strides, 64) * sizeof *strides);
  }
  mix_number(&s->grad, td_tensor_requires_grad(t));
  td_tensor *dense = NULL;
  if (data && td_tensor_contiguous(t, &dense, NULL) == TD_OK) {
    if (td_tensor_data(dense, &data, NULL) == TD_OK) mix(&s->values, data, (size_t)td_tensor_nbytes(dense));
    td_tensor_release(dense);
  }
}

static void add_data(snapshot *s, const td_dict *dict, const td_key *key) {
  td_data_list *list = NULL;
  const td_status status = td_dict_get_data(dict, key, &list, NULL);
  mix_number(&s->values, status);
  if (status != TD_OK) return;
  int64_t dims[64];
  mix(&s->values, dims, td_data_list_shape(list, dims, 64) * sizeof *dims);
  mix_number(&s->values, td_data_list_is_stack(list));
  for (size_t i = 0; i < td_data_list_size(list); ++i) {
    td_data value;
    if (td_data_list_get(list, i, &value, NULL) != TD_OK) continue;
    mix_number(&s->values, value.kind), mix_number(&s->values, value.i);
    mix(&s->values, &value.f, sizeof value.f);
    mix_text(&s->values, value.text);
  }
  td_data_list_release(list);
}

static void add_dict(snapshot *s, const td_dict *dict, int depth);

static void add_members(snapshot *s, const td_dict *dict, int depth) {
  td_dict_list *members = NULL;
  if (td_dict_members(dict, &members, NULL) != TD_OK) return;
  mix_number(&s->structure, (int64_t)td_dict_list_size(members));
  for (size_t i = 0; i < td_dict_list_size(members); ++i) {
    td_dict *member = NULL;
    if (td_dict_list_get(members, i, &member, NULL) != TD_OK) continue;
    add_dict(s, member, depth + 1);
    td_dict_release(member);
  }
  td_dict_list_release(members);
}

static void add_entries(snapshot *s, const td_dict *dict, int depth) {
  td_keys *keys = NULL;
  const td_status status = td_dict_keys(dict, 0, &keys, NULL);
  mix_number(&s->structure, status);
  if (status != TD_OK) return;
  const td_dict_kind kind_of_dict = td_dict_kind_of(dict); /* some make their tensors whenever they are asked for */
  const int stays = kind_of_dict != TD_DICT_KIND_PERSISTENT && kind_of_dict != TD_DICT_KIND_WINDOW;
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    td_entry_kind kind = TD_ENTRY_NONE;
    if (td_keys_get(keys, i, &key, NULL) != TD_OK) continue;
    mix_text(&s->structure, key.parts[0]);
    td_dict_entry_kind(dict, &key, &kind, NULL);
    mix_number(&s->structure, kind);
    td_bool unbatched = 0;
    if (kind == TD_ENTRY_TENSOR && td_dict_is_unbatched(dict, &key, &unbatched, NULL) == TD_OK)
      mix_number(&s->structure, unbatched);
    td_tensor *t = NULL;
    td_dict *below = NULL;
    if (kind == TD_ENTRY_TENSOR && td_dict_get(dict, &key, &t, NULL) == TD_OK) add_tensor(s, t, stays);
    if (kind == TD_ENTRY_DICT && td_dict_get_dict(dict, &key, &below, NULL) == TD_OK) add_dict(s, below, depth + 1);
    if (kind == TD_ENTRY_DATA) add_data(s, dict, &key);
    td_tensor_release(t), td_dict_release(below);
  }
  td_keys_release(keys);
}

static void add_dict(snapshot *s, const td_dict *dict, int depth) {
  int64_t batch[64];
  const size_t ndim = td_dict_batch_size(dict, batch, 64);
  mix_number(&s->structure, td_dict_kind_of(dict));
  mix_number(&s->structure, td_dict_is_locked(dict));
  mix_number(&s->structure, (int64_t)ndim);
  mix(&s->structure, batch, (ndim < 64 ? ndim : 64) * sizeof *batch);
  for (size_t i = 0; i < ndim; ++i) {
    td_string *name = NULL;
    const td_status status = td_dict_name(dict, (int64_t)i, &name, NULL);
    mix_string(&s->structure, status, name);
  }
  const td_str device = td_dict_device(dict);
  mix(&s->structure, device.data ? device.data : "none", device.data ? device.size : 4);
  if (depth > DEEPEST) return;
  if (td_dict_kind_of(dict) == TD_DICT_KIND_LAZY_STACK) {
    mix_number(&s->structure, td_dict_stack_dim(dict));
    add_members(s, dict, depth);
  } else {
    add_entries(s, dict, depth);
  }
}

snapshot snapshot_of(const td_dict *dict) {
  snapshot s = {0xCBF29CE484222325ULL, 0xCBF29CE484222325ULL, 0xCBF29CE484222325ULL, 0xCBF29CE484222325ULL};
  if (dict) add_dict(&s, dict, 0);
  return s;
}

const char *snapshot_difference(const snapshot *before, const snapshot *after) {
  if (before->structure != after->structure) return "its structure";
  if (before->values != after->values) return "its values";
  if (before->memory != after->memory) return "where its tensors are";
  return before->grad != after->grad ? "what requires grad" : NULL;
}
