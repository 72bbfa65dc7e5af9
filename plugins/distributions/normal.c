/* td.normal: the normal distribution, torch.distributions.Normal.
 *
 * Params   loc (mean), scale (standard deviation), broadcast together
 * sample   normal(loc, scale), without gradient; rsample is loc + scale * normal(0, 1). Both give PyTorch's numbers for
 *          the same generator
 * log_prob -(x - loc)^2 / (2 scale^2) - log(scale) - log(sqrt(2 pi))
 * entropy  1/2 + 1/2 log(2 pi) + log(scale)
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "tensordict_plugin.h"

typedef struct normal {
  const td_host *host;
  const td_op *add, *sub, *mul, *div, *pow, *neg, *log, *expand, *detach, *draw, *new_empty, *normal_;
} normal;

enum { LOC, SCALE };

static td_str text(const char *s) {
  return (td_str){s, TD_STRLEN};
}

static td_value tensor(const td_tensor *t) {
  return (td_value){.kind = TD_VALUE_TENSOR, .as.tensor = (td_tensor *)t};
}

static td_value number(double x) {
  return (td_value){.kind = TD_VALUE_DOUBLE, .as.f = x};
}

static td_value integer(int64_t x) {
  return (td_value){.kind = TD_VALUE_INT, .as.i = x};
}

static td_value ints(const int64_t *xs, size_t n) {
  return (td_value){.kind = TD_VALUE_INTS, .size = n, .as.ints = xs};
}

static const td_value nothing = {.kind = TD_VALUE_NONE};

/* *out = op(a, b), or op(a) if b is `nothing`; the generator may be NULL, and then is none or the default one. */
static td_status call(const normal *self, const td_op *op, td_value a, td_value b, td_generator *generator,
                      td_value *out, td_error **err) {
  td_value args[] = {a, b};
  td_named_value source = {text("generator"), {.kind = TD_VALUE_GENERATOR, .as.generator = generator}};
  return self->host->op_call(op, args, b.kind == TD_VALUE_NONE ? 1 : 2, &source, generator ? 1 : 0, out, 1, err);
}

/* *x = op(*x, b): one step of a formula. Nothing happens unless the steps before it have succeeded. */
static void step(td_status *status, const normal *self, const td_op *op, td_value *x, td_value b, td_error **err) {
  if (*status != TD_OK) return;
  td_value y;
  *status = call(self, op, *x, b, NULL, &y, err);
  self->host->value_clear(x);
  if (*status == TD_OK) *x = y;
}

/* The result of a formula, if all its steps have succeeded. */
static td_status give(td_status status, const normal *self, td_value *x, td_tensor **out) {
  if (status == TD_OK)
    *out = x->as.tensor;
  else
    self->host->value_clear(x);
  return status;
}

/* Both parameters as views of the shape of the draw. */
static td_status expand(const normal *self, td_tensor *const *params, td_value shape, td_value views[2],
                        td_error **err) {
  td_status s = call(self, self->expand, tensor(params[LOC]), shape, NULL, &views[LOC], err);
  if (s != TD_OK) return s;
  s = call(self, self->expand, tensor(params[SCALE]), shape, NULL, &views[SCALE], err);
  if (s != TD_OK) self->host->value_clear(&views[LOC]);
  return s;
}

static td_status sample(const void *instance, td_tensor *const *params, const int64_t *dims, size_t ndim,
                        td_generator *generator, td_tensor **out, td_error **err) {
  const normal *self = instance;
  td_value views[2], x = nothing;
  td_status s = expand(self, params, ints(dims, ndim), views, err);
  if (s != TD_OK) return s;
  s = call(self, self->draw, views[LOC], views[SCALE], generator, &x, err);
  self->host->value_clear(&views[LOC]);
  self->host->value_clear(&views[SCALE]);
  step(&s, self, self->detach, &x, nothing, err);
  return give(s, self, &x, out);
}

static td_status rsample(const void *instance, td_tensor *const *params, const int64_t *dims, size_t ndim,
                         td_generator *generator, td_tensor **out, td_error **err) {
  const normal *self = instance;
  td_value x, same, loc = tensor(params[LOC]);
  td_status s = call(self, self->new_empty, loc, ints(dims, ndim), NULL, &x, err);
  if (s != TD_OK) return s;
  s = call(self, self->normal_, x, nothing, generator, &same, err);
  if (s == TD_OK) self->host->value_clear(&same);
  step(&s, self, self->mul, &x, tensor(params[SCALE]), err);
  step(&s, self, self->add, &x, loc, err);
  return give(s, self, &x, out);
}

static td_status log_prob(const void *instance, td_tensor *const *params, const td_tensor *value, td_tensor **out,
                          td_error **err) {
  static const double log_sqrt_2_pi = 0.9189385332046727; /* the double that Python's math.log(math.sqrt(2*pi)) is */
  const normal *self = instance;
  td_value x = nothing, twice_variance = nothing, log_scale = nothing;
  td_status s = call(self, self->sub, tensor(value), tensor(params[LOC]), NULL, &x, err);
  step(&s, self, self->pow, &x, integer(2), err);
  step(&s, self, self->neg, &x, nothing, err);
  if (s == TD_OK) s = call(self, self->pow, tensor(params[SCALE]), integer(2), NULL, &twice_variance, err);
  step(&s, self, self->mul, &twice_variance, integer(2), err);
  step(&s, self, self->div, &x, twice_variance, err);
  if (s == TD_OK) s = call(self, self->log, tensor(params[SCALE]), nothing, NULL, &log_scale, err);
  step(&s, self, self->sub, &x, log_scale, err);
  step(&s, self, self->sub, &x, number(log_sqrt_2_pi), err);
  self->host->value_clear(&twice_variance);
  self->host->value_clear(&log_scale);
  return give(s, self, &x, out);
}

static td_status entropy(const void *instance, td_tensor *const *params, td_tensor **out, td_error **err) {
  static const double of_unit_scale = 1.4189385332046727;
  const normal *self = instance;
  td_value x = nothing;
  td_status s = call(self, self->log, tensor(params[SCALE]), nothing, NULL, &x, err);
  step(&s, self, self->add, &x, number(of_unit_scale), err);
  return give(s, self, &x, out);
}

static td_status mean(const void *instance, td_tensor *const *params, td_tensor **out, td_error **err) {
  const normal *self = instance;
  (void)err;
  self->host->tensor_retain(params[LOC]);
  *out = params[LOC];
  return TD_OK;
}

static td_status variance(const void *instance, td_tensor *const *params, td_tensor **out, td_error **err) {
  const normal *self = instance;
  td_value x = nothing;
  td_status s = call(self, self->pow, tensor(params[SCALE]), integer(2), NULL, &x, err);
  return give(s, self, &x, out);
}

static td_status create(const td_host *host, const td_config *config, void **self, td_error **err) {
  (void)config;
  normal found = {.host = host};
  struct {
    const char *name, *overload;
    const td_op **op;
  } ops[] = {
      {"add", "Tensor", &found.add},
      {"sub", "Tensor", &found.sub},
      {"mul", "Tensor", &found.mul},
      {"div", "Tensor", &found.div},
      {"pow", "Tensor_Scalar", &found.pow},
      {"neg", "", &found.neg},
      {"log", "", &found.log},
      {"expand", "", &found.expand},
      {"detach", "", &found.detach},
      {"normal", "Tensor_Tensor", &found.draw},
      {"new_empty", "", &found.new_empty},
      {"normal_", "", &found.normal_},
  };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) {
    td_status s = host->op_find(text(ops[i].name), text(ops[i].overload), ops[i].op, err);
    if (s != TD_OK) return s;
  }
  normal *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = found;
  *self = made;
  return TD_OK;
}

static void destroy(void *self) {
  free(self);
}

static const td_str params[] = {TD_TEXT("loc"), TD_TEXT("scale")};

static const td_distribution_type normal_type = {
    .type = {.struct_size = sizeof(td_distribution_type),
             .kind = TD_PLUGIN_DISTRIBUTION,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE,
             .id = TD_TEXT("td.normal"),
             .version = TD_TEXT("1.0.0")},
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .create = create,
    .destroy = destroy,
    .sample = sample,
    .rsample = rsample,
    .log_prob = log_prob,
    .entropy = entropy,
    .mean = mean,
    .mode = mean,
    .variance = variance,
};

static const td_plugin_type *const types[] = {&normal_type.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  if (host->abi_major != TD_PLUGIN_ABI_MAJOR) {
    *err = host->error_new(TD_ERR_VERSION, text("td.normal needs plugin ABI 1"));
    return TD_ERR_VERSION;
  }
  out->abi_major = TD_PLUGIN_ABI_MAJOR;
  out->abi_minor = TD_PLUGIN_ABI_MINOR;
  out->id = (td_str)TD_TEXT("td.normal");
  out->vendor = (td_str)TD_TEXT("libtensordict");
  out->version = (td_str)TD_TEXT("1.0.0");
  out->license = (td_str)TD_TEXT("MIT");
  out->types = types;
  out->n_types = 1;
  return TD_OK;
}
