/* Owned strings, key lists and prepared paths. */
#include "support/td.h"

LeaklessTest(string, a_string_ends_with_a_nul_and_lives_until_the_last_reference_goes) {
  td_string *s;
  must(td_build_info(&s, &err));
  td_string_retain(s);
  td_string_release(s);
  const td_str view = td_string_view(s);
  check(view.size > 0 && strlen(view.data) == view.size);
  td_string_release(s);
}

LeaklessTest(string, a_key_list_is_a_snapshot_that_gives_keys_as_views) {
  td_dict *td = new_dict(TD_NO_DIMS);
  put(td, TD_KEY("a"), range_f32(TD_SHAPE(1)));
  put(td, TD_KEY("n", "b", "c"), range_f32(TD_SHAPE(1)));
  td_keys *keys;
  must(td_dict_keys(td, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, &err));
  td_keys_retain(keys);
  td_keys_release(keys);
  td_dict_release(td); /* the list does not need the dict */

  check(td_keys_size(keys) == 2);
  td_key key;
  must(td_keys_get(keys, 0, &key, &err));
  check(key.n == 1 && says(key.parts[0], "a"));
  must(td_keys_get(keys, 1, &key, &err));
  check(key.n == 3 && says(key.parts[0], "n") && says(key.parts[1], "b") && says(key.parts[2], "c"));
  expect_error(td_keys_get(keys, 2, &key, &err), TD_ERR_INDEX, "", "2");
  check(key.n == 3); /* untouched */
  td_keys_release(keys);
}

LeaklessTest(string, a_path_copies_its_key) {
  char first[] = "n", second[] = "b";
  const td_str parts[] = {{first, 1}, {second, 1}};
  const td_key key = {parts, 2};
  td_path *path;
  must(td_path_new(&key, &path, &err));
  first[0] = second[0] = 'z';
  td_path_retain(path);
  td_path_release(path);

  td_dict *td = new_dict(TD_NO_DIMS);
  td_tensor *x = range_f32(TD_SHAPE(2)), *got;
  must(td_dict_set_path(td, path, x, &err));
  must(td_dict_get_path(td, path, &got, &err));
  check(got == x);
  check(kind_at(td, TD_KEY("n", "b")) == TD_ENTRY_TENSOR);
  td_tensor_release(got);
  td_tensor_release(x);
  td_dict_release(td);
  td_path_release(path);
}

static const struct {
  const char *bytes;
  size_t size;
  int good;
} texts[] = {{"\xc3\xa9", 2, 1},
             {"\xe2\x82\xac", 3, 1},
             {"\xf0\x9f\x92\xa1", 4, 1},
             {"a\0b", 3, 1},
             {"", 0, 1},
             {"\xff", 1, 0},
             {"a\x80", 2, 0},
             {"\xc3", 1, 0},
             {"\xc0\xaf", 2, 0},
             {"\xe0\x80\xaf", 3, 0},
             {"\xed\xa0\x80", 3, 0},
             {"\xf4\x90\x80\x80", 4, 0},
             {"\xf0\x80\x80\xaf", 4, 0},
             {"\xf5\x80\x80\x80", 4, 0},
             {"\xe2\x28\xa1", 3, 0}};

LeaklessTest(string, text_that_is_not_utf8_is_no_key) {
  td_tensor *x = range_f32(TD_SHAPE(1)), *out = NULL;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    const td_str part = {texts[i].bytes, texts[i].size};
    const td_key key = {&part, 1};
    td_dict *td = new_dict(TD_NO_DIMS);
    td_path *path = NULL;
    if (texts[i].good) {
      must(td_path_new(&key, &path, &err));
      must(td_dict_set(td, &key, x, &err));
      must(td_dict_get_path(td, path, &out, &err));
      td_tensor_release(out);
    } else {
      expect_error(td_path_new(&key, &path, &err), TD_ERR_ARGUMENT, NULL, "UTF-8");
      expect_error(td_dict_set(td, &key, x, &err), TD_ERR_ARGUMENT, NULL, "UTF-8");
      expect_error(td_dict_get(td, &key, &out, &err), TD_ERR_ARGUMENT, NULL, "UTF-8");
      check(td_dict_count(td) == 0);
    }
    td_path_release(path);
    td_dict_release(td);
  }
  td_tensor_release(x);
}
