/* The device that a dict says its entries are on. */
#include "support/td.h"

static void expect_device(const td_dict *td, const char *expected) {
  td_string *device;
  must(td_dict_device(td, &device, &err));
  check((device == NULL) == (expected == NULL));
  if (device) expect_text(device, expected);
}

LeaklessTest(dict_device, is_forgotten_or_taken_from_the_tensors) {
  td_dict_options options = TD_DICT_OPTIONS_INIT;
  options.device = TD_STR("cpu");
  td_dict *td, *node, *lazy;
  must(td_dict_new(TD_SHAPE(2), &options, &td, &err));
  put(td, TD_KEY("n", "a"), range_f32(TD_SHAPE(2)));
  node = get_dict(td, TD_KEY("n"));
  expect_device(node, "cpu");
  must(td_dict_lock(td, &err));
  must(td_dict_clear_device(td, &err));
  expect_device(td, NULL);
  expect_device(node, NULL);
  must(td_dict_auto_device(td, &err));
  expect_device(td, "cpu");
  expect_device(node, "cpu");
  must(td_dict_unlock(td, &err));
  must(td_dict_lazy_stack(&td, 1, 0, &lazy, &err));
  must(td_dict_clear_device(lazy, &err)); /* and so that of the members */
  expect_device(lazy, NULL);
  expect_device(td, NULL);
  td_dict *empty = new_dict(TD_NO_DIMS);
  must(td_dict_auto_device(empty, &err));
  expect_device(empty, NULL);
  expect_error(td_dict_clear_device(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_auto_device(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(empty);
  td_dict_release(lazy);
  td_dict_release(node);
  td_dict_release(td);
}
