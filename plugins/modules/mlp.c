/* td.mlp: linear layers with an activation between them, a torch.nn.Sequential(Linear, ReLU, Linear, ...).
 *
 * Config  {"in_features": 64, "hidden": [32, 32], "out_features": 10, "activation": "relu"|"tanh"|"gelu"|"sigmoid"}
 * State   ("0", "weight"), ("0", "bias"), ("2", "weight"), ...: the names and shapes that torch.nn.Sequential gives
 * Start   torch.nn.Linear's, layer after layer: uniform in (-1/sqrt(in), 1/sqrt(in)), weight before bias
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensordict_plugin.h"

typedef struct mlp {
  const td_host *host;
  const td_op *linear, *activation;
  size_t n_layers;
} mlp;

static td_str text(const char *s) {
  return (td_str){s, TD_STRLEN};
}

static td_status refuse(const td_host *host, td_status code, const char *message, td_error **err) {
  *err = host->error_new(code, text(message));
  return code;
}

/* Declares ("<2 * layer>", name) with elements uniform in [-bound, bound). */
static td_status declare(const td_host *host, td_module_builder *builder, size_t layer, const char *name,
                         const int64_t *dims, size_t ndim, double bound, td_generator *generator, td_error **err) {
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
    char index[24];
    snprintf(index, sizeof index, "%zu", 2 * layer);
    td_str parts[] = {text(index), text(name)};
    td_key key = {parts, 2};
    s = host->module_declare(builder, TD_ROLE_PARAMETER, &key, made.as.tensor, err);
  }
  host->value_clear(&made);
  return s;
}

static td_status declare_layer(const td_host *host, td_module_builder *builder, size_t layer, int64_t in, int64_t out,
                               td_generator *generator, td_error **err) {
  if (in < 1 || out < 1) return refuse(host, TD_ERR_ARGUMENT, "every layer must have at least 1 feature", err);
  /* PyTorch's kaiming_uniform_(a=sqrt(5)), in its own steps: the last bit counts. */
  double a = sqrt(5.0), deviation = sqrt(2.0 / (1.0 + a * a)) / sqrt((double)in);
  int64_t dims[] = {out, in};
  td_status s = declare(host, builder, layer, "weight", dims, 2, sqrt(3.0) * deviation, generator, err);
  if (s == TD_OK) s = declare(host, builder, layer, "bias", dims, 1, 1.0 / sqrt((double)in), generator, err);
  return s;
}

static td_status find_activation(const td_host *host, td_str name, const td_op **out, td_error **err) {
  static const char *const known[] = {"relu", "tanh", "gelu", "sigmoid"};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strlen(known[i]) == name.size && memcmp(known[i], name.data, name.size) == 0)
      return host->op_find(text(known[i]), text(""), out, err);
  return refuse(host, TD_ERR_ARGUMENT, "activation must be relu, tanh, gelu or sigmoid", err);
}

static td_status create(const td_host *host, const td_config *config, td_generator *generator,
                        td_module_builder *builder, void **self, td_error **err) {
  int64_t in_features = 0, out_features = 0;
  const int64_t *hidden = NULL;
  size_t n_hidden = 0;
  td_str activation = TD_TEXT("relu");
  td_status s = host->config_int(config, text("in_features"), &in_features, err);
  if (s == TD_OK) s = host->config_ints(config, text("hidden"), &hidden, &n_hidden, err);
  if (s == TD_OK) s = host->config_int(config, text("out_features"), &out_features, err);
  if (s == TD_OK) s = host->config_str(config, text("activation"), &activation, err);
  if (s != TD_OK) return s;
  if (in_features < 1 || out_features < 1)
    return refuse(host, TD_ERR_ARGUMENT, "in_features and out_features must be given and at least 1", err);

  mlp module = {.host = host, .n_layers = n_hidden + 1};
  s = host->op_find(text("linear"), text(""), &module.linear, err);
  if (s == TD_OK) s = find_activation(host, activation, &module.activation, err);
  for (size_t i = 0; i <= n_hidden && s == TD_OK; ++i) {
    int64_t in = i == 0 ? in_features : hidden[i - 1], out = i == n_hidden ? out_features : hidden[i];
    s = declare_layer(host, builder, i, in, out, generator, err);
  }
  if (s != TD_OK) return s;

  mlp *made = malloc(sizeof *made);
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
  const mlp *module = self;
  const td_host *host = module->host;
  (void)training;
  if (n_state != 2 * module->n_layers || n_inputs != 1 || n_outputs != 1)
    return refuse(host, TD_ERR_ARGUMENT, "td.mlp takes one input and gives one output", err);

  td_value x = {.kind = TD_VALUE_TENSOR, .as.tensor = inputs[0]}, y;
  for (size_t i = 0; i < module->n_layers; ++i) {
    td_value args[] = {x,
                       {.kind = TD_VALUE_TENSOR, .as.tensor = state[2 * i]},
                       {.kind = TD_VALUE_TENSOR, .as.tensor = state[2 * i + 1]}};
    td_status s = host->op_call(module->linear, args, 3, NULL, 0, &y, 1, err);
    if (i > 0) host->value_clear(&x);
    if (s != TD_OK) return s;
    x = y;
    if (i + 1 == module->n_layers) break;

    s = host->op_call(module->activation, &x, 1, NULL, 0, &y, 1, err);
    host->value_clear(&x);
    if (s != TD_OK) return s;
    x = y;
  }
  outputs[0] = x.as.tensor;
  return TD_OK;
}

static const td_module_type mlp_type = {
    .type = {.struct_size = sizeof(td_module_type),
             .kind = TD_PLUGIN_MODULE,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE,
             .id = TD_TEXT("td.mlp"),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .forward = forward,
};

static const td_plugin_type *const types[] = {&mlp_type.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  if (host->abi_major != TD_PLUGIN_ABI_MAJOR) return refuse(host, TD_ERR_VERSION, "td.mlp needs plugin ABI 1", err);
  out->abi_major = TD_PLUGIN_ABI_MAJOR;
  out->abi_minor = TD_PLUGIN_ABI_MINOR;
  out->id = (td_str)TD_TEXT("td.mlp");
  out->vendor = (td_str)TD_TEXT("libtensordict");
  out->version = (td_str)TD_TEXT("1.0.0");
  out->license = (td_str)TD_TEXT("MIT");
  out->types = types;
  out->n_types = 1;
  return TD_OK;
}
