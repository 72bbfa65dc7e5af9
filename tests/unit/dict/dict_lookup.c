/* Entries of any kind in one call, prepared keys, and lists as arrays. */
#include "support/td.h"

static td_dict *mixed(void) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  put(td, TD_KEY("n", "b"), range_f32(TD_SHAPE(2, 3)));
  must(td_dict_set_data(td, TD_KEY("n", "note"), TD_DATA(td_data_str(TD_STR("hello"))), &err));
  return td;
}

LeaklessTest(dict_lookup, an_entry_comes_with_its_kind_and_a_miss_is_no_error) {
  td_dict *td = mixed(), *n = get_dict(td, TD_KEY("n"));
  td_entry e;
  must(td_dict_lookup(td, TD_KEY("a"), &e, &err));
  check(e.kind == TD_ENTRY_TENSOR && e.reserved == 0 && e.tensor && !e.dict && !e.data);
  td_entry_clear(&e);
  check(e.kind == TD_ENTRY_NONE && !e.tensor);
  must(td_dict_lookup(td, TD_KEY("n"), &e, &err));
  check(e.kind == TD_ENTRY_DICT && e.dict == n && !e.tensor && !e.data);
  td_entry_clear(&e);
  must(td_dict_lookup(td, TD_KEY("n", "note"), &e, &err));
  check(e.kind == TD_ENTRY_DATA && td_data_list_size(e.data) == 1);
  td_entry_clear(&e);
  td_entry_clear(&e);
  td_entry_clear(NULL);
  const td_key *const missing[] = {TD_KEY("x"), TD_KEY("n", "x"), TD_KEY("x", "y"), TD_KEY("a", "b"),
                                   TD_KEY("n", "note", "x")};
  for (size_t i = 0; i < sizeof missing / sizeof *missing; ++i) {
    memset(&e, 0xA5, sizeof e);
    must(td_dict_lookup(td, missing[i], &e, &err));
    check(e.kind == TD_ENTRY_NONE && !e.tensor && !e.dict && !e.data);
  }
  td_dict_release(n);
  td_dict_release(td);
}

LeaklessTest(dict_lookup, only_a_key_that_cannot_be_is_an_error) {
  td_dict *td = mixed();
  td_entry e;
  memset(&e, 0xA5, sizeof e);
  const td_entry before = e;
  expect_error(td_dict_lookup(td, TD_KEY("\xff"), &e, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_lookup(td, &(const td_key){NULL, 0}, &e, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_lookup(td, &(const td_key){NULL, TD_PREPARED}, &e, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_lookup(td, NULL, &e, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_lookup(NULL, TD_KEY("a"), &e, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_lookup(td, TD_KEY("a"), NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(memcmp(&before, &e, sizeof e) == 0);
  td_dict_release(td);
}

LeaklessTest(dict_lookup, a_prepared_key_is_taken_wherever_a_key_is) {
  td_dict *td = mixed(), *chosen, *d;
  td_path *nb, *a, *again;
  td_entry e;
  td_key shown;
  must(td_path_new(TD_KEY("n", "b"), &nb, &err));
  must(td_path_new(TD_KEY("a"), &a, &err));
  must(td_path_new(TD_PATH(nb), &again, &err));
  must(td_path_view(again, &shown, &err));
  check(shown.n == 2 && says(shown.parts[0], "n") && says(shown.parts[1], "b"));
  check(kind_at(td, TD_PATH(nb)) == TD_ENTRY_TENSOR);
  must(td_dict_lookup(td, TD_PATH(nb), &e, &err));
  check(e.kind == TD_ENTRY_TENSOR);
  td_entry_clear(&e);
  const td_key both[] = {*TD_PATH(a), *TD_PATH(nb)};
  must(td_dict_select(td, both, 2, 1, &chosen, &err));
  check(td_dict_count(chosen) == 2 && kind_at(chosen, TD_KEY("n", "note")) == TD_ENTRY_NONE);
  must(td_dict_rename_key_(chosen, TD_PATH(nb), TD_KEY("m"), 1, &err));
  must(td_dict_remove(chosen, TD_PATH(a), &err));
  check(kind_at(chosen, TD_KEY("m")) == TD_ENTRY_TENSOR && kind_at(chosen, TD_PATH(a)) == TD_ENTRY_NONE);
  must(td_dict_set_data(chosen, TD_PATH(a), TD_DATA(td_data_int(3)), &err));
  check(kind_at(chosen, TD_KEY("a")) == TD_ENTRY_DATA);
  d = get_dict(td, TD_KEY("n"));
  must(td_dict_set_dict(chosen, TD_PATH(nb), d, &err));
  td_dict_release(d);
  check(kind_at(chosen, TD_KEY("n", "b", "b")) == TD_ENTRY_TENSOR);
  td_path_release(a);
  td_path_release(nb);
  td_path_release(again);
  td_dict_release(chosen);
  td_dict_release(td);
}

LeaklessTest(dict_lookup, all_entries_come_in_one_call) {
  td_dict *td = mixed();
  td_entries *all;
  const td_key *keys;
  const td_entry *entries;
  size_t n;
  must(td_dict_entries(td, TD_KEYS_NESTED, &all, &err));
  must(td_entries_view(all, &keys, &entries, &n, &err));
  check(n == 4);
  check(keys[0].n == 1 && says(keys[0].parts[0], "a") && entries[0].kind == TD_ENTRY_TENSOR);
  check(keys[1].n == 1 && says(keys[1].parts[0], "n") && entries[1].kind == TD_ENTRY_DICT);
  check(keys[2].n == 2 && says(keys[2].parts[1], "b") && td_tensor_numel(entries[2].tensor) == 6);
  check(keys[3].n == 2 && says(keys[3].parts[1], "note") && td_data_list_size(entries[3].data) == 1);
  td_dict_release(td); /* they keep what they hold */
  td_tensor *kept = entries[2].tensor;
  td_tensor_retain(kept);
  td_entries_release(all);
  expect_values(kept, VALUES(0, 1, 2, 3, 4, 5));
  td_tensor_release(kept);
  td = new_dict(TD_NO_DIMS);
  must(td_dict_entries(td, 0, &all, &err));
  must(td_entries_view(all, NULL, NULL, &n, &err));
  check(n == 0);
  expect_error(td_entries_view(all, NULL, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_entries(td, 1u << 20, &all, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_entries_release(all);
  td_dict_release(td);
}

LeaklessTest(dict_lookup, lists_are_arrays_too) {
  td_dict *td = mixed();
  td_keys *keys;
  td_tensor_list *tensors;
  td_dict_list *dicts;
  const td_key *key_view;
  td_tensor *const *tensor_view;
  td_dict *const *dict_view;
  size_t n;
  must(td_dict_leaves(td, &keys, &tensors, &err));
  must(td_keys_view(keys, &key_view, &n, &err));
  check(n == 2 && key_view[1].n == 2 && says(key_view[1].parts[0], "n") && says(key_view[1].parts[1], "b"));
  must(td_tensor_list_view(tensors, &tensor_view, &n, &err));
  check(n == 2 && td_tensor_numel(tensor_view[1]) == 6);
  must(td_dict_unbind(td, 0, &dicts, &err));
  must(td_dict_list_view(dicts, &dict_view, &n, &err));
  check(n == 2 && td_dict_count(dict_view[0]) == 2);
  td_dict *kept = dict_view[1];
  td_dict_retain(kept);
  td_dict_list_release(dicts);
  expect_entry(kept, TD_KEY("n", "b"), VALUES(3, 4, 5));
  td_dict_release(kept);
  td_tensor_list_release(tensors);
  td_keys_release(keys);
  td_dict_release(td);
}

LeaklessTest(dict_lookup, handles_of_any_kind_are_released_in_one_call) {
  td_dict *td = mixed();
  td_keys *keys;
  must(td_dict_keys(td, 0, &keys, &err));
  td_tensor *a = get(td, TD_KEY("a"));
  td_object objects[] = {
      {TD_OBJECT_TENSOR, 0, a}, {TD_OBJECT_KEYS, 0, keys}, {TD_OBJECT_DICT, 0, NULL}, {TD_OBJECT_MAPPING, 0, td}};
  const int64_t tensors = td_live_objects(TD_OBJECT_TENSOR);
  expect_error(td_release_many(objects, 4, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(td_live_objects(TD_OBJECT_TENSOR) == tensors);
  objects[3].kind = TD_OBJECT_DICT;
  must(td_release_many(objects, 4, &err));
  check(td_live_objects(TD_OBJECT_TENSOR) == tensors - 1);
  must(td_release_many(NULL, 0, &err));
  for (td_object_kind kind = TD_OBJECT_ERROR; kind <= TD_OBJECT_WORK; ++kind) {  // the newest kind
    const td_object none = {kind, 0, NULL};
    if (kind != TD_OBJECT_MAPPING && kind != TD_OBJECT_NO_GRAD) must(td_release_many(&none, 1, &err));
  }
}
