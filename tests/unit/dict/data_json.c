/* JSON as dicts. */
#include "support/data.h"
#include "support/trees.h"

#define JSON(s) td_data_json((td_str){(s), sizeof(s) - 1})

LeaklessTest(data_json, json_becomes_dicts_and_data) {
  td_dict *td = NULL;
  must(td_dict_from_json(TD_STR(" {\"a\": {\"b\": 1, \"e\": {}}, \"c\": [1, {\"x\": null}], \"d\": \"t\", "
                                "\"f\": 0.5, \"n\": null, \"t\": true, \"\": 18446744073709551616}"),
                         &td, &err));
  check(td_dict_batch_size(td, NULL, 0) == 0);
  expect_keys(td, "a a/b a/e c d f n t ");
  expect_data(td, TD_KEY("a", "b"), 0, td_data_int(1));
  expect_data(td, TD_KEY("c"), 0, JSON("[1,{\"x\":null}]"));
  expect_data(td, TD_KEY("d"), 0, TEXT("t"));
  expect_data(td, TD_KEY("f"), 0, td_data_double(0.5));
  expect_data(td, TD_KEY("n"), 0, td_data_none());
  expect_data(td, TD_KEY("t"), 0, td_data_bool(1));
  expect_data(td, TD_KEY(""), 0, JSON("18446744073709551616"));
  td_dict_release(td);

  td_dict_list *list = NULL;
  must(td_dict_list_from_json(TD_STR("[{\"a\": 1}, {}]"), &list, &err));
  check(td_dict_list_size(list) == 2);
  td_dict_list_release(list);
  must(td_dict_list_from_json(TD_STR("[]"), &list, &err));
  check(td_dict_list_size(list) == 0);
  td_dict_list_release(list);

  td = NULL, list = NULL;
  const char *const bad[] = {
      "", "[]", "1", "NaN", "{", "{} {}", "{\"a\": 1, \"a\": 2}", "{\"a\": {\"b\": 1, \"b\": 2}}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    expect_error(td_dict_from_json((td_str){bad[i], TD_STRLEN}, &td, &err), TD_ERR_ARGUMENT, NULL, NULL);
  const char *const bad_lists[] = {"{}", "NaN", "18446744073709551616", "[{}, 1]", "[{}"};
  for (size_t i = 0; i < sizeof bad_lists / sizeof *bad_lists; ++i)
    expect_error(td_dict_list_from_json((td_str){bad_lists[i], TD_STRLEN}, &list, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_list_from_json(TD_STR("[{}, 1]"), &list, &err), TD_ERR_ARGUMENT, NULL, "element 1");
  check(!td && !list);
}

/* As a dict of one level too many is refused when it is built. */
LeaklessTest(data_json, json_that_nests_too_deeply_is_refused) {
  char deep[8000], *end = deep;
  for (int i = 0; i < 1000; ++i) end += sprintf(end, "{\"a\":");
  end += sprintf(end, "1");
  for (int i = 0; i < 1000; ++i) *end++ = '}';
  td_dict *td = NULL;
  expect_error(td_dict_from_json((td_str){deep, (size_t)(end - deep)}, &td, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!td);
}

LeaklessTest(data_json, what_the_library_describes_can_be_read_as_dicts) {
  td_string *text;
  td_dict *td;
  td_dict_list *types;
  must(td_build_info(&text, &err));
  must(td_dict_from_json(td_string_view(text), &td, &err));
  expect_data(td, TD_KEY("abi"), 0, td_data_int(TD_ABI_MAJOR));
  td_string_release(text), td_dict_release(td);
  must(td_plugins_list(&text, &err));
  must(td_dict_list_from_json(td_string_view(text), &types, &err));
  check(td_dict_list_size(types) > 0);
  must(td_dict_list_get(types, 0, &td, &err));
  check(kind_at(td, TD_KEY("kind")) != TD_ENTRY_NONE && kind_at(td, TD_KEY("id")) != TD_ENTRY_NONE &&
        kind_at(td, TD_KEY("schema")) != TD_ENTRY_NONE);
  td_string_release(text), td_dict_release(td), td_dict_list_release(types);
}
