/* Versions, features, counters and options: what concerns the whole process. */
#include "support/td.h"

LeaklessTest(process, the_library_says_what_it_is) {
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", TD_VERSION_MAJOR, TD_VERSION_MINOR, TD_VERSION_PATCH);
  cr_expect_str_eq(td_version().data, version);
  cr_expect_eq(td_abi_version(), TD_ABI_MAJOR);

  td_string *info;
  must(td_build_info(&info, &err));
  const char *json = td_string_view(info).data;
  const char *members[] = {"\"version\":\"", "\"abi\":2",       "\"libtorch\":\"", "\"libtorch_path\":\"",
                           "\"cxx11_abi\":", "\"compiler\":\"", "\"boost\":\"",    "\"features\":["};
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i) check(strstr(json, members[i]));
  check(json[0] == '{' && json[strlen(json) - 1] == '}');
  check(strstr(json, version));
  td_string_release(info);
}

LeaklessTest(process, features_are_known_by_name) {
  const int bit = td_has_feature(TD_STR("uint16"));
  td_tensor *t;
  const td_status made = td_tensor_zeros(TD_SHAPE(1), TD_DTYPE_UINT16, TD_NO_STR, &t, NULL);
  check(bit == (made == TD_OK)); /* the feature says what the call does */
  if (made == TD_OK) td_tensor_release(t);
#if defined(__linux__)
  check(td_has_feature(TD_STR("segment")) == 1);
#endif
  const td_str prefix = {"segments", 7};
  check(td_has_feature(prefix) == td_has_feature(TD_STR("segment")));
  check(td_has_feature(TD_STR("teleport")) == 0);
  check(td_has_feature(TD_STR("")) == 0 && td_has_feature(TD_NO_STR) == 0);
}

LeaklessTest(process, live_objects_count_the_references_of_callers) {
  const int64_t before = td_live_objects(TD_OBJECT_TENSOR), dicts = td_live_objects(TD_OBJECT_DICT);
  td_tensor *t = range_f32(TD_SHAPE(2));
  check(td_live_objects(TD_OBJECT_TENSOR) == before + 1);
  td_tensor_retain(t);
  check(td_live_objects(TD_OBJECT_TENSOR) == before + 2);
  td_dict *td = new_dict(TD_NO_DIMS);
  check(td_live_objects(TD_OBJECT_DICT) == dicts + 1);
  must(td_dict_set(td, TD_KEY("n", "t"), t, &err)); /* a reference of the dict's is no caller's */
  check(td_live_objects(TD_OBJECT_TENSOR) == before + 2 && td_live_objects(TD_OBJECT_DICT) == dicts + 1);
  td_tensor_release(t);
  td_tensor_release(t);
  check(td_live_objects(TD_OBJECT_TENSOR) == before);
  td_dict_release(td);
  check(td_live_objects(TD_OBJECT_DICT) == dicts);

  const td_object_kind unknown[] = {-1, TD_OBJECT_WORK + 1, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) check(td_live_objects(unknown[i]) == -1);
  check(td_live_bytes() == 0);
}

LeaklessTest(process, settings_refuse_what_they_do_not_know) {
  expect_error(td_set_fast_level(-1, &err), TD_ERR_ARGUMENT, NULL, "level");
  expect_error(td_set_fast_level(3, &err), TD_ERR_ARGUMENT, NULL, "level");
  for (td_fast_level level = TD_FAST_NONE; level <= TD_FAST_ARENA; ++level) must(td_set_fast_level(level, &err));
  expect_error(td_set_num_threads(0, &err), TD_ERR_ARGUMENT, NULL, "threads");
  expect_error(td_set_num_threads(-4, &err), TD_ERR_ARGUMENT, NULL, "threads");
  expect_error(td_set_num_threads(INT32_MAX, &err), TD_ERR_ARGUMENT, NULL,
               "threads"); /* the next operator would end us */
  expect_error(td_set_num_threads(4097, &err), TD_ERR_ARGUMENT, NULL, "4096");
  must(td_set_num_threads(1, &err));
}

/* A struct as a later header could declare it. */
struct longer_options {
  td_dict_options known;
  int64_t later[2];
};

/* Each takes options that begin with a size and hold pointers, and gives what it made back. */
static td_status densifies(const td_dict *td, const void *options) {
  td_dict *dense = NULL;
  const td_status status = td_dict_densify(td, options, &dense, &err);
  td_dict_release(dense);
  return status;
}
static td_status updates(const td_dict *td, const void *options) {
  td_dict *copy;
  must(td_dict_clone(td, &copy, &err));
  const td_status status = td_dict_update(copy, td, options, &err);
  td_dict_release(copy);
  return status;
}
static td_status makes(const td_dict *td, const void *options) {
  (void)td;
  td_dict *made = NULL;
  const td_status status = td_dict_new(TD_SHAPE(2), options, &made, &err);
  td_dict_release(made);
  return status;
}
static td_status queries(const td_dict *td, const void *options) {
  (void)td;
  td_query *made = NULL;
  const td_status status = td_query_new(TD_KEY("x"), 1, options, &made, &err);
  td_query_release(made);
  return status;
}

LeaklessTest(process, options_of_any_size_are_refused_or_understood) {
  td_str part = {"m", 1};
  const td_key key = {&part, 1};
  td_padding_options padding = TD_PADDING_OPTIONS_INIT;
  td_dict_update_options update = TD_DICT_UPDATE_OPTIONS_INIT;
  td_dict_options device = {sizeof device, TD_STR("cpu")};
  td_query_options query = TD_QUERY_OPTIONS_INIT;
  padding.mask_key = &key, update.keys = &key, update.n_keys = 1, query.index_key = &key;
  const struct {
    td_status (*call)(const td_dict *td, const void *options);
    const void *options;
    size_t size;
  } cases[] = {{densifies, &padding, sizeof padding},
               {updates, &update, sizeof update},
               {makes, &device, sizeof device},
               {queries, &query, sizeof query}};
  td_dict *td = new_dict(TD_SHAPE(2));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    for (size_t size = 0; size <= cases[i].size + 16; ++size) {
      _Alignas(16) char options[256] = {0};
      memcpy(options, cases[i].options, cases[i].size);
      memcpy(options, &size, sizeof size);
      const td_status status = cases[i].call(td, options);
      if (size < sizeof size || size % sizeof(void *) != 0) {
        check(status == TD_ERR_ARGUMENT && strstr(td_error_message(err).data, "struct_size"));
      } else {
        check(status != TD_ERR_ARGUMENT || !strstr(td_error_message(err).data, "struct_size"));
      }
      td_error_release(err), err = NULL;
    }
  td_dict_release(td);
}

LeaklessTest(process, options_of_older_and_newer_headers_are_understood) {
  td_dict *td = NULL;

  td_dict_options older = {sizeof(size_t), TD_STR("no such device")}; /* ends before `device`: it is not read */
  must(td_dict_new(TD_SHAPE(2), &older, &td, &err));
  check(!td_dict_device(td).data);
  td_dict_release(td);

  struct longer_options newer = {{sizeof newer, TD_STR("cpu")}, {0, 0}};
  must(td_dict_new(TD_SHAPE(2), &newer.known, &td, &err));
  check(says(td_dict_device(td), "cpu"));
  td_dict_release(td);

  td = NULL;
  newer.later[1] = 1; /* asks for something that this library does not know */
  expect_error(td_dict_new(TD_SHAPE(2), &newer.known, &td, &err), TD_ERR_ARGUMENT, NULL, "struct_size");
  const size_t bad[] = {0, 1, sizeof(size_t) - 1, SIZE_MAX};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    td_dict_options options = {bad[i], TD_NO_STR};
    expect_error(td_dict_new(TD_SHAPE(2), &options, &td, &err), TD_ERR_ARGUMENT, NULL, "struct_size");
  }
  check(td == NULL);
}
