/* Random numbers: those of PyTorch for the same seed. */
#include "support/td.h"

static td_tensor *drawn(td_generator *generator, int64_t n) {
  td_tensor *t;
  must(td_tensor_randn(&n, 1, TD_DTYPE_FLOAT32, TD_NO_STR, generator, &t, &err));
  return t;
}

static int begins_as_seed_0(td_generator *generator) {
  td_tensor *t = drawn(generator, 2);
  const float *x = address(t);
  /* torch.manual_seed(0); torch.randn(2) */
  const int same = x[0] == 1.5409961f && x[1] == -0.2934289f;
  td_tensor_release(t);
  return same;
}

LeaklessTest(generator, a_seed_gives_the_numbers_of_pytorch) {
  td_generator *g;
  must(td_generator_new(0, &g, &err));
  check(begins_as_seed_0(g));
  check(!begins_as_seed_0(g)); /* it has moved on */
  must(td_generator_seed(g, 0, &err));
  check(begins_as_seed_0(g));
  must(td_generator_seed(g, 1, &err));
  check(!begins_as_seed_0(g));
  td_generator_retain(g);
  td_generator_release(g);
  td_generator_release(g);

  must(td_manual_seed(0, &err));
  check(begins_as_seed_0(NULL));
  must(td_manual_seed(0, &err));
  check(begins_as_seed_0(NULL));
}

LeaklessTest(generator, generators_do_not_disturb_each_other) {
  td_generator *a, *b;
  must(td_generator_new(7, &a, &err));
  must(td_generator_new(7, &b, &err));
  must(td_manual_seed(0, &err));
  for (int round = 0; round < 3; ++round) {
    td_tensor *x = drawn(a, 5), *y = drawn(b, 5);
    check(same_values(x, y));
    td_tensor_release(x);
    td_tensor_release(y);
  }
  check(begins_as_seed_0(NULL));

  td_tensor *t = full_f32(0, TD_SHAPE(4)), *u = full_f32(0, TD_SHAPE(4));
  td_op *normal = operator_named("normal_", "");
  must(td_generator_seed(b, 7, &err));
  must(td_generator_seed(a, 7, &err));
  td_value out;
  const td_named_value with_a = {TD_STR("generator"), td_value_generator(a)};
  const td_value args[] = {td_value_tensor(t), td_value_double(0), td_value_double(1), td_value_generator(b)};
  must(td_op_call(normal, ARGS(td_value_tensor(u)), &with_a, 1, &out, 1, &err));
  td_value_clear(&out);
  expect_error(td_op_call(normal, args, 4, NULL, 0, &out, 1, &err), TD_ERR_ARGUMENT, NULL, "schema");
  const td_named_value with_b = {TD_STR("generator"), td_value_generator(b)};
  must(td_op_call(normal, args, 3, &with_b, 1, &out, 1, &err));
  td_value_clear(&out);
  check(same_values(t, u));
  td_op_release(normal);
  td_tensor_release(t);
  td_tensor_release(u);
  td_generator_release(a);
  td_generator_release(b);
}

LeaklessTest(generator, randint_draws_with_the_generator_that_is_its_argument) {
  td_value y[2];
  for (int i = 0; i < 2; ++i) {
    td_generator *g;
    must(td_generator_new(7, &g, &err));
    const td_named_value with[] = {{TD_STR("generator"), td_value_generator(g)}};
    must(td_op_run(TD_STR("randint"), ARGS(td_value_int(1000), td_value_ints((int64_t[]){9}, 1)), with, 1, &y[i], 1,
                   &err));
    td_generator_release(g);
  }
  check(same_values(y[0].as.tensor, y[1].as.tensor));
  td_value_clear(&y[0]), td_value_clear(&y[1]);
}

LeaklessTest(generator, random_numbers_need_a_floating_dtype) {
  td_tensor *t = NULL;
  expect_error(td_tensor_randn(TD_SHAPE(2), TD_DTYPE_INT64, TD_NO_STR, NULL, &t, &err), TD_ERR_DTYPE, NULL, NULL);
  check(t == NULL);
}

LeaklessTest(generator, a_state_is_gone_back_to) {
  td_generator *a, *b;
  must(td_generator_new(0, &a, &err));
  must(td_generator_new(UINT64_MAX, &b, &err));
  check(td_generator_initial_seed(a) == 0 && td_generator_initial_seed(b) == UINT64_MAX);
  check(td_generator_initial_seed(NULL) == 0);
  td_tensor *start, *moved;
  must(td_generator_state(a, &start, &err));
  check(td_tensor_dtype(start) == TD_DTYPE_UINT8 && td_tensor_ndim(start) == 1);
  check(begins_as_seed_0(a) && !begins_as_seed_0(a));
  must(td_generator_state(a, &moved, &err));
  must(td_generator_load_state(b, start, &err));
  check(begins_as_seed_0(b) && !begins_as_seed_0(b) && td_generator_initial_seed(b) == 0);
  must(td_generator_load_state(a, moved, &err)); /* both go on alike */
  td_tensor *x = drawn(a, 5), *y = drawn(b, 5);
  check(memcmp(address(x), address(y), 5 * sizeof(float)) == 0);
  td_tensor_release(x);
  td_tensor_release(y);
  x = range_f32(TD_SHAPE(4));
  expect_error(td_generator_load_state(a, x, &err), TD_ERR_DTYPE, NULL, "uint8");
  td_tensor_release(x);
  x = counted(TD_DTYPE_UINT8, TD_SHAPE(4));
  expect_error(td_generator_load_state(a, x, &err), TD_ERR_SHAPE, NULL, "bytes");
  td_tensor_release(x);
  must(td_tensor_full(TD_SHAPE(td_tensor_numel(start)), TD_VALUE(td_value_int(255)), TD_DTYPE_UINT8, TD_NO_STR, &x,
                      &err));
  expect_error(td_generator_load_state(a, x, &err), TD_ERR_CORRUPT, NULL, NULL);
  td_tensor_release(x);
  x = drawn(a, 5), y = drawn(b, 5); /* nothing has changed */
  check(memcmp(address(x), address(y), 5 * sizeof(float)) == 0);
  td_tensor_release(x);
  td_tensor_release(y);
  td_tensor_release(start);
  td_tensor_release(moved);
  td_generator_release(a);
  td_generator_release(b);
}
