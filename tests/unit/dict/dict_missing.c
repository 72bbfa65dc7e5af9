/* A key that is not there: the hint says where its path ended, and what is there instead. */
#include "support/td.h"

static void expect_hint(const td_dict *d, const td_key *key, const char *hint) {
  td_tensor *t = NULL;
  cr_assert_eq(td_dict_get(d, key, &t, &err), TD_ERR_KEY);
  cr_assert_str_eq(td_error_hint(err).data, hint);
  td_error_release(err);
  err = NULL;
}

LeaklessTest(dict_missing, the_hint_lists_the_keys_of_the_dict_where_the_path_ended) {
  td_dict *d = new_dict(TD_NO_DIMS);
  expect_hint(d, TD_KEY("a"), "the dict is empty");
  put(d, TD_KEY("n", "x"), full_f32(1, TD_NO_DIMS));
  put(d, TD_KEY("n", "m", "y"), full_f32(1, TD_NO_DIMS));
  expect_hint(d, TD_KEY("a"), "the existing keys are: n");
  expect_hint(d, TD_KEY("a", "x"), "the existing keys are: n");
  expect_hint(d, TD_KEY("n", "z"), "the existing keys are at \"n\": x, m");
  expect_hint(d, TD_KEY("n", "m", "z", "w"), "the existing keys are at (\"n\", \"m\"): y");
  expect_hint(d, TD_KEY("n", "x", "z"), "at (\"n\", \"x\") is a tensor, which has no keys");
  td_dict_release(d);
}

LeaklessTest(dict_missing, the_hint_of_a_large_dict_stays_short) {
  td_dict *d = new_dict(TD_NO_DIMS);
  char name[8];
  for (int i = 0; i < 50; ++i) {
    snprintf(name, sizeof name, "k%d", i);
    put(d, TD_KEY(name), full_f32(1, TD_NO_DIMS));
  }
  td_tensor *t = NULL;
  cr_assert_eq(td_dict_get(d, TD_KEY("other"), &t, &err), TD_ERR_KEY);
  const char *hint = td_error_hint(err).data;
  check(strstr(hint, "k19 and 30 more") && !strstr(hint, "k20"));
  td_error_release(err);
  err = NULL;
  td_dict_release(d);
}
