/* The activations of torch.nn, each a type of its own: td.gelu, td.silu, td.tanh ... (td.relu is in relu.c, the shortest
 * example of a plugin).
 *
 * Config  as the arguments of torch.nn: {"alpha": 1.0} for elu and celu, {"negative_slope": 0.01} for leaky_relu,
 *         {"beta": 1.0, "threshold": 20.0} for softplus, {"dim": -1} for softmax and its kin, {"lambd": 0.5} for the shrinks,
 *         {"min_val": -1.0, "max_val": 1.0} for hardtanh, {"threshold", "value"} for threshold, {"approximate": "none"|"tanh"}
 *         for gelu, {"num_parameters": 1, "init": 0.25} for prelu
 * State   weight [num_parameters] for prelu, else none
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(gelu, "gelu", "") X(silu, "silu", "") \
  X(tanh, "tanh", "") X(sigmoid, "sigmoid", "") X(elu, "elu", "") X(celu, "celu", "") X(selu, "selu", "") \
  X(leaky_relu, "leaky_relu", "") X(softplus, "softplus", "") X(softmax, "softmax", "int") \
  X(log_softmax, "log_softmax", "int") X(hardtanh, "hardtanh", "") X(hardswish, "hardswish", "") \
  X(hardsigmoid, "hardsigmoid", "") X(log_sigmoid, "log_sigmoid", "") X(mish, "mish", "") \
  X(softshrink, "softshrink", "") X(hardshrink, "hardshrink", "") X(threshold, "threshold", "") X(glu, "glu", "") \
  X(prelu, "prelu", "") X(neg, "neg", "") X(sub, "sub", "Tensor") X(div, "div", "Tensor") X(abs, "abs", "") \
  X(add, "add", "Scalar")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

typedef struct activation {
  double a, b;
  int64_t dim;
  int approximate;
} activation;

static const char *const approximations[] = {"none", "tanh", NULL};

/* ACTIVATION(elu, "td.elu", what create reads into m, the formula of x) */
#define ACTIVATION(name, type_id, reads, formula)                                             \
  static td_status create_##name(workspace *work, const td_config *config MAYBE_UNUSED,       \
                                 td_module_builder *builder MAYBE_UNUSED, void **self) {      \
    activation m = {0};                                                                       \
    reads;                                                                                    \
    return created(work, &m, sizeof m, self);                                                 \
  }                                                                                           \
  static void forward_##name(workspace *work, const void *self, const call *c, Value *outs) { \
    const activation *m MAYBE_UNUSED = self;                                                  \
    Value x = input(c, 0);                                                                    \
    outs[0] = formula;                                                                        \
  }                                                                                           \
  MODULE(name, type_id, create_##name, forward_##name, 1, 1, 1)

/* Each reads a member of the config and shows it: `label` is all that stands before the number. */
#define NUMBER_AS(label, member, name, otherwise)           \
  (m.member = config_double(work, config, name, otherwise), \
   show(work, "%s%s", label, shown_number(config, name, m.member).text))
#define NUMBER(member, name, otherwise) NUMBER_AS(name "=", member, name, otherwise)
#define DIM(otherwise) \
  (m.dim = config_int(work, config, "dim", otherwise, INT64_MIN), show(work, "dim=%lld", (long long)m.dim))

static Value gelu_of(workspace *work, Value x, int approximate) {
  Value mode = {.kind = TD_VALUE_STR, .as.str = {approximations[approximate], TD_STRLEN}};
  return call_n(work, OP_gelu, &x, 1, "approximate", mode);
}

ACTIVATION(gelu, "td.gelu",
           (m.approximate = config_word(work, config, "approximate", approximations),
            show(work, "approximate='%s'", approximations[m.approximate])),
           gelu_of(work, x, m->approximate));
ACTIVATION(silu, "td.silu", (void)0, call1(work, OP_silu, x));
ACTIVATION(tanh, "td.tanh", (void)0, call1(work, OP_tanh, x));
ACTIVATION(sigmoid, "td.sigmoid", (void)0, call1(work, OP_sigmoid, x));
ACTIVATION(elu, "td.elu", NUMBER(a, "alpha", 1), call2(work, OP_elu, x, Number(m->a)));
ACTIVATION(celu, "td.celu", NUMBER(a, "alpha", 1), call2(work, OP_celu, x, Number(m->a)));
ACTIVATION(selu, "td.selu", (void)0, call1(work, OP_selu, x));
ACTIVATION(leaky_relu, "td.leaky_relu", NUMBER(a, "negative_slope", 0.01), call2(work, OP_leaky_relu, x, Number(m->a)));
ACTIVATION(softplus, "td.softplus", (NUMBER(a, "beta", 1), NUMBER_AS(", threshold=", b, "threshold", 20)),
           call3(work, OP_softplus, x, Number(m->a), Number(m->b)));
ACTIVATION(softmax, "td.softmax", DIM(-1), call2(work, OP_softmax, x, Integer(m->dim)));
ACTIVATION(softmin, "td.softmin", DIM(-1), call2(work, OP_softmax, call1(work, OP_neg, x), Integer(m->dim)));
ACTIVATION(log_softmax, "td.log_softmax", DIM(-1), call2(work, OP_log_softmax, x, Integer(m->dim)));
ACTIVATION(hardtanh, "td.hardtanh", (NUMBER(a, "min_val", -1), NUMBER_AS(", max_val=", b, "max_val", 1)),
           call3(work, OP_hardtanh, x, Number(m->a), Number(m->b)));
ACTIVATION(relu6, "td.relu6", (void)0, call3(work, OP_hardtanh, x, Number(0), Number(6)));
ACTIVATION(hardswish, "td.hardswish", (void)0, call1(work, OP_hardswish, x));
ACTIVATION(hardsigmoid, "td.hardsigmoid", (void)0, call1(work, OP_hardsigmoid, x));
ACTIVATION(log_sigmoid, "td.log_sigmoid", (void)0, call1(work, OP_log_sigmoid, x));
ACTIVATION(mish, "td.mish", (void)0, call1(work, OP_mish, x));
ACTIVATION(softshrink, "td.softshrink", NUMBER_AS("", a, "lambd", 0.5), call2(work, OP_softshrink, x, Number(m->a)));
ACTIVATION(hardshrink, "td.hardshrink", NUMBER_AS("", a, "lambd", 0.5), call2(work, OP_hardshrink, x, Number(m->a)));
ACTIVATION(tanhshrink, "td.tanhshrink", (void)0, call2(work, OP_sub, x, call1(work, OP_tanh, x)));
ACTIVATION(softsign, "td.softsign", (void)0,
           call2(work, OP_div, x, call2(work, OP_add, call1(work, OP_abs, x), Integer(1))));
ACTIVATION(threshold, "td.threshold", (NUMBER(a, "threshold", 0), NUMBER_AS(", value=", b, "value", 0)),
           call3(work, OP_threshold, x, Number(m->a), Number(m->b)));
ACTIVATION(glu, "td.glu", DIM(-1), call2(work, OP_glu, x, Integer(m->dim)));

static td_status create_prelu(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  const int64_t n = config_int(work, config, "num_parameters", 1, 1);
  PARAMETER("weight", filled(work, &n, 1, config_double(work, config, "init", 0.25)));
  show(work, "num_parameters=%lld", (long long)n);
  return created(work, "", 1, self);
}
static void forward_prelu(workspace *work, const void *self, const call *c, Value *outs) {
  (void)self;
  outs[0] = call2(work, OP_prelu, input(c, 0), state(c, 0));
}
MODULE(prelu, "td.prelu", create_prelu, forward_prelu, 1, 1, 1);

static const td_plugin_type *const types[] = {
    &gelu_type.type,        &silu_type.type,        &tanh_type.type,       &sigmoid_type.type,    &elu_type.type,
    &celu_type.type,        &selu_type.type,        &leaky_relu_type.type, &softplus_type.type,   &softmax_type.type,
    &softmin_type.type,     &log_softmax_type.type, &hardtanh_type.type,   &relu6_type.type,      &hardswish_type.type,
    &hardsigmoid_type.type, &log_sigmoid_type.type, &mish_type.type,       &softshrink_type.type, &hardshrink_type.type,
    &tanhshrink_type.type,  &softsign_type.type,    &threshold_type.type,  &glu_type.type,        &prelu_type.type};

/* clang-format off */
#define DIM_CONFIG SCHEMA(REQUIRED(), ANY_WHOLE("dim", -1))
#define ALPHA_CONFIG SCHEMA(REQUIRED(), NUMBER_IN("alpha", 1.0))
#define LAMBD_CONFIG SCHEMA(REQUIRED(), NUMBER_IN("lambd", 0.5))
static const td_str schemas[] = {
    SCHEMA(REQUIRED(), ONE_OF("approximate", "none", "tanh")), /* gelu */
    NO_CONFIG, NO_CONFIG, NO_CONFIG, ALPHA_CONFIG, ALPHA_CONFIG, NO_CONFIG, /* silu, tanh, sigmoid, elu, celu, selu */
    SCHEMA(REQUIRED(), NUMBER_IN("negative_slope", 0.01)), /* leaky_relu */
    SCHEMA(REQUIRED(), NUMBER_IN("beta", 1.0), NUMBER_IN("threshold", 20.0)), /* softplus */
    DIM_CONFIG, DIM_CONFIG, DIM_CONFIG, /* softmax, softmin, log_softmax */
    SCHEMA(REQUIRED(), NUMBER_IN("min_val", -1.0), NUMBER_IN("max_val", 1.0)), /* hardtanh */
    NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG, /* relu6, hardswish, hardsigmoid, log_sigmoid, mish */
    LAMBD_CONFIG, LAMBD_CONFIG, NO_CONFIG, NO_CONFIG, /* softshrink, hardshrink, tanhshrink, softsign */
    SCHEMA(REQUIRED(), NUMBER_IN("threshold", 0.0), NUMBER_IN("value", 0.0)), /* threshold */
    DIM_CONFIG, /* glu */
    SCHEMA(REQUIRED(), WHOLE_OR("num_parameters", 1, 1), NUMBER_IN("init", 0.25))}; /* prelu */
/* clang-format on */
PLUGIN("td.activation", types, schemas)
