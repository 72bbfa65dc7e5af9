/* A sound linear layer of 4 inputs and 3 outputs; each plugin that includes it replaces one piece by a broken one. In the
 * pieces `f` is the formula, `weight` the state and `x` the input. */
#include "formula.h"

#ifndef FORWARD
#define FORWARD op(f, "matmul", T(x), T(weight))
#endif
#ifndef START /* of the new tensor `weight` */
#define START op_with(f, "normal_", T(weight), F(0), generator)
#endif
#ifndef AT_CREATE
#define AT_CREATE(made)
#endif
#ifndef DESTROY
#define DESTROY(self) free(self)
#endif

static const td_host *the_host;

typedef struct layer {
  td_tensor *weight;
  uint64_t calls;
  float scratch[64];
} layer;

static td_status create(const td_host *host, const td_config *config, td_generator *generator,
                        td_module_builder *builder, void **self, td_error **err) {
  static const int64_t dims[] = {4, 3};
  (void)config;
  the_host = host;
  layer *made = calloc(1, sizeof *made);
  if (!made) return TD_ERR_OOM;
  formula whole = {.host = host, .err = err, .status = TD_OK}, *f = &whole;
  td_tensor *weight = op(f, "zeros", DIMS(dims, 2), NOTHING);
  weight = START;
  const td_str name = TD_TEXT("weight");
  const td_key key = {&name, 1};
  if (f->status == TD_OK) f->status = host->module_declare(builder, TD_ROLE_PARAMETER, &key, weight, err);
  made->weight = weight;
  AT_CREATE(made);
  td_tensor *kept;
  td_status status = give(f, weight, &kept);
  if (status == TD_OK)
    host->tensor_release(kept);
  else
    free(made);
  if (status == TD_OK) *self = made;
  return status;
}

static void destroy(void *self) {
  DESTROY(self);
}

static td_status forward(const void *instance, td_tensor *const *state, size_t n_state, td_tensor *const *inputs,
                         size_t n_inputs, td_bool training, td_tensor **outputs, size_t n_outputs, td_error **err) {
  layer *self = (layer *)(uintptr_t)instance;
  formula whole = {.host = the_host, .err = err, .status = TD_OK}, *f = &whole;
  (void)training, (void)self;
  if (n_state != 1 || n_inputs != 1 || n_outputs != 1) {
    *err = the_host->error_new(TD_ERR_ARGUMENT, (td_str){"one input and one output", TD_STRLEN});
    return TD_ERR_ARGUMENT;
  }
  const td_tensor *weight = state[0], *x = inputs[0];
  (void)weight;
  return give(f, FORWARD, outputs);
}

static const td_module_type type = {
    .type = {.struct_size = sizeof(td_module_type),
             .kind = TD_PLUGIN_KIND_MODULE,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE,
             .id = TD_TEXT("broken.module"),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .forward = forward,
};
#include "one_type.h"
