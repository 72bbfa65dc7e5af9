/* Choosing, renaming, splitting and joining keys. */
#include "support/trees.h"

#define KEYS(...) ((const td_key[]){__VA_ARGS__}), (sizeof((const td_key[]){__VA_ARGS__}) / sizeof(td_key))

LeaklessTest(dict_keys, keys_come_sorted_or_children_first) {
  td_dict *td = new_dict(TD_NO_DIMS);
  const td_key names[] = {*TD_KEY("b"), *TD_KEY("a.z"), *TD_KEY("a", "c"), *TD_KEY("a", "Z"), *TD_KEY("")};
  for (size_t i = 0; i < 5; ++i) put(td, &names[i], range_f32(TD_NO_DIMS));
  const struct {
    uint64_t flags;
    const char *expected;
  } cases[] = {
      {TD_KEYS_NESTED, "b a.z a a/c a/Z "},
      {TD_KEYS_NESTED | TD_KEYS_CHILDREN_FIRST, "b a.z a/c a/Z a "},
      {TD_KEYS_NESTED | TD_KEYS_SORTED, " a a/Z a/c a.z b"},
      {TD_KEYS_NESTED | TD_KEYS_SORTED | TD_KEYS_CHILDREN_FIRST, " a a/Z a/c a.z b"},
      {TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_SORTED, " a/Z a/c a.z b"},
      {TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_CHILDREN_FIRST, "b a.z a/c a/Z "},
      {TD_KEYS_SORTED, " a a.z b"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    expect_keys_at(__FILE__, __LINE__, td, cases[i].flags, cases[i].expected);
  td_keys *keys = NULL;
  expect_error(td_dict_keys(td, 1 << 30, &keys, &err), TD_ERR_ARGUMENT, NULL, "flags");
  td_dict_release(td);
}

LeaklessTest(dict_keys, rename_moves_an_entry) {
  const struct {
    const td_key *from, *to;
    const char *expected;
  } cases[] = {
      {TD_KEY("a"), TD_KEY("z"), "n n/b n/m n/m/c e z"},
      {TD_KEY("a"), TD_KEY("n"), "n e"}, /* to the place of what it replaces */
      {TD_KEY("n", "b"), TD_KEY("n"), "a n e"},
      {TD_KEY("n"), TD_KEY("n", "x"), "a e n n/x n/x/b n/x/m n/x/m/c"},
      {TD_KEY("n", "m"), TD_KEY("n", "q"), "a n n/b n/q n/q/c e"},
      {TD_KEY("a"), TD_KEY("n", "b"), "n n/b n/m n/m/c e"},
      {TD_KEY("a"), TD_KEY("q", "r"), "n n/b n/m n/m/c e q q/r"},
      {TD_KEY("a"), TD_KEY("a", "r"), "n n/b n/m n/m/c e a a/r"},
      {TD_KEY("a"), TD_KEY("a"), "a n n/b n/m n/m/c e"},
      {TD_KEY("n", "m"), TD_KEY("m"), "a n n/b e m m/c"},
      {TD_KEY("n", "m", "c"), TD_KEY("c"), "a n n/b n/m e c"}, /* an emptied node stays */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *td = tree();
    must(td_dict_rename_key_(td, cases[i].from, cases[i].to, 0, &err));
    expect_keys(td, cases[i].expected);
    td_dict_release(td);
  }
}

LeaklessTest(dict_keys, a_refused_rename_changes_nothing) {
  td_dict *td = tree(), *before, *m = get_dict(td, TD_KEY("n", "m"));
  must(td_dict_copy(td, &before, &err));
  const struct {
    const td_key *from, *to;
    td_status code;
    const char *key;
  } cases[] = {
      {TD_KEY("a"), TD_KEY("n"), TD_ERR_EXISTS, "\"n\""},
      {TD_KEY("a"), TD_KEY("n", "b"), TD_ERR_EXISTS, "(\"n\", \"b\")"},
      {TD_KEY("q"), TD_KEY("q"), TD_ERR_KEY, "\"q\""},
      {TD_KEY("q", "r"), TD_KEY("s"), TD_ERR_KEY, NULL},
      {TD_KEY("n"), TD_KEY("a", "x"), TD_ERR_KEY, NULL},
      {TD_KEY("a"), TD_KEY("n", "m", "x"), TD_ERR_LOCKED, NULL},
      {TD_KEY("n", "m", "c"), TD_KEY("x"), TD_ERR_LOCKED, NULL},
      {NULL, TD_KEY("x"), TD_ERR_ARGUMENT, NULL},
      {TD_KEY("a"), NULL, TD_ERR_ARGUMENT, NULL},
  };
  must(td_dict_lock_(m, &err));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    expect_error(td_dict_rename_key_(td, cases[i].from, cases[i].to, 1, &err), cases[i].code, cases[i].key, NULL);
    expect_untouched(td, before);
  }
  must(td_dict_rename_key_(td, TD_KEY("a"), TD_KEY("a"), 1, &err));
  expect_error(td_dict_rename_key_(NULL, TD_KEY("a"), TD_KEY("b"), 0, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(m);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_keys, select_keeps_named_entries_in_their_order) {
  td_dict *td = tree(), *part, *none = NULL;
  must(td_dict_lock_(td, &err));
  must(td_dict_select(td, KEYS(*TD_KEY("n"), *TD_KEY("a")), 1, &part, &err));
  expect_keys(part, "n n/b n/m n/m/c a");
  check(same_node(part, TD_KEY("n"), td, TD_KEY("n")) && same_memory(part, TD_KEY("a"), td, TD_KEY("a")));
  check(!td_dict_is_locked(part));
  expect_batch(part, TD_SHAPE(2));
  td_dict_release(part);
  must(td_dict_select(td, KEYS(*TD_KEY("n", "m"), *TD_KEY("n")), 1, &part, &err)); /* the narrower key counts */
  expect_keys(part, "n n/m n/m/c");
  check(!same_node(part, TD_KEY("n"), td, TD_KEY("n")) && same_node(part, TD_KEY("n", "m"), td, TD_KEY("n", "m")));
  td_dict_release(part);
  must(td_dict_select(td, NULL, 0, 1, &part, &err));
  expect_keys(part, "");
  expect_batch(part, TD_SHAPE(2));
  td_dict_release(part);
  must(td_dict_select(td, KEYS(*TD_KEY("z"), *TD_KEY("n", "z"), *TD_KEY("a", "z"), *TD_KEY("z", "y")), 0, &part, &err));
  expect_keys(part, "n");
  td_dict_release(part);

  expect_error(td_dict_select(td, KEYS(*TD_KEY("a"), *TD_KEY("z")), 1, &none, &err), TD_ERR_KEY, "\"z\"", NULL);
  expect_error(td_dict_select(td, KEYS(*TD_KEY("n", "m", "z")), 1, &none, &err), TD_ERR_KEY, "(\"n\", \"m\", \"z\")",
               NULL);
  expect_error(td_dict_select(td, KEYS(*TD_KEY("a", "z")), 1, &none, &err), TD_ERR_KEY, "(\"a\", \"z\")", "tensor");
  expect_error(td_dict_select(td, NULL, 1, 1, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_select(td, KEYS({NULL, 0}), 1, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_select(td, NULL, 0, 1, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_select(NULL, NULL, 0, 1, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!none);
  td_dict_release(td);
}

LeaklessTest(dict_keys, exclude_leaves_the_other_entries) {
  td_dict *td = tree(), *part, *none = NULL;
  must(td_dict_lock_(td, &err));
  must(td_dict_exclude(td, KEYS(*TD_KEY("a"), *TD_KEY("zz"), *TD_KEY("n", "b")), &part, &err));
  expect_keys(part, "n n/m n/m/c e");
  check(!same_node(part, TD_KEY("n"), td, TD_KEY("n")) && same_node(part, TD_KEY("n", "m"), td, TD_KEY("n", "m")));
  check(same_node(part, TD_KEY("e"), td, TD_KEY("e")) && !td_dict_is_locked(part));
  td_dict_release(part);
  must(td_dict_exclude(td, KEYS(*TD_KEY("n", "m", "c"), *TD_KEY("a", "b")), &part, &err));
  expect_keys(part, "a n n/b n/m e"); /* an emptied node stays */
  td_dict_release(part);
  must(td_dict_exclude(td, KEYS(*TD_KEY("n", "b"), *TD_KEY("n")), &part, &err));
  expect_keys(part, "a e");
  td_dict_release(part);
  must(td_dict_exclude(td, NULL, 0, &part, &err));
  expect_keys(part, all_keys);
  check(!same_node(part, TD_KEY("n"), td, TD_KEY("n")));
  td_dict_release(part);
  expect_keys(td, all_keys);
  expect_error(td_dict_exclude(td, NULL, 1, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_exclude(td, NULL, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_exclude(NULL, NULL, 0, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!none);
  td_dict_release(td);
}

LeaklessTest(dict_keys, select_and_exclude_in_place_keep_the_nodes) {
  td_dict *td = tree(), *n = get_dict(td, TD_KEY("n")), *before;
  must(td_dict_copy(td, &before, &err));
  expect_error(td_dict_select_(td, KEYS(*TD_KEY("n", "b"), *TD_KEY("z")), 1, &err), TD_ERR_KEY, "\"z\"", NULL);
  expect_untouched(td, before);
  td_dict *m = get_dict(td, TD_KEY("n", "m"));
  must(td_dict_lock_(m, &err)); /* n changes first, then m refuses */
  expect_error(td_dict_select_(td, KEYS(*TD_KEY("n", "m", "c"), *TD_KEY("a")), 1, &err), TD_ERR_LOCKED,
               "(\"n\", \"m\")", NULL);
  expect_error(td_dict_exclude_(td, KEYS(*TD_KEY("n", "b"), *TD_KEY("n", "m", "c"), *TD_KEY("a")), &err), TD_ERR_LOCKED,
               "(\"n\", \"m\")", NULL);
  must(td_dict_unlock_(m, &err));
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_select_(td, KEYS(*TD_KEY("a")), 1, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_exclude_(td, KEYS(*TD_KEY("a")), &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(td, &err));
  expect_untouched(td, before);

  must(td_dict_exclude_(td, KEYS(*TD_KEY("n", "b"), *TD_KEY("e"), *TD_KEY("q")), &err));
  expect_keys(td, "a n n/m n/m/c");
  check(td_dict_count(n) == 1 && same_node(td, TD_KEY("n", "m"), n, TD_KEY("m")));
  must(td_dict_select_(td, KEYS(*TD_KEY("n", "m"), *TD_KEY("a"), *TD_KEY("q")), 0, &err));
  expect_keys(td, "n n/m n/m/c a");
  check(same_memory(n, TD_KEY("m", "c"), before, TD_KEY("n", "m", "c")));
  expect_error(td_dict_select_(NULL, NULL, 0, 1, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_exclude_(NULL, NULL, 0, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_select_(td, NULL, 1, 1, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(m);
  td_dict_release(n);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_keys, split_keys_gives_each_set_a_dict_and_one_the_rest) {
  td_split_options lenient = TD_SPLIT_OPTIONS_INIT;
  lenient.lenient = 1;
  td_dict *td = tree(), *before, *outs[3];
  must(td_dict_copy(td, &before, &err));
  const td_key a[] = {*TD_KEY("a")}, b[] = {*TD_KEY("n", "b")}, n[] = {*TD_KEY("n")},
               z[] = {*TD_KEY("z"), *TD_KEY("a")};
  const struct {
    td_key_set sets[2];
    td_bool strict;
    const char *expected[3];
  } cases[] = {
      {{{a, 1}, {b, 1}}, 1, {"a", "n n/b", "n n/m n/m/c"}},
      {{{b, 1}, {n, 1}}, 1, {"n n/b", "n n/m n/m/c", "a"}}, /* what is left of n; an empty node is lost */
      {{{z, 2}, {NULL, 0}}, 0, {"a", "", "n n/b n/m n/m/c"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    must(td_dict_split_keys(td, cases[i].sets, 2, cases[i].strict ? NULL : &lenient, outs, &err));
    for (int k = 0; k < 3; ++k) {
      expect_keys(outs[k], cases[i].expected[k]);
      expect_batch(outs[k], TD_SHAPE(2));
      td_dict_release(outs[k]);
    }
  }
  must(td_dict_split_keys(td, NULL, 0, NULL, outs, &err));
  expect_keys(outs[0], "a n n/b n/m n/m/c");
  check(same_memory(outs[0], TD_KEY("a"), td, TD_KEY("a")));
  td_dict_release(outs[0]);
  expect_untouched(td, before);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_keys, split_keys_takes_each_key_once_and_only_keys_that_exist) {
  td_split_options lenient = TD_SPLIT_OPTIONS_INIT;
  lenient.lenient = 1;
  td_dict *td = tree(), *before, *none[3] = {NULL, NULL, NULL};
  must(td_dict_copy(td, &before, &err));
  const td_key a[] = {*TD_KEY("a")}, b[] = {*TD_KEY("n", "b")}, n[] = {*TD_KEY("n")},
               z[] = {*TD_KEY("z"), *TD_KEY("a")};
  const td_key_set twice[] = {{a, 1}, {z, 2}}, inside[] = {{n, 1}, {b, 1}}, lost[] = {{NULL, 1}};
  expect_error(td_dict_split_keys(td, twice, 2, &lenient, none, &err), TD_ERR_KEY, "\"a\"", "given twice");
  expect_error(td_dict_split_keys(td, inside, 2, NULL, none, &err), TD_ERR_KEY, "(\"n\", \"b\")", "given twice");
  expect_error(td_dict_split_keys(td, twice + 1, 1, NULL, none, &err), TD_ERR_KEY, "\"z\"", "no such key");
  expect_error(td_dict_split_keys(td, lost, 1, NULL, none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_split_keys(td, NULL, 1, NULL, none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_split_keys(td, twice, 1, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_split_keys(NULL, twice, 1, NULL, none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!none[0] && !none[1] && !none[2]);
  expect_untouched(td, before);
  td_dict_release(before);
  td_dict_release(td);
}

LeaklessTest(dict_keys, empty_keeps_the_batch_size_and_on_request_the_nodes) {
  td_dict *td = tree(), *none = NULL, *out;
  put_dict(td, TD_KEY("n", "w"), new_dict(TD_SHAPE(2, 5)));
  must(td_dict_empty(td, 0, &out, &err));
  expect_keys(out, "");
  expect_batch(out, TD_SHAPE(2));
  check(td_dict_is_empty(out) && !td_dict_is_empty(td));
  td_dict_release(out);
  must(td_dict_empty(td, 1, &out, &err));
  expect_keys(out, "n n/m n/w e");
  td_dict *w = get_dict(out, TD_KEY("n", "w"));
  expect_batch(w, TD_SHAPE(2, 5));
  check(td_dict_is_empty(out) && td_dict_is_empty(NULL));
  expect_error(td_dict_empty(NULL, 0, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_empty(td, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!none);
  td_dict_release(w);
  td_dict_release(out);
  td_dict_release(td);
}

LeaklessTest(dict_keys, filter_empty_removes_nodes_without_entries) {
  td_dict *td = tree();
  must(td_dict_create_nested(td, TD_KEY("e", "f"), &err));
  must(td_dict_create_nested(td, TD_KEY("n", "m", "g", "h"), &err));
  td_dict *m = get_dict(td, TD_KEY("n", "m")), *n = get_dict(td, TD_KEY("n"));
  must(td_dict_lock_(m, &err)); /* e goes first, then m refuses */
  expect_error(td_dict_filter_empty_(td, &err), TD_ERR_LOCKED, "(\"n\", \"m\")", NULL);
  expect_keys(td, "a n n/b n/m n/m/c n/m/g n/m/g/h e e/f");
  must(td_dict_unlock_(m, &err));
  must(td_dict_filter_empty_(td, &err));
  expect_keys(td, "a n n/b n/m n/m/c");
  check(td_dict_count(m) == 1 && td_dict_count(n) == 2);
  must(td_dict_lock_(td, &err));
  must(td_dict_filter_empty_(td, &err)); /* nothing to do */
  expect_error(td_dict_filter_empty_(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(m);
  td_dict_release(n);
  td_dict_release(td);
}

LeaklessTest(dict_keys, flatten_keys_joins_and_unflatten_keys_splits) {
  td_dict *td = tree(), *flat, *back;
  must(td_dict_lock_(td, &err));
  must(td_dict_flatten_keys(td, TD_NO_STR, &flat, &err));
  expect_keys(flat, "a n.b n.m.c"); /* the empty node is lost */
  check(same_memory(flat, TD_KEY("n.m.c"), td, TD_KEY("n", "m", "c")) && !td_dict_is_locked(flat));
  must(td_dict_unflatten_keys(flat, TD_NO_STR, &back, &err));
  expect_keys(back, "a n n/b n/m n/m/c");
  td_dict_release(flat);
  td_dict_release(back);
  must(td_dict_flatten_keys(td, TD_STR(""), &flat, &err));
  expect_keys(flat, "a nb nmc");
  td_dict_release(flat);
  must(td_dict_flatten_keys(td, TD_STR(" -> "), &flat, &err));
  expect_keys(flat, "a n -> b n -> m -> c");
  must(td_dict_unflatten_keys(flat, TD_STR(" -> "), &back, &err));
  expect_keys(back, "a n n/b n/m n/m/c");
  td_dict_release(flat);
  td_dict_release(back);
  td_dict_release(td);

  td = new_dict(TD_SHAPE(2));
  const char *names[] = {"a.b", "c", "a..e"};
  for (int i = 0; i < 3; ++i) put(td, TD_KEY(names[i]), range_f32(TD_SHAPE(2)));
  put(td, TD_KEY("a", "d.x"), range_f32(TD_SHAPE(2)));
  must(td_dict_unflatten_keys(td, TD_NO_STR, &back, &err));
  expect_keys(back, "c a a/d.x a/b a/ a//e");
  expect_keys(td, "a.b c a..e a a/d.x"); /* the node joined is a new one */
  td_dict_release(back);
  td_dict_release(td);
}

LeaklessTest(dict_keys, keys_that_collide_are_refused) {
  const struct {
    const td_key *first, *second;
    td_bool flatten;
    td_status code;
  } cases[] = {
      {TD_KEY("n.b"), TD_KEY("n", "b"), 1, TD_ERR_EXISTS}, {TD_KEY("a", "b"), TD_KEY("a.b"), 0, TD_ERR_EXISTS},
      {TD_KEY("a.b.c"), TD_KEY("a.b"), 0, TD_ERR_EXISTS},  {TD_KEY("a"), TD_KEY("a.b"), 0, TD_ERR_KEY},
      {TD_KEY("a.b"), TD_KEY("a"), 0, TD_ERR_KEY},         {TD_KEY("a.b"), TD_KEY("a.b.c"), 0, TD_ERR_KEY},
  };
  td_dict *none = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *td = new_dict(TD_SHAPE(2));
    put(td, cases[i].first, range_f32(TD_SHAPE(2)));
    put(td, cases[i].second, range_f32(TD_SHAPE(2)));
    expect_error(cases[i].flatten ? td_dict_flatten_keys(td, TD_STR("."), &none, &err)
                                  : td_dict_unflatten_keys(td, TD_STR("."), &none, &err),
                 cases[i].code, NULL, NULL);
    td_dict_release(td);
  }
  td_dict *td = tree();
  const td_str bad = {"\xff", 1};
  expect_error(td_dict_unflatten_keys(td, TD_STR(""), &none, &err), TD_ERR_ARGUMENT, NULL, "empty");
  expect_error(td_dict_flatten_keys(td, bad, &none, &err), TD_ERR_ARGUMENT, NULL, "UTF-8");
  expect_error(td_dict_unflatten_keys(td, bad, &none, &err), TD_ERR_ARGUMENT, NULL, "UTF-8");
  expect_error(td_dict_flatten_keys(NULL, TD_NO_STR, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_unflatten_keys(NULL, TD_NO_STR, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_flatten_keys(td, TD_NO_STR, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_unflatten_keys(td, TD_NO_STR, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!none);
  td_dict_release(td);
}
