/* Tensors of every kind, and what they are handed with. */
#include "api/api.h"
#include "api/made.h"
#include "support/children.h"

td_tensor *numbered(td_dtype dtype, const int64_t *dims, size_t ndim) {
  int64_t n = 1;
  td_tensor *raw = NULL, *t = NULL;
  for (size_t i = 0; i < ndim; ++i) n *= dims[i];
  int64_t *numbers = calloc((size_t)n + 1, sizeof *numbers);
  for (int64_t i = 0; i < n; ++i) numbers[i] = dtype == TD_DTYPE_BOOL ? i % 2 : i % 7;
  if (td_tensor_copy_from(numbers, TD_DTYPE_INT64, dims, ndim, &raw, NULL) == TD_OK)
    td_tensor_to(raw, dtype, TD_NO_STR, &t, NULL);
  td_tensor_release(raw);
  free(numbers);
  return t;
}

td_tensor *with_operator(const char *name, const char *overload, const td_value *args, size_t n) {
  td_op *op = NULL;
  td_value out = td_value_none();
  if (td_op_find(TD_STR(name), TD_STR(overload), &op, NULL) != TD_OK) return NULL;
  if (td_op_call(op, args, n, NULL, 0, &out, 1, NULL) != TD_OK) out.kind = TD_VALUE_NONE;
  td_op_release(op);
  return out.kind == TD_VALUE_TENSOR ? out.as.tensor : NULL;
}

static td_tensor *instead(td_tensor *taken, td_tensor *t) {
  if (!t) return taken;
  td_tensor_release(taken);
  return t;
}

static td_tensor *of_dict(const td_dict *dict) {
  td_keys *keys = NULL;
  td_tensor *t = NULL;
  td_key key;
  if (!dict || td_dict_keys(dict, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, NULL) != TD_OK) return NULL;
  const size_t n = td_keys_size(keys);
  if (n > 0 && td_keys_get(keys, below(n), &key, NULL) == TD_OK) td_dict_get(dict, &key, &t, NULL);
  td_keys_release(keys);
  return t;
}

td_tensor *make_td_tensor(void) {
  static const td_dtype dtypes[] = {TD_DTYPE_FLOAT32, TD_DTYPE_FLOAT32, TD_DTYPE_FLOAT32, TD_DTYPE_FLOAT64,
                                    TD_DTYPE_INT64,   TD_DTYPE_INT64,   TD_DTYPE_BOOL,    TD_DTYPE_UINT8};
  int64_t dims[72], batch[64];
  size_t ndim = 0;
  if (of_call && chance(60)) {
    ndim = td_dict_batch_size(of_call, batch, 64);
    for (size_t i = 0; i < ndim; ++i) dims[i] = batch[i] < 0 || batch[i] > 100 ? 2 : batch[i];
    if (ndim > 4) ndim = 4;
  }
  for (uint64_t more = below(3); more > 0; --more) dims[ndim++] = between(chance(10) ? 0 : 1, 4);
  const td_dtype dtype = chance(85) ? ONE_OF(dtypes) : (td_dtype)between(1, 16);
  td_tensor *t = numbered(dtype, dims, ndim);
  const td_value self = td_value_tensor(t);
  if (!t) return NULL;
  switch (below(16)) {
    case 0:
      return instead(t, ndim < 2 ? NULL
                                 : with_operator("transpose", "int",
                                                 (const td_value[]){self, td_value_int(0), td_value_int(1)}, 3));
    case 1:
      td_tensor_requires_grad_(t, 1, NULL);
      return t;
    case 2:
      td_tensor_requires_grad_(t, 1, NULL);
      return instead(t, with_operator("mul", "Scalar", (const td_value[]){self, td_value_int(2)}, 2));
    case 3:
      td_tensor_requires_grad_(t, 1, NULL);
      return instead(t, with_operator("view", "", (const td_value[]){self, td_value_ints(dims, ndim)}, 2));
    case 4:
      return instead(t, with_operator("expand", "", (const td_value[]){self, td_value_ints(dims, ndim)}, 2));
    case 5:
      return instead(t, with_operator("to_sparse", "", &self, 1));
    case 6:
      return instead(t, with_operator("unsqueeze", "", (const td_value[]){self, td_value_int(0)}, 2));
    case 7:
      return instead(t, of_dict(of_call));
    case 8: {
      td_tensor *same = NULL;
      if (td_tensor_memmap_from(
              t, TD_STR("made.memmap"),
              TD_CALLBACKS(td_save_options, 1, 0, TD_RESERVED, 0, NULL, TD_FORMAT_AUTO, TD_COMPRESSION_NONE), &same,
              NULL) != TD_OK)
        return t;
      td_tensor_release(same);
      same = NULL;
      td_tensor_memmap_open(TD_STR("made.memmap"), dims, ndim, dtype, TD_OPEN_READ, &same, NULL);
      return instead(t, same);
    }
    case 9: {
      td_tensor *none = NULL;
      td_tensor_empty(dims, ndim, dtype, TD_STR("meta"), &none, NULL);
      return instead(t, none);
    }
    default:
      return t;
  }
}

td_tensor_list *make_td_tensor_list(void) {
  td_dict *dict = any_handle(KIND_td_dict, "listed");
  td_keys *keys = NULL;
  td_tensor_list *list = NULL;
  if (td_dict_leaves(dict, &keys, &list, NULL) == TD_OK) td_keys_release(keys);
  return list;
}

td_generator *make_td_generator(void) {
  td_generator *g = NULL;
  td_generator_new(below(9), &g, NULL);
  return g;
}

td_no_grad *make_td_no_grad(void) {
  td_no_grad *scope = NULL;
  td_no_grad_begin(&scope, NULL);
  return scope;
}

/* Operators that check what they are given; those that LibTorch trusts its own code to call are its own business. */
td_op *make_td_op(void) {
  static const char *const names[] = {"add",  "sub",   "mul",    "div",   "neg",    "abs",   "exp",    "sum",   "mean",
                                      "amax", "cat",   "stack",  "clone", "where",  "eq",    "lt",     "clamp", "sqrt",
                                      "relu", "sort",  "cumsum", "prod",  "any",    "all",   "square", "sin",   "add_",
                                      "mul_", "zero_", "fill_",  "norm",  "argmax", "isnan", "flip",   "lerp",  "sign"};
  td_op *op = NULL;
  td_op_find(TD_STR(ONE_OF(names)), TD_NO_STR, &op, NULL);
  return op;
}

td_error *make_td_error(void) {
  const td_status status = (td_status)between(0, 23);
  if (chance(50)) return td_error_new_with(status, TD_STR("a failure"), counted_userdata(), destroy_counted);
  return td_error_new(status, TD_STR("a failure"));
}

td_string *make_td_string(void) {
  td_string *s = NULL;
  td_build_info(&s, NULL);
  return s;
}

td_keys *make_td_keys(void) {
  td_keys *keys = NULL;
  td_dict_keys(any_handle(KIND_td_dict, "named"), below(4), &keys, NULL);
  return keys;
}

td_entries *make_td_entries(void) {
  td_entries *entries = NULL;
  td_dict_entries(any_handle(KIND_td_dict, "listed"), below(4), &entries, NULL);
  return entries;
}

td_path *make_td_path(void) {
  td_key key;
  td_path *path = NULL;
  fill_td_key(&key, "td_path_new", "path");
  td_path_new(&key, &path, NULL);
  return path;
}

td_data_list *make_td_data_list(void) {
  td_data values[6];
  td_data_list *list = NULL;
  for (int i = 0; i < 6; ++i) values[i] = chance(50) ? td_data_int(i) : td_data_str(TD_STR("w"));
  if (chance(30))
    td_data_list_new(values, TD_NO_DIMS, &list, NULL);
  else
    td_data_list_new(values, TD_SHAPE(2, 3), &list, NULL);
  return list;
}
