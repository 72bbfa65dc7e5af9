/* HDF5 files: what Python and others wrote opens, what nobody should have written is refused, and only what is asked for is
 * read. */
#include "support/h5_files.h"

TestSuite(storage_hdf5, .init = make_test_dir, .fini = remove_test_dir);

static const td_open_options trusted = {.struct_size = sizeof(td_open_options), .trusted = 1};

LeaklessTest(storage_hdf5, a_file_whose_maker_is_unknown_never_reaches_libhdf5) {
  static const char *const names[] = {"basic", "cut", "head_only", "deep"};
  const char *behind = path_of("%s/behind", test_dir);
  size_t size = 0;
  char *bytes = file_bytes(h5_fixture("basic"), &size), *moved = calloc(1, size + 512);
  memcpy(moved + 512, bytes, size); /* HDF5 behind data of others */
  write_file(behind, moved, size + 512);
  free(bytes), free(moved);
  td_dict *d = NULL;
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  for (td_bool lenient = 0; lenient <= 1; ++lenient) {
    options.lenient = lenient;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
      expect_error(td_open(TD_STR(h5_fixture(names[i])), &options, &d, &err), TD_ERR_UNSUPPORTED, NULL,
                   "name the format");
    expect_error(td_open(TD_STR(behind), &options, &d, &err), TD_ERR_UNSUPPORTED, NULL, "trust");
  }
  check(d == NULL);
  must(td_open(TD_STR(h5_fixture("basic")), &trusted, &d, &err));
  td_dict_release(d);
  options.format = TD_FORMAT_HDF5;
  must(td_open(TD_STR(h5_fixture("basic")), &options, &d, &err));
  td_dict_release(d);
  options.format = TD_FORMAT_SAFETENSORS, options.trusted = 1;
  expect_error(td_open(TD_STR(h5_fixture("basic")), &options, &d, &err), TD_ERR_CORRUPT, NULL, NULL);
}

static void expect_file_batch(const char *name, const int64_t *batch, size_t ndim) {
  td_dict *d = open_h5(h5_fixture(name), TD_OPEN_READ);
  if (!has_batch(d, batch, ndim)) {
    int64_t there[8];
    const size_t n = td_dict_batch_size(d, there, 8);
    fprintf(stderr, "%s has %zu batch dims, the first is %lld\n", name, n, n ? (long long)there[0] : -1);
    check(!"the batch size is the expected one");
  }
  td_dict_release(d);
}

LeaklessTest(storage_hdf5, what_python_wrote_has_the_batch_size_that_python_infers) {
  expect_file_batch("basic", TD_SHAPE(2));
  expect_file_batch("dtypes", TD_NO_DIMS);
  expect_file_batch("empty", TD_SHAPE(0, 3));
  expect_file_batch("lazy", TD_SHAPE(2, 3));
  expect_file_batch("names", TD_SHAPE(3, 2));
  expect_file_batch("nontensor", TD_NO_DIMS);
  expect_file_batch("zero_dim", TD_NO_DIMS);
  expect_file_batch("strings_only", TD_NO_DIMS); /* an IndexError there */
  expect_file_batch("slash_key", TD_SHAPE(3));
  expect_file_batch("gzip", TD_SHAPE(20, 30));
  expect_file_batch("labelled", TD_SHAPE(3));
  expect_file_batch("wrongly_labelled", TD_NO_DIMS);
}

LeaklessTest(storage_hdf5, what_python_wrote_has_its_keys_and_values) {
  td_dict *d = open_h5(h5_fixture("basic"), TD_OPEN_READ);
  check(td_dict_kind_of(d) == TD_DICT_KIND_PERSISTENT);
  expect_keys(d, TD_KEYS_NESTED, "a b b.c b.d b.d.e");
  expect_keys(d, TD_KEYS_NESTED | TD_KEYS_LEAVES, "a b.c b.d.e");
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  expect_entry(d, TD_KEY("b", "c"), VALUES(0, 1, 2, 3));
  expect_entry(d, TD_KEY("b", "d", "e"), VALUES(1, 0));
  expect_repr(d,
              "PersistentTensorDict(\n"
              "    fields={\n"
              "        a: Tensor(shape=torch.Size([2, 3]), device=cpu, dtype=torch.float32, is_shared=False),\n"
              "        b: PersistentTensorDict(\n"
              "            fields={\n"
              "                c: Tensor(shape=torch.Size([2, 2]), device=cpu, dtype=torch.int64, is_shared=False),\n"
              "                d: PersistentTensorDict(\n"
              "                    fields={\n"
              "                        e: Tensor(shape=torch.Size([2]), device=cpu, dtype=torch.bool, "
              "is_shared=False)},\n"
              "                    batch_size=torch.Size([2]),\n"
              "                    device=None,\n"
              "                    is_shared=False)},\n"
              "            batch_size=torch.Size([2]),\n"
              "            device=None,\n"
              "            is_shared=False)},\n"
              "    batch_size=torch.Size([2]),\n"
              "    device=None,\n"
              "    is_shared=False)");
  td_dict_release(d);
}

LeaklessTest(storage_hdf5, a_slash_in_a_name_of_python_leads_to_a_node) {
  td_dict *d = open_h5(h5_fixture("slash_key"), TD_OPEN_READ);
  expect_entry(d, TD_KEY("a", "b"), VALUES(0, 1, 2));
  check(kind_at(d, TD_KEY("a/b")) == TD_ENTRY_NONE);
  check(kind_at(d, TD_KEY(".")) == TD_ENTRY_NONE);
  check(kind_at(d, TD_KEY("")) == TD_ENTRY_NONE);
  check(kind_at(d, TD_KEY("..")) == TD_ENTRY_NONE);
  td_dict_release(d);
}

LeaklessTest(storage_hdf5, labels_are_the_names_of_dims) {
  td_dict *d = open_h5(h5_fixture("labelled"), TD_OPEN_READ);
  td_string *name;
  must(td_dict_name(d, 0, &name, &err));
  expect_text(name, "t");
  td_dict *n = get_dict(d, TD_KEY("n"));
  expect_batch(n, TD_SHAPE(3));
  td_dict_release(n), td_dict_release(d);
}

LeaklessTest(storage_hdf5, every_dtype_of_python_is_read) {
  static const struct {
    const char *key;
    td_dtype dtype;
  } types[] = {{"bool", TD_DTYPE_BOOL},       {"complex64", TD_DTYPE_COMPLEX64}, {"complex128", TD_DTYPE_COMPLEX128},
               {"float16", TD_DTYPE_FLOAT16}, {"float32", TD_DTYPE_FLOAT32},     {"float64", TD_DTYPE_FLOAT64},
               {"int8", TD_DTYPE_INT8},       {"int16", TD_DTYPE_INT16},         {"int32", TD_DTYPE_INT32},
               {"int64", TD_DTYPE_INT64},     {"uint8", TD_DTYPE_UINT8},         {"uint16", TD_DTYPE_UINT16},
               {"uint32", TD_DTYPE_UINT32},   {"uint64", TD_DTYPE_UINT64}};
  td_dict *d = open_h5(h5_fixture("dtypes"), TD_OPEN_READ);
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    const td_key *key = TD_KEY(types[i].key);
    const int wide = types[i].dtype >= TD_DTYPE_UINT16 && types[i].dtype <= TD_DTYPE_UINT64;
    td_tensor *t;
    if (wide && !td_has_feature(TD_STR("uint16"))) {
      expect_error(td_dict_get(d, key, &t, &err), TD_ERR_UNSUPPORTED, NULL, "not in this LibTorch");
      continue;
    }
    t = get(d, key);
    check(td_tensor_dtype(t) == types[i].dtype);
    td_tensor_release(t);
  }
  expect_entry(d, TD_KEY("bool"), VALUES(1, 0, 1));
  td_tensor *c = get(d, TD_KEY("complex128"));
  const double *parts = address(c);
  check(parts[0] == 1 && parts[1] == 2 && parts[2] == 1e300 && parts[3] == -1);
  td_tensor_release(c), td_dict_release(d);
}

LeaklessTest(storage_hdf5, dtypes_of_others_are_read) {
  td_dict *d = open_h5(h5_fixture("foreign_types"), TD_OPEN_READ);
  expect_entry(d, TD_KEY("big_f4"), VALUES(1.5, -2));
  expect_entry(d, TD_KEY("big_i8"), VALUES(1, -1099511627776));
  expect_entry(d, TD_KEY("big_f2"), VALUES(0.5, 2));
  expect_entry(d, TD_KEY("bfloat16"), VALUES(1, -2));
  expect_entry(d, TD_KEY("colours"), VALUES(2, 0));
  expect_entry(d, TD_KEY("soft"), VALUES(1.5, -2));
  expect_entry(d, TD_KEY("hard"), VALUES(1, -1099511627776));
  td_tensor *c = get(d, TD_KEY("big_c16"));
  const double *parts = address(c);
  check(td_tensor_dtype(c) == TD_DTYPE_COMPLEX128 && parts[0] == 1 && parts[1] == 2 && parts[2] == 3 && parts[3] == -4);
  td_tensor_release(c), td_dict_release(d);
}

LeaklessTest(storage_hdf5, bytes_that_are_no_truths_are_true) {
  td_dict *d = open_h5(h5_fixture("not_bool"), TD_OPEN_READ); /* bytes 0, 1, 2 and 255 */
  expect_entry(d, TD_KEY("b"), VALUES(0, 1, 1, 1));
  td_dict_release(d);
}

LeaklessTest(storage_hdf5, compressed_values_are_read) {
  td_dict *d = open_h5(h5_fixture("gzip"), TD_OPEN_READ);
  td_tensor *whole = get(d, TD_KEY("a")), *counted_up = range_f32(TD_SHAPE(20, 30));
  check(same_values(whole, counted_up));
  td_tensor_release(whole), td_tensor_release(counted_up), td_dict_release(d);
}

LeaklessTest(storage_hdf5, what_python_wrote_beside_tensors_is_data) {
  td_dict *d = open_h5(h5_fixture("nontensor"), TD_OPEN_READ);
  check(kind_at(d, TD_KEY("s")) == TD_ENTRY_DATA);
  check(kind_at(d, TD_KEY("x")) == TD_ENTRY_TENSOR);
  expect_data(d, TD_KEY("s"), 0, TEXT("h\xc3\xa9"));
  expect_data(d, TD_KEY("i"), 0, td_data_int(3));
  expect_data(d, TD_KEY("f"), 0, td_data_double(1.5));
  expect_data(d, TD_KEY("b"), 0, td_data_bool(1));
  expect_data(d, TD_KEY("by"), 0, td_data_bytes("x\0y", 3));
  expect_data(d, TD_KEY("l"), 0, td_data_json((td_str){"[1,2]", 5}));
  td_dict_release(d);
}

LeaklessTest(storage_hdf5, text_is_data) {
  td_dict *d = open_h5(h5_fixture("texts"), TD_OPEN_READ);
  expect_batch(d, TD_SHAPE(2, 3)); /* text has no say */
  td_dict_release(d);
  td_persistent_options options = TD_PERSISTENT_OPTIONS_INIT;
  options.max_batch_dims = 1;
  must(td_persistent_open(TD_STR(h5_fixture("texts")), &options, &d, &err));
  expect_batch(d, TD_SHAPE(2));
  expect_data(d, TD_KEY("each"), 1, TEXT("bc"));
  expect_data(d, TD_KEY("fixed"), 0, TEXT("ab"));
  expect_data(d, TD_KEY("one"), 0, TEXT("h\xc3\xa9"));
  expect_data(d, TD_KEY("one_fixed"), 0, TEXT("xyz"));
  expect_data(d, TD_KEY("not_utf8"), 0, td_data_bytes("\xff\xfe", 2));
  td_dict_release(d);
}

LeaklessTest(storage_hdf5, numpy_values_are_data) {
  td_dict *d = open_h5(h5_fixture("opaque"), TD_OPEN_READ);
  expect_data(d, TD_KEY("u1"), 0, td_data_int(200));
  expect_data(d, TD_KEY("i2"), 0, td_data_int(-3));
  expect_data(d, TD_KEY("u8"), 0, td_data_json((td_str){"18446744073709551615", 20}));
  expect_data(d, TD_KEY("f4"), 0, td_data_double(0.5));
  expect_data(d, TD_KEY("f2"), 0, td_data_double(2));
  expect_data(d, TD_KEY("big"), 0, td_data_int(7));
  expect_data(d, TD_KEY("text"), 0, TEXT("h\xc3\xa9\xf0\x9f\x98\x80"));
  expect_data(d, TD_KEY("texts"), 0, td_data_json((td_str){"[[\"a\",\"bc\"],[\"\",\"d\"]]", 21}));
  expect_data(d, TD_KEY("bools"), 0, td_data_json((td_str){"[true,false]", 12}));
  expect_data(d, TD_KEY("bytes"), 0, td_data_bytes("x\0y", 3));
  expect_data(d, TD_KEY("empty"), 0, TEXT(""));
  td_data_list *list;
  expect_error(td_dict_get_data(d, TD_KEY("complex"), &list, &err), TD_ERR_UNSUPPORTED, "\"complex\"", "<c16");
  expect_error(td_dict_get_data(d, TD_KEY("date"), &list, &err), TD_ERR_UNSUPPORTED, "\"date\"", "<M8");
  td_dict_release(d);
}

/* Each is listed, has a kind, and is refused by name when it is read; its neighbour "ok" can be read. */
static const struct {
  const char *file, *key;
  td_status status;
  const char *says;
} unreadable[] = {
    {"external_link", "out", TD_ERR_CORRUPT, "another file"},
    {"external_link", "out_group", TD_ERR_CORRUPT, "another file"},
    {"external_link", "through", TD_ERR_CORRUPT, "nothing in this file"},
    {"external_link", "absolute", TD_ERR_CORRUPT, "another file"},
    {"external_storage", "out", TD_ERR_CORRUPT, "other files"},
    {"virtual", "out", TD_ERR_CORRUPT, "other files"},
    {"cycle", "g", TD_ERR_CORRUPT, "several places"},
    {"cycle", "loop", TD_ERR_CORRUPT, "nothing in this file"},
    {"cycle", "up", TD_ERR_CORRUPT, "several places"},
    {"twice", "g", TD_ERR_CORRUPT, "several places"},
    {"dangling", "gone", TD_ERR_CORRUPT, "nothing in this file"},
    {"types", "long_double", TD_ERR_UNSUPPORTED, "IEEE"},
    {"types", "compound", TD_ERR_UNSUPPORTED, "compound"},
    {"types", "null", TD_ERR_UNSUPPORTED, "sizes"},
    {"types", "lists", TD_ERR_UNSUPPORTED, "lists"},
    {"types", "references", TD_ERR_UNSUPPORTED, "references"},
    {"types", "named", TD_ERR_UNSUPPORTED, "neither"},
    {"types", "arrays", TD_ERR_UNSUPPORTED, "arrays"},
    {"types", "bits", TD_ERR_UNSUPPORTED, "bit fields"},
    {"types", "three_bytes", TD_ERR_UNSUPPORTED, "3 bytes"},
    {"types", "opaque", TD_ERR_UNSUPPORTED, "mine"},
    {"filter", "packed", TD_ERR_UNSUPPORTED, "lzf"},
    {"huge", "beyond", TD_ERR_UNSUPPORTED, "sizes"},
    {"huge", "text", TD_ERR_CORRUPT, "the file stores"},
};

LeaklessTest(storage_hdf5, what_cannot_be_read_is_refused_when_it_is_read) {
  for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; ++i) {
    td_dict *d = open_h5(h5_fixture(unreadable[i].file), TD_OPEN_READ);
    const td_key *key = TD_KEY(unreadable[i].key);
    const char *shown = path_of("\"%s\"", unreadable[i].key);
    td_data_list *list;
    td_dict *copy;
    expect_entry(d, TD_KEY("ok"), VALUES(0, 1));
    check(kind_at(d, key) == TD_ENTRY_DATA);
    expect_error(td_dict_get_data(d, key, &list, &err), unreadable[i].status, shown, unreadable[i].says);
    td_status status = td_dict_clone(d, &copy, &err);
    check(status == TD_ERR_CORRUPT || status == TD_ERR_UNSUPPORTED);
    check(td_error_key(err).size > 0);
    td_error_release(err), err = NULL;
    td_dict_release(d);
  }
}

LeaklessTest(storage_hdf5, what_cannot_be_read_is_shown_as_such_and_left_out_if_that_is_wanted) {
  static const struct {
    const char *file, *shown, *keys;
  } cases[] = {
      {"types", "compound: unreadable: it holds ", "ok"},
      {"types", "named: unreadable: it is neither a group nor a dataset", "ok"},
      {"dangling", "gone: unreadable: it is a link to nothing in this file", "ok"},
      {"external_link", "out: unreadable: it is a link to another file, which is not followed", "ok"},
      {"twice", "g: unreadable: it is a group that is in several places", "ok"},
      {"filter", "packed: unreadable: it was packed with the filter", "ok"},
      {"not_utf8_key", NULL, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const char *path = h5_fixture(cases[i].file);
    if (cases[i].shown) {
      td_dict *d = open_h5(path, TD_OPEN_READ);
      td_string *text;
      for (int form = 0; form < 2; ++form) {
        must(td_dict_repr(d, TD_REPR_DEFAULT | (form ? TD_REPR_PLAIN : 0), &text, &err));
        if (!strstr(td_string_view(text).data, cases[i].shown)) fprintf(stderr, "%s\n", td_string_view(text).data);
        check(strstr(td_string_view(text).data, cases[i].shown));
        td_string_release(text);
      }
      must(td_dict_repr(d, TD_REPR_DEFAULT | TD_REPR_COMPACT, &text, &err));
      check(strstr(td_string_view(text).data, ": unreadable"));
      td_string_release(text), td_dict_release(d);
    }
    td_open_options options = TD_OPEN_OPTIONS_INIT;
    options.lenient = 1, options.trusted = 1;
    td_dict *d, *copy;
    must(td_open(TD_STR(path), &options, &d, &err));
    must(td_dict_clone(d, &copy, &err));
    if (cases[i].keys) expect_keys(copy, 0, cases[i].keys);
    td_dict_release(copy), td_dict_release(d);
  }
}

LeaklessTest(storage_hdf5, data_in_front_of_the_file_are_passed_over) {
  size_t size = 0;
  char *bytes = file_bytes(h5_fixture("basic"), &size), *with_block = calloc(1, size + 1024);
  memcpy(with_block, "MATLAB 7.3 MAT-file", 19);
  memcpy(with_block + 1024, bytes, size);
  const char *path = path_of("%s/block.mat", test_dir);
  write_file(path, with_block, size + 1024);
  free(bytes), free(with_block);
  td_format format;
  must(td_format_detect(TD_STR(path), &format, &err));
  check(format == TD_FORMAT_HDF5);
  td_dict *d = open_h5(path, TD_OPEN_READ);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1, 2, 3, 4, 5));
  td_dict_release(d);
}

LeaklessTest(storage_hdf5, sizes_beyond_what_the_file_stores_take_no_memory) {
  td_dict *d = open_h5(h5_fixture("huge"), TD_OPEN_READ);
  td_tensor *t;
  td_dict *rows;
  expect_error(td_dict_get(d, TD_KEY("sparse"), &t, &err), TD_ERR_CORRUPT, "\"sparse\"", "the file stores");
  expect_error(td_dict_get(d, TD_KEY("contiguous"), &t, &err), TD_ERR_CORRUPT, "\"contiguous\"", "the file stores");
  const td_index few[] = {TD_STEP_SLICE(5, 1000000000005, 1000000000 * INT64_C(100))};
  must(td_dict_get_at(d, TD_KEY("sparse"), few, 1, &t, &err));
  expect_values(t, VALUES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  td_tensor_release(t);
  const int64_t far[] = {3, -1, INT64_C(1) << 39};
  td_tensor *places = vector_of(TD_DTYPE_INT64, far, 3);
  const td_index scattered[] = {TD_TENSOR(places)};
  must(td_dict_get_at(d, TD_KEY("sparse"), scattered, 1, &t, &err));
  expect_values(t, VALUES(0, 0, 0));
  td_tensor_release(t), td_tensor_release(places);
  expect_error(td_dict_to_tensordict(d, &rows, &err), TD_ERR_UNSUPPORTED, "\"beyond\"", "sizes");
  td_dict_release(d);
}

LeaklessTest(storage_hdf5, broken_files_are_errors) {
  static const struct {
    const char *file;
    td_status status;
  } cases[] = {{"cut", TD_ERR_CORRUPT},          {"head_only", TD_ERR_CORRUPT},    {"deep", TD_ERR_CORRUPT},
               {"not_utf8_key", TD_ERR_CORRUPT}, {"slash_in_key", TD_ERR_CORRUPT}, {"none_such", TD_ERR_NOT_FOUND}};
  td_dict *d = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    expect_error(td_open(TD_STR(h5_fixture(cases[i].file)), &trusted, &d, &err), cases[i].status, NULL, NULL);
    expect_error(td_persistent_open(TD_STR(h5_fixture(cases[i].file)), NULL, &d, &err), cases[i].status, NULL, NULL);
  }
  check(td_open(TD_STR(h5_fixture("cut")), &trusted, &d, &err) != TD_OK &&
        !strstr(td_error_message(err).data, "process"));
  td_error_release(err), err = NULL;
  const char *text = path_of("%s/text.h5", test_dir);
  write_text(text, "no HDF5 at all, but long enough to hold a number");
  expect_error(td_persistent_open(TD_STR(text), NULL, &d, &err), TD_ERR_CORRUPT, NULL, NULL);
  expect_error(td_persistent_open(TD_STR(test_dir), NULL, &d, &err), TD_ERR_CORRUPT, NULL, "not an HDF5 file");
  check(d == NULL);
}

LeaklessTest(storage_hdf5, a_file_cut_anywhere_does_not_open) {
  size_t size = 0;
  char *bytes = file_bytes(h5_fixture("basic"), &size);
  const char *path = path_of("%s/cut.h5", test_dir);
  for (size_t length = 0; length < size; length += 97) {
    write_file(path, bytes, length);
    td_dict *d;
    expect_error(td_open(TD_STR(path), &trusted, &d, &err), TD_ERR_CORRUPT, NULL, NULL);
  }
  free(bytes);
}
