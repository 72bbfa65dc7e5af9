/* The device that a dict says its entries are on. */
#include "support/td.h"

static void expect_device(const td_dict *td, const char *expected) {
  const td_str device = td_dict_device(td);
  check(expected ? says(device, expected) : !device.data);
}

LeaklessTest(dict_device, is_forgotten_or_taken_from_the_tensors) {
  td_dict_options options = TD_DICT_OPTIONS_INIT;
  options.device = TD_STR("cpu");
  td_dict *td, *node, *lazy;
  must(td_dict_new(TD_SHAPE(2), &options, &td, &err));
  put(td, TD_KEY("n", "a"), range_f32(TD_SHAPE(2)));
  node = get_dict(td, TD_KEY("n"));
  expect_device(node, "cpu");
  must(td_dict_lock_(td, &err));
  must(td_dict_clear_device_(td, &err));
  expect_device(td, NULL);
  expect_device(node, NULL);
  must(td_dict_auto_device_(td, &err));
  expect_device(td, "cpu");
  expect_device(node, "cpu");
  must(td_dict_unlock_(td, &err));
  must(td_dict_lazy_stack(&td, 1, 0, &lazy, &err));
  must(td_dict_clear_device_(lazy, &err)); /* and so that of the members */
  expect_device(lazy, NULL);
  expect_device(td, NULL);
  td_dict *empty = new_dict(TD_NO_DIMS);
  must(td_dict_auto_device_(empty, &err));
  expect_device(empty, NULL);
  expect_error(td_dict_clear_device_(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_auto_device_(NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(empty);
  td_dict_release(lazy);
  td_dict_release(node);
  td_dict_release(td);
}

LeaklessTest(dict_device, is_the_one_that_an_operator_was_told) {
  static const char *const names[] = {"empty_like", "zeros_like", "ones_like"};
  for (int with_device = 0; with_device < 2; ++with_device)
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
      td_dict_options options = TD_DICT_OPTIONS_INIT;
      options.device = TD_STR(with_device ? "cpu" : NULL);
      td_dict *td, *out, *node;
      must(td_dict_new(TD_SHAPE(2), &options, &td, &err));
      put(td, TD_KEY("n", "a"), range_f32(TD_SHAPE(2)));
      td_op *op = operator_named(names[i], NULL);
      const td_named_value device[] = {{TD_STR("device"), td_value_str(TD_STR("meta"))}};
      must(td_dict_pointwise(op, ARGS(td_value_dict(td)), device, 1, NULL, &out, &err));
      expect_device(out, "meta");
      node = get_dict(out, TD_KEY("n"));
      expect_device(node, "meta");
      td_dict_release(node), td_dict_release(out);
      must(td_dict_pointwise(op, ARGS(td_value_dict(td)), NULL, 0, NULL, &out, &err));
      expect_device(out, with_device ? "cpu" : NULL);
      td_dict_release(out), td_dict_release(td);
      td_op_release(op);
    }
}
