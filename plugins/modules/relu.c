/* td.relu: y = max(x, 0), torch.nn.ReLU. No config, no state: the shortest module there is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "../schema.h"

typedef struct relu {
  const td_host *host;
  const td_op *apply;
} relu;

static td_str text(const char *s) {
  return (td_str){s, TD_STRLEN};
}

static td_status create(const td_host *host, const td_config *config, td_generator *generator,
                        td_module_builder *builder, void **self, td_error **err) {
  (void)config, (void)generator, (void)builder;
  relu module = {.host = host};
  td_status s = host->op_find(text("relu"), text(""), &module.apply, err);
  if (s != TD_OK) return s;

  relu *made = malloc(sizeof *made);
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
  const relu *module = self;
  (void)state, (void)training;
  if (n_state != 0 || n_inputs != 1 || n_outputs != 1) {
    *err = module->host->error_new(TD_ERR_ARGUMENT, text("td.relu takes one input and gives one output"));
    return TD_ERR_ARGUMENT;
  }
  td_value x = {.kind = TD_VALUE_TENSOR, .as.tensor = inputs[0]}, y;
  td_status s = module->host->op_call(module->apply, &x, 1, NULL, 0, &y, 1, err);
  if (s == TD_OK) outputs[0] = y.as.tensor;
  return s;
}

static const td_module_type relu_type = {
    .type = {.struct_size = sizeof(td_module_type),
             .kind = TD_PLUGIN_MODULE,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE,
             .id = TD_TEXT("td.relu"),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .forward = forward,
};

static const td_str schema = NO_CONFIG;
static const td_plugin_type *const types[] = {&relu_type.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  if (host->abi_major != TD_PLUGIN_ABI_MAJOR) {
    *err = host->error_new(TD_ERR_VERSION, text("td.relu needs plugin ABI 1"));
    return TD_ERR_VERSION;
  }
  out->abi_major = TD_PLUGIN_ABI_MAJOR;
  out->abi_minor = TD_PLUGIN_ABI_MINOR;
  out->id = (td_str)TD_TEXT("td.relu");
  out->vendor = (td_str)TD_TEXT("libtensordict");
  out->version = (td_str)TD_TEXT("1.0.0");
  out->license = (td_str)TD_TEXT("MIT");
  out->types = types;
  out->n_types = 1;
  if (TD_HAS(td_plugin, out, schemas)) out->schemas = &schema;
  return TD_OK;
}
