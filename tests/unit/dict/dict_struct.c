/* Arrays of records as dicts, without a copy. */
#include <stddef.h>

#include "support/td.h"

struct point {
  float x, y;
  int32_t id;
  uint8_t colour[3];
  int64_t grid[2][2];
};

static const int64_t three[] = {3}, square[] = {2, 2}, huge[] = {INT64_MAX / 2, 4}, negative[] = {-1};

static int released;
static void on_release(void *owner) {
  released += *(int *)owner;
}

static struct point six_points[6];

/* A view of `six_points`, filled. */
static td_dict *view_of_points(void *owner) {
  const td_field fields[] = {{TD_KEY("x"), TD_DTYPE_FLOAT32, 0, NULL, 0, offsetof(struct point, x)},
                             {TD_KEY("y"), TD_DTYPE_FLOAT32, 0, NULL, 0, offsetof(struct point, y)},
                             {TD_KEY("id"), TD_DTYPE_INT32, 0, NULL, 0, offsetof(struct point, id)},
                             {TD_KEY("look", "colour"), TD_DTYPE_UINT8, 0, three, 1, offsetof(struct point, colour)},
                             {TD_KEY("look", "grid"), TD_DTYPE_INT64, 0, square, 2, offsetof(struct point, grid)}};
  memset(six_points, 0x7e, sizeof six_points);
  for (int i = 0; i < 6; ++i) {
    six_points[i].x = (float)i, six_points[i].y = (float)-i, six_points[i].id = 100 + i;
    for (int c = 0; c < 3; ++c) six_points[i].colour[c] = (uint8_t)(10 * i + c);
    for (int g = 0; g < 4; ++g) six_points[i].grid[g / 2][g % 2] = 1000 * i + g;
  }
  td_dict *td;
  released = 0;
  must(td_dict_from_struct_array(six_points, sizeof *six_points, TD_SHAPE(2, 3), fields, 5, on_release, owner, &td,
                                 &err));
  return td;
}

LeaklessTest(dict_struct, fields_are_views_of_the_records) {
  int owner = 1;
  td_dict *td = view_of_points(&owner);
  expect_batch(td, TD_SHAPE(2, 3));
  expect_entry(td, TD_KEY("x"), VALUES(0, 1, 2, 3, 4, 5));
  expect_entry(td, TD_KEY("y"), VALUES(0, -1, -2, -3, -4, -5));
  expect_entry(td, TD_KEY("id"), VALUES(100, 101, 102, 103, 104, 105));
  td_tensor *colour = get(td, TD_KEY("look", "colour")), *grid = get(td, TD_KEY("look", "grid"));
  expect_shape(colour, TD_SHAPE(2, 3, 3));
  expect_shape(grid, TD_SHAPE(2, 3, 2, 2));
  check(address(colour) == six_points[0].colour && !td_tensor_is_contiguous(grid));
  td_tensor_release(colour), td_tensor_release(grid), td_dict_release(td);
}

LeaklessTest(dict_struct, writes_go_both_ways_through_views_of_views_too) {
  int owner = 1;
  td_dict *td = view_of_points(&owner), *row;
  const td_index last[] = {TD_INT(1), TD_INT(2)};
  must(td_dict_index(td, last, 2, &row, &err));
  must(td_dict_fill_(row, TD_KEY("look", "grid"), TD_VALUE(td_value_double(7)), &err));
  check(six_points[5].grid[0][0] == 7 && six_points[5].grid[1][1] == 7 && six_points[4].grid[1][1] == 4003);
  six_points[5].x = 50;
  expect_entry(row, TD_KEY("x"), VALUES(50));
  td_dict_release(row), td_dict_release(td);
}

LeaklessTest(dict_struct, fields_are_copied_into_records_of_another_layout) {
  int owner = 1;
  td_dict *td = view_of_points(&owner);
  six_points[5].x = 50;
  struct pair {
    double x;
    int16_t id, pad;
    float colour[3];
  } pairs[6];
  const td_field to[] = {{TD_KEY("x"), TD_DTYPE_FLOAT64, 0, NULL, 0, offsetof(struct pair, x)},
                         {TD_KEY("id"), TD_DTYPE_INT16, 0, NULL, 0, offsetof(struct pair, id)},
                         {TD_KEY("look", "colour"), TD_DTYPE_FLOAT32, 0, three, 1, offsetof(struct pair, colour)}};
  memset(pairs, 0x55, sizeof pairs);
  must(td_dict_to_struct_array(td, to, 3, sizeof *pairs, pairs, sizeof pairs, &err));
  check(pairs[5].x == 50 && pairs[1].id == 101 && pairs[2].colour[1] == 21 && pairs[3].pad == 0x5555);
  td_dict_release(td);
}

LeaklessTest(dict_struct, the_one_owner_is_released_with_the_last_view) {
  int owner = 1;
  td_dict *td = view_of_points(&owner), *row;
  const td_index last[] = {TD_INT(1), TD_INT(2)};
  must(td_dict_index(td, last, 2, &row, &err));
  td_tensor *colour = get(td, TD_KEY("look", "colour")), *grid = get(td, TD_KEY("look", "grid"));
  td_dict_release(td);
  td_dict_release(row);
  td_tensor_release(colour);
  check(released == 0);
  td_tensor_release(grid);
  check(released == 1);
}

LeaklessTest(dict_struct, a_field_that_no_record_has_is_refused_and_the_owner_released) {
  struct point points[2], before[2];
  memset(points, 3, sizeof points);
  memcpy(before, points, sizeof points);
  const size_t item = sizeof *points;
  const struct {
    td_field field;
    size_t itemsize;
    td_status code;
    const char *says;
  } bad[] = {
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 0, NULL, 0, sizeof *points}, item, TD_ERR_ARGUMENT, "are outside a record"},
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 0, NULL, 0, SIZE_MAX - 2}, item, TD_ERR_ARGUMENT, "are outside a record"},
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 0, three, 1, sizeof *points - 8}, item, TD_ERR_ARGUMENT, "are outside a record"},
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 0, NULL, 0, 2}, item, TD_ERR_ARGUMENT, "aligned"},
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 0, NULL, 0, 0}, 6, TD_ERR_ARGUMENT, "multiple"},
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 0, NULL, 0, 0}, 0, TD_ERR_ARGUMENT, "are outside a record"},
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 0, huge, 2, 0}, item, TD_ERR_SHAPE, "64 bits"},
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 0, negative, 1, 0}, item, TD_ERR_SHAPE, "negative"},
      {{TD_KEY("ok", "a"), TD_DTYPE_FLOAT32, 0, NULL, 0, 0}, item, TD_ERR_KEY, "tensor"},
      {{TD_KEY("ok"), TD_DTYPE_FLOAT32, 0, NULL, 0, 0}, item, TD_ERR_ARGUMENT, "two fields"},
      {{TD_KEY("a"), 99, 0, NULL, 0, 0}, item, TD_ERR_DTYPE, NULL},
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 1, NULL, 0, 0}, item, TD_ERR_ARGUMENT, "reserved"},
      {{TD_KEY("a"), TD_DTYPE_FLOAT32, 0, NULL, 1, 0}, item, TD_ERR_ARGUMENT, NULL},
      {{NULL, TD_DTYPE_FLOAT32, 0, NULL, 0, 0}, item, TD_ERR_ARGUMENT, NULL},
  };
  int owner = 1;
  td_dict *td = NULL;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    const td_field fields[] = {{TD_KEY("ok"), TD_DTYPE_UINT8, 0, NULL, 0, 0}, bad[i].field};
    const size_t first = bad[i].itemsize ? 0 : 1;
    released = 0;
    expect_error(td_dict_from_struct_array(points, bad[i].itemsize, TD_SHAPE(2), fields + first, 2 - first, on_release,
                                           &owner, &td, &err),
                 bad[i].code, NULL, bad[i].says);
    check(released == 1);
  }
  check(!td && memcmp(points, before, sizeof points) == 0);
}

LeaklessTest(dict_struct, records_and_fields_have_to_be_there) {
  struct point points[2] = {0};
  const size_t item = sizeof *points;
  td_dict *td = NULL;
  const td_field x = {TD_KEY("x"), TD_DTYPE_FLOAT32, 0, NULL, 0, 0};
  expect_error(td_dict_from_struct_array(NULL, item, TD_SHAPE(2), &x, 1, NULL, NULL, &td, &err), TD_ERR_ARGUMENT,
               "\"x\"", "NULL");
  expect_error(td_dict_from_struct_array(points, item, huge, 2, &x, 1, NULL, NULL, &td, &err), TD_ERR_SHAPE, NULL,
               NULL);
  expect_error(td_dict_from_struct_array(points, item, TD_SHAPE(2), NULL, 1, NULL, NULL, &td, &err), TD_ERR_ARGUMENT,
               NULL, NULL);
  expect_error(td_dict_from_struct_array(points, item, TD_SHAPE(2), &x, 1, NULL, NULL, NULL, &err), TD_ERR_ARGUMENT,
               NULL, NULL);
  check(!td);
}

LeaklessTest(dict_struct, there_may_be_no_records_and_no_fields) {
  struct point points[2] = {0};
  const size_t item = sizeof *points;
  int owner = 1;
  td_dict *td;
  const td_field x = {TD_KEY("x"), TD_DTYPE_FLOAT32, 0, NULL, 0, 0};
  released = 0;
  must(td_dict_from_struct_array(NULL, item, TD_SHAPE(0, 3), &x, 1, on_release, &owner, &td, &err));
  expect_entry(td, TD_KEY("x"), NO_VALUES);
  td_dict_release(td);
  must(td_dict_from_struct_array(points, item, TD_SHAPE(2), NULL, 0, on_release, &owner, &td, &err));
  check(released == 2);
  td_dict_release(td);
}

LeaklessTest(dict_struct, nothing_is_written_into_records_that_do_not_fit) {
  struct point points[2], before[2];
  memset(points, 3, sizeof points);
  memcpy(before, points, sizeof points);
  const size_t item = sizeof *points;
  td_dict *td = new_dict(TD_SHAPE(2));
  const td_field x = {TD_KEY("x"), TD_DTYPE_FLOAT32, 0, NULL, 0, 0};
  put(td, TD_KEY("x"), full_f32(1, TD_SHAPE(2)));
  put(td, TD_KEY("z"), counted(TD_DTYPE_COMPLEX64, TD_SHAPE(2)));
  const td_field lost[] = {x, {TD_KEY("y"), TD_DTYPE_FLOAT32, 0, NULL, 0, 4}},
                 wide[] = {x, {TD_KEY("x"), TD_DTYPE_UINT8, 0, three, 1, 8}};
  const td_field complex[] = {x, {TD_KEY("z"), TD_DTYPE_FLOAT32, 0, NULL, 0, 4}};
  expect_error(td_dict_to_struct_array(td, lost, 2, item, points, sizeof points, &err), TD_ERR_KEY, "\"y\"", NULL);
  expect_error(td_dict_to_struct_array(td, wide, 2, item, points, sizeof points, &err), TD_ERR_SHAPE, "\"x\"", NULL);
  expect_error(td_dict_to_struct_array(td, complex, 2, item, points, sizeof points, &err), TD_ERR_DTYPE, "\"z\"", NULL);
  expect_error(td_dict_to_struct_array(td, &x, 1, item, points, sizeof points - 1, &err), TD_ERR_ARGUMENT, NULL,
               "bytes");
  expect_error(td_dict_to_struct_array(td, &x, 1, item, NULL, sizeof points, &err), TD_ERR_ARGUMENT, "\"x\"", NULL);
  expect_error(td_dict_to_struct_array(NULL, &x, 1, item, points, sizeof points, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(memcmp(points, before, sizeof points) == 0);
  td_dict_release(td);
}
