/* Values of non-tensor data. */
#ifndef TESTS_SUPPORT_DATA_H
#define TESTS_SUPPORT_DATA_H

#include "support/td.h"

/* Expects the value at `index` of the data under `key` to be of that kind, with that text or number. */
static TD_MAYBE_UNUSED void expect_data_at(const char *file, int line, const td_dict *d, const td_key *key,
                                           size_t index, td_data expected) {
  td_data_list *list;
  td_data v;
  must(td_dict_get_data(d, key, &list, &err));
  must(td_data_list_get(list, index, &v, &err));
  if (v.kind != expected.kind || v.i != expected.i || v.f != expected.f || v.text.size != expected.text.size ||
      (v.text.size && memcmp(v.text.data, expected.text.data, v.text.size) != 0)) {
    fprintf(stderr, "%s:%d: got kind %d, %lld, %g, '%.*s'\n", file, line, v.kind, (long long)v.i, v.f, (int)v.text.size,
            v.text.data ? v.text.data : "");
    failed_at(file, line, "the value is the expected one", NULL);
  }
  td_data_list_release(list);
}
#define expect_data(d, key, index, expected) expect_data_at(__FILE__, __LINE__, (d), (key), (index), (expected))
#define TEXT(s) td_data_str((td_str){(s), sizeof(s) - 1})

#endif
