/* The levels of speed: whatever has a path of its own gives the bytes, shapes, strides, gradients and sharing that
 * LibTorch's operators give. */
#include "support/td.h"

/* Batch size [3, 2], and every sort of leaf: by dtype, by layout, without elements, without feature dims, recorded. */
static td_dict *mixture(int floats_only) {
  static const td_dtype dtypes[] = {TD_DTYPE_FLOAT32,  TD_DTYPE_FLOAT64, TD_DTYPE_INT64,    TD_DTYPE_BOOL,
                                    TD_DTYPE_BFLOAT16, TD_DTYPE_UINT8,   TD_DTYPE_COMPLEX64};
  td_dict *td = new_dict(TD_SHAPE(3, 2)), *inner = new_dict(TD_SHAPE(3, 2, 2));
  for (size_t i = 0; i < (floats_only ? 2 : sizeof dtypes / sizeof *dtypes); ++i) {
    char name[16];
    snprintf(name, sizeof name, "dtype%d", dtypes[i]);
    put(td, TD_KEY(name), counted(dtypes[i], TD_SHAPE(3, 2)));
    put(td, TD_KEY("features", name), counted(dtypes[i], TD_SHAPE(3, 2, 2, 3)));
  }
  put(inner, TD_KEY("deeper"), range_f32(TD_SHAPE(3, 2, 2)));
  put_dict(td, TD_KEY("inner"), inner);
  if (floats_only) return td;
  put(td, TD_KEY("crooked"), transposed(range_f32(TD_SHAPE(2, 3))));
  td_tensor *longer = range_f32(TD_SHAPE(5, 2));
  put(td, TD_KEY("offset"),
      call("narrow", "", ARGS(td_value_tensor(longer), td_value_int(0), td_value_int(2), td_value_int(3))));
  td_tensor_release(longer);
  put(td, TD_KEY("nothing"), range_f32(TD_SHAPE(3, 2, 0)));
  put(td, TD_KEY("recorded"), requiring_grad(range_f32(TD_SHAPE(3, 2))));
  return td;
}

static td_dict *scalars(void) {
  td_dict *td = new_dict(TD_NO_DIMS);
  put(td, TD_KEY("x"), full_f32(2, TD_NO_DIMS));
  put(td, TD_KEY("i"), counted(TD_DTYPE_INT64, TD_NO_DIMS));
  put(td, TD_KEY("v"), counted(TD_DTYPE_FLOAT64, TD_SHAPE(3)));
  return td;
}

static td_dict *hollow(void) {
  td_dict *td = new_dict(TD_SHAPE(0, 2));
  put(td, TD_KEY("x"), range_f32(TD_SHAPE(0, 2)));
  put(td, TD_KEY("y"), counted(TD_DTYPE_INT64, TD_SHAPE(0, 2, 3)));
  return td;
}

static td_dict *deep_copy_of(const td_dict *td) {
  td_dict *out;
  must(td_dict_clone(td, &out, &err));
  return out;
}

/* ---- The operations: a name, what it gives, and whether that is a view ------------------------------------------------ */

typedef td_status (*operation)(const td_dict *td, td_dict **out);

static td_status index_by(const td_dict *td, const td_index *indices, size_t n, td_dict **out) {
  return td_dict_index(td, indices, n, out, &err);
}
#define INDEX_OPERATION(name, ...)                                       \
  static td_status name(const td_dict *td, td_dict **out) {              \
    const td_index indices[] = {__VA_ARGS__};                            \
    return index_by(td, indices, sizeof indices / sizeof *indices, out); \
  }
#define NEW_DIM \
  { TD_INDEX_KIND_NONE, 0, 0, 0, 0, NULL, NULL, 0 }
#define THE_REST \
  { TD_INDEX_KIND_ELLIPSIS, 0, 0, 0, 0, NULL, NULL, 0 }
INDEX_OPERATION(first_row, TD_INT(0))
INDEX_OPERATION(last_row, TD_INT(-1))
INDEX_OPERATION(one_cell, TD_INT(1), TD_INT(1))
INDEX_OPERATION(some_rows, TD_SLICE(1, 3))
INDEX_OPERATION(no_rows, TD_SLICE(2, 2))
INDEX_OPERATION(every_other_row, TD_STEP_SLICE(0, TD_END, 2))
INDEX_OPERATION(long_steps, TD_STEP_SLICE(0, TD_END, INT64_MAX))
INDEX_OPERATION(one_column, TD_SLICE(0, TD_END), TD_INT(1))
INDEX_OPERATION(new_dims, NEW_DIM, THE_REST, NEW_DIM)
INDEX_OPERATION(everything, THE_REST)

static td_status with_tensor(const td_dict *td, td_tensor *taken, int column, td_dict **out) {
  const td_index indices[] = {TD_TENSOR(taken), TD_INT(0)};
  const td_status status = index_by(td, indices, column ? 2 : 1, out);
  td_tensor_release(taken);
  return status;
}
static td_status gathered_rows(const td_dict *td, td_dict **out) {
  return with_tensor(td, vector_of(TD_DTYPE_INT64, TD_SHAPE(2, 0, -1, 2)), 0, out);
}
static td_status gathered_by_int32(const td_dict *td, td_dict **out) {
  return with_tensor(td, vector_of(TD_DTYPE_INT32, TD_SHAPE(1, 0)), 0, out);
}
static td_status gathered_by_strided_rows(const td_dict *td, td_dict **out) {
  td_tensor *both = vector_of(TD_DTYPE_INT64, TD_SHAPE(2, 9, 0, 9));
  td_tensor *rows =
      call("slice", "Tensor",
           ARGS(td_value_tensor(both), td_value_int(0), td_value_int(0), td_value_int(4), td_value_int(2)));
  td_tensor_release(both);
  return with_tensor(td, rows, 0, out);
}
static td_status gathered_cells(const td_dict *td, td_dict **out) {
  return with_tensor(td, vector_of(TD_DTYPE_INT64, TD_SHAPE(1, 1)), 1, out);
}
static td_status gathered_nothing(const td_dict *td, td_dict **out) {
  return with_tensor(td, vector_of(TD_DTYPE_INT64, NULL, 0), 0, out);
}
static td_status gathered_out_of_range(const td_dict *td, td_dict **out) {
  return with_tensor(td, vector_of(TD_DTYPE_INT64, TD_SHAPE(0, 3)), 0, out);
}
static td_status masked(const td_dict *td, td_dict **out) {
  return with_tensor(td, vector_of(TD_DTYPE_BOOL, TD_SHAPE(1, 0, 1)), 0, out);
}

static td_status cloned(const td_dict *td, td_dict **out) {
  return td_dict_clone(td, out, &err);
}
static td_status stacked_at(const td_dict *td, int64_t dim, td_dict **out) {
  td_dict *other = deep_copy_of(td);
  const td_dict *three[] = {td, other, td};
  const td_status status = td_dict_stack(three, 3, dim, out, &err);
  td_dict_release(other);
  return status;
}
static td_status stacked_first(const td_dict *td, td_dict **out) {
  return stacked_at(td, 0, out);
}
static td_status stacked_second(const td_dict *td, td_dict **out) {
  return stacked_at(td, 1, out);
}
static td_status stacked_last(const td_dict *td, td_dict **out) {
  return stacked_at(td, -1, out);
}

static td_status applied(const char *name, const char *overload, const td_dict *td, td_value second, td_dict **out) {
  td_op *op = operator_named(name, overload);
  const td_value args[] = {td_value_dict(td), second};
  const td_status status = td_dict_apply_op(op, args, 2, NULL, 0, out, 1, &err);
  td_op_release(op);
  return status;
}
#define APPLY_OPERATION(name, op, overload, second)         \
  static td_status name(const td_dict *td, td_dict **out) { \
    return applied(op, overload, td, second, out);          \
  }
APPLY_OPERATION(plus_a_double, "add", NULL, td_value_double(0.1))
APPLY_OPERATION(plus_an_int, "add", NULL, td_value_int(3))
APPLY_OPERATION(plus_a_bool, "add", NULL, td_value_bool(1))
APPLY_OPERATION(plus_a_long_int, "add", NULL, td_value_int((INT64_C(1) << 53) + (1 << 29) + 1))
APPLY_OPERATION(plus_too_much_for_a_float, "add", NULL, td_value_double(1e300))
APPLY_OPERATION(minus_a_double, "sub", "Scalar", td_value_double(0.1))
APPLY_OPERATION(times_a_double, "mul", "Tensor", td_value_double(-1.5))
APPLY_OPERATION(times_not_a_number, "mul", NULL, td_value_double(strtod("nan", NULL)))
APPLY_OPERATION(plus_itself, "add", NULL, td_value_dict(td))
APPLY_OPERATION(minus_itself, "sub", "Tensor", td_value_dict(td))
APPLY_OPERATION(times_itself, "mul", NULL, td_value_dict(td))
APPLY_OPERATION(an_overload_that_takes_no_dict, "add", "Scalar", td_value_dict(td))
APPLY_OPERATION(divided, "div", NULL, td_value_int(3))

static const struct {
  const char *name;
  operation run;
  int view;
} operations[] = {
    {"td[0]", first_row, 1},
    {"td[-1]", last_row, 1},
    {"td[1, 1]", one_cell, 1},
    {"td[1:3]", some_rows, 1},
    {"td[2:2]", no_rows, 1},
    {"td[::2]", every_other_row, 1},
    {"td[::max]", long_steps, 1},
    {"td[:, 1]", one_column, 1},
    {"td[None, ..., None]", new_dims, 1},
    {"td[...]", everything, 1},
    {"rows", gathered_rows, 0},
    {"int32 rows", gathered_by_int32, 0},
    {"strided rows", gathered_by_strided_rows, 0},
    {"cells", gathered_cells, 0},
    {"no rows", gathered_nothing, 0},
    {"rows out of range", gathered_out_of_range, 0},
    {"mask", masked, 0},
    {"clone", cloned, 0},
    {"stack 0", stacked_first, 0},
    {"stack 1", stacked_second, 0},
    {"stack -1", stacked_last, 0},
    {"+ 0.1", plus_a_double, 0},
    {"+ 3", plus_an_int, 0},
    {"+ true", plus_a_bool, 0},
    {"+ a long int", plus_a_long_int, 0},
    {"+ 1e300", plus_too_much_for_a_float, 0},
    {"- 0.1", minus_a_double, 0},
    {"* -1.5", times_a_double, 0},
    {"* nan", times_not_a_number, 0},
    {"+ td", plus_itself, 0},
    {"- td", minus_itself, 0},
    {"* td", times_itself, 0},
    {"add.Scalar of a dict", an_overload_that_takes_no_dict, 0},
    {"/ 3", divided, 0},
};

/* ---- Comparing -------------------------------------------------------------------------------------------------------- */

static int same_leaf(const td_tensor *expected, const td_tensor *got, int view) {
  return same_values(expected, got) && td_tensor_requires_grad(expected) == td_tensor_requires_grad(got) &&
         (!view || (same_strides(expected, got) && (td_tensor_numel(got) == 0 || address(expected) == address(got))));
}

static int apart(const td_tensor *a, const td_tensor *b) {
  const char *first = address(a), *second = address(b);
  return td_tensor_nbytes(a) == 0 || td_tensor_nbytes(b) == 0 || first + td_tensor_nbytes(a) <= second ||
         second + td_tensor_nbytes(b) <= first;
}

static void expect_same(const char *what, td_fast_level level, const td_dict *expected, const td_dict *got, int view) {
  td_keys *keys, *others;
  int64_t batch[8];
  check(has_batch(got, batch, td_dict_batch_size(expected, batch, 8)));
  must(td_dict_keys(expected, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, &err));
  must(td_dict_keys(got, TD_KEYS_NESTED | TD_KEYS_LEAVES, &others, &err));
  check(td_keys_size(keys) == td_keys_size(others));
  td_keys_release(others);
  td_tensor *before = NULL;
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    must(td_keys_get(keys, i, &key, &err));
    td_tensor *a = get(expected, &key), *b = get(got, &key);
    if (!same_leaf(a, b, view)) fprintf(stderr, "%s at level %d: \"%s\"\n", what, level, key.parts[key.n - 1].data);
    check(same_leaf(a, b, view));
    if (!view && before) check(apart(before, b)); /* results of one allocation do not overlap */
    td_tensor_release(before);
    before = b;
    td_tensor_release(a);
  }
  td_tensor_release(before);
  td_keys_release(keys);
}

static void compare_levels(td_dict *td) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    td_dict *expected = NULL;
    must(td_set_fast_level(TD_FAST_NONE, &err));
    const td_status status = operations[i].run(td, &expected);
    td_error_release(err);
    err = NULL;
    for (td_fast_level level = TD_FAST_VIEWS; level <= TD_FAST_ARENA; ++level) {
      td_dict *got = NULL;
      must(td_set_fast_level(level, &err));
      const td_status same = operations[i].run(td, &got);
      if (same != status) fprintf(stderr, "%s at level %d: %s\n", operations[i].name, level, td_status_name(same).data);
      check(same == status);
      td_error_release(err);
      err = NULL;
      if (status == TD_OK) expect_same(operations[i].name, level, expected, got, operations[i].view);
      td_dict_release(got);
    }
    td_dict_release(expected);
  }
  td_dict_release(td);
}

LeaklessTest(fast_levels, a_mixture_of_leaves_comes_out_the_same) {
  compare_levels(mixture(0));
}

LeaklessTest(fast_levels, plain_floating_leaves_come_out_the_same) {
  compare_levels(mixture(1)); /* all leaves go through the vector loops */
}

LeaklessTest(fast_levels, leaves_without_elements_or_dims_come_out_the_same) {
  compare_levels(scalars());
  compare_levels(hollow());
}

LeaklessTest(fast_levels, leaves_come_out_the_same_without_recording) {
  td_no_grad *scope;
  td_dict *td = mixture(0);
  must(td_no_grad_begin(&scope, &err));
  compare_levels(td);
  must(td_no_grad_end(scope, &err));
  td_no_grad_release(scope);
}

LeaklessTest(fast_levels, large_results_leave_the_arena) {
  td_dict *td = new_dict(TD_SHAPE(3, 2));
  for (int i = 0; i < 6; ++i) {
    char name[16];
    snprintf(name, sizeof name, "k%d", i);
    put(td, TD_KEY(name), range_f32((const int64_t[]){3, 2, 1 << (12 + i)}, 3)); /* 96 KiB to 3 MiB, larger in stacks */
  }
  compare_levels(td);
}

LeaklessTest(fast_levels, autograd_notices_writes_through_a_view) {
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (int quiet = 0; quiet < 2; ++quiet) { /* the view is taken and written while recording, and while not */
      td_dict *td = new_dict(TD_SHAPE(3)), *row;
      td_tensor *x = range_f32(TD_SHAPE(3, 2)), *w = requiring_grad(range_f32(TD_SHAPE(3, 2)));
      td_tensor *zero = full_f32(0, TD_SHAPE(2)), *y, *s;
      td_no_grad *scope = NULL;
      must(td_set_fast_level(level, &err));
      must(td_dict_set(td, TD_KEY("x"), x, &err));
      y = call("mul", "Tensor", ARGS(td_value_tensor(w), td_value_tensor(x))); /* keeps x for the gradient of w */
      s = call("sum", "", ARGS(td_value_tensor(y)));
      if (quiet) must(td_no_grad_begin(&scope, &err));
      must(td_dict_index(td, (const td_index[]){TD_INT(1)}, 1, &row, &err));
      must(td_dict_copy_into(row, TD_KEY("x"), zero, &err));
      if (quiet) must(td_no_grad_end(scope, &err));
      if (quiet) td_no_grad_release(scope);
      expect_values(x, VALUES(0, 1, 0, 0, 4, 5));
      check(td_tensor_backward(s, NULL, 0, &err) == TD_ERR_TORCH);
      check(strstr(td_error_message(err).data, "modified by an inplace operation"));
      td_error_release(err);
      err = NULL;
      td_tensor *all[] = {x, w, zero, y, s};
      for (int i = 0; i < 5; ++i) td_tensor_release(all[i]);
      td_dict_release(row);
      td_dict_release(td);
    }
}

LeaklessTest(fast_levels, gradients_flow_through_every_operation) {
  const operation recorded[] = {first_row, some_rows,      new_dims,    gathered_rows,
                                cloned,    stacked_second, plus_itself, times_a_double};
  const double expected[][6] = {
      {1, 1, 0, 0, 0, 0}, {0, 0, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {1, 1, 0, 0, 3, 3},
      {1, 1, 1, 1, 1, 1}, {3, 3, 3, 3, 3, 3}, {2, 2, 2, 2, 2, 2}, {-1.5, -1.5, -1.5, -1.5, -1.5, -1.5}};
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; ++i) {
      td_dict *td = new_dict(TD_SHAPE(3, 2)), *out;
      td_tensor *x = requiring_grad(range_f32(TD_SHAPE(3, 2))), *y, *s, *grad;
      must(td_set_fast_level(level, &err));
      must(td_dict_set(td, TD_KEY("x"), x, &err));
      must(recorded[i](td, &out));
      y = get(out, TD_KEY("x"));
      s = call("sum", "", ARGS(td_value_tensor(y)));
      must(td_tensor_backward(s, NULL, 0, &err));
      must(td_tensor_grad(x, &grad, &err));
      expect_values_at(__FILE__, __LINE__, grad, expected[i], 6);
      td_tensor *all[] = {x, y, s, grad};
      for (int k = 0; k < 4; ++k) td_tensor_release(all[k]);
      td_dict_release(out);
      td_dict_release(td);
    }
}

LeaklessTest(fast_levels, a_recorded_value_written_through_a_view_reaches_the_base) {
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    td_dict *td = new_dict(TD_SHAPE(4)), *tail, *row;
    td_tensor *x = range_f32(TD_SHAPE(4, 2)), *w = requiring_grad(full_f32(7, TD_SHAPE(2))), *s, *grad;
    must(td_set_fast_level(level, &err));
    must(td_dict_set(td, TD_KEY("x"), x, &err));
    must(td_dict_index(td, (const td_index[]){TD_SLICE(1, TD_END)}, 1, &tail, &err)); /* a view of a view */
    must(td_dict_index(tail, (const td_index[]){TD_INT(1)}, 1, &row, &err));
    must(td_dict_copy_into(row, TD_KEY("x"), w, &err));
    expect_values(x, VALUES(0, 1, 2, 3, 7, 7, 6, 7));
    check(td_tensor_requires_grad(x));
    s = call("sum", "", ARGS(td_value_tensor(x)));
    must(td_tensor_backward(s, NULL, 0, &err));
    must(td_tensor_grad(w, &grad, &err));
    expect_values(grad, VALUES(1, 1));
    td_tensor *all[] = {x, w, s, grad};
    for (int k = 0; k < 4; ++k) td_tensor_release(all[k]);
    td_dict_release(row);
    td_dict_release(tail);
    td_dict_release(td);
  }
}

LeaklessTest(fast_levels, a_view_taken_without_recording_refuses_recorded_values) {
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    td_dict *td = new_dict(TD_SHAPE(3)), *row;
    td_tensor *x = range_f32(TD_SHAPE(3, 2)), *w = requiring_grad(full_f32(7, TD_SHAPE(2)));
    td_no_grad *scope;
    must(td_set_fast_level(level, &err));
    must(td_dict_set(td, TD_KEY("x"), x, &err));
    must(td_no_grad_begin(&scope, &err));
    must(td_dict_index(td, (const td_index[]){TD_INT(1)}, 1, &row, &err));
    must(td_no_grad_end(scope, &err));
    td_no_grad_release(scope);
    check(td_dict_copy_into(row, TD_KEY("x"), w, &err) == TD_ERR_TORCH);
    td_error_release(err);
    err = NULL;
    expect_values(x, VALUES(0, 1, 2, 3, 4, 5));
    td_tensor_release(x);
    td_tensor_release(w);
    td_dict_release(row);
    td_dict_release(td);
  }
}
