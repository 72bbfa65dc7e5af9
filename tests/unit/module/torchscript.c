#include "support/files.h"
#include "support/nn_support.h"

TestSuite(torchscript, .init = count_live, .fini = check_live);

/* td.torchscript: modules that torch.jit saved. The file is made by tests/data/torchscript/make.py; other models are
 * compared with stock Python in tests/interop/test_modules.py. */

static const char net_file[] = TD_TEST_DATA "/torchscript/net.pt";

static td_status create(const char *file, const char *method, td_module **out) {
  char config[1024];
  snprintf(config, sizeof config, "{\"file\": \"%s\"%s%s%s}", file, method ? ", \"method\": \"" : "",
           method ? method : "", method ? "\"" : "");
  return td_module_new(TD_STR("td.torchscript"), TD_STR(config), NULL, out, &err);
}

static td_module *net(const char *method) {
  td_module *m;
  must(create(net_file, method, &m));
  return m;
}

static td_tensor *two_rows(void) {
  return floats((const float[]){0, 1, 2, 3, 4, 5}, TD_SHAPE(2, 3));
}

#define EVALUATED 14.625, 14.0625, 13.8125, 13.5, 13.125, 13.53125
#define HIDDEN 0.25, 0.375, 1.125, 0.625, 0.25, 0.5625, 1.125, 0.0625

static void expect_evaluated(const td_module *m) {
  td_tensor *x = two_rows(), *y[2];
  must(td_module_call(m, &x, 1, y, 2, &err));
  expect(y[0], (const double[]){EVALUATED}, 6, 1e-4, "output");
  expect(y[1], (const double[]){HIDDEN}, 8, 1e-4, "hidden");
  td_tensor_release(y[0]), td_tensor_release(y[1]), td_tensor_release(x);
}

Test(torchscript, a_saved_module_has_its_parameters_and_buffers_and_computes_what_it_did) {
  td_module *m = net(NULL);
  td_dict *state;
  must(td_dict_from_module(m, &state, &err));
  static const struct {
    const char *module, *name;
    int grad;
  } places[] = {
      {"encoder", "weight", 1}, {"encoder", "bias", 0},     {"norm", "weight", 1}, {"norm", "running_mean", 0},
      {"decoder", "weight", 1}, {"norm", "running_var", 0}, {"norm", "bias", 1},   {"norm", "num_batches_tracked", 0}};
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
    cr_expect_eq(td_tensor_requires_grad(peek(state, TD_KEY(places[i].module, places[i].name))), places[i].grad,
                 "%s.%s", places[i].module, places[i].name);
  EXPECT(peek(state, TD_KEY("offset")), 10);
  td_entry_kind kind;
  must(td_dict_entry_kind(state, TD_KEY("tied"), &kind, &err)); /* one tensor at two places is listed under the first */
  cr_assert_eq(kind, TD_ENTRY_NONE);
  expect_evaluated(m); /* the norm was saved in evaluation mode, the rest in training mode */

  td_tensor *x = two_rows(), *half, *xs[2], *y[2];
  must(td_tensor_full(NULL, 0, TD_VALUE(td_value_double(0.5)), TD_DTYPE_FLOAT32, TD_NO_STR, &half, &err));
  xs[0] = x, xs[1] = half; /* a number of the method's */
  must(td_module_call(m, xs, 2, y, 2, &err));
  EXPECT(y[0], 13.46875, 13.046875, 12.859375, 12.625, 12.34375, 12.6484375);
  td_tensor_release(half), td_tensor_release(x), td_tensor_release(y[0]), td_tensor_release(y[1]);
  td_dict_release(state), td_module_release(m);
}

Test(torchscript, it_is_trained_like_any_module) {
  td_module *m = net(NULL);
  td_dict *state;
  must(td_dict_from_module(m, &state, &err));
  td_tensor *x = two_rows(), *y[2];
  for (int i = 0; i < 3; ++i) { /* graphs are optimized after the first runs */
    must(td_module_call(m, &x, 1, y, 2, &err));
    td_tensor *sum = apply("sum", y[0], NULL);
    must(td_tensor_backward(sum, NULL, 0, &err));
    td_tensor_release(sum), td_tensor_release(y[0]), td_tensor_release(y[1]);
  }
  td_tensor *grad;
  must(td_tensor_grad(peek(state, TD_KEY("decoder", "weight")), &grad, &err));
  static const double both_places_three_times[] = {3, 5.625, 13.5, 4.125, 3, 5.625, 13.5, 4.125, 3, 5.625, 13.5, 4.125};
  expect(grad, both_places_three_times, 12, 1e-3, "gradient of the tied weight");
  td_tensor_release(grad), td_tensor_release(x);
  td_dict_release(state), td_module_release(m);
}

Test(torchscript, it_takes_another_state_for_one_call_and_for_each_member_of_an_ensemble) {
  td_module *m = net(NULL), *others[] = {net(NULL), net(NULL)}, *k;
  must(td_module_tensordict(m, TD_KEY("x"), 1, (const td_key[]){*TD_KEY("y"), *TD_KEY("hidden")}, 2, NULL, &k, &err));
  td_dict *states, *data = dict(TD_SHAPE(2)), *out;
  must(td_dict_from_modules(others, 2, NULL, &states, &err));
  copy_into(states, TD_KEY("offset"), floats((const float[]){0, 100}, TD_SHAPE(2, 1)));
  td_dict *keyed_states = dict(TD_SHAPE(2));
  must(td_dict_set_dict(keyed_states, TD_KEY("module"), states, &err));
  put(data, TD_KEY("x"), two_rows());
  for (int i = 0; i < 3; ++i) {
    must(td_module_vmap(k, keyed_states, data, NULL, &out, &err));
    EXPECT(peek(out, TD_KEY("y")), 4.625, 4.0625, 3.8125, 3.5, 3.125, 3.53125, 104.625, 104.0625, 103.8125, 103.5,
           103.125, 103.53125);
    td_dict_release(out);
  }
  expect_evaluated(m); /* the module is as it was */
  td_dict_release(keyed_states), td_dict_release(states), td_dict_release(data);
  td_module_release(others[0]), td_module_release(others[1]), td_module_release(k), td_module_release(m);
}

Test(torchscript, training_mode_is_as_it_was_saved) {
  td_module *m = net(NULL);
  td_dict *state;
  must(td_dict_from_module(m, &state, &err));
  must(td_module_train(m, 0, &err));
  expect_evaluated(m);
  must(td_module_train(m, 1, &err)); /* back to how it was saved */
  expect_evaluated(m);
  EXPECT(peek(state, TD_KEY("norm", "num_batches_tracked")), 0);
  td_dict_release(state), td_module_release(m);
}

Test(torchscript, it_is_cast_like_any_module) {
  td_module *m = net(NULL);
  td_dict *state;
  must(td_dict_from_module(m, &state, &err));
  must(td_module_to(m, TD_DTYPE_FLOAT64, TD_NO_STR, &err));
  cr_assert_eq(td_tensor_dtype(peek(state, TD_KEY("encoder", "weight"))), TD_DTYPE_FLOAT64);
  td_tensor *x = two_rows(), *y[2], *wide;
  must(td_tensor_to(x, TD_DTYPE_FLOAT64, TD_NO_STR, &wide, &err));
  must(td_module_call(m, &wide, 1, y, 2, &err));
  cr_assert_eq(td_tensor_dtype(y[0]), TD_DTYPE_FLOAT64);
  expect(y[0], (const double[]){EVALUATED}, 6, 1e-4, "float64");
  td_tensor_release(wide), td_tensor_release(x), td_tensor_release(y[0]), td_tensor_release(y[1]);
  td_dict_release(state), td_module_release(m);
}

Test(torchscript, other_methods_structured_outputs_and_failures_of_the_script) {
  td_module *twice = net("double"), *fails_always = net("fails"), *words = net("words"), *m = net(NULL);
  td_tensor *x = two_rows(), *y[5] = {NULL}, *two[] = {x, x, x}, *vector = VEC(1, 2, 3, 4, 5, 6);
  must(td_module_call(twice, &x, 1, y, 4, &err));
  EXPECT(y[0], 0, 2, 4, 6, 8, 10);
  EXPECT(y[1], 0, 1, 2, 3, 4, 5);
  EXPECT(y[2], 1, 2, 3, 4, 5, 6);
  EXPECT(y[3], 0, -1, -2, -3, -4, -5);
  for (int i = 0; i < 4; ++i) td_tensor_release(y[i]), y[i] = NULL;

  expect_error(td_module_call(twice, &x, 1, y, 2, &err), TD_ERR_ARGUMENT, NULL, "4 outputs, not 2");
  expect_error(td_module_call(fails_always, &x, 1, y, 1, &err), TD_ERR_TORCH, NULL, "the script says no (in fails of ");
  expect_error(td_module_call(words, &x, 1, y, 1, &err), TD_ERR_UNSUPPORTED, NULL, "not a tensor");
  expect_error(td_module_call(m, NULL, 0, y, 2, &err), TD_ERR_ARGUMENT, NULL, "net.pt takes 1 to 2 inputs, got 0");
  expect_error(td_module_call(m, two, 3, y, 2, &err), TD_ERR_ARGUMENT, NULL, "net.pt takes 1 to 2 inputs, got 3");
  expect_error(td_module_call(m, two, 2, y, 2, &err), TD_ERR_SHAPE, NULL, "scale of ");
  expect_error(td_module_call(m, &vector, 1, y, 2, &err), TD_ERR_TORCH, NULL, "net.pt");
  for (int i = 0; i < 5; ++i) cr_assert_null(y[i]);
  expect_evaluated(m);
  td_tensor_release(x), td_tensor_release(vector);
  td_module_release(twice), td_module_release(fails_always), td_module_release(words), td_module_release(m);
}

Test(torchscript, the_schema_says_that_the_file_is_a_program) {
  td_string *list = NULL;
  must(td_plugins_list(&list, &err));
  const char *own = strstr(td_string_view(list).data, "td.torchscript");
  cr_assert(own && strstr(own, "it holds a program, which runs"));
  td_string_release(list);
}

Test(torchscript, what_is_no_torchscript_file_is_refused_by_name) {
  td_module *none = NULL;
  expect_error(create("/no/such/file.pt", NULL, &none), TD_ERR_NOT_FOUND, NULL, "/no/such/file.pt");
  expect_error(create("/", NULL, &none), TD_ERR_IO, NULL, "/ is not a regular file");
  expect_error(create(net_file, "backward", &none), TD_ERR_ARGUMENT, NULL, "net.pt has no method backward");
  expect_error(create("", NULL, &none), TD_ERR_ARGUMENT, NULL, "file");
  expect_error(td_module_new(TD_STR("td.torchscript"), TD_STR("{}"), NULL, &none, &err), TD_ERR_ARGUMENT, NULL, "file");

  make_test_dir();
  const char *file = path_of("%s/bad.pt", test_dir);
  size_t size = 0;
  char *bytes = file_bytes(net_file, &size);
  write_file(file, bytes, 0);
  expect_error(create(file, NULL, &none), TD_ERR_CORRUPT, NULL, "bad.pt is not a TorchScript module");
  write_text(file, "this is no zip file");
  expect_error(create(file, NULL, &none), TD_ERR_CORRUPT, NULL, "bad.pt is not a TorchScript module");
  for (size_t n = 1; n < size; n += size / 23) { /* cut short */
    write_file(file, bytes, n);
    expect_error(create(file, NULL, &none), TD_ERR_CORRUPT, NULL, "bad.pt");
  }
  int refused = 0;
  for (size_t i = 0; i < size; i += 61) { /* one byte changed: either it does not matter, or it is found */
    bytes[i] = (char)(bytes[i] ^ 0x55);
    write_file(file, bytes, size);
    td_module *m = NULL;
    if (create(file, NULL, &m) == TD_OK)
      td_module_release(m);
    else
      expect_error(td_error_code(err), td_error_code(err), NULL, "bad.pt"), ++refused;
    bytes[i] = (char)(bytes[i] ^ 0x55);
  }
  cr_assert_gt(refused, 20);
  cr_assert_null(none);
  free(bytes);
  remove_test_dir();
}
