/* Dicts: entries by key, the batch rules, devices, and failures that change nothing. */
#include "support/td.h"

LeaklessTest(dict, an_entry_is_the_tensor_that_was_set) {
  td_dict *td = new_dict(TD_SHAPE(3));
  td_tensor *x = range_f32(TD_SHAPE(3, 2)), *got;
  must(td_dict_set(td, TD_KEY("x"), x, &err));
  got = get(td, TD_KEY("x"));
  check(got == x);
  poke(got, 42); /* stored, not copied */
  expect_entry(td, TD_KEY("x"), VALUES(42, 1, 2, 3, 4, 5));
  td_tensor_release(got);

  put(td, TD_KEY("x"), full_f32(7, TD_SHAPE(3))); /* replaced: the old tensor is as it was */
  expect_entry(td, TD_KEY("x"), VALUES(7, 7, 7));
  expect_values(x, VALUES(42, 1, 2, 3, 4, 5));
  check(td_dict_count(td) == 1);
  td_tensor_release(x);
  td_dict_retain(td);
  td_dict_release(td);
  td_dict_release(td);
}

LeaklessTest(dict, metadata_describes_the_tree) {
  td_dict *td = new_dict(TD_SHAPE(3, 4));
  put(td, TD_KEY("a"), counted(TD_DTYPE_INT64, TD_SHAPE(3, 4)));
  put(td, TD_KEY("n", "m", "b"), range_f32(TD_SHAPE(3, 4, 2)));
  check(td_dict_len(td) == 3 && td_dict_count(td) == 2 && td_dict_nbytes(td) == 12 * 8 + 24 * 4);
  int64_t batch[3] = {9, 9, 9};
  check(td_dict_batch_size(td, batch, 1) == 2 && batch[0] == 3 && batch[1] == 9);
  check(td_dict_batch_size(td, NULL, 0) == 2);
  td_dict *n = get_dict(td, TD_KEY("n"));
  expect_batch(n, TD_SHAPE(3, 4)); /* made on the way, with the parent's batch size */
  td_dict_release(n);
  td_dict_release(td);

  td = new_dict(TD_NO_DIMS);
  check(td_dict_len(td) == 0 && td_dict_count(td) == 0 && td_dict_nbytes(td) == 0);
  check(td_dict_batch_size(td, batch, 3) == 0);
  td_dict_release(td);
  td = NULL;
  expect_error(td_dict_new(TD_SHAPE(3, -1), NULL, &td, &err), TD_ERR_SHAPE, NULL, "negative");
  check(td == NULL);
}

LeaklessTest(dict, keys_are_any_text_and_no_separator_is_parsed) {
  const char *odd[] = {"", ".", "..", "a.b", "a/b", "a", " ", "\xc3\xa9t\xc3\xa9", "\xe6\xbc\xa2", "\"", "a\\b", "\n"};
  const size_t n = sizeof odd / sizeof *odd;
  td_dict *td = new_dict(TD_NO_DIMS);
  for (size_t i = 0; i < n; ++i) put(td, TD_KEY(odd[i]), full_f32((double)i, TD_NO_DIMS));
  put(td, TD_KEY("n", "", "."), full_f32(100, TD_NO_DIMS));
  check(td_dict_count(td) == n + 1);
  for (size_t i = 0; i < n; ++i) expect_entry(td, TD_KEY(odd[i]), VALUES((double)i));
  expect_entry(td, TD_KEY("n", "", "."), VALUES(100));
  check(kind_at(td, TD_KEY("a", "b")) == TD_ENTRY_NONE);
  const td_str with_nul[] = {{"a\0b", 3}};
  const td_key key = {with_nul, 1};
  check(kind_at(td, &key) == TD_ENTRY_NONE);
  put(td, &key, full_f32(5, TD_NO_DIMS));
  expect_entry(td, &key, VALUES(5));
  expect_entry(td, TD_KEY("a"), VALUES(5 /* the sixth of the list */));
  td_dict_release(td);
}

LeaklessTest(dict, a_path_that_leads_nowhere_is_a_key_error) {
  td_dict *td = new_dict(TD_SHAPE(2)), *d = NULL;
  td_tensor *x = range_f32(TD_SHAPE(2)), *out = NULL;
  must(td_dict_set(td, TD_KEY("x"), x, &err));
  must(td_dict_set(td, TD_KEY("n", "x"), x, &err));

  expect_error(td_dict_get(td, TD_KEY("y"), &out, &err), TD_ERR_KEY, "\"y\"", "x, n");
  expect_error(td_dict_get(td, TD_KEY("n", "y"), &out, &err), TD_ERR_KEY, "(\"n\", \"y\")", NULL);
  expect_error(td_dict_get(td, TD_KEY("m", "y"), &out, &err), TD_ERR_KEY, "(\"m\", \"y\")", NULL);
  expect_error(td_dict_get(td, TD_KEY("x", "y"), &out, &err), TD_ERR_KEY, "(\"x\", \"y\")", NULL);
  expect_error(td_dict_get(td, TD_KEY("n"), &out, &err), TD_ERR_KEY, "\"n\"", "td_dict_get_dict");
  expect_error(td_dict_get_dict(td, TD_KEY("x"), &d, &err), TD_ERR_KEY, "\"x\"", "td_dict_get");
  expect_error(td_dict_get_dict(td, TD_KEY("m"), &d, &err), TD_ERR_KEY, "\"m\"", NULL);
  expect_error(td_dict_copy_into(td, TD_KEY("y"), x, &err), TD_ERR_KEY, "\"y\"", NULL);
  expect_error(td_dict_copy_into(td, TD_KEY("n"), x, &err), TD_ERR_KEY, "\"n\"", NULL);
  expect_error(td_dict_set(td, TD_KEY("x", "y"), x, &err), TD_ERR_KEY, "(\"x\", \"y\")", "tensor");
  expect_error(td_dict_remove(td, TD_KEY("y"), &err), TD_ERR_KEY, "\"y\"", NULL);
  expect_error(td_dict_remove(td, TD_KEY("n", "y"), &err), TD_ERR_KEY, "(\"n\", \"y\")", NULL);
  expect_error(td_dict_remove(td, TD_KEY("x", "y"), &err), TD_ERR_KEY, NULL, NULL);
  check(out == NULL && d == NULL);

  check(kind_at(td, TD_KEY("x")) == TD_ENTRY_TENSOR && kind_at(td, TD_KEY("n")) == TD_ENTRY_DICT);
  check(kind_at(td, TD_KEY("n", "x")) == TD_ENTRY_TENSOR && kind_at(td, TD_KEY("y")) == TD_ENTRY_NONE);
  check(kind_at(td, TD_KEY("x", "y")) == TD_ENTRY_NONE && kind_at(td, TD_KEY("m", "y")) == TD_ENTRY_NONE);
  td_tensor_release(x);
  td_dict_release(td);
}

LeaklessTest(dict, a_failed_set_changes_nothing) {
  td_dict *td = new_dict(TD_SHAPE(3));
  td_tensor *x = range_f32(TD_SHAPE(3)), *bad = range_f32(TD_SHAPE(4)), *scalar = full_f32(1, TD_NO_DIMS);
  must(td_dict_set(td, TD_KEY("x"), x, &err));
  const td_key *keys[] = {TD_KEY("x"), TD_KEY("y"), TD_KEY("n", "m", "y"), TD_KEY("x", "y")};
  for (size_t i = 0; i < 4; ++i) {
    check(td_dict_set(td, keys[i], bad, NULL) == (i == 3 ? TD_ERR_KEY : TD_ERR_SHAPE));
    check(td_dict_set(td, keys[i], scalar, NULL) == (i == 3 ? TD_ERR_KEY : TD_ERR_SHAPE)); /* no broadcasting */
  }
  check(td_dict_count(td) == 1 && kind_at(td, TD_KEY("n")) == TD_ENTRY_NONE);
  td_tensor *got = get(td, TD_KEY("x"));
  check(got == x);
  td_tensor_release(got);

  td_dict *wrong = new_dict(TD_SHAPE(4));
  must(td_dict_set(wrong, TD_KEY("b"), bad, &err));
  expect_error(td_dict_set_dict(td, TD_KEY("q", "w"), wrong, &err), TD_ERR_SHAPE, "(\"q\", \"w\", \"b\")", "[4]");
  check(td_dict_count(td) == 1);
  expect_batch(wrong, TD_SHAPE(4));
  td_dict_release(wrong);
  td_tensor_release(x);
  td_tensor_release(bad);
  td_tensor_release(scalar);
  td_dict_release(td);
}

/* What 3.1 of the original's rules says of a dict of `inner` batch dims in one of batch size [3]. */
LeaklessTest(dict, a_child_is_stored_itself_if_its_batch_size_begins_with_the_parents) {
  const struct {
    int64_t batch[2];
    size_t ndim;
    int filled, itself;
    int64_t stored[2];
    size_t stored_ndim;
  } table[] = {{{3}, 1, 1, 1, {3}, 1},
               {{3, 4}, 2, 1, 1, {3, 4}, 2},
               {{0}, 0, 1, 0, {3}, 1},
               {{4}, 1, 0, 0, {3}, 1} /* an empty one takes any */,
               {{4, 3}, 2, 0, 0, {3}, 1}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_dict *td = new_dict(TD_SHAPE(3)), *child = new_dict(table[i].batch, table[i].ndim), *stored;
    if (table[i].filled) put(child, TD_KEY("a"), range_f32(TD_SHAPE(3, 4)));
    must(td_dict_set_dict(td, TD_KEY("n"), child, &err));
    stored = get_dict(td, TD_KEY("n"));
    check((stored == child) == table[i].itself);
    check(has_batch(stored, table[i].stored, table[i].stored_ndim));
    check(has_batch(child, table[i].batch, table[i].ndim)); /* the caller's is left as it is */
    if (table[i].filled) check(same_memory(td, TD_KEY("n", "a"), child, TD_KEY("a")));
    put(stored, TD_KEY("later"), range_f32(TD_SHAPE(3, 4)));
    check(kind_at(td, TD_KEY("n", "later")) == TD_ENTRY_TENSOR); /* what a getter gives is the dict's own */
    check((kind_at(child, TD_KEY("later")) == TD_ENTRY_TENSOR) == table[i].itself);
    td_dict_release(stored);
    td_dict_release(child);
    td_dict_release(td);
  }
}

LeaklessTest(dict, a_new_batch_size_is_checked_before_anything_changes) {
  td_dict *td = new_dict(TD_SHAPE(3)), *inner = new_dict(TD_NO_DIMS), *empty = new_dict(TD_NO_DIMS), *n;
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(3, 4, 5)));
  put(td, TD_KEY("n", "b"), range_f32(TD_SHAPE(3, 4)));
  put_dict(td, TD_KEY("empty"), empty);
  td_dict_release(inner);
  must(td_dict_set_batch_size(td, TD_SHAPE(3, 4), &err)); /* grows, and nodes grow with it */
  expect_batch(td, TD_SHAPE(3, 4));
  n = get_dict(td, TD_KEY("n"));
  expect_batch(n, TD_SHAPE(3, 4));

  expect_error(td_dict_set_batch_size(td, TD_SHAPE(3, 4, 5), &err), TD_ERR_SHAPE, "(\"n\", \"b\")", "[3, 4, 5]");
  expect_error(td_dict_set_batch_size(td, TD_SHAPE(4), &err), TD_ERR_SHAPE, "\"a\"", NULL);
  expect_error(td_dict_set_batch_size(td, TD_SHAPE(-3), &err), TD_ERR_SHAPE, NULL, "negative");
  expect_batch(td, TD_SHAPE(3, 4));
  expect_batch(n, TD_SHAPE(3, 4));

  must(td_dict_set_batch_size(td, TD_NO_DIMS, &err)); /* shrinks, nodes keep theirs */
  expect_batch(td, TD_NO_DIMS);
  expect_batch(n, TD_SHAPE(3, 4));
  must(td_dict_lock_(td, &err));
  must(td_dict_set_batch_size(td, TD_SHAPE(3), &err)); /* also when locked */
  expect_batch(td, TD_SHAPE(3));
  td_dict_release(n);
  td_dict_release(td);
}

LeaklessTest(dict, a_dict_never_contains_itself) {
  td_dict *root = new_dict(TD_NO_DIMS), *n, *other = new_dict(TD_NO_DIMS);
  put(root, TD_KEY("n", "m", "x"), range_f32(TD_SHAPE(1)));
  n = get_dict(root, TD_KEY("n"));
  expect_error(td_dict_set_dict(root, TD_KEY("self"), root, &err), TD_ERR_ARGUMENT, "\"self\"", "itself");
  expect_error(td_dict_set_dict(n, TD_KEY("up"), root, &err), TD_ERR_ARGUMENT, "\"up\"", "itself");
  expect_error(td_dict_set_dict(root, TD_KEY("n", "m", "up"), n, &err), TD_ERR_ARGUMENT, NULL, "itself");
  must(td_dict_set_dict(other, TD_KEY("n"), n, &err));
  expect_error(td_dict_set_dict(root, TD_KEY("n", "other"), other, &err), TD_ERR_ARGUMENT, NULL, "itself");
  must(td_dict_set_dict(root, TD_KEY("other"), other, &err)); /* the same node twice is no cycle */
  check(td_dict_count(n) == 1);
  td_string *text;
  must(td_dict_repr(root, 0, &text, &err));
  td_string_release(text);
  td_dict_release(other);
  td_dict_release(n);
  td_dict_release(root);
}

LeaklessTest(dict, many_keys_keep_their_order_through_replacing_and_deleting) {
  enum { N = 40 };
  for (int rounds = 7; rounds <= N; rounds += 3) { /* from a few, which are scanned, to many, which are indexed */
    td_dict *td = new_dict(TD_NO_DIMS);
    char name[N][8];
    for (int i = 0; i < rounds; ++i) {
      snprintf(name[i], sizeof name[i], "k%d", i * 7 % 100);
      put(td, TD_KEY(name[i]), full_f32(i, TD_NO_DIMS));
    }
    put(td, TD_KEY(name[3]), full_f32(-3, TD_NO_DIMS)); /* in its old place */
    must(td_dict_remove(td, TD_KEY(name[0]), &err));
    must(td_dict_remove(td, TD_KEY(name[5]), &err));
    put(td, TD_KEY(name[0]), full_f32(0, TD_NO_DIMS)); /* at the end */

    td_keys *keys;
    must(td_dict_keys(td, 0, &keys, &err));
    check(td_keys_size(keys) == (size_t)rounds - 1 && td_dict_count(td) == (size_t)rounds - 1);
    for (int i = 1, at = 0; i <= rounds; ++i) {
      if (i == 5) continue;
      td_key key;
      must(td_keys_get(keys, (size_t)at++, &key, &err));
      check(key.n == 1 && says(key.parts[0], name[i % rounds]));
      expect_entry(td, &key, VALUES(i == 3 ? -3 : i % rounds));
    }
    check(kind_at(td, TD_KEY(name[5])) == TD_ENTRY_NONE && kind_at(td, TD_KEY("k")) == TD_ENTRY_NONE);
    td_keys_release(keys);
    td_dict_release(td);
  }
}

static void expect_keys(const td_dict *td, uint64_t flags, const char *expected) {
  char text[256] = "";
  td_keys *keys;
  must(td_dict_keys(td, flags, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    must(td_keys_get(keys, i, &key, &err));
    for (size_t k = 0; k < key.n; ++k) {
      strcat(text, k ? ">" : i ? " " : "");
      strncat(text, key.parts[k].data, key.parts[k].size);
    }
  }
  td_keys_release(keys);
  if (strcmp(text, expected) != 0) fprintf(stderr, "keys are: %s\n", text);
  check(strcmp(text, expected) == 0);
}

LeaklessTest(dict, keys_list_a_node_before_what_it_holds) {
  td_dict *td = new_dict(TD_NO_DIMS);
  td_tensor *x = range_f32(TD_SHAPE(1));
  const td_key *order[] = {TD_KEY("z"), TD_KEY("n", "b"), TD_KEY("a"), TD_KEY("n", "m", "c")};
  for (size_t i = 0; i < 4; ++i) must(td_dict_set(td, order[i], x, &err));
  td_dict *empty = new_dict(TD_NO_DIMS);
  put_dict(td, TD_KEY("e"), empty);
  expect_keys(td, 0, "z n a e");
  expect_keys(td, TD_KEYS_LEAVES, "z a");
  expect_keys(td, TD_KEYS_NESTED, "z n n>b n>m n>m>c a e");
  expect_keys(td, TD_KEYS_NESTED | TD_KEYS_LEAVES, "z n>b n>m>c a");
  td_keys *keys = NULL;
  expect_error(td_dict_keys(td, 1 << 20, &keys, &err), TD_ERR_ARGUMENT, NULL, "flags");
  check(keys == NULL);

  must(td_dict_remove(td, TD_KEY("n", "m", "c"), &err)); /* emptied nodes stay */
  expect_keys(td, TD_KEYS_NESTED, "z n n>b n>m a e");
  put(td, TD_KEY("n"), range_f32(TD_SHAPE(1))); /* a tensor may replace a node, and the other way round */
  expect_keys(td, TD_KEYS_NESTED, "z n a e");
  must(td_dict_remove(td, TD_KEY("n"), &err));
  must(td_dict_set(td, TD_KEY("n", "q"), x, &err));
  expect_keys(td, TD_KEYS_NESTED, "z a e n n>q");
  td_tensor_release(x);
  td_dict_release(td);
}

LeaklessTest(dict, many_entries_come_in_one_call_all_or_none) {
  td_dict *td = new_dict(TD_NO_DIMS);
  td_path *paths[3];
  const td_key *keys[] = {TD_KEY("a"), TD_KEY("n", "b"), TD_KEY("missing")};
  for (int i = 0; i < 3; ++i) {
    must(td_path_new(keys[i], &paths[i], &err));
    if (i < 2) put(td, keys[i], full_f32(i, TD_NO_DIMS));
  }
  td_tensor *outs[3] = {NULL, NULL, NULL};
  must(td_dict_get_many(td, (const td_path *const *)paths, 2, outs, &err));
  expect_values(outs[0], VALUES(0));
  expect_values(outs[1], VALUES(1));
  td_tensor_release(outs[0]);
  td_tensor_release(outs[1]);
  outs[0] = outs[1] = NULL;
  expect_error(td_dict_get_many(td, (const td_path *const *)paths, 3, outs, &err), TD_ERR_KEY, "\"missing\"", NULL);
  check(!outs[0] && !outs[1] && !outs[2]);
  must(td_dict_get_many(td, NULL, 0, NULL, &err));
  for (int i = 0; i < 3; ++i) td_path_release(paths[i]);
  td_dict_release(td);
}

LeaklessTest(dict, values_are_copied_into_an_entry_in_place) {
  td_dict *td = new_dict(TD_SHAPE(2));
  td_tensor *x = range_f32(TD_SHAPE(2, 3)), *ints = counted(TD_DTYPE_INT64, TD_SHAPE(2, 1)),
            *bad = range_f32(TD_SHAPE(1, 3));
  must(td_dict_set(td, TD_KEY("n", "x"), x, &err));
  must(td_dict_copy_into(td, TD_KEY("n", "x"), ints, &err)); /* cast, and feature dims are broadcast */
  expect_values(x, VALUES(0, 0, 0, 1, 1, 1));
  expect_error(td_dict_copy_into(td, TD_KEY("n", "x"), bad, &err), TD_ERR_SHAPE, "(\"n\", \"x\")", NULL);
  td_tensor *wide = range_f32(TD_SHAPE(2, 4));
  expect_error(td_dict_copy_into(td, TD_KEY("n", "x"), wide, &err), TD_ERR_SHAPE, "(\"n\", \"x\")", NULL);
  expect_values(x, VALUES(0, 0, 0, 1, 1, 1));
  td_tensor_release(wide);
  td_tensor_release(bad);
  td_tensor_release(ints);
  td_tensor_release(x);
  td_dict_release(td);
}

LeaklessTest(dict, a_device_moves_what_is_set) {
  td_dict_options options = TD_DICT_OPTIONS_INIT;
  td_dict *td = NULL, *child, *stored;
  options.device = TD_STR("nowhere");
  expect_error(td_dict_new(TD_SHAPE(2), &options, &td, &err), TD_ERR_DEVICE, NULL, "nowhere");
  check(td == NULL);
  options.device = TD_STR("meta"); /* a second device on every machine */
  must(td_dict_new(TD_SHAPE(2), &options, &td, &err));
  put(td, TD_KEY("x"), range_f32(TD_SHAPE(2)));
  put(td, TD_KEY("n", "x"), range_f32(TD_SHAPE(2)));
  child = new_dict(TD_SHAPE(2));
  put(child, TD_KEY("deep", "y"), range_f32(TD_SHAPE(2)));
  must(td_dict_set_dict(td, TD_KEY("c"), child, &err));
  const td_key *keys[] = {TD_KEY("x"), TD_KEY("n", "x"), TD_KEY("c", "deep", "y")};
  for (size_t i = 0; i < 3; ++i) {
    td_tensor *t = get(td, keys[i]);
    check(says(td_tensor_device(t), "meta"));
    td_tensor_release(t);
  }
  stored = get_dict(td, TD_KEY("c", "deep"));
  check(says(td_dict_device(stored), "meta"));
  td_dict_release(stored);
  check(!td_dict_device(child).data); /* the caller's stays where it is */
  expect_entry(child, TD_KEY("deep", "y"), VALUES(0, 1));
  td_dict_release(child);
  td_dict_release(td);

  options.device = TD_STR("cpu:0");
  must(td_dict_new(TD_NO_DIMS, &options, &td, &err));
  td_tensor *x = range_f32(TD_SHAPE(1));
  must(td_dict_set(td, TD_KEY("x"), x, &err));
  td_tensor *same = get(td, TD_KEY("x"));
  check(same == x); /* is there already */
  td_tensor_release(same);
  td_tensor_release(x);
  td_dict_release(td);
}

/* Walks recurse: dicts that grow at their deepest end, or through a stack, must not grow until one of them overflows. */
LeaklessTest(dict, levels_above_count_whoever_holds_the_handle) {
  td_dict *root = new_dict(TD_SHAPE(1)), *at = root, *stack = NULL;
  size_t levels = 1;
  td_dict_retain(at);
  for (;; ++levels) {
    td_dict *below = new_dict(TD_SHAPE(1));
    td_status s = td_dict_set_dict(at, TD_KEY("a"), below, &err);
    td_dict_release(at), at = below; /* the caller's own, which no lookup has given */
    if (s != TD_OK) break;
    check(levels < 1000);
  }
  check(levels == 250);
  expect_error(TD_ERR_ARGUMENT, TD_ERR_ARGUMENT, NULL, "250");
  td_dict_release(at);

  must(td_dict_lazy_stack((td_dict *const[]){root}, 1, 0, &stack, &err));
  at = stack;
  td_dict_retain(at);
  for (levels = 0;; ++levels) {
    td_dict *below = NULL;
    if (td_dict_get_dict(at, TD_KEY("a"), &below, &err) != TD_OK) break;
    td_dict_release(at), at = below;
  }
  expect_error(TD_ERR_KEY, TD_ERR_KEY, NULL, NULL);
  for (levels = 0; levels < 300; ++levels) {
    td_dict *more = new_dict(TD_SHAPE(1, 1)), *below = NULL;
    td_status s = td_dict_set_dict(at, TD_KEY("b"), more, &err);
    td_dict_release(more);
    if (s != TD_OK) break;
    must(td_dict_get_dict(at, TD_KEY("b"), &below, &err));
    td_dict_release(at), at = below;
  }
  check(levels < 5);
  expect_error(TD_ERR_ARGUMENT, TD_ERR_ARGUMENT, NULL, "levels deep");
  td_dict_release(at), td_dict_release(stack), td_dict_release(root);
}
