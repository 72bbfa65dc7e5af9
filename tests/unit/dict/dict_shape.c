/* Other shapes of the batch dims: each operation beside PyTorch's result for a tensor without feature dims, with the names
 * of dims, and with what it shares, at every level of speed. */
#include "support/td.h"
#include "support/trees.h"

#define OP(name, call)                                      \
  static td_status name(const td_dict *td, td_dict **out) { \
    return call;                                            \
  }
OP(view, td_dict_view(td, TD_SHAPE(3, -1), out, &err))
OP(view_same, td_dict_view(td, TD_SHAPE(2, 1, -1), out, &err))
OP(reshape, td_dict_reshape(td, TD_SHAPE(6), out, &err))
OP(reshape_same, td_dict_reshape(td, TD_SHAPE(2, 1, 3), out, &err))
OP(flatten_all, td_dict_flatten(td, 0, -1, out, &err))
OP(flatten_two, td_dict_flatten(td, 0, 1, out, &err))
OP(flatten_one, td_dict_flatten(td, 1, 1, out, &err))
OP(unflatten, td_dict_unflatten(td, -1, TD_SHAPE(-1, 1), out, &err))
OP(unflatten_first, td_dict_unflatten(td, 0, TD_SHAPE(1, 2, 1), out, &err))
OP(squeeze_all, td_dict_squeeze(td, TD_NO_DIMS, out, &err))
OP(squeeze_dims, td_dict_squeeze(td, TD_SHAPE(-2, 0), out, &err))
OP(squeeze_nothing, td_dict_squeeze(td, TD_SHAPE(0), out, &err))
OP(unsqueeze_first, td_dict_unsqueeze(td, 0, out, &err))
OP(unsqueeze_last, td_dict_unsqueeze(td, -1, out, &err))
OP(expand, td_dict_expand(td, TD_SHAPE(2, 1, 2, 2, -1), out, &err))
OP(expand_same, td_dict_expand(td, TD_SHAPE(2, 1, 3), out, &err))
OP(permute, td_dict_permute(td, TD_SHAPE(2, 0, -2), out, &err))
OP(permute_some, td_dict_permute(td, TD_SHAPE(1, 0), out, &err))
OP(permute_nothing, td_dict_permute(td, TD_SHAPE(0, 1, 2), out, &err))
OP(transpose, td_dict_transpose(td, 0, -1, out, &err))
OP(transpose_same, td_dict_transpose(td, 1, -2, out, &err))
OP(movedim, td_dict_movedim(td, (const int64_t[]){0}, (const int64_t[]){2}, 1, out, &err))
OP(movedim_two, td_dict_movedim(td, (const int64_t[]){2, 0}, (const int64_t[]){0, -1}, 2, out, &err))
OP(movedim_same, td_dict_movedim(td, (const int64_t[]){1}, (const int64_t[]){1}, 1, out, &err))
OP(narrow, td_dict_narrow(td, 2, -2, 2, out, &err))
OP(narrow_end, td_dict_narrow(td, 0, 2, 0, out, &err))
OP(repeat, td_dict_repeat(td, TD_SHAPE(2, 1, 2), out, &err))
OP(repeat_never, td_dict_repeat(td, TD_SHAPE(1, 0, 1), out, &err))
OP(tile_last, td_dict_tile(td, TD_SHAPE(2), out, &err))
OP(tile_new, td_dict_tile(td, TD_SHAPE(2, 1, 1, 1), out, &err))
OP(interleave, td_dict_repeat_interleave(td, TD_SHAPE(2), 0, out, &err))
OP(interleave_each, td_dict_repeat_interleave(td, TD_SHAPE(2, 0, 1), -1, out, &err))
OP(flip, td_dict_flip(td, TD_SHAPE(0, -1), out, &err))
OP(flip_nothing, td_dict_flip(td, TD_NO_DIMS, out, &err))
OP(roll, td_dict_roll(td, TD_SHAPE(1, -1), TD_SHAPE(0, 2), out, &err))
OP(roll_flat, td_dict_roll(td, TD_SHAPE(2), TD_NO_DIMS, out, &err))
OP(rot90, td_dict_rot90(td, 1, 0, 2, out, &err))
OP(rot90_back, td_dict_rot90(td, -5, 0, 2, out, &err))
OP(rot180, td_dict_rot90(td, 2, 0, 2, out, &err))

enum fate { ITSELF, SHARED, SHARED_INSIDE, COPIED, EMPTY };
static const struct {
  const char *what;
  td_status (*run)(const td_dict *, td_dict **);
  int64_t batch[5];
  size_t ndim;
  const char *names; /* a letter for each dim, - for none */
  enum fate fate;
  double a[24];
} operations[] = {
    {"view", view, {3, 2}, 2, "--", SHARED, {0, 1, 2, 3, 4, 5}},
    {"view_same", view_same, {2, 1, 3}, 3, "xyz", ITSELF, {0, 1, 2, 3, 4, 5}},
    {"reshape", reshape, {6}, 1, "-", SHARED, {0, 1, 2, 3, 4, 5}},
    {"reshape_same", reshape_same, {2, 1, 3}, 3, "xyz", ITSELF, {0, 1, 2, 3, 4, 5}},
    {"flatten_all", flatten_all, {6}, 1, "-", SHARED, {0, 1, 2, 3, 4, 5}},
    {"flatten_two", flatten_two, {2, 3}, 2, "-z", SHARED, {0, 1, 2, 3, 4, 5}},
    {"flatten_one", flatten_one, {2, 1, 3}, 3, "x-z", SHARED, {0, 1, 2, 3, 4, 5}},
    {"unflatten", unflatten, {2, 1, 3, 1}, 4, "xy-z", SHARED, {0, 1, 2, 3, 4, 5}},
    {"unflatten_first", unflatten_first, {1, 2, 1, 1, 3}, 5, "--xyz", SHARED, {0, 1, 2, 3, 4, 5}},
    {"squeeze_all", squeeze_all, {2, 3}, 2, "xz", SHARED, {0, 1, 2, 3, 4, 5}},
    {"squeeze_dims", squeeze_dims, {2, 3}, 2, "xz", SHARED, {0, 1, 2, 3, 4, 5}},
    {"squeeze_nothing", squeeze_nothing, {2, 1, 3}, 3, "xyz", ITSELF, {0, 1, 2, 3, 4, 5}},
    {"unsqueeze_first", unsqueeze_first, {1, 2, 1, 3}, 4, "-xyz", SHARED, {0, 1, 2, 3, 4, 5}},
    {"unsqueeze_last", unsqueeze_last, {2, 1, 3, 1}, 4, "xyz-", SHARED, {0, 1, 2, 3, 4, 5}},
    {"expand", expand, {2, 1, 2, 2, 3}, 5, "--xyz", SHARED, {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5,
                                                             0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}},
    {"expand_same", expand_same, {2, 1, 3}, 3, "xyz", SHARED, {0, 1, 2, 3, 4, 5}},
    {"permute", permute, {3, 2, 1}, 3, "zxy", SHARED, {0, 3, 1, 4, 2, 5}},
    {"permute_some", permute_some, {1, 2, 3}, 3, "yxz", SHARED, {0, 1, 2, 3, 4, 5}},
    {"permute_nothing", permute_nothing, {2, 1, 3}, 3, "xyz", ITSELF, {0, 1, 2, 3, 4, 5}},
    {"transpose", transpose, {3, 1, 2}, 3, "zyx", SHARED, {0, 3, 1, 4, 2, 5}},
    {"transpose_same", transpose_same, {2, 1, 3}, 3, "xyz", ITSELF, {0, 1, 2, 3, 4, 5}},
    {"movedim", movedim, {1, 3, 2}, 3, "yzx", SHARED, {0, 3, 1, 4, 2, 5}},
    {"movedim_two", movedim_two, {3, 1, 2}, 3, "zyx", SHARED, {0, 3, 1, 4, 2, 5}},
    {"movedim_same", movedim_same, {2, 1, 3}, 3, "xyz", ITSELF, {0, 1, 2, 3, 4, 5}},
    {"narrow", narrow, {2, 1, 2}, 3, "xyz", SHARED_INSIDE, {1, 2, 4, 5}},
    {"narrow_end", narrow_end, {0, 1, 3}, 3, "xyz", EMPTY, {0}},
    {"repeat", repeat, {4, 1, 6}, 3, "xyz", COPIED, {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5,
                                                     0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}},
    {"repeat_never", repeat_never, {2, 0, 3}, 3, "xyz", COPIED, {0}},
    {"tile_last", tile_last, {2, 1, 6}, 3, "---", COPIED, {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}},
    {"tile_new", tile_new, {2, 2, 1, 3}, 4, "----", COPIED, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}},
    {"interleave", interleave, {4, 1, 3}, 3, "xyz", COPIED, {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}},
    {"interleave_each", interleave_each, {2, 1, 3}, 3, "xyz", COPIED, {0, 0, 2, 3, 3, 5}},
    {"flip", flip, {2, 1, 3}, 3, "xyz", COPIED, {5, 4, 3, 2, 1, 0}},
    {"flip_nothing", flip_nothing, {2, 1, 3}, 3, "xyz", COPIED, {0, 1, 2, 3, 4, 5}},
    {"roll", roll, {2, 1, 3}, 3, "xyz", COPIED, {4, 5, 3, 1, 2, 0}},
    {"roll_flat", roll_flat, {2, 1, 3}, 3, "xyz", COPIED, {4, 5, 0, 1, 2, 3}},
    {"rot90", rot90, {3, 1, 2}, 3, "zyx", COPIED, {2, 5, 1, 4, 0, 3}},
    {"rot90_back", rot90_back, {3, 1, 2}, 3, "zyx", COPIED, {3, 0, 4, 1, 5, 2}},
    {"rot180", rot180, {2, 1, 3}, 3, "xyz", COPIED, {5, 4, 3, 2, 1, 0}},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Batch size [2, 1, 3] of names x, y, z: "a" has no feature dims, "f" has one, "n" is a node with a batch dim w of its own. */
static td_dict *sample(void) {
  td_dict *td = new_dict(TD_SHAPE(2, 1, 3)), *n = new_dict(TD_SHAPE(2, 1, 3, 4));
  const td_str names[] = {TD_STR("x"), TD_STR("y"), TD_STR("z"), TD_STR("w")};
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 1, 3)));
  put(td, TD_KEY("f"), counted(TD_DTYPE_INT16, TD_SHAPE(2, 1, 3, 2)));
  put(n, TD_KEY("b"), range_f32(TD_SHAPE(2, 1, 3, 4)));
  put(n, TD_KEY("none"), range_f32(TD_SHAPE(2, 1, 3, 4, 0)));
  must(td_dict_set_names(n, names, 4, &err));
  put_dict(td, TD_KEY("n"), n);
  return td;
}

static td_dict *result_of(size_t i, const td_dict *td) {
  td_dict *out = NULL;
  const td_status status = operations[i].run(td, &out);
  if (status != TD_OK) failed_at(__FILE__, __LINE__, operations[i].what, err);
  return out;
}

static void expect_same(const char *what, const td_dict *x, const td_dict *y, const td_key *key) {
  td_tensor *tx = get(x, key), *ty = get(y, key);
  if (!same_values(tx, ty) || !same_strides(tx, ty)) failed_at(__FILE__, __LINE__, what, NULL);
  td_tensor_release(tx);
  td_tensor_release(ty);
}

LeaklessTest(dict_shape, every_operation_gives_the_values_of_pytorch_and_carries_the_names) {
  td_dict *td = sample();
  for (size_t i = 0; i < OPERATIONS; ++i) {
    td_dict *plain = NULL;
    for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
      must(td_set_fast_level(level, &err));
      td_dict *r = result_of(i, td), *n = get_dict(r, TD_KEY("n"));
      char inner[8];
      if (!has_batch(r, operations[i].batch, operations[i].ndim))
        failed_at(__FILE__, __LINE__, operations[i].what, NULL);
      td_tensor *a = get(r, TD_KEY("a")), *f = get(r, TD_KEY("f"));
      expect_values_at(__FILE__, __LINE__, a, operations[i].a, (size_t)td_tensor_numel(a));
      check(td_tensor_numel(a) == td_dict_numel(r) && td_tensor_numel(f) == 2 * td_dict_numel(r));
      check(td_dict_batch_size(n, NULL, 0) == operations[i].ndim + 1 && td_dict_numel(n) == 4 * td_dict_numel(r));
      expect_names(r, operations[i].names);
      snprintf(inner, sizeof inner, "%sw", operations[i].names);
      expect_names(n, inner);
      check((r == td) == (operations[i].fate == ITSELF));
      if (operations[i].fate <= SHARED) check(same_memory(r, TD_KEY("n", "b"), td, TD_KEY("n", "b")));
      if (operations[i].fate == COPIED) check(!same_memory(r, TD_KEY("a"), td, TD_KEY("a")));
      td_tensor_release(a);
      td_tensor_release(f);
      td_dict_release(n);
      if (!plain) {
        plain = r;
        continue;
      }
      expect_same(operations[i].what, plain, r, TD_KEY("f"));
      expect_same(operations[i].what, plain, r, TD_KEY("n", "b"));
      expect_same(operations[i].what, plain, r, TD_KEY("n", "none"));
      td_dict_release(r);
    }
    td_dict_release(plain);
  }
  td_dict_release(td);
}

LeaklessTest(dict_shape, results_are_locked_where_the_original_is) {
  td_dict *open = sample(), *inside = sample(), *locked = sample(), *n = get_dict(inside, TD_KEY("n"));
  must(td_dict_lock_(n, &err));
  must(td_dict_lock_(locked, &err));
  const td_dict *originals[] = {open, inside, locked};
  for (size_t i = 0; i < OPERATIONS; ++i)
    for (int k = 0; k < 3; ++k) {
      td_dict *r = result_of(i, originals[k]), *rn = get_dict(r, TD_KEY("n"));
      check(td_dict_is_locked(r) == (k == 2) && td_dict_is_locked(rn) == (k > 0));
      td_dict_release(rn);
      td_dict_release(r);
    }
  td_dict *r;
  must(td_dict_contiguous(locked, &r, &err));
  check(!td_dict_is_locked(r) && r != locked);
  td_dict_release(r);
  td_dict_release(n);
  td_dict_release(locked);
  td_dict_release(inside);
  td_dict_release(open);
}

LeaklessTest(dict_shape, scattered_leaves_are_copied_by_reshape_and_refused_by_view) {
  td_dict *td = new_dict(TD_SHAPE(3, 2)), *r = NULL, *s = NULL;
  put(td, TD_KEY("row"), range_f32(TD_SHAPE(3, 2, 2)));
  put(td, TD_KEY("n", "t"), transposed(range_f32(TD_SHAPE(2, 3))));
  const int64_t odd[] = {2, 1, 7};
  float six[6] = {0, 1, 2, 3, 4, 5};
  td_tensor *one;
  must(td_tensor_from_memory(six, TD_DTYPE_FLOAT32, TD_SHAPE(3, 2, 1), odd, NULL, NULL, &one, &err));
  put(td, TD_KEY("odd"), one); /* row-major, but for a dim of size 1 */
  check(!td_dict_is_contiguous(td));
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    expect_error(td_dict_view(td, TD_SHAPE(6), &r, &err), TD_ERR_SHAPE, "(\"n\", \"t\")", "td_dict_reshape");
    check(!r);
    must(td_dict_reshape(td, TD_SHAPE(6), &r, &err));
    expect_entry(r, TD_KEY("n", "t"), VALUES(0, 3, 1, 4, 2, 5));
    check(same_memory(r, TD_KEY("row"), td, TD_KEY("row")));
    must(td_dict_contiguous(td, &s, &err));
    check(td_dict_is_contiguous(s) && same_memory(s, TD_KEY("row"), td, TD_KEY("row")));
    check(same_memory(s, TD_KEY("odd"), td, TD_KEY("odd")));
    expect_entry(s, TD_KEY("n", "t"), VALUES(0, 3, 1, 4, 2, 5));
    td_tensor *canonical = get(s, TD_KEY("odd"));
    int64_t strides[3];
    check(td_tensor_strides(canonical, strides, 3) == 3 && strides[0] == 2 && strides[1] == 1 && strides[2] == 1);
    td_tensor_release(canonical);
    td_dict_release(r);
    td_dict_release(s);
    must(td_dict_view(td, TD_SHAPE(3, 1, 2), &r, &err)); /* that can be viewed */
    expect_entry(r, TD_KEY("n", "t"), VALUES(0, 3, 1, 4, 2, 5));
    td_dict_release(r);
    must(td_dict_expand(td, TD_SHAPE(2, 3, 2), &s, &err));
    must(td_dict_reshape(s, TD_SHAPE(2, 6), &r, &err));
    expect_entry(r, TD_KEY("n", "t"), VALUES(0, 3, 1, 4, 2, 5, 0, 3, 1, 4, 2, 5));
    td_dict_release(r);
    td_dict_release(s);
    r = NULL;
  }
  td_dict_release(td);
}

LeaklessTest(dict_shape, gradients_flow_through_every_operation) {
  td_dict *td = sample();
  put(td, TD_KEY("a"), requiring_grad(range_f32(TD_SHAPE(2, 1, 3))));
  for (size_t i = 0; i < OPERATIONS; ++i) {
    td_dict *r = result_of(i, td);
    td_tensor *a = get(r, TD_KEY("a"));
    check(td_tensor_requires_grad(a));
    expect_values_at(__FILE__, __LINE__, a, operations[i].a, (size_t)td_tensor_numel(a));
    td_tensor_release(a);
    td_dict_release(r);
  }
  td_dict_release(td);
}

LeaklessTest(dict_shape, dicts_without_batch_dims_and_empty_batches) {
  td_dict *scalar = new_dict(TD_NO_DIMS), *empty = new_dict(TD_SHAPE(0)), *r;
  put(scalar, TD_KEY("a"), full_f32(7, TD_NO_DIMS));
  put(scalar, TD_KEY("f"), range_f32(TD_SHAPE(2)));
  put(empty, TD_KEY("a"), range_f32(TD_SHAPE(0, 3)));
  check(td_dict_numel(scalar) == 1 && td_dict_numel(empty) == 0);
#define gives(call, ndim, ...)                                 \
  do {                                                         \
    must(call);                                                \
    check(has_batch(r, (const int64_t[]){__VA_ARGS__}, ndim)); \
    td_dict_release(r);                                        \
  } while (0)
  gives(td_dict_view(scalar, TD_NO_DIMS, &r, &err), 0, 0);
  gives(td_dict_view(scalar, TD_SHAPE(1, -1), &r, &err), 2, 1, 1);
  gives(td_dict_reshape(scalar, TD_SHAPE(-1), &r, &err), 1, 1);
  gives(td_dict_flatten(scalar, 0, -1, &r, &err), 1, 1);
  gives(td_dict_squeeze(scalar, TD_NO_DIMS, &r, &err), 0, 0);
  gives(td_dict_unsqueeze(scalar, -1, &r, &err), 1, 1);
  gives(td_dict_expand(scalar, TD_SHAPE(3, 1), &r, &err), 2, 3, 1);
  gives(td_dict_permute(scalar, TD_NO_DIMS, &r, &err), 0, 0);
  gives(td_dict_repeat(scalar, TD_NO_DIMS, &r, &err), 0, 0);
  gives(td_dict_tile(scalar, TD_SHAPE(2), &r, &err), 1, 2);
  gives(td_dict_roll(scalar, TD_SHAPE(1), TD_NO_DIMS, &r, &err), 0, 0);
  gives(td_dict_view(empty, TD_SHAPE(0, 2), &r, &err), 2, 0, 2);
  gives(td_dict_reshape(empty, TD_SHAPE(-1), &r, &err), 1, 0);
  gives(td_dict_reshape(empty, TD_SHAPE(-1, 2), &r, &err), 2, 0, 2);
  gives(td_dict_unflatten(empty, 0, TD_SHAPE(-1, 2), &r, &err), 2, 0, 2);
  gives(td_dict_repeat(empty, TD_SHAPE(4), &r, &err), 1, 0);
  gives(td_dict_repeat_interleave(empty, TD_SHAPE(4), 0, &r, &err), 1, 0);
  gives(td_dict_repeat_interleave(empty, TD_NO_DIMS, 0, &r, &err), 1, 0);
  gives(td_dict_flip(empty, TD_SHAPE(0), &r, &err), 1, 0);
  gives(td_dict_roll(empty, TD_SHAPE(1), TD_NO_DIMS, &r, &err), 1, 0);
  td_dict_release(empty);
  td_dict_release(scalar);
}

static int equal(const td_dict *a, const td_dict *b) {
  td_bool out = 0;
  must(td_dict_equal(a, b, NULL, &out, NULL, &err));
  return out;
}

LeaklessTest(dict_shape, a_roll_by_any_shift_is_one_of_less_than_a_turn) {
  td_dict *td = sample(), *far, *near;
  must(td_dict_roll(td, TD_SHAPE(INT64_MIN, INT64_MAX), TD_SHAPE(0, 2), &far, &err));
  must(td_dict_roll(td, TD_SHAPE(INT64_MIN % 2, INT64_MAX % 3), TD_SHAPE(0, 2), &near, &err));
  check(equal(far, near) && !equal(far, td));
  td_dict_release(near);
  td_dict_release(far);
  must(td_dict_roll(td, TD_SHAPE(INT64_MIN), TD_NO_DIMS, &far, &err));
  must(td_dict_roll(td, TD_SHAPE(INT64_MIN % 6), TD_NO_DIMS, &near, &err));
  check(equal(far, near) && !equal(far, td));
  td_dict_release(near);
  td_dict_release(far);
  td_dict_release(td);
}

LeaklessTest(dict_shape, what_does_not_fit_is_refused) {
  td_dict *td = sample(), *empty = new_dict(TD_SHAPE(0)), *out = NULL, *small = new_dict(TD_SHAPE(1));
  put(small, TD_KEY("a"), full_f32(1, TD_SHAPE(1)));
  const int64_t huge = INT64_C(1) << 62;
#define refuses(call, code) expect_error((call), (code), NULL, NULL)
  refuses(td_dict_view(td, TD_SHAPE(4), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_view(td, TD_SHAPE(-1, -1), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_view(td, TD_SHAPE(-2, -3), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_view(td, TD_SHAPE(-1, 4), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_reshape(td, TD_SHAPE(6, huge, huge), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_reshape(td, TD_SHAPE(0, -1), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_reshape(empty, TD_SHAPE(0, -1), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_flatten(td, 0, 3, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_flatten(td, 2, 1, &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_unflatten(td, 3, TD_SHAPE(1), &out, &err), TD_ERR_INDEX);
  refuses(td_dict_unflatten(td, 2, TD_SHAPE(2, 2), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_unflatten(td, 1, TD_NO_DIMS, &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_squeeze(td, TD_SHAPE(3), &out, &err), TD_ERR_INDEX);
  refuses(td_dict_squeeze(td, TD_SHAPE(1, -2), &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_unsqueeze(td, 4, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_unsqueeze(td, -5, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_expand(td, TD_SHAPE(2, 1), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_expand(td, TD_SHAPE(2, 1, 4), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_expand(td, TD_SHAPE(-1, 2, 1, 3), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_expand(td, TD_SHAPE(2, -2, 3), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_expand(small, TD_SHAPE(huge, 4), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_permute(td, TD_SHAPE(0, 0, 1), &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_permute(td, TD_SHAPE(0, 2), &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_permute(td, TD_SHAPE(0, 1, 2, 3), &out, &err), TD_ERR_INDEX);
  refuses(td_dict_transpose(td, 0, 3, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_movedim(td, (const int64_t[]){0, 0}, (const int64_t[]){1, 2}, 2, &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_movedim(td, (const int64_t[]){0}, (const int64_t[]){-4}, 1, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_repeat(td, TD_SHAPE(1, 1), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_repeat(td, TD_SHAPE(1, 1, -1), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_repeat(small, TD_SHAPE(huge), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_tile(td, TD_SHAPE(-1), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_tile(small, TD_SHAPE(huge, 4), &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_repeat_interleave(td, TD_SHAPE(2), 3, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_repeat_interleave(td, TD_SHAPE(1, 2), 2, &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_repeat_interleave(td, TD_SHAPE(1, -2, 1), 2, &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_repeat_interleave(td, TD_SHAPE(huge, huge, huge), 2, &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_flip(td, TD_SHAPE(3), &out, &err), TD_ERR_INDEX);
  refuses(td_dict_flip(td, TD_SHAPE(1, 1), &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_roll(td, TD_SHAPE(1), TD_SHAPE(0, 1), &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_roll(td, TD_SHAPE(1, 2), TD_NO_DIMS, &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_roll(td, TD_SHAPE(1), TD_SHAPE(-4), &out, &err), TD_ERR_INDEX);
  refuses(td_dict_rot90(td, 1, 0, 0, &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_rot90(td, 1, 0, 3, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_rot90(small, 1, 0, 1, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_view(NULL, TD_NO_DIMS, &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_view(td, NULL, 1, &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_reshape(td, TD_SHAPE(6), NULL, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_repeat_interleave(td, NULL, 1, 0, &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_contiguous(NULL, &out, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_auto_batch_size_(NULL, -1, &err), TD_ERR_ARGUMENT);
  check(!out && td_dict_numel(NULL) == 0 && !td_dict_is_contiguous(NULL));
  expect_names(td, "xyz");
  expect_batch(td, TD_SHAPE(2, 1, 3));
  td_dict_release(td);
  td_dict_release(empty);
  td_dict_release(small);
}

LeaklessTest(dict_shape, the_longest_common_batch_size_is_found) {
  td_dict *td = new_dict(TD_NO_DIMS), *n = new_dict(TD_NO_DIMS), *none = new_dict(TD_NO_DIMS);
  put_dict(td, TD_KEY("none"), none);
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 3, 4)));
  put(n, TD_KEY("b"), range_f32(TD_SHAPE(2, 3, 5)));
  must(td_dict_set_dict(td, TD_KEY("n"), n, &err));
  const struct {
    int64_t limit;
    size_t root, node;
  } table[] = {{-1, 2, 3}, {1, 1, 1}, {9, 2, 3}, {0, 0, 0}, {2, 2, 2}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    must(td_dict_auto_batch_size_(td, table[i].limit, &err));
    check(has_batch(td, (const int64_t[]){2, 3}, table[i].root));
    check(has_batch(n, (const int64_t[]){2, 3, 5}, table[i].node));
    td_dict *empty = get_dict(td, TD_KEY("none"));
    check(td_dict_batch_size(empty, NULL, 0) >= table[i].root);
    td_dict_release(empty);
  }
  expect_error(td_dict_auto_batch_size_(td, -2, &err), TD_ERR_ARGUMENT, NULL, NULL);
  must(td_dict_set_names(td, (const td_str[]){TD_STR("x"), TD_STR("y")}, 2, &err));
  must(td_dict_auto_batch_size_(td, 1, &err));
  expect_names(td, "x");
  must(td_dict_lock_(td, &err));
  must(td_dict_auto_batch_size_(td, -1, &err));
  expect_names(td, "x-");
  expect_batch(n, TD_SHAPE(2, 3, 5));
  td_dict_release(n);
  td_dict_release(td);

  td = new_dict(TD_SHAPE(3)); /* nothing decides */
  must(td_dict_auto_batch_size_(td, -1, &err));
  expect_batch(td, TD_SHAPE(3));
  td_dict_release(td);
}
