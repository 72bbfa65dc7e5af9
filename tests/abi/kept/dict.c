/* Kept as it is: a program that was built with the first header of this major makes dicts, changes them and saves them. The
 * structs that it fills have the size and the members of that header. */
#include "kept.h"

static td_status doubled(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                         td_error **error) {
  td_value args[2], result;
  check(n == 1 && key->n > 0);
  ++*(int *)userdata;
  args[0] = td_value_tensor(tensors[0]), args[1] = td_value_int(2);
  const td_status status = td_op_run(TD_STR("mul.Scalar"), args, 2, NULL, 0, &result, 1, error);
  if (status == TD_OK) *out = result.as.tensor;
  return status;
}

static void closed(void *userdata) {
  *(int *)userdata += 100;
}

int main(int argc, char **argv) {
  const float values[6] = {0, 1, 2, 3, 4, 5};
  td_dict *td, *twice, *rows, *again;
  td_tensor *x, *row;
  td_entry entry;
  check(argc == 2 && td_abi_version() == TD_ABI_MAJOR);
  must(td_dict_new(TD_SHAPE(2), NULL, &td, &err));
  must(td_tensor_copy_from(values, TD_DTYPE_FLOAT32, TD_SHAPE(2, 3), &x, &err));
  must(td_dict_set(td, TD_KEY("obs"), x, &err));
  must(td_dict_set(td, TD_KEY("next", "obs"), x, &err));
  must(td_dict_set_data(td, TD_KEY("task"), TD_DATA(td_data_str(TD_STR("walk"))), &err));
  check(td_dict_lookup(td, TD_KEY("next", "obs"), &entry, &err) == TD_OK && entry.kind == TD_ENTRY_TENSOR);
  td_entry_clear(&entry);
  check(td_dict_lookup(td, TD_KEY("none"), &entry, &err) == TD_OK && entry.kind == TD_ENTRY_NONE);
  check(td_dict_get(td, TD_KEY("none"), &row, &err) == TD_ERR_KEY && td_error_code(err) == TD_ERR_KEY);
  check(strcmp(td_error_key(err).data, "\"none\"") == 0 && td_error_message(err).size > 0);
  td_error_release(err);
  err = NULL;

  int calls = 0;
  must(td_dict_map(td, TD_CALLBACKS(td_map_function, doubled, &calls, closed), NULL, 0, NULL, &twice, &err));
  check(calls == 102);
  must(td_dict_index(twice, (const td_index[]){TD_INT(-1)}, 1, &rows, &err));
  must(td_dict_get(rows, TD_KEY("obs"), &row, &err));
  const void *data;
  must(td_tensor_data(row, &data, &err));
  check(((const float *)data)[0] == 6 && ((const float *)data)[2] == 10);
  td_tensor_facts facts = TD_TENSOR_FACTS_INIT;
  must(td_tensor_info(row, &facts, &err));
  check(facts.ndim == 1 && facts.sizes[0] == 3 && facts.dtype == TD_DTYPE_FLOAT32 && facts.itemsize == 4);

  td_save_options save = TD_SAVE_OPTIONS_INIT;
  td_open_options open = TD_OPEN_OPTIONS_INIT;
  save.overwrite = 1, save.threads = 2, open.mode = TD_OPEN_COW;
  must(td_save(twice, TD_STR(argv[1]), &save, &err));
  must(td_open(TD_STR(argv[1]), &open, &again, &err));
  td_equal_options near = TD_EQUAL_OPTIONS_INIT;
  near.relative = 1e-6;
  td_bool equal = 0;
  td_string *difference;
  must(td_dict_equal(twice, again, &near, &equal, &difference, &err));
  check(equal && !difference);
  td_string *text;
  must(td_dict_repr(again, TD_REPR_DEFAULT, &text, &err));
  check(strstr(td_string_view(text).data, "TensorDict(") != NULL);
  td_string_release(text);

  td_tensor_release(row), td_tensor_release(x);
  td_dict_release(again), td_dict_release(rows), td_dict_release(twice), td_dict_release(td);
  check(td_live_objects(TD_OBJECT_DICT) == 0 && td_live_objects(TD_OBJECT_TENSOR) == 0);
  return 0;
}
