/* Pieces along a batch dim: sizes as PyTorch cuts them, memory shared with the whole. */
#include "support/td.h"

/* Batch size [5, 2]: row i begins with 10 i. */
static td_dict *rows(void) {
  td_dict *td = new_dict(TD_SHAPE(5, 2));
  td_tensor *r = range_f32(TD_SHAPE(5, 2));
  put(td, TD_KEY("a"), call("mul", "Scalar", ARGS(td_value_tensor(r), td_value_int(5))));
  td_tensor_release(r);
  put(td, TD_KEY("n", "f"), range_f32(TD_SHAPE(5, 2, 3)));
  must(td_dict_set_names(td, (const td_str[]){TD_STR("x"), TD_STR("y")}, 2, &err));
  return td;
}

static td_dict_list *list;
static td_status by_two(const td_dict *td) {
  return td_dict_split(td, 2, 0, &list, &err);
}
static td_status by_nine(const td_dict *td) {
  return td_dict_split(td, 9, -2, &list, &err);
}
static td_status by_max(const td_dict *td) {
  return td_dict_split(td, INT64_MAX, 0, &list, &err);
}
static td_status by_sizes(const td_dict *td) {
  return td_dict_split_sizes(td, TD_SHAPE(1, 0, 4), 0, &list, &err);
}
static td_status chunks_3(const td_dict *td) {
  return td_dict_chunk(td, 3, 0, &list, &err);
}
static td_status chunks_4(const td_dict *td) {
  return td_dict_chunk(td, 4, 0, &list, &err);
}
static td_status chunks_9(const td_dict *td) {
  return td_dict_chunk(td, 9, 0, &list, &err);
}
static td_status sections_3(const td_dict *td) {
  return td_dict_tensor_split(td, 3, 0, &list, &err);
}
static td_status sections_7(const td_dict *td) {
  return td_dict_tensor_split(td, 7, 0, &list, &err);
}
static td_status at_two(const td_dict *td) {
  return td_dict_tensor_split_at(td, TD_SHAPE(1, 3), 0, &list, &err);
}
static td_status at_odd(const td_dict *td) {
  return td_dict_tensor_split_at(td, TD_SHAPE(3, 1, 9, -1), 0, &list, &err);
}
static td_status at_none(const td_dict *td) {
  return td_dict_tensor_split_at(td, TD_NO_DIMS, 0, &list, &err);
}

static const struct {
  td_status (*cut)(const td_dict *);
  size_t n;
  int64_t sizes[9], starts[9];
} cuts[] = {
    {by_two, 3, {2, 2, 1}, {0, 2, 4}},
    {by_nine, 1, {5}, {0}},
    {by_max, 1, {5}, {0}},
    {by_sizes, 3, {1, 0, 4}, {0, 1, 1}},
    {chunks_3, 3, {2, 2, 1}, {0, 2, 4}},
    {chunks_4, 3, {2, 2, 1}, {0, 2, 4}},
    {chunks_9, 5, {1, 1, 1, 1, 1}, {0, 1, 2, 3, 4}},
    {sections_3, 3, {2, 2, 1}, {0, 2, 4}},
    {sections_7, 7, {1, 1, 1, 1, 1, 0, 0}, {0, 1, 2, 3, 4, 5, 5}},
    {at_two, 3, {1, 2, 2}, {0, 1, 3}},
    {at_odd, 5, {3, 0, 4, 0, 1}, {0, 0, 1, 0, 4}},
    {at_none, 1, {5}, {0}},
};

LeaklessTest(dict_split, pieces_have_the_sizes_of_pytorch_and_share_memory) {
  td_dict *td = rows();
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level)
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; ++i) {
      must(td_set_fast_level(level, &err));
      must(cuts[i].cut(td));
      check(td_dict_list_size(list) == cuts[i].n);
      for (size_t k = 0; k < cuts[i].n; ++k) {
        td_dict *piece;
        must(td_dict_list_get(list, k, &piece, &err));
        expect_batch(piece, TD_SHAPE(cuts[i].sizes[k], 2));
        td_tensor *a = get(piece, TD_KEY("a")), *f = get(piece, TD_KEY("n", "f")), *whole = get(td, TD_KEY("n", "f"));
        expect_shape(f, TD_SHAPE(cuts[i].sizes[k], 2, 3));
        if (cuts[i].sizes[k]) {
          check(*(const float *)address(a) == 10.0f * (float)cuts[i].starts[k]);
          check((const float *)address(f) == (const float *)address(whole) + 6 * cuts[i].starts[k]);
        }
        td_tensor_release(a);
        td_tensor_release(f);
        td_tensor_release(whole);
        td_string *name;
        must(td_dict_name(piece, 0, &name, &err));
        expect_text(name, "x");
        td_dict_release(piece);
      }
      td_dict_list_release(list);
    }
  td_dict_release(td);
}

LeaklessTest(dict_split, unbind_takes_the_dim_and_its_name_away) {
  td_dict *td = rows();
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) {
    must(td_set_fast_level(level, &err));
    must(td_dict_unbind(td, -1, &list, &err));
    check(td_dict_list_size(list) == 2);
    td_dict *second;
    must(td_dict_list_get(list, 1, &second, &err));
    td_dict_list_release(list); /* the dict lives on */
    expect_batch(second, TD_SHAPE(5));
    expect_entry(second, TD_KEY("a"), VALUES(5, 15, 25, 35, 45));
    td_string *name;
    must(td_dict_name(second, 0, &name, &err));
    expect_text(name, "x");
    td_dict_release(second);
  }
  td_dict_release(td);
}

LeaklessTest(dict_split, pieces_of_a_locked_dict_are_locked_but_not_its_elements) {
  td_dict *td = rows(), *first;
  must(td_dict_lock_(td, &err));
  must(td_dict_split(td, 2, 0, &list, &err));
  must(td_dict_list_get(list, 0, &first, &err));
  check(td_dict_is_locked(first));
  td_dict_release(first);
  td_dict_list_release(list);
  must(td_dict_unbind(td, 0, &list, &err));
  must(td_dict_list_get(list, 0, &first, &err));
  check(!td_dict_is_locked(first));
  td_dict_release(first);
  td_dict_list_release(list);
  td_dict_release(td);
}

LeaklessTest(dict_split, an_empty_dim_gives_empty_pieces) {
  td_dict *td = new_dict(TD_SHAPE(0));
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(0, 3)));
  must(td_dict_split(td, 2, 0, &list, &err));
  check(td_dict_list_size(list) == 1);
  td_dict_list_release(list);
  must(td_dict_chunk(td, 2, 0, &list, &err));
  check(td_dict_list_size(list) == 2);
  td_dict_list_release(list);
  must(td_dict_split_sizes(td, TD_SHAPE(0, 0), 0, &list, &err));
  check(td_dict_list_size(list) == 2);
  td_dict_list_release(list);
  must(td_dict_unbind(td, 0, &list, &err));
  check(td_dict_list_size(list) == 0);
  td_dict_list_release(list);
  td_dict_release(td);
}

LeaklessTest(dict_split, cuts_that_do_not_fit_are_refused) {
  td_dict *td = rows(), *scalar = new_dict(TD_NO_DIMS), *out = NULL;
  td_dict_list *none = NULL;
#define refuses(call, code) expect_error((call), (code), NULL, NULL)
  refuses(td_dict_split(td, 0, 0, &none, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_split(td, -1, 0, &none, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_split(td, 1, 2, &none, &err), TD_ERR_INDEX);
  refuses(td_dict_split(scalar, 1, 0, &none, &err), TD_ERR_INDEX);
  refuses(td_dict_split_sizes(td, TD_SHAPE(2, 2), 0, &none, &err), TD_ERR_SHAPE);
  refuses(td_dict_split_sizes(td, TD_SHAPE(6, -1), 0, &none, &err), TD_ERR_SHAPE);
  refuses(td_dict_split_sizes(td, TD_SHAPE(5, INT64_MAX), 0, &none, &err), TD_ERR_SHAPE);
  refuses(td_dict_split_sizes(td, TD_NO_DIMS, 0, &none, &err), TD_ERR_SHAPE);
  refuses(td_dict_split_sizes(td, NULL, 2, 0, &none, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_chunk(td, 0, 0, &none, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_chunk(td, 1, -3, &none, &err), TD_ERR_INDEX);
  refuses(td_dict_tensor_split(td, 0, 0, &none, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_tensor_split(td, 1, 5, &none, &err), TD_ERR_INDEX);
  refuses(td_dict_tensor_split_at(td, TD_SHAPE(1), 2, &none, &err), TD_ERR_INDEX);
  refuses(td_dict_unbind(scalar, 0, &none, &err), TD_ERR_INDEX);
  refuses(td_dict_unbind(NULL, 0, &none, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_unbind(td, 0, NULL, &err), TD_ERR_ARGUMENT);
  refuses(td_dict_narrow(td, 0, 6, 0, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_narrow(td, 0, -6, 1, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_narrow(td, 0, 4, 2, &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_narrow(td, 0, 0, -1, &out, &err), TD_ERR_SHAPE);
  refuses(td_dict_narrow(td, 2, 0, 1, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_list_get(NULL, 0, &out, &err), TD_ERR_ARGUMENT);
  must(td_dict_split(td, 5, 0, &list, &err));
  td_dict_list_retain(list);
  td_dict_list_release(list);
  refuses(td_dict_list_get(list, 1, &out, &err), TD_ERR_INDEX);
  refuses(td_dict_list_get(list, 0, NULL, &err), TD_ERR_ARGUMENT);
  td_dict_list_release(list);
  td_dict_list_retain(NULL), td_dict_list_release(NULL);
  check(!none && !out && td_dict_list_size(NULL) == 0);
  expect_batch(td, TD_SHAPE(5, 2));
  td_dict_release(td);
  td_dict_release(scalar);
}
