/* Lazy stacks under index and shape: against the dense dict of the same values, and lazy where the original is. */
#include "support/trees.h"

/* Batch size [2, 3]: "a" [2, 3, 2] counts up, ("n", "b") [2, 3]. */
static td_dict *dense_one(void) {
  td_dict *td = new_dict(TD_SHAPE(2, 3));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 3, 2)));
  put(td, TD_KEY("n", "b"), range_f32(TD_SHAPE(2, 3)));
  must(td_dict_set_data_stack(
      td, TD_KEY("s"),
      (const td_data[]){td_data_int(0), td_data_int(1), td_data_int(2), td_data_int(3), td_data_int(4), td_data_int(5)},
      6, &err));
  return td;
}

static int equal(const td_dict *a, const td_dict *b) {
  td_keys *keys;
  td_tensor_list *ta;
  int64_t batch[8];
  int same = has_batch(b, batch, td_dict_batch_size(a, batch, 8));
  must(td_dict_leaves(a, &keys, &ta, &err));
  for (size_t i = 0; same && i < td_keys_size(keys); ++i) {
    td_key key;
    td_tensor *x, *y;
    must(td_keys_get(keys, i, &key, &err));
    must(td_tensor_list_get(ta, i, &x, &err));
    y = get(b, &key);
    same = same_values(x, y);
    td_tensor_release(x);
    td_tensor_release(y);
  }
  td_keys_release(keys);
  td_tensor_list_release(ta);
  td_data_list *da, *db;
  must(td_dict_get_data(a, TD_KEY("s"), &da, &err));
  must(td_dict_get_data(b, TD_KEY("s"), &db, &err));
  same = same && td_data_list_size(da) == td_data_list_size(db);
  for (size_t i = 0; same && i < td_data_list_size(da); ++i) {
    td_data x, y;
    must(td_data_list_get(da, i, &x, &err));
    must(td_data_list_get(db, i, &y, &err));
    same = x.i == y.i;
  }
  td_data_list_release(da);
  td_data_list_release(db);
  return same;
}

static td_tensor *rows, *grid, *mask1, *mask2, *wide_mask;

enum { LAZY = 1, DENSE = 0, EITHER = 2 };

typedef td_status (*change)(const td_dict *td, td_dict **out);
#define CHANGE(name, expression)                            \
  static td_status name(const td_dict *td, td_dict **out) { \
    return expression;                                      \
  }
CHANGE(turned, td_dict_transpose(td, 0, 1, out, &err))
CHANGE(permuted, td_dict_permute(td, TD_SHAPE(1, 0), out, &err))
CHANGE(unsqueezed_0, td_dict_unsqueeze(td, 0, out, &err))
CHANGE(unsqueezed_1, td_dict_unsqueeze(td, 1, out, &err))
CHANGE(unsqueezed_2, td_dict_unsqueeze(td, -1, out, &err))
CHANGE(narrowed_0, td_dict_narrow(td, 0, 1, 1, out, &err))
CHANGE(narrowed_1, td_dict_narrow(td, 1, 1, 2, out, &err))
CHANGE(unflattened, td_dict_unflatten(td, 1, TD_SHAPE(3, 1), out, &err))
CHANGE(unflattened_0, td_dict_unflatten(td, 0, TD_SHAPE(1, 2), out, &err))
CHANGE(reshaped, td_dict_reshape(td, TD_SHAPE(6), out, &err))
CHANGE(flattened, td_dict_flatten(td, 0, -1, out, &err))
CHANGE(expanded, td_dict_expand(td, TD_SHAPE(4, 2, 3), out, &err))
CHANGE(flipped, td_dict_flip(td, TD_SHAPE(0), out, &err))
CHANGE(repeated, td_dict_repeat(td, TD_SHAPE(2, 1), out, &err))
CHANGE(rolled, td_dict_roll(td, TD_SHAPE(1), TD_SHAPE(1), out, &err))
CHANGE(padded, td_dict_pad(td, TD_SHAPE(1, 0, 0, 2), TD_VALUE(td_value_double(-1)), out, &err))
CHANGE(selected_rows, td_dict_masked_select(td, wide_mask, out, &err))
CHANGE(gathered, td_dict_gather(td, 1, grid, out, &err))
#define INDEX(name, ...)                                                      \
  static td_status name(const td_dict *td, td_dict **out) {                   \
    const td_index index[] = {__VA_ARGS__};                                   \
    return td_dict_index(td, index, sizeof index / sizeof *index, out, &err); \
  }
INDEX(slices, TD_SLICE(0, 1), TD_SLICE(1, 3))
INDEX(stepped, TD_STEP_SLICE(0, TD_END, 2))
INDEX(int_1, TD_SLICE(0, TD_END), TD_INT(1))
INDEX(both, TD_INT(1), TD_INT(-1))
INDEX(none_first, {2, 0, 0, 0, 0, NULL, NULL, 0}, TD_INT(1))
INDEX(ellipsis_int, {3, 0, 0, 0, 0, NULL, NULL, 0}, TD_INT(2))
INDEX(by_rows, TD_TENSOR(rows))
INDEX(by_rows_1, TD_SLICE(0, TD_END), TD_TENSOR(rows))
INDEX(by_grid, TD_TENSOR(grid))
INDEX(by_mask, TD_TENSOR(mask1))
INDEX(by_mask_1, TD_SLICE(0, TD_END), TD_TENSOR(mask2))
INDEX(by_wide_mask, TD_TENSOR(wide_mask))
INDEX(by_two, TD_TENSOR(rows), TD_TENSOR(rows))
INDEX(rows_then_slice, TD_TENSOR(rows), TD_SLICE(1, 2))
INDEX(empty, TD_SLICE(0, 0))

static const struct {
  const char *name;
  change apply;
  int lazy; /* of a stack along dim 0 */
} changes[] = {
    {"transpose", turned, LAZY},
    {"permute", permuted, LAZY},
    {"unsqueeze 0", unsqueezed_0, LAZY},
    {"unsqueeze 1", unsqueezed_1, LAZY},
    {"unsqueeze -1", unsqueezed_2, LAZY},
    {"narrow 0", narrowed_0, LAZY},
    {"narrow 1", narrowed_1, LAZY},
    {"unflatten", unflattened, LAZY},
    {"unflatten 0", unflattened_0, LAZY},
    {"reshape", reshaped, LAZY},
    {"flatten", flattened, LAZY},
    {"expand", expanded, DENSE},
    {"flip", flipped, DENSE},
    {"repeat", repeated, LAZY},
    {"roll", rolled, DENSE},
    {"pad", padded, DENSE},
    {"masked_select", selected_rows, DENSE},
    {"gather", gathered, DENSE},
    {"slices", slices, LAZY},
    {"step", stepped, LAZY},
    {"[:, 1]", int_1, EITHER},
    {"[1, -1]", both, EITHER},
    {"[None, 1]", none_first, EITHER},
    {"[..., 2]", ellipsis_int, EITHER},
    {"[rows]", by_rows, LAZY},
    {"[:, rows]", by_rows_1, LAZY},
    {"[grid]", by_grid, LAZY},
    {"[mask]", by_mask, LAZY},
    {"[:, mask]", by_mask_1, LAZY},
    {"[wide mask]", by_wide_mask, DENSE},
    {"[rows, rows]", by_two, DENSE},
    {"[rows, 1:2]", rows_then_slice, LAZY},
};

static td_dict *dense_and_indices(void) {
  rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 0, 1}, 3);
  td_tensor *numbers = vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 0, 0, 1}, 4);
  grid = call("reshape", NULL, ARGS(td_value_tensor(numbers), td_value_ints(TD_SHAPE(2, 2))));
  td_tensor_release(numbers);
  mask1 = vector_of(TD_DTYPE_BOOL, (const int64_t[]){0, 1}, 2);
  mask2 = vector_of(TD_DTYPE_BOOL, (const int64_t[]){1, 0, 1}, 3);
  wide_mask = counted(TD_DTYPE_BOOL, TD_SHAPE(2, 3));
  return dense_one();
}

static void release_indices(void) {
  td_tensor *all[] = {rows, grid, mask1, mask2, wide_mask};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) td_tensor_release(all[i]);
}

LeaklessTest(dict_lazy_shape, gives_what_a_dense_dict_gives) {
  td_dict *dense = dense_and_indices();
  for (int64_t dim = 0; dim < 2; ++dim) {
    td_dict *lazy;
    must(td_dict_to_lazy_stack(dense, dim, &lazy, &err));
    check(td_dict_stack_dim(lazy) == dim);
    check(equal(dense, lazy));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
      td_dict *expected, *got;
      must(changes[i].apply(dense, &expected));
      must(changes[i].apply(lazy, &got));
      if (!equal(expected, got)) cr_assert_fail("%s of a stack along dim %d", changes[i].name, (int)dim);
      if (dim == 0 && changes[i].lazy != EITHER)
        cr_assert((td_dict_kind_of(got) == TD_DICT_KIND_LAZY_STACK) == changes[i].lazy, "%s", changes[i].name);
      td_dict_release(expected);
      td_dict_release(got);
    }
    td_dict_release(lazy);
  }
  td_dict_release(dense);
  release_indices();
}

LeaklessTest(dict_lazy_shape, gives_the_same_below_an_ordinary_dict) {
  td_dict *dense = dense_and_indices();
  for (int64_t dim = 0; dim < 2; ++dim) {
    td_dict *lazy, *nested = new_dict(TD_SHAPE(2, 3));
    must(td_dict_to_lazy_stack(dense, dim, &lazy, &err));
    must(td_dict_set_dict(nested, TD_KEY("l"), lazy, &err));
    put(nested, TD_KEY("t"), range_f32(TD_SHAPE(2, 3)));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
      td_dict *expected, *outer, *inner;
      must(changes[i].apply(dense, &expected));
      must(changes[i].apply(nested, &outer));
      inner = get_dict(outer, TD_KEY("l"));
      if (!equal(expected, inner)) cr_assert_fail("%s of a nested stack along dim %d", changes[i].name, (int)dim);
      td_keys *keys;
      td_key key;
      must(td_dict_keys(outer, 0, &keys, &err));
      must(td_keys_get(keys, 0, &key, &err));
      check(says(key.parts[0], "l"));
      td_keys_release(keys);
      td_dict_release(inner);
      td_dict_release(outer);
      td_dict_release(expected);
    }
    td_dict_release(nested);
    td_dict_release(lazy);
  }
  td_dict_release(dense);
  release_indices();
}

static td_dict *nth(td_dict_list *list, size_t i) {
  td_dict *d;
  must(td_dict_list_get(list, i, &d, &err));
  return d;
}

LeaklessTest(dict_lazy_shape, an_integer_unbind_and_squeeze_give_the_member_itself) {
  td_dict *dense = dense_one(), *lazy, *row, *part, *again;
  must(td_dict_to_lazy_stack(dense, 0, &lazy, &err));
  td_dict_list *members, *pieces;
  must(td_dict_members(lazy, &members, &err));
  td_dict *second = nth(members, 1);
  must(td_dict_index(lazy, &(td_index)TD_INT(-1), 1, &row, &err));
  check(row == second);
  must(td_dict_index(lazy, &(td_index)TD_SLICE(1, 2), 1, &part, &err));
  must(td_dict_index(part, &(td_index)TD_INT(0), 1, &again, &err));
  check(again == second);
  td_dict_release(again);
  must(td_dict_unbind(lazy, 0, &pieces, &err));
  again = nth(pieces, 1);
  check(again == second);
  td_dict_release(again);
  td_dict_list_release(pieces);
  must(td_dict_squeeze(part, TD_NO_DIMS, &again, &err));
  check(again == second);
  td_dict_release(again);
  td_dict_release(part);
  td_dict_release(row);
  td_dict_release(second);
  td_dict_list_release(members);
  td_dict_release(lazy);
  td_dict_release(dense);
}

LeaklessTest(dict_lazy_shape, unbind_and_split_copy_nothing) {
  td_dict *dense = dense_one(), *lazy;
  must(td_dict_to_lazy_stack(dense, 0, &lazy, &err));
  td_dict_list *pieces;
  must(td_dict_unbind(lazy, 1, &pieces, &err));
  check(td_dict_list_size(pieces) == 3);
  td_dict *column = nth(pieces, 0);
  expect_batch(column, TD_SHAPE(2));
  must(td_dict_zero_(column, &err)); /* views of the members, which are views of the dense dict */
  expect_entry(dense, TD_KEY("n", "b"), VALUES(0, 1, 2, 0, 4, 5));
  td_dict_release(column);
  td_dict_list_release(pieces);
  must(td_dict_split(lazy, 1, 0, &pieces, &err));
  check(td_dict_list_size(pieces) == 2);
  td_dict_list_release(pieces);
  td_dict_release(lazy);
  td_dict_release(dense);
}

LeaklessTest(dict_lazy_shape, an_empty_slice_is_a_stack_without_members) {
  td_dict *dense = dense_one(), *lazy, *none;
  must(td_dict_to_lazy_stack(dense, 0, &lazy, &err));
  must(empty(lazy, &none));
  check(td_dict_kind_of(none) == TD_DICT_KIND_LAZY_STACK);
  expect_batch(none, TD_SHAPE(0, 3));
  td_dict_release(none);
  td_dict_release(lazy);
  td_dict_release(dense);
}

LeaklessTest(dict_lazy_shape, an_index_beyond_it_and_a_view_of_another_shape_are_refused) {
  td_dict *dense = dense_one(), *lazy, *out;
  must(td_dict_to_lazy_stack(dense, 0, &lazy, &err));
  expect_error(td_dict_index(lazy, &(td_index)TD_INT(2), 1, &out, &err), TD_ERR_INDEX, NULL, "2");
  expect_error(td_dict_index(lazy, (const td_index[]){TD_INT(0), TD_INT(0), TD_INT(0)}, 3, &out, &err), TD_ERR_INDEX,
               NULL, NULL);
  expect_error(td_dict_view(lazy, TD_SHAPE(3, 2), &out, &err), TD_ERR_UNSUPPORTED, NULL, "td_dict_reshape");
  must(td_dict_view(lazy, TD_SHAPE(2, 3), &out, &err));
  check(out == lazy);
  td_dict_release(out);
  td_dict_release(lazy);
  td_dict_release(dense);
}

LeaklessTest(dict_lazy_shape, the_last_of_the_dims_in_place_of_a_dim_has_its_name) {
  td_dict *dense = new_dict(TD_SHAPE(4, 3)), *lazy, *out;
  const td_str names[] = {TD_STR("s"), TD_STR("t")};
  put(dense, TD_KEY("a"), range_f32(TD_SHAPE(4, 3)));
  must(td_dict_to_lazy_stack(dense, 0, &lazy, &err));
  must(td_dict_set_names(lazy, names, 2, &err));
  must(td_dict_unflatten(lazy, 0, TD_SHAPE(1, 2, 2), &out, &err));
  expect_names(out, "--st");
  td_dict_release(out);
  must(td_dict_unflatten(lazy, 1, TD_SHAPE(3, 1), &out, &err));
  expect_names(out, "s-t");
  expect_names(lazy, "st");
  td_dict_release(out), td_dict_release(lazy), td_dict_release(dense);
}

LeaklessTest(dict_lazy_shape, stacks_are_stacked) {
  td_dict *dense = dense_one(), *lazy, *out, *expected;
  must(td_dict_to_lazy_stack(dense, 0, &lazy, &err));
  const td_dict *lazies[] = {lazy, lazy}, *denses[] = {dense, dense}, *mixed[] = {lazy, dense};
  for (int64_t dim = 0; dim < 3; ++dim) {
    must(td_dict_stack(lazies, 2, dim, &out, &err));
    must(td_dict_stack(denses, 2, dim, &expected, &err));
    check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK && equal(expected, out));
    td_dict_release(out);
    must(td_dict_stack(mixed, 2, dim, &out, &err));
    check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT && equal(expected, out));
    td_dict_release(out);
    td_dict_release(expected);
  }
  td_dict_release(lazy);
  td_dict_release(dense);
}

LeaklessTest(dict_lazy_shape, stacks_along_one_dim_are_joined) {
  td_dict *dense = dense_one(), *lazy, *turned, *out, *expected;
  must(td_dict_to_lazy_stack(dense, 0, &lazy, &err));
  const td_dict *lazies[] = {lazy, lazy}, *denses[] = {dense, dense}, *mixed[] = {lazy, dense};
  for (int64_t dim = 0; dim < 2; ++dim)
    for (int i = 0; i < 2; ++i) {
      must(td_dict_cat(i ? mixed : lazies, 2, dim, &out, &err));
      must(td_dict_cat(denses, 2, dim, &expected, &err));
      check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK && equal(expected, out));
      td_dict_release(out);
      td_dict_release(expected);
    }
  must(td_dict_to_lazy_stack(dense, 1, &turned, &err));
  expect_error(td_dict_cat((const td_dict *const[]){lazy, turned}, 2, 0, &out, &err), TD_ERR_SHAPE, NULL,
               "dims 0 and 1");
  td_dict_release(turned);
  td_dict_release(lazy);
  td_dict_release(dense);
}

LeaklessTest(dict_lazy_shape, what_is_joined_into_a_stack_is_in_its_members) {
  td_dict *dense = dense_one(), *out, *target;
  must(td_dict_clone(dense, &out, &err));
  must(td_dict_to_lazy_stack(out, 0, &target, &err));
  must(td_dict_zero_(target, &err));
  td_dict_list *pieces;
  must(td_dict_split(dense, 1, 0, &pieces, &err));
  td_dict *first = nth(pieces, 0), *second = nth(pieces, 1);
  const td_dict *halves[] = {first, second};
  must(td_dict_cat_into(halves, 2, 0, target, &err));
  check(equal(dense, target));
  td_dict_release(first);
  td_dict_release(second);
  td_dict_list_release(pieces);
  td_dict_release(target);
  td_dict_release(out);
  td_dict_release(dense);
}

CHANGE(rotated, td_dict_rot90(td, 1, 0, 1, out, &err))
CHANGE(tiled, td_dict_tile(td, TD_SHAPE(1, 2), out, &err))
CHANGE(turned_over, td_dict_reshape(td, TD_SHAPE(3, 2), out, &err))

LeaklessTest(dict_lazy_shape, what_is_made_of_a_locked_stack_is_locked_as_of_a_dense_dict) {
  const change table[] = {flipped, rolled, rotated, tiled, flattened, turned_over};
  td_dict *dense = dense_one(), *lazy;
  must(td_dict_to_lazy_stack(dense, 0, &lazy, &err));
  for (int locks = 0; locks < 2; ++locks) {
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      td_dict *expected, *got;
      must(table[i](dense, &expected));
      must(table[i](lazy, &got));
      check(td_dict_is_locked(expected) == locks && td_dict_is_locked(got) == locks);
      td_dict_release(expected), td_dict_release(got);
    }
    must(td_dict_lock_(dense, &err));
    must(td_dict_lock_(lazy, &err));
  }
  td_dict_release(dense), td_dict_release(lazy);
}
