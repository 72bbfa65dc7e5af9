/* Members of different shapes and keys: how that is asked about, and the ways to have them together. */
#include "support/td.h"

/* `n` steps from `first` on: "obs" [n, 2] below "ep", "len" without dims, and "extra" [2] if asked for. */
static td_dict *episode(int64_t n, double first, int extra) {
  td_dict *td = new_dict(TD_NO_DIMS);
  td_tensor *r = range_f32(TD_SHAPE(n, 2));
  put(td, TD_KEY("ep", "obs"), call("add", "Scalar", ARGS(td_value_tensor(r), td_value_double(first))));
  td_tensor_release(r);
  put(td, TD_KEY("len"), full_f32((double)n, TD_NO_DIMS));
  if (extra) put(td, TD_KEY("extra"), full_f32(5, TD_SHAPE(2)));
  return td;
}

static td_dict *episodes(void) {
  td_dict *a = episode(1, 0, 1), *b = episode(3, 10, 0), *stack;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err));
  td_dict_release(a);
  td_dict_release(b);
  return stack;
}

static void expect_entry_shape(const td_dict *td, const td_key *key, const int64_t *dims, size_t ndim) {
  int64_t there[8];
  size_t n = 99;
  must(td_dict_entry_shape(td, key, there, 8, &n, &err));
  check(n == ndim && memcmp(there, dims ? dims : there, n * sizeof *there) == 0);
}

LeaklessTest(dict_lazy_ragged, tells_which_entries_differ_and_in_which_dims) {
  td_dict *stack = episodes(), *outer = new_dict(TD_NO_DIMS);
  must(td_dict_set_dict(outer, TD_KEY("l"), stack, &err));
  expect_entry_shape(stack, TD_KEY("ep", "obs"), TD_SHAPE(2, -1, 2));
  expect_entry_shape(stack, TD_KEY("len"), TD_SHAPE(2));
  expect_entry_shape(stack, TD_KEY("ep"), TD_SHAPE(2));
  expect_entry_shape(outer, TD_KEY("l", "ep", "obs"), TD_SHAPE(2, -1, 2));
  td_keys *keys;
  td_key key;
  must(td_dict_ragged_keys(outer, &keys, &err));
  check(td_keys_size(keys) == 1);
  must(td_keys_get(keys, 0, &key, &err));
  check(key.n == 3 && says(key.parts[2], "obs"));
  td_keys_release(keys);
  size_t n;
  expect_error(td_dict_entry_shape(stack, TD_KEY("extra"), NULL, 0, &n, &err), TD_ERR_KEY, "\"extra\"", NULL);
  td_tensor *t;
  expect_error(td_dict_get(outer, TD_KEY("l", "ep", "obs"), &t, &err), TD_ERR_SHAPE, "(\"l\", \"ep\", \"obs\")",
               "td_dict_get_padded");
  td_dict *dense;
  expect_error(td_dict_contiguous(outer, &dense, &err), TD_ERR_SHAPE, "(\"l\", \"ep\", \"obs\")", "[1, 2] and [3, 2]");
  check(kind_at(stack, TD_KEY("ep", "obs")) == TD_ENTRY_TENSOR);
  must(td_dict_keys(stack, TD_KEYS_NESTED, &keys, &err)); /* listing needs no values */
  check(td_keys_size(keys) == 3);
  td_keys_release(keys);

  td_dict *flat = new_dict(TD_NO_DIMS), *odd;
  put(flat, TD_KEY("len"), full_f32(1, TD_SHAPE(4)));
  must(td_dict_lazy_stack((td_dict *const[]){flat, flat}, 2, 0, &odd, &err));
  put(flat, TD_KEY("len"), full_f32(1, TD_NO_DIMS));
  td_dict *other = episode(1, 0, 0);
  put(other, TD_KEY("len"), full_f32(1, TD_SHAPE(4)));
  must(td_dict_append(odd, other, &err));
  expect_entry_shape(odd, TD_KEY("len"), TD_SHAPE(-1)); /* not even the number of dims */
  td_dict_release(other);
  td_dict_release(odd);
  td_dict_release(flat);
  td_dict_release(outer);
  td_dict_release(stack);
}

LeaklessTest(dict_lazy_ragged, lists_are_the_members_own_tensors) {
  td_dict *stack = episodes();
  td_tensor_list *list;
  must(td_dict_get_list(stack, TD_KEY("ep", "obs"), &list, &err));
  check(td_tensor_list_size(list) == 2);
  td_tensor *t;
  must(td_tensor_list_get(list, 1, &t, &err));
  expect_shape(t, TD_SHAPE(3, 2));
  poke(t, -1);
  td_tensor_release(t);
  td_tensor_list_release(list);
  td_dict *b;
  must(td_dict_index(stack, &(td_index)TD_INT(1), 1, &b, &err));
  expect_entry(b, TD_KEY("ep", "obs"), VALUES(-1, 11, 12, 13, 14, 15));
  td_tensor *values[] = {range_f32(TD_SHAPE(4)), range_f32(TD_SHAPE(2))};
  must(td_dict_set_list(stack, TD_KEY("ep", "act"), values, 2, &err));
  expect_entry(b, TD_KEY("ep", "act"), VALUES(0, 1));
  expect_error(td_dict_set_list(stack, TD_KEY("x"), values, 1, &err), TD_ERR_ARGUMENT, "\"x\"", "2 members");
  expect_error(td_dict_set_list(b, TD_KEY("x"), values, 2, &err), TD_ERR_UNSUPPORTED, "\"x\"", "lazy stack");
  expect_error(td_dict_get_list(b, TD_KEY("len"), &list, &err), TD_ERR_UNSUPPORTED, "\"len\"", "lazy stack");
  expect_error(td_dict_get_list(stack, TD_KEY("nope"), &list, &err), TD_ERR_KEY, "\"nope\"", NULL);
  must(td_dict_lock_(b, &err));
  expect_error(td_dict_set_list(stack, TD_KEY("y"), values, 2, &err), TD_ERR_LOCKED, "\"y\"", NULL);
  must(td_dict_unlock_(b, &err));
  td_dict *a;
  must(td_dict_index(stack, &(td_index)TD_INT(0), 1, &a, &err));
  check(kind_at(a, TD_KEY("y")) == TD_ENTRY_NONE);
  td_dict_release(a);
  td_dict_release(b);
  td_tensor_release(values[0]);
  td_tensor_release(values[1]);
  td_dict_release(stack);
}

LeaklessTest(dict_lazy_ragged, pads_on_either_side) {
  td_dict *stack = episodes();
  td_tensor *t, *mask;
  must(td_dict_get_padded(stack, TD_KEY("ep", "obs"), NULL, &t, &mask, &err));
  expect_shape(t, TD_SHAPE(2, 3, 2));
  expect_values(t, VALUES(0, 1, 0, 0, 0, 0, 10, 11, 12, 13, 14, 15));
  expect_shape(mask, TD_SHAPE(2, 3));
  expect_values(mask, VALUES(1, 0, 0, 1, 1, 1));
  td_tensor_release(t);
  td_tensor_release(mask);
  td_padding_options options = TD_PADDING_OPTIONS_INIT;
  options.left = 1;
  options.value = TD_VALUE(td_value_double(-1));
  must(td_dict_get_padded(stack, TD_KEY("ep", "obs"), &options, &t, NULL, &err));
  expect_values(t, VALUES(-1, -1, -1, -1, 0, 1, 10, 11, 12, 13, 14, 15));
  td_tensor_release(t);
  expect_error(td_dict_get_padded(stack, TD_KEY("extra"), NULL, &t, NULL, &err), TD_ERR_KEY, "\"extra\"", NULL);
  td_dict_release(stack);
}

LeaklessTest(dict_lazy_ragged, joins_with_offsets) {
  td_dict *stack = episodes();
  td_tensor *t, *offsets;
  must(td_dict_get_jagged(stack, TD_KEY("ep", "obs"), &t, &offsets, &err));
  expect_shape(t, TD_SHAPE(4, 2));
  expect_values(t, VALUES(0, 1, 10, 11, 12, 13, 14, 15));
  expect_values(offsets, VALUES(0, 1, 4));
  check(td_tensor_dtype(offsets) == TD_DTYPE_INT64);
  td_tensor_release(t);
  td_tensor_release(offsets);
  expect_error(td_dict_get_jagged(stack, TD_KEY("len"), &t, &offsets, &err), TD_ERR_SHAPE, "\"len\"", NULL);
  td_dict_release(stack);
}

LeaklessTest(dict_lazy_ragged, becomes_dense_with_a_mask_for_each_padded_entry) {
  td_dict *stack = episodes(), *dense, *masks;
  td_key mask_key = *TD_KEY("masks");
  td_padding_options options = TD_PADDING_OPTIONS_INIT;
  options.left = 1;
  options.value = TD_VALUE(td_value_double(-1));
  options.mask_key = &mask_key;
  must(td_dict_densify(stack, &options, &dense, &err));
  check(td_dict_kind_of(dense) == TD_DICT_KIND_TENSORDICT);
  expect_batch(dense, TD_SHAPE(2));
  expect_entry(dense, TD_KEY("extra"), VALUES(5, 5, -1, -1));
  expect_entry(dense, TD_KEY("len"), VALUES(1, 3));
  masks = get_dict(dense, TD_KEY("masks"));
  expect_entry(masks, TD_KEY("ep", "obs"), VALUES(0, 0, 1, 1, 1, 1));
  expect_entry(masks, TD_KEY("extra"), VALUES(1, 0));
  check(kind_at(masks, TD_KEY("len")) == TD_ENTRY_NONE);
  td_dict_release(masks);
  td_dict_release(dense);
  td_key taken = *TD_KEY("len");
  options.mask_key = &taken;
  expect_error(td_dict_densify(stack, &options, &dense, &err), TD_ERR_EXISTS, "\"len\"", NULL);
  td_dict_release(stack);
}

LeaklessTest(dict_lazy_ragged, a_stack_is_dense_where_it_can_be) {
  td_dict *a = episode(2, 0, 1), *b = episode(2, 10, 0), *c = episode(3, 0, 1), *out, *node;
  must(td_dict_maybe_dense_stack((td_dict *const[]){a, a}, 2, 0, &out, &err));
  check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT);
  td_dict_release(out);
  must(td_dict_maybe_dense_stack((td_dict *const[]){a, b}, 2, 0, &out, &err)); /* keys differ at the root */
  check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK);
  td_dict_release(out);
  must(td_dict_maybe_dense_stack((td_dict *const[]){a, c}, 2, -1, &out, &err)); /* shapes differ below */
  check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT);
  node = get_dict(out, TD_KEY("ep"));
  check(td_dict_kind_of(node) == TD_DICT_KIND_LAZY_STACK);
  expect_entry(out, TD_KEY("len"), VALUES(2, 3));
  td_dict_release(node);
  td_dict_release(out);
  td_dict *deep[2], *l, *first;
  for (int i = 0; i < 2; ++i) { /* stacks of two members, of which the second has more keys */
    must(td_dict_lazy_stack((td_dict *const[]){c, a}, 2, 0, &l, &err));
    deep[i] = new_dict(TD_NO_DIMS);
    put_dict(deep[i], TD_KEY("l"), l);
  }
  must(td_dict_maybe_dense_stack(deep, 2, 0, &out, &err));
  l = get_dict(out, TD_KEY("l"));
  check(td_dict_kind_of(l) == TD_DICT_KIND_LAZY_STACK && td_dict_stack_dim(l) == 1);
  must(td_dict_index(l, (const td_index[]){TD_SLICE(0, TD_END), TD_INT(1)}, 2, &first, &err));
  check(td_dict_kind_of(first) == TD_DICT_KIND_TENSORDICT);
  expect_entry(first, TD_KEY("len"), VALUES(2, 2));
  td_dict_release(first), td_dict_release(l), td_dict_release(out);
  td_dict_release(deep[0]), td_dict_release(deep[1]);
  expect_error(td_dict_maybe_dense_stack((td_dict *const[]){a, c}, 2, 2, &out, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_dict_maybe_dense_stack(NULL, 0, 0, &out, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(a);
  td_dict_release(b);
  td_dict_release(c);
}

/* Two members with "a"; the second has "i" and ("n", "x"), too. */
static td_dict *one_with_more(void) {
  td_dict *a = new_dict(TD_SHAPE(4)), *b, *stack;
  put(a, TD_KEY("a"), full_f32(1, TD_SHAPE(4)));
  must(td_dict_copy(a, &b, &err));
  put(b, TD_KEY("i"), full_f32(2, TD_SHAPE(4)));
  put(b, TD_KEY("n", "x"), full_f32(3, TD_SHAPE(4)));
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err));
  td_dict_release(a), td_dict_release(b);
  return stack;
}

static int member_has(const td_dict *stack, int64_t i, const td_key *key) {
  td_dict_list *members;
  td_dict *member;
  must(td_dict_members(stack, &members, &err));
  must(td_dict_list_get(members, (size_t)i, &member, &err));
  const int has = kind_at(member, key) != TD_ENTRY_NONE;
  td_dict_release(member), td_dict_list_release(members);
  return has;
}

LeaklessTest(dict_lazy_ragged, what_some_members_hold_goes_into_a_part_in_those) {
  td_split_options lenient = TD_SPLIT_OPTIONS_INIT;
  lenient.lenient = 1;
  td_dict *stack = one_with_more(), *outer = new_dict(TD_NO_DIMS), *parts[2], *part;
  const td_key *const keys[] = {TD_KEY("i"), TD_KEY("n", "x")};
  for (size_t k = 0; k < 2; ++k) {
    const td_key_set set = {keys[k], 1};
    must(td_dict_split_keys(stack, &set, 1, NULL, parts, &err));
    check(!member_has(parts[0], 0, keys[k]) && member_has(parts[0], 1, keys[k]));
    check(!member_has(parts[1], 1, keys[k]) && member_has(parts[1], 0, TD_KEY("a")));
    check(member_has(stack, 1, keys[k]));
    td_dict_release(parts[0]), td_dict_release(parts[1]);
    must(td_dict_split_keys(stack, &set, 1, &lenient, parts, &err)); /* as it was */
    check(!member_has(parts[0], 1, keys[k]) && member_has(parts[1], 1, keys[k]));
    td_dict_release(parts[0]), td_dict_release(parts[1]);
    expect_error(td_dict_separate(stack, keys[k], 1, NULL, &part, &err), TD_ERR_KEY, NULL, NULL);
    check(member_has(stack, 1, keys[k]));
  }
  const td_key_set set = {TD_KEY("i"), 1}, name = {TD_KEY("renamed"), 1}, wrong = {TD_KEY("i", "x"), 1},
                   twice[] = {{TD_KEY("i"), 1}, {TD_KEY("i"), 1}};
  td_split_options options = TD_SPLIT_OPTIONS_INIT;
  options.names = &name;
  must(td_dict_split_keys(stack, &set, 1, &options, parts, &err));
  check(member_has(parts[0], 1, TD_KEY("renamed")) && !member_has(parts[0], 0, TD_KEY("renamed")));
  td_dict_release(parts[0]), td_dict_release(parts[1]);
  td_dict *three[3];
  expect_error(td_dict_split_keys(stack, &wrong, 1, NULL, parts, &err), TD_ERR_KEY, NULL, NULL);
  expect_error(td_dict_split_keys(stack, twice, 2, NULL, three, &err), TD_ERR_KEY, NULL, NULL);
  must(td_dict_set_dict(outer, TD_KEY("l"), stack, &err)); /* and further down */
  const td_key_set below = {TD_KEY("l", "i"), 1};
  must(td_dict_split_keys(outer, &below, 1, NULL, parts, &err));
  part = get_dict(parts[0], TD_KEY("l"));
  check(!member_has(part, 0, TD_KEY("i")) && member_has(part, 1, TD_KEY("i")));
  td_dict_release(part), td_dict_release(parts[0]), td_dict_release(parts[1]);
  td_dict_release(outer), td_dict_release(stack);
}

/* Taking the dict apart first would take minutes, or all memory. */
LeaklessTest(dict_lazy_ragged, an_absurd_batch_size_is_compared_before_anything_is_taken_apart) {
  td_dict *stack = one_with_more(), *huge = new_dict((const int64_t[]){INT64_C(1) << 40}, 1), *out;
  expect_error(td_dict_update(stack, huge, NULL, &err), TD_ERR_SHAPE, NULL, "1099511627776");
  expect_error(td_dict_replace(stack, huge, &out, &err), TD_ERR_SHAPE, NULL, "1099511627776");
  expect_error(td_dict_update_(stack, huge, &err), TD_ERR_SHAPE, NULL, NULL);
  td_dict_release(huge), td_dict_release(stack);
}

/* [2] of "x" of two widths. */
static td_dict *pair(int64_t first, int64_t second) {
  td_dict *parts[2], *stack;
  for (int i = 0; i < 2; ++i) {
    parts[i] = new_dict(TD_NO_DIMS);
    put(parts[i], TD_KEY("x"), full_f32(i + 1, TD_SHAPE(i ? second : first)));
  }
  must(td_dict_lazy_stack(parts, 2, 0, &stack, &err));
  td_dict_release(parts[0]), td_dict_release(parts[1]);
  return stack;
}

LeaklessTest(dict_lazy_ragged, stacks_of_ragged_stacks_are_listed_and_padded) {
  td_dict *a = pair(1, 2), *b = pair(3, 1), *stack;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err));
  td_tensor_list *list;
  must(td_dict_get_list(stack, TD_KEY("x"), &list, &err));
  check(td_tensor_list_size(list) == 4);
  static const int64_t widths[] = {1, 2, 3, 1};
  for (size_t i = 0; i < 4; ++i) {
    td_tensor *t;
    must(td_tensor_list_get(list, i, &t, &err));
    check(has_shape(t, &widths[i], 1));
    td_tensor_release(t);
  }
  td_tensor_list_release(list);
  td_tensor *t, *mask;
  must(td_dict_get_padded(stack, TD_KEY("x"), NULL, &t, &mask, &err));
  expect_shape(t, TD_SHAPE(2, 2, 3));
  expect_values(t, VALUES(1, 0, 0, 2, 2, 0, 1, 1, 1, 2, 0, 0));
  expect_shape(mask, TD_SHAPE(2, 2, 3));
  expect_values(mask, VALUES(1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0));
  td_tensor_release(t), td_tensor_release(mask);
  expect_error(td_dict_get_list(stack, TD_KEY("nope"), &list, &err), TD_ERR_KEY, "\"nope\"", NULL);
  td_dict_release(a), td_dict_release(b), td_dict_release(stack);
}
