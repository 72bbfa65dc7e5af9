/* Leaves of dtypes that this LibTorch may lack: opened, kept as bytes of their dtype, and written again. Where LibTorch has
 * the dtype, the same leaves are tensors of it, and everything here holds as well. */
#include "support/small_channels.h"

TestSuite(border_stored_dtype, .init = make_test_dir, .fini = remove_test_dir);

static const char float8[] = "\x38\x40\xc4"; /* 1, 2, -3 in float8_e4m3fn */
static const uint16_t wide[6] = {0, 1, 2, 40000, 65535, 5};

static bool shows_bytes(const td_tensor *t) {
  return td_tensor_dtype(t) != td_tensor_stored_dtype(t);
}

/* A memmap directory as Python writes it: "f" of float8 [3, 1], "w" of uint16 [3, 2], "x" of float32 [3]. */
static const char *save_by_hand(void) {
  const char *path = path_of("%s/by_hand", test_dir);
  make_dir(path);
  write_text(path_of("%s/meta.json", path),
             "{\"f\":{\"device\":\"cpu\",\"shape\":[3,1],\"dtype\":\"torch.float8_e4m3fn\",\"is_nested\":false},"
             "\"w\":{\"device\":\"cpu\",\"shape\":[3,2],\"dtype\":\"torch.uint16\",\"is_nested\":false},"
             "\"x\":{\"device\":\"cpu\",\"shape\":[3],\"dtype\":\"torch.float32\",\"is_nested\":false},"
             "\"shape\":[3],\"device\":\"cpu\",\"_type\":\"<class 'tensordict._td.TensorDict'>\"}");
  write_file(path_of("%s/f.memmap", path), float8, 3);
  write_file(path_of("%s/w.memmap", path), wide, sizeof wide);
  write_file(path_of("%s/x.memmap", path), (float[]){1, 2, 3}, 12);
  return path;
}

static td_dict *open_dict(const char *path) {
  td_dict *d = NULL;
  must(td_open(TD_STR(path), NULL, &d, &err));
  return d;
}

static void expect_leaf(const td_dict *d, const char *key, td_dtype stored, const void *bytes, size_t size) {
  td_tensor *t = tensor_at(d, TD_KEY(key)), *dense = NULL;
  const void *data = NULL;
  cr_expect_eq(td_tensor_stored_dtype(t), stored, "%s is stored as %d", key, td_tensor_stored_dtype(t));
  must(td_tensor_contiguous(t, &dense, &err));
  must(td_tensor_data(dense, &data, &err));
  cr_expect_eq(td_tensor_nbytes(dense), (int64_t)size);
  cr_expect(memcmp(data, bytes, size) == 0, "%s has other bytes", key);
  td_tensor_release(t), td_tensor_release(dense);
}

static void expect_whole(const td_dict *d) {
  expect_leaf(d, "f", TD_DTYPE_FLOAT8_E4M3FN, float8, 3);
  expect_leaf(d, "w", TD_DTYPE_UINT16, wide, sizeof wide);
  expect_leaf(d, "x", TD_DTYPE_FLOAT32, (float[]){1, 2, 3}, 12);
}

Test(border_stored_dtype, a_directory_of_python_with_a_float8_leaf_opens) {
  td_dict *d = open_dict(path_of("%s/fixtures/hostile/float8", TD_TEST_DATA));
  td_tensor *a = tensor_at(d, TD_KEY("a"));
  int64_t size = 0;
  cr_expect_eq(td_tensor_stored_dtype(a), TD_DTYPE_FLOAT8_E4M3FN);
  cr_expect_eq(td_tensor_shape(a, &size, 1), 1);
  cr_expect_eq(size, 3);
  if (shows_bytes(a)) cr_expect_eq(td_tensor_dtype(a), TD_DTYPE_UINT8);
  td_tensor_release(a), td_dict_release(d);
}

Test(border_stored_dtype, wider_elements_show_their_bytes_in_one_more_dim) {
  td_dict *d = open_dict(save_by_hand());
  td_tensor *w = tensor_at(d, TD_KEY("w"));
  td_tensor_facts facts = TD_TENSOR_FACTS_INIT;
  must(td_tensor_info(w, &facts, &err));
  cr_expect_eq(facts.stored_dtype, TD_DTYPE_UINT16);
  cr_expect_eq(facts.ndim, shows_bytes(w) ? 3u : 2u);
  cr_expect_eq(facts.itemsize, shows_bytes(w) ? 1 : 2);
  if (shows_bytes(w)) cr_expect_eq(facts.sizes[2], 2);
  expect_whole(d);
  td_tensor_release(w), td_dict_release(d);
}

Test(border_stored_dtype, every_format_that_has_the_dtype_keeps_it) {
  static const char *const names[] = {"again", "again.tdz", "again.td", "again.safetensors"};
  const char *by_hand = save_by_hand();
  td_dict *d = open_dict(by_hand);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *path = path_of("%s/%s", test_dir, names[i]);
    must(td_save(d, TD_STR(path), NULL, &err));
    td_dict *again = open_dict(path);
    expect_whole(again);
    td_dict_release(again);
  }
  size_t n = 0;
  char *meta = file_bytes(path_of("%s/again/meta.json", test_dir), &n);
  cr_expect(strstr(meta, "\"w\":{\"device\":\"cpu\",\"shape\":[3,2],\"dtype\":\"torch.uint16\""), "%s", meta);
  free(meta);
  expect_same_files(path_of("%s/w.memmap", by_hand), path_of("%s/again/w.memmap", test_dir));
  td_dict_release(d);
}

Test(border_stored_dtype, clones_views_segments_and_channels_keep_it) {
  td_dict *d = open_dict(save_by_hand()), *copy = NULL, *block = NULL, *rows = NULL, *there_now = NULL;
  must(td_dict_clone(d, &copy, &err));
  expect_whole(copy);
  must(td_dict_consolidate(copy, &block, &err));
  expect_whole(block);
  td_index last_two = {TD_INDEX_KIND_SLICE, 0, 1, 3, 1, NULL, NULL, 0};
  must(td_dict_index(d, &last_two, 1, &rows, &err));
  expect_leaf(rows, "w", TD_DTYPE_UINT16, wide + 2, sizeof wide - 4);
  expect_leaf(rows, "f", TD_DTYPE_FLOAT8_E4M3FN, float8 + 1, 2);

  td_segment *segment = NULL;
  pick_name();
  must(td_segment_create(TD_STR(channel_name), d, NULL, &segment, &err));
  must(td_segment_dict(segment, &there_now, &err));
  expect_whole(there_now);
  td_dict_release(there_now), td_segment_release(segment);

  must(td_dict_share_memory_(copy, &err));
  expect_whole(copy);
  td_dict_release(rows), td_dict_release(block), td_dict_release(copy), td_dict_release(d);
}

Test(border_stored_dtype, a_message_of_a_channel_keeps_it) {
  td_dict *d = open_dict(save_by_hand()), *seen = NULL;
  td_channel *channel = NULL;
  td_channel_options both = TD_CHANNEL_OPTIONS_INIT;
  both.roles = TD_CHANNEL_ROLE_PRODUCES | TD_CHANNEL_ROLE_CONSUMES;
  pick_name();
  must(td_channel_create(TD_STR(channel_name), d, &both, &channel, &err));
  td_message *message = acquire(channel);
  must(td_message_dict(message, &seen, &err));
  static const char *const keys[] = {"f", "w", "x"};
  for (size_t i = 0; i < 3; ++i) {
    td_tensor *t = tensor_at(d, TD_KEY(keys[i]));
    must(td_dict_copy_into(seen, TD_KEY(keys[i]), t, &err));
    td_tensor_release(t);
  }
  td_dict_release(seen);
  must(td_message_publish(message, &err));
  td_message_release(message);
  message = take(channel);
  must(td_message_dict(message, &seen, &err));
  expect_whole(seen);

  /* Its tensors are counted like the others, and give the slot back. */
  td_tensor *w = tensor_at(seen, TD_KEY("w")), *row = NULL;
  td_dict_release(seen);
  cr_expect_eq(td_message_open_views(message), 1);
  must(td_tensor_index(w, (td_index[]){{TD_INDEX_KIND_INT, 0, 1, 0, 0, NULL, NULL, 0}}, 1, &row, &err));
  td_tensor_release(w);
  cr_expect_gt(td_message_open_views(message), 0);
  td_tensor_release(row);
  cr_expect_eq(td_message_open_views(message), 0);

  td_dict *schema = NULL;
  must(td_channel_schema(channel, &schema, &err));
  td_tensor *zeros = tensor_at(schema, TD_KEY("w"));
  cr_expect_eq(td_tensor_stored_dtype(zeros), TD_DTYPE_UINT16);
  td_tensor_release(zeros), td_dict_release(schema);
  td_message_release(message), td_channel_release(channel), td_dict_release(d);
}

Test(border_stored_dtype, what_is_no_view_of_whole_elements_is_bytes) {
  td_dict *d = open_dict(save_by_hand());
  td_tensor *w = tensor_at(d, TD_KEY("w")), *low = NULL, *sum = NULL, *one = NULL;
  if (shows_bytes(w)) {
    td_index low_bytes[] = {{TD_INDEX_KIND_ELLIPSIS, 0, 0, 0, 0, NULL, NULL, 0},
                            {TD_INDEX_KIND_SLICE, 0, 0, 1, 1, NULL, NULL, 0}};
    must(td_tensor_index(w, low_bytes, 2, &low, &err));
    cr_expect_eq(td_tensor_stored_dtype(low), TD_DTYPE_UINT8);
    must(td_tensor_index(w, (td_index[]){{TD_INDEX_KIND_INT, 0, 1, 0, 0, NULL, NULL, 0}}, 1, &one, &err));
    cr_expect_eq(td_tensor_stored_dtype(one), TD_DTYPE_UINT16);
    td_value args[] = {td_value_tensor(w), td_value_tensor(w)};
    td_value out;
    must(td_op_run(TD_STR("add.Tensor"), args, 2, NULL, 0, &out, 1, &err));
    cr_expect_eq(td_tensor_stored_dtype(out.as.tensor), TD_DTYPE_UINT8, "computing makes ordinary tensors");
    sum = out.as.tensor;
  }
  cr_expect_eq(td_tensor_stored_dtype(NULL), TD_DTYPE_NONE);
  td_tensor_release(w), td_tensor_release(low), td_tensor_release(sum), td_tensor_release(one), td_dict_release(d);
}

/* The dim of the bytes is no batch dim: a leaf [3] of uint16 does not fit a batch [3, 2]. */
Test(border_stored_dtype, the_batch_size_is_compared_with_the_sizes_in_the_file) {
  const char *path = save_by_hand();
  write_text(path_of("%s/meta.json", path),
             "{\"w\":{\"device\":\"cpu\",\"shape\":[3],\"dtype\":\"torch.uint16\",\"is_nested\":false},"
             "\"shape\":[3,2],\"device\":\"cpu\",\"_type\":\"<class 'tensordict._td.TensorDict'>\"}");
  td_dict *d = NULL;
  expect_error(td_open(TD_STR(path), NULL, &d, &err), TD_ERR_CORRUPT, "\"w\"", "batch");
}

Test(border_stored_dtype, rows_of_another_dtype_are_not_appended) {
  const char *path = save_by_hand();
  td_dict *d = open_dict(path), *rows = NULL, *again = NULL;
  must(td_dict_clone(d, &rows, &err));
  td_dict_release(d);
  must(td_append_memmap(TD_STR(path), rows, 0, &err));
  again = open_dict(path);
  td_tensor *f = tensor_at(again, TD_KEY("f")), *bytes = NULL;
  cr_expect_eq(td_tensor_stored_dtype(f), TD_DTYPE_FLOAT8_E4M3FN);
  cr_expect_eq(td_tensor_nbytes(f), 6);
  must(td_tensor_copy_from((uint8_t[]){1, 2, 3}, TD_DTYPE_UINT8, (int64_t[]){3, 1}, 2, &bytes, &err));
  must(td_dict_set(rows, TD_KEY("f"), bytes, &err));
  expect_error(td_append_memmap(TD_STR(path), rows, 0, &err), TD_ERR_DTYPE, "\"f\"", "float8_e4m3fn");
  td_tensor_release(f), td_tensor_release(bytes), td_dict_release(again), td_dict_release(rows);
}

Test(border_stored_dtype, names_and_sizes_are_known_for_every_dtype) {
  for (td_dtype dtype = TD_DTYPE_BOOL; dtype <= TD_DTYPE_FLOAT4_E2M1FN_X2; ++dtype) {
    td_str name = td_dtype_name(dtype);
    td_dtype found = TD_DTYPE_NONE;
    cr_expect_gt(name.size, 0u);
    cr_expect_gt(td_dtype_size(dtype), 0);
    if (td_dtype_from_name(name, &found, NULL) == TD_OK) cr_expect_eq(found, dtype);
  }
  cr_expect_eq(td_dtype_name(TD_DTYPE_FLOAT4_E2M1FN_X2 + 1).size, 0u);
  cr_expect_str_eq(td_dtype_name(TD_DTYPE_FLOAT8_E5M2).data, "float8_e5m2");
}
