/* What a dict holds in numbers, and entries taken out, joined or left out. */
#include "support/trees.h"

LeaklessTest(dict_rearrange, numbers_tell_what_is_there) {
  td_dict *td = tree(), *empty = new_dict(TD_NO_DIMS);
  int64_t dims[4] = {-1, -1, -1, -1};
  size_t ndim = 9;
  must(td_dict_set_data(td, TD_KEY("n", "s"), TD_DATA(td_data_int(1)), &err));
  must(td_dict_entry_shape(td, TD_KEY("a"), dims, 1, &ndim, &err));
  check(ndim == 2 && dims[0] == 2 && dims[1] == -1);
  must(td_dict_entry_shape(td, TD_KEY("n", "m"), NULL, 0, &ndim, &err));
  check(ndim == 1);
  must(td_dict_entry_shape(td, TD_KEY("n", "s"), dims, 4, &ndim, &err));
  check(ndim == 1 && dims[0] == 2);
  expect_error(td_dict_entry_shape(td, TD_KEY("z"), dims, 4, &ndim, &err), TD_ERR_KEY, "\"z\"", NULL);
  expect_error(td_dict_entry_shape(td, TD_KEY("a"), dims, 4, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_entry_shape(NULL, TD_KEY("a"), dims, 4, &ndim, &err), TD_ERR_ARGUMENT, NULL, NULL);

  check(td_dict_depth(td) == 2 && td_dict_depth(empty) == 0 && td_dict_depth(NULL) == 0);
  check(td_dict_dtype(td) == TD_DTYPE_FLOAT32 && td_dict_dtype(empty) == TD_DTYPE_NONE && !td_dict_dtype(NULL));
  check(td_dict_is_floating_point(td) && td_dict_is_floating_point(empty) && td_dict_is_floating_point(NULL));
  check(td_dict_param_count(td, 1) == 10 && td_dict_param_bytes(td, 1) == 40 && td_dict_param_count(NULL, 1) == 0);
  td_tensor *a = get(td, TD_KEY("a"));
  must(td_dict_set(td, TD_KEY("again"), a, &err));
  check(td_dict_param_count(td, 1) == 16 && td_dict_param_count(td, 0) == 10 && td_dict_param_bytes(td, 0) == 40);
  td_tensor *w = requiring_grad(full_f32(2, TD_SHAPE(2))), *sum = call("sum", "", ARGS(td_value_tensor(w)));
  must(td_tensor_backward(sum, NULL, 0, &err));
  put(td, TD_KEY("w"), w);
  check(td_dict_param_bytes(td, 0) == 40 + 2 * 8 && td_dict_param_bytes(NULL, 0) == 0);
  put(td, TD_KEY("i"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
  check(td_dict_dtype(td) == TD_DTYPE_NONE && !td_dict_is_floating_point(td));
  td_tensor_release(sum);
  td_tensor_release(a);
  td_dict_release(td);
  td_dict_release(empty);
}

LeaklessTest(dict_rearrange, data_can_be_listed_and_left_out) {
  td_dict *td = tree(), *plain;
  must(td_dict_set_data(td, TD_KEY("n", "s"), TD_DATA(td_data_int(1)), &err));
  must(td_dict_set_data(td, TD_KEY("t"), TD_DATA(td_data_int(1)), &err));
  expect_keys_at(__FILE__, __LINE__, td, TD_KEYS_NESTED | TD_KEYS_DATA_ONLY, "n/s t");
  expect_keys_at(__FILE__, __LINE__, td, TD_KEYS_DATA_ONLY, "t");
  must(td_dict_filter_non_tensor_data(td, &plain, &err));
  expect_untouched(plain, td);
  expect_keys(td, "a n n/b n/m n/m/c n/s e t");
  check(!same_node(plain, TD_KEY("e"), td, TD_KEY("e")));
  expect_error(td_dict_filter_non_tensor_data(NULL, &plain, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_filter_non_tensor_data(td, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(td);
  td_dict_release(plain);
}

LeaklessTest(dict_rearrange, setdefault_gives_what_is_there_or_sets_it) {
  td_dict *td = tree(), *before;
  td_tensor *x = full_f32(9, TD_SHAPE(2)), *wrong = full_f32(9, TD_SHAPE(3)), *got = NULL;
  must(td_dict_copy(td, &before, &err));
  must(td_dict_lock_(td, &err));
  must(td_dict_set_default(td, TD_KEY("n", "b"), x, &got, &err));
  expect_values(got, VALUES(0, 1));
  td_tensor_release(got);
  expect_error(td_dict_set_default(td, TD_KEY("n", "x"), x, &got, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(td, &err));
  expect_error(td_dict_set_default(td, TD_KEY("n", "x"), wrong, &got, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_dict_set_default(td, TD_KEY("e"), x, &got, &err), TD_ERR_KEY, "\"e\"", NULL);
  expect_error(td_dict_set_default(td, TD_KEY("x"), x, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_set_default(td, TD_KEY("x"), NULL, &got, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_untouched(td, before);
  must(td_dict_set_default(td, TD_KEY("n", "x"), x, &got, &err));
  check(got == x);
  td_tensor_release(got);
  td_tensor_release(x);
  td_tensor_release(wrong);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_rearrange, replace_gives_a_copy_with_the_entries_of_another_dict) {
  td_dict *td = tree(), *before, *made = NULL;
  must(td_dict_copy(td, &before, &err));
  must(td_dict_replace(td, before, &made, &err));
  expect_untouched(made, td);
  td_dict_release(made);
  put(td, TD_KEY("n", "x"), full_f32(9, TD_SHAPE(2)));
  must(td_dict_replace(before, td, &made, &err));
  expect_keys(made, "a n n/b n/m n/m/c n/x e");
  expect_keys(before, all_keys);
  expect_error(td_dict_replace(before, NULL, &made, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_replace(before, td, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  must(td_dict_remove(td, TD_KEY("n"), &err));
  expect_keys(made, "a n n/b n/m n/m/c n/x e");
  td_dict_release(made);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_rearrange, popitem_takes_the_last_entry_of_whatever_kind) {
  td_dict *td = tree(), *popped_dict = NULL;
  td_tensor *popped = NULL;
  td_string *key = NULL;
  td_data_list *data = NULL;
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_popitem(td, &key, &popped, &popped_dict, &data, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(td, &err));
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(td_data_int(1)), &err));
  expect_error(td_dict_popitem(td, &key, &popped, NULL, &data, &err), TD_ERR_ARGUMENT, NULL, NULL);
  must(td_dict_popitem(td, &key, &popped, &popped_dict, &data, &err));
  expect_text(key, "s");
  check(!popped && !popped_dict && data);
  td_data_list_release(data);
  must(td_dict_popitem(td, &key, &popped, &popped_dict, &data, &err));
  expect_text(key, "e");
  check(!popped && popped_dict && !data);
  td_dict_release(popped_dict);
  must(td_dict_remove(td, TD_KEY("n"), &err));
  must(td_dict_popitem(td, &key, &popped, &popped_dict, &data, &err));
  expect_text(key, "a");
  check(popped && !popped_dict && !data);
  td_tensor_release(popped);
  expect_error(td_dict_popitem(td, &key, &popped, &popped_dict, &data, &err), TD_ERR_KEY, NULL, "empty");
  td_dict_release(td);
}

LeaklessTest(dict_rearrange, separate_takes_entries_out) {
  td_separate_options lenient = TD_SEPARATE_OPTIONS_INIT;
  lenient.lenient = 1;
  td_dict *td = tree(), *before, *out = NULL;
  const td_key keys[] = {*TD_KEY("n", "m", "c"), *TD_KEY("a"), *TD_KEY("z")};
  must(td_dict_copy(td, &before, &err));
  expect_error(td_dict_separate(td, keys, 3, NULL, &out, &err), TD_ERR_KEY, "\"z\"", NULL);
  expect_error(td_dict_separate(td, keys, 3, &lenient, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_separate(td, NULL, 3, &lenient, &out, &err), TD_ERR_ARGUMENT, NULL, NULL);
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_separate(td, keys, 3, &lenient, &out, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(td, &err));
  expect_untouched(td, before);
  must(td_dict_separate(td, keys, 3, &lenient, &out, &err));
  expect_keys(td, "n n/b e");
  expect_keys(out, "n n/m n/m/c a");
  expect_batch(out, TD_SHAPE(2));
  td_dict_release(out);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_rearrange, parts_are_renamed_filled_and_shaped_like_the_whole) {
  td_dict *td = tree(), *before, *parts[3] = {NULL, NULL, NULL};
  td_tensor *zero = full_f32(0, TD_SHAPE(2)), *wrong = full_f32(0, TD_SHAPE(3));
  const td_key first[] = {*TD_KEY("n", "b"), *TD_KEY("z")}, second[] = {*TD_KEY("a")};
  const td_key called[] = {*TD_KEY("x"), *TD_KEY("q", "z")};
  const td_key_set sets[] = {{first, 2}, {second, 1}}, names[] = {{called, 2}, {NULL, 0}},
                   few[] = {{called, 1}, {NULL, 0}};
  td_split_options options = TD_SPLIT_OPTIONS_INIT;
  must(td_dict_copy(td, &before, &err));
  options.names = names, options.fill = zero;
  expect_error(td_dict_split_keys(td, sets, 2, &options, parts, &err), TD_ERR_KEY, "\"z\"", NULL);
  expect_error(td_dict_split_keys(td, sets, 2, NULL, parts, &err), TD_ERR_KEY, "\"z\"", NULL);
  options.lenient = 1, options.fill = wrong;
  expect_error(td_dict_split_keys(td, sets, 2, &options, parts, &err), TD_ERR_SHAPE, NULL, NULL);
  options.fill = zero, options.names = few;
  expect_error(td_dict_split_keys(td, sets, 2, &options, parts, &err), TD_ERR_ARGUMENT, NULL, "name");
  expect_error(td_dict_split_keys(td, sets, 2, &options, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!parts[0] && !parts[1] && !parts[2]);
  options.names = names;
  must(td_dict_split_keys(td, sets, 2, &options, parts, &err));
  expect_keys(parts[0], "x q q/z");
  expect_keys(parts[1], "a");
  expect_keys(parts[2], "n n/m n/m/c");
  for (int i = 0; i < 3; ++i) td_dict_release(parts[i]);
  options.names = NULL, options.fill = NULL, options.reproduce_struct = 1;
  must(td_dict_split_keys(td, sets, 2, &options, parts, &err));
  expect_keys(parts[0], "n n/m n/b e");
  expect_keys(parts[1], "n n/m e a");
  expect_keys(parts[2], "n n/m n/m/c e");
  for (int i = 0; i < 3; ++i) td_dict_release(parts[i]);
  expect_untouched(td, before);
  td_tensor_release(zero);
  td_tensor_release(wrong);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_rearrange, entries_are_joined_in_whole_or_not_at_all) {
  td_dict *td = tree(), *before;
  const td_key keys[] = {*TD_KEY("n", "b"), *TD_KEY("n", "m", "c"), *TD_KEY("n", "b")},
               wrong[] = {*TD_KEY("a"), *TD_KEY("n", "b")};
  td_tensor *all = NULL;
  must(td_dict_copy(td, &before, &err));
  expect_error(td_dict_cat_tensors(td, wrong, 2, TD_KEY("x"), 0, 0, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_dict_cat_tensors(td, keys, 3, TD_KEY("x"), 0, 0, &err), TD_ERR_SHAPE, "\"x\"", "batch");
  expect_error(td_dict_cat_tensors(td, keys, 3, TD_KEY("x"), 3, 0, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_dict_stack_tensors(td, keys, 0, TD_KEY("x"), 0, 0, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_stack_tensors(td, keys, 2, TD_KEY("a", "x"), -1, 0, &err), TD_ERR_KEY, NULL, NULL);
  expect_error(td_dict_stack_tensors(td, keys, 2, NULL, -1, 0, &err), TD_ERR_ARGUMENT, NULL, NULL);
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_stack_tensors(td, keys, 2, TD_KEY("x"), -1, 0, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(td, &err));
  expect_untouched(td, before);
  must(td_dict_stack_tensors(td, keys, 3, TD_KEY("x"), -1, 1, &err));
  expect_entry(td, TD_KEY("x"), VALUES(0, 0, 0, 1, 1, 1));
  expect_keys(td, "a n n/b n/m n/m/c e x");
  const td_key both[] = {*TD_KEY("x"), *TD_KEY("a")};
  must(td_dict_cat_tensors(td, both, 2, TD_KEY("a"), 1, 0, &err));
  expect_entry(td, TD_KEY("a"), VALUES(0, 0, 0, 0, 1, 2, 1, 1, 1, 3, 4, 5));
  expect_keys(td, "n n/b n/m n/m/c e a");
  must(td_dict_remove(td, TD_KEY("a"), &err));
  put(td, TD_KEY("n", "a"), full_f32(7, TD_SHAPE(2)));
  must(td_dict_cat_leaves(td, 0, 0, &all, &err));
  expect_values(all, VALUES(0, 1, 0, 1, 7, 7));
  td_tensor_release(all);
  must(td_dict_stack_leaves(td, 1, 1, &all, &err));
  expect_values(all, VALUES(7, 0, 0, 7, 1, 1));
  td_tensor_release(all);
  all = NULL;
  expect_error(td_dict_stack_leaves(before, 0, 0, &all, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_dict_stack_leaves(NULL, 0, 0, &all, &err), TD_ERR_ARGUMENT, NULL, NULL);
  must(td_dict_clear(td, &err));
  expect_error(td_dict_cat_leaves(td, 0, 0, &all, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!all);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_rearrange, lazy_stacks_are_changed_in_their_members) {
  td_dict *first = tree(), *second = tree(), *stack, *out;
  must(td_dict_set_data(first, TD_KEY("s"), TD_DATA(td_data_int(1)), &err));
  put(second, TD_KEY("a"), range_f32(TD_SHAPE(2, 5)));
  td_dict *const members[] = {first, second};
  must(td_dict_lazy_stack(members, 2, 0, &stack, &err));
  check(td_dict_depth(stack) == 2 && td_dict_dtype(stack) == TD_DTYPE_FLOAT32 && td_dict_is_floating_point(stack));
  check(td_dict_param_count(stack, 1) == 10 + 14);
  must(td_dict_filter_non_tensor_data(stack, &out, &err));
  check(kind_at(first, TD_KEY("s")) == TD_ENTRY_DATA);
  td_dict_release(out);
  const td_key joined[] = {*TD_KEY("n", "b"), *TD_KEY("n", "m", "c")}, taken[] = {*TD_KEY("x")};
  must(td_dict_stack_tensors(stack, joined, 2, TD_KEY("x"), -1, 0, &err));
  expect_entry(first, TD_KEY("x"), VALUES(0, 0, 1, 1));
  expect_keys(second, "a n n/m e x");
  must(td_dict_separate(stack, taken, 1, NULL, &out, &err));
  expect_keys(first, "a n n/m e s");
  expect_keys(out, "x");
  td_dict_release(out);
  td_dict_release(stack);
  td_dict_release(first);
  td_dict_release(second);
}
