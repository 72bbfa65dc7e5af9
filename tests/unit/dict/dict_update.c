/* Changes of many entries in one call: all of them, or none. */
#include "support/trees.h"

static td_path *path_of(const td_key *key) {
  td_path *path;
  must(td_path_new(key, &path, &err));
  return path;
}

LeaklessTest(dict_update, set_many_makes_every_change) {
  td_dict *td = tree();
  td_path *paths[] = {path_of(TD_KEY("n", "b")), path_of(TD_KEY("q", "r")), path_of(TD_KEY("q", "s")),
                      path_of(TD_KEY("a"))};
  td_tensor *fits = full_f32(7, TD_SHAPE(2)), *good[] = {fits, fits, fits, fits};
  const td_path *const *list = (const td_path *const *)paths;
  must(td_dict_set_many(td, list, good, 4, &err));
  expect_keys(td, "a n n/b n/m n/m/c e q q/r q/s");
  expect_entry(td, TD_KEY("a"), VALUES(7, 7));
  check(same_memory(td, TD_KEY("q", "r"), td, TD_KEY("n", "b"))); /* stored, not copied */
  must(td_dict_set_many(td, NULL, NULL, 0, &err));
  expect_error(td_dict_set_many(td, NULL, good, 1, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_set_many(td, list, NULL, 1, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_set_many(NULL, list, good, 1, &err), TD_ERR_ARGUMENT, NULL, NULL);
  for (int i = 0; i < 4; ++i) td_path_release(paths[i]);
  td_tensor_release(fits);
  td_dict_release(td);
}

LeaklessTest(dict_update, set_many_makes_no_change_if_one_cannot_be_made) {
  td_dict *td = tree(), *before;
  must(td_dict_copy(td, &before, &err));
  td_path *paths[] = {path_of(TD_KEY("n", "b")), path_of(TD_KEY("q", "r")), path_of(TD_KEY("q", "s")),
                      path_of(TD_KEY("a"))};
  td_tensor *fits = full_f32(7, TD_SHAPE(2)), *wrong = full_f32(7, TD_SHAPE(3)), *good[] = {fits, fits};
  td_tensor *last_is_wrong[] = {fits, fits, fits, wrong}, *last_is_null[] = {fits, fits, fits, NULL};
  const td_path *const *list = (const td_path *const *)paths;
  expect_error(td_dict_set_many(td, list, last_is_wrong, 4, &err), TD_ERR_SHAPE, "\"a\"", "batch mismatch");
  expect_untouched(td, before);
  expect_error(td_dict_set_many(td, list, last_is_null, 4, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_path *below_tensor[] = {paths[1], path_of(TD_KEY("a", "x"))};
  expect_error(td_dict_set_many(td, (const td_path *const *)below_tensor, good, 2, &err), TD_ERR_KEY, "(\"a\", \"x\")",
               "tensor");
  expect_untouched(td, before);
  td_dict *m = get_dict(td, TD_KEY("n", "m"));
  must(td_dict_lock_(m, &err));
  td_path *into_locked[] = {paths[0], path_of(TD_KEY("n", "m", "d"))};
  expect_error(td_dict_set_many(td, (const td_path *const *)into_locked, good, 2, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_untouched(td, before);
  td_dict_release(m);
  for (int i = 0; i < 4; ++i) td_path_release(paths[i]);
  td_path_release(below_tensor[1]), td_path_release(into_locked[1]);
  td_tensor_release(fits), td_tensor_release(wrong);
  td_dict_release(before), td_dict_release(td);
}

LeaklessTest(dict_update, leaves_come_with_their_keys_in_one_call) {
  td_dict *td = tree();
  td_keys *keys, *no_keys = NULL;
  td_tensor_list *tensors, *no_tensors = NULL;
  must(td_dict_leaves(td, &keys, &tensors, &err));
  check(td_keys_size(keys) == 3 && td_tensor_list_size(tensors) == 3);
  for (size_t i = 0; i < 3; ++i) {
    td_key key;
    td_tensor *listed, *there;
    must(td_keys_get(keys, i, &key, &err));
    must(td_tensor_list_get(tensors, i, &listed, &err));
    there = get(td, &key);
    check(listed == there);
    td_tensor_release(listed);
    td_tensor_release(there);
  }
  td_keys_release(keys);
  td_tensor_list_release(tensors);
  expect_error(td_dict_leaves(NULL, &no_keys, &no_tensors, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_leaves(td, NULL, &no_tensors, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_leaves(td, &no_keys, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!no_keys && !no_tensors);
  td_dict_release(td);
}

LeaklessTest(dict_update, update_keeps_nodes_and_replaces_the_rest) {
  td_dict *td = tree(), *src = new_dict(TD_SHAPE(2)), *n = get_dict(td, TD_KEY("n")), *before;
  must(td_dict_copy(td, &before, &err));
  put(src, TD_KEY("n", "b"), full_f32(5, TD_SHAPE(2)));
  put(src, TD_KEY("w", "x"), full_f32(6, TD_SHAPE(2, 4)));
  put(src, TD_KEY("a", "y"), full_f32(8, TD_SHAPE(2))); /* a node in place of a tensor */
  must(td_dict_update(td, src, NULL, &err));
  expect_keys(td, "a a/y n n/b n/m n/m/c e w w/x");
  check(same_memory(td, TD_KEY("n", "b"), src, TD_KEY("n", "b")));
  check(same_node(td, TD_KEY("w"), src, TD_KEY("w")) && !same_node(td, TD_KEY("n"), src, TD_KEY("n")));
  expect_entry(n, TD_KEY("b"), VALUES(5, 5));
  expect_entry(before, TD_KEY("n", "b"), VALUES(0, 1)); /* the old tensor was not written to */

  must(td_dict_update(td, before, NULL, &err)); /* and a tensor in place of a node */
  expect_keys(td, "a n n/b n/m n/m/c e w w/x");
  must(td_dict_update(td, td, NULL, &err));
  must(td_dict_update(td, n, NULL, &err)); /* a dict that is a part of it */
  expect_keys(td, "a n n/b n/m n/m/c e w w/x b m m/c");
  check(same_node(td, TD_KEY("m"), td, TD_KEY("n", "m")));

  const td_dict_update_options clone = {sizeof clone, 0, 1, 0, TD_RESERVED, NULL, 0};
  td_dict *copy = new_dict(TD_SHAPE(2));
  must(td_dict_update(copy, src, &clone, &err));
  check(!same_memory(copy, TD_KEY("n", "b"), src, TD_KEY("n", "b")));
  check(!same_memory(copy, TD_KEY("w", "x"), src, TD_KEY("w", "x")));
  expect_entry(copy, TD_KEY("n", "b"), VALUES(5, 5));
  td_dict_release(copy);
  td_dict_release(before);
  td_dict_release(n);
  td_dict_release(src);
  td_dict_release(td);
}

LeaklessTest(dict_update, a_failed_update_changes_nothing) {
  td_dict *td = tree(), *before;
  must(td_dict_copy(td, &before, &err));
  td_string *text = text_of(td);
  td_dict *src = new_dict(TD_NO_DIMS), *other = new_dict(TD_SHAPE(3)), *nested = new_dict(TD_NO_DIMS);
  put(src, TD_KEY("n", "b"), full_f32(5, TD_SHAPE(2)));
  put(src, TD_KEY("new", "x"), full_f32(5, TD_SHAPE(2)));
  put(src, TD_KEY("e", "x"), full_f32(5, TD_SHAPE(2)));
  put(src, TD_KEY("n", "m", "d"), full_f32(5, TD_SHAPE(3)));
  expect_error(td_dict_update(td, src, NULL, &err), TD_ERR_SHAPE, "(\"n\", \"m\", \"d\")", "batch mismatch");
  expect_error(td_dict_update(td, other, NULL, &err), TD_ERR_SHAPE, "", "the source has [3]");
  put_dict(nested, TD_KEY("x"), new_dict(TD_NO_DIMS));
  put_dict(nested, TD_KEY("n"), new_dict(TD_SHAPE(3)));
  expect_error(td_dict_update(td, nested, NULL, &err), TD_ERR_SHAPE, "\"n\"", "the source has [3]");
  td_dict *cycle = new_dict(TD_SHAPE(2));
  put(cycle, TD_KEY("q"), full_f32(1, TD_SHAPE(2)));
  must(td_dict_set_dict(cycle, TD_KEY("z", "td"), td, &err));
  td_dict *e = get_dict(td, TD_KEY("e"));
  expect_error(td_dict_update(e, cycle, NULL, &err), TD_ERR_ARGUMENT, "\"z\"", "contain itself");
  check(td_dict_count(e) == 0);
  td_dict *n = get_dict(td, TD_KEY("n")), *m = get_dict(td, TD_KEY("n", "m"));
  must(td_dict_lock_(m, &err));
  must(td_dict_remove(src, TD_KEY("n", "m", "d"), &err));
  put(src, TD_KEY("n", "m", "d"), full_f32(5, TD_SHAPE(2)));
  expect_error(td_dict_update(td, src, NULL, &err), TD_ERR_LOCKED, "(\"n\", \"m\", \"d\")", NULL);
  expect_error(td_dict_update(NULL, src, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_update(td, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  const td_dict_update_options bad = {1, 0, 0, 0, TD_RESERVED, NULL, 0};
  expect_error(td_dict_update(td, src, &bad, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_untouched(td, before);
  td_string *after = text_of(td);
  check(strcmp(td_string_view(text).data, td_string_view(after).data) == 0);
  td_string_release(text);
  td_string_release(after);
  td_dict *all[] = {td, before, src, other, nested, cycle, e, n, m};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) td_dict_release(all[i]);
}

LeaklessTest(dict_update, an_update_in_place_writes_into_the_tensors_that_exist) {
  const td_dict_update_options inplace = {sizeof inplace, 1, 0, 0, TD_RESERVED, NULL, 0};
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    td_dict *td = tree(), *src = new_dict(TD_SHAPE(2)), *before;
    must(td_dict_copy(td, &before, &err));
    put(src, TD_KEY("a"), full_f32(4, TD_SHAPE(2, 1)));                                /* broadcast */
    put(src, TD_KEY("n", "b"), vector_of(TD_DTYPE_INT64, (const int64_t[]){8, 9}, 2)); /* cast */
    put(src, TD_KEY("n", "m", "c"), full_f32(3, TD_SHAPE(2)));
    must(td_dict_update(td, src, &inplace, &err));
    check(same_memory(td, TD_KEY("a"), before, TD_KEY("a")));
    expect_entry(before, TD_KEY("a"), VALUES(4, 4, 4, 4, 4, 4));
    expect_entry(before, TD_KEY("n", "b"), VALUES(8, 9));
    expect_entry(before, TD_KEY("n", "m", "c"), VALUES(3, 3));

    must(td_dict_lock_(td, &err)); /* values may be written, keys not added */
    must(td_dict_update(td, src, &inplace, &err));
    expect_error(td_dict_update(td, src, NULL, &err), TD_ERR_LOCKED, NULL, NULL);
    put(src, TD_KEY("a"), full_f32(1, TD_SHAPE(2, 3)));
    put(src, TD_KEY("z"), full_f32(1, TD_SHAPE(2)));
    expect_error(td_dict_update(td, src, &inplace, &err), TD_ERR_LOCKED, "\"z\"", NULL);
    expect_entry(td, TD_KEY("a"), VALUES(4, 4, 4, 4, 4, 4)); /* nothing was written */
    must(td_dict_unlock_(td, &err));
    must(td_dict_update(td, src, &inplace, &err));
    check(same_memory(td, TD_KEY("z"), src, TD_KEY("z")));
    expect_entry(before, TD_KEY("a"), VALUES(1, 1, 1, 1, 1, 1));
    td_dict_release(before);
    td_dict_release(src);
    td_dict_release(td);
  }
}

LeaklessTest(dict_update, in_place_a_tensor_that_is_there_already_is_not_written) {
  td_dict *td = new_dict(TD_NO_DIMS), *same;
  put(td, TD_KEY("w"), range_f32(TD_SHAPE(2)));
  must(td_dict_requires_grad_(td, 1, &err));
  must(td_dict_copy(td, &same, &err));
  const td_dict_update_options inplace = {sizeof inplace, 1, 0, 0, TD_RESERVED, NULL, 0};
  must(td_dict_update(td, same, &inplace, &err)); /* a leaf that requires grad could not be */
  expect_error(td_dict_update_(td, same, &err), TD_ERR_TORCH, "\"w\"", "requires grad");
  expect_entry(td, TD_KEY("w"), VALUES(0, 1));
  td_dict_release(same), td_dict_release(td);
}

LeaklessTest(dict_update, writes_are_all_checked_before_the_first) {
  const td_dict_update_options inplace = {sizeof inplace, 1, 0, 0, TD_RESERVED, NULL, 0};
  td_dict *td = tree(), *before;
  must(td_dict_copy(td, &before, &err));
  const struct {
    const td_key *key;
    td_tensor *value; /* NULL: a dict */
    td_status code;
    const char *says;
  } cases[] = {
      {TD_KEY("n", "m", "c"), full_f32(1, TD_SHAPE(2, 2)), TD_ERR_SHAPE, "does not fit"},
      {TD_KEY("n", "m"), full_f32(1, TD_SHAPE(2)), TD_ERR_KEY, "different kinds"},
      {TD_KEY("n", "m", "c", "d"), full_f32(1, TD_SHAPE(2)), TD_ERR_KEY, "different kinds"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *src = new_dict(TD_SHAPE(2));
    put(src, TD_KEY("a"), full_f32(9, TD_SHAPE(2, 3)));
    put(src, cases[i].key, cases[i].value);
    expect_error(td_dict_update(td, src, &inplace, &err), cases[i].code, NULL, cases[i].says);
    expect_error(td_dict_update_(td, src, &err), cases[i].code, NULL, cases[i].says);
    put(src, TD_KEY("0"), full_f32(9, TD_SHAPE(2))); /* new keys are taken back as well */
    expect_error(td_dict_update(td, src, &inplace, &err), cases[i].code, NULL, NULL);
    td_dict_release(src);
  }
  expect_untouched(td, before);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_update, nothing_is_written_if_one_tensor_cannot_be_written_in_place) {
  td_dict *td = tree(), *before, *src = new_dict(TD_NO_DIMS);
  must(td_dict_copy(td, &before, &err));
  put(src, TD_KEY("a"), full_f32(9, TD_SHAPE(2, 3)));
  put(src, TD_KEY("q"), full_f32(9, TD_NO_DIMS));
  td_tensor *row = range_f32(TD_SHAPE(2, 1));
  td_tensor *wide = call("expand", NULL, ARGS(td_value_tensor(row), td_value_ints((const int64_t[]){2, 3}, 2)));
  put(td, TD_KEY("q"), requiring_grad(range_f32(TD_SHAPE(2))));
  expect_error(td_dict_update_(td, src, &err), TD_ERR_TORCH, "\"q\"", "requires grad");
  td_no_grad *scope;
  must(td_no_grad_begin(&scope, &err));
  put(td, TD_KEY("q"), wide);
  expect_error(td_dict_update_(td, src, &err), TD_ERR_TORCH, "\"q\"", "one place");
  expect_error(td_dict_zero_(td, &err), TD_ERR_TORCH, "\"q\"", "one place");
  must(td_no_grad_end(scope, &err));
  td_no_grad_release(scope);
  must(td_dict_remove(td, TD_KEY("q"), &err));
  expect_untouched(td, before);
  td_tensor_release(row);
  td_dict_release(src);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_update, update_values_never_changes_the_structure) {
  td_dict *td = tree(), *src = new_dict(TD_NO_DIMS), *before;
  must(td_dict_copy(td, &before, &err));
  put(src, TD_KEY("n", "b"), full_f32(2, TD_NO_DIMS));
  must(td_dict_lock_(td, &err));
  must(td_dict_update_(td, src, &err));
  expect_entry(before, TD_KEY("n", "b"), VALUES(2, 2));
  put(src, TD_KEY("a"), full_f32(9, TD_NO_DIMS));
  put(src, TD_KEY("n", "z"), full_f32(9, TD_NO_DIMS));
  expect_error(td_dict_update_(td, src, &err), TD_ERR_KEY, "(\"n\", \"z\")", "no such key");
  expect_entry(td, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  expect_keys(td, all_keys);
  must(td_dict_update_(td, td, &err));
  expect_error(td_dict_update_(td, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_update_(NULL, src, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(before);
  td_dict_release(src);
  td_dict_release(td);
}

LeaklessTest(dict_update, fill_and_zero_write_in_place) {
  td_dict *td = tree(), *before;
  must(td_dict_copy(td, &before, &err));
  must(td_dict_lock_(td, &err));
  must(td_dict_fill_(td, TD_KEY("n"), TD_VALUE(td_value_double(2.5)), &err));
  expect_entry(before, TD_KEY("n", "b"), VALUES(2.5, 2.5));
  expect_entry(before, TD_KEY("n", "m", "c"), VALUES(2.5, 2.5));
  must(td_dict_fill_(td, TD_KEY("a"), TD_VALUE(td_value_double(1)), &err));
  expect_entry(before, TD_KEY("a"), VALUES(1, 1, 1, 1, 1, 1));
  must(td_dict_zero_(td, &err));
  expect_entry(before, TD_KEY("n", "m", "c"), VALUES(0, 0));
  must(td_dict_fill_(td, TD_KEY("e"), TD_VALUE(td_value_double(1)), &err)); /* a node without tensors */
  expect_error(td_dict_fill_(td, TD_KEY("q"), TD_VALUE(td_value_double(1)), &err), TD_ERR_KEY, "\"q\"", NULL);
  expect_error(td_dict_fill_(td, TD_KEY("a", "q"), TD_VALUE(td_value_double(1)), &err), TD_ERR_KEY, NULL, NULL);
  expect_error(td_dict_fill_(td, NULL, TD_VALUE(td_value_double(1)), &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_fill_(NULL, TD_KEY("a"), TD_VALUE(td_value_double(1)), &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_zero_(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);

  must(td_dict_unlock_(td, &err));
  put(td, TD_KEY("n", "i"), vector_of(TD_DTYPE_INT8, (const int64_t[]){3, 4}, 2));
  expect_error(td_dict_fill_(td, TD_KEY("n"), TD_VALUE(td_value_double(300)), &err), TD_ERR_ARGUMENT, "(\"n\", \"i\")",
               "cannot hold");
  expect_entry(td, TD_KEY("n", "b"), VALUES(0, 0));                            /* which came before it */
  must(td_dict_fill_(td, TD_KEY("n"), TD_VALUE(td_value_double(1.75)), &err)); /* as torch: towards zero */
  expect_entry(td, TD_KEY("n", "i"), VALUES(1, 1));
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_update, pop_and_clear_remove_entries) {
  td_dict *td = tree(), *m = NULL;
  td_tensor *b = NULL, *none = NULL;
  must(td_dict_pop(td, TD_KEY("n", "b"), &b, &err));
  expect_values(b, VALUES(0, 1));
  must(td_dict_pop_dict(td, TD_KEY("n", "m"), &m, &err));
  expect_entry(m, TD_KEY("c"), VALUES(0, 1));
  expect_keys(td, "a n e"); /* an emptied node stays */
  expect_error(td_dict_pop(td, TD_KEY("n"), &none, &err), TD_ERR_KEY, "\"n\"", "dict");
  expect_error(td_dict_pop_dict(td, TD_KEY("a"), &m, &err), TD_ERR_KEY, "\"a\"", "tensor");
  expect_error(td_dict_pop(td, TD_KEY("q"), &none, &err), TD_ERR_KEY, "\"q\"", NULL);
  expect_error(td_dict_pop(td, TD_KEY("a"), NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_pop_dict(td, TD_KEY("n"), NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_pop(td, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_pop(NULL, TD_KEY("a"), &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_pop(td, TD_KEY("a"), &none, &err), TD_ERR_LOCKED, "\"a\"", NULL);
  expect_error(td_dict_pop_dict(td, TD_KEY("n"), &m, &err), TD_ERR_LOCKED, "\"n\"", NULL);
  expect_error(td_dict_clear(td, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_keys(td, "a n e");
  check(!none);
  must(td_dict_unlock_(td, &err));
  for (char key[] = "k0"; key[1] <= '9'; ++key[1]) put(td, TD_KEY(key), range_f32(TD_SHAPE(2))); /* hashed */
  must(td_dict_clear(td, &err));
  check(td_dict_count(td) == 0);
  put(td, TD_KEY("k3"), range_f32(TD_SHAPE(2)));
  expect_keys(td, "k3");
  expect_error(td_dict_clear(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_tensor_release(b);
  td_dict_release(m);
  td_dict_release(td);
}

LeaklessTest(dict_update, a_large_dict_gets_its_order_back) {
  td_dict *td = new_dict(TD_SHAPE(2)), *src = new_dict(TD_NO_DIMS);
  for (char key[] = "k0"; key[1] <= '9'; ++key[1]) {
    put(td, TD_KEY(key), range_f32(TD_SHAPE(2)));
    put(td, TD_KEY("n", key), range_f32(TD_SHAPE(2)));
    key[0] = 'x';
    put(src, TD_KEY(key), range_f32(TD_SHAPE(2)));
    key[0] = 'k';
  }
  td_string *text = text_of(td);
  put_dict(src, TD_KEY("n"), new_dict(TD_SHAPE(3))); /* fails last */
  expect_error(td_dict_update(td, src, NULL, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_keys_at(__FILE__, __LINE__, td, 0, "k0 n k1 k2 k3 k4 k5 k6 k7 k8 k9");
  put(td, TD_KEY("long"), range_f32(TD_SHAPE(2, 4)));
  put_dict(td, TD_KEY("deep"), new_dict(TD_SHAPE(2, 3)));
  expect_error(td_dict_rename_key_(td, TD_KEY("k2"), TD_KEY("deep", "k2"), 0, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_keys_at(__FILE__, __LINE__, td, 0, "k0 n k1 k2 k3 k4 k5 k6 k7 k8 k9 long deep");
  td_string_release(text);
  td_dict_release(src);
  td_dict_release(td);
}

LeaklessTest(dict_update, build_takes_a_nested_literal) {
  td_tensor *a = range_f32(TD_SHAPE(2, 3)), *b = range_f32(TD_SHAPE(2));
  td_dict *sub = new_dict(TD_NO_DIMS), *td = NULL;
  put(sub, TD_KEY("x"), full_f32(1, TD_SHAPE(2)));
  const td_item good[] = {{TD_KEY("n", "b"), td_value_tensor(b)},
                          {TD_KEY("a"), td_value_tensor(a)},
                          {TD_KEY("s"), td_value_dict(sub)},
                          {TD_KEY("n", "b"), td_value_tensor(b)}};
  must(td_dict_from_items(TD_SHAPE(2), good, 4, NULL, &td, &err));
  expect_keys(td, "n n/b a s s/x");
  expect_batch(td, TD_SHAPE(2));
  td_tensor *there = get(td, TD_KEY("a"));
  check(there == a);
  td_tensor_release(there);
  check(td_dict_batch_size(sub, NULL, 0) == 0); /* it did not fit, so a copy was stored */
  td_dict_release(td);
  must(td_dict_from_items(TD_NO_DIMS, NULL, 0, NULL, &td, &err));
  check(td_dict_count(td) == 0);
  td_dict_release(td);
  td_dict_release(sub);
  td_tensor_release(a);
  td_tensor_release(b);
}

LeaklessTest(dict_update, build_refuses_what_is_no_entry_or_does_not_fit) {
  td_tensor *a = range_f32(TD_SHAPE(2, 3)), *b = range_f32(TD_SHAPE(2)), *wrong = range_f32(TD_SHAPE(3));
  td_dict *sub = new_dict(TD_NO_DIMS), *none = NULL;
  const td_item items[] = {{TD_KEY("n", "b"), td_value_tensor(b)},
                           {TD_KEY("a"), td_value_tensor(wrong)},
                           {TD_KEY("a"), td_value_tensor(a)},
                           {TD_KEY("s"), td_value_dict(sub)}};
  const td_item nothing[] = {{TD_KEY("i"), td_value_none()}}, null_key[] = {{NULL, td_value_tensor(a)}};
  const td_item null_value[] = {{TD_KEY("i"), td_value_tensor(NULL)}};
  const td_item below[] = {items[2], {TD_KEY("a", "b"), td_value_tensor(b)}};
  const td_dict_options nowhere = {sizeof nowhere, {"nowhere", TD_STRLEN}};
  expect_error(td_dict_from_items(TD_SHAPE(2), items, 4, NULL, &none, &err), TD_ERR_SHAPE, "\"a\"", NULL);
  expect_error(td_dict_from_items(TD_SHAPE(-1), items, 0, NULL, &none, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_dict_from_items(TD_SHAPE(2), nothing, 1, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "not an entry");
  expect_error(td_dict_from_items(TD_SHAPE(2), null_key, 1, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_from_items(TD_SHAPE(2), null_value, 1, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_from_items(TD_SHAPE(2), below, 2, NULL, &none, &err), TD_ERR_KEY, NULL, "tensor");
  expect_error(td_dict_from_items(TD_SHAPE(2), NULL, 1, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_from_items(TD_SHAPE(2), items, 1, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_from_items(TD_SHAPE(2), items, 1, &nowhere, &none, &err), TD_ERR_DEVICE, NULL, NULL);
  check(!none);
  td_dict_release(sub);
  td_tensor_release(a);
  td_tensor_release(b);
  td_tensor_release(wrong);
}

LeaklessTest(dict_update, build_puts_a_dict_that_is_passed_back_as_it_was) {
  td_tensor *b = range_f32(TD_SHAPE(2)), *wrong = range_f32(TD_SHAPE(3));
  td_dict *fits = new_dict(TD_SHAPE(2)), *none = NULL;
  const td_item into[] = {{TD_KEY("f"), td_value_dict(fits)},
                          {TD_KEY("f", "x"), td_value_tensor(b)},
                          {TD_KEY("f", "y"), td_value_tensor(wrong)}};
  expect_error(td_dict_from_items(TD_SHAPE(2), into, 3, NULL, &none, &err), TD_ERR_SHAPE, "(\"f\", \"y\")", NULL);
  check(td_dict_count(fits) == 0 && !none);
  td_dict_release(fits);
  td_tensor_release(b);
  td_tensor_release(wrong);
}

static td_value doubles(const double *numbers, size_t n) {
  td_value v = td_value_none();
  v.kind = TD_VALUE_DOUBLES, v.size = n, v.as.doubles = numbers;
  return v;
}

static td_value bools(const td_bool *truths, size_t n) {
  td_value v = td_value_none();
  v.kind = TD_VALUE_BOOLS, v.size = n, v.as.bools = truths;
  return v;
}

LeaklessTest(dict_update, build_takes_numbers_and_text) {
  const td_item numbers[] = {{TD_KEY("i"), td_value_int(-7)},
                             {TD_KEY("n", "f"), td_value_double(0.25)},
                             {TD_KEY("b"), td_value_bool(3)},
                             {TD_KEY("s"), td_value_str(TD_STR("text"))}};
  td_dict *td;
  must(td_dict_from_items(TD_NO_DIMS, numbers, 4, NULL, &td, &err));
  expect_repr(td,
              "TensorDict(\n"
              "    fields={\n"
              "        b: Tensor(shape=torch.Size([]), device=cpu, dtype=torch.bool, is_shared=False),\n"
              "        i: Tensor(shape=torch.Size([]), device=cpu, dtype=torch.int64, is_shared=False),\n"
              "        n: TensorDict(\n"
              "            fields={\n"
              "                f: Tensor(shape=torch.Size([]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
              "            batch_size=torch.Size([]),\n"
              "            device=None,\n"
              "            is_shared=False),\n"
              "        s: NonTensorData(data=text, batch_size=torch.Size([]), device=None)},\n"
              "    batch_size=torch.Size([]),\n"
              "    device=None,\n"
              "    is_shared=False)");
  expect_entry(td, TD_KEY("i"), VALUES(-7));
  expect_entry(td, TD_KEY("n", "f"), VALUES(0.25));
  expect_entry(td, TD_KEY("b"), VALUES(1));
  td_dict_release(td);
}

LeaklessTest(dict_update, build_takes_lists_of_numbers) {
  static const double reals[] = {0.5, 1e300};
  static const td_bool truths[] = {0, 7};
  const td_item lists[] = {{TD_KEY("i"), td_value_ints(TD_SHAPE(4, 5))},
                           {TD_KEY("f"), doubles(reals, 2)},
                           {TD_KEY("b"), bools(truths, 2)},
                           {TD_KEY("n", "s"), td_value_str(TD_STR("text"))}};
  td_dict *td;
  must(td_dict_from_items(TD_SHAPE(2), lists, 4, NULL, &td, &err));
  expect_entry(td, TD_KEY("i"), VALUES(4, 5));
  expect_entry(td, TD_KEY("f"), VALUES(0.5, (float)1e300));
  expect_entry(td, TD_KEY("b"), VALUES(0, 1));
  td_dict_release(td);
}

LeaklessTest(dict_update, build_refuses_numbers_that_do_not_fit_and_text_that_is_not_utf8) {
  const td_item number[] = {{TD_KEY("i"), td_value_int(-7)}};
  const td_item list[] = {{TD_KEY("i"), td_value_ints(TD_SHAPE(4, 5))}};
  td_dict *none = NULL;
  td_value lost = td_value_str(TD_STR("\xff"));
  const td_item bad[] = {{TD_KEY("s"), lost}};
  expect_error(td_dict_from_items(TD_SHAPE(2), number, 1, NULL, &none, &err), TD_ERR_SHAPE, "\"i\"", NULL);
  expect_error(td_dict_from_items(TD_SHAPE(3), list, 1, NULL, &none, &err), TD_ERR_SHAPE, "\"i\"", NULL);
  expect_error(td_dict_from_items(TD_SHAPE(2), bad, 1, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "UTF-8");
  const td_item null[] = {{TD_KEY("f"), doubles(NULL, 2)}};
  expect_error(td_dict_from_items(TD_SHAPE(2), null, 1, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!none);
}

LeaklessTest(dict_update, chosen_keys_come_in_the_order_of_the_source) {
  td_dict *td = new_dict(TD_SHAPE(2)), *src = tree();
  const td_key chosen[] = {*TD_KEY("n", "m"), *TD_KEY("e"), *TD_KEY("n", "b"), *TD_KEY("a")};
  td_dict_update_options options = TD_DICT_UPDATE_OPTIONS_INIT;
  options.keys = chosen, options.n_keys = 4;
  must(td_dict_update(td, src, &options, &err));
  expect_keys(td, all_keys);
  td_dict_release(td), td_dict_release(src);
}

/* The tree with nines in it and one entry more. */
static td_dict *source_of_nines(void) {
  td_dict *src = tree();
  put(src, TD_KEY("n", "b"), full_f32(9, TD_SHAPE(2)));
  put(src, TD_KEY("n", "new"), full_f32(9, TD_SHAPE(2)));
  put(src, TD_KEY("a"), full_f32(9, TD_SHAPE(2, 3)));
  return src;
}

LeaklessTest(dict_update, only_chosen_keys_are_updated) {
  td_dict *td = tree(), *src = source_of_nines(), *before;
  must(td_dict_copy(td, &before, &err));
  const td_key chosen[] = {*TD_KEY("n", "b"), *TD_KEY("missing"), *TD_KEY("n", "m")};
  td_dict_update_options options = TD_DICT_UPDATE_OPTIONS_INIT;
  options.keys = chosen, options.n_keys = 0;
  must(td_dict_update(td, src, &options, &err));
  expect_untouched(td, before);
  options.n_keys = 3;
  must(td_dict_update(td, src, &options, &err));
  expect_keys(td, all_keys);
  expect_entry(td, TD_KEY("n", "b"), VALUES(9, 9));
  expect_entry(td, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  td_dict_release(td);
  td_dict_release(src);
  td_dict_release(before);
}

LeaklessTest(dict_update, another_batch_size_is_taken_over_with_all_that_the_source_has) {
  td_dict *td = tree(), *src = source_of_nines(), *longer = NULL, *empty = new_dict(TD_SHAPE(3));
  td_dict_update_options options = TD_DICT_UPDATE_OPTIONS_INIT;
  const td_dict *twice[] = {src, src};
  must(td_dict_cat(twice, 2, 0, &longer, &err));
  expect_error(td_dict_update(td, longer, &options, &err), TD_ERR_SHAPE, NULL, NULL);
  options.update_batch_size = 1, options.inplace = 1;
  expect_error(td_dict_update(td, longer, &options, &err), TD_ERR_ARGUMENT, NULL, NULL);
  options.inplace = 0;
  expect_error(td_dict_update(td, empty, &options, &err), TD_ERR_KEY, "\"a\"", NULL);
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_update(td, longer, &options, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(td, &err));
  expect_keys(td, all_keys);
  must(td_dict_update(td, longer, &options, &err));
  expect_batch(td, TD_SHAPE(4));
  expect_keys(td, "a n n/b n/m n/m/c n/new e");
  expect_entry(td, TD_KEY("n", "b"), VALUES(9, 9, 9, 9));
  check(same_memory(td, TD_KEY("a"), longer, TD_KEY("a")) && !same_node(td, TD_KEY("n"), longer, TD_KEY("n")));
  td_dict_release(td);
  td_dict_release(src);
  td_dict_release(longer);
  td_dict_release(empty);
}

LeaklessTest(dict_update, fromkeys_puts_one_tensor_under_every_key) {
  const td_key keys[] = {*TD_KEY("a"), *TD_KEY("n", "b")}, clash[] = {*TD_KEY("a"), *TD_KEY("a", "b")};
  td_tensor *zero = full_f32(0, TD_NO_DIMS);
  td_dict *td, *none = NULL;
  must(td_dict_from_keys(keys, 2, zero, &td, &err));
  expect_keys(td, "a n n/b");
  expect_batch(td, TD_NO_DIMS);
  check(same_memory(td, TD_KEY("a"), td, TD_KEY("n", "b")));
  expect_error(td_dict_from_keys(clash, 2, zero, &none, &err), TD_ERR_KEY, NULL, NULL);
  expect_error(td_dict_from_keys(NULL, 1, zero, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_from_keys(keys, 2, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_from_keys(NULL, 0, NULL, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_from_keys(keys, 2, zero, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!none);
  td_tensor_release(zero);
  td_dict_release(td);
}

LeaklessTest(dict_update, merge_joins_dicts_and_the_first_wins) {
  td_dict *first = tree(), *second = new_dict(TD_SHAPE(2, 3)), *third = new_dict(TD_NO_DIMS), *td, *none = NULL;
  put(second, TD_KEY("a"), full_f32(9, TD_SHAPE(2, 3)));
  put(second, TD_KEY("n", "m", "d"), full_f32(9, TD_SHAPE(2, 3)));
  put(second, TD_KEY("w", "x"), full_f32(9, TD_SHAPE(2, 3)));
  put(third, TD_KEY("v"), full_f32(9, TD_SHAPE(2)));
  const td_dict *dicts[] = {first, second, third};
  must(td_dict_merge(dicts, 3, &td, &err));
  expect_keys(td, "a n n/b n/m n/m/c n/m/d e w w/x v");
  expect_batch(td, TD_SHAPE(2));
  check(same_memory(td, TD_KEY("a"), first, TD_KEY("a")));
  check(!same_node(td, TD_KEY("n"), first, TD_KEY("n")) && !same_node(td, TD_KEY("w"), second, TD_KEY("w")));
  expect_keys(first, all_keys);
  td_dict_release(td);
  must(td_dict_merge(dicts, 1, &td, &err));
  expect_keys(td, all_keys);
  td_dict_release(td);

  td_tensor *wrong = full_f32(1, TD_SHAPE(3)), *fits = full_f32(1, TD_SHAPE(2));
  must(td_dict_set(third, TD_KEY("v"), wrong, &err));
  expect_error(td_dict_merge(dicts, 3, &none, &err), TD_ERR_SHAPE, "\"v\"", NULL);
  must(td_dict_set(third, TD_KEY("v"), fits, &err));
  must(td_dict_set(third, TD_KEY("n"), fits, &err));
  expect_error(td_dict_merge(dicts, 3, &none, &err), TD_ERR_KEY, "\"n\"", "a dict in one");
  expect_error(td_dict_merge(dicts, 0, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_merge(NULL, 1, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  dicts[1] = NULL;
  expect_error(td_dict_merge(dicts, 2, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_merge(dicts, 1, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!none);
  td_tensor_release(wrong);
  td_tensor_release(fits);
  td_dict_release(first);
  td_dict_release(second);
  td_dict_release(third);
}

LeaklessTest(dict_update, create_nested_makes_nodes_and_overwrites_nothing) {
  td_dict *td = tree();
  must(td_dict_create_nested(td, TD_KEY("n", "q", "r"), &err));
  td_dict *r = get_dict(td, TD_KEY("n", "q", "r"));
  expect_batch(r, TD_SHAPE(2));
  expect_keys(td, "a n n/b n/m n/m/c n/q n/q/r e");
  expect_error(td_dict_create_nested(td, TD_KEY("n"), &err), TD_ERR_EXISTS, "\"n\"", "exists under this key");
  expect_error(td_dict_create_nested(td, TD_KEY("a"), &err), TD_ERR_EXISTS, "\"a\"", "exists under this key");
  expect_error(td_dict_create_nested(td, TD_KEY("a", "x"), &err), TD_ERR_KEY, NULL, "tensor");
  expect_error(td_dict_create_nested(td, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_create_nested(NULL, TD_KEY("x"), &err), TD_ERR_ARGUMENT, NULL, NULL);
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_create_nested(td, TD_KEY("x"), &err), TD_ERR_LOCKED, "\"x\"", NULL);
  td_dict_release(r);
  td_dict_release(td);
}
