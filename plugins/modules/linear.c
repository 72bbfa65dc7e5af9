/* td.linear: y = x * transpose(weight) + bias, torch.nn.Linear.
 *
 * Config  {"in_features": 64, "out_features": 10, "bias": true}
 * State   weight [out_features, in_features], bias [out_features]
 * Start   both uniform in (-1/sqrt(in_features), 1/sqrt(in_features)), drawn in this order: the numbers of
 *         torch.nn.Linear for the same seed
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../entry.h"

typedef struct linear {
  const td_host *host;
  const td_op *apply;
  size_t n_state;
  int64_t in_features, out_features;
} linear;

static td_str text(const char *s) {
  return (td_str){s, TD_STRLEN};
}

static td_status refuse(const td_host *host, td_status code, const char *message, td_error **err) {
  *err = host->error_new(code, text(message));
  return code;
}

/* Declares a parameter whose elements are uniform in [-bound, bound). */
static td_status declare(const td_host *host, td_module_builder *builder, const char *name, const int64_t *dims,
                         size_t ndim, double bound, td_generator *generator, td_error **err) {
  const td_op *empty, *uniform;
  td_status s = host->op_find(text("empty"), text("memory_format"), &empty, err);
  if (s == TD_OK) s = host->op_find(text("uniform_"), text(""), &uniform, err);
  if (s != TD_OK) return s;

  td_value shape = {.kind = TD_VALUE_INTS, .size = ndim, .as.ints = dims}, made, same;
  s = host->op_call(empty, &shape, 1, NULL, 0, &made, 1, err);
  if (s != TD_OK) return s;

  td_value range[] = {made, {.kind = TD_VALUE_DOUBLE, .as.f = -bound}, {.kind = TD_VALUE_DOUBLE, .as.f = bound}};
  td_named_value source = {text("generator"), {.kind = TD_VALUE_NONE}};
  if (generator) source.value = (td_value){.kind = TD_VALUE_GENERATOR, .as.generator = generator};
  s = host->op_call(uniform, range, 3, &source, 1, &same, 1, err);
  if (s == TD_OK) {
    host->value_clear(&same);
    td_str part = text(name);
    td_key key = {&part, 1};
    s = host->module_declare(builder, TD_ROLE_PARAMETER, &key, made.as.tensor, err);
  }
  host->value_clear(&made);
  return s;
}

static td_status create(const td_host *host, const td_config *config, td_generator *generator,
                        td_module_builder *builder, void **self, td_error **err) {
  int64_t in_features = 0, out_features = 0;
  td_bool bias = 1;
  td_status s = host->config_int(config, text("in_features"), &in_features, err);
  if (s == TD_OK) s = host->config_int(config, text("out_features"), &out_features, err);
  if (s == TD_OK) s = host->config_bool(config, text("bias"), &bias, err);
  if (s != TD_OK) return s;
  if (in_features < 1 || out_features < 1)
    return refuse(host, TD_ERR_ARGUMENT, "in_features and out_features must be given and at least 1", err);

  linear module = {.host = host, .n_state = bias ? 2 : 1, .in_features = in_features, .out_features = out_features};
  s = host->op_find(text("linear"), text(""), &module.apply, err);
  if (s != TD_OK) return s;

  /* PyTorch's kaiming_uniform_(a=sqrt(5)), in its own steps: the last bit counts. */
  double a = sqrt(5.0), deviation = sqrt(2.0 / (1.0 + a * a)) / sqrt((double)in_features);
  int64_t dims[] = {out_features, in_features};
  s = declare(host, builder, "weight", dims, 2, sqrt(3.0) * deviation, generator, err);
  if (s == TD_OK && bias) s = declare(host, builder, "bias", dims, 1, 1.0 / sqrt((double)in_features), generator, err);
  if (s != TD_OK) return s;

  linear *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = module;
  *self = made;
  return TD_OK;
}

static void destroy(void *self) {
  free(self);
}

static td_status forward(const void *self, td_tensor *const *state, size_t n_state, td_tensor *const *inputs,
                         size_t n_inputs, td_bool training, td_tensor **outputs, size_t n_outputs, td_error **err) {
  const linear *module = self;
  (void)training;
  if (n_state != module->n_state || n_inputs != 1 || n_outputs != 1)
    return refuse(module->host, TD_ERR_ARGUMENT, "td.linear takes one input and returns one output", err);

  td_value args[] = {{.kind = TD_VALUE_TENSOR, .as.tensor = inputs[0]},
                     {.kind = TD_VALUE_TENSOR, .as.tensor = state[0]},
                     {.kind = TD_VALUE_TENSOR, .as.tensor = n_state == 2 ? state[1] : NULL}};
  td_value y;
  td_status s = module->host->op_call(module->apply, args, 3, NULL, 0, &y, 1, err);
  if (s == TD_OK) outputs[0] = y.as.tensor;
  return s;
}

static td_status extra_repr(const void *self, const td_writer *to, td_error **err) {
  const linear *m = self;
  char shown[128];
  const int size = snprintf(shown, sizeof shown, "in_features=%lld, out_features=%lld, bias=%s",
                            (long long)m->in_features, (long long)m->out_features, m->n_state == 2 ? "True" : "False");
  return to->write(to->userdata, shown, (size_t)size, err);
}

static const td_module_type linear_type = {
    .type = {.struct_size = sizeof(td_module_type),
             .kind = TD_PLUGIN_KIND_MODULE,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE,
             .id = TD_TEXT("td.linear"),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .forward = forward,
    .extra_repr = extra_repr,
};

static const td_plugin_type *const types[] = {&linear_type.type};
static const td_str schemas[] = {SCHEMA(REQUIRED("in_features", "out_features"), WHOLE("in_features", 1),
                                        WHOLE("out_features", 1), FLAG("bias", true))};

PLUGIN_ENTRY("td.linear", 0, types, schemas, (void)0)
