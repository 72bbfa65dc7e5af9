/* Samples of different lengths, taken out of what they were padded to. */
#include "support/data.h"
#include "support/trees.h"

static td_dict *episode(int64_t steps) {
  td_dict *td = new_dict(TD_SHAPE(steps));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(steps, 2)));
  put(td, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(steps)));
  return td;
}

static td_dict *member(const td_dict *stack, size_t i) {
  td_dict_list *members;
  td_dict *m;
  must(td_dict_members(stack, &members, &err));
  must(td_dict_list_get(members, i, &m, &err));
  td_dict_list_release(members);
  return m;
}

static td_tensor *marks(const char *text, int64_t rows) {
  int64_t n = (int64_t)strlen(text) / rows;
  td_bool bits[64];
  for (size_t i = 0; text[i]; ++i) bits[i] = text[i] == '1';
  td_tensor *t;
  must(td_tensor_copy_from(bits, TD_DTYPE_BOOL, TD_SHAPE(rows, n), &t, &err));
  return t;
}

LeaklessTest(dict_unpad, padding_is_undone_at_both_ends) {
  td_dict *x = episode(1), *y = episode(3), *padded, *out, *m;
  td_pad_sequence_options padding = TD_PAD_SEQUENCE_OPTIONS_INIT;
  td_unpad_sequence_options o = TD_UNPAD_SEQUENCE_OPTIONS_INIT;
  padding.mask_key = o.mask_key = TD_KEY("is", "there");
  for (int left = 0; left <= 1; ++left) {
    padding.left = left;
    must(td_dict_pad_sequence((const td_dict *const[]){x, y}, 2, &padding, &padded, &err));
    must(td_dict_lock_(padded, &err));
    must(td_dict_unpad_sequence(padded, &o, &out, &err));
    check(td_dict_kind_of(out) == TD_DICT_KIND_LAZY_STACK && td_dict_stack_dim(out) == 0);
    expect_batch(out, TD_SHAPE(2, -1));
    m = member(out, 0);
    expect_batch(m, TD_SHAPE(1));
    expect_entry(m, TD_KEY("a"), VALUES(0, 1));
    expect_entry(m, TD_KEY("n", "b"), VALUES(0));
    check(!td_dict_is_locked(m) && kind_at(m, o.mask_key) == TD_ENTRY_NONE);
    td_dict_release(m);
    m = member(out, 1);
    expect_entry(m, TD_KEY("n", "b"), VALUES(0, 1, 2));
    td_tensor *whole = get(padded, TD_KEY("a")), *part = get(m, TD_KEY("a")); /* a view */
    check((const float *)address(part) == (const float *)address(whole) + 6);
    td_tensor_release(whole), td_tensor_release(part);
    td_dict_release(m), td_dict_release(out), td_dict_release(padded);
  }
  td_dict_release(x), td_dict_release(y);
}

LeaklessTest(dict_unpad, each_tensor_is_cut_where_its_features_were_padded) {
  td_dict *td = new_dict(TD_SHAPE(2)), *masks = new_dict(TD_SHAPE(2)), *out, *m;
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  put(td, TD_KEY("n", "b"), range_f32(TD_SHAPE(2, 2, 2)));
  must(td_dict_set_data(td, TD_KEY("s"), TD_DATA(TEXT("hi")), &err));
  put(masks, TD_KEY("a"), marks("110111", 2));
  put(masks, TD_KEY("n", "b"), marks("0100", 2));
  td_unpad_sequence_options o = TD_UNPAD_SEQUENCE_OPTIONS_INIT;
  o.masks = masks;
  must(td_dict_unpad_sequence(td, &o, &out, &err));
  m = member(out, 0);
  expect_keys(m, "a n n/b s");
  expect_entry(m, TD_KEY("a"), VALUES(0, 1));
  expect_entry(m, TD_KEY("n", "b"), VALUES(2, 3));
  expect_data(m, TD_KEY("s"), 0, TEXT("hi"));
  td_dict_release(m);
  m = member(out, 1);
  td_tensor *b = get(m, TD_KEY("n", "b"));
  expect_shape(b, TD_SHAPE(0, 2));
  expect_entry(m, TD_KEY("a"), VALUES(3, 4, 5));
  td_tensor_release(b), td_dict_release(m), td_dict_release(out);
  must(td_dict_remove(masks, TD_KEY("n"), &err));
  out = NULL;
  expect_error(td_dict_unpad_sequence(td, &o, &out, &err), TD_ERR_KEY, "(\"n\", \"b\")", "mask");
  check(out == NULL);
  td_dict_release(masks), td_dict_release(td);
}

LeaklessTest(dict_unpad, one_mask_cuts_everything_and_must_fit) {
  td_dict *td = new_dict(TD_SHAPE(2, 3)), *out = NULL, *m;
  const td_data letters[] = {TEXT("a"), TEXT("b"), TEXT("c"), TEXT("d"), TEXT("e"), TEXT("f")};
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  must(td_dict_set_data_stack(td, TD_KEY("s"), letters, 6, &err));
  td_unpad_sequence_options o = TD_UNPAD_SEQUENCE_OPTIONS_INIT;
  td_tensor *mask = marks("010110", 2), *hole = marks("101111", 2), *longer = marks("11111111", 2), *flat;
  must(td_tensor_zeros(TD_SHAPE(2), TD_DTYPE_BOOL, TD_NO_STR, &flat, &err));
  o.mask = mask;
  must(td_dict_unpad_sequence(td, &o, &out, &err));
  m = member(out, 0);
  expect_batch(m, TD_SHAPE(1));
  expect_entry(m, TD_KEY("a"), VALUES(1));
  expect_data(m, TD_KEY("s"), 0, letters[1]);
  td_dict_release(m), td_dict_release(out);
  out = NULL;
  o.mask = hole;
  expect_error(td_dict_unpad_sequence(td, &o, &out, &err), TD_ERR_ARGUMENT, "\"a\"", "row 0");
  o.mask = longer;
  expect_error(td_dict_unpad_sequence(td, &o, &out, &err), TD_ERR_SHAPE, "\"a\"", "[2, 4]");
  o.mask = flat;
  expect_error(td_dict_unpad_sequence(td, &o, &out, &err), TD_ERR_SHAPE, "\"a\"", "[2]");
  o.mask = mask, o.pad_dim = 1;
  expect_error(td_dict_unpad_sequence(td, &o, &out, &err), TD_ERR_INDEX, "\"a\"", "dim 1");
  o.pad_dim = -2;
  expect_error(td_dict_unpad_sequence(td, &o, &out, &err), TD_ERR_INDEX, "\"a\"", "dim -2");
  o.masks = td;
  expect_error(td_dict_unpad_sequence(td, &o, &out, &err), TD_ERR_ARGUMENT, NULL, "more than one of");
  expect_error(td_dict_unpad_sequence(td, NULL, &out, &err), TD_ERR_KEY, "\"masks\"", NULL);
  expect_error(td_dict_unpad_sequence(NULL, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_unpad_sequence(td, NULL, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_dict *none = new_dict(TD_NO_DIMS);
  expect_error(td_dict_unpad_sequence(none, NULL, &out, &err), TD_ERR_SHAPE, NULL, "samples");
  check(out == NULL);
  td_tensor_release(mask), td_tensor_release(hole), td_tensor_release(longer), td_tensor_release(flat);
  td_dict_release(none), td_dict_release(td);
}

LeaklessTest(dict_unpad, members_of_a_lazy_stack_are_not_changed) {
  td_dict *x = new_dict(TD_NO_DIMS), *y = new_dict(TD_NO_DIMS), *stack, *out, *m;
  put(x, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  put(x, TD_KEY("only"), range_f32(TD_SHAPE(1)));
  put(y, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  must(td_dict_lazy_stack((td_dict *const[]){x, y}, 2, 0, &stack, &err));
  td_tensor *mask = marks("1011", 2);
  td_unpad_sequence_options o = TD_UNPAD_SEQUENCE_OPTIONS_INIT;
  o.mask = mask;
  must(td_dict_unpad_sequence(stack, &o, &out, &err));
  m = member(out, 0);
  check(m != x && kind_at(m, TD_KEY("only")) == TD_ENTRY_TENSOR);
  expect_entry(m, TD_KEY("a"), VALUES(0));
  expect_entry(x, TD_KEY("a"), VALUES(0, 1));
  td_dict_release(m);
  m = member(out, 1);
  check(m == y); /* whole: the member itself, as an index gives it */
  td_tensor_release(mask), td_dict_release(m), td_dict_release(out), td_dict_release(stack);
  td_dict_release(x), td_dict_release(y);
}
