/* All tensors of a dict as one, and layouts that take them apart. */
#include "support/data.h"
#include "support/trees.h"

/* {"p": [5], "v": [5, 3], "nested": {"s": [5, 3, 2]} of batch size [5, 3], "e": {}} of batch size [5]. */
static td_dict *sample(void) {
  td_dict *td = new_dict(TD_SHAPE(5)), *nested = new_dict(TD_SHAPE(5, 3));
  put(nested, TD_KEY("s"), range_f32(TD_SHAPE(5, 3, 2)));
  put(td, TD_KEY("p"), full_f32(-1, TD_SHAPE(5)));
  put(td, TD_KEY("v"), range_f32(TD_SHAPE(5, 3)));
  put_dict(td, TD_KEY("nested"), nested);
  put_dict(td, TD_KEY("e"), new_dict(TD_SHAPE(5)));
  return td;
}

static td_tensor *narrowed(const td_tensor *t, int64_t n) {
  return call("narrow", "", ARGS(td_value_tensor(t), td_value_int(0), td_value_int(0), td_value_int(n)));
}

static void expect_layout(td_pack_layout *layout, const char *text) {
  td_string *repr;
  must(td_pack_layout_repr(layout, &repr, &err));
  expect_text(repr, text);
}

LeaklessTest(dict_pack, features_lie_side_by_side_by_sorted_keys) {
  td_dict *td = sample(), *out;
  td_tensor *flat;
  td_pack_layout *layout;
  must(td_dict_lock_(td, &err));
  must(td_dict_pack(td, -1, NULL, &flat, &layout, &err));
  expect_shape(flat, TD_SHAPE(5, 10));
  check(td_tensor_is_contiguous(flat));
  td_tensor *row = narrowed(flat, 1);
  expect_values(row, VALUES(0, 1, 2, 3, 4, 5, -1, 0, 1, 2));
  td_tensor_release(row);
  expect_layout(layout,
                "PackLayout(keys=(('nested', 's'), 'p', 'v'), shapes=(torch.Size([3, 2]), torch.Size([]), "
                "torch.Size([3])), dim=-1, nested=(('e', torch.Size([]), None), ('nested', torch.Size([3]), None)), "
                "device=None, cls=None, offsets=(0, 6, 7), numel=10)");
  must(td_pack_layout_unpack(layout, flat, &out, &err));
  expect_batch(out, TD_SHAPE(5));
  check(!td_dict_is_locked(out));
  expect_keys(out, "e nested nested/s p v");
  td_dict *nested = get_dict(out, TD_KEY("nested"));
  expect_batch(nested, TD_SHAPE(5, 3));
  td_tensor *s = get(out, TD_KEY("nested", "s")), *t = get(td, TD_KEY("nested", "s"));
  check(same_values(s, t) && address(s) == address(flat));
  expect_entry(out, TD_KEY("p"), VALUES(-1, -1, -1, -1, -1));
  td_tensor_release(s), td_tensor_release(t), td_dict_release(nested), td_dict_release(out);

  td_tensor *rows = narrowed(flat, 2); /* of other batch sizes */
  must(td_pack_layout_unpack(layout, rows, &out, &err));
  expect_batch(out, TD_SHAPE(2));
  td_tensor_release(rows), td_dict_release(out);
  td_tensor *more = full_f32(1, TD_SHAPE(2, 4, 10));
  must(td_pack_layout_unpack(layout, more, &out, &err));
  expect_batch(out, TD_SHAPE(2, 4));
  td_tensor_release(more), td_dict_release(out);
  td_tensor_release(flat), td_pack_layout_release(layout), td_dict_release(td);
}

LeaklessTest(dict_pack, any_batch_dim_can_be_the_packed_one) {
  td_dict *td = sample(), *out;
  td_tensor *flat, *again;
  td_pack_layout *layout, *same;
  must(td_dict_pack(td, 0, NULL, &flat, &layout, &err));
  expect_shape(flat, TD_SHAPE(10, 5));
  check(td_tensor_is_contiguous(flat) && td_pack_layout_dim(layout) == -2);
  must(td_pack_layout_unpack(layout, flat, &out, &err));
  td_tensor *v = get(out, TD_KEY("v")), *was = get(td, TD_KEY("v"));
  check(same_values(v, was));
  td_tensor_release(v), td_tensor_release(was), td_dict_release(out);
  must(td_dict_pack(td, -2, layout, &again, &same, &err));
  check(same_values(flat, again) && td_pack_layout_equal(layout, same));
  td_tensor_release(again), td_pack_layout_release(same);
  again = NULL;
  expect_error(td_dict_pack(td, -1, layout, &again, NULL, &err), TD_ERR_ARGUMENT, NULL, "-2");
  expect_error(td_dict_pack(td, 2, NULL, &again, NULL, &err), TD_ERR_INDEX, NULL, "dim 2");
  expect_error(td_dict_pack(td, -3, NULL, &again, NULL, &err), TD_ERR_INDEX, NULL, "dim -3");
  check(again == NULL);
  td_tensor_release(flat), td_pack_layout_release(layout), td_dict_release(td);
}

LeaklessTest(dict_pack, a_layout_asks_for_the_same_tensors) {
  td_dict *td = sample(), *other = sample();
  td_tensor *flat, *refused = NULL;
  td_pack_layout *layout, *own = NULL;
  must(td_dict_pack(td, -1, NULL, &flat, &layout, &err));
  must(td_dict_remove(other, TD_KEY("p"), &err));
  expect_error(td_dict_pack(other, -1, layout, &refused, &own, &err), TD_ERR_KEY, "\"p\"", "has no such tensor");
  put(other, TD_KEY("p"), range_f32(TD_SHAPE(5, 1)));
  expect_error(td_dict_pack(other, -1, layout, &refused, &own, &err), TD_ERR_SHAPE, "\"p\"", "[1]");
  put(other, TD_KEY("p"), range_f32(TD_SHAPE(5)));
  put(other, TD_KEY("z"), range_f32(TD_SHAPE(5)));
  expect_error(td_dict_pack(other, -1, layout, &refused, &own, &err), TD_ERR_KEY, "\"z\"", "no such");
  td_dict_release(other);
  must(td_dict_stack((const td_dict *const[]){td, td}, 2, 0, &other, &err)); /* another batch size fits */
  td_tensor *two;
  must(td_dict_pack(other, -1, layout, &two, &own, &err));
  expect_shape(two, TD_SHAPE(2, 5, 10));
  check(td_pack_layout_equal(layout, own));
  td_tensor_release(two), td_pack_layout_release(own), td_dict_release(other);
  check(refused == NULL);
  td_tensor_release(flat), td_pack_layout_release(layout), td_dict_release(td);
}

/* Of v, nested.s and p, with the nodes of `sample`. */
static td_pack_layout *by_columns(td_str device) {
  const td_pack_entry columns[] = {
      {TD_KEY("v"), TD_SHAPE(3)}, {TD_KEY("nested", "s"), TD_SHAPE(3, 2)}, {TD_KEY("p"), NULL, 0}};
  const td_pack_entry nested[] = {{TD_KEY("e"), NULL, 0}, {TD_KEY("nested"), TD_SHAPE(3)}};
  td_pack_layout *layout;
  must(td_pack_layout_new(columns, 3, nested, 2, -1, device, &layout, &err));
  return layout;
}

LeaklessTest(dict_pack, layouts_are_compared_by_their_columns_and_device) {
  td_pack_layout *layout = by_columns(TD_NO_STR), *same = by_columns(TD_NO_STR);
  check(td_pack_layout_equal(layout, same) && td_pack_layout_numel(layout) == 10);
  td_pack_layout_release(same);
  same = by_columns(TD_STR("cpu"));
  check(!td_pack_layout_equal(layout, same) && !td_pack_layout_equal(layout, NULL) && td_pack_layout_equal(NULL, NULL));
  check(says(td_pack_layout_device(same), "cpu"));
  td_pack_layout_release(layout), td_pack_layout_release(same);
}

LeaklessTest(dict_pack, a_layout_made_of_columns_packs_and_unpacks_in_their_order) {
  td_pack_layout *layout = by_columns(TD_NO_STR), *same = by_columns(TD_STR("cpu"));
  td_dict *td = sample(), *out;
  td_tensor *flat;
  must(td_dict_pack(td, -1, layout, &flat, NULL, &err));
  must(td_pack_layout_unpack(same, flat, &out, &err));
  check(says(td_dict_device(out), "cpu"));
  expect_keys(out, "e nested nested/s v p");
  td_tensor_release(flat), td_dict_release(out), td_dict_release(td);
  td_pack_layout_release(layout), td_pack_layout_release(same);
}

LeaklessTest(dict_pack, a_layout_tells_its_columns) {
  td_pack_layout *layout = by_columns(TD_NO_STR);
  td_keys *keys;
  td_key key;
  int64_t sizes[4];
  must(td_pack_layout_keys(layout, &keys, &err));
  must(td_keys_get(keys, 1, &key, &err));
  check(td_keys_size(keys) == 3 && key.n == 2 && says(key.parts[1], "s"));
  td_keys_release(keys);
  must(td_pack_layout_nested(layout, &keys, &err));
  check(td_keys_size(keys) == 2);
  check(td_pack_layout_shape(layout, 1, sizes, 4) == 2 && sizes[1] == 2 &&
        td_pack_layout_shape(layout, 3, sizes, 4) == 0);
  check(td_pack_layout_nested_shape(layout, 1, sizes, 4) == 1 && sizes[0] == 3);
  check(td_pack_layout_offset(layout, 2) == 9 && td_pack_layout_offset(layout, 3) == -1);
  check(!td_pack_layout_device(layout).data);
  td_keys_release(keys), td_pack_layout_release(layout);
}

LeaklessTest(dict_pack, columns_that_make_no_layout_are_refused) {
  td_pack_layout *other = NULL;
  const td_pack_entry columns[] = {
      {TD_KEY("v"), TD_SHAPE(3)}, {TD_KEY("nested", "s"), TD_SHAPE(3, 2)}, {TD_KEY("p"), NULL, 0}};
  const td_pack_entry twice[] = {columns[0], columns[0]}, through[] = {columns[0], {TD_KEY("v", "x"), NULL, 0}},
                      negative[] = {{TD_KEY("v"), TD_SHAPE(-1)}}, large[] = {{TD_KEY("v"), TD_SHAPE(INT64_MAX, 2)}};
  expect_error(td_pack_layout_new(twice, 2, NULL, 0, -1, TD_NO_STR, &other, &err), TD_ERR_EXISTS, "\"v\"", NULL);
  expect_error(td_pack_layout_new(through, 2, NULL, 0, -1, TD_NO_STR, &other, &err), TD_ERR_KEY, NULL, NULL);
  expect_error(td_pack_layout_new(negative, 1, NULL, 0, -1, TD_NO_STR, &other, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_pack_layout_new(large, 1, NULL, 0, -1, TD_NO_STR, &other, &err), TD_ERR_SHAPE, NULL, NULL);
  expect_error(td_pack_layout_new(columns, 3, NULL, 0, INT64_MIN, TD_NO_STR, &other, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_pack_layout_new(columns, 3, NULL, 0, 63, TD_NO_STR, &other, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_pack_layout_new(NULL, 1, NULL, 0, -1, TD_NO_STR, &other, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_pack_layout_new(columns, 3, NULL, 0, -1, TD_STR("nowhere"), &other, &err), TD_ERR_DEVICE, NULL, NULL);
  check(other == NULL);
}

LeaklessTest(dict_pack, what_does_not_go_into_one_tensor_is_refused) {
  td_dict *td = sample();
  td_tensor *flat = NULL;
  td_pack_layout *layout = NULL;
  must(td_dict_set_data(td, TD_KEY("n", "s"), TD_DATA(TEXT("x")), &err));
  expect_error(td_dict_pack(td, -1, NULL, &flat, &layout, &err), TD_ERR_UNSUPPORTED, "(\"n\", \"s\")", "data");
  must(td_dict_remove(td, TD_KEY("n"), &err));
  put(td, TD_KEY("w"), counted(TD_DTYPE_INT64, TD_SHAPE(5)));
  expect_error(td_dict_pack(td, -1, NULL, &flat, &layout, &err), TD_ERR_DTYPE, "\"w\"", "int64");
  expect_error(td_dict_pack(NULL, -1, NULL, &flat, &layout, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_pack(td, -1, NULL, NULL, &layout, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(flat == NULL && layout == NULL);
  td_dict_release(td);
}

LeaklessTest(dict_pack, a_lazy_stack_is_packed_if_its_members_are_alike) {
  td_dict *one = new_dict(TD_NO_DIMS), *two = new_dict(TD_NO_DIMS), *stack, *holder = new_dict(TD_SHAPE(2));
  td_tensor *flat = NULL;
  td_pack_layout *layout = NULL;
  put(one, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  put(two, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  put(two, TD_KEY("b"), range_f32(TD_SHAPE(1)));
  must(td_dict_lazy_stack((td_dict *const[]){one, two}, 2, 0, &stack, &err));
  expect_error(td_dict_pack(stack, -1, NULL, &flat, &layout, &err), TD_ERR_KEY, NULL, "different keys");
  must(td_dict_set_dict(holder, TD_KEY("l"), stack, &err));
  expect_error(td_dict_pack(holder, -1, NULL, &flat, &layout, &err), TD_ERR_KEY, "\"l\"", "different keys");
  must(td_dict_remove(two, TD_KEY("b"), &err));
  must(td_dict_pack(stack, -1, NULL, &flat, &layout, &err));
  expect_values(flat, VALUES(0, 1, 0, 1));
  td_tensor_release(flat), td_pack_layout_release(layout);
  flat = NULL, layout = NULL;
  put(two, TD_KEY("a"), range_f32(TD_SHAPE(3)));
  expect_error(td_dict_pack(stack, -1, NULL, &flat, &layout, &err), TD_ERR_SHAPE, NULL, NULL);
  check(flat == NULL && layout == NULL);
  td_dict_release(holder), td_dict_release(stack), td_dict_release(one), td_dict_release(two);
}

LeaklessTest(dict_pack, a_layout_without_columns_takes_apart_what_has_none) {
  td_tensor *flat = NULL;
  td_pack_layout *layout = NULL;
  td_dict *empty = new_dict(TD_SHAPE(2)), *out = NULL;
  must(td_dict_pack(empty, 0, NULL, &flat, &layout, &err));
  expect_shape(flat, TD_SHAPE(0, 2));
  must(td_pack_layout_unpack(layout, flat, &out, &err));
  expect_batch(out, TD_SHAPE(2));
  td_dict_release(out);
  out = NULL;
  td_tensor *scalar = full_f32(0, TD_NO_DIMS), *wide = full_f32(0, TD_SHAPE(3, 2));
  expect_error(td_pack_layout_unpack(layout, scalar, &out, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_pack_layout_unpack(layout, wide, &out, &err), TD_ERR_SHAPE, NULL, "0 columns");
  expect_error(td_pack_layout_unpack(NULL, wide, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_pack_layout_unpack(layout, NULL, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL && td_pack_layout_numel(NULL) == 0 && td_pack_layout_dim(NULL) == 0 &&
        td_pack_layout_offset(NULL, 0) == -1);
  td_pack_layout_retain(layout), td_pack_layout_release(layout);
  td_pack_layout_retain(NULL), td_pack_layout_release(NULL);
  td_tensor_release(scalar), td_tensor_release(wide), td_tensor_release(flat), td_pack_layout_release(layout);
  td_dict_release(empty);
}

LeaklessTest(dict_pack, gradients_go_through_both_ways) {
  td_dict *td = new_dict(TD_SHAPE(2)), *out;
  td_tensor *x = requiring_grad(full_f32(1, TD_SHAPE(2, 2))), *flat, *grad;
  td_pack_layout *layout;
  must(td_dict_set(td, TD_KEY("x"), x, &err));
  put(td, TD_KEY("y"), full_f32(3, TD_SHAPE(2)));
  must(td_dict_pack(td, -1, NULL, &flat, &layout, &err));
  must(td_pack_layout_unpack(layout, flat, &out, &err));
  td_tensor *again = get(out, TD_KEY("x")), *ones = full_f32(1, TD_SHAPE(2, 2));
  must(td_tensor_backward(again, ones, 0, &err));
  must(td_tensor_grad(x, &grad, &err));
  expect_values(grad, VALUES(1, 1, 1, 1));
  td_tensor_release(x), td_tensor_release(flat), td_tensor_release(grad), td_tensor_release(again),
      td_tensor_release(ones);
  td_pack_layout_release(layout), td_dict_release(out), td_dict_release(td);
}
