/* Stacks whose members differ take other shapes of their batch and are repeated member by member. */
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

/* [2, 2] along `dim`, of widths 1 and 2. */
static td_dict *ragged(int64_t dim) {
  td_dict *a = member(1, 0, 1), *b = member(2, 10, 0), *stack;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, dim, &stack, &err));
  td_dict_release(a), td_dict_release(b);
  return stack;
}

static td_dict *at(const td_dict *td, const td_index *index, size_t n) {
  td_dict *out;
  must(td_dict_index(td, index, n, &out, &err));
  return out;
}
#define AT(td, ...) \
  at((td), (const td_index[]){__VA_ARGS__}, sizeof((const td_index[]){__VA_ARGS__}) / sizeof(td_index))

/* What one element has: "x", and whether it has "only". Takes the element over. */
static void expect_element(td_dict *element, const double *x, size_t n, int only) {
  expect_batch(element, TD_NO_DIMS);
  expect_entry_at(__FILE__, __LINE__, element, TD_KEY("x"), x, n);
  check((kind_at(element, TD_KEY("only")) == TD_ENTRY_TENSOR) == only);
  td_dict_release(element);
}

static void expect_four(const td_dict *flat, int64_t dim) {
  check(td_dict_kind_of(flat) == TD_DICT_KIND_LAZY_STACK && has_batch(flat, TD_SHAPE(4)));
  expect_element(AT(flat, TD_INT(0)), VALUES(0), 1);
  if (dim == 0) {
    expect_element(AT(flat, TD_INT(1)), VALUES(1), 1);
    expect_element(AT(flat, TD_INT(2)), VALUES(10, 11), 0);
  } else {
    expect_element(AT(flat, TD_INT(1)), VALUES(10, 11), 0);
    expect_element(AT(flat, TD_INT(2)), VALUES(1), 1);
  }
  expect_element(AT(flat, TD_INT(3)), VALUES(12, 13), 0);
}

/* A write to element 3 of four shows in the stack. */
static void expect_write_reaches(const td_dict *flat, td_dict *stack) {
  td_dict *last = AT(flat, TD_INT(3)), *there = AT(stack, TD_INT(1), TD_INT(1));
  must(td_dict_zero_(last, &err));
  expect_entry(there, TD_KEY("x"), VALUES(0, 0));
  td_dict_release(last), td_dict_release(there);
}

LeaklessTest(dict_lazy_regroup, dims_are_joined_element_by_element_and_writes_reach_the_members) {
  for (int64_t dim = 0; dim < 2; ++dim)
    for (int how = 0; how < 4; ++how) {
      td_dict *stack = ragged(dim), *flat;
      if (how == 0) must(td_dict_reshape(stack, TD_SHAPE(4), &flat, &err));
      if (how == 1) must(td_dict_reshape(stack, TD_SHAPE(-1), &flat, &err));
      if (how == 2) must(td_dict_view(stack, TD_SHAPE(4), &flat, &err));
      if (how == 3) must(td_dict_flatten(stack, 0, -1, &flat, &err));
      expect_four(flat, dim);
      expect_write_reaches(flat, stack);
      td_dict_release(flat);
      must(td_dict_flatten(stack, 1, 1, &flat, &err)); /* nothing to join */
      check(flat == stack);
      td_dict_release(flat), td_dict_release(stack);
    }
}

LeaklessTest(dict_lazy_regroup, a_stack_of_one_gives_a_dict_of_its_own) {
  td_dict *only = new_dict(TD_NO_DIMS), *stack, *outer;
  put(only, TD_KEY("x"), full_f32(1, TD_NO_DIMS));
  must(td_dict_lazy_stack((td_dict *const[]){only}, 1, 0, &stack, &err));
  must(td_dict_lazy_stack((td_dict *const[]){stack}, 1, 0, &outer, &err));
  td_dict *stacks[] = {stack, outer};
  for (int i = 0; i < 2; ++i) {
    td_dict *shaped;
    must(td_dict_reshape(stacks[i], TD_NO_DIMS, &shaped, &err));
    check(shaped != only);
    must(td_dict_remove(shaped, TD_KEY("x"), &err));
    check(kind_at(only, TD_KEY("x")) == TD_ENTRY_TENSOR);
    td_dict_release(shaped);
  }
  td_dict_release(outer), td_dict_release(stack), td_dict_release(only);
}

LeaklessTest(dict_lazy_regroup, a_dim_is_taken_apart_and_dims_of_one_come_and_go) {
  static const struct {
    int64_t sizes[4];
    size_t n;
  } shapes[] = {{{2, 1, 2}, 3}, {{1, 2, 2}, 3}, {{2, 2, 1}, 3}, {{1, 2, 1, 2}, 4}};
  for (int64_t dim = 0; dim < 2; ++dim)
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
      td_dict *stack = ragged(dim), *out, *back, *flat;
      must(td_dict_view(stack, shapes[i].sizes, shapes[i].n, &out, &err));
      check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK && has_batch(out, shapes[i].sizes, shapes[i].n));
      must(td_dict_reshape(out, TD_SHAPE(4), &flat, &err));
      expect_four(flat, dim);
      expect_write_reaches(flat, stack);
      td_dict_release(flat);
      if (shapes[i].n == 3) {
        must(td_dict_reshape(out, TD_SHAPE(2, 2), &back, &err));
        check(has_batch(back, TD_SHAPE(2, 2)));
        td_dict_release(back);
      }
      td_dict_release(out), td_dict_release(stack);
    }
  td_dict *stack = ragged(0), *four, *back;
  must(td_dict_flatten(stack, 0, 1, &four, &err));
  must(td_dict_view(four, TD_SHAPE(2, 2), &back, &err));
  expect_element(AT(back, TD_INT(1), TD_INT(0)), VALUES(10, 11), 0);
  td_dict_release(back), td_dict_release(four), td_dict_release(stack);
}

LeaklessTest(dict_lazy_regroup, members_whose_memory_has_gaps_are_joined_without_a_copy) {
  td_dict *parts[2], *stack, *flat, *first;
  for (int i = 0; i < 2; ++i) {
    parts[i] = new_dict(TD_SHAPE(2, 3));
    put(parts[i], TD_KEY("x"), transposed(range_f32(TD_SHAPE(3, 2))));
  }
  must(td_dict_lazy_stack(parts, 2, 0, &stack, &err));
  must(td_dict_flatten(stack, 1, 2, &flat, &err));
  check(has_batch(flat, TD_SHAPE(2, 6)));
  expect_entry(flat, TD_KEY("x"), VALUES(0, 2, 4, 1, 3, 5, 0, 2, 4, 1, 3, 5));
  first = AT(flat, TD_INT(0), TD_INT(1));
  must(td_dict_zero_(first, &err));
  expect_entry(parts[0], TD_KEY("x"), VALUES(0, 0, 4, 1, 3, 5));
  td_dict_release(first), td_dict_release(flat), td_dict_release(stack);
  td_dict_release(parts[0]), td_dict_release(parts[1]);
}

LeaklessTest(dict_lazy_regroup, batches_of_different_sizes_are_joined_too) {
  td_dict *a = new_dict(TD_SHAPE(1)), *b = new_dict(TD_SHAPE(2)), *stack, *turned, *out;
  put(a, TD_KEY("x"), full_f32(7, TD_SHAPE(1)));
  put(b, TD_KEY("x"), range_f32(TD_SHAPE(2)));
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &stack, &err)); /* [2, -1] */
  must(td_dict_reshape(stack, TD_SHAPE(-1), &out, &err));
  check(has_batch(out, TD_SHAPE(3)));
  expect_entry(out, TD_KEY("x"), VALUES(7, 0, 1));
  td_dict_release(out);
  must(td_dict_reshape(stack, TD_SHAPE(2, -1), &out, &err));
  check(out == stack);
  td_dict_release(out);
  must(td_dict_reshape(stack, TD_SHAPE(1, 2, -1), &out, &err));
  check(has_batch(out, TD_SHAPE(1, 2, -1)));
  td_dict_release(out);
  must(td_dict_repeat(stack, TD_SHAPE(2, 2), &out, &err));
  check(has_batch(out, TD_SHAPE(4, -1)));
  td_dict_release(out);
  expect_error(td_dict_reshape(stack, TD_SHAPE(3), &out, &err), TD_ERR_SHAPE, NULL, "[2, -1]");
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 1, &turned, &err)); /* [-1, 2] */
  expect_error(td_dict_flatten(turned, 0, 1, &out, &err), TD_ERR_SHAPE, NULL, "different sizes");
  td_dict_release(turned), td_dict_release(stack), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_lazy_regroup, other_shapes_are_refused_where_members_differ) {
  td_dict *stack = ragged(0), *a = member(1, 0, 0), *even, *out;
  expect_error(td_dict_reshape(stack, TD_SHAPE(4, 1), &out, &err), TD_ERR_SHAPE, "\"x\"", "[2, 1] and [2, 2]");
  expect_error(td_dict_view(stack, TD_SHAPE(4, 1), &out, &err), TD_ERR_UNSUPPORTED, NULL, "td_dict_reshape");
  expect_error(td_dict_view(stack, TD_SHAPE(3), &out, &err), TD_ERR_SHAPE, NULL, "4 elements");
  must(td_dict_lazy_stack((td_dict *const[]){a, a}, 2, 0, &even, &err));
  must(td_dict_reshape(even, TD_SHAPE(4, 1), &out, &err)); /* a copy where they do not */
  check(td_dict_kind_of(out) == TD_DICT_KIND_TENSORDICT && has_batch(out, TD_SHAPE(4, 1)));
  expect_entry(out, TD_KEY("x"), VALUES(0, 1, 0, 1));
  td_dict_release(out), td_dict_release(even), td_dict_release(a), td_dict_release(stack);
}

LeaklessTest(dict_lazy_regroup, repeats_keep_the_members_and_their_own_keys) {
  td_dict *stack = ragged(0), *out, *last;
  must(td_dict_repeat(stack, TD_SHAPE(2, 2), &out, &err));
  check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK && has_batch(out, TD_SHAPE(4, 4)));
  expect_element(AT(out, TD_INT(2), TD_INT(3)), VALUES(1), 1);
  expect_element(AT(out, TD_INT(3), TD_INT(2)), VALUES(10, 11), 0);
  must(td_dict_zero_(out, &err)); /* copies */
  expect_element(AT(stack, TD_INT(1), TD_INT(0)), VALUES(10, 11), 0);
  td_dict_release(out);
  must(td_dict_repeat(stack, TD_SHAPE(0, 2), &out, &err));
  check(has_batch(out, TD_SHAPE(0, 4)));
  td_dict_release(out);
  expect_error(td_dict_repeat(stack, TD_SHAPE(2), &out, &err), TD_ERR_SHAPE, NULL, "2 batch dims");
  expect_error(td_dict_repeat(stack, TD_SHAPE(2, -1), &out, &err), TD_ERR_SHAPE, NULL, "negative");
  expect_error(td_dict_repeat(stack, TD_SHAPE((int64_t)1 << 40, 1), &out, &err), TD_ERR_SHAPE, NULL, "members");

  must(td_dict_repeat_interleave(stack, TD_SHAPE(2), 1, &out, &err));
  check(has_batch(out, TD_SHAPE(2, 4)));
  expect_element(AT(out, TD_INT(0), TD_INT(1)), VALUES(0), 1);
  td_dict_release(out);
  must(td_dict_repeat_interleave(stack, TD_SHAPE(1, 2), 0, &out, &err));
  check(has_batch(out, TD_SHAPE(3, 2)));
  expect_element(AT(out, TD_INT(2), TD_INT(0)), VALUES(10, 11), 0);
  last = AT(out, TD_INT(2));
  must(td_dict_zero_(last, &err)); /* the member itself */
  expect_element(AT(stack, TD_INT(1), TD_INT(0)), VALUES(0, 0), 0);
  td_dict_release(last), td_dict_release(out);
  expect_error(td_dict_repeat_interleave(stack, TD_SHAPE(1, 2, 3), 0, &out, &err), TD_ERR_SHAPE, NULL, "2 members");
  expect_error(td_dict_repeat_interleave(stack, TD_SHAPE((int64_t)1 << 60), 0, &out, &err), TD_ERR_SHAPE, NULL,
               "members");
  td_dict_release(stack);
}

LeaklessTest(dict_lazy_regroup, the_same_below_an_ordinary_dict) {
  td_dict *outer = new_dict(TD_SHAPE(2)), *out, *inner, *flat;
  must(td_dict_set_dict(outer, TD_KEY("l"), flat = ragged(1), &err));
  td_dict_release(flat);
  put(outer, TD_KEY("y"), range_f32(TD_SHAPE(2)));
  must(td_dict_view(outer, TD_SHAPE(1, 2), &out, &err));
  inner = get_dict(out, TD_KEY("l"));
  check(td_dict_kind_of(inner) == TD_DICT_KIND_LAZY_STACK && has_batch(inner, TD_SHAPE(1, 2, 2)));
  must(td_dict_reshape(inner, TD_SHAPE(4), &flat, &err));
  expect_four(flat, 1);
  td_dict_release(flat), td_dict_release(inner), td_dict_release(out);
  must(td_dict_repeat(outer, TD_SHAPE(2), &out, &err));
  inner = get_dict(out, TD_KEY("l"));
  check(has_batch(inner, TD_SHAPE(4, 2)));
  expect_entry(out, TD_KEY("y"), VALUES(0, 1, 0, 1));
  td_dict_release(inner), td_dict_release(out), td_dict_release(outer);
}

LeaklessTest(dict_lazy_regroup, locks_and_names_go_along) {
  td_dict *stack = ragged(0), *out;
  must(td_dict_set_names(stack, (const td_str[]){TD_STR("p"), TD_STR("q")}, 2, &err));
  must(td_dict_lock_(stack, &err));
  must(td_dict_flatten(stack, 0, 1, &out, &err));
  check(td_dict_is_locked(out));
  td_string *name;
  must(td_dict_name(out, 0, &name, &err));
  check(!name);
  td_dict_release(out);
  must(td_dict_repeat(stack, TD_SHAPE(2, 1), &out, &err));
  check(td_dict_is_locked(out));
  must(td_dict_name(out, 0, &name, &err));
  expect_text(name, "p");
  td_dict_release(out), td_dict_release(stack);
}
