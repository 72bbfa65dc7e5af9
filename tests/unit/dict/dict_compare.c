/* Comparisons of dicts with non-tensor data: two dicts are equal only if their data are. */
#include <math.h>

#include "support/td.h"

#define TEXT(s) td_data_str((td_str){(s), sizeof(s) - 1})

/* {x: [2] of ones, n: {s: `value`}} */
static td_dict *labelled(td_data value) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("x"), full_f32(1, TD_SHAPE(2)));
  must(td_dict_set_data(td, TD_KEY("n", "s"), &value, &err));
  return td;
}

static td_status compare_with(const char *name, const td_dict *a, const td_dict *b, td_missing missing, td_dict **out) {
  const td_value no_fill = td_value_int(1);
  td_pointwise_options options = TD_POINTWISE_OPTIONS_INIT;
  options.missing = missing;
  options.fill = missing == TD_MISSING_FILL ? &no_fill : NULL;
  td_op *op = operator_named(name, NULL);
  const td_value both[] = {td_value_dict(a), td_value_dict(b)};
  const td_status status = td_dict_pointwise(op, both, 2, NULL, 0, &options, out, &err);
  td_op_release(op);
  return status;
}

static td_dict *compared(const char *name, const td_dict *a, const td_dict *b) {
  td_dict *out = NULL;
  must(compare_with(name, a, b, TD_MISSING_ERROR, &out));
  return out;
}

static int all_of(td_dict *taken) {
  td_bool all;
  must(td_dict_all(taken, &all, &err));
  td_dict_release(taken);
  return all;
}

LeaklessTest(dict_compare, dicts_of_other_labels_are_not_equal) {
  td_dict *a = labelled(TEXT("a")), *again = labelled(TEXT("a")), *b = labelled(TEXT("b"));
  check(all_of(compared("eq", a, again)) && all_of(compared("eq", a, a)));
  check(!all_of(compared("eq", a, b)) && all_of(compared("eq", b, b)));
  td_dict *other = compared("ne", a, b), *same = compared("not_equal", a, again);
  check(kind_at(other, TD_KEY("n", "s")) == TD_ENTRY_TENSOR);
  expect_entry(other, TD_KEY("n", "s"), VALUES(1, 1));
  expect_entry(other, TD_KEY("x"), VALUES(0, 0));
  expect_entry(same, TD_KEY("n", "s"), VALUES(0, 0));
  td_dict_release(other), td_dict_release(same);
  td_dict_release(a), td_dict_release(again), td_dict_release(b);
}

LeaklessTest(dict_compare, numbers_are_compared_by_value) {
  const struct {
    td_data a, b;
    int equal;
  } table[] = {
      {td_data_int(1), td_data_double(1), 1},
      {td_data_bool(1), td_data_int(1), 1},
      {td_data_int(1), td_data_int(2), 0},
      {td_data_double(0.5), td_data_int(0), 0},
      {td_data_double(NAN), td_data_double(NAN), 0},
      {td_data_double(1e300), td_data_int(INT64_MAX), 0},
      {td_data_int(9007199254740993), td_data_double(9007199254740992.), 0},
      {td_data_none(), td_data_none(), 1},
      {td_data_none(), td_data_int(0), 0},
      {TEXT("1"), td_data_int(1), 0},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_dict *a = labelled(table[i].a), *b = labelled(table[i].b);
    check(all_of(compared("eq", a, b)) == table[i].equal && all_of(compared("eq", b, a)) == table[i].equal);
    td_dict_release(a), td_dict_release(b);
  }
}

LeaklessTest(dict_compare, a_value_for_each_batch_element_is_compared_with_its_own) {
  td_dict *one = labelled(TEXT("a")), *many = labelled(TEXT("a"));
  must(td_dict_set_data_stack(many, TD_KEY("n", "s"), (const td_data[]){TEXT("a"), TEXT("b")}, 2, &err));
  td_dict *out = compared("eq", many, one);
  expect_entry(out, TD_KEY("n", "s"), VALUES(1, 0));
  td_dict_release(out);
  td_dict *wide;
  must(td_dict_expand(many, TD_SHAPE(3, 2), &wide, &err));
  out = compared("ne", one, wide); /* batch sizes broadcast */
  expect_entry(out, TD_KEY("n", "s"), VALUES(0, 1, 0, 1, 0, 1));
  td_dict_release(out);
  td_dict_release(wide);
  td_dict *row;
  must(td_dict_index(one, &(td_index)TD_INT(0), 1, &row, &err));
  out = compared("eq", row, many);
  expect_batch(out, TD_SHAPE(2));
  expect_entry(out, TD_KEY("n", "s"), VALUES(1, 0));
  td_dict_release(out);
  td_dict_release(row), td_dict_release(one), td_dict_release(many);
}

LeaklessTest(dict_compare, data_that_one_dict_lacks_is_missing) {
  static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  td_dict *a = labelled(TEXT("a")), *bare = new_dict(TD_SHAPE(2)), *out = NULL;
  put(bare, TD_KEY("x"), full_f32(1, TD_SHAPE(2)));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    expect_error(compare_with(names[i], a, bare, TD_MISSING_ERROR, &out), TD_ERR_KEY, "(\"n\", \"s\")", "not in all");
    expect_error(compare_with(names[i], bare, a, TD_MISSING_ERROR, &out), TD_ERR_KEY, "(\"n\", \"s\")", "not in all");
  }
  check(out == NULL);
  must(compare_with("eq", a, bare, TD_MISSING_SKIP, &out));
  check(kind_at(out, TD_KEY("n", "s")) == TD_ENTRY_NONE && all_of(out));
  must(compare_with("eq", bare, a, TD_MISSING_FILL, &out));
  expect_entry(out, TD_KEY("n", "s"), VALUES(0, 0));
  td_dict_release(out);
  must(compare_with("ne", a, bare, TD_MISSING_FILL, &out));
  expect_entry(out, TD_KEY("n", "s"), VALUES(1, 1));
  td_dict_release(out);

  put(bare, TD_KEY("n", "s"), full_f32(1, TD_SHAPE(2))); /* a tensor is no data */
  expect_error(compare_with("eq", a, bare, TD_MISSING_ERROR, &out), TD_ERR_KEY, "(\"n\", \"s\")", NULL);
  td_dict *less = compared("lt", a, a); /* data have no order: they stay */
  check(kind_at(less, TD_KEY("n", "s")) == TD_ENTRY_DATA);
  td_dict_release(less);
  td_dict_release(a), td_dict_release(bare);
}

LeaklessTest(dict_compare, lazy_stacks_are_compared_member_by_member) {
  td_dict *a = labelled(TEXT("a")), *b = labelled(TEXT("b")), *c = labelled(TEXT("c")), *one, *two, *dense;
  put(b, TD_KEY("x"), full_f32(1, TD_SHAPE(2, 3))); /* members of different shapes */
  put(c, TD_KEY("x"), full_f32(1, TD_SHAPE(2, 3)));
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 0, &one, &err));
  must(td_dict_lazy_stack((td_dict *const[]){a, c}, 2, 0, &two, &err));
  td_dict *out = compared("eq", one, two);
  check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK);
  expect_entry(out, TD_KEY("n", "s"), VALUES(1, 1, 0, 0));
  td_dict_release(out);
  check(all_of(compared("eq", one, one)));
  must(td_dict_remove(one, TD_KEY("x"), &err));
  must(td_dict_remove(two, TD_KEY("x"), &err));
  must(td_dict_contiguous(two, &dense, &err));
  out = compared("ne", dense, one);
  expect_entry(out, TD_KEY("n", "s"), VALUES(0, 0, 1, 1));
  td_dict_release(out);
  must(td_dict_remove(c, TD_KEY("n", "s"), &err));
  out = NULL;
  expect_error(compare_with("eq", one, two, TD_MISSING_ERROR, &out), TD_ERR_KEY, "(\"n\", \"s\")", NULL);
  check(out == NULL);
  td_dict_release(dense), td_dict_release(one), td_dict_release(two);
  td_dict_release(a), td_dict_release(b), td_dict_release(c);
}
