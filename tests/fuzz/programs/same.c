/* Whether two dicts hold the same. */
#include <string.h>

#include "programs/world.h"

static int same_tensor(const td_tensor *a, const td_tensor *b) {
  td_tensor *dense[2] = {NULL, NULL};
  const void *bytes[2] = {NULL, NULL};
  int64_t dims[2][64];
  const size_t n = td_tensor_shape(a, dims[0], 64);
  int same = td_tensor_shape(b, dims[1], 64) == n && td_tensor_dtype(a) == td_tensor_dtype(b) &&
             memcmp(dims[0], dims[1], n * sizeof dims[0][0]) == 0;
  same = same && td_tensor_contiguous(a, &dense[0], NULL) == TD_OK && td_tensor_contiguous(b, &dense[1], NULL) == TD_OK;
  if (same && td_tensor_data(dense[0], &bytes[0], NULL) == TD_OK && td_tensor_data(dense[1], &bytes[1], NULL) == TD_OK)
    same = memcmp(bytes[0], bytes[1], (size_t)td_tensor_nbytes(dense[0])) == 0;
  td_tensor_release(dense[0]), td_tensor_release(dense[1]);
  return same;
}

static int same_data(const td_data_list *a, const td_data_list *b) {
  const int of_a = td_data_list_is_stack(a), of_b = td_data_list_is_stack(b);
  const size_t n = of_a ? td_data_list_size(a) : td_data_list_size(b);
  if (of_a && of_b && td_data_list_size(b) != n) return 0;
  for (size_t i = 0; i < n; ++i) {
    td_data x, y;
    if (td_data_list_get(a, of_a ? i : 0, &x, NULL) != td_data_list_get(b, of_b ? i : 0, &y, NULL)) return 0;
    if (x.kind != y.kind || x.i != y.i || memcmp(&x.f, &y.f, sizeof x.f) != 0 || x.text.size != y.text.size) return 0;
    if (x.text.size && memcmp(x.text.data, y.text.data, x.text.size) != 0) return 0;
  }
  return 1;
}

static int same_entry(const td_dict *a, const td_dict *b, const td_key *key);

/* Of an entry that members of one stack have as different things. */
static int same_in_members(const td_dict *a, const td_dict *b, const td_key *key) {
  td_dict_list *of_a = NULL, *of_b = NULL;
  int same = td_dict_members(a, &of_a, NULL) == TD_OK && td_dict_members(b, &of_b, NULL) == TD_OK &&
             td_dict_list_size(of_a) == td_dict_list_size(of_b);
  for (size_t i = 0; same && i < td_dict_list_size(of_a); ++i) {
    td_dict *x = NULL, *y = NULL;
    td_entry_kind in_x = TD_ENTRY_NONE, in_y = TD_ENTRY_NONE;
    same = td_dict_list_get(of_a, i, &x, NULL) == TD_OK && td_dict_list_get(of_b, i, &y, NULL) == TD_OK &&
           td_dict_entry_kind(x, key, &in_x, NULL) == TD_OK && td_dict_entry_kind(y, key, &in_y, NULL) == TD_OK &&
           in_x == in_y && (in_x == TD_ENTRY_NONE || same_entry(x, y, key));
    td_dict_release(x), td_dict_release(y);
  }
  td_dict_list_release(of_a), td_dict_list_release(of_b);
  return same;
}

static int same_dicts(const td_dict *a, const td_dict *b, const td_key *key) {
  td_dict *x = NULL, *y = NULL;
  const int same = td_dict_get_dict(a, key, &x, NULL) == TD_OK && td_dict_get_dict(b, key, &y, NULL) == TD_OK &&
                   same_content(x, y, 1);
  td_dict_release(x), td_dict_release(y);
  return same;
}

/* What a file holds as an ordinary tensor may have other batch dims. */
static int unbatched_in_one(const td_dict *a, const td_dict *b, const td_key *key) {
  td_bool in_a = 0, in_b = 0;
  td_dict_is_unbatched(a, key, &in_a, NULL), td_dict_is_unbatched(b, key, &in_b, NULL);
  return in_a != in_b;
}

/* Of tensors and data the values, whether or not they are of the members of a stack. */
static int same_entry(const td_dict *a, const td_dict *b, const td_key *key) {
  td_tensor *t[2] = {NULL, NULL};
  if (td_dict_get(a, key, &t[0], NULL) == TD_OK && td_dict_get(b, key, &t[1], NULL) == TD_OK) {
    const int same = same_tensor(t[0], t[1]) || unbatched_in_one(a, b, key);
    td_tensor_release(t[0]), td_tensor_release(t[1]);
    return same;
  }
  td_tensor_release(t[0]);
  td_data_list *list[2] = {NULL, NULL};
  if (td_dict_get_data(a, key, &list[0], NULL) == TD_OK && td_dict_get_data(b, key, &list[1], NULL) == TD_OK) {
    const int same = same_data(list[0], list[1]);
    td_data_list_release(list[0]), td_data_list_release(list[1]);
    return same;
  }
  td_data_list_release(list[0]);
  if (same_dicts(a, b, key)) return 1;

  const td_key above = {key->parts, key->n - 1}, last = {key->parts + key->n - 1, 1};
  td_dict *x = NULL, *y = NULL;
  int same = 0;
  if (key->n == 1)
    same = same_in_members(a, b, key);
  else if (td_dict_get_dict(a, &above, &x, NULL) == TD_OK && td_dict_get_dict(b, &above, &y, NULL) == TD_OK)
    same = same_in_members(x, y, &last);
  td_dict_release(x), td_dict_release(y);
  return same;
}

int has_mixed_entries(const td_dict *dict) {
  td_keys *keys = NULL;
  int mixed = 0;
  if (td_dict_keys(dict, TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_DATA, &keys, NULL) != TD_OK) return 1;
  for (size_t i = 0; !mixed && i < td_keys_size(keys); ++i) {
    td_key key;
    td_tensor *t = NULL;
    td_data_list *list = NULL;
    mixed = td_keys_get(keys, i, &key, NULL) == TD_OK && td_dict_get(dict, &key, &t, NULL) == TD_ERR_KEY &&
            td_dict_get_data(dict, &key, &list, NULL) == TD_ERR_KEY;
    td_tensor_release(t), td_data_list_release(list);
  }
  td_keys_release(keys);
  return mixed;
}

int same_content(const td_dict *a, const td_dict *b, int data) {
  td_keys *of_a = NULL, *of_b = NULL;
  td_no_grad *no_grad = NULL; /* views that were made without grad cannot be read with it after a write */
  td_no_grad_begin(&no_grad, NULL);
  const uint64_t flags = TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_SORTED | (data ? TD_KEYS_DATA : 0);
  const td_status left_status = td_dict_keys(a, flags, &of_a, NULL), right_status = td_dict_keys(b, flags, &of_b, NULL);
  int same = left_status == right_status && td_keys_size(of_a) == td_keys_size(of_b);
  for (size_t i = 0; same && i < td_keys_size(of_a); ++i) {
    td_key key;
    same = td_keys_get(of_a, i, &key, NULL) == TD_OK && same_entry(a, b, &key);
    if (!same) note("\nkey %zu differs", i);
  }
  td_keys_release(of_a), td_keys_release(of_b);
  td_no_grad_end(no_grad, NULL), td_no_grad_release(no_grad);
  if (!same) note_dict(a), note_dict(b);
  return same;
}

/* Held until both are compared: what is made when it is asked for is at any address. */
static const void *first_memory(const td_dict *dict, td_tensor **held) {
  td_keys *keys = NULL;
  const void *data = NULL;
  *held = NULL;
  if (td_dict_keys(dict, TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_SORTED, &keys, NULL) != TD_OK) return NULL;
  for (size_t i = 0; i < td_keys_size(keys) && !data; ++i) {
    td_key key;
    td_tensor_release(*held);
    *held = NULL;
    if (td_keys_get(keys, i, &key, NULL) == TD_OK && td_dict_get(dict, &key, held, NULL) == TD_OK &&
        td_tensor_numel(*held) > 0)
      td_tensor_data(*held, &data, NULL);
  }
  td_keys_release(keys);
  return data;
}

int shares_memory(const td_dict *a, const td_dict *b) {
  td_tensor *held[2];
  const void *in_a = first_memory(a, &held[0]), *in_b = first_memory(b, &held[1]);
  td_tensor_release(held[0]), td_tensor_release(held[1]);
  return in_a && in_a == in_b;
}
