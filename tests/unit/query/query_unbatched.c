/* Entries that belong to a whole batch have no rows: nothing is looked up by them, and no store takes them. */
#include "support/unbatched.h"

LeaklessTest(query_unbatched, there_are_no_rows_to_look_up_or_to_store) {
  td_dict *td = with_table(1);
  td_query *query;
  td_store *store;
  td_tensor *rows = vector_of(TD_DTYPE_INT64, (const int64_t[]){0, 1}, 2), *values = NULL;
  td_data_list *data = NULL;
  td_dict_list *groups = NULL;
  must(td_query_new(TD_KEY("table"), 1, NULL, &query, &err));
  expect_error(td_query_forward(query, td, TD_QUERY_DEFAULT, &err), TD_ERR_UNSUPPORTED, "\"table\"", "unbatched");
  must(td_store_new(NULL, &store, &err));
  expect_error(td_store_set(store, rows, td, &err), TD_ERR_UNSUPPORTED, NULL, "unbatched");
  check(td_store_size(store) == 0);
  expect_error(td_dict_group_by(td, TD_KEY("table"), &values, &data, &groups, &err), TD_ERR_UNSUPPORTED, "\"table\"",
               "unbatched");
  check(values == NULL && groups == NULL);
  td_tensor_release(rows), td_store_release(store), td_query_release(query), td_dict_release(td);
}
