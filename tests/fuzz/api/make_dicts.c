/* Dicts of every kind: ordinary ones, stacks, parameters, and those that are in files and in shared memory. */
#include "api/api.h"
#include "api/made.h"
#include "support/children.h"

void put(td_dict *dict, const td_key *key, td_tensor *taken) {
  if (dict && taken) td_dict_set(dict, key, taken, NULL);
  td_tensor_release(taken);
}

static td_dict *empty_dict(const int64_t *batch, size_t ndim) {
  td_dict *dict = NULL;
  td_dict_new(batch, ndim, NULL, &dict, NULL);
  return dict;
}

td_dict *small_dict(const int64_t *batch, size_t ndim) {
  int64_t dims[8];
  td_dict *dict = empty_dict(batch, ndim);
  if (ndim > 0) memcpy(dims, batch, ndim * sizeof *dims);
  dims[ndim] = 3;
  put(dict, TD_KEY("a"), numbered(TD_DTYPE_FLOAT32, dims, ndim + 1));
  put(dict, TD_KEY("b"), numbered(TD_DTYPE_INT64, dims, ndim));
  put(dict, TD_KEY("n", "x"), numbered(TD_DTYPE_FLOAT32, dims, ndim));
  put(dict, TD_KEY("n", "c"), numbered(TD_DTYPE_BOOL, dims, ndim));
  return dict;
}

static td_dict *floats(const int64_t *batch, size_t ndim) {
  int64_t dims[8];
  td_dict *dict = empty_dict(batch, ndim);
  if (ndim > 0) memcpy(dims, batch, ndim * sizeof *dims);
  dims[ndim] = 3;
  put(dict, TD_KEY("a"), numbered(TD_DTYPE_FLOAT32, dims, ndim + 1));
  put(dict, TD_KEY("n", "x"), numbered(TD_DTYPE_FLOAT64, dims, ndim));
  return dict;
}

td_dict *stack_of(td_dict *taken, td_dict *also_taken, int64_t dim) {
  td_dict *stack = NULL, *const members[] = {taken, also_taken};
  td_dict_lazy_stack(members, 2, dim, &stack, NULL);
  td_dict_release(taken), td_dict_release(also_taken);
  return stack;
}

/* Gives `from` up for what was made of it. */
static td_dict *after(td_dict *from, td_status status, td_dict *const *result) {
  if (status != TD_OK) return from;
  td_dict_release(from);
  return *result;
}

static td_dict *ragged(int64_t n) {
  td_dict *dict = empty_dict(NULL, 0);
  put(dict, TD_KEY("x"), numbered(TD_DTYPE_FLOAT32, &n, 1));
  put(dict, n % 2 ? TD_KEY("n", "a") : TD_KEY("n", "b"), numbered(TD_DTYPE_INT64, NULL, 0));
  td_dict_set_data(dict, TD_KEY("word"), TD_DATA(td_data_int(n)), NULL);
  return dict;
}

static td_dict *with_data(void) {
  td_dict *dict = small_dict(TD_SHAPE(2));
  const td_data values[] = {td_data_str(TD_STR("one")), td_data_str(TD_STR("two"))};
  td_dict_set_data(dict, TD_KEY("word"), TD_DATA(td_data_str(TD_STR("text"))), NULL);
  td_dict_set_data(dict, TD_KEY("n", "w"), TD_DATA(td_data_int(7)), NULL);
  td_dict_set_data_stack(dict, TD_KEY("c"), values, 2, NULL);
  return dict;
}

/* ---- In files ------------------------------------------------------------------------------------------------------- */

static td_dict *in_file(td_format format, td_open_mode mode) {
  char path[32];
  snprintf(path, sizeof path, "made%d.%s", (int)below(4),
           format == TD_FORMAT_HDF5           ? "h5"
           : format == TD_FORMAT_ARCHIVE      ? "tdz"
           : format == TD_FORMAT_CONSOLIDATED ? "td"
           : format == TD_FORMAT_SAFETENSORS  ? "safetensors"
                                              : "memmap");
  td_save_options save = TD_SAVE_OPTIONS_INIT;
  td_open_options open = TD_OPEN_OPTIONS_INIT;
  td_dict *dict = format == TD_FORMAT_MEMMAP && chance(50) ? with_data() : small_dict(TD_SHAPE(2)), *opened = NULL;
  save.overwrite = 1, save.format = format, open.format = format, open.mode = mode;
  const td_status saved = td_save(dict, TD_STR(path), &save, NULL);
  td_dict_release(dict);
  if (saved == TD_OK) td_open(TD_STR(path), &open, &opened, NULL);
  return opened;
}

static td_dict *persistent(void) {
  char path[32];
  snprintf(path, sizeof path, "made%d.h5", (int)below(100));
  td_persistent_options options = TD_PERSISTENT_OPTIONS_INIT;
  td_dict *dict = NULL, *from = chance(50) ? with_data() : small_dict(TD_SHAPE(2));
  const int64_t batch[] = {2};
  options.mode = TD_OPEN_READ_WRITE, options.batch_size = batch, options.ndim = 1;
  if (td_persistent_create(TD_STR(path), &options, &dict, NULL) == TD_OK) td_dict_update(dict, from, NULL, NULL);
  td_dict_release(from);
  return dict;
}

static td_dict *of_module(void) {
  td_module *module = any_handle(KIND_td_module, "state of");
  td_dict *dict = NULL;
  td_dict_from_module(module, &dict, NULL);
  return dict;
}

static td_dict *of_segment(void) {
  td_segment *segment = any_handle(KIND_td_segment, "dict of");
  td_dict *dict = NULL;
  td_segment_dict(segment, &dict, NULL);
  return dict;
}

static td_dict *of_message(void) {
  td_message *message = any_handle(KIND_td_message, "dict of");
  td_dict *dict = NULL;
  td_message_dict(message, &dict, NULL);
  return dict;
}

/* ---- All ------------------------------------------------------------------------------------------------------------ */

static td_dict *params(void) {
  td_dict *from = floats(TD_NO_DIMS), *dict = NULL;
  td_params_options options = TD_PARAMS_OPTIONS_INIT;
  options.no_convert = chance(20), options.lock = chance(30);
  return after(from, td_dict_params(from, &options, &dict, NULL), &dict);
}

static td_dict *plain(void) {
  static const int64_t shapes[][3] = {{2, 3, 1}, {3, 2, 1}, {2, 1, 2}, {1, 1, 1}, {0, 3, 2}, {2, 2, 2}};
  td_dict *dict = small_dict(ONE_OF(shapes), (size_t)below(4));
  if (dict && chance(15)) {
    td_tensor *table = numbered(TD_DTYPE_FLOAT32, TD_SHAPE(3, 4));
    if (table) td_dict_set_unbatched(dict, chance(50) ? TD_KEY("u") : TD_KEY("n", "u"), table, NULL);
    td_tensor_release(table);
  }
  return dict;
}

static td_dict *view_of(void) {
  td_dict *from = plain(), *dict = NULL;
  switch (below(4)) {
    case 0:
      return after(from, td_dict_index(from, (const td_index[]){TD_SLICE(0, 1)}, 1, &dict, NULL), &dict);
    case 1:
      return after(from, td_dict_unsqueeze(from, 0, &dict, NULL), &dict);
    case 2:
      return after(from, td_dict_transpose(from, 0, -1, &dict, NULL), &dict);
    default:
      if (td_dict_batch_size(from, NULL, 0) > 0) return from;
      return after(from, td_dict_expand(from, TD_SHAPE(3), &dict, NULL), &dict); /* elements that are the same memory */
  }
}

/* The same tensor, or the same node, under two keys. */
static td_dict *twice(void) {
  td_dict *dict = plain(), *node = NULL;
  td_tensor *t = NULL;
  if (td_dict_get(dict, TD_KEY("a"), &t, NULL) == TD_OK) put(dict, TD_KEY("x"), t);
  if (td_dict_get_dict(dict, TD_KEY("n"), &node, NULL) == TD_OK) {
    td_dict_set_dict(dict, TD_KEY("obs"), node, NULL);
    td_dict_release(node);
  }
  return dict;
}

static td_dict *deep(void) {
  td_str parts[120];
  td_dict *dict = empty_dict(TD_SHAPE(2));
  const size_t n = 1 + below(119);
  for (size_t i = 0; i < n; ++i) parts[i] = TD_STR("n");
  put(dict, &(const td_key){parts, n}, numbered(TD_DTYPE_FLOAT32, TD_SHAPE(2)));
  return dict;
}

td_dict *make_td_dict(void) {
  td_dict *dict = NULL;
  const td_dict *before = of_call;
  switch (below(30)) {
    case 0:
      return empty_dict(TD_SHAPE(2));
    case 1:
      return empty_dict(NULL, 0);
    case 2:
    case 3:
      return with_data();
    case 4:
      return stack_of(small_dict(TD_SHAPE(2)), small_dict(TD_SHAPE(2)), between(0, 1));
    case 5:
      return stack_of(ragged(1), ragged(between(1, 4)), 0);
    case 6:
      return stack_of(stack_of(ragged(2), ragged(3), 0), stack_of(ragged(2), ragged(2), 0), between(0, 1));
    case 7:
      return stack_of(with_data(), with_data(), 0);
    case 8:
      dict = small_dict(TD_SHAPE(2));
      td_dict *stack = stack_of(ragged(1), ragged(4), 0);
      td_dict_set_dict(dict, TD_KEY("obs"), stack, NULL);
      td_dict_release(stack);
      return dict;
    case 9:
    case 10:
      return params();
    case 11:
    case 12:
      return persistent();
    case 13:
      return in_file(TD_FORMAT_HDF5, TD_OPEN_READ);
    case 14:
      return in_file(TD_FORMAT_MEMMAP, (td_open_mode)below(3));
    case 15:
      return in_file(ONE_OF(((const td_format[]){TD_FORMAT_CONSOLIDATED, TD_FORMAT_ARCHIVE, TD_FORMAT_SAFETENSORS})),
                     (td_open_mode)below(3));
    case 16:
      dict = plain();
      td_dict_lock_(dict, NULL);
      return dict;
    case 17:
      dict = small_dict(TD_SHAPE(2, 3));
      td_dict_set_names(dict, (const td_str[]){TD_STR("rows"), TD_STR("two")}, 2, NULL);
      return dict;
    case 18:
      dict = floats(TD_SHAPE(2));
      td_dict_requires_grad_(dict, 1, NULL);
      return dict;
    case 19:
      dict = of_module();
      break;
    case 20:
      dict = of_segment();
      break;
    case 21:
      dict = of_message();
      break;
    case 22:
      return twice();
    case 23:
      return deep();
    case 24:
    case 25:
      return view_of();
    case 26: {
      td_dict *from = plain();
      return after(from, td_dict_consolidate(from, &dict, NULL), &dict);
    }
    case 27:
      dict = plain();
      td_dict_share_memory_(dict, NULL);
      return dict;
    default:
      break;
  }
  of_call = before;
  return dict ? dict : plain();
}

td_dict_list *make_td_dict_list(void) {
  td_dict_list *list = NULL;
  td_dict_unbind(any_handle(KIND_td_dict, "unbound"), 0, &list, NULL);
  return list;
}

td_pack_layout *make_td_pack_layout(void) {
  td_tensor *packed = NULL;
  td_pack_layout *layout = NULL;
  if (td_dict_pack(any_handle(KIND_td_dict, "packed"), 0, NULL, &packed, &layout, NULL) == TD_OK)
    td_tensor_release(packed);
  return layout;
}

td_scope *make_td_scope(void) {
  td_dict *dict = any_handle(KIND_td_dict, "in scope"), *other = NULL;
  td_scope *scope = NULL;
  const uint64_t how = below(4);
  td_status status = TD_ERR_ARGUMENT;
  if (how == 0) status = td_scope_unlock(dict, &scope, NULL);
  if (how == 1) status = td_scope_flatten_keys(dict, TD_STR("."), &other, &scope, NULL);
  if (how == 2) status = td_scope_unsqueeze(dict, 0, &other, &scope, NULL);
  if (how == 3) status = td_scope_transpose(dict, 0, -1, &other, &scope, NULL);
  if (status != TD_OK) return NULL;
  if (other) adopt(KIND_td_dict, other);
  return scope;
}
