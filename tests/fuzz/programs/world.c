#include "programs/world.h"

#include <stdarg.h>

void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  child_log(format, arguments);
  va_end(arguments);
}

/* ---- Dicts ---------------------------------------------------------------------------------------------------------- */

td_tensor *numbers(td_dtype dtype, const int64_t *dims, size_t ndim) {
  int64_t n = 1, *all;
  td_tensor *raw = NULL, *t = NULL;
  for (size_t i = 0; i < ndim; ++i) n *= dims[i] < 0 ? 1 : dims[i];
  if (!(all = calloc((size_t)n + 1, sizeof *all))) return NULL;
  for (int64_t i = 0; i < n; ++i) all[i] = dtype == TD_DTYPE_BOOL ? i % 2 : i % 11;
  if (td_tensor_copy_from(all, TD_DTYPE_INT64, dims, ndim, &raw, NULL) == TD_OK)
    td_tensor_to(raw, dtype, TD_NO_STR, &t, NULL);
  td_tensor_release(raw);
  free(all);
  return t;
}

static void put(td_dict *dict, const td_key *key, td_tensor *taken) {
  td_dict_set(dict, key, taken, NULL);
  td_tensor_release(taken);
}

static td_dict *dict_of(const int64_t *batch, size_t ndim, int floats_only) {
  int64_t dims[8];
  td_dict *dict = NULL;
  hold(td_dict_new(batch, ndim, NULL, &dict, NULL) == TD_OK, "a dict can be made");
  if (ndim > 0) memcpy(dims, batch, ndim * sizeof *dims);
  dims[ndim] = 3;
  put(dict, TD_KEY("a"), numbers(TD_DTYPE_FLOAT32, dims, ndim + 1));
  put(dict, TD_KEY("n", "x"), numbers(floats_only ? TD_DTYPE_FLOAT32 : TD_DTYPE_FLOAT64, dims, ndim));
  if (floats_only) return dict;
  put(dict, TD_KEY("b"), numbers(TD_DTYPE_INT64, dims, ndim));
  put(dict, TD_KEY("n", "c"), numbers(TD_DTYPE_BOOL, dims, ndim));
  return dict;
}

static td_dict *with_data(td_dict *dict) {
  const td_data values[] = {td_data_str(TD_STR("one")), td_data_str(TD_STR("two")), td_data_int(3)};
  td_dict_set_data(dict, TD_KEY("word"), TD_DATA(td_data_str(TD_STR("text"))), NULL);
  td_dict_set_data(dict, TD_KEY("n", "number"), TD_DATA(td_data_int(7)), NULL);
  if (td_dict_batch_size(dict, NULL, 0) > 0 && td_dict_len(dict) <= 3)
    td_dict_set_data_stack(dict, TD_KEY("w"), values, (size_t)td_dict_len(dict), NULL);
  return dict;
}

static td_dict *stacked(td_dict *a, td_dict *b, int64_t dim) {
  td_dict *stack = NULL;
  hold(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, dim, &stack, NULL) == TD_OK, "a stack can be made");
  td_dict_release(a), td_dict_release(b);
  return stack;
}

static td_dict *ragged(int64_t n) {
  td_dict *dict = NULL;
  td_dict_new(TD_NO_DIMS, NULL, &dict, NULL);
  put(dict, TD_KEY("a"), numbers(TD_DTYPE_FLOAT32, &n, 1));
  put(dict, n % 2 ? TD_KEY("n", "odd") : TD_KEY("n", "even"), numbers(TD_DTYPE_INT64, TD_NO_DIMS));
  td_dict_set_data(dict, TD_KEY("word"), TD_DATA(td_data_int(n)), NULL);
  return dict;
}

static td_dict *saved(td_dict *taken, td_format format, td_open_mode mode) {
  static int n;
  char path[32];
  td_save_options save = TD_SAVE_OPTIONS_INIT;
  td_open_options open = TD_OPEN_OPTIONS_INIT;
  td_dict *opened = NULL;
  snprintf(path, sizeof path, "made%d", ++n);
  save.format = open.format = format, open.mode = mode;
  if (td_save(taken, TD_STR(path), &save, NULL) != TD_OK || td_open(TD_STR(path), &open, &opened, NULL) != TD_OK)
    return taken;
  td_dict_release(taken);
  return opened;
}

td_dict *new_kind(void) {
  static const int64_t shapes[][2] = {{2, 3}, {3, 2}, {2, 2}, {1, 2}, {3, 1}, {0, 2}};
  const int64_t *batch = ONE_OF(shapes);
  const size_t ndim = chance(15) ? 0 : 1 + below(2);
  td_dict *dict = dict_of(batch, ndim, chance(25)), *other = NULL;
  if (chance(30)) with_data(dict);
  const uint64_t kind = below(15);
  note(" kind %llu", (unsigned long long)kind);
  switch (kind) {
    case 0:
      return stacked(dict, dict_of(batch, ndim, 1), between(0, (int64_t)ndim));
    case 1:
      td_dict_release(dict);
      return stacked(ragged(between(1, 4)), ragged(between(1, 4)), 0);
    case 2:
      td_dict_release(dict);
      return stacked(stacked(ragged(1), ragged(2), 0), stacked(ragged(2), ragged(1), 0), between(0, 1));
    case 3:
      td_dict_release(dict);
      dict = dict_of(batch, ndim, 1);
      if (td_dict_params(dict, NULL, &other, NULL) != TD_OK) return dict;
      td_dict_release(dict);
      return other;
    case 4:
      return saved(dict, TD_FORMAT_HDF5, TD_OPEN_READ_WRITE);
    case 5:
      return saved(dict, TD_FORMAT_HDF5, TD_OPEN_READ);
    case 6:
      return saved(dict, TD_FORMAT_MEMMAP, TD_OPEN_READ_WRITE);
    case 7:
      return saved(dict, chance(50) ? TD_FORMAT_CONSOLIDATED : TD_FORMAT_ARCHIVE,
                   chance(50) ? TD_OPEN_READ : TD_OPEN_COW);
    case 8:
      td_dict_lock_(dict, NULL);
      return dict;
    case 9:
      td_dict_set_names(dict, (const td_str[]){TD_STR("rows"), TD_STR("columns")}, ndim, NULL);
      return dict;
    case 10:
      td_dict_release(dict);
      dict = dict_of(batch, ndim, 1);
      td_dict_requires_grad_(dict, 1, NULL);
      return dict;
    case 11: /* a stack below */
      if (ndim > 0 && batch[0] == 2) {
        other = stacked(ragged(1), ragged(4), 0);
        td_dict_set_batch_size(dict, batch, 1, NULL);
        td_dict_set_dict(dict, TD_KEY("s"), other, NULL);
        td_dict_release(other);
      }
      return dict;
    default:
      return dict;
  }
}

td_dict *any_dict(const world *w) {
  return w->dicts[below((uint64_t)w->n)];
}

td_dict *any_like(const world *w, const td_dict *self) {
  int64_t mine[64], theirs[64];
  const size_t n = td_dict_batch_size(self, mine, 64);
  const int start = (int)below((uint64_t)w->n);
  for (int i = 0; i < w->n && chance(95); ++i) {
    td_dict *d = w->dicts[(start + i) % w->n];
    if (d != self && td_dict_batch_size(d, theirs, 64) == n && memcmp(mine, theirs, n * sizeof *mine) == 0) return d;
  }
  return any_dict(w);
}

void add_dict(world *w, td_dict *taken) {
  if (!taken) return;
  if (td_dict_nbytes(taken) > 1 << 16 || td_dict_len(taken) > 64 || td_dict_batch_size(taken, NULL, 0) > 5) {
    td_dict_release(taken);
    return;
  }
  if (w->n < MOST_DICTS) {
    w->dicts[w->n++] = taken;
    return;
  }
  const int i = (int)below(MOST_DICTS);
  td_dict_release(w->dicts[i]);
  w->dicts[i] = taken;
}

/* ---- Keys and tensors ----------------------------------------------------------------------------------------------- */

static void add_part(some_key *k, td_str part) {
  const size_t n = part.size == TD_STRLEN ? strlen(part.data) : part.size;
  if (k->key.n == 8 || n >= sizeof k->text[0]) return;
  memcpy(k->text[k->key.n], part.data, n);
  k->parts[k->key.n] = (td_str){k->text[k->key.n], n};
  k->key.n += 1;
}

const td_key *new_key(some_key *k) {
  static const char *const words[] = {"a", "b", "n", "x", "new", "s", "word", "w"};
  *k = (some_key){.key = {NULL, 0}};
  k->key.parts = k->parts;
  for (uint64_t n = 1 + (chance(30) ? below(2) : 0); n > 0; --n) add_part(k, TD_STR(ONE_OF(words)));
  return &k->key;
}

const td_key *any_key(some_key *k, const td_dict *dict) {
  td_keys *keys = NULL;
  td_key one;
  new_key(k);
  if (chance(12) || td_dict_keys(dict, TD_KEYS_NESTED, &keys, NULL) != TD_OK) return &k->key;
  const size_t n = td_keys_size(keys);
  if (n > 0 && td_keys_get(keys, below(n), &one, NULL) == TD_OK) {
    k->key.n = 0;
    for (size_t i = 0; i < one.n; ++i) add_part(k, one.parts[i]);
  }
  td_keys_release(keys);
  return &k->key;
}

td_tensor *fitting(const td_dict *dict, const td_key *key) {
  int64_t dims[72];
  td_tensor *there = NULL;
  size_t ndim = td_dict_batch_size(dict, dims, 64);
  td_dtype dtype = TD_DTYPE_FLOAT32;
  if (td_dict_get(dict, key, &there, NULL) == TD_OK) {
    ndim = td_tensor_shape(there, dims, 64);
    dtype = td_tensor_dtype(there);
  } else if (chance(50)) {
    dims[ndim++] = between(1, 3);
  }
  td_tensor_release(there);
  if (chance(8) && ndim > 0) dims[below(ndim)] += 1; /* one that does not fit */
  return numbers(dtype, dims, ndim);
}

int64_t any_dim(const td_dict *dict) {
  const int64_t n = (int64_t)td_dict_batch_size(dict, NULL, 0);
  return chance(8) ? between(-4, 4) : n > 0 ? between(-n, n - 1) : 0;
}

/* ---- What must hold ------------------------------------------------------------------------------------------------- */

void note_dict(const td_dict *dict) {
  td_string *text = NULL;
  if (td_dict_repr(dict, 0, &text, NULL) == TD_OK) note("\n%s", td_string_view(text).data);
  td_string_release(text);
}

static int begins(const int64_t *dims, size_t ndim, const int64_t *batch, size_t n) {
  if (ndim < n) return 0;
  for (size_t i = 0; i < n; ++i)
    if (batch[i] >= 0 && dims[i] >= 0 && dims[i] != batch[i]) return 0;
  return 1;
}

static void expect_entry(world *w, const td_dict *dict, const td_key *key, const int64_t *batch, size_t n) {
  int64_t dims[64];
  td_entry_kind kind = TD_ENTRY_NONE;
  td_tensor *t = NULL;
  td_dict *below_it = NULL;
  td_data_list *list = NULL;
  if (td_dict_entry_kind(dict, key, &kind, NULL) != TD_OK || kind == TD_ENTRY_NONE)
    child_fails("a key of the dict is not in it");
  const int stale = w->unfitting || (w->resized && td_dict_kind_of(dict) != TD_DICT_KIND_TENSORDICT);
  if (kind == TD_ENTRY_TENSOR && td_dict_get(dict, key, &t, NULL) == TD_OK) {
    const size_t ndim = td_tensor_shape(t, dims, 64);
    td_bool unbatched = 0;
    td_dict_is_unbatched(dict, key, &unbatched, NULL);
    if (!unbatched && !stale && !begins(dims, ndim, batch, n)) {
      note_dict(dict);
      child_fails("a tensor does not begin with the batch size");
    }
  }
  if (kind == TD_ENTRY_DICT && td_dict_get_dict(dict, key, &below_it, NULL) == TD_OK) {
    const size_t ndim = td_dict_batch_size(below_it, dims, 64);
    const int fits = begins(dims, ndim, batch, n);
    if (!w->resized && !fits) child_fails("a dict does not begin with the batch size of the one around it");
    w->unfitting = w->unfitting || !fits; /* and so may be what is made of it */
    if (td_dict_is_locked(dict) && !td_dict_is_locked(below_it)) {
      note_dict(dict);
      child_fails("a dict in a locked one is not locked");
    }
    expect_sound(w, below_it);
  }
  if (kind == TD_ENTRY_DATA && td_dict_get_data(dict, key, &list, NULL) == TD_OK && td_data_list_is_stack(list)) {
    const size_t ndim = td_data_list_shape(list, dims, 64);
    if (!stale && !begins(dims, ndim, batch, n)) child_fails("non-tensor data do not have the batch size");
  }
  td_tensor_release(t), td_dict_release(below_it), td_data_list_release(list);
}

void expect_sound(world *w, const td_dict *dict) {
  int64_t batch[64];
  td_keys *keys = NULL;
  td_string *text = NULL;
  const size_t n = td_dict_batch_size(dict, batch, 64);
  td_error *e = NULL;
  const td_status listed = td_dict_keys(dict, 0, &keys, &e);
  /* Members that do not fit each other any more, as their handles are somebody else's too. */
  if (listed == TD_ERR_SHAPE || listed == TD_ERR_INDEX || listed == TD_ERR_DEVICE) return td_error_release(e);
  if (listed != TD_OK) child_fails("a dict does not give its keys: %s", td_error_message(e).data);
  if (td_dict_count(dict) != td_keys_size(keys)) child_fails("a dict counts other entries than it lists");
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    if (td_keys_get(keys, i, &key, NULL) == TD_OK) expect_entry(w, dict, &key, batch, n);
  }
  td_keys_release(keys);
  for (size_t i = 0; i < n; ++i) {
    td_string *name = NULL;
    if (td_dict_name(dict, (int64_t)i, &name, NULL) != TD_OK) child_fails("a dim has neither a name nor none");
    td_string_release(name);
  }
  const td_status printed = td_dict_repr(dict, 0, &text, &e);
  if (printed == TD_ERR_SHAPE || printed == TD_ERR_DEVICE) return td_error_release(e);
  if (printed != TD_OK) child_fails("a dict cannot be printed: %s", td_error_message(e).data);
  td_string_release(text);
}
