/* Stacks whose members differ as targets: what is joined or assigned goes into them member by member. */
#include "support/td.h"

/* [2]: "x" [2, width] of `value`, and "only" where asked for. */
static td_dict *member(int64_t width, double value, int only) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("x"), full_f32(value, TD_SHAPE(2, width)));
  if (only) put(td, TD_KEY("only"), full_f32(value, TD_SHAPE(2)));
  return td;
}

/* [2, 2] along `dim` of widths 1 and 2; the first has "only". */
static td_dict *ragged(int64_t dim, double first, double second) {
  td_dict *a = member(1, first, 1), *b = member(2, second, 0), *stack;
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, dim, &stack, &err));
  td_dict_release(a), td_dict_release(b);
  return stack;
}

static td_dict *nth(const td_dict *stack, size_t i) {
  td_dict_list *members;
  td_dict *m;
  must(td_dict_members(stack, &members, &err));
  must(td_dict_list_get(members, i, &m, &err));
  td_dict_list_release(members);
  return m;
}

static void expect_member_at(int line, const td_dict *stack, size_t i, const double *x, size_t n) {
  td_dict *m = nth(stack, i);
  expect_entry_at(__FILE__, line, m, TD_KEY("x"), x, n);
  td_dict_release(m);
}
#define expect_member(stack, i, values) expect_member_at(__LINE__, (stack), (i), values)

LeaklessTest(dict_lazy_targets, ragged_stacks_are_joined_into_one) {
  for (int64_t along = 0; along < 2; ++along)
    for (int64_t dim = 0; dim < 2; ++dim) {
      td_dict *a = ragged(along, 1, 2), *b = ragged(along, 5, 6), *joined, *target, *only;
      const td_dict *both[] = {a, b};
      must(td_dict_cat(both, 2, dim, &joined, &err)); /* which holds the members themselves along their dim */
      must(td_dict_clone(joined, &target, &err));
      td_dict_release(joined);
      must(td_dict_zero_(target, &err));
      only = nth(target, 0);
      must(td_dict_cat_into(both, 2, dim, target, &err));
      if (along == dim) {
        expect_member(target, 0, VALUES(1, 1));
        expect_member(target, 1, VALUES(2, 2, 2, 2));
        expect_member(target, 2, VALUES(5, 5));
        expect_member(target, 3, VALUES(6, 6, 6, 6));
        expect_entry(only, TD_KEY("only"), VALUES(1, 1));
      } else {
        expect_member(target, 0, VALUES(1, 1, 5, 5));
        expect_member(target, 1, VALUES(2, 2, 2, 2, 6, 6, 6, 6));
        expect_entry(only, TD_KEY("only"), VALUES(1, 1, 5, 5));
      }
      expect_error(td_dict_cat_into(both, 1, dim, target, &err), TD_ERR_SHAPE, NULL, NULL);
      td_dict_release(only), td_dict_release(target), td_dict_release(a), td_dict_release(b);
    }
}

LeaklessTest(dict_lazy_targets, ragged_stacks_are_stacked_into_one) {
  for (int64_t dim = 0; dim < 3; ++dim) {
    td_dict *a = ragged(0, 1, 2), *b = ragged(0, 5, 6), *ca, *cb, *target;
    must(td_dict_clone(a, &ca, &err));
    must(td_dict_clone(b, &cb, &err));
    must(td_dict_lazy_stack((td_dict *const[]){ca, cb}, 2, dim, &target, &err));
    must(td_dict_zero_(target, &err));
    must(td_dict_stack_into((const td_dict *const[]){a, b}, 2, dim, target, &err));
    expect_member(ca, 0, VALUES(1, 1));
    expect_member(ca, 1, VALUES(2, 2, 2, 2));
    expect_member(cb, 0, VALUES(5, 5));
    expect_member(cb, 1, VALUES(6, 6, 6, 6));
    td_dict_release(target), td_dict_release(ca), td_dict_release(cb), td_dict_release(a), td_dict_release(b);
  }
  /* The other order: the members of the target are stacked along the other dim. */
  td_dict *a = ragged(0, 1, 2), *b = ragged(0, 5, 6), *target;
  must(td_dict_stack((const td_dict *const[]){a, b}, 2, 1, &target, &err)); /* [2, 2, 2] along 0 */
  must(td_dict_zero_(target, &err));
  must(td_dict_stack_into((const td_dict *const[]){a, b}, 2, 1, target, &err));
  expect_member(target, 0, VALUES(1, 1, 5, 5));
  expect_member(target, 1, VALUES(2, 2, 2, 2, 6, 6, 6, 6));
  td_dict_release(target), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_lazy_targets, dense_dicts_are_stacked_into_a_ragged_stack_or_nothing_is) {
  td_dict *target = ragged(0, 0, 0), *one = member(1, 7, 1), *two = member(2, 8, 0), *bare = member(1, 9, 0),
          *more = member(2, 9, 1);
  must(td_dict_stack_into((const td_dict *const[]){one, two}, 2, 0, target, &err));
  expect_member(target, 0, VALUES(7, 7));
  expect_member(target, 1, VALUES(8, 8, 8, 8));
  expect_error(td_dict_stack_into((const td_dict *const[]){bare, two}, 2, 0, target, &err), TD_ERR_KEY, "\"only\"",
               NULL);
  expect_error(td_dict_stack_into((const td_dict *const[]){one, more}, 2, 0, target, &err), TD_ERR_KEY, "\"only\"",
               NULL);
  expect_error(td_dict_stack_into((const td_dict *const[]){one, one}, 2, 0, target, &err), TD_ERR_SHAPE, "\"x\"", NULL);
  must(td_dict_remove(one, TD_KEY("only"), &err));
  td_dict *other = ragged(0, 3, 3), *first = nth(other, 0);
  must(td_dict_remove(first, TD_KEY("only"), &err));
  expect_error(td_dict_stack_into((const td_dict *const[]){bare, one}, 2, 0, other, &err), TD_ERR_SHAPE, "\"x\"", NULL);
  expect_member(other, 0, VALUES(3, 3)); /* nothing was written */
  td_dict_release(first), td_dict_release(other);
  expect_error(td_dict_stack_into((const td_dict *const[]){one}, 1, 0, target, &err), TD_ERR_SHAPE, NULL, "1 dicts");
  expect_member(target, 0, VALUES(7, 7));
  td_dict_release(target), td_dict_release(one), td_dict_release(two), td_dict_release(bare), td_dict_release(more);
}

typedef struct {
  td_index index[2];
  size_t n;
} place;

static td_dict *part_of(const td_dict *td, const place *p) {
  td_dict *view, *copy;
  must(td_dict_index(td, p->index, p->n, &view, &err));
  must(td_dict_clone(view, &copy, &err));
  td_dict_release(view);
  return copy;
}

/* Against the members one by one: an element of the target is 9 after the write where the index says so. */
LeaklessTest(dict_lazy_targets, a_part_of_a_ragged_stack_is_assigned) {
  td_tensor *rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 0}, 2), *flat, *grid, *mask, *first;
  flat = vector_of(TD_DTYPE_BOOL, (const int64_t[]){1, 0, 1, 1}, 4);
  mask = call("reshape", NULL, ARGS(td_value_tensor(flat), td_value_ints(TD_SHAPE(2, 2))));
  first = vector_of(TD_DTYPE_BOOL, (const int64_t[]){1, 0}, 2);
  grid = call("reshape", NULL, ARGS(td_value_tensor(rows), td_value_ints(TD_SHAPE(2, 1))));
  const place places[] = {
      {{TD_INT(0)}, 1},
      {{TD_SLICE(0, TD_END), TD_INT(0)}, 2},
      {{TD_SLICE(0, 1)}, 1},
      {{TD_SLICE(0, TD_END), TD_SLICE(0, 1)}, 2},
      {{TD_TENSOR(rows)}, 1},
      {{TD_SLICE(0, TD_END), TD_TENSOR(rows)}, 2},
      {{TD_TENSOR(first)}, 1},
      {{TD_TENSOR(mask)}, 1},
      {{TD_TENSOR(rows), TD_TENSOR(rows)}, 2},
      {{TD_INT(0), TD_INT(0)}, 2},
      {{{3, 0, 0, 0, 0, NULL, NULL, 0}}, 1},
      {{{2, 0, 0, 0, 0, NULL, NULL, 0}}, 1},
      {{TD_TENSOR(grid)}, 1},
  };
  static const double chosen[][4] = {{1, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 1},
                                     {1, 1, 1, 1}, {1, 1, 0, 0}, {1, 0, 1, 1}, {1, 0, 0, 1}, {1, 0, 0, 0},
                                     {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}};
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
    for (int64_t dim = 0; dim < 2; ++dim)
      for (int number = 0; number < 2; ++number) {
        td_dict *target = ragged(dim, 0, 0), *source = ragged(dim, 9, 9), *value = part_of(source, &places[i]);
        if (number)
          must(td_dict_set_at_value(target, places[i].index, places[i].n, TD_VALUE(td_value_double(9)), &err));
        else
          must(td_dict_set_at(target, places[i].index, places[i].n, value, &err));
        for (int64_t e = 0; e < 4; ++e) {
          const td_index at[] = {TD_INT(e / 2), TD_INT(e % 2)};
          td_dict *element;
          must(td_dict_index(target, at, 2, &element, &err));
          const double v = 9 * chosen[i][e];
          const size_t width = (dim == 0 ? e / 2 : e % 2) == 0 ? 1 : 2;
          expect_entry_at(__FILE__, (int)i, element, TD_KEY("x"), (const double[]){v, v}, width);
          if (width == 1) expect_entry(element, TD_KEY("only"), VALUES(number ? 0 : v));
          td_dict_release(element);
        }
        td_dict_release(value), td_dict_release(source), td_dict_release(target);
      }
  td_tensor_release(rows), td_tensor_release(flat), td_tensor_release(grid), td_tensor_release(mask);
  td_tensor_release(first);
}

LeaklessTest(dict_lazy_targets, new_entries_go_where_the_index_reaches_and_errors_change_nothing) {
  td_dict *target = ragged(0, 0, 0), *value = new_dict(TD_NO_DIMS), *m, *wrong = ragged(0, 4, 4), *three;
  put(value, TD_KEY("z"), full_f32(3, TD_NO_DIMS));
  const td_index corner[] = {TD_INT(1), TD_INT(0)};
  must(td_dict_set_at(target, corner, 2, value, &err));
  m = nth(target, 1);
  expect_entry(m, TD_KEY("z"), VALUES(3, 0));
  td_dict_release(m);
  m = nth(target, 0);
  check(kind_at(m, TD_KEY("z")) == TD_ENTRY_NONE);
  td_dict_release(m);
  must(td_dict_index(wrong, &(td_index)TD_SLICE(1, 2), 1, &three, &err)); /* the wide one into the narrow one */
  expect_error(td_dict_set_at(target, &(td_index)TD_SLICE(0, 1), 1, three, &err), TD_ERR_SHAPE, "\"x\"", NULL);
  expect_error(td_dict_set_at(target, &(td_index)TD_SLICE(0, 1), 1, wrong, &err), TD_ERR_SHAPE, NULL, "[2, 2]");
  expect_member(target, 0, VALUES(0, 0));
  td_dict_release(three), td_dict_release(wrong), td_dict_release(value), td_dict_release(target);
}
