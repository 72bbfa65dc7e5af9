/* Containers under arguments that nobody would write: keys that are not text, shapes that overflow, indices of unknown
 * kinds, NULL anywhere. A call may fail; it must say so, and what failed must have changed nothing. TD_FUZZ_ROUNDS makes
 * it longer, TD_FUZZ_SEED another run. */
#include "support/td.h"

enum { DICTS = 8 };

static uint64_t state;

static uint64_t draw(void) { /* xorshift64* */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1DULL;
}
static uint64_t below(uint64_t n) {
  return (draw() >> 11) % n;
}

static int64_t odd_number(void) {
  static const int64_t numbers[] = {0,         1,         2,         3,         -1,           -2, 5, 1 << 20,
                                    INT64_MAX, INT64_MIN, INT32_MIN, 1LL << 40, -(1LL << 40), 4,  2, 3};
  return numbers[below(sizeof numbers / sizeof *numbers)];
}

static td_str odd_text(void) {
  static const char *const texts[] = {"a", "b", "n", "", ".", "a.b", "\xff\xfe", "\xc3", "key with spaces", "s", "l"};
  td_str s = TD_STR(texts[below(sizeof texts / sizeof *texts)]);
  if (below(16) == 0) s = (td_str){NULL, below(2) ? 3 : 0};
  return s;
}

static td_str parts[4][4];
static td_key keys[4];
static const td_key *odd_key(void) {
  const size_t i = below(4);
  if (below(24) == 0) return NULL;
  keys[i].n = below(10) == 0 ? 0 : 1 + below(3);
  keys[i].parts = below(40) == 0 ? NULL : parts[i];
  for (size_t k = 0; k < 4; ++k) parts[i][k] = odd_text();
  return &keys[i];
}

static int64_t dims[4];
static size_t odd_dims(void) {
  for (size_t i = 0; i < 4; ++i) dims[i] = below(3) ? (int64_t)below(4) : odd_number();
  return below(4);
}

static td_dict *dicts[DICTS];
static td_tensor *tensors[6];
static td_dict *one(void) {
  return below(40) == 0 ? NULL : dicts[below(DICTS)];
}
static td_tensor *tensor(void) {
  return below(40) == 0 ? NULL : tensors[below(6)];
}

static td_index indices[4];
static size_t odd_indices(void) {
  for (size_t i = 0; i < 4; ++i) {
    indices[i].kind = below(12) == 0 ? (td_index_kind)odd_number() : (td_index_kind)below(5);
    indices[i].reserved = below(50) == 0;
    indices[i].start = below(2) ? (int64_t)below(4) : odd_number();
    indices[i].stop = below(2) ? (int64_t)below(4) : odd_number();
    indices[i].step = below(2) ? 1 : odd_number();
    indices[i].tensor = tensor();
  }
  return below(4);
}

/* Everything that can be seen of a dict. */
static td_string *look(const td_dict *d) {
  td_string *text = NULL;
  if (td_dict_repr(d, 0, &text, NULL) != TD_OK) return NULL;
  return text;
}

/* Calls that change `d`, and calls that make a dict or a tensor. */
static td_status change(size_t which, td_dict *d, td_error **e) {
  td_dict *other = one();
  switch (which) {
    case 0:
      return td_dict_set(d, odd_key(), tensor(), e);
    case 1:
      return td_dict_set_dict(d, odd_key(), other, e);
    case 2:
      return td_dict_remove(d, odd_key(), e);
    case 3:
      return td_dict_copy_into(d, odd_key(), tensor(), e);
    case 4:
      return td_dict_rename_key_(d, odd_key(), odd_key(), (td_bool)below(2), e);
    case 5:
      return td_dict_update(d, other, NULL, e);
    case 6:
      return td_dict_update_(d, other, e);
    case 7: {
      const size_t n = odd_dims();
      return td_dict_set_batch_size(d, below(30) ? dims : NULL, n, e);
    }
    case 8: {
      const size_t n = odd_indices();
      return td_dict_set_at(d, indices, n, other, e);
    }
    case 9: {
      const size_t n = odd_indices();
      return td_dict_set_at_value(d, indices, n, TD_VALUE(td_value_double((double)odd_number())), e);
    }
    case 10: {
      const size_t n = odd_indices();
      return td_dict_copy_into_at(d, odd_key(), indices, n, tensor(), e);
    }
    case 11:
      return td_dict_masked_fill_(d, tensor(), TD_VALUE(td_value_double((double)odd_number())), e);
    case 12:
      return td_dict_fill_(d, odd_key(), TD_VALUE(td_value_double((double)odd_number())), e);
    case 13:
      return td_dict_create_nested(d, odd_key(), e);
    case 14:
      return td_dict_append(d, other, e);
    case 15:
      return td_dict_set_list(d, odd_key(), tensors, below(4), e);
    case 16: {
      const td_str names[] = {odd_text(), odd_text()};
      return td_dict_set_names(d, names, below(3), e);
    }
    case 17:
      return td_dict_set_data(d, odd_key(), TD_DATA(td_data_str(odd_text())), e);
    default:
      return td_dict_insert(d, below(3), &other, 1, e);
  }
}
enum { CHANGES = 19 };

static td_status make(size_t which, const td_dict *d, td_dict **out, td_tensor **t, td_error **e) {
  const td_dict *both[] = {d, one()};
  size_t n;
  switch (which) {
    case 0:
      return td_dict_get(d, odd_key(), t, e);
    case 1:
      return td_dict_get_dict(d, odd_key(), out, e);
    case 2:
      n = odd_indices();
      return td_dict_index(d, indices, n, out, e);
    case 3:
      return td_dict_stack(both, 2, odd_number(), out, e);
    case 4:
      return td_dict_cat(both, 2, odd_number(), out, e);
    case 5:
      n = odd_dims();
      return td_dict_reshape(d, dims, n, out, e);
    case 6:
      n = odd_dims();
      return td_dict_view(d, dims, n, out, e);
    case 7:
      n = odd_dims();
      return td_dict_expand(d, dims, n, out, e);
    case 8:
      n = odd_dims();
      return td_dict_permute(d, dims, n, out, e);
    case 9:
      n = odd_dims();
      return td_dict_squeeze(d, dims, n, out, e);
    case 10:
      return td_dict_unsqueeze(d, odd_number(), out, e);
    case 11:
      return td_dict_gather(d, odd_number(), tensor(), out, e);
    case 12:
      return td_dict_masked_select(d, tensor(), out, e);
    case 13:
      n = odd_dims();
      return td_dict_pad(d, dims, n, TD_VALUE(td_value_double(1)), out, e);
    case 14:
      return td_dict_flatten_keys(d, odd_text(), out, e);
    case 15:
      return td_dict_unflatten_keys(d, odd_text(), out, e);
    case 16:
      n = odd_dims();
      return td_dict_repeat(d, dims, n, out, e);
    case 17:
      return td_dict_narrow(d, odd_number(), odd_number(), odd_number(), out, e);
    case 18:
      return td_dict_lazy_stack((td_dict *const[]){(td_dict *)d, one()}, 2, odd_number(), out, e);
    case 19:
      return td_dict_to_lazy_stack(d, odd_number(), out, e);
    case 20:
      return td_dict_maybe_dense_stack((td_dict *const[]){(td_dict *)d, one()}, 2, odd_number(), out, e);
    case 21:
      return td_dict_get_padded(d, odd_key(), NULL, t, NULL, e);
    case 22:
      return td_dict_densify(d, NULL, out, e);
    case 23:
      return td_dict_flatten(d, odd_number(), odd_number(), out, e);
    case 24:
      n = odd_dims();
      return td_dict_unflatten(d, odd_number(), dims, n, out, e);
    case 25:
      return td_dict_transpose(d, odd_number(), odd_number(), out, e);
    case 26:
      return td_dict_contiguous(d, out, e);
    case 27:
      return td_dict_clone(d, out, e);
    case 28:
      n = odd_indices();
      return td_dict_get_at(d, odd_key(), indices, n, t, e);
    case 29:
      return td_dict_where(d, tensor(), one(), NULL, out, e);
    case 30:
      return td_dict_merge(both, 2, out, e);
    default:
      return td_dict_copy(d, out, e);
  }
}
enum { MAKES = 32 };

static td_dict *fresh(size_t i) {
  td_dict *d = new_dict(TD_SHAPE(2, 3));
  if (i % 4 == 3) must(td_dict_set_batch_size(d, TD_NO_DIMS, &err));
  put(d, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  put(d, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(2, 3, 2)));
  must(td_dict_set_data(d, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("text"))), &err));
  if (i % 4 == 2) {
    td_dict *lazy, *other = new_dict(TD_SHAPE(2, 3));
    put(other, TD_KEY("a"), range_f32(TD_SHAPE(2, 3, 1)));
    must(td_dict_lazy_stack((td_dict *const[]){d, other, d}, 3, 1, &lazy, &err));
    td_dict_release(d);
    td_dict_release(other);
    return lazy;
  }
  return d;
}

static void expect_said(td_status status, td_error *e, const char *what, size_t which) {
  cr_assert(status >= TD_OK && status <= TD_ERR_BUSY && status != TD_ERR_INTERNAL, "%s %zu gave %s: %s", what, which,
            td_status_name(status).data, e ? td_error_message(e).data : "");
  cr_assert((status != TD_OK) == (e != NULL), "%s %zu: status and error agree", what, which);
  td_error_release(e);
}

Test(container_fuzz, nothing_crashes_and_what_fails_changes_nothing, .timeout = 1200) {
  const char *seed = getenv("TD_FUZZ_SEED"), *given = getenv("TD_FUZZ_ROUNDS");
  const long rounds = given ? atol(given) : 6000;
  state = seed ? strtoull(seed, NULL, 10) * 2 + 1 : 20261;
  for (size_t i = 0; i < DICTS; ++i) dicts[i] = fresh(i);
  tensors[0] = range_f32(TD_SHAPE(2, 3));
  tensors[1] = counted(TD_DTYPE_INT64, TD_SHAPE(2, 3, 2));
  tensors[2] = counted(TD_DTYPE_BOOL, TD_SHAPE(2, 3));
  tensors[3] = vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 0, -1}, 3);
  tensors[4] = full_f32(1, TD_NO_DIMS);
  tensors[5] = counted(TD_DTYPE_BOOL, TD_SHAPE(2));
  long failed = 0;
  for (long round = 0; round < rounds; ++round) {
    td_error *e = NULL;
    td_dict *d = one();
    if (below(2)) {
      const size_t which = below(CHANGES);
      td_string *before = d ? look(d) : NULL, *after;
      const td_status status = change(which, d, &e);
      failed += status != TD_OK;
      after = d ? look(d) : NULL;
      if (status != TD_OK && before && after)
        cr_assert_str_eq(td_string_view(before).data, td_string_view(after).data, "change %zu failed, and changed it",
                         which);
      td_string_release(before);
      td_string_release(after);
      expect_said(status, e, "change", which);
    } else {
      const size_t which = below(MAKES);
      td_dict *out = NULL;
      td_tensor *t = NULL;
      const td_status status = make(which, d, &out, &t, &e);
      failed += status != TD_OK;
      cr_assert(status == TD_OK || (!out && !t), "make %zu failed, and gave something", which);
      td_tensor_release(t);
      expect_said(status, e, "make", which);
      /* What was made goes on, unless it grew large. */
      if (out && td_dict_nbytes(out) < 4096 && td_dict_count(out) < 8 && below(3) == 0) {
        const size_t i = below(DICTS);
        td_dict_release(dicts[i]);
        dicts[i] = out;
      } else {
        td_dict_release(out);
      }
    }
    if (below(40) == 0) {
      const size_t i = below(DICTS);
      td_dict_release(dicts[i]);
      dicts[i] = fresh(i);
    }
  }
  cr_assert(failed > rounds / 8 && failed < rounds, "%ld of %ld calls failed", failed, rounds);
  for (size_t i = 0; i < DICTS; ++i) td_dict_release(dicts[i]);
  for (size_t i = 0; i < 6; ++i) td_tensor_release(tensors[i]);
  for (int kind = 0; kind < OBJECT_KINDS; ++kind)
    if (kind != TD_OBJECT_MAPPING) cr_assert_eq(td_live_objects(kind), 0, "objects of kind %d are left", kind);
}
