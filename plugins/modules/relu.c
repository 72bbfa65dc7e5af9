/* td.relu: y = max(x, 0), torch.nn.ReLU. No config, no state: the shortest module there is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "../entry.h"

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
             .kind = TD_PLUGIN_KIND_MODULE,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE,
             .id = TD_TEXT("td.relu"),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .forward = forward,
};

static const td_plugin_type *const types[] = {&relu_type.type};
static const td_str schemas[] = {NO_CONFIG};

PLUGIN_ENTRY("td.relu", 0, types, schemas, (void)0)
