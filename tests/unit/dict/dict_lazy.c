/* Lazy stacks: what they are made of, what they show, and what is done to them and so to their members. */
#include "support/td.h"

/* A member: batch size [3], "a" of shape [3, 2] that begins with `first`, ("n", "b") [3] and a key of its own. */
static td_dict *member(double first, const char *own) {
  td_dict *td = new_dict(TD_SHAPE(3));
  td_tensor *r = range_f32(TD_SHAPE(3, 2));
  put(td, TD_KEY("a"), call("add", "Scalar", ARGS(td_value_tensor(r), td_value_double(first))));
  td_tensor_release(r);
  put(td, TD_KEY("n", "b"), full_f32(first, TD_SHAPE(3)));
  if (own) put(td, TD_KEY(own), full_f32(1, TD_SHAPE(3)));
  return td;
}

static td_dict *stack_of(td_dict *a, td_dict *b, int64_t dim) {
  td_dict *stack;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, dim, &stack, &err));
  return stack;
}

static void expect_keys_at(int line, td_keys *keys, const char *const *expected, size_t n) {
  if (td_keys_size(keys) != n) fprintf(stderr, "line %d: %zu keys\n", line, td_keys_size(keys));
  check(td_keys_size(keys) == n);
  for (size_t i = 0; i < n; ++i) {
    td_key key;
    must(td_keys_get(keys, i, &key, &err));
    if (!says(key.parts[key.n - 1], expected[i])) fprintf(stderr, "line %d: key %zu\n", line, i);
    check(says(key.parts[key.n - 1], expected[i]));
  }
  td_keys_release(keys);
}
#define KEYS(...) ((const char *const[]){__VA_ARGS__}), (sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define expect_keys(keys, names_and_count) expect_keys_at(__LINE__, (keys), names_and_count)

static td_keys *keys_of(const td_dict *td, uint64_t flags) {
  td_keys *keys;
  must(td_dict_keys(td, flags, &keys, &err));
  return keys;
}

LeaklessTest(dict_lazy, shows_the_keys_that_all_members_have_and_stacks_on_demand) {
  td_dict *a = member(0, "zz"), *b = member(10, NULL), *stack = stack_of(a, b, 0);
  check(td_dict_kind_of(stack) == TD_DICT_KIND_LAZY_STACK && td_dict_kind_of(a) == TD_DICT_KIND_TENSORDICT);
  check(td_dict_stack_dim(stack) == 0 && td_dict_stack_dim(a) == -1 && td_dict_stack_dim(NULL) == -1);
  expect_batch(stack, TD_SHAPE(2, 3));
  check(td_dict_count(stack) == 2 && td_dict_len(stack) == 2);
  expect_keys(keys_of(stack, 0), KEYS("a", "n"));
  expect_keys(keys_of(stack, TD_KEYS_NESTED | TD_KEYS_LEAVES), KEYS("a", "b"));
  expect_entry(stack, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15));
  check(kind_at(stack, TD_KEY("zz")) == TD_ENTRY_NONE && kind_at(stack, TD_KEY("n")) == TD_ENTRY_DICT);
  td_tensor *t;
  expect_error(td_dict_get(stack, TD_KEY("zz"), &t, &err), TD_ERR_KEY, "\"zz\"", "no such key");
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, exclusive_keys_are_those_of_one_member_only) {
  td_dict *a = member(0, "zz"), *b = member(10, NULL), *stack = stack_of(a, b, 0);
  td_keys *keys;
  must(td_dict_exclusive_keys(stack, 0, &keys, &err));
  expect_keys(keys, KEYS("zz"));
  must(td_dict_exclusive_keys(stack, 1, &keys, &err));
  check(td_keys_size(keys) == 0);
  td_keys_release(keys);
  expect_error(td_dict_exclusive_keys(stack, 2, &keys, &err), TD_ERR_INDEX, NULL, "member 2");
  expect_error(td_dict_exclusive_keys(a, 0, &keys, &err), TD_ERR_UNSUPPORTED, NULL, "not a lazy stack");
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, a_tensor_of_it_is_a_copy_and_a_node_is_a_stack_that_writes_through) {
  td_dict *a = member(0, "zz"), *b = member(10, NULL), *stack = stack_of(a, b, 0);
  td_tensor *fresh = get(stack, TD_KEY("a"));
  poke(fresh, 99);
  expect_entry(stack, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15));
  td_tensor_release(fresh);
  td_dict *n = get_dict(stack, TD_KEY("n"));
  check(td_dict_kind_of(n) == TD_DICT_KIND_LAZY_STACK);
  td_tensor *value = range_f32(TD_SHAPE(2, 3));
  must(td_dict_copy_into(n, TD_KEY("b"), value, &err));
  expect_entry(b, TD_KEY("n", "b"), VALUES(3, 4, 5));
  must(td_dict_copy_into(stack, TD_KEY("n", "b"), value, &err));
  td_tensor_release(value);
  td_dict_release(n);
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, members_are_the_dicts_that_were_stacked) {
  td_dict *a = member(0, "zz"), *b = member(10, NULL), *stack = stack_of(a, b, 0), *same;
  td_dict_list *members;
  must(td_dict_members(stack, &members, &err));
  must(td_dict_list_get(members, 1, &same, &err));
  check(same == b);
  td_dict_release(same);
  td_dict_list_release(members);
  expect_error(td_dict_members(a, &members, &err), TD_ERR_UNSUPPORTED, NULL, "not a lazy stack");
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, what_is_set_is_divided_among_the_members) {
  td_dict *a = member(0, "x"), *b = member(10, NULL), *stack = stack_of(a, b, 1);
  expect_batch(stack, TD_SHAPE(3, 2));
  td_tensor *value = range_f32(TD_SHAPE(3, 2));
  must(td_dict_set(stack, TD_KEY("c"), value, &err));
  expect_entry(a, TD_KEY("c"), VALUES(0, 2, 4));
  expect_entry(b, TD_KEY("c"), VALUES(1, 3, 5));
  poke(value, 7); /* members hold views of the value */
  expect_entry(a, TD_KEY("c"), VALUES(7, 2, 4));
  td_tensor_release(value);
  must(td_dict_set_data(stack, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("both"))), &err));
  td_data_list *data;
  must(td_dict_get_data(b, TD_KEY("s"), &data, &err));
  td_data one;
  must(td_data_list_get(data, 0, &one, &err));
  check(says(one.text, "both"));
  td_data_list_release(data);

  td_tensor *wrong = range_f32(TD_SHAPE(2, 3));
  expect_error(td_dict_set(stack, TD_KEY("c"), wrong, &err), TD_ERR_SHAPE, "\"c\"", NULL);
  td_tensor_release(wrong);
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, delete_and_rename_reach_every_member) {
  td_dict *a = member(0, "x"), *b = member(10, NULL), *stack = stack_of(a, b, 1);
  must(td_dict_remove(stack, TD_KEY("x"), &err)); /* of those that have it */
  check(kind_at(a, TD_KEY("x")) == TD_ENTRY_NONE);
  expect_error(td_dict_remove(stack, TD_KEY("x"), &err), TD_ERR_KEY, "\"x\"", NULL);
  td_tensor *value = range_f32(TD_SHAPE(3, 2));
  must(td_dict_set(stack, TD_KEY("c"), value, &err));
  td_tensor_release(value);
  must(td_dict_rename_key_(stack, TD_KEY("c"), TD_KEY("n", "c"), 0, &err));
  check(kind_at(b, TD_KEY("n", "c")) == TD_ENTRY_TENSOR && kind_at(b, TD_KEY("c")) == TD_ENTRY_NONE);
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, a_locked_member_keeps_the_others_from_changing) {
  td_dict *a = member(0, "x"), *b = member(10, NULL), *stack = stack_of(a, b, 1);
  must(td_dict_lock_(a, &err));
  check(!td_dict_is_locked(stack));
  td_tensor *value = range_f32(TD_SHAPE(3, 2));
  expect_error(td_dict_set(stack, TD_KEY("d"), value, &err), TD_ERR_LOCKED, "\"d\"", NULL);
  check(kind_at(b, TD_KEY("d")) == TD_ENTRY_NONE);
  td_tensor_release(value);
  must(td_dict_unlock_(a, &err));
  must(td_dict_lock_(stack, &err));
  check(td_dict_is_locked(a) && td_dict_is_locked(stack));
  expect_error(td_dict_unlock_(a, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(stack, &err));
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, keeps_its_batch_size_and_does_not_contain_itself) {
  td_dict *a = member(0, "x"), *b = member(10, NULL), *stack = stack_of(a, b, 1);
  expect_error(td_dict_set_batch_size(stack, TD_SHAPE(3), &err), TD_ERR_SHAPE, NULL, "lazy stack");
  must(td_dict_set_batch_size(stack, TD_SHAPE(3, 2), &err));
  expect_error(td_dict_set_dict(stack, TD_KEY("me"), stack, &err), TD_ERR_ARGUMENT, NULL, "itself");
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, members_are_added_and_checked) {
  td_dict *a = member(0, NULL), *b = member(10, "own"), *stack, *longer = new_dict(TD_SHAPE(4)), *out;
  must(td_dict_lazy_new(TD_SHAPE(3), -1, &stack, &err));
  expect_batch(stack, TD_SHAPE(3, 0));
  check(td_dict_stack_dim(stack) == 1 && td_dict_count(stack) == 0);
  must(td_dict_append(stack, a, &err));
  must(td_dict_insert(stack, 0, &b, 1, &err));
  expect_batch(stack, TD_SHAPE(3, 2));
  expect_entry(stack, TD_KEY("n", "b"), VALUES(10, 0, 10, 0, 10, 0));
  expect_error(td_dict_append(stack, longer, &err), TD_ERR_SHAPE, NULL, "batch size [3]");
  expect_error(td_dict_insert(stack, 3, &a, 1, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_dict_insert(a, 0, &a, 1, &err), TD_ERR_UNSUPPORTED, NULL, "not a lazy stack");
  expect_error(td_dict_append(stack, stack, &err), TD_ERR_ARGUMENT, NULL, "itself");
  expect_error(td_dict_insert(stack, 0, (td_dict *const[]){a, longer}, 2, &err), TD_ERR_SHAPE, NULL, NULL);
  must(td_dict_lock_(stack, &err));
  expect_error(td_dict_append(stack, a, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(stack, &err));
  expect_batch(stack, TD_SHAPE(3, 2));
  expect_error(td_dict_lazy_stack(NULL, 0, 0, &out, &err), TD_ERR_ARGUMENT, NULL, "nothing");
  expect_error(td_dict_lazy_stack(&a, 1, 2, &out, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_dict_lazy_stack(&a, 1, -3, &out, &err), TD_ERR_INDEX, NULL, NULL);
  td_dict *flat = new_dict(TD_NO_DIMS);
  expect_error(td_dict_lazy_stack((td_dict *const[]){a, flat}, 2, 0, &out, &err), TD_ERR_SHAPE, NULL, "batch dims");
  expect_error(td_dict_lazy_new(TD_SHAPE(-1), 0, &out, &err), TD_ERR_SHAPE, NULL, NULL);
  td_dict *ragged = stack_of(a, longer, 0);
  expect_batch(ragged, TD_SHAPE(2, -1));
  td_dict_release(ragged);
  td_dict_release(flat);
  td_dict_release(stack);
  td_dict_release(longer);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, copies_stay_lazy) {
  td_dict *a = member(0, "x"), *b = member(10, NULL), *stack = stack_of(a, b, 0), *copy, *clone, *flat, *state;
  must(td_dict_copy(stack, &copy, &err));
  must(td_dict_clone(stack, &clone, &err));
  check(td_dict_kind_of(copy) == TD_DICT_KIND_LAZY_STACK && td_dict_kind_of(clone) == TD_DICT_KIND_LAZY_STACK);
  must(td_dict_flatten_keys(stack, TD_NO_STR, &flat, &err)); /* member by member */
  check(td_dict_kind_of(flat) == TD_DICT_KIND_LAZY_STACK && kind_at(flat, TD_KEY("n.b")) == TD_ENTRY_TENSOR);
  must(td_dict_state_dict(stack, &state, &err));
  check(td_dict_kind_of(state) == TD_DICT_KIND_LAZY_STACK);
  must(td_dict_load_state_dict(copy, state, NULL, &err));
  td_dict *all[] = {flat, state, copy, clone, stack, a, b};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) td_dict_release(all[i]);
}

LeaklessTest(dict_lazy, operators_stay_lazy_if_the_first_dict_is) {
  td_dict *a = member(0, "x"), *b = member(10, NULL), *stack = stack_of(a, b, 0), *clone, *dense, *sum;
  td_keys *keys;
  td_op *add = operator_named("add", "Tensor");
  must(td_dict_clone(stack, &clone, &err));
  must(td_dict_pointwise(add, ARGS(td_value_dict(stack), td_value_dict(clone)), NULL, 0, NULL, &sum, &err));
  check(td_dict_kind_of(sum) == TD_DICT_KIND_LAZY_STACK);
  expect_entry(sum, TD_KEY("n", "b"), VALUES(0, 0, 0, 20, 20, 20));
  must(td_dict_exclusive_keys(sum, 0, &keys, &err)); /* member by member, so its own entries are there too */
  expect_keys(keys, KEYS("x"));
  td_dict_release(sum);
  must(td_dict_contiguous(stack, &dense, &err));
  check(td_dict_kind_of(dense) == TD_DICT_KIND_TENSORDICT && !td_dict_is_contiguous(stack));
  expect_keys(keys_of(dense, 0), KEYS("a", "n"));
  expect_error(td_dict_pointwise(add, ARGS(td_value_dict(stack), td_value_dict(dense)), NULL, 0, NULL, &sum, &err),
               TD_ERR_KEY, "\"x\"", NULL);
  must(td_dict_remove(stack, TD_KEY("x"), &err));
  must(td_dict_pointwise(add, ARGS(td_value_dict(stack), td_value_dict(dense)), NULL, 0, NULL, &sum, &err));
  check(td_dict_kind_of(sum) == TD_DICT_KIND_LAZY_STACK);
  expect_entry(sum, TD_KEY("n", "b"), VALUES(0, 0, 0, 20, 20, 20));
  td_dict_release(sum);
  must(td_dict_pointwise(add, ARGS(td_value_dict(dense), td_value_dict(stack)), NULL, 0, NULL, &sum, &err));
  check(td_dict_kind_of(sum) == TD_DICT_KIND_TENSORDICT);
  td_dict *all[] = {sum, dense, clone, stack, a, b};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) td_dict_release(all[i]);
  td_op_release(add);
}

LeaklessTest(dict_lazy, updates_are_divided_among_the_members) {
  td_dict *a = member(0, "x"), *b = member(10, NULL), *stack = stack_of(a, b, 0), *clone, *dense, *three;
  must(td_dict_clone(stack, &clone, &err));
  must(td_dict_contiguous(stack, &dense, &err));
  must(td_dict_remove(stack, TD_KEY("x"), &err));
  must(td_dict_zero_(stack, &err));
  expect_entry(b, TD_KEY("n", "b"), VALUES(0, 0, 0));
  must(td_dict_update(stack, clone, NULL, &err)); /* pairs of members: entries of one become common or not */
  expect_entry(b, TD_KEY("n", "b"), VALUES(10, 10, 10));
  check(kind_at(a, TD_KEY("x")) == TD_ENTRY_TENSOR && kind_at(b, TD_KEY("x")) == TD_ENTRY_NONE);
  must(td_dict_zero_(clone, &err));
  must(td_dict_update_(stack, dense, &err)); /* a dense source is taken apart */
  expect_entry(b, TD_KEY("n", "b"), VALUES(10, 10, 10));
  must(td_dict_fill_(stack, TD_KEY("n"), TD_VALUE(td_value_double(4)), &err));
  expect_entry(a, TD_KEY("n", "b"), VALUES(4, 4, 4));
  must(td_dict_expand(a, TD_SHAPE(3, 3), &three, &err));
  expect_error(td_dict_update(stack, three, NULL, &err), TD_ERR_SHAPE, NULL, "2 members");
  td_dict *all[] = {three, dense, clone, stack, a, b};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) td_dict_release(all[i]);
}

LeaklessTest(dict_lazy, values_are_written_at_an_index) {
  td_dict *a = member(0, NULL), *b = member(10, NULL), *stack = stack_of(a, b, 0), *value = member(50, "new");
  must(td_dict_set_at(stack, &(td_index)TD_INT(-1), 1, value, &err)); /* the member itself, with its new entry */
  expect_entry(b, TD_KEY("n", "b"), VALUES(50, 50, 50));
  check(kind_at(b, TD_KEY("new")) == TD_ENTRY_TENSOR && kind_at(a, TD_KEY("new")) == TD_ENTRY_NONE);
  must(td_dict_set_at_value(stack, (const td_index[]){TD_SLICE(0, TD_END), TD_INT(1)}, 2, TD_VALUE(td_value_double(7)),
                            &err));
  expect_entry(a, TD_KEY("n", "b"), VALUES(0, 7, 0));
  expect_entry(b, TD_KEY("n", "b"), VALUES(50, 7, 50));
  td_tensor *t = full_f32(3, TD_NO_DIMS);
  must(td_dict_copy_into_at(stack, TD_KEY("a"), (const td_index[]){TD_INT(0), TD_INT(0)}, 2, t, &err));
  td_tensor_release(t);
  expect_entry(a, TD_KEY("a"), VALUES(3, 3, 7, 7, 4, 5));
  td_tensor *mask = counted(TD_DTYPE_BOOL, TD_SHAPE(2, 3));
  must(td_dict_masked_fill_(stack, mask, TD_VALUE(td_value_double(-1)), &err));
  expect_entry(stack, TD_KEY("n", "b"), VALUES(0, -1, 0, -1, 7, -1));
  td_tensor_release(mask);
  expect_error(td_dict_set_at_value(stack, &(td_index)TD_INT(2), 1, TD_VALUE(td_value_double(0)), &err), TD_ERR_INDEX,
               NULL, NULL);
  td_dict *one = new_dict(TD_NO_DIMS); /* a value without batch dims stands for all that is selected */
  put(one, TD_KEY("n", "b"), full_f32(9, TD_NO_DIMS));
  mask = vector_of(TD_DTYPE_BOOL, TD_SHAPE(0, 1));
  must(td_dict_set_at(stack, &(td_index)TD_TENSOR(mask), 1, one, &err));
  expect_entry(stack, TD_KEY("n", "b"), VALUES(0, -1, 0, 9, 9, 9));
  td_tensor_release(mask);
  mask = counted(TD_DTYPE_BOOL, TD_SHAPE(2, 3));
  must(td_dict_set_at(stack, &(td_index)TD_TENSOR(mask), 1, one, &err));
  expect_entry(stack, TD_KEY("n", "b"), VALUES(0, 9, 0, 9, 9, 9));
  td_tensor_release(mask);
  td_dict_release(one);
  td_dict_release(value);
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, names_go_to_the_members) {
  td_dict *a = member(0, NULL), *b = member(10, NULL), *stack;
  must(td_dict_set_names(a, &TD_STR("t"), 1, &err));
  must(td_dict_set_names(b, &TD_STR("t"), 1, &err));
  stack = stack_of(a, b, 0);
  td_string *name;
  must(td_dict_name(stack, 0, &name, &err));
  check(name == NULL);
  must(td_dict_name(stack, 1, &name, &err));
  expect_text(name, "t");
  must(td_dict_set_names(stack, (const td_str[]){TD_STR("env"), TD_STR("time")}, 2, &err));
  must(td_dict_name(b, 0, &name, &err));
  expect_text(name, "time");
  td_dict *turned;
  must(td_dict_transpose(stack, 0, 1, &turned, &err));
  must(td_dict_name(turned, 1, &name, &err));
  expect_text(name, "env");
  td_dict_release(turned);
  td_dict_release(stack);
  td_dict_release(a);
  td_dict_release(b);
}

LeaklessTest(dict_lazy, nesting_ends_before_it_hangs) {
  td_dict *stack = new_dict(TD_NO_DIMS), *next;
  int levels = 0;
  while (td_dict_lazy_stack((td_dict *const[]){stack, stack}, 2, 0, &next, &err) == TD_OK) {
    td_dict_release(stack);
    stack = next;
    ++levels;
  }
  check(levels == 24);
  expect_error(td_error_code(err), TD_ERR_SHAPE, NULL, "members");
  while (td_dict_lazy_stack(&stack, 1, 0, &next, &err) == TD_OK) {
    td_dict_release(stack);
    stack = next;
    ++levels;
  }
  check(levels == 64);
  expect_error(td_error_code(err), TD_ERR_SHAPE, NULL, "64");
  td_dict_release(stack);
}

LeaklessTest(dict_lazy, a_segment_keeps_them_lazy) {
  td_dict *a = member(0, NULL), *stack = stack_of(a, a, 0), *seen;
  td_segment *segment;
  td_segment_unlink(TD_STR("td-test-lazy"), NULL); /* of a run that was killed */
  must(td_segment_create(TD_STR("td-test-lazy"), stack, NULL, &segment, &err));
  must(td_segment_dict(segment, &seen, &err));
  check(td_dict_stack_dim(seen) == 0);
  td_dict_release(seen);
  td_segment_release(segment);
  td_dict_release(stack);
  td_dict_release(a);
}

LeaklessTest(dict_lazy, what_is_a_dict_in_one_member_and_a_tensor_in_another_has_no_dense_form) {
  td_dict *a = new_dict(TD_NO_DIMS), *b = new_dict(TD_NO_DIMS), *dense;
  put(a, TD_KEY("x", "y"), full_f32(1, TD_SHAPE(3)));
  put(b, TD_KEY("x"), full_f32(1, TD_SHAPE(3)));
  td_dict *stack = stack_of(a, b, 0);
  expect_keys(keys_of(stack, TD_KEYS_NESTED), KEYS("x")); /* nobody can go into it */
  expect_error(td_dict_contiguous(stack, &dense, &err), TD_ERR_KEY, "\"x\"", "in member 1");
  td_dict_release(stack), td_dict_release(a), td_dict_release(b);
}
