/* Looks at everything in a dict. What is lazy or mapped is read here, so that a wrong bound shows. */
#include "support/fuzz.h"

static volatile unsigned sum;

static void add(const void *bytes, size_t size) {
  unsigned s = 0;
  for (size_t i = 0; i < size; ++i) s += ((const unsigned char *)bytes)[i];
  sum += s;
}

typedef td_status text_of(const td_dict *dict, td_string **out, td_error **error);

static void add_text(text_of *get, const td_dict *dict) {
  td_string *text = NULL;
  td_error *e = NULL;
  if (typed(get(dict, &text, &e), e) && text) add(td_string_view(text).data, td_string_view(text).size);
  td_string_release(text);
}

static td_status shown(const td_dict *dict, td_string **out, td_error **error) {
  return td_dict_repr(dict, 0, out, error);
}

static void look_at_tensor(const td_dict *dict, const td_key *key) {
  td_tensor *t = NULL, *dense = NULL;
  const void *data = NULL;
  td_error *e = NULL;
  if (typed(td_dict_get(dict, key, &t, &e), e)) {
    e = NULL;
    if (typed(td_tensor_contiguous(t, &dense, &e), e)) {
      e = NULL;
      if (typed(td_tensor_data(dense, &data, &e), e)) add(data, (size_t)td_tensor_nbytes(dense));
    }
  }
  td_tensor_release(t), td_tensor_release(dense);
}

static void look_at_data(const td_dict *dict, const td_key *key) {
  td_data_list *values = NULL;
  td_error *e = NULL;
  if (typed(td_dict_get_data(dict, key, &values, &e), e)) {
    int64_t dims[64];
    hold(td_data_list_shape(values, dims, 64) <= 64, "data has up to 64 dims");
    for (size_t i = 0; i < td_data_list_size(values); ++i) {
      td_data value;
      hold(td_data_list_get(values, i, &value, NULL) == TD_OK, "a value of a list is there");
      add(value.text.data, value.text.size);
    }
  }
  td_data_list_release(values);
}

static void look_below(const td_dict *dict);

static void look_at_members(const td_dict *dict) {
  td_dict_list *members = NULL;
  td_error *e = NULL;
  if (typed(td_dict_members(dict, &members, &e), e))
    for (size_t i = 0; i < td_dict_list_size(members); ++i) {
      td_dict *member = NULL;
      hold(td_dict_list_get(members, i, &member, NULL) == TD_OK, "a member of a stack is there");
      look_below(member);
      td_dict_release(member);
    }
  td_dict_list_release(members);
}

static void look_at_entry(const td_dict *dict, const td_key *key) {
  td_entry_kind kind = 0;
  td_error *e = NULL;
  if (!typed(td_dict_entry_kind(dict, key, &kind, &e), e)) return;
  hold(kind != TD_ENTRY_NONE, "a listed key is there");
  if (kind == TD_ENTRY_TENSOR) look_at_tensor(dict, key);
  if (kind == TD_ENTRY_DATA) look_at_data(dict, key);
  if (kind != TD_ENTRY_DICT) return;
  td_dict *below = NULL;
  e = NULL;
  if (typed(td_dict_get_dict(dict, key, &below, &e), e)) look_below(below);
  td_dict_release(below);
}

static void look_below(const td_dict *dict) {
  td_error *e = NULL;
  int64_t dims[64];
  const size_t ndim = td_dict_batch_size(dict, dims, 64);
  hold(ndim <= 64, "a dict has up to 64 batch dims");
  const int lazy = td_dict_kind_of(dict) == TD_DICT_KIND_LAZY_STACK;
  for (size_t i = 0; i < ndim; ++i) hold(dims[i] >= (lazy ? -1 : 0), "no size is negative, but where members differ");
  add_text(td_dict_python_class, dict);
  add_text(td_dict_python_fields, dict);
  if (lazy) return look_at_members(dict);
  td_keys *keys = NULL;
  if (typed(td_dict_keys(dict, 0, &keys, &e), e))
    for (size_t i = 0; i < td_keys_size(keys); ++i) {
      td_key key;
      hold(td_keys_get(keys, i, &key, NULL) == TD_OK, "a key of a list is there");
      look_at_entry(dict, &key);
    }
  td_keys_release(keys);
}

void look_at(const td_dict *dict) {
  look_below(dict);
  add_text(shown, dict);
}
