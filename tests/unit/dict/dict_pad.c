/* Growing batch dims, by given amounts and to the longest. */
#include "support/td.h"
#include "support/trees.h"

static td_dict *sample(int64_t rows) {
  td_dict *td = new_dict(TD_SHAPE(rows));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(rows, 2)));
  put(td, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(rows)));
  return td;
}

LeaklessTest(dict_pad, pairs_grow_and_crop_batch_dims_only) {
  td_dict *td = sample(3), *out = NULL;
  must(td_dict_pad(td, TD_SHAPE(1, 2), TD_VALUE(td_value_double(7.5)), &out, &err));
  expect_batch(out, TD_SHAPE(6));
  expect_entry(out, TD_KEY("a"), VALUES(7.5, 7.5, 0, 1, 2, 3, 4, 5, 7.5, 7.5, 7.5, 7.5));
  expect_entry(out, TD_KEY("n", "b"), VALUES(7, 0, 1, 2, 7, 7));
  td_dict_release(out);
  must(td_dict_pad(td, TD_SHAPE(-1, 1), TD_VALUE(td_value_double(-1)), &out, &err));
  expect_entry(out, TD_KEY("n", "b"), VALUES(1, 2, -1));
  td_dict_release(out);
  must(td_dict_pad(td, TD_SHAPE(-1, -2), TD_VALUE(td_value_double(0)), &out, &err));
  expect_batch(out, TD_SHAPE(0));
  td_dict_release(out);
  must(td_dict_pad(td, NULL, 0, TD_VALUE(td_value_double(0)), &out, &err)); /* a copy */
  check(!same_memory(td, TD_KEY("a"), out, TD_KEY("a")));
  td_dict_release(out), td_dict_release(td);

  td = new_dict(TD_SHAPE(1, 2)); /* the first pair is for the first dim */
  put(td, TD_KEY("a"), full_f32(1, TD_SHAPE(1, 2, 1)));
  must(td_dict_pad(td, TD_SHAPE(0, 1, 1, 0), TD_VALUE(td_value_double(0)), &out, &err));
  expect_batch(out, TD_SHAPE(2, 3));
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 1, 0, 0, 0));
  td_dict_release(td), td_dict_release(out);
}

LeaklessTest(dict_pad, pairs_that_do_not_fit_are_refused) {
  td_dict *td = sample(3), *out = NULL;
  expect_error(td_dict_pad(td, TD_SHAPE(1, 2, 3), TD_VALUE(td_value_double(0)), &out, &err), TD_ERR_ARGUMENT, NULL,
               "3");
  expect_error(td_dict_pad(td, TD_SHAPE(1, 2, 0, 1), TD_VALUE(td_value_double(0)), &out, &err), TD_ERR_SHAPE, NULL,
               "[3]");
  expect_error(td_dict_pad(td, TD_SHAPE(-2, -2), TD_VALUE(td_value_double(0)), &out, &err), TD_ERR_SHAPE, NULL, "-2");
  expect_error(td_dict_pad(td, TD_SHAPE(INT64_MAX, INT64_MAX), TD_VALUE(td_value_double(0)), &out, &err), TD_ERR_SHAPE,
               NULL, NULL);
  expect_error(td_dict_pad(td, TD_SHAPE(0, 1), TD_VALUE(td_value_double(1e300)), &out, &err), TD_ERR_ARGUMENT, NULL,
               "hold");
  expect_error(td_dict_pad(td, NULL, 2, TD_VALUE(td_value_double(0)), &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_pad(NULL, TD_SHAPE(0, 1), TD_VALUE(td_value_double(0)), &out, &err), TD_ERR_ARGUMENT, NULL,
               "NULL");
  expect_error(td_dict_pad(td, TD_SHAPE(0, 1), TD_VALUE(td_value_double(0)), NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(out == NULL);
  td_dict_release(td);
}

LeaklessTest(dict_pad, data_has_no_value_where_a_dict_was_padded) {
  td_dict *texts, *out;
  must(td_open(TD_STR(TD_TEST_DATA "/fixtures/memmap/nontensorstack"), NULL, &texts, &err));
  must(td_dict_pad(texts, TD_SHAPE(1, -1), TD_VALUE(td_value_double(0)), &out, &err));
  expect_in_repr(out, "[None, 'a', 'b']");
  td_dict_release(texts), td_dict_release(out);
}

LeaklessTest(dict_pad, sequences_are_padded_to_the_longest_and_stacked) {
  td_dict *x = sample(1), *y = sample(3), *out = NULL, *masks;
  const td_dict *both[] = {x, y};
  put(y, TD_KEY("extra"), range_f32(TD_SHAPE(3))); /* not in both */
  td_pad_sequence_options o = TD_PAD_SEQUENCE_OPTIONS_INIT;
  must(td_dict_pad_sequence(both, 2, NULL, &out, &err));
  expect_batch(out, TD_SHAPE(2, 3));
  check(td_dict_count(out) == 2);
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5));
  td_dict_release(out);
  o.value = TD_VALUE(td_value_int(-1));
  o.mask_key = TD_KEY("is", "there");
  must(td_dict_pad_sequence(both, 2, &o, &out, &err));
  expect_entry(out, TD_KEY("n", "b"), VALUES(0, -1, -1, 0, 1, 2));
  masks = get_dict(out, o.mask_key);
  expect_batch(masks, TD_SHAPE(2, 3));
  expect_entry(masks, TD_KEY("a"), VALUES(1, 0, 0, 1, 1, 1));
  expect_entry(masks, TD_KEY("n", "b"), VALUES(1, 0, 0, 1, 1, 1));
  td_dict_release(masks), td_dict_release(out);

  td_dict *one, *two; /* a feature dim: each entry has its own longest, masks have a dim more */
  one = new_dict(TD_SHAPE(2)), two = new_dict(TD_SHAPE(2));
  put(one, TD_KEY("a"), full_f32(1, TD_SHAPE(2, 1))), put(two, TD_KEY("a"), full_f32(2, TD_SHAPE(2, 2)));
  put(one, TD_KEY("b"), counted(TD_DTYPE_INT64, TD_SHAPE(2, 1))), put(two, TD_KEY("b"), full_f32(0.5, TD_SHAPE(2, 0)));
  const td_dict *pair[] = {one, two};
  for (o.pad_dim = -1; o.pad_dim <= 1; o.pad_dim += 2) {
    must(td_dict_pad_sequence(pair, 2, &o, &out, &err));
    expect_batch(out, TD_SHAPE(2, 2));
    expect_entry(out, TD_KEY("a"), VALUES(1, -1, 1, -1, 2, 2, 2, 2));
    expect_entry(out, TD_KEY("b"), VALUES(0, 1, -1, -1)); /* promoted to float32 */
    masks = get_dict(out, o.mask_key);
    expect_entry(masks, TD_KEY("a"), VALUES(1, 0, 1, 0, 1, 1, 1, 1));
    expect_entry(masks, TD_KEY("b"), VALUES(1, 1, 0, 0));
    td_dict_release(masks), td_dict_release(out);
  }
  td_dict_release(x), td_dict_release(y), td_dict_release(one), td_dict_release(two);
}

LeaklessTest(dict_pad, data_is_stacked_with_no_value_at_the_end) {
  td_dict *texts, *head, *out;
  const td_index first = TD_SLICE(0, 1);
  must(td_open(TD_STR(TD_TEST_DATA "/fixtures/memmap/nontensorstack"), NULL, &texts, &err));
  must(td_dict_index(texts, &first, 1, &head, &err));
  const td_dict *both[] = {texts, head};
  must(td_dict_pad_sequence(both, 2, NULL, &out, &err));
  expect_batch(out, TD_SHAPE(2, 3));
  expect_in_repr(out, "[['a', 'b', 'c'], ['a', None, None]]");
  td_dict_release(texts), td_dict_release(head), td_dict_release(out);
}

LeaklessTest(dict_pad, sequences_are_padded_on_the_left_and_with_values_of_their_own) {
  td_dict *x = sample(1), *y = sample(2), *out = NULL, *masks;
  const td_data mine[] = {td_data_str(TD_STR("p")), td_data_str(TD_STR("q"))};
  must(td_dict_set_data_stack(x, TD_KEY("s"), mine, 1, &err));
  must(td_dict_set_data_stack(y, TD_KEY("s"), mine, 2, &err));
  const td_dict *both[] = {x, y};
  td_item values[] = {{TD_KEY("n", "b"), td_value_int(7)}, {TD_KEY("a"), td_value_double(0.5)}};
  td_pad_sequence_options o = TD_PAD_SEQUENCE_OPTIONS_INIT;
  o.left = 1, o.mask_key = TD_KEY("masks");
  o.value = TD_VALUE(td_value_int(-1)), o.values = values, o.n_values = 1;
  must(td_dict_pad_sequence(both, 2, &o, &out, &err));
  expect_batch(out, TD_SHAPE(2, 2));
  expect_entry(out, TD_KEY("a"), VALUES(-1, -1, 0, 1, 0, 1, 2, 3));
  expect_entry(out, TD_KEY("n", "b"), VALUES(7, 0, 0, 1));
  expect_in_repr(out, "[[None, 'p'], ['p', 'q']]");
  masks = get_dict(out, TD_KEY("masks"));
  expect_entry(masks, TD_KEY("a"), VALUES(0, 1, 1, 1));
  td_dict_release(masks), td_dict_release(out);
  o.left = 0, o.n_values = 2;
  must(td_dict_pad_sequence(both, 2, &o, &out, &err));
  expect_entry(out, TD_KEY("a"), VALUES(0, 1, 0.5, 0.5, 0, 1, 2, 3));
  td_dict_release(out);
  out = NULL;
  values[1].key = TD_KEY("n"); /* a node, and then nothing at all */
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_KEY, "\"n\"", NULL);
  values[1].key = TD_KEY("z");
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_KEY, "\"z\"", NULL);
  values[0].value = td_value_double(1e300), values[1].key = TD_KEY("a");
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_ARGUMENT, "(\"n\", \"b\")", "hold");
  values[0].value = td_value_str(TD_STR("1"));
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_ARGUMENT, NULL, "number");
  o.values = NULL;
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(out == NULL);
  td_dict_release(x), td_dict_release(y);
}

LeaklessTest(dict_pad, sequences_that_do_not_fit_are_refused) {
  td_dict *x = sample(1), *y = sample(3), *out = NULL, *flat = new_dict(TD_NO_DIMS), *grid = new_dict(TD_SHAPE(3, 1));
  const td_dict *both[] = {x, y}, *lost[] = {x, NULL}, *flats[] = {flat, flat}, *mixed[] = {y, grid};
  td_pad_sequence_options o = TD_PAD_SEQUENCE_OPTIONS_INIT;
  expect_error(td_dict_pad_sequence(both, 0, &o, &out, &err), TD_ERR_ARGUMENT, NULL, "nothing");
  expect_error(td_dict_pad_sequence(NULL, 2, &o, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_pad_sequence(lost, 2, &o, &out, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_dict_pad_sequence(both, 2, &o, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_pad_sequence(mixed, 2, &o, &out, &err), TD_ERR_SHAPE, NULL, "[3, 1]");
  o.mask_key = TD_KEY("a");
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_EXISTS, "\"a\"", "already has an entry");
  o.mask_key = NULL, o.value = TD_VALUE(td_value_double(1e300));
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_ARGUMENT, NULL, "hold");
  o.value = NULL, o.pad_dim = 1; /* "b" has no dim 1 */
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_INDEX, "(\"n\", \"b\")", "1");
  o.pad_dim = -1; /* the batch dim of "b", but not of "a" */
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_SHAPE, "(\"n\", \"b\")", "-1");
  o.pad_dim = 0;
  put(y, TD_KEY("a"), range_f32(TD_SHAPE(3, 5)));
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_SHAPE, "\"a\"", "[3, 5]");
  put(flat, TD_KEY("s"), range_f32(TD_NO_DIMS));
  expect_error(td_dict_pad_sequence(flats, 2, &o, &out, &err), TD_ERR_SHAPE, "\"s\"", NULL);
  o.struct_size = 1;
  expect_error(td_dict_pad_sequence(both, 2, &o, &out, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(out == NULL);
  td_dict_release(x), td_dict_release(y), td_dict_release(flat), td_dict_release(grid);
}
