/* Types for the tests of modules and distributions.
 *
 * test.scale   y = x * scale + shift; in evaluation mode shift is left out. State: shift (a buffer), ("deep", "scale") (a
 *              parameter), ("deep", "count") (an int64 buffer), declared in this order.
 * test.noise   y = x + rand_like(x); no state.
 * test.broken  breaks the contract in the way that its config names: {"how": "..."}.
 * test.partial a distribution of ABI 1.0 with nothing but a mean, and a mode that succeeds without a result.
 * test.near    a distribution that knows the divergence from td.normal, which has never heard of it: the distance.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "tensordict_plugin.h"

static const td_host *host;

static td_str text(const char *s) {
  return (td_str){s, TD_STRLEN};
}

static td_value value_of(const td_tensor *tensor) {
  td_value v = {TD_VALUE_TENSOR, 0, 0, {0}};
  v.as.tensor = (td_tensor *)tensor;
  return v;
}

static td_status call(const char *name, const char *overload, const td_value *args, size_t n, td_tensor **out,
                      td_error **err) {
  const td_op *op;
  td_value y;
  td_status s = host->op_find(text(name), text(overload), &op, err);
  if (s == TD_OK) s = host->op_call(op, args, n, NULL, 0, &y, 1, err);
  if (s == TD_OK) *out = y.as.tensor;
  return s;
}

static td_status full(const int64_t *dims, size_t ndim, double fill, td_dtype dtype, td_tensor **out, td_error **err) {
  const td_op *op;
  td_status s = host->op_find(text("full"), text(""), &op, err);
  if (s != TD_OK) return s;
  td_value args[2] = {{TD_VALUE_INTS, 0, 0, {0}}, {TD_VALUE_DOUBLE, 0, 0, {0}}}, y;
  args[0].size = ndim, args[0].as.ints = dims, args[1].as.f = fill;
  td_named_value type = {text("dtype"), {TD_VALUE_DTYPE, 0, 0, {0}}};
  type.value.as.i = dtype;
  s = host->op_call(op, args, 2, &type, 1, &y, 1, err);
  if (s == TD_OK) *out = y.as.tensor;
  return s;
}

static td_status declare(td_module_builder *builder, td_role role, const char *node, const char *name, size_t ndim,
                         double fill, td_dtype dtype, td_error **err) {
  int64_t dims[] = {3};
  td_tensor *initial;
  td_status s = full(dims, ndim, fill, dtype, &initial, err);
  if (s != TD_OK) return s;
  td_str parts[] = {text(node), text(name)};
  td_key key = {node ? parts : parts + 1, node ? 2 : 1};
  s = host->module_declare(builder, role, &key, initial, err);
  host->tensor_release(initial);
  return s;
}

/* ---- test.scale ----------------------------------------------------------------------------------------------------- */
static td_status scale_create(const td_host *h, const td_config *config, td_generator *generator,
                              td_module_builder *builder, void **self, td_error **err) {
  double shift = 1;
  td_status s = h->config_double(config, text("shift"), &shift, err);
  (void)generator;
  if (s == TD_OK) s = declare(builder, TD_ROLE_BUFFER, NULL, "shift", 1, shift, TD_DTYPE_FLOAT32, err);
  if (s == TD_OK) s = declare(builder, TD_ROLE_PARAMETER, "deep", "scale", 1, 2, TD_DTYPE_FLOAT32, err);
  if (s == TD_OK) s = declare(builder, TD_ROLE_BUFFER, "deep", "count", 0, 7, TD_DTYPE_INT64, err);
  if (s == TD_OK) *self = malloc(1);
  return s;
}

static void destroy(void *self) {
  free(self);
}

static td_status scale_forward(const void *self, td_tensor *const *state, size_t n_state, td_tensor *const *inputs,
                               size_t n_inputs, td_bool training, td_tensor **outputs, size_t n_outputs,
                               td_error **err) {
  (void)self;
  if (n_state != 3 || n_inputs != 1 || n_outputs != 1) return TD_ERR_ARGUMENT;
  td_value args[] = {value_of(inputs[0]), value_of(state[1])};
  td_tensor *scaled = NULL;
  td_status s = call("mul", "Tensor", args, 2, &scaled, err);
  if (s != TD_OK || !training) return outputs[0] = scaled, s;
  td_value sum[] = {value_of(scaled), value_of(state[0])};
  s = call("add", "Tensor", sum, 2, &outputs[0], err);
  host->tensor_release(scaled);
  return s;
}

static const td_module_type scale_type = {{sizeof(td_module_type), TD_PLUGIN_KIND_MODULE, 0, TD_PLUGIN_DETERMINISTIC,
                                           TD_TEXT("test.scale"), TD_TEXT("1.0.0")},
                                          scale_create,
                                          destroy,
                                          scale_forward,
                                          NULL};

/* ---- test.noise ----------------------------------------------------------------------------------------------------- */
static td_status noise_create(const td_host *h, const td_config *config, td_generator *generator,
                              td_module_builder *builder, void **self, td_error **err) {
  (void)h, (void)config, (void)generator, (void)builder, (void)err;
  *self = malloc(1);
  return TD_OK;
}

static td_status noise_forward(const void *self, td_tensor *const *state, size_t n_state, td_tensor *const *inputs,
                               size_t n_inputs, td_bool training, td_tensor **outputs, size_t n_outputs,
                               td_error **err) {
  (void)self, (void)state, (void)n_state, (void)training;
  if (n_inputs != 1 || n_outputs != 1) return TD_ERR_ARGUMENT;
  td_value x = value_of(inputs[0]);
  td_tensor *noise;
  td_status s = call("rand_like", "", &x, 1, &noise, err);
  if (s != TD_OK) return s;
  td_value sum[] = {x, value_of(noise)};
  s = call("add", "Tensor", sum, 2, &outputs[0], err);
  host->tensor_release(noise);
  return s;
}

/* Lines, as a type of several parts writes them, in two pieces. */
static td_status noise_extra_repr(const void *self, const td_writer *to, td_error **err) {
  static const char first[] = "(a): X(\n  (b): Y()\n)\n(c): ", second[] = "Z()\n";
  (void)self;
  td_status s = to->write(to->userdata, first, sizeof first - 1, err);
  return s == TD_OK ? to->write(to->userdata, second, sizeof second - 1, err) : s;
}

static const td_module_type noise_type = {
    {sizeof(td_module_type), TD_PLUGIN_KIND_MODULE, 0, TD_PLUGIN_THREAD_SAFE, TD_TEXT("test.noise"), TD_TEXT("1.0.0")},
    noise_create,
    destroy,
    noise_forward,
    noise_extra_repr};

/* ---- test.broken ---------------------------------------------------------------------------------------------------- */
/* `throw 42;`, as a plugin in C++ without a try block does. */
static void throw_int(void) {
  void *(*allocate)(size_t);
  void (*raise)(void *, void *, void (*)(void *));
  *(void **)&allocate = dlsym(RTLD_DEFAULT, "__cxa_allocate_exception");
  *(void **)&raise = dlsym(RTLD_DEFAULT, "__cxa_throw");
  int *value = allocate(sizeof *value);
  *value = 42;
  raise(value, dlsym(RTLD_DEFAULT, "_ZTIi"), NULL);
}

static td_status broken_create(const td_host *h, const td_config *config, td_generator *generator,
                               td_module_builder *builder, void **self, td_error **err) {
  td_str how = TD_TEXT("");
  td_status s = h->config_str(config, text("how"), &how, err);
  (void)generator;
  if (s != TD_OK) return s;
  char *name = malloc(how.size + 1);
  memcpy(name, how.data, how.size);
  name[how.size] = 0;
  if (strcmp(name, "declare twice") == 0 || strcmp(name, "declare through") == 0) {
    int twice = strcmp(name, "declare twice") == 0;
    free(name);
    s = declare(builder, TD_ROLE_PARAMETER, NULL, "w", 1, 0, TD_DTYPE_FLOAT32, err);
    if (s != TD_OK) return s;
    return twice ? declare(builder, TD_ROLE_BUFFER, NULL, "w", 1, 0, TD_DTYPE_FLOAT32, err)
                 : declare(builder, TD_ROLE_BUFFER, "w", "x", 1, 0, TD_DTYPE_FLOAT32, err);
  }
  if (strcmp(name, "throw from create") == 0) {
    free(name);
    throw_int();
  }
  *self = name;
  return TD_OK;
}

static td_status broken_forward(const void *self, td_tensor *const *state, size_t n_state, td_tensor *const *inputs,
                                size_t n_inputs, td_bool training, td_tensor **outputs, size_t n_outputs,
                                td_error **err) {
  const char *how = self;
  (void)state, (void)n_state, (void)inputs, (void)n_inputs, (void)training, (void)outputs, (void)n_outputs;
  if (strcmp(how, "no output") == 0) return TD_OK;
  if (strcmp(how, "throw") == 0) throw_int();
  if (strcmp(how, "no such status") == 0) return 12345;
  *err = host->error_new(TD_ERR_SHAPE, text("broken on purpose"));
  return TD_ERR_SHAPE;
}

/* Not UTF-8, or an exception. */
static td_status broken_extra_repr(const void *self, const td_writer *to, td_error **err) {
  if (strcmp(self, "throw") == 0) throw_int();
  return to->write(to->userdata, "x=\xff", 3, err);
}

static const td_module_type broken_type = {
    {sizeof(td_module_type), TD_PLUGIN_KIND_MODULE, 0, TD_PLUGIN_THREAD_SAFE, TD_TEXT("test.broken"), TD_TEXT("1.0.0")},
    broken_create,
    destroy,
    broken_forward,
    broken_extra_repr};

/* ---- test.partial --------------------------------------------------------------------------------------------------- */
static td_status partial_create(const td_host *h, const td_config *config, void **self, td_error **err) {
  (void)h, (void)config, (void)err;
  *self = malloc(1);
  return TD_OK;
}

static td_status partial_mean(const void *self, td_tensor *const *params, td_tensor **out, td_error **err) {
  (void)self, (void)err;
  host->tensor_retain(params[0]);
  *out = params[0];
  return TD_OK;
}

static td_status partial_mode(const void *self, td_tensor *const *params, td_tensor **out, td_error **err) {
  (void)self, (void)params, (void)out, (void)err;
  return TD_OK;
}

static const td_str partial_params[] = {TD_TEXT("loc"), TD_TEXT("scale")};
static const td_distribution_type partial_type = {
    .type = {offsetof(td_distribution_type, name), TD_PLUGIN_KIND_DISTRIBUTION, 0, 0, TD_TEXT("test.partial"),
             TD_TEXT("1.0.0")},
    .params = partial_params,
    .n_params = 2,
    .create = partial_create,
    .destroy = destroy,
    .mean = partial_mean,
    .mode = partial_mode,
    .name = TD_TEXT("beyond the end of a table of ABI 1.0"),
};

/* ---- test.near ------------------------------------------------------------------------------------------------------ */
static td_status near_kl_from(const void *self, td_tensor *const *params, td_str other, td_tensor *const *other_params,
                              td_tensor **out, td_error **err) {
  (void)self;
  if (other.size != 9 || memcmp(other.data, "td.normal", 9) != 0) return TD_ERR_UNSUPPORTED;
  const td_value args[] = {value_of(other_params[0]), value_of(params[0])};
  return call("sub", "Tensor", args, 2, out, err);
}

static const td_str near_params[] = {TD_TEXT("loc")};
static const td_distribution_type near_type = {
    .type = {sizeof(td_distribution_type), TD_PLUGIN_KIND_DISTRIBUTION, 0, 0, TD_TEXT("test.near"), TD_TEXT("1.0.0")},
    .params = near_params,
    .n_params = 1,
    .create = partial_create,
    .destroy = destroy,
    .name = TD_TEXT("Near"),
    .kl_from = near_kl_from,
};

static const td_plugin_type *const types[] = {&scale_type.type, &noise_type.type, &broken_type.type, &partial_type.type,
                                              &near_type.type};

td_status td_plugin_entry(const td_host *h, td_plugin *out, td_error **err) {
  (void)err;
  host = h;
  out->abi_major = TD_PLUGIN_ABI_MAJOR;
  out->abi_minor = TD_PLUGIN_ABI_MINOR;
  out->id = text("test.nn_types");
  out->vendor = text("libtensordict");
  out->version = text("1.0.0");
  out->license = text("MIT");
  out->types = types;
  out->n_types = sizeof types / sizeof *types;
  return TD_OK;
}
