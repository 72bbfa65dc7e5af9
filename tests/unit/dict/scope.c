/* Scopes: another form of a dict to work on, and the way back. */
#include "support/trees.h"

#define BEGIN(name, call)                                                 \
  static td_status name(td_dict *td, td_dict **inner, td_scope **scope) { \
    return call;                                                          \
  }
BEGIN(flatten_keys, td_scope_flatten_keys(td, TD_NO_STR, inner, scope, &err))
BEGIN(view, td_scope_view(td, TD_SHAPE(3, -1), inner, scope, &err))
BEGIN(flatten, td_scope_flatten(td, 0, -1, inner, scope, &err))
BEGIN(unflatten, td_scope_unflatten(td, 2, TD_SHAPE(3, 1), inner, scope, &err))
BEGIN(squeeze, td_scope_squeeze(td, TD_SHAPE(1), inner, scope, &err))
BEGIN(squeeze_nothing, td_scope_squeeze(td, TD_SHAPE(0), inner, scope, &err))
BEGIN(unsqueeze, td_scope_unsqueeze(td, -1, inner, scope, &err))
BEGIN(permute, td_scope_permute(td, TD_SHAPE(2, 0, -2), inner, scope, &err))
BEGIN(transpose, td_scope_transpose(td, 0, -1, inner, scope, &err))
BEGIN(movedim, td_scope_movedim(td, (const int64_t[]){2, 0}, (const int64_t[]){0, 1}, 2, inner, scope, &err))
BEGIN(flip, td_scope_flip(td, TD_SHAPE(0, 2), inner, scope, &err))
BEGIN(roll, td_scope_roll(td, TD_SHAPE(1, -1), TD_SHAPE(0, 2), inner, scope, &err))
BEGIN(roll_far, td_scope_roll(td, TD_SHAPE(INT64_MAX, INT64_MIN), TD_SHAPE(0, 2), inner, scope, &err))
BEGIN(roll_flat, td_scope_roll(td, TD_SHAPE(2), TD_NO_DIMS, inner, scope, &err))
BEGIN(to, td_scope_to(td, TD_DTYPE_FLOAT64, TD_NO_STR, inner, scope, &err))

static const struct {
  const char *what;
  td_status (*begin)(td_dict *, td_dict **, td_scope **);
  int64_t batch[4];
  size_t ndim;
} kinds[] = {
    {"flatten_keys", flatten_keys, {2, 1, 3}, 3},
    {"view", view, {3, 2}, 2},
    {"flatten", flatten, {6}, 1},
    {"unflatten", unflatten, {2, 1, 3, 1}, 4},
    {"squeeze", squeeze, {2, 3}, 2},
    {"squeeze_nothing", squeeze_nothing, {2, 1, 3}, 3},
    {"unsqueeze", unsqueeze, {2, 1, 3, 1}, 4},
    {"permute", permute, {3, 2, 1}, 3},
    {"transpose", transpose, {3, 1, 2}, 3},
    {"movedim", movedim, {3, 2, 1}, 3},
    {"flip", flip, {2, 1, 3}, 3},
    {"roll", roll, {2, 1, 3}, 3},
    {"roll_far", roll_far, {2, 1, 3}, 3},
    {"roll_flat", roll_flat, {2, 1, 3}, 3},
    {"to", to, {2, 1, 3}, 3},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static td_dict *sample(void) {
  td_dict *td = new_dict(TD_SHAPE(2, 1, 3));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 1, 3)));
  put(td, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(2, 1, 3, 2)));
  return td;
}

static td_scope *begun(size_t i, td_dict *td, td_dict **inner) {
  td_scope *scope = NULL;
  const td_status status = kinds[i].begin(td, inner, &scope);
  if (status != TD_OK) failed_at(__FILE__, __LINE__, kinds[i].what, err);
  check(has_batch(*inner, kinds[i].batch, kinds[i].ndim));
  return scope;
}

/* A tensor of the batch size of `td` that counts from 10, whatever the size is. */
static td_tensor *counted_like(const td_dict *td) {
  int64_t batch[8];
  const size_t ndim = td_dict_batch_size(td, batch, 8);
  td_tensor *t = range_f32(batch, ndim), *ten = full_f32(10, TD_NO_DIMS);
  td_tensor *sum = call("add", "Tensor", ARGS(td_value_tensor(t), td_value_tensor(ten)));
  td_tensor_release(t);
  td_tensor_release(ten);
  return sum;
}

LeaklessTest(scope, what_is_set_inside_goes_back_into_its_shape) {
  for (size_t i = 0; i < KINDS; ++i) {
    td_dict *td = sample(), *inner, *again;
    td_tensor *before = get(td, TD_KEY("n", "b"));
    td_scope *scope = begun(i, td, &inner);
    td_tensor *set = counted_like(inner);
    must(td_dict_set(inner, TD_KEY("new"), set, &err));
    must(td_dict_remove(inner, TD_KEY("a"), &err));
    must(td_scope_end(scope, &err));
    expect_error(td_scope_end(scope, &err), TD_ERR_CLOSED, NULL, NULL);
    expect_batch(td, TD_SHAPE(2, 1, 3));
    if (inner != td) expect_keys(td, "a n n/b new");

    /* The same way again gives what was set. */
    td_scope_release(scope);
    scope = begun(i, td, &again);
    td_tensor *there = get(again, TD_KEY("new")), *as_set;
    must(td_tensor_to(set, td_tensor_dtype(there), TD_NO_STR, &as_set, &err));
    check(same_values(there, as_set));
    td_tensor *after = get(td, TD_KEY("n", "b"));
    if (strcmp(kinds[i].what, "flip") && strncmp(kinds[i].what, "roll", 4) && strcmp(kinds[i].what, "to"))
      check(after == before); /* it stands on the same memory, and is left alone */
    check(same_values(after, before) && td_tensor_dtype(after) == TD_DTYPE_INT64);
    td_tensor_release(after);
    td_tensor_release(before);
    td_tensor_release(there);
    td_tensor_release(as_set);
    td_tensor_release(set);
    td_dict_release(again);
    td_dict_release(inner);
    td_scope_release(scope);
    td_dict_release(td);
  }
}

LeaklessTest(scope, a_release_without_end_writes_nothing_back) {
  for (size_t i = 0; i < KINDS; ++i) {
    td_dict *td = sample(), *inner;
    td_scope *scope = begun(i, td, &inner);
    td_tensor *set = counted_like(inner);
    if (inner != td) must(td_dict_set(inner, TD_KEY("new"), set, &err));
    td_scope_retain(scope);
    td_scope_release(scope);
    td_scope_release(scope);
    expect_keys(td, "a n n/b");
    td_tensor_release(set);
    td_dict_release(inner);
    td_dict_release(td);
  }
}

LeaklessTest(scope, a_cancelled_one_writes_nothing_back_and_has_ended) {
  for (size_t i = 0; i < KINDS; ++i) {
    td_dict *td = sample(), *inner;
    td_scope *scope = begun(i, td, &inner);
    td_tensor *set = counted_like(inner);
    if (inner != td) must(td_dict_set(inner, TD_KEY("new"), set, &err));
    must(td_scope_cancel(scope, &err));
    expect_keys(td, "a n n/b");
    expect_error(td_scope_cancel(scope, &err), TD_ERR_CLOSED, NULL, NULL);
    expect_error(td_scope_end(scope, &err), TD_ERR_CLOSED, NULL, NULL);
    td_scope_release(scope);
    td_tensor_release(set);
    td_dict_release(inner);
    td_dict_release(td);
  }
  expect_error(td_scope_cancel(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
}

LeaklessTest(scope, a_locked_original_takes_values) {
  for (size_t i = 0; i < KINDS; ++i) {
    td_dict *td = sample(), *inner;
    td_tensor *a = get(td, TD_KEY("a"));
    must(td_dict_lock_(td, &err));
    td_scope *scope = begun(i, td, &inner);
    must(td_dict_fill_(inner, TD_KEY("a"), TD_VALUE(td_value_double(5)), &err));
    must(td_scope_end(scope, &err));
    expect_values(a, VALUES(5, 5, 5, 5, 5, 5));
    check(td_dict_is_locked(td));
    td_tensor_release(a);
    td_dict_release(inner);
    td_scope_release(scope);
    td_dict_release(td);
  }
  /* New entries do not fit, and the scope stays open. */
  td_dict *td = sample(), *inner;
  td_tensor *wrong = full_f32(1, TD_SHAPE(2, 1, 3));
  td_scope *scope;
  must(td_dict_lock_(td, &err));
  must(td_scope_flatten_keys(td, TD_NO_STR, &inner, &scope, &err));
  must(td_dict_set(inner, TD_KEY("new"), wrong, &err));
  must(td_dict_fill_(inner, TD_KEY("a"), TD_VALUE(td_value_double(5)), &err));
  expect_error(td_scope_end(scope, &err), TD_ERR_KEY, "\"new\"", NULL);
  expect_keys(td, "a n n/b");
  must(td_dict_remove(inner, TD_KEY("new"), &err));
  must(td_scope_end(scope, &err));
  td_tensor_release(wrong);
  td_dict_release(inner);
  td_scope_release(scope);
  td_dict_release(td);
}

LeaklessTest(scope, unlock_locks_again_on_every_way_out) {
  td_dict *td = tree(), *n = get_dict(td, TD_KEY("n")), *outer = new_dict(TD_NO_DIMS);
  td_scope *scope = NULL;
  must(td_dict_lock_(td, &err));
  for (int ends = 0; ends < 2; ++ends) {
    must(td_scope_unlock(td, &scope, &err));
    check(!td_dict_is_locked(td) && !td_dict_is_locked(n));
    put(td, ends ? TD_KEY("n", "y") : TD_KEY("n", "x"), full_f32(1, TD_SHAPE(2)));
    if (ends) must(td_scope_end(scope, &err));
    if (!ends) must(td_scope_cancel(scope, &err));
    expect_error(td_scope_end(scope, &err), TD_ERR_CLOSED, NULL, NULL);
    td_scope_release(scope);
    check(td_dict_is_locked(td) && td_dict_is_locked(n));
  }
  expect_keys(td, "a n n/b n/m n/m/c n/x n/y e");
  /* Only what was locked is locked again. */
  must(td_dict_unlock_(td, &err));
  must(td_dict_lock_(n, &err));
  must(td_scope_unlock(td, &scope, &err));
  check(!td_dict_is_locked(n));
  must(td_scope_end(scope, &err));
  td_scope_release(scope);
  check(!td_dict_is_locked(td) && td_dict_is_locked(n));
  /* Part of a locked dict. */
  must(td_dict_set_dict(outer, TD_KEY("td"), td, &err));
  must(td_dict_lock_(outer, &err));
  scope = NULL;
  expect_error(td_scope_unlock(td, &scope, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_scope_unlock(NULL, &scope, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_unlock(td, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!scope && td_dict_is_locked(td));
  td_dict_release(n);
  td_dict_release(td);
  td_dict_release(outer);
}

LeaklessTest(scope, keys_find_back_to_their_places) {
  td_dict *td = tree(), *inner;
  td_scope *scope;
  put(td, TD_KEY("x.y"), full_f32(1, TD_SHAPE(2)));
  must(td_dict_set_data(td, TD_KEY("n", "s"), TD_DATA(td_data_str(TD_STR("old"))), &err));
  must(td_scope_flatten_keys(td, TD_NO_STR, &inner, &scope, &err));
  expect_keys(inner, "a n.b n.m.c n.s x.y");
  put(inner, TD_KEY("x.y"), full_f32(2, TD_SHAPE(2)));
  put(inner, TD_KEY("n.m.c"), full_f32(3, TD_SHAPE(2)));
  put(inner, TD_KEY("n.new"), full_f32(4, TD_SHAPE(2)));
  must(td_dict_set_data(inner, TD_KEY("n.s"), TD_DATA(td_data_str(TD_STR("new"))), &err));
  must(td_scope_end(scope, &err));
  expect_keys(td, "a n n/b n/m n/m/c n/s n/new e x.y");
  expect_entry(td, TD_KEY("x.y"), VALUES(2, 2));
  expect_entry(td, TD_KEY("n", "m", "c"), VALUES(3, 3));
  expect_entry(td, TD_KEY("n", "new"), VALUES(4, 4));
  td_data_list *list;
  td_data value;
  must(td_dict_get_data(td, TD_KEY("n", "s"), &list, &err));
  must(td_data_list_get(list, 0, &value, &err));
  check(says(value.text, "new"));
  td_data_list_release(list);
  td_dict_release(inner);
  td_scope_release(scope);

  must(td_scope_unflatten_keys(td, TD_NO_STR, &inner, &scope, &err));
  expect_keys(inner, "a n n/b n/m n/m/c n/s n/new e x x/y");
  put(inner, TD_KEY("x", "y"), full_f32(5, TD_SHAPE(2)));
  put(inner, TD_KEY("x", "z"), full_f32(6, TD_SHAPE(2)));
  put(inner, TD_KEY("n", "b"), full_f32(7, TD_SHAPE(2)));
  must(td_scope_end(scope, &err));
  expect_keys(td, "a n n/b n/m n/m/c n/s n/new e x.y x.z");
  expect_entry(td, TD_KEY("x.y"), VALUES(5, 5));
  expect_entry(td, TD_KEY("n", "b"), VALUES(7, 7));
  td_dict_release(inner);
  td_scope_release(scope);
  td_dict_release(td);
}

LeaklessTest(scope, lazy_stacks_hand_it_on_to_their_members) {
  for (size_t i = 0; i < 4; ++i) {
    td_dict *first = new_dict(TD_SHAPE(3)), *second = new_dict(TD_SHAPE(3)), *stack, *inner;
    td_scope *scope;
    put(first, TD_KEY("a"), range_f32(TD_SHAPE(3, 2)));
    put(second, TD_KEY("a"), range_f32(TD_SHAPE(3, 4)));
    put(first, TD_KEY("n", "b"), range_f32(TD_SHAPE(3)));
    put(second, TD_KEY("n", "b"), range_f32(TD_SHAPE(3)));
    td_dict *const members[] = {first, second};
    must(td_dict_lazy_stack(members, 2, 0, &stack, &err));
    td_status status = TD_OK;
    const td_key *key = i == 1 ? TD_KEY("n.b") : TD_KEY("n", "b");
    if (i == 0) status = td_scope_transpose(stack, 0, 1, &inner, &scope, &err);
    if (i == 1) status = td_scope_flatten_keys(stack, TD_NO_STR, &inner, &scope, &err);
    if (i == 2) status = td_scope_unsqueeze(stack, 0, &inner, &scope, &err);
    if (i == 3) status = td_scope_to(stack, TD_DTYPE_FLOAT64, TD_NO_STR, &inner, &scope, &err);
    must(status);
    must(td_dict_fill_(inner, key, TD_VALUE(td_value_double(7)), &err));
    if (i != 3) {
      must(td_dict_set_data(inner, TD_KEY("new"), TD_DATA(td_data_int(1)), &err));
    }
    must(td_scope_end(scope, &err));
    expect_entry(first, TD_KEY("n", "b"), VALUES(7, 7, 7));
    expect_entry(second, TD_KEY("n", "b"), VALUES(7, 7, 7));
    expect_entry(first, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
    check(kind_at(second, TD_KEY("new")) == (i != 3 ? TD_ENTRY_DATA : TD_ENTRY_NONE));
    td_dict_release(inner);
    td_scope_release(scope);
    td_dict_release(stack);
    td_dict_release(first);
    td_dict_release(second);
  }
}

LeaklessTest(scope, begin_refuses_what_the_function_refuses) {
  td_dict *td = sample(), *inner = NULL;
  td_scope *scope = NULL;
  expect_error(td_scope_view(td, TD_SHAPE(5), &inner, &scope, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_scope_view(NULL, TD_SHAPE(6), &inner, &scope, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_view(td, TD_SHAPE(6), NULL, &scope, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_view(td, TD_SHAPE(6), &inner, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_view(td, NULL, 1, &inner, &scope, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_flatten(td, 1, 0, &inner, &scope, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_unflatten(td, 0, TD_SHAPE(3), &inner, &scope, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_scope_squeeze(td, TD_SHAPE(7), &inner, &scope, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_scope_unsqueeze(td, 7, &inner, &scope, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_scope_permute(td, TD_SHAPE(0, 0), &inner, &scope, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_transpose(td, 0, 3, &inner, &scope, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_scope_flip(td, TD_SHAPE(3), &inner, &scope, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_scope_roll(td, TD_SHAPE(1), TD_SHAPE(0, 1), &inner, &scope, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_to(td, 99, TD_NO_STR, &inner, &scope, &err), TD_ERR_DTYPE, NULL, NULL);
  expect_error(td_scope_to(td, TD_DTYPE_INT8, TD_STR("nowhere"), &inner, &scope, &err), TD_ERR_DEVICE, NULL, NULL);
  expect_error(td_scope_flatten_keys(td, TD_STR("\xff"), &inner, &scope, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_unflatten_keys(td, TD_STR(""), &inner, &scope, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_scope_end(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_scope_retain(NULL), td_scope_release(NULL);
  check(!inner && !scope);
  td_dict_release(td);
}

static size_t values_of(const td_dict *td) {
  td_data_list *values;
  must(td_dict_get_data(td, TD_KEY("n", "s"), &values, &err));
  const size_t n = td_data_list_size(values);
  td_data_list_release(values);
  return n;
}

LeaklessTest(scope, one_value_of_data_stays_one_through_a_new_dim) {
  for (int64_t dim = -3; dim <= 2; ++dim) {
    td_dict *td = new_dict(TD_SHAPE(2, 3)), *inner, *back;
    td_scope *scope;
    put(td, TD_KEY("n", "a"), range_f32(TD_SHAPE(2, 3)));
    must(td_dict_set_data(td, TD_KEY("n", "s"), TD_DATA(td_data_str(TD_STR("text"))), &err));
    must(td_scope_unsqueeze(td, dim, &inner, &scope, &err));
    check(values_of(inner) == 6); /* as the original has it */
    must(td_dict_squeeze(inner, &dim, 1, &back, &err));
    check(values_of(back) == 1);
    must(td_scope_end(scope, &err));
    check(values_of(td) == 1);
    td_dict_release(inner), td_dict_release(back);
    must(td_dict_set_data_stack(td, TD_KEY("n", "s"),
                                (const td_data[]){td_data_int(1), td_data_int(1), td_data_int(1), td_data_int(1),
                                                  td_data_int(1), td_data_int(1)},
                                6, &err));
    must(td_dict_unsqueeze(td, dim, &inner, &err));
    must(td_dict_squeeze(inner, &dim, 1, &back, &err));
    check(values_of(back) == 6); /* what was a stack before stays one */
    td_dict_release(inner), td_dict_release(back);
    td_scope_release(scope);
    td_dict_release(td);
  }
}
