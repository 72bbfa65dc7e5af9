/* Edges of distributions: numbers where rows are wanted, and what a refusal keeps. */
#include "support/dist_support.h"

TestSuite(dist_edges, .init = count_live, .fini = check_live);

/* Numbers are rows of one. */
Test(dist_edges, a_logistic_normal_of_numbers_is_a_row) {
  td_dict *numbers = params_of("loc", scalar(0), "scale", scalar(1)),
          *mixed = params_of("loc", scalar(0), "scale", WIDE(1, 2));
  td_dist *d, *none;
  must(td_dist_new(TD_STR("td.logistic_normal"), numbers, TD_STR("{}"), &d, &err));
  td_tensor *drawn;
  int64_t dims[2];
  cr_assert(td_dist_event_shape(d, dims, 2) == 1 && dims[0] == 2);
  cr_assert_eq(td_dist_batch_shape(d, dims, 2), 0);
  must(td_dist_sample(d, TD_NO_DIMS, NULL, &drawn, &err));
  expect_shape(drawn, TD_SHAPE(2));
  expect_error(td_dist_new(TD_STR("td.logistic_normal"), mixed, TD_STR("{}"), &none, &err), TD_ERR_SHAPE, NULL,
               "one-dimensional");
  td_tensor_release(drawn);
  td_dist_release(d);
  td_dict_release(numbers);
  td_dict_release(mixed);
}

/* The memory of what is refused comes back, which live objects do not show: a tensor of the caller's tells. */
static void gone(void *userdata) {
  ++*(int *)userdata;
}

Test(dist_edges, a_mixture_that_is_refused_keeps_nothing) {
  int released = 0;
  double numbers[2] = {.25, .75};
  td_tensor *probs;
  must(td_tensor_from_memory(numbers, TD_DTYPE_FLOAT64, TD_SHAPE(2), NULL, gone, &released, &probs, &err));
  td_dist *base = dist_of("td.bernoulli", "{}", params_of("probs", probs, NULL, NULL)), *chooser, *mixture;
  must(td_dist_independent(base, 1, &chooser, &err));
  expect_error(td_dist_mixture(chooser, base, &mixture, &err), TD_ERR_ARGUMENT, NULL, "");
  td_dist_release(chooser);
  td_dist_release(base);
  cr_assert_eq(released, 1);
}
