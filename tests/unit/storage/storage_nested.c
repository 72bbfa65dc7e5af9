/* Nested tensors of every shape: without components, with empty ones, and below several batch dims. */
#include "support/open.h"

TestSuite(storage_nested, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

#define META(batch, names) "\"cls_metadata\":{\"device\":null,\"names\":[" names "],\"batch_size\":[" batch "]}"
#define NODE(leaves, batch, names) \
  "{\"cls\":\"TensorDict\",\"non_tensors\":{},\"leaves\":{" leaves "}," META(batch, names) "}"
#define VALUES(shape, extent) "\"<NJT_VALUES>j\":[\"torch.float32\",[" shape "]," extent ",0]"
#define LENGTHS(shape, extent) ",\"<NJT_LENGTHS>j\":[\"torch.int64\",[" shape "]," extent ",0]"
#define OFFSETS(shape, extent, ragged) ",\"<NJT_OFFSETS>j\":[\"torch.int64\",[" shape "]," extent ",0," ragged "]"

static td_dict *dict_at(const td_dict *d, const td_key *key) {
  td_dict *made = NULL;
  must(td_dict_get_dict(d, key, &made, &err));
  return made;
}

static td_dict *indexed(const td_dict *d, const td_index *indices, size_t n) {
  td_dict *made = NULL;
  must(td_dict_index(d, indices, n, &made, &err));
  return made;
}

static td_status save_as(const td_dict *d, const char *path, td_format format, td_error **err) {
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.format = format;
  return td_save(d, TD_STR(path), &options, err);
}

/* Saved and opened again. */
static td_dict *through(const td_dict *d, td_format format) {
  static int n = 0;
  const char *path = path_of("%s/%d", test_dir, ++n);
  must(save_as(d, path, format, &err));
  return open_with(path, TD_OPEN_READ);
}

static void expect_shape(const td_tensor *t, const int64_t *dims, size_t n) {
  int64_t shape[8];
  cr_assert_eq(td_tensor_shape(t, shape, 8), n);
  cr_expect_arr_eq(shape, dims, n * sizeof *dims);
}

static void expect_batch(const td_dict *d, const int64_t *dims, size_t n) {
  int64_t batch[8];
  cr_assert_eq(td_dict_batch_size(d, batch, 8), n);
  cr_expect_arr_eq(batch, dims, n * sizeof *dims);
}

/* The values of "j" along its ragged dim, and where each component begins. */
static void expect_jagged(const td_dict *d, const int64_t *shape, size_t ndim, const float *values,
                          const int64_t *offsets, size_t n) {
  td_tensor *v = NULL, *o = NULL, *dense = NULL;
  const void *data = NULL;
  must(td_dict_get_jagged(d, TD_KEY("j", "values"), &v, &o, &err));
  expect_shape(v, shape, ndim);
  cr_expect_eq(td_tensor_dtype(v), TD_DTYPE_FLOAT32);
  must(td_tensor_contiguous(v, &dense, &err));
  must(td_tensor_data(dense, &data, &err));
  if (values) cr_expect_arr_eq(data, values, (size_t)td_tensor_nbytes(dense));
  expect_shape(o, TD_SHAPE((int64_t)n));
  must(td_tensor_data(o, &data, &err));
  cr_expect_arr_eq(data, offsets, n * sizeof *offsets);
  td_tensor_release(v), td_tensor_release(o), td_tensor_release(dense);
}

static void expect_nested_of(const td_dict *d, size_t components) {
  td_dict *j = dict_at(d, TD_KEY("j"));
  td_dict_list *members = NULL;
  td_string *class = NULL;
  must(td_dict_python_class(j, &class, &err));
  cr_expect_str_eq(td_string_view(class).data, "torch.nested");
  must(td_dict_members(j, &members, &err));
  cr_expect_eq(td_dict_list_size(members), components);
  td_dict_list_release(members), td_string_release(class), td_dict_release(j);
}

static void expect_none(const td_dict *d, const int64_t *shape, size_t ndim) {
  expect_nested_of(d, 0);
  expect_jagged(d, shape, ndim, NULL, (int64_t[]){0}, 1);
}

/* ---- Without components ------------------------------------------------------------------------------------------------ */

/* As Python saves them: without values, with values that belong to no component, and with lengths. */
Test(storage_nested, tensors_without_components_open_and_are_saved) {
  static const struct {
    const char *json;
    size_t payload, ndim;
    int64_t shape[2];
  } cases[] = {
      {NODE(VALUES("0", "0,0") OFFSETS("1", "0,8", "1"), "0", "null"), 8, 1, {0}},
      {NODE(VALUES("0,3", "0,0") OFFSETS("1", "0,8", "1"), "0", "\"rows\""), 8, 2, {0, 3}},
      {NODE(VALUES("3,2", "0,24") OFFSETS("1", "24,32", "2"), "0", "null"), 32, 2, {3, 0}},
      {NODE(VALUES("2,3", "0,24") LENGTHS("0", "24,24") OFFSETS("1", "24,32", "1"), "", ""), 32, 2, {0, 3}},
  };
  static const int64_t zeros[4];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *d = open_with(consolidated_file(cases[i].json, zeros, cases[i].payload), TD_OPEN_READ), *copy = NULL;
    expect_none(d, cases[i].shape, cases[i].ndim);
    td_dict *again = through(d, TD_FORMAT_CONSOLIDATED);
    expect_none(again, cases[i].shape, cases[i].ndim);
    must(td_dict_clone(again, &copy, &err));
    expect_none(copy, cases[i].shape, cases[i].ndim);
    td_dict *third = through(copy, TD_FORMAT_CONSOLIDATED);
    expect_none(third, cases[i].shape, cases[i].ndim);
    td_dict_release(third), td_dict_release(copy), td_dict_release(again), td_dict_release(d);
  }
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), 0);
}

Test(storage_nested, other_formats_refuse_tensors_without_components) {
  td_dict *d =
      open_with(consolidated_file(NODE(VALUES("0,3", "0,0") OFFSETS("1", "0,8", "1"), "0", "null"), (int64_t[]){0}, 8),
                TD_OPEN_READ);
  const tree_size before = size_of_tree(test_dir);
  static const td_format formats[] = {TD_FORMAT_MEMMAP, TD_FORMAT_ARCHIVE, TD_FORMAT_SAFETENSORS, TD_FORMAT_HDF5};
  for (size_t i = 0; i < 4; ++i) {
    const char *words = i < 2 ? "without components" : "cannot hold nested tensors";
    if (i % 2 && !td_has_feature(TD_STR(i == 1 ? "archive" : "hdf5"))) continue;
    expect_error(save_as(d, path_of("%s/save", test_dir), formats[i], &err), TD_ERR_UNSUPPORTED, NULL, words);
  }
  const tree_size after = size_of_tree(test_dir);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "something was written");
  td_dict_release(d);
}

Test(storage_nested, segments_hold_tensors_without_components) {
  td_dict *d =
      open_with(consolidated_file(NODE(VALUES("0,3", "0,0") OFFSETS("1", "0,8", "1"), "0", "null"), (int64_t[]){0}, 8),
                TD_OPEN_READ);
  td_dict *views = NULL, *other = NULL;
  td_segment *owner = NULL, *reader = NULL;
  const char *name = path_of("td-nested-%d", (int)getpid());
  must(td_segment_create(TD_STR(name), d, NULL, &owner, &err));
  must(td_segment_open(TD_STR(name), NULL, &reader, &err));
  must(td_segment_dict(reader, &views, &err));
  expect_none(views, (int64_t[]){0, 3}, 2);
  must(td_segment_update(owner, d, &err));
  other = open_with(consolidated_file(NODE(VALUES("1,3", "0,12") OFFSETS("2", "16,32", "1"), "1", "null"),
                                      (int64_t[]){0, 0, 0, 1}, 32),
                    TD_OPEN_READ);
  expect_error(td_segment_update(owner, other, &err), TD_ERR_SHAPE, NULL, "");
  expect_none(views, (int64_t[]){0, 3}, 2);
  td_dict_release(other), td_dict_release(views), td_segment_release(reader), td_segment_release(owner);
  td_dict_release(d);
}

/* ---- Several batch dims ------------------------------------------------------------------------------------------------- */

/* 0 .. 11 as [3, 4], of which the first column is one component of [3, 1] and the others are one of [3, 3]. */
static const struct {
  float values[12];
  int64_t offsets[3];
} two = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 1, 4}};
#define TWO(batch, names) NODE(VALUES("3,4", "0,48") OFFSETS("3", "48,72", "2"), batch, names)

static td_dict *two_by_three(void) {
  return open_with(consolidated_file(TWO("2,3", "null,null"), &two, sizeof two), TD_OPEN_READ);
}

static void expect_two_by_three(const td_dict *d) {
  td_dict *j = dict_at(d, TD_KEY("j"));
  expect_nested_of(d, 2);
  expect_batch(j, TD_SHAPE(2, 3));
  expect_jagged(d, TD_SHAPE(3, 4), two.values, two.offsets, 3);
  td_dict_release(j);
}

Test(storage_nested, components_below_several_batch_dims_keep_them) {
  td_dict *d = two_by_three();
  expect_two_by_three(d);
  td_dict *row = indexed(d, (td_index[]){TD_INT(1)}, 1), *j = dict_at(row, TD_KEY("j"));
  td_tensor *t = tensor_at(j, TD_KEY("values"));
  expect_batch(j, TD_SHAPE(3));
  expect_shape(t, TD_SHAPE(3, 3));
  td_tensor_release(t), td_dict_release(j), td_dict_release(row);
  /* in a file, in a directory, where no dim is said to be the ragged one, in an archive and in a segment */
  static const td_format formats[] = {TD_FORMAT_CONSOLIDATED, TD_FORMAT_MEMMAP, TD_FORMAT_ARCHIVE};
  for (size_t i = 0; i < 3; ++i) {
    if (formats[i] == TD_FORMAT_ARCHIVE && !td_has_feature(TD_STR("archive"))) continue;
    td_dict *again = through(d, formats[i]), *back = NULL;
    expect_nested_of(again, 2);
    if (i == 0) expect_two_by_three(again);
    back = through(again, TD_FORMAT_CONSOLIDATED);
    expect_two_by_three(back);
    td_dict_release(back), td_dict_release(again);
  }
  td_segment *owner = NULL;
  td_dict *views = NULL;
  must(td_segment_create(TD_STR(path_of("td-nested-%d", (int)getpid())), d, NULL, &owner, &err));
  must(td_segment_dict(owner, &views, &err));
  expect_two_by_three(views);
  must(td_segment_update(owner, d, &err));
  td_dict_release(views), td_segment_release(owner), td_dict_release(d);
}

Test(storage_nested, what_an_index_leaves_of_one_is_one) {
  td_dict *d = two_by_three();
  td_dict *none = indexed(d, (td_index[]){TD_SLICE(0, 0)}, 1);
  expect_none(none, TD_SHAPE(3, 0));
  td_dict *again = through(none, TD_FORMAT_CONSOLIDATED), *j = dict_at(again, TD_KEY("j"));
  expect_none(again, TD_SHAPE(3, 0));
  expect_batch(j, TD_SHAPE(0, 3));
  td_dict_release(j), td_dict_release(none);
  none = indexed(again, (td_index[]){TD_SLICE(0, TD_END), TD_INT(1)}, 2);
  expect_none(none, TD_SHAPE(0));
  td_dict_release(again);
  again = through(none, TD_FORMAT_CONSOLIDATED);
  expect_none(again, TD_SHAPE(0));
  td_dict_release(again), td_dict_release(none);
  td_dict *column = indexed(d, (td_index[]){TD_SLICE(0, TD_END), TD_INT(2)}, 2);
  expect_jagged(column, TD_SHAPE(4), (float[]){8, 9, 10, 11}, two.offsets, 3);
  again = through(column, TD_FORMAT_CONSOLIDATED);
  expect_jagged(again, TD_SHAPE(4), (float[]){8, 9, 10, 11}, two.offsets, 3);
  td_dict_release(again), td_dict_release(column), td_dict_release(d);
}

/* Batch sizes come out right although there is no member that has one. */
Test(storage_nested, shape_operations_know_the_batch_size_of_no_components) {
  td_dict *d = two_by_three(), *none = indexed(d, (td_index[]){TD_SLICE(0, 0)}, 1);
  td_dict *made[5] = {0};
  td_dict_list *parts = NULL;
  must(td_dict_unsqueeze(none, 0, &made[0], &err));
  must(td_dict_permute(none, (int64_t[]){1, 0}, 2, &made[1], &err));
  must(td_dict_expand(none, TD_SHAPE(4, 0, 3), &made[2], &err));
  must(td_dict_unsqueeze(none, 2, &made[3], &err));
  must(td_dict_unbind(none, 1, &parts, &err));
  cr_assert_eq(td_dict_list_size(parts), 3);
  must(td_dict_list_get(parts, 1, &made[4], &err));
  static const struct {
    int64_t batch[3];
    size_t n;
  } wanted[5] = {{{1, 0, 3}, 3}, {{3, 0}, 2}, {{4, 0, 3}, 3}, {{0, 3, 1}, 3}, {{0}, 1}};
  for (size_t i = 0; i < 5; ++i) {
    td_dict *j = dict_at(made[i], TD_KEY("j"));
    expect_batch(made[i], wanted[i].batch, wanted[i].n);
    expect_batch(j, wanted[i].batch, wanted[i].n);
    td_dict_release(j);
  }
  /* Along the first dim it still is a nested tensor, with the dims that its components would have. */
  expect_none(made[3], TD_SHAPE(3, 1, 0));
  expect_none(made[4], TD_SHAPE(0));
  td_dict *again = through(made[3], TD_FORMAT_CONSOLIDATED);
  expect_none(again, TD_SHAPE(3, 1, 0));
  td_dict_release(again), td_dict_list_release(parts);
  for (size_t i = 0; i < 5; ++i) td_dict_release(made[i]);
  td_dict_release(none), td_dict_release(d);
}

/* Where components do not differ, nothing but the file says which dim is the ragged one. */
Test(storage_nested, the_ragged_dim_of_equal_components_survives) {
  static const char *const files[] = {
      NODE(VALUES("3,4", "0,48") OFFSETS("2", "48,64", "2"), "1,3", "null,null"),
      NODE(VALUES("3,4", "0,48") OFFSETS("3", "48,72", "2"), "2", "null"),
  };
  const int64_t payload[9] = {0, 0, 0, 0, 0, 0, 0, 4, 4};
  const int64_t halves[9] = {0, 0, 0, 0, 0, 0, 0, 2, 4};
  for (size_t i = 0; i < 2; ++i) {
    td_dict *d = open_with(consolidated_file(files[i], i ? halves : payload, sizeof payload), TD_OPEN_READ);
    td_dict *again = through(d, TD_FORMAT_CONSOLIDATED), *third = through(again, TD_FORMAT_CONSOLIDATED);
    expect_jagged(third, TD_SHAPE(3, 4), NULL, i ? halves + 6 : payload + 6, i ? 3 : 2);
    td_dict_release(third), td_dict_release(again), td_dict_release(d);
  }
}

Test(storage_nested, a_file_has_no_ragged_batch_dim) {
  const char *path = path_of("%s/save", test_dir);
  make_dir(path);
  write_text(path_of("%s/meta.json", path),
             "{\"j\":{\"shape\":[2,1],\"dtype\":\"torch.float32\",\"is_nested\":true},\"shape\":[2,3],"
             "\"_type\":\"<class 'tensordict._td.TensorDict'>\"}");
  write_file(path_of("%s/j.shape.memmap", path), (int64_t[]){3, 3}, 16);
  write_file(path_of("%s/j.memmap", path), (float[]){1, 2, 3, 4, 5, 6}, 24);
  td_dict *d = open_with(path, TD_OPEN_READ), *j = dict_at(d, TD_KEY("j"));
  expect_batch(j, TD_SHAPE(2, 3));
  const tree_size before = size_of_tree(test_dir);
  expect_error(save_as(d, path_of("%s/d.td", test_dir), TD_FORMAT_CONSOLIDATED, &err), TD_ERR_UNSUPPORTED, NULL,
               "batch dims");
  const tree_size after = size_of_tree(test_dir);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "something was written");
  td_dict_release(j), td_dict_release(d);
}

/* ---- Empty components --------------------------------------------------------------------------------------------------- */

/* Python's load leaves out an entry without a file, so there is one. */
Test(storage_nested, components_without_elements_have_a_file) {
  td_dict *d = open_with(
      consolidated_file(NODE(VALUES("0,3", "0,0") OFFSETS("3", "0,24", "1"), "2", "null"), (int64_t[]){0, 0, 0}, 24),
      TD_OPEN_READ);
  expect_jagged(d, TD_SHAPE(0, 3), NULL, (int64_t[]){0, 0, 0}, 3);
  static const td_format formats[] = {TD_FORMAT_MEMMAP, TD_FORMAT_CONSOLIDATED, TD_FORMAT_ARCHIVE};
  for (size_t i = 0; i < 3; ++i) {
    if (formats[i] == TD_FORMAT_ARCHIVE && !td_has_feature(TD_STR("archive"))) continue;
    td_dict *again = through(d, formats[i]);
    expect_nested_of(again, 2);
    expect_jagged(again, TD_SHAPE(0, 3), NULL, (int64_t[]){0, 0, 0}, 3);
    td_dict_release(again);
  }
  must(save_as(d, path_of("%s/save", test_dir), TD_FORMAT_MEMMAP, &err));
  cr_expect(there(path_of("%s/save/j.memmap", test_dir)));
  td_dict_release(d);
}

/* ---- Lies --------------------------------------------------------------------------------------------------------------- */

Test(storage_nested, batch_sizes_that_components_do_not_have_are_refused) {
  static const struct {
    const char *name, *json, *words;
  } cases[] = {
      {"another size", TWO("2,4", "null,null"), "batch mismatch"},
      {"the ragged dim", NODE(VALUES("4,3", "0,48") OFFSETS("3", "48,72", "1"), "2,4", "null,null"), "batch mismatch"},
      {"the ragged dim and more", TWO("2,3,4", "null,null,null"), "batch mismatch"},
      {"behind the ragged dim", NODE(VALUES("4,3", "0,48") OFFSETS("3", "48,72", "1"), "2,4,3", "null,null,null"),
       "batch mismatch"},
      {"more dims than there are", TWO("2,3,4,1", "null,null,null,null"), "batch mismatch"},
      {"another number", TWO("3,3", "null,null"), "batch mismatch"},
      {"none, but a batch", NODE(VALUES("0", "0,0") OFFSETS("1", "0,8", "1"), "1", "null"), "batch mismatch"},
      {"none, but lengths", NODE(VALUES("0", "0,0") LENGTHS("1", "0,8") OFFSETS("1", "8,16", "1"), "0", "null"),
       "one length for each"},
      {"offsets outside", NODE(VALUES("3,3", "0,36") OFFSETS("3", "48,72", "2"), "2,3", "null,null"),
       "outside its values"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    expect_refused(consolidated_file(cases[i].json, &two, sizeof two), cases[i].name, TD_FORMAT_CONSOLIDATED,
                   TD_ERR_CORRUPT, cases[i].words);
}

Test(storage_nested, saves_with_batch_sizes_that_components_do_not_have_are_refused) {
  static const struct {
    const char *name, *shape, *batch;
    int64_t table[4];
    const char *words;
  } saves[] = {
      {"one component", "[2,2]", "[2,3]", {3, 1, 2, 3}, "component 1"},
      {"all components", "[2,2]", "[2,1]", {3, 1, 3, 1}, "component 0"},
      {"a ragged batch dim", "[2,2]", "[2,3,1]", {3, 1, 3, 3}, "component 1"},
      {"too many dims", "[2,1]", "[2,3,1]", {3, 3}, "components of 1 dims"},
      {"no dims", "[2,0]", "[2,3]", {0}, "components of 0 dims"},
      {"none and too many dims", "[0,1]", "[0,3,1]", {0}, "components of 1 dims"},
      {"a batch without components", "[0,2]", "[1,3]", {0}, "batch"},
  };
  const char *path = path_of("%s/save", test_dir);
  make_dir(path);
  write_file(path_of("%s/j.memmap", path), two.values, sizeof two.values);
  for (size_t i = 0; i < sizeof saves / sizeof *saves; ++i) {
    char meta[512];
    snprintf(meta, sizeof meta,
             "{\"j\":{\"shape\":%s,\"dtype\":\"torch.float32\",\"is_nested\":true},\"shape\":%s,"
             "\"_type\":\"<class 'tensordict._td.TensorDict'>\"}",
             saves[i].shape, saves[i].batch);
    write_text(path_of("%s/meta.json", path), meta);
    write_file(path_of("%s/j.shape.memmap", path), saves[i].table, sizeof saves[i].table);
    expect_refused(path, saves[i].name, TD_FORMAT_MEMMAP, TD_ERR_CORRUPT, saves[i].words);
  }
}
