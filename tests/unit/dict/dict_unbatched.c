/* Entries that belong to the whole batch: what is done to the batch dims passes them by, all else applies to them. */
#include "support/unbatched.h"

LeaklessTest(dict_unbatched, any_shape_is_taken_and_nothing_else_becomes_unbatched) {
  td_dict *td = with_table(0);
  check(is_unbatched(td, TD_KEY("table")) && is_unbatched(td, TD_KEY("n", "mask")) && !is_unbatched(td, TD_KEY("x")));
  check(kind_at(td, TD_KEY("table")) == TD_ENTRY_TENSOR);
  td_tensor *table = get(td, TD_KEY("table"));
  expect_shape(table, TD_SHAPE(3, 4));

  td_bool out = 7;
  expect_error(td_dict_is_unbatched(td, TD_KEY("none"), &out, &err), TD_ERR_KEY, "\"none\"", NULL);
  expect_error(td_dict_is_unbatched(td, TD_KEY("n"), &out, &err), TD_ERR_KEY, "\"n\"", "a dict");
  expect_error(td_dict_is_unbatched(td, TD_KEY("x"), NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_set_unbatched(td, TD_KEY("x", "y"), table, &err), TD_ERR_KEY, NULL, "runs through a tensor");
  expect_error(td_dict_set_unbatched(td, TD_KEY("x"), NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == 7);

  /* An ordinary value is checked again, and takes the mark away. */
  expect_error(td_dict_set(td, TD_KEY("table"), table, &err), TD_ERR_SHAPE, "\"table\"", "[3, 4]");
  check(is_unbatched(td, TD_KEY("table")));
  put(td, TD_KEY("table"), range_f32(TD_SHAPE(2, 7)));
  check(!is_unbatched(td, TD_KEY("table")));
  must(td_dict_lock_(td, &err));
  expect_error(td_dict_set_unbatched(td, TD_KEY("new"), table, &err), TD_ERR_LOCKED, "\"new\"", NULL);
  td_tensor_release(table), td_dict_release(td);
}

LeaklessTest(dict_unbatched, the_text_has_its_class_and_its_whole_shape) {
  td_dict *td = new_dict(TD_SHAPE(2)), *read = NULL;
  put_unbatched(td, TD_KEY("a"), range_f32(TD_SHAPE(3, 4)));
  const char *text =
      "TensorDict(\n    fields={\n        a: UnbatchedTensor(shape=torch.Size([3, 4]), device=cpu, "
      "dtype=torch.float32, "
      "is_shared=False)},\n    batch_size=torch.Size([2]),\n    device=None,\n    is_shared=False)";
  expect_repr(td, text);
  td_string *compact;
  must(td_dict_repr(td, TD_REPR_DEFAULT | TD_REPR_COMPACT, &compact, &err));
  expect_text(compact, "TensorDict(batch_size=[2], fields={a: f32[3,4]})");
  must(td_dict_parse(TD_STR(text), NULL, &read, &err));
  check(is_unbatched(read, TD_KEY("a")));
  expect_repr(read, text);
  td_dict_release(td), td_dict_release(read);
}

typedef td_status (*shaped)(const td_dict *, td_dict **);

static td_status one_row(const td_dict *td, td_dict **out) {
  return td_dict_index(td, (const td_index[]){TD_INT(1)}, 1, out, &err);
}
static td_status two_slices(const td_dict *td, td_dict **out) {
  return td_dict_index(td, (const td_index[]){TD_SLICE(0, TD_END)}, 1, out, &err);
}
static td_status chosen_rows(const td_dict *td, td_dict **out) {
  td_tensor *rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){1, 0, 1}, 3);
  const td_status s = td_dict_index(td, (const td_index[]){TD_TENSOR(rows)}, 1, out, &err);
  td_tensor_release(rows);
  return s;
}
static td_status masked_rows(const td_dict *td, td_dict **out) {
  td_tensor *mask = vector_of(TD_DTYPE_BOOL, (const int64_t[]){1, 0}, 2);
  const td_status s = td_dict_masked_select(td, mask, out, &err);
  td_tensor_release(mask);
  return s;
}
static td_status gathered(const td_dict *td, td_dict **out) {
  td_tensor *rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){0, 0, 1}, 3);
  const td_status s = td_dict_gather(td, 0, rows, out, &err);
  td_tensor_release(rows);
  return s;
}
static td_status reshaped(const td_dict *td, td_dict **out) {
  return td_dict_reshape(td, TD_SHAPE(1, 2), out, &err);
}
static td_status viewed(const td_dict *td, td_dict **out) {
  return td_dict_view(td, TD_SHAPE(2, 1), out, &err);
}
static td_status unflattened(const td_dict *td, td_dict **out) {
  return td_dict_unflatten(td, 0, TD_SHAPE(1, 2), out, &err);
}
static td_status unsqueezed(const td_dict *td, td_dict **out) {
  return td_dict_unsqueeze(td, -1, out, &err);
}
static td_status expanded(const td_dict *td, td_dict **out) {
  return td_dict_expand(td, TD_SHAPE(5, 2), out, &err);
}
static td_status repeated(const td_dict *td, td_dict **out) {
  return td_dict_repeat(td, TD_SHAPE(3), out, &err);
}
static td_status interleaved(const td_dict *td, td_dict **out) {
  return td_dict_repeat_interleave(td, TD_SHAPE(2), 0, out, &err);
}
static td_status flipped(const td_dict *td, td_dict **out) {
  return td_dict_flip(td, TD_SHAPE(0), out, &err);
}
static td_status rolled(const td_dict *td, td_dict **out) {
  return td_dict_roll(td, TD_SHAPE(1), NULL, 0, out, &err);
}
static td_status padded(const td_dict *td, td_dict **out) {
  return td_dict_pad(td, (const int64_t[]){0, 3}, 2, TD_VALUE(td_value_double(0)), out, &err);
}
static td_status narrowed(const td_dict *td, td_dict **out) {
  return td_dict_narrow(td, 0, 1, 1, out, &err);
}
static td_status remade(const td_dict *td, td_dict **out) {
  return td_dict_new_full(td, TD_SHAPE(4), TD_VALUE(td_value_double(9)), TD_DTYPE_NONE, out, &err);
}
static td_status copied(const td_dict *td, td_dict **out) {
  return td_dict_copy(td, out, &err);
}

LeaklessTest(dict_unbatched, operations_over_the_batch_dims_give_it_as_it_is) {
  static const struct {
    shaped of;
    int64_t batch[2];
    size_t ndim;
  } table[] = {
      {one_row, {0}, 0},       {two_slices, {2}, 1},  {chosen_rows, {3}, 1}, {masked_rows, {1}, 1},
      {gathered, {3}, 1},      {reshaped, {1, 2}, 2}, {viewed, {2, 1}, 2},   {unflattened, {1, 2}, 2},
      {unsqueezed, {2, 1}, 2}, {expanded, {5, 2}, 2}, {repeated, {6}, 1},    {interleaved, {4}, 1},
      {flipped, {2}, 1},       {rolled, {2}, 1},      {padded, {5}, 1},      {narrowed, {1}, 1},
      {remade, {4}, 1},        {copied, {2}, 1},
  };
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    td_dict *td = with_table(1);
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
      td_dict *out = NULL;
      must(table[i].of(td, &out));
      if (!has_batch(out, table[i].batch, table[i].ndim)) failed_at(__FILE__, __LINE__, "the batch size", NULL);
      expect_kept(td, out);
      check(!is_unbatched(out, TD_KEY("x")));
      td_dict_release(out);
    }
    td_dict_release(td);
  }
}

LeaklessTest(dict_unbatched, pieces_and_turned_dims_share_it) {
  td_dict *td = with_table(1), *turned, *back, *piece;
  td_dict_list *pieces;
  must(td_dict_unbind(td, 0, &pieces, &err));
  check(td_dict_list_size(pieces) == 2);
  must(td_dict_list_get(pieces, 1, &piece, &err));
  expect_batch(piece, TD_NO_DIMS);
  expect_kept(td, piece);
  td_dict_release(piece), td_dict_list_release(pieces);
  must(td_dict_split(td, 1, 0, &pieces, &err));
  must(td_dict_list_get(pieces, 0, &piece, &err));
  expect_kept(td, piece);
  td_dict_release(piece), td_dict_list_release(pieces);

  must(td_dict_unsqueeze(td, 0, &turned, &err));
  must(td_dict_transpose(turned, 0, 1, &back, &err));
  expect_batch(back, TD_SHAPE(2, 1));
  expect_kept(td, back);
  td_dict_release(back);
  must(td_dict_squeeze(turned, TD_SHAPE(0), &back, &err));
  expect_batch(back, TD_SHAPE(2));
  expect_kept(td, back);
  td_dict_release(back), td_dict_release(turned);
  must(td_dict_flatten_keys(td, TD_STR("."), &back, &err));
  check(is_unbatched(back, TD_KEY("n.mask")));
  td_dict_release(back), td_dict_release(td);
}

LeaklessTest(dict_unbatched, batch_sizes_follow_the_other_entries) {
  td_dict *td = with_table(1), *only = new_dict(TD_SHAPE(2));
  must(td_dict_auto_batch_size_(td, -1, &err));
  expect_batch(td, TD_SHAPE(2, 3));
  must(td_dict_set_batch_size(td, TD_NO_DIMS, &err));
  must(td_dict_set_batch_size(td, TD_SHAPE(2), &err));
  check(is_unbatched(td, TD_KEY("table")));
  put_unbatched(only, TD_KEY("a"), range_f32(TD_SHAPE(3)));
  must(td_dict_auto_batch_size_(only, -1, &err));
  expect_batch(only, TD_SHAPE(2));
  td_dict_release(td), td_dict_release(only);
}

static td_status sum_of(const td_dict *td, const td_reduce_options *options, td_dict **out) {
  td_op *op = operator_named("sum", NULL);
  const td_status s = td_dict_reduce(td, op, NULL, 0, options, out, 1, &err);
  td_op_release(op);
  return s;
}

LeaklessTest(dict_unbatched, reductions_of_the_batch_leave_it_alone) {
  td_dict *td = with_table(1), *out = NULL;
  td_reduce_options rows = TD_REDUCE_OPTIONS_INIT, features = TD_REDUCE_OPTIONS_INIT;
  const int64_t zero = 0;
  rows.dims = &zero, rows.n_dims = 1;
  features.feature = 1;
  must(sum_of(td, &rows, &out));
  expect_batch(out, TD_NO_DIMS);
  expect_entry(out, TD_KEY("x"), VALUES(2, 2, 2));
  expect_kept(td, out);
  td_dict_release(out), out = NULL;
  must(sum_of(td, NULL, &out));
  expect_entry(out, TD_KEY("x"), VALUES(6));
  expect_kept(td, out);
  td_dict_release(out), out = NULL;
  expect_error(sum_of(td, &features, &out), TD_ERR_UNSUPPORTED, "\"table\"", "unbatched");
  td_op *max = operator_named("max", "dim");
  td_dict *both[2] = {NULL, NULL};
  expect_error(td_dict_reduce(td, max, NULL, 0, &rows, both, 2, &err), TD_ERR_UNSUPPORTED, "\"table\"", "unbatched");
  check(out == NULL && both[0] == NULL);
  td_op_release(max), td_dict_release(td);
}

static td_dict *computed(const char *name, const td_value *operands, size_t n) {
  td_op *op = operator_named(name, NULL);
  td_dict *out = NULL;
  must(td_dict_pointwise(op, operands, n, NULL, 0, NULL, &out, &err));
  td_op_release(op);
  return out;
}

LeaklessTest(dict_unbatched, arithmetic_casts_and_clones_apply_to_it) {
  td_dict *td = with_table(1), *other = with_table(10),
          *out = computed("add", ARGS(td_value_dict(td), td_value_int(1)));
  check(is_unbatched(out, TD_KEY("table")) && is_unbatched(out, TD_KEY("n", "mask")));
  expect_entry(out, TD_KEY("table"), VALUES(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
  td_dict_release(out);
  out = computed("mul", ARGS(td_value_dict(td), td_value_dict(other)));
  expect_entry(out, TD_KEY("n", "mask"), VALUES(0, 1, 4, 9, 16));
  expect_entry(out, TD_KEY("x"), VALUES(10, 10, 10, 10, 10, 10));
  check(is_unbatched(out, TD_KEY("table")));
  td_dict_release(out);
  out = computed("eq", ARGS(td_value_dict(td), td_value_dict(td)));
  td_bool equal;
  must(td_dict_all(out, &equal, &err));
  check(equal && is_unbatched(out, TD_KEY("table")));
  td_dict_release(out);
  must(td_dict_clone(td, &out, &err));
  check(is_unbatched(out, TD_KEY("table")) && !same_memory(td, TD_KEY("table"), out, TD_KEY("table")));
  td_dict_release(out);
  must(td_dict_to(td, TD_DTYPE_FLOAT64, TD_NO_STR, &out, &err));
  td_tensor *t = get(out, TD_KEY("table"));
  check(is_unbatched(out, TD_KEY("table")) && td_tensor_dtype(t) == TD_DTYPE_FLOAT64);
  td_tensor_release(t), td_dict_release(out);
  must(td_dict_zero_(td, &err));
  expect_entry(td, TD_KEY("n", "mask"), VALUES(0, 0, 0, 0, 0));
  check(is_unbatched(td, TD_KEY("n", "mask")));
  td_dict_release(td), td_dict_release(other);
}

LeaklessTest(dict_unbatched, the_first_dict_decides_what_a_result_is) {
  td_dict *a = new_dict(TD_SHAPE(2)), *b = new_dict(TD_SHAPE(2));
  put_unbatched(a, TD_KEY("t"), full_f32(1, TD_SHAPE(2, 3)));
  put(b, TD_KEY("t"), full_f32(2, TD_SHAPE(2, 3)));
  td_dict *ab = computed("add", ARGS(td_value_dict(a), td_value_dict(b)));
  td_dict *ba = computed("add", ARGS(td_value_dict(b), td_value_dict(a)));
  check(is_unbatched(ab, TD_KEY("t")) && !is_unbatched(ba, TD_KEY("t")));
  expect_entry(ba, TD_KEY("t"), VALUES(3, 3, 3, 3, 3, 3));
  td_dict_release(ab), td_dict_release(ba), td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_unbatched, what_has_the_batch_dims_does_not_meet_it) {
  td_dict *td = with_table(1), *out = NULL;
  td_tensor *rows = full_f32(1, TD_SHAPE(2)), *mask = vector_of(TD_DTYPE_BOOL, (const int64_t[]){1, 0}, 2),
            *packed = NULL;
  td_op *add = operator_named("add", NULL), *add_ = operator_named("add_", NULL);
  const td_value operands[] = {td_value_dict(td), td_value_tensor(rows)};
  expect_error(td_dict_pointwise(add, operands, 2, NULL, 0, NULL, &out, &err), TD_ERR_UNSUPPORTED, "\"table\"",
               "unbatched");
  expect_error(td_dict_pointwise(add_, operands, 2, NULL, 0, NULL, &out, &err), TD_ERR_UNSUPPORTED, "\"table\"",
               "unbatched");
  expect_error(td_dict_masked_fill(td, mask, TD_VALUE(td_value_double(0)), &out, &err), TD_ERR_UNSUPPORTED, "\"table\"",
               "unbatched");
  expect_error(td_dict_masked_fill_(td, mask, TD_VALUE(td_value_double(0)), &err), TD_ERR_UNSUPPORTED, "\"table\"",
               "unbatched");
  expect_error(td_dict_where(td, mask, td, NULL, &out, &err), TD_ERR_UNSUPPORTED, "\"table\"", "unbatched");
  td_pack_layout *layout = NULL;
  expect_error(td_dict_pack(td, -1, NULL, &packed, &layout, &err), TD_ERR_UNSUPPORTED, NULL, "unbatched");
  expect_entry(td, TD_KEY("x"), VALUES(1, 1, 1, 1, 1, 1));
  check(out == NULL && packed == NULL && layout == NULL);
  td_op_release(add), td_op_release(add_);
  td_tensor_release(rows), td_tensor_release(mask), td_dict_release(td);
}
