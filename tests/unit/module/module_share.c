/* Modules in memory that forked processes share. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/nn_support.h"

TestSuite(module_share, .init = count_live, .fini = check_live);

/* Sequential(Linear(3, 2), BatchNorm1d(2)) */
static td_module *shared_net(void) {
  td_module *parts[] = {known_linear(), module("td.batch_norm1d", "{\"num_features\": 2}", 0)}, *net;
  must(td_module_chain(parts, 2, NULL, &net, &err));
  for (int i = 0; i < 2; ++i) td_module_release(parts[i]);
  return net;
}

/* How many of the module's tensors are shared. */
static size_t shared_count(const td_module *m, size_t *n) {
  size_t shared = 0;
  *n = 0;
  for (int buffers = 0; buffers < 2; ++buffers) {
    td_keys *keys;
    td_tensor_list *tensors;
    must((buffers ? td_module_buffers : td_module_parameters)(m, NULL, &keys, &tensors, &err));
    for (size_t i = 0; i < td_tensor_list_size(tensors); ++i) {
      td_tensor *t;
      must(td_tensor_list_get(tensors, i, &t, &err));
      shared += td_tensor_is_shared(t);
      td_tensor_release(t);
    }
    *n += td_tensor_list_size(tensors);
    td_keys_release(keys);
    td_tensor_list_release(tensors);
  }
  return shared;
}

static td_tensor *own_parameter(const td_module *m, const td_key *name) {
  td_tensor *t;
  must(td_module_get_parameter(m, name, &t, &err));
  return t;
}

Test(module_share, tensors_stay_what_they_are_and_take_views_and_gradients_along) {
  td_module *m = shared_net(), *linear;
  td_tensor *weight = own_parameter(m, TD_KEY("0", "weight")), *view, *again, *grad, *x = VEC(1, 2, 3), *y, *sum;
  must(td_tensor_detach(weight, &view, &err));
  must(td_module_get_submodule(m, TD_KEY("0"), &linear, &err));
  must(td_module_call(linear, &x, 1, &y, 1, &err));
  sum = apply("sum", y, NULL);
  must(td_tensor_backward(sum, NULL, 0, &err));

  size_t n;
  cr_assert_eq(shared_count(m, &n), 0u);
  cr_assert_eq(n, 7u);
  must(td_module_share_memory(m, &err));
  cr_assert_eq(shared_count(m, &n), 7u);
  again = own_parameter(m, TD_KEY("0", "weight"));
  cr_assert(again == weight && td_tensor_requires_grad(weight), "the tensors stay what they are");
  cr_assert(td_tensor_is_shared(view), "views go along");
  EXPECT(weight, 1, 2, 3, 4, 5, 6);
  must(td_tensor_grad(weight, &grad, &err));
  cr_assert(td_tensor_is_shared(grad));
  EXPECT(grad, 1, 2, 3, 1, 2, 3);
  const void *before, *after;
  must(td_tensor_data(view, &before, &err));
  must(td_module_share_memory(m, &err));
  must(td_tensor_data(view, &after, &err));
  cr_assert_eq(before, after, "what is shared stays where it is");
  td_tensor *all[] = {weight, view, again, grad, x, y, sum};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) td_tensor_release(all[i]);
  td_module_release(linear);
  td_module_release(m);
}

/* In the child: writes, tells the parent, and reads what that has written when it tells so. */
static int writes_and_reads(td_tensor *weight, td_tensor *buffer, int told, int heard) {
  const void *data;
  float *values;
  char go = 0;
  td_error *e = NULL;
  int bad = td_tensor_mutable_data(weight, (void **)&values, &e) != TD_OK;
  if (!bad) values[0] = 100;
  bad |= td_tensor_mutable_data(buffer, (void **)&values, &e) != TD_OK;
  if (!bad) values[1] = 7;
  bad |= write(told, "x", 1) != 1 || read(heard, &go, 1) != 1;
  return bad | (td_tensor_data(weight, &data, &e) != TD_OK || ((const float *)data)[5] != 60);
}

Test(module_share, a_forked_child_and_its_parent_see_each_others_writes) {
  td_module *m = shared_net(), *linear;
  td_tensor *weight = own_parameter(m, TD_KEY("0", "weight")), *buffer, *view, *x = VEC(1, 2, 3), *y;
  must(td_module_get_buffer(m, TD_KEY("1", "running_mean"), &buffer, &err));
  must(td_tensor_detach(weight, &view, &err));
  must(td_module_get_submodule(m, TD_KEY("0"), &linear, &err));
  must(td_module_share_memory(m, &err));
  int to_child[2], to_parent[2];
  char go = 0;
  cr_assert(pipe(to_child) == 0 && pipe(to_parent) == 0);
  const pid_t child = fork();
  if (child == 0) {
    td_after_fork();
    _exit(writes_and_reads(view, buffer, to_parent[1], to_child[0]));
  }
  cr_assert_eq(read(to_parent[0], &go, 1), 1);
  EXPECT(weight, 100, 2, 3, 4, 5, 6);
  EXPECT(buffer, 0, 7);
  must(td_module_call(linear, &x, 1, &y, 1, &err));
  EXPECT(y, 100 + 4 + 9 + 10, 4 + 10 + 18 + 20);
  float *values;
  must(td_tensor_mutable_data(view, (void **)&values, &err));
  values[5] = 60;
  cr_assert_eq(write(to_child[1], "x", 1), 1);
  int status = -1;
  cr_assert(waitpid(child, &status, 0) == child && status == 0);
  td_tensor *all[] = {weight, buffer, view, x, y};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) td_tensor_release(all[i]);
  td_module_release(linear);
  td_module_release(m);
}

static void count_release(void *owner) {
  ++*(int *)owner;
}

Test(module_share, storages_move_once_and_memory_of_the_caller_is_given_back) {
  td_module *m = known_linear();
  float mine[4] = {1, 2, 3, 4};
  int released = 0;
  td_tensor *whole, *part, *empty, *got;
  must(td_tensor_from_memory(mine, TD_DTYPE_FLOAT32, TD_SHAPE(4), NULL, count_release, &released, &whole, &err));
  td_op *op;
  td_value args[] = {td_value_tensor(whole), td_value_int(0), td_value_int(2), td_value_int(4)}, sliced;
  must(td_op_find(TD_STR("slice"), TD_STR("Tensor"), &op, &err));
  must(td_op_call(op, args, 4, NULL, 0, &sliced, 1, &err));
  td_op_release(op);
  part = sliced.as.tensor;
  must(td_tensor_zeros(TD_SHAPE(0), TD_DTYPE_FLOAT32, TD_NO_STR, &empty, &err));
  must(td_module_register_buffer(m, TD_STR("part"), part, 1, &err));
  must(td_module_register_buffer(m, TD_STR("whole"), whole, 0, &err));
  must(td_module_register_buffer(m, TD_STR("empty"), empty, 1, &err));
  must(td_module_register_buffer(m, TD_STR("none"), NULL, 1, &err));
  must(td_module_share_memory(m, &err));
  cr_assert_eq(released, 1);
  size_t n;
  cr_assert_eq(shared_count(m, &n), n);
  cr_assert_eq(n, 5u);
  float *values;
  must(td_tensor_mutable_data(whole, (void **)&values, &err));
  values[3] = 40;
  EXPECT(part, 3, 40); /* one memory still */
  cr_assert_eq(mine[3], 4);
  must(td_module_get_buffer(m, TD_KEY("part"), &got, &err));
  cr_assert_eq(got, part);
  td_tensor_release(got);
  td_tensor_release(empty);
  td_tensor_release(part);
  td_tensor_release(whole);
  td_module_release(m);
}

Test(module_share, a_failure_moves_nothing) {
  td_module *m = shared_net();
  size_t n;
  struct rlimit old, small = {64, RLIM_INFINITY};
  cr_assert_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
  small.rlim_max = old.rlim_max;
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  td_status s = td_module_share_memory(m, &err);
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
  expect_error(s, TD_ERR_NOSPACE, NULL, "");
  cr_assert_eq(shared_count(m, &n), 0u);

  td_tensor *dense = VEC(1, 0, 2), *sparse = apply("to_sparse", dense, NULL), *weight;
  must(td_module_register_buffer(m, TD_STR("odd"), sparse, 1, &err));
  s = td_module_share_memory(m, &err);
  cr_assert(err && strstr(td_error_key(err).data, "odd"), "the tensor is named");
  expect_error(s, TD_ERR_UNSUPPORTED, NULL, "dense");
  weight = own_parameter(m, TD_KEY("0", "weight"));
  cr_assert_not(td_tensor_is_shared(weight));
  EXPECT(weight, 1, 2, 3, 4, 5, 6);
  cr_assert_not(td_tensor_is_shared(sparse) || td_tensor_is_shared(NULL));
  expect_error(td_module_share_memory(NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_tensor_release(weight);
  td_tensor_release(sparse);
  td_tensor_release(dense);
  td_module_release(m);
}

Test(module_share, tensors_of_segments_are_shared_too) {
  char name[64];
  snprintf(name, sizeof name, "td_share_%d", (int)getpid());
  td_dict *d = dict(NULL, 0);
  td_segment *segment;
  put(d, TD_KEY("a"), VEC(1, 2));
  td_tensor *plain = get(d, TD_KEY("a"));
  must(td_segment_create((td_str){name, strlen(name)}, d, NULL, &segment, &err));
  td_dict *inside;
  must(td_segment_dict(segment, &inside, &err));
  td_tensor *t = get(inside, TD_KEY("a"));
  cr_assert(td_tensor_is_shared(t) && !td_tensor_is_shared(plain));
  td_tensor_release(t);
  td_tensor_release(plain);
  td_dict_release(inside);
  td_segment_release(segment);
  td_dict_release(d);
}
