/* Functions whose arguments must fit each other: memory and its size, values and their number, what is given away. */
#include <sys/socket.h>
#include <unistd.h>

#include "api/api.h"
#include "api/made.h"
#include "support/children.h"

void destroy_owner(void *owner);

#define BY_HAND(name)        \
  void by_hand_##name(void); \
  void by_hand_##name(void)

/* The bytes of a tensor of these sizes, as far as they are sound; else some. */
static size_t bytes_for(const int64_t *dims, size_t ndim) {
  size_t n = 16;
  for (size_t i = 0; i < ndim; ++i) {
    if (!dims || dims[i] < 0 || dims[i] > 4096 || n > (1 << 20)) return 1 << 12;
    n *= dims[i] > 0 ? (size_t)dims[i] : 1;
  }
  return n;
}

/* Memory that goes when its owner is told. */
typedef struct owner {
  void *userdata, *memory;
} owner;

void destroy_owner(void *p) {
  owner *o = p;
  destroy_counted(o->userdata);
  free(o->memory);
  free(o);
}

static owner *new_owner(size_t size) {
  owner *o = malloc(sizeof *o);
  *o = (owner){counted_userdata(), calloc(1, size + 64)};
  return o;
}

/* Sizes whose product is small or absurd, nothing between: the memory is as large as they say, or they are refused. */
static const int64_t *sizes(const char *of, size_t *ndim) {
  *ndim = pick_count(of, "dims");
  int64_t *dims = (int64_t *)pick_int64s(of, "dims", *ndim);
  if (!dims) return NULL;
  if (bytes_for(dims, *ndim) == 1 << 12)
    for (size_t i = 0; i < *ndim; ++i)
      if (dims[i] > 0 && dims[i] < INT64_C(1) << 40) dims[i] = -1;
  return dims;
}

static size_t known_size(td_dtype dtype) {
  return dtype > 0 && dtype <= 16 ? 16 : 16;
}

BY_HAND(td_tensor_from_memory) {
  size_t ndim;
  td_tensor *out;
  td_error *e = NULL;
  const int64_t *dims = sizes("td_tensor_from_memory", &ndim);
  owner *o = new_owner(bytes_for(dims, ndim) * known_size(0));
  const td_dtype dtype = pick_td_dtype("td_tensor_from_memory", "dtype");
  spoil(&out, sizeof out);
  called();
  const td_status status = td_tensor_from_memory(pick_wrong() ? NULL : (char *)o->memory + (pick_wrong() ? 1 : 0),
                                                 dtype, dims, ndim, NULL, destroy_owner, o, &out, &e);
  ended("td_tensor_from_memory", status, e, 0);
  settle_handle("td_tensor_from_memory", status, out, KIND_td_tensor, 0);
}

BY_HAND(td_tensor_copy_from) {
  size_t ndim;
  td_tensor *out;
  td_error *e = NULL;
  const int64_t *dims = sizes("td_tensor_copy_from", &ndim);
  const void *data = keep(bytes_for(dims, ndim) * 16);
  const td_dtype dtype = pick_td_dtype("td_tensor_copy_from", "dtype");
  spoil(&out, sizeof out);
  called();
  const td_status status = td_tensor_copy_from(pick_wrong() ? NULL : data, dtype, dims, ndim, &out, &e);
  ended("td_tensor_copy_from", status, e, 0);
  settle_handle("td_tensor_copy_from", status, out, KIND_td_tensor, 0);
}

BY_HAND(td_error_new_with) {
  td_str text;
  fill_td_str(&text, "td_error_new_with", "message");
  const td_status code = (td_status)pick_i32("td_error_new_with", "code");
  void *userdata = counted_userdata();
  say(")");
  td_error *made = td_error_new_with(code, text, userdata, destroy_counted);
  hold(td_error_userdata(made, destroy_counted) == userdata, "an error has its userdata");
  settle_handle("td_error_new_with", TD_OK, made, KIND_td_error, 0);
}

BY_HAND(td_error_userdata) {
  const td_error *self = any_handle(KIND_td_error, "self");
  say(")");
  hold(!td_error_userdata(self, destroy_owner), "no error was made with this function");
  if (td_error_userdata(self, NULL))
    hold(td_error_userdata(self, destroy_counted) != NULL, "userdata of one kind only");
}

static td_field *fields_for(size_t n) {
  static const td_dtype dtypes[] = {TD_DTYPE_FLOAT32, TD_DTYPE_INT64, TD_DTYPE_UINT8, TD_DTYPE_BOOL};
  td_field *fields = keep((n + 1) * sizeof *fields);
  for (size_t i = 0; i < n; ++i) {
    td_key *key = keep(sizeof *key);
    fill_td_key(key, "fields", "key");
    fields[i] = (td_field){key, ONE_OF(dtypes), 0, NULL, 0, 8 * i};
    if (pick_wrong()) fields[i].offset = (size_t)pick_u64("fields", "offset");
    if (pick_wrong()) fields[i].dtype = pick_td_dtype("fields", "dtype");
    if (chance(20)) fields[i].ndim = 1, fields[i].dims = pick_int64s("fields", "dims", 1);
  }
  return fields;
}

BY_HAND(td_dict_from_struct_array) {
  size_t ndim;
  td_dict *out;
  td_error *e = NULL;
  const int64_t *batch = sizes("td_dict_from_struct_array", &ndim);
  const size_t n = below(4), itemsize = pick_wrong() ? (size_t)pick_u64("td_dict_from_struct_array", "itemsize") : 64;
  const td_field *fields = fields_for(n);
  owner *o = new_owner(bytes_for(batch, ndim) * 64);
  spoil(&out, sizeof out);
  called();
  const td_status status = td_dict_from_struct_array(o->memory, itemsize > 64 ? SIZE_MAX / 2 : itemsize, batch, ndim,
                                                     fields, n, destroy_owner, o, &out, &e);
  ended("td_dict_from_struct_array", status, e, 0);
  settle_handle("td_dict_from_struct_array", status, out, KIND_td_dict, 0);
}

BY_HAND(td_dict_to_struct_array) {
  td_error *e = NULL;
  const td_dict *self = any_handle(KIND_td_dict, "self");
  const size_t n = below(4), size = chance(70) ? 1 << 16 : below(256);
  const td_field *fields = fields_for(n);
  void *data = keep(size);
  called();
  const td_status status =
      td_dict_to_struct_array(self, fields, n, pick_wrong() ? below(9) : 64, pick_wrong() ? NULL : data, size, &e);
  ended("td_dict_to_struct_array", status, e, 0);
}

BY_HAND(td_hash_rows) {
  td_error *e = NULL;
  const td_hash *self = any_handle(KIND_td_hash, "self");
  const size_t n = below(20), row_bytes = below(40), stride = pick_wrong() ? below(40) : row_bytes + below(9);
  const void *rows = keep(n * (row_bytes + stride + 8) + 64);
  uint64_t *out = keep((n + 1) * sizeof *out);
  called();
  const td_status status =
      td_hash_rows(self, pick_wrong() ? NULL : rows, n, row_bytes, stride, pick_wrong() ? NULL : out, &e);
  ended("td_hash_rows", status, e, 0);
}

BY_HAND(td_dict_lookup) {
  td_entry out;
  td_error *e = NULL;
  td_dict *self = any_handle(KIND_td_dict, "self");
  of_call = self;
  td_key key;
  fill_td_key(&key, "td_dict_lookup", "key");
  spoil(&out, sizeof out);
  called();
  const td_status status = td_dict_lookup(self, &key, &out, &e);
  ended("td_dict_lookup", status, e, 0);
  if (status != TD_OK) return settle_plain("td_dict_lookup", status, &out, sizeof out, 0);
  hold((out.kind != TD_ENTRY_NONE) == (out.tensor || out.dict || out.data), "an entry has a kind");
  td_entry_clear(&out);
}

BY_HAND(td_entry_clear) {
  td_entry entry = {TD_ENTRY_TENSOR, 0, any_handle(KIND_td_tensor, "tensor"), NULL, NULL};
  td_tensor_retain(entry.tensor);
  say(")");
  td_entry_clear(&entry);
  td_entry_clear(NULL);
  td_entry_clear(&entry);
}

BY_HAND(td_entries_view) {
  td_entries *self = any_handle(KIND_td_entries, "self");
  const td_key *keys = NULL;
  const td_entry *entries = NULL;
  size_t n = 0;
  td_error *e = NULL;
  called();
  const td_status status = td_entries_view(self, pick_null() ? NULL : &keys, pick_null() ? NULL : &entries, &n, &e);
  ended("td_entries_view", status, e, 0);
  for (size_t i = 0; status == TD_OK && i < n; ++i) {
    if (keys) read_text(keys[i].parts[keys[i].n - 1]);
    if (entries) hold(entries[i].kind > TD_ENTRY_NONE && entries[i].kind <= TD_ENTRY_DATA, "an entry that is listed");
  }
}

/* A view of a list: its elements can be read for as long as the list lives. */
#define VIEW_BY_HAND(name, kind, element, read)             \
  BY_HAND(name) {                                           \
    element *all;                                           \
    size_t n = 0;                                           \
    td_error *e = NULL;                                     \
    kind *self = any_handle(KIND_##kind, "self");           \
    called();                                               \
    const td_status status = name(self, &all, &n, &e);      \
    ended(#name, status, e, 0);                             \
    for (size_t i = 0; status == TD_OK && i < n; ++i) read; \
  }

VIEW_BY_HAND(td_keys_view, td_keys, const td_key, read_text(all[i].parts[all[i].n - 1]))
VIEW_BY_HAND(td_tensor_list_view, td_tensor_list, td_tensor *const, td_tensor_numel(all[i]))
VIEW_BY_HAND(td_dict_list_view, td_dict_list, td_dict *const, td_dict_count(all[i]))

BY_HAND(td_release_many) {
  td_object objects[2] = {{TD_OBJECT_TENSOR, 0, any_handle(KIND_td_tensor, "tensor")},
                          {TD_OBJECT_DICT, 0, any_handle(KIND_td_dict, "dict")}};
  td_error *e = NULL;
  td_tensor_retain(objects[0].handle);
  td_dict_retain(objects[1].handle);
  const int wrong = pick_wrong();
  if (wrong) objects[1].kind = chance(50) ? TD_OBJECT_MAPPING : 1000;
  called();
  const td_status status = td_release_many(objects, 2, &e);
  ended("td_release_many", status, e, 0);
  if (status == TD_OK) return;
  td_tensor_release(objects[0].handle);
  td_dict_release(objects[1].handle);
}

BY_HAND(td_value_clear) {
  td_value value = td_value_none();
  td_tensor *t = any_handle(KIND_td_tensor, "value");
  say(")");
  td_tensor_item(t, &value, NULL);
  td_value_clear(&value);
  td_value_clear(NULL);
  td_tensor_retain(t);
  value = td_value_tensor(t);
  td_value_clear(&value);
}

BY_HAND(td_no_grad_end) {
  td_error *e = NULL;
  td_no_grad *scope = pick_wrong() ? NULL : take_handle(KIND_td_no_grad);
  called();
  const td_status status = td_no_grad_end(scope, &e);
  ended("td_no_grad_end", status, e, 0);
  if (scope && status != TD_OK) child_fails("the innermost scope does not end");
  if (scope && td_no_grad_end(scope, NULL) != TD_ERR_CLOSED) child_fails("a scope ends twice");
  td_no_grad_release(scope);
}

BY_HAND(td_data_list_new) {
  size_t n = 1;
  td_error *e = NULL;
  td_data_list *out;
  int64_t dims[4];
  const size_t ndim = below(4);
  for (size_t i = 0; i < ndim; ++i) n *= (size_t)(dims[i] = between(0, 3));
  td_data *values = keep((n + 1) * sizeof *values);
  for (size_t i = 0; i < n; ++i) fill_td_data(&values[i], "td_data_list_new", "values");
  if (ndim > 0 && pick_wrong()) dims[0] = chance(50) ? -1 : INT64_MAX / 2, n = 0;
  spoil(&out, sizeof out);
  called();
  const td_status status = td_data_list_new(pick_wrong() ? NULL : values, dims, ndim, &out, &e);
  ended("td_data_list_new", status, e, 0);
  settle_handle("td_data_list_new", status, out, KIND_td_data_list, 0);
}

/* ---- DLPack: what one call gives away the other takes --------------------------------------------------------------- */

#define DLPACK(form, type)                                                         \
  static void dlpack##form(const char *of) {                                       \
    td_error *e = NULL;                                                            \
    struct type *managed;                                                          \
    td_tensor *out;                                                                \
    const td_tensor *self = any_handle(KIND_td_tensor, "self");                    \
    spoil(&managed, sizeof managed);                                               \
    spoil(&out, sizeof out);                                                       \
    called();                                                                      \
    td_status status = td_tensor_to_dlpack##form(self, &managed, &e);              \
    ended(of, status, e, 0);                                                       \
    settle_plain(of, status, &managed, sizeof managed, 0);                         \
    if (status != TD_OK) managed = NULL;                                           \
    e = NULL;                                                                      \
    status = td_tensor_from_dlpack##form(managed, pick_wrong() ? NULL : &out, &e); \
    ended(of, status, e, 0);                                                       \
    settle_handle(of, status, out, KIND_td_tensor, 0);                             \
  }
DLPACK(, DLManagedTensorVersioned)
DLPACK(_unversioned, DLManagedTensor)

BY_HAND(td_tensor_to_dlpack) {
  dlpack("td_tensor_to_dlpack");
}
BY_HAND(td_tensor_from_dlpack) {
  dlpack("td_tensor_from_dlpack");
}
BY_HAND(td_tensor_to_dlpack_unversioned) {
  dlpack_unversioned("td_tensor_to_dlpack_unversioned");
}
BY_HAND(td_tensor_from_dlpack_unversioned) {
  dlpack_unversioned("td_tensor_from_dlpack_unversioned");
}

/* ---- Segments through sockets --------------------------------------------------------------------------------------- */

static void pass(const char *of) {
  int ends[2];
  td_error *e = NULL;
  td_segment *out;
  const td_dict *dict = any_handle(KIND_td_dict, "dict");
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  spoil(&out, sizeof out);
  called();
  td_status status = td_segment_send(dict, ends[0], &e);
  ended(of, status, e, 0);
  e = NULL;
  status = td_segment_receive(ends[1], 2, &out, &e);
  ended(of, status, e, 0);
  settle_handle(of, status, out, KIND_td_segment, 0);
  close(ends[0]), close(ends[1]);
}
BY_HAND(td_segment_send) {
  pass("td_segment_send");
}
BY_HAND(td_segment_receive) {
  pass("td_segment_receive");
}

BY_HAND(td_segment_import) {
  int32_t fd = -1;
  td_error *e = NULL;
  td_segment *out;
  const td_dict *dict = any_handle(KIND_td_dict, "dict");
  if (td_segment_export(dict, &fd, NULL) != TD_OK) fd = -1;
  spoil(&out, sizeof out);
  called();
  const td_status status = td_segment_import(fd, &out, &e);
  ended("td_segment_import", status, e, 0);
  settle_handle("td_segment_import", status, out, KIND_td_segment, 0);
  if (fd >= 0) close(fd);
}

/* ---- Calls of hooks, outside of hooks: make_functions.c has those inside --------------------------------------------- */

#define OUTSIDE(function, type, kind, ...)                                                         \
  type forged;                                                                                     \
  spoil(&forged, sizeof forged);                                                                   \
  type *call = chance(80) ? &forged : NULL;                                                        \
  kind *other = any_handle(KIND_##kind, "other");                                                  \
  td_error *e = NULL;                                                                              \
  called();                                                                                        \
  const td_status status = function(__VA_ARGS__, other, &e);                                       \
  hold(status == TD_ERR_ARGUMENT || status == TD_ERR_OOM, #function " changes nothing elsewhere"); \
  ended(#function, status, e, 0)

BY_HAND(td_hook_call_set_data) {
  OUTSIDE(td_hook_call_set_data, td_hook_call, td_dict, call);
}
BY_HAND(td_hook_call_set_result) {
  OUTSIDE(td_hook_call_set_result, td_hook_call, td_dict, call);
}
BY_HAND(td_hook_call_set_input) {
  OUTSIDE(td_hook_call_set_input, td_hook_call, td_tensor, call, (int64_t)below(3));
}
BY_HAND(td_hook_call_set_output) {
  OUTSIDE(td_hook_call_set_output, td_hook_call, td_tensor, call, (int64_t)below(3));
}
BY_HAND(td_backward_call_set_grad_input) {
  OUTSIDE(td_backward_call_set_grad_input, td_backward_call, td_tensor, call, (int64_t)below(3));
}
BY_HAND(td_backward_call_set_grad_output) {
  OUTSIDE(td_backward_call_set_grad_output, td_backward_call, td_tensor, call, (int64_t)below(3));
}
