/* NULL where a handle, an output or an array belongs is an error with a message, never a crash, and loses nothing. */
#include "support/td.h"

struct DLManagedTensor;
struct DLManagedTensorVersioned;

#define refuses(call) expect_error((call), TD_ERR_ARGUMENT, NULL, NULL)

static const td_key no_parts = {NULL, 0}, lost_parts = {NULL, 2};

LeaklessTest(null_handles, functions_without_a_status_have_a_documented_answer) {
  int64_t dims[2] = {7, 7};
  td_error_retain(NULL), td_error_release(NULL);
  td_string_retain(NULL), td_string_release(NULL);
  td_keys_retain(NULL), td_keys_release(NULL);
  td_path_retain(NULL), td_path_release(NULL);
  td_tensor_retain(NULL), td_tensor_release(NULL);
  td_tensor_list_retain(NULL), td_tensor_list_release(NULL);
  td_generator_retain(NULL), td_generator_release(NULL);
  td_op_retain(NULL), td_op_release(NULL);
  td_dict_retain(NULL), td_dict_release(NULL);
  td_value_clear(NULL);

  check(td_error_code(NULL) == TD_OK && td_error_cause(NULL) == NULL);
  const td_str texts[] = {td_error_message(NULL), td_error_key(NULL),         td_error_where(NULL),
                          td_error_hint(NULL),    td_string_view(NULL),       td_dict_device(NULL),
                          td_tensor_device(NULL), td_pack_layout_device(NULL)};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) check(!texts[i].data && texts[i].size == 0);
  check(td_has_feature(TD_NO_STR) == 0);
  check(td_keys_size(NULL) == 0 && td_tensor_list_size(NULL) == 0);
  check(td_tensor_ndim(NULL) == 0 && td_tensor_shape(NULL, dims, 2) == 0 && td_tensor_strides(NULL, dims, 2) == 0);
  check(td_tensor_numel(NULL) == 0 && td_tensor_itemsize(NULL) == 0 && td_tensor_nbytes(NULL) == 0);
  check(td_tensor_dtype(NULL) == TD_DTYPE_NONE && td_tensor_is_contiguous(NULL) == 0);
  check(td_tensor_is_read_only(NULL) == 0 && td_tensor_requires_grad(NULL) == 0);
  check(td_dict_batch_size(NULL, dims, 2) == 0 && td_dict_len(NULL) == 0 && td_dict_count(NULL) == 0);
  check(td_dict_nbytes(NULL) == 0 && td_dict_is_locked(NULL) == 0 && td_dict_is_shared(NULL) == 0);
  check(dims[0] == 7 && dims[1] == 7);

  td_error *e = td_error_new(TD_ERR_IO, TD_NO_STR);
  check(td_error_code(e) == TD_ERR_IO && td_error_message(e).size > 0);
  td_error_release(e);
  const td_str lost = {NULL, 4};
  e = td_error_new(TD_ERR_IO, lost); /* a size without data */
  check(e && td_error_message(e).size > 0);
  td_error_release(e);
  check(td_has_feature(lost) == 0);
}

LeaklessTest(null_handles, text_process_and_generators_refuse) {
  const td_str lost = {NULL, 4}, bytes = {"abc", 3};
  const td_key lost_text = {&lost, 1}, text = {&bytes, 1};
  td_key view;
  td_path *path = NULL;
  td_generator *g;
  td_dict *td = new_dict(TD_NO_DIMS);
  td_keys *keys;
  must(td_dict_keys(td, 0, &keys, &err));
  refuses(td_build_info(NULL, &err));
  refuses(td_keys_get(NULL, 0, &view, &err));
  expect_error(td_keys_get(keys, 0, NULL, &err), TD_ERR_INDEX, NULL, NULL);
  refuses(td_path_new(NULL, &path, &err));
  refuses(td_path_new(&no_parts, &path, &err));
  refuses(td_path_new(&lost_parts, &path, &err));
  refuses(td_path_new(&lost_text, &path, &err));
  refuses(td_path_new(&text, NULL, &err));
  refuses(td_generator_new(0, NULL, &err));
  refuses(td_generator_seed(NULL, 0, &err));
  check(path == NULL);
  check(td_build_info(NULL, NULL) == TD_ERR_ARGUMENT); /* nor is the error object needed */
  must(td_generator_new(0, &g, &err));
  td_generator_release(g);
  td_keys_release(keys);
  td_dict_release(td);
}

LeaklessTest(null_handles, functions_that_make_tensors_refuse) {
  float xs[2] = {1, 2};
  td_tensor *t = NULL;
  refuses(td_tensor_from_memory(xs, TD_DTYPE_FLOAT32, NULL, 1, NULL, NULL, NULL, &t, &err));
  refuses(td_tensor_from_memory(xs, TD_DTYPE_FLOAT32, TD_SHAPE(2), NULL, NULL, NULL, NULL, &err));
  refuses(td_tensor_from_memory(NULL, TD_DTYPE_FLOAT32, TD_SHAPE(2), NULL, NULL, NULL, &t, &err));
  refuses(td_tensor_copy_from(NULL, TD_DTYPE_FLOAT32, TD_SHAPE(2), &t, &err));
  refuses(td_tensor_copy_from(xs, TD_DTYPE_FLOAT32, NULL, 1, &t, &err));
  refuses(td_tensor_copy_from(xs, TD_DTYPE_FLOAT32, TD_SHAPE(2), NULL, &err));
  refuses(td_tensor_empty(NULL, 1, TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err));
  refuses(td_tensor_empty(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_NO_STR, NULL, &err));
  refuses(td_tensor_zeros(NULL, 1, TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err));
  refuses(td_tensor_zeros(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_NO_STR, NULL, &err));
  refuses(td_tensor_full(NULL, 1, TD_VALUE(td_value_double(0)), TD_DTYPE_FLOAT32, TD_NO_STR, &t, &err));
  refuses(td_tensor_full(TD_SHAPE(2), TD_VALUE(td_value_double(0)), TD_DTYPE_FLOAT32, TD_NO_STR, NULL, &err));
  refuses(td_tensor_randn(NULL, 1, TD_DTYPE_FLOAT32, TD_NO_STR, NULL, &t, &err));
  refuses(td_tensor_randn(TD_SHAPE(2), TD_DTYPE_FLOAT32, TD_NO_STR, NULL, NULL, &err));
  check(!t);
}

LeaklessTest(null_handles, tensors_refuse) {
  const td_str lost = {NULL, 4};
  td_tensor *x = range_f32(TD_SHAPE(1)), *t = NULL;
  td_tensor_list *list;
  td_value v, listed;
  const void *data = NULL;
  void *writable = NULL;
  td_op *op = operator_named("split", "Tensor");
  must(td_op_call(op, ARGS(td_value_tensor(x), td_value_int(1)), NULL, 0, &listed, 1, &err));
  list = listed.as.list;
  td_op_release(op);
  refuses(td_tensor_data(NULL, &data, &err));
  refuses(td_tensor_data(x, NULL, &err));
  refuses(td_tensor_mutable_data(NULL, &writable, &err));
  refuses(td_tensor_mutable_data(x, NULL, &err));
  refuses(td_tensor_clone(NULL, &t, &err));
  refuses(td_tensor_clone(x, NULL, &err));
  refuses(td_tensor_contiguous(NULL, &t, &err));
  refuses(td_tensor_contiguous(x, NULL, &err));
  refuses(td_tensor_to(NULL, TD_DTYPE_INT8, TD_NO_STR, &t, &err));
  refuses(td_tensor_to(x, TD_DTYPE_INT8, TD_NO_STR, NULL, &err));
  check(td_tensor_to(x, TD_DTYPE_INT8, lost, NULL, NULL) == TD_ERR_ARGUMENT);
  refuses(td_tensor_copy_(NULL, x, &err));
  refuses(td_tensor_copy_(x, NULL, &err));
  refuses(td_tensor_item(NULL, &v, &err));
  refuses(td_tensor_item(x, NULL, &err));
  refuses(td_tensor_list_get(NULL, 0, &t, &err));
  refuses(td_tensor_list_get(list, 0, NULL, &err));
  check(!t && !data && !writable);
  expect_values(x, VALUES(0));
  td_value_clear(&listed);
  td_tensor_release(x);
}

LeaklessTest(null_handles, exchanges_of_tensors_refuse) {
  td_tensor *x = range_f32(TD_SHAPE(1)), *t = NULL;
  struct DLManagedTensorVersioned *versioned = NULL;
  struct DLManagedTensor *unversioned = NULL;
  refuses(td_tensor_to_dlpack(NULL, &versioned, &err));
  refuses(td_tensor_to_dlpack(x, NULL, &err));
  refuses(td_tensor_to_dlpack_unversioned(NULL, &unversioned, &err));
  refuses(td_tensor_to_dlpack_unversioned(x, NULL, &err));
  refuses(td_tensor_from_dlpack(NULL, &t, &err));
  refuses(td_tensor_from_dlpack_unversioned(NULL, &t, &err));
  check(!t && !versioned && !unversioned);
  expect_values(x, VALUES(0));
  td_tensor_release(x);
}

LeaklessTest(null_handles, gradients_refuse) {
  td_tensor *x = range_f32(TD_SHAPE(1)), *t = NULL;
  td_no_grad *scope;
  refuses(td_tensor_requires_grad_(NULL, 1, &err));
  refuses(td_tensor_backward(NULL, x, 0, &err));
  refuses(td_tensor_grad(NULL, &t, &err));
  refuses(td_tensor_grad(x, NULL, &err));
  refuses(td_tensor_detach(NULL, &t, &err));
  refuses(td_tensor_detach(x, NULL, &err));
  refuses(td_no_grad_begin(NULL, &err));
  refuses(td_no_grad_end(NULL, &err));
  check(!t);
  must(td_no_grad_begin(&scope, &err)); /* the failed begin has left no scope open */
  must(td_no_grad_end(scope, &err));
  td_no_grad_release(scope);
  expect_values(x, VALUES(0));
  td_tensor_release(x);
}

LeaklessTest(null_handles, operators_refuse) {
  td_tensor *x = range_f32(TD_SHAPE(2));
  td_op *op = NULL, *add = operator_named("add_", "Tensor");
  td_string *text = NULL;
  td_value out = td_value_int(5);
  const td_str lost = {NULL, 4};
  const td_value args[] = {td_value_tensor(x), td_value_int(1)};
  const td_named_value kwargs[] = {{{NULL, 4}, td_value_int(1)}};
  refuses(td_op_find(lost, TD_NO_STR, &op, &err));
  refuses(td_op_find(TD_STR("add"), TD_NO_STR, NULL, &err));
  expect_error(td_op_find(TD_NO_STR, TD_NO_STR, &op, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  refuses(td_op_schema(NULL, &text, &err));
  refuses(td_op_schema(add, NULL, &err));
  refuses(td_op_call(NULL, args, 2, NULL, 0, &out, 1, &err));
  refuses(td_op_call(add, NULL, 2, NULL, 0, &out, 1, &err));
  refuses(td_op_call(add, args, 2, NULL, 1, &out, 1, &err));
  refuses(td_op_call(add, args, 2, kwargs, 1, &out, 1, &err));
  refuses(td_op_call(add, args, 2, NULL, 0, NULL, 1, &err));
  check(!op && !text && out.kind == TD_VALUE_INT);
  expect_values(x, VALUES(0, 1)); /* in place, and not called */
  td_op_release(add);
  td_tensor_release(x);
}

/* {"x": [0, 1]} of batch size [2] */
static td_dict *dict_of_x(void) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("x"), range_f32(TD_SHAPE(2)));
  return td;
}

LeaklessTest(null_handles, dicts_refuse) {
  td_dict *td = dict_of_x(), *d = NULL;
  td_string *text = NULL;
  td_keys *keys = NULL;
  const td_index nothing[] = {TD_TENSOR(NULL)};
  refuses(td_dict_new(NULL, 1, NULL, &d, &err));
  refuses(td_dict_new(TD_SHAPE(2), NULL, NULL, &err));
  refuses(td_dict_set_batch_size(NULL, TD_SHAPE(2), &err));
  refuses(td_dict_set_batch_size(td, NULL, 1, &err));
  refuses(td_dict_keys(NULL, 0, &keys, &err));
  refuses(td_dict_keys(td, 0, NULL, &err));
  refuses(td_dict_copy(NULL, &d, &err));
  refuses(td_dict_copy(td, NULL, &err));
  refuses(td_dict_clone(NULL, &d, &err));
  refuses(td_dict_clone(td, NULL, &err));
  refuses(td_dict_index(NULL, NULL, 0, &d, &err));
  refuses(td_dict_index(td, NULL, 1, &d, &err));
  refuses(td_dict_index(td, nothing, 1, &d, &err));
  refuses(td_dict_index(td, NULL, 0, NULL, &err));
  refuses(td_dict_stack(NULL, 1, 0, &d, &err));
  refuses(td_dict_stack((const td_dict *const[]){td, NULL}, 2, 0, &d, &err));
  refuses(td_dict_stack((const td_dict *const[]){td}, 1, 0, NULL, &err));
  refuses(td_dict_lock_(NULL, &err));
  refuses(td_dict_share_memory_(NULL, &err));
  refuses(td_dict_unlock_(NULL, &err));
  refuses(td_dict_repr(NULL, 0, &text, &err));
  refuses(td_dict_repr(td, 0, NULL, &err));
  check(!d && !text && !keys);
  check(td_dict_count(td) == 1 && !td_dict_is_locked(td));
  td_dict_release(td);
}

LeaklessTest(null_handles, keys_of_no_parts_are_refused) {
  td_dict *td = dict_of_x(), *d = NULL, *other = new_dict(TD_SHAPE(2));
  td_tensor *x = range_f32(TD_SHAPE(2)), *t = NULL;
  td_entry_kind kind = 9;
  const td_key *bad[] = {NULL, &no_parts, &lost_parts};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    refuses(td_dict_set(td, bad[i], x, &err));
    refuses(td_dict_set_dict(td, bad[i], other, &err));
    refuses(td_dict_copy_into(td, bad[i], x, &err));
    refuses(td_dict_get(td, bad[i], &t, &err));
    refuses(td_dict_get_dict(td, bad[i], &d, &err));
    refuses(td_dict_entry_kind(td, bad[i], &kind, &err));
    refuses(td_dict_remove(td, bad[i], &err));
  }
  check(!d && !t && kind == 9);
  check(td_dict_count(td) == 1);
  td_tensor_release(x);
  td_dict_release(other);
  td_dict_release(td);
}

LeaklessTest(null_handles, entries_refuse) {
  td_dict *td = dict_of_x(), *d = NULL, *other = new_dict(TD_SHAPE(2));
  td_tensor *x = range_f32(TD_SHAPE(2)), *t = NULL;
  td_entry_kind kind = 9;
  const td_key *key = TD_KEY("x");
  refuses(td_dict_set(NULL, key, x, &err));
  refuses(td_dict_set(td, key, NULL, &err));
  refuses(td_dict_set_dict(NULL, key, other, &err));
  refuses(td_dict_set_dict(td, key, NULL, &err));
  refuses(td_dict_copy_into(NULL, key, x, &err));
  refuses(td_dict_copy_into(td, key, NULL, &err));
  refuses(td_dict_get(NULL, key, &t, &err));
  refuses(td_dict_get(td, key, NULL, &err));
  refuses(td_dict_get_dict(NULL, key, &d, &err));
  must(td_dict_set_dict(td, TD_KEY("n"), other, &err));
  refuses(td_dict_get_dict(td, TD_KEY("n"), NULL, &err));
  refuses(td_dict_entry_kind(NULL, key, &kind, &err));
  refuses(td_dict_entry_kind(td, key, NULL, &err));
  refuses(td_dict_remove(NULL, key, &err));
  check(!d && !t && kind == 9);
  check(td_dict_count(td) == 2);
  td_tensor_release(x);
  td_dict_release(other);
  td_dict_release(td);
}

LeaklessTest(null_handles, paths_refuse) {
  td_dict *td = dict_of_x();
  td_tensor *x = range_f32(TD_SHAPE(2)), *t = NULL;
  td_path *path;
  must(td_path_new(TD_KEY("x"), &path, &err));
  const td_path *paths[] = {path}, *no_paths[] = {NULL};
  refuses(td_dict_set_path(NULL, path, x, &err));
  refuses(td_dict_set_path(td, NULL, x, &err));
  refuses(td_dict_set_path(td, path, NULL, &err));
  refuses(td_dict_get_path(NULL, path, &t, &err));
  refuses(td_dict_get_path(td, NULL, &t, &err));
  refuses(td_dict_get_path(td, path, NULL, &err));
  refuses(td_dict_get_many(NULL, paths, 1, &t, &err));
  refuses(td_dict_get_many(NULL, NULL, 0, NULL, &err));
  refuses(td_dict_get_many(td, NULL, 1, &t, &err));
  refuses(td_dict_get_many(td, no_paths, 1, &t, &err));
  refuses(td_dict_get_many(td, paths, 1, NULL, &err));
  check(!t && td_dict_count(td) == 1);
  td_path_release(path);
  td_tensor_release(x);
  td_dict_release(td);
}

LeaklessTest(null_handles, operators_on_dicts_refuse) {
  td_dict *td = dict_of_x(), *d = NULL;
  td_op *neg = operator_named("neg", "");
  const td_value args[] = {td_value_dict(td)}, null_dict[] = {td_value_dict(NULL)};
  refuses(td_dict_apply_op(NULL, args, 1, NULL, 0, &d, 1, &err));
  refuses(td_dict_apply_op(neg, NULL, 1, NULL, 0, &d, 1, &err));
  refuses(td_dict_apply_op(neg, args, 1, NULL, 1, &d, 1, &err));
  refuses(td_dict_apply_op(neg, args, 1, NULL, 0, NULL, 1, &err));
  refuses(td_dict_apply_op(neg, args, 1, NULL, 0, NULL, 0, &err));
  refuses(td_dict_apply_op(neg, null_dict, 1, NULL, 0, &d, 1, &err));
  check(!d && td_dict_count(td) == 1);
  td_op_release(neg);
  td_dict_release(td);
}
