/* A dict with an entry that belongs to its whole batch. */
#ifndef TESTS_SUPPORT_UNBATCHED_H
#define TESTS_SUPPORT_UNBATCHED_H

#include "support/td.h"

static TD_MAYBE_UNUSED void put_unbatched(td_dict *td, const td_key *key, td_tensor *value) {
  must(td_dict_set_unbatched(td, key, value, &err));
  td_tensor_release(value);
}

static TD_MAYBE_UNUSED int is_unbatched(const td_dict *td, const td_key *key) {
  td_bool out = -1;
  must(td_dict_is_unbatched(td, key, &out, &err));
  return out;
}

/* {"x": f32 [2, 3], "table": unbatched f32 [3, 4] from `first` on, "n": {"mask": unbatched i64 [5]}} of batch size [2]. */
static TD_MAYBE_UNUSED td_dict *with_table(double first) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("x"), full_f32(first, TD_SHAPE(2, 3)));
  td_tensor *from = range_f32(TD_SHAPE(3, 4));
  put_unbatched(td, TD_KEY("table"), call("add", "Scalar", ARGS(td_value_tensor(from), td_value_double(first))));
  td_tensor_release(from);
  put_unbatched(td, TD_KEY("n", "mask"), counted(TD_DTYPE_INT64, TD_SHAPE(5)));
  return td;
}

/* Expects both unbatched entries of `from` in `td`, as the same memory. */
static TD_MAYBE_UNUSED void expect_kept_at(const char *file, int line, const td_dict *from, const td_dict *td) {
  const td_key *keys[] = {TD_KEY("table"), TD_KEY("n", "mask")};
  for (int i = 0; i < 2; ++i) {
    td_tensor *a = get(from, keys[i]), *b = get(td, keys[i]);
    if (!is_unbatched(td, keys[i]) || !same_shape(a, b) || address(a) != address(b))
      failed_at(file, line, "the unbatched entries are as they were", NULL);
    td_tensor_release(a), td_tensor_release(b);
  }
}
#define expect_kept(from, td) expect_kept_at(__FILE__, __LINE__, (from), (td))

#endif
