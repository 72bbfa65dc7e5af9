/* td.mlp: linear layers with an activation between them, a torch.nn.Sequential(Linear, ReLU, Linear, ...), and what torchrl's
 * MLP puts between them: Linear, [Dropout], [norm], activation.
 *
 * Config  {"in_features": 64, "hidden": [32, 32] or "depth": 2 with "num_cells": 32, "out_features": 10,
 *         "activation": "relu"|"tanh"|"gelu"|"sigmoid"|"silu"|"elu"|"leaky_relu"|"softplus"|"mish",
 *         "norm": "none"|"layer_norm"|"batch_norm", "dropout": 0.0, "bias_last_layer": true, "activate_last_layer": false}
 * State   ("0", "weight"), ("0", "bias"), ("2", "weight"), ...: the names and shapes that torch.nn.Sequential gives
 * Start   torch.nn.Linear's, layer after layer: uniform in (-1/sqrt(in), 1/sqrt(in)), weight before bias
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(linear, "linear", "") \
  X(dropout, "dropout", "") X(layer_norm, "layer_norm", "") X(batch_norm, "batch_norm", "") \
  X(add_, "add_", "Scalar") X(relu, "relu", "") X(tanh, "tanh", "") X(gelu, "gelu", "") X(sigmoid, "sigmoid", "") \
  X(silu, "silu", "") X(elu, "elu", "") X(leaky_relu, "leaky_relu", "") X(softplus, "softplus", "") \
  X(mish, "mish", "")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

enum { NO_NORM, BY_LAYER, BY_BATCH };
enum { MAX_LAYERS = 1024 };
typedef struct mlp {
  int activation, norm, bias_last, activate_last;
  double dropout;
  size_t n_layers;
} mlp;

static size_t norm_state(const mlp *m) {
  return m->norm == BY_BATCH ? 5 : m->norm == BY_LAYER ? 2 : 0;
}

static void config_layers(workspace *work, const td_config *config, mlp *m) {
  static const char *const activations[] = {"relu", "tanh",       "gelu",     "sigmoid", "silu",
                                            "elu",  "leaky_relu", "softplus", "mish",    NULL};
  static const int operator_of[] = {OP_relu, OP_tanh,       OP_gelu,     OP_sigmoid, OP_silu,
                                    OP_elu,  OP_leaky_relu, OP_softplus, OP_mish};
  static const char *const norms[] = {"none", "layer_norm", "batch_norm", NULL};
  m->activation = operator_of[config_word(work, config, "activation", activations)];
  m->norm = config_word(work, config, "norm", norms);
  m->dropout = config_double(work, config, "dropout", 0);
  m->bias_last = config_bool(work, config, "bias_last_layer", 1);
  m->activate_last = config_bool(work, config, "activate_last_layer", 0);
  if (!(m->dropout >= 0 && m->dropout <= 1)) refuse(work, "dropout", "be between 0 and 1");
}

static void declare_norm(workspace *work, td_module_builder *builder, const mlp *m, size_t index, int64_t size) {
  static const char *const names[] = {"weight", "bias", "running_mean", "running_var"};
  char key[48];
  for (int i = 0; i < (m->norm == BY_BATCH ? 4 : 2); ++i) {
    snprintf(key, sizeof key, "%zu.%s", index, names[i]);
    declare(work, builder, i < 2 ? TD_ROLE_PARAMETER : TD_ROLE_BUFFER, key, filled(work, &size, 1, i == 0 || i == 3));
  }
  if (m->norm != BY_BATCH) return;
  Value args[] = {ints(NULL, 0), Integer(0)};
  snprintf(key, sizeof key, "%zu.num_batches_tracked", index);
  BUFFER(key, call_n(work, OP_full, args, 2, NULL, none));
}

static void show_norm(workspace *work, const mlp *m, size_t index, int64_t size) {
  if (m->norm == BY_LAYER)
    show(work, "(%zu): LayerNorm((%lld,), eps=1e-05, elementwise_affine=True, bias=True)\n", index, (long long)size);
  else
    show(work, "(%zu): BatchNorm1d(%lld, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)\n",
         index, (long long)size);
}

static const char *activation_text(int activation) {
  switch (activation) {
    case OP_relu:
      return "ReLU()";
    case OP_tanh:
      return "Tanh()";
    case OP_gelu:
      return "GELU(approximate='none')";
    case OP_sigmoid:
      return "Sigmoid()";
    case OP_silu:
      return "SiLU()";
    case OP_elu:
      return "ELU(alpha=1.0)";
    case OP_leaky_relu:
      return "LeakyReLU(negative_slope=0.01)";
    case OP_softplus:
      return "Softplus(beta=1.0, threshold=20.0)";
    default:
      return "Mish()";
  }
}

/* Layer `i` begins at module *index of the sequence, which moves on past it. */
static void declare_layer(workspace *work, td_module_builder *builder, const mlp *m, size_t i, size_t *index,
                          int64_t in, int64_t out) {
  const int last = i + 1 == m->n_layers;
  const int64_t dims[] = {out, in};
  char key[48];
  const size_t mark = work->n_held;
  snprintf(key, sizeof key, "%zu.weight", *index);
  PARAMETER(key, kaiming_uniform(work, dims, 2, in));
  snprintf(key, sizeof key, "%zu.bias", *index);
  if (!last || m->bias_last) PARAMETER(key, uniform(work, dims, 1, 1.0 / sqrt((double)in)));
  show(work, "(%zu): Linear(in_features=%lld, out_features=%lld, bias=%s)\n", (*index)++, (long long)in, (long long)out,
       truth_text(!last || m->bias_last));
  if (!last || m->activate_last) {
    if (m->dropout > 0)
      show(work, "(%zu): Dropout(p=%s, inplace=False)\n", (*index)++, shown_number(NULL, "", m->dropout).text);
    if (m->norm != NO_NORM) {
      show_norm(work, m, *index, out);
      declare_norm(work, builder, m, (*index)++, out);
    }
    show(work, "(%zu): %s\n", (*index)++, activation_text(m->activation));
  }
  release_since(work, mark, none);
}

static td_status create(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  mlp m = {.n_layers = 1};
  const int64_t *hidden = NULL;
  size_t n_hidden = 0, index = 0;
  const int64_t in = config_int(work, config, "in_features", 0, 1),
                out = config_int(work, config, "out_features", 0, 1);
  if (work->status == TD_OK) work->status = host->config_ints(config, text("hidden"), &hidden, &n_hidden, work->err);
  const int64_t depth = config_int(work, config, "depth", -1, -1), cells = config_int(work, config, "num_cells", 0, 0);
  config_layers(work, config, &m);
  if (hidden && depth >= 0) refuse(work, "hidden", "not be given together with depth");
  if (depth >= 0) n_hidden = (size_t)depth;
  if (n_hidden >= MAX_LAYERS) refuse(work, "hidden", "have fewer than 1024 layers");
  m.n_layers += n_hidden;
  for (size_t i = 0; i <= n_hidden && work->status == TD_OK; ++i) {
    const int64_t from = i == 0   ? in
                         : hidden ? hidden[i - 1]
                                  : cells,
                  to = i == n_hidden ? out
                       : hidden      ? hidden[i]
                                     : cells;
    at_least(work, hidden ? "every layer" : "num_cells", from < to ? from : to, 1);
    if (work->status == TD_OK) declare_layer(work, builder, &m, i, &index, from, to);
  }
  return created(work, &m, sizeof m, self);
}

static Value normed(workspace *work, const mlp *m, const call *c, size_t at, Value x) {
  int64_t size = 0;
  if (m->norm == BY_LAYER) {
    shape_of(work, state(c, at), &size);
    Value args[] = {x, ints(&size, 1), state(c, at), state(c, at + 1), Number(1e-5)};
    return call_n(work, OP_layer_norm, args, 5, NULL, none);
  }
  if (c->training) call2(work, OP_add_, state(c, at + 4), Integer(1));
  Value args[] = {x,           state(c, at), state(c, at + 1), state(c, at + 2), state(c, at + 3), truth(c->training),
                  Number(0.1), Number(1e-5), truth(0)};
  return call_n(work, OP_batch_norm, args, 9, NULL, none);
}

static void forward(workspace *work, const void *self, const call *c, Value *outs) {
  const mlp *m = self;
  Value x = input(c, 0);
  for (size_t i = 0, at = 0; i < m->n_layers && work->status == TD_OK; ++i) {
    const int last = i + 1 == m->n_layers, bias = !last || m->bias_last;
    const size_t mark = work->n_held;
    x = call3(work, OP_linear, x, state(c, at), bias ? state(c, at + 1) : none);
    at += 1 + (size_t)bias;
    if (!last || m->activate_last) {
      if (m->dropout > 0) x = call3(work, OP_dropout, x, Number(m->dropout), truth(c->training));
      if (m->norm != NO_NORM) x = normed(work, m, c, at, x);
      at += norm_state(m);
      x = call1(work, m->activation, x);
    }
    release_since(work, mark, x);
  }
  outs[0] = x;
}

MODULE(mlp, "td.mlp", create, forward, 1, 1, 1);

static const td_plugin_type *const types[] = {&mlp_type.type};

/* clang-format off */
static const td_str schemas[] = {
    SCHEMA(REQUIRED("in_features", "out_features"), WHOLE("in_features", 1), WHOLE("out_features", 1),
           MEMBER("hidden", "type": "array", LIST_OF(1)), WHOLE("depth", 0), WHOLE("num_cells", 1),
           ONE_OF("activation", "relu", "tanh", "gelu", "sigmoid", "silu", "elu", "leaky_relu", "softplus", "mish"),
           ONE_OF("norm", "none", "layer_norm", "batch_norm"), BETWEEN("dropout", 0, 1, 0.0), FLAG("bias_last_layer", true),
           FLAG("activate_last_layer", false))};
/* clang-format on */
PLUGIN("td.mlp", types, schemas)
