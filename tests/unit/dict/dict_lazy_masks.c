/* Masks, tensors of indices and conditions over stacks whose members differ: the result is a stack of what differs. */
#include "support/td.h"

/* [2]: "x" [2, width] counts from `first`, and "only" where asked for. */
static td_dict *member(int64_t width, double first, int only) {
  td_dict *td = new_dict(TD_SHAPE(2));
  td_tensor *r = range_f32(TD_SHAPE(2, width));
  put(td, TD_KEY("x"), call("add", "Scalar", ARGS(td_value_tensor(r), td_value_double(first))));
  td_tensor_release(r);
  if (only) put(td, TD_KEY("only"), full_f32(5, TD_SHAPE(2)));
  return td;
}

static td_dict *two_members(int64_t dim, double first) {
  td_dict *a = member(1, first, 1), *b = member(2, first + 10, 0), *stack;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, dim, &stack, &err));
  td_dict_release(a), td_dict_release(b);
  return stack;
}

static td_tensor *mask_of(const int64_t *flags, const int64_t *dims, size_t ndim) {
  int64_t n = 1;
  for (size_t d = 0; d < ndim; ++d) n *= dims[d];
  td_tensor *flat = vector_of(TD_DTYPE_BOOL, flags, (size_t)n);
  td_tensor *mask = call("reshape", NULL, ARGS(td_value_tensor(flat), td_value_ints(dims, ndim)));
  td_tensor_release(flat);
  return mask;
}
#define FLAGS(...) ((const int64_t[]){__VA_ARGS__})

static td_dict *element(const td_dict *td, int64_t i, int64_t j) {
  const td_index index[] = {TD_INT(i), TD_INT(j)};
  td_dict *out;
  must(td_dict_index(td, index, j < 0 ? 1 : 2, &out, &err));
  return out;
}

static void expect_element_at(int line, const td_dict *td, int64_t i, int64_t j, const double *x, size_t n, int only) {
  td_dict *one = element(td, i, j);
  expect_batch(one, TD_NO_DIMS);
  expect_entry_at(__FILE__, line, one, TD_KEY("x"), x, n);
  check((kind_at(one, TD_KEY("only")) == TD_ENTRY_TENSOR) == only);
  td_dict_release(one);
}
#define expect_element(td, i, j, values, only) expect_element_at(__LINE__, (td), (i), (j), values, (only))

LeaklessTest(dict_lazy_masks, a_mask_over_the_stacks_dim_and_others_chooses_elements) {
  td_tensor *mask = mask_of(FLAGS(1, 0, 1, 1), TD_SHAPE(2, 2)), *none = mask_of(FLAGS(0, 0, 0, 0), TD_SHAPE(2, 2));
  for (int64_t dim = 0; dim < 2; ++dim)
    for (int selected = 0; selected < 2; ++selected) {
      td_dict *stack = two_members(dim, 0), *out;
      if (selected)
        must(td_dict_masked_select(stack, mask, &out, &err));
      else
        must(td_dict_index(stack, &(td_index)TD_TENSOR(mask), 1, &out, &err));
      check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK && has_batch(out, TD_SHAPE(3)));
      expect_element(out, 0, -1, VALUES(0), 1);
      if (dim == 0)
        expect_element(out, 1, -1, VALUES(10, 11), 0);
      else
        expect_element(out, 1, -1, VALUES(1), 1);
      expect_element(out, 2, -1, VALUES(12, 13), 0);
      td_dict_release(out);
      must(td_dict_index(stack, &(td_index)TD_TENSOR(none), 1, &out, &err));
      expect_batch(out, TD_SHAPE(0));
      td_dict_release(out), td_dict_release(stack);
    }
  td_tensor_release(mask), td_tensor_release(none);
}

LeaklessTest(dict_lazy_masks, tensors_of_indices_are_joined_across_the_stacks_dim) {
  td_tensor *rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 0, -1}, 3),
            *columns = vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 1, 0}, 3),
            *far = vector_of(TD_DTYPE_INT64, (const int64_t[]){2}, 1),
            *one = vector_of(TD_DTYPE_INT64, (const int64_t[]){1}, 1), *scalar,
            *pair = vector_of(TD_DTYPE_INT64, FLAGS(0, 1), 2), *grid;
  scalar = call("select", "int", ARGS(td_value_tensor(one), td_value_int(0), td_value_int(0)));
  grid = call("reshape", NULL, ARGS(td_value_tensor(pair), td_value_ints(TD_SHAPE(2, 1))));
  td_dict *stack = two_members(0, 0), *out;
  must(td_dict_index(stack, (const td_index[]){TD_TENSOR(rows), TD_TENSOR(columns)}, 2, &out, &err));
  check(has_batch(out, TD_SHAPE(3)));
  expect_element(out, 0, -1, VALUES(12, 13), 0);
  expect_element(out, 1, -1, VALUES(1), 1);
  expect_element(out, 2, -1, VALUES(10, 11), 0);
  td_dict_release(out);
  must(td_dict_index(stack, (const td_index[]){TD_TENSOR(grid), TD_TENSOR(pair)}, 2, &out, &err)); /* broadcast */
  check(has_batch(out, TD_SHAPE(2, 2)));
  expect_element(out, 0, 1, VALUES(1), 1);
  expect_element(out, 1, 0, VALUES(10, 11), 0);
  td_dict_release(out);
  must(td_dict_index(stack, &(td_index)TD_TENSOR(scalar), 1, &out, &err));
  expect_entry(out, TD_KEY("x"), VALUES(10, 11, 12, 13));
  td_dict_release(out);
  must(td_dict_index(stack, (const td_index[]){TD_TENSOR(scalar), TD_TENSOR(scalar)}, 2, &out, &err));
  expect_entry(out, TD_KEY("x"), VALUES(12, 13));
  td_dict_release(out);
  expect_error(td_dict_index(stack, (const td_index[]){TD_TENSOR(far), TD_TENSOR(one)}, 2, &out, &err), TD_ERR_INDEX,
               NULL, "2");
  expect_error(td_dict_index(stack, (const td_index[]){TD_TENSOR(rows), TD_TENSOR(pair)}, 2, &out, &err), TD_ERR_INDEX,
               NULL, "broadcast");
  td_tensor *wide = mask_of(FLAGS(1, 0, 1, 1, 0, 0), TD_SHAPE(2, 3));
  expect_error(td_dict_index(stack, &(td_index)TD_TENSOR(wide), 1, &out, &err), TD_ERR_INDEX, NULL, "[2, 3]");
  td_tensor_release(wide), td_tensor_release(rows), td_tensor_release(columns), td_tensor_release(far);
  td_tensor_release(one), td_tensor_release(scalar), td_tensor_release(pair), td_tensor_release(grid);
  td_dict_release(stack);
}

LeaklessTest(dict_lazy_masks, tensors_on_both_sides_of_the_stacks_dim_go_to_the_front) {
  td_tensor *t = vector_of(TD_DTYPE_INT64, FLAGS(1, 0), 2);
  td_dict *parts[2], *lazy, *dense, *out, *expected;
  for (int i = 0; i < 2; ++i) {
    parts[i] = new_dict(TD_SHAPE(2, 3, 2));
    td_tensor *r = range_f32(TD_SHAPE(2, 3, 2));
    put(parts[i], TD_KEY("x"), call("add", "Scalar", ARGS(td_value_tensor(r), td_value_double(100 * i))));
    td_tensor_release(r);
  }
  must(td_dict_lazy_stack(parts, 2, 2, &lazy, &err)); /* [2, 3, 2, 2] */
  must(td_dict_contiguous(lazy, &dense, &err));
  const td_index index[] = {TD_SLICE(0, TD_END), TD_TENSOR(t), TD_SLICE(0, TD_END), TD_TENSOR(t)};
  must(td_dict_index(lazy, index, 4, &out, &err));
  must(td_dict_index(dense, index, 4, &expected, &err));
  td_tensor *x = get(out, TD_KEY("x")), *y = get(expected, TD_KEY("x"));
  check(same_values(x, y) && td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK);
  td_tensor_release(x), td_tensor_release(y), td_tensor_release(t);
  td_dict_release(out), td_dict_release(expected), td_dict_release(dense), td_dict_release(lazy);
  td_dict_release(parts[0]), td_dict_release(parts[1]);
}

LeaklessTest(dict_lazy_masks, members_are_filled_each_with_its_part_of_the_mask) {
  td_tensor *mask = mask_of(FLAGS(1, 0, 1, 1), TD_SHAPE(2, 2)), *first = vector_of(TD_DTYPE_BOOL, FLAGS(1, 0), 2),
            *three = vector_of(TD_DTYPE_BOOL, FLAGS(1, 0, 1), 3);
  td_dict *stack = two_members(0, 0), *turned = two_members(1, 0), *out;
  must(td_dict_masked_fill(stack, mask, TD_VALUE(td_value_double(9)), &out, &err));
  check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK);
  expect_element(out, 0, 0, VALUES(9), 1);
  expect_element(out, 0, 1, VALUES(1), 1);
  expect_element(out, 1, 0, VALUES(9, 9), 0);
  expect_element(stack, 1, 0, VALUES(10, 11), 0); /* a copy */
  td_dict_release(out);
  must(td_dict_masked_fill(turned, first, TD_VALUE(td_value_double(9)), &out, &err)); /* ends before the stack's dim */
  expect_element(out, 0, 0, VALUES(9), 1);
  expect_element(out, 0, 1, VALUES(9, 9), 0);
  expect_element(out, 1, 1, VALUES(12, 13), 0);
  td_dict_release(out);
  must(td_dict_masked_fill_(stack, mask, TD_VALUE(td_value_double(9)), &err));
  expect_element(stack, 0, 1, VALUES(1), 1);
  expect_element(stack, 1, 1, VALUES(9, 9), 0);
  td_dict *one = element(stack, 0, 0);
  expect_entry(one, TD_KEY("only"), VALUES(9));
  td_dict_release(one);
  expect_error(td_dict_masked_fill_(turned, three, TD_VALUE(td_value_double(9)), &err), TD_ERR_SHAPE, NULL, "[3]");
  expect_error(td_dict_masked_fill(stack, three, TD_VALUE(td_value_double(9)), &out, &err), TD_ERR_SHAPE, NULL, "[3]");
  td_tensor_release(mask), td_tensor_release(first), td_tensor_release(three);
  td_dict_release(stack), td_dict_release(turned);
}

LeaklessTest(dict_lazy_masks, a_condition_chooses_member_by_member) {
  td_tensor *mask = mask_of(FLAGS(1, 0, 0, 1), TD_SHAPE(2, 2)), *rows = vector_of(TD_DTYPE_BOOL, FLAGS(1, 0), 2);
  for (int64_t dim = 0; dim < 2; ++dim) {
    td_dict *yes = two_members(dim, 0), *no = two_members(dim, 100), *out;
    must(td_dict_where(yes, mask, no, NULL, &out, &err));
    check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK && td_dict_stack_dim(out) == dim);
    expect_element(out, 0, 0, VALUES(0), 1);
    expect_element(out, 1, 1, VALUES(12, 13), 0);
    if (dim == 0) {
      expect_element(out, 0, 1, VALUES(101), 1);
      expect_element(out, 1, 0, VALUES(110, 111), 0);
    }
    td_dict_release(out);
    must(td_dict_where(yes, rows, no, NULL, &out, &err));
    expect_element(out, 0, 0, VALUES(0), 1);
    expect_element(out, 1, 1, VALUES(112, 113), 0);
    td_dict_release(out), td_dict_release(yes), td_dict_release(no);
  }
  td_dict *yes = two_members(0, 0), *a = member(1, 100, 0), *b = member(2, 110, 0), *no, *out;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &no, &err));
  expect_error(td_dict_where(yes, mask, no, NULL, &out, &err), TD_ERR_KEY, "\"only\"", "one dict only");
  const td_value pad = td_value_int(7);
  must(td_dict_where(yes, mask, no, &pad, &out, &err));
  td_dict *one = element(out, 0, 1);
  expect_entry(one, TD_KEY("only"), VALUES(7));
  td_dict_release(one), td_dict_release(out), td_dict_release(no), td_dict_release(a), td_dict_release(b);
  td_dict_release(yes), td_tensor_release(mask), td_tensor_release(rows);
}

LeaklessTest(dict_lazy_masks, the_same_below_an_ordinary_dict) {
  td_tensor *mask = mask_of(FLAGS(1, 0, 0, 1), TD_SHAPE(2, 2));
  td_dict *outer = new_dict(TD_SHAPE(2, 2)), *out, *inner;
  put_dict(outer, TD_KEY("l"), two_members(0, 0));
  put(outer, TD_KEY("y"), range_f32(TD_SHAPE(2, 2)));
  must(td_dict_index(outer, &(td_index)TD_TENSOR(mask), 1, &out, &err));
  inner = get_dict(out, TD_KEY("l"));
  expect_entry(out, TD_KEY("y"), VALUES(0, 3));
  expect_element(inner, 1, -1, VALUES(12, 13), 0);
  td_dict_release(inner), td_dict_release(out);
  must(td_dict_masked_fill(outer, mask, TD_VALUE(td_value_double(-1)), &out, &err));
  inner = get_dict(out, TD_KEY("l"));
  expect_entry(out, TD_KEY("y"), VALUES(-1, 1, 2, -1));
  expect_element(inner, 1, 1, VALUES(-1, -1), 0);
  expect_element(inner, 0, 1, VALUES(1), 1);
  td_dict_release(inner), td_dict_release(out), td_dict_release(outer), td_tensor_release(mask);
}
