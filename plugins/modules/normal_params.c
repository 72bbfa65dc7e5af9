/* td.normal_param_extractor and td.add_state_independent_normal_scale: tensordict.nn.NormalParamExtractor and
 * AddStateIndependentNormalScale; td.inv_softplus: the function of that name, log(max(exp(x) - 1, 1e-6)).
 *
 * Config  {"scale_mapping": "biased_softplus_1.0", "scale_lb": 1e-4}; the other: {"scale_shape": [4], "scale_mapping": "exp",
 *         "scale_lb": 1e-4, "make_param": true, "init_value": 0.0}
 *         Mappings: softplus, exp, relu, expln, none, biased_softplus, biased_softplus_{bias}, biased_softplus_{bias}_{min}
 * Outputs loc, scale, and every further input as it came
 * State   state_independent_scale [scale_shape] for the second, a parameter or a buffer
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(narrow, "narrow", "") \
  X(softplus, "softplus", "") X(exp, "exp", "") X(relu, "relu", "") X(log1p, "log1p", "") X(le, "le", "Scalar") \
  X(where, "where", "self") X(add, "add", "Scalar") X(clamp_min, "clamp_min", "") X(clamp_max, "clamp_max", "") \
  X(expand, "expand", "") X(expm1, "expm1", "") X(log, "log", "")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

enum mapping { SOFTPLUS, EXP, RELU, EXPLN, NONE, BIASED };
enum { MAX_SCALE_DIMS = 16, MAX_INPUTS = 8 };

typedef struct scale {
  enum mapping mapping;
  double shift, least, lower_bound;
  int64_t shape[MAX_SCALE_DIMS];
  size_t dims;
} scale;

/* "biased_softplus_{bias}_{min}": one that is `bias` at 0 and never below `min`, computed in float as the original does. */
static void config_mapping(workspace *work, const td_config *config, const char *otherwise, scale *m) {
  static const char *const names[] = {"softplus", "exp", "relu", "expln", "none", "biased_softplus"};
  static const char biased[] = "biased_softplus";
  td_str given = text(otherwise);
  if (work->status == TD_OK) work->status = host->config_str(config, text("scale_mapping"), &given, work->err);
  m->lower_bound = config_double(work, config, "scale_lb", 1e-4);
  if (work->status != TD_OK) return;
  char name[64];
  const size_t size = given.size == TD_STRLEN ? strlen(given.data) : given.size;
  if (size < sizeof name) {
    memcpy(name, given.data, size);
    name[size] = 0;
    double bias = 1, least = 0.01;
    int found = -1, end = 0;
    for (int i = 0; i < 6; ++i)
      if (strcmp(name, names[i]) == 0) found = i;
    if (found < 0 && strncmp(name, biased, sizeof biased - 1) == 0) {
      const char *rest = name + sizeof biased - 1;
      char *after = NULL;
      if (*rest == '_') bias = strtod(rest + 1, &after);
      if (after && after != rest + 1 && *after == '_') {
        rest = after;
        least = strtod(rest + 1, &after);
      }
      end = after && after != rest + 1 && *after == 0;
      if (end) found = BIASED;
    }
    if (found >= 0) {
      float exceeds = expm1f((float)(bias - least));
      m->mapping = (enum mapping)found;
      m->shift = logf(exceeds > 1e-6f ? exceeds : 1e-6f);
      m->least = least;
      if (m->mapping == BIASED) show(work, "(scale_mapping): biased_softplus()\n"); /* a module of its own there */
      return;
    }
  }
  refuse(work, "scale_mapping", "be softplus, exp, relu, expln, none or biased_softplus_{bias}_{min}");
}

static Value mapped(workspace *work, const scale *m, Value x) {
  switch (m->mapping) {
    case SOFTPLUS:
      x = call1(work, OP_softplus, x);
      break;
    case EXP:
      x = call1(work, OP_exp, x);
      break;
    case RELU:
      x = call1(work, OP_relu, x);
      break;
    case EXPLN: { /* each branch on numbers for which its derivative is finite */
      Value low = call1(work, OP_exp, call2(work, OP_clamp_max, x, Integer(0)));
      Value high = call2(work, OP_add, call1(work, OP_log1p, call2(work, OP_clamp_min, x, Integer(0))), Integer(1));
      x = call3(work, OP_where, call2(work, OP_le, x, Integer(0)), low, high);
      break;
    }
    case BIASED:
      x = call2(work, OP_add, call1(work, OP_softplus, call2(work, OP_add, x, Number(m->shift))), Number(m->least));
      break;
    default:
      break;
  }
  return call2(work, OP_clamp_min, x, Number(m->lower_bound));
}

static void pass_on(const call *c, Value *outs) {
  for (size_t i = 1; i < c->n_inputs; ++i) outs[1 + i] = input(c, i);
}

static td_status create_extractor(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  (void)builder;
  scale m = {.dims = 0};
  config_mapping(work, config, "biased_softplus_1.0", &m);
  return created(work, &m, sizeof m, self);
}

static void forward_extractor(workspace *work, const void *self, const call *c, Value *outs) {
  Value x = input(c, 0);
  int64_t sizes[MAX_DIMS];
  const size_t n = shape_of(work, x, sizes);
  if (work->status == TD_OK && (n == 0 || sizes[n - 1] < 2))
    fail(work, TD_ERR_SHAPE, "the last dim must hold at least 2 numbers");
  if (work->status != TD_OK) return;
  const int64_t locs = (sizes[n - 1] + 1) / 2; /* chunk(2): of an odd size the first part is larger */
  outs[0] = call4(work, OP_narrow, x, Integer(-1), Integer(0), Integer(locs));
  outs[1] = mapped(work, self, call4(work, OP_narrow, x, Integer(-1), Integer(locs), Integer(sizes[n - 1] - locs)));
  pass_on(c, outs);
}

static td_status create_independent(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  scale m = {.dims = 0};
  const int64_t *list = NULL;
  int64_t one = 0;
  host->config_ints(config, text("scale_shape"), &list, &m.dims,
                    NULL); /* fails for a single number, which is read then */
  if (m.dims == 0 && host->config_int(config, text("scale_shape"), &one, NULL) == TD_OK && one != 0)
    list = &one, m.dims = 1;
  if (m.dims > MAX_SCALE_DIMS) refuse(work, "scale_shape", "have at most 16 dims");
  for (size_t i = 0; i < m.dims && work->status == TD_OK; ++i) at_least(work, "scale_shape", m.shape[i] = list[i], 0);
  config_mapping(work, config, "exp", &m);
  const int parameter = config_bool(work, config, "make_param", 1);
  Value value = filled(work, m.shape, m.dims, config_double(work, config, "init_value", 0));
  declare(work, builder, parameter ? TD_ROLE_PARAMETER : TD_ROLE_BUFFER, "state_independent_scale", value);
  return created(work, &m, sizeof m, self);
}

static void forward_independent(workspace *work, const void *self, const call *c, Value *outs) {
  const scale *m = self;
  int64_t sizes[MAX_DIMS];
  const size_t n = shape_of(work, input(c, 0), sizes);
  if (work->status == TD_OK && (n < m->dims || memcmp(sizes + n - m->dims, m->shape, m->dims * sizeof *sizes) != 0))
    fail(work, TD_ERR_SHAPE, "the last dims of loc must be scale_shape");
  outs[0] = input(c, 0);
  outs[1] = mapped(work, m, call2(work, OP_expand, state(c, 0), ints(sizes, n)));
  pass_on(c, outs);
}

static td_status create_inverse(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  (void)config, (void)builder;
  scale m = {.dims = 0};
  return created(work, &m, sizeof m, self);
}

static void forward_inverse(workspace *work, const void *self, const call *c, Value *outs) {
  (void)self;
  outs[0] = call1(work, OP_log, call2(work, OP_clamp_min, call1(work, OP_expm1, input(c, 0)), Number(1e-6)));
}

MODULE(extractor, "td.normal_param_extractor", create_extractor, forward_extractor, 1, MAX_INPUTS, MAX_INPUTS + 1);
MODULE(independent, "td.add_state_independent_normal_scale", create_independent, forward_independent, 1, MAX_INPUTS,
       MAX_INPUTS + 1);

MODULE(inverse, "td.inv_softplus", create_inverse, forward_inverse, 1, 1, 1);

static const td_plugin_type *const types[] = {&extractor_type.type, &independent_type.type, &inverse_type.type};

/* clang-format off */
#define MAPPING(otherwise) \
  MEMBER("scale_mapping", "type": "string", "default": otherwise), NUMBER_IN("scale_lb", 1e-4)
static const td_str schemas[] = {
    SCHEMA(REQUIRED(), MAPPING("biased_softplus_1.0")),
    SCHEMA(REQUIRED(), SIZES("scale_shape", 0), MAPPING("exp"), FLAG("make_param", true), NUMBER_IN("init_value", 0.0)),
    NO_CONFIG};
/* clang-format on */
PLUGIN("td.normal_params", types, schemas)
