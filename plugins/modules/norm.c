/* td.batch_norm1d .. 3d, td.instance_norm1d .. 3d, td.layer_norm, td.group_norm and td.rms_norm: torch.nn's.
 *
 * Config  batch: {"num_features": 8, "eps": 1e-5, "momentum": 0.1 (negative: a cumulative average), "affine": true,
 *          "track_running_stats": true}; instance: the same, off by default the last two
 *         layer, rms: {"normalized_shape": 8 or [4, 8], "eps": 1e-5 (rms: the dtype's epsilon), "elementwise_affine": true,
 *          "bias": true (layer)}; group: {"num_groups": 2, "num_channels": 8, "eps": 1e-5, "affine": true}
 * State   weight and bias, ones and zeros; running_mean, running_var and num_batches_tracked as buffers, which a forward
 *         pass in training mode changes in place, as PyTorch's does
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(batch_norm, "batch_norm", "") \
  X(instance_norm, "instance_norm", "") X(layer_norm, "layer_norm", "") X(group_norm, "group_norm", "") \
  X(add_, "add_", "Scalar") X(item, "item", "") X(pow, "pow", "Tensor_Scalar") X(mean, "mean", "dim") \
  X(add, "add", "Scalar") X(mul, "mul", "Tensor") X(rsqrt, "rsqrt", "")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

enum { MAX_NORMALIZED = 8 };

typedef struct norm {
  size_t dims; /* of the data besides batch and channels, or of the normalized shape */
  int affine, bias, tracks, instance;
  double eps, momentum;
  int64_t groups, shape[MAX_NORMALIZED];
} norm;

/* ---- Batch and instance norm ------------------------------------------------------------------------------------- */
static td_status create_batch(workspace *work, const td_config *config, td_module_builder *builder, void **self,
                              size_t dims, int instance) {
  norm m = {.dims = dims, .instance = instance};
  const int64_t n = config_int(work, config, "num_features", 0, 1);
  m.eps = config_double(work, config, "eps", 1e-5);
  m.momentum = config_double(work, config, "momentum", 0.1);
  m.affine = m.bias = config_bool(work, config, "affine", !instance);
  m.tracks = config_bool(work, config, "track_running_stats", !instance);
  if (m.affine) {
    PARAMETER("weight", filled(work, &n, 1, 1));
    PARAMETER("bias", filled(work, &n, 1, 0));
  }
  if (m.tracks) {
    BUFFER("running_mean", filled(work, &n, 1, 0));
    BUFFER("running_var", filled(work, &n, 1, 1));
    td_named_value dtype = {text("dtype"), {.kind = TD_VALUE_DTYPE, .as.i = TD_DTYPE_INT64}};
    Value args[] = {ints(NULL, 0), Integer(0)}, counter = none;
    if (work->status == TD_OK)
      work->status = host->op_call(operators[OP_full], args, 2, &dtype, 1, &counter, 1, work->err);
    if (work->status == TD_OK) BUFFER("num_batches_tracked", hold(work, counter));
  }
  show(work, "%lld, eps=%s, momentum=%s, affine=%s, bias=%s, track_running_stats=%s", (long long)n,
       shown_number(config, "eps", m.eps).text,
       m.momentum < 0 ? "None" : shown_number(config, "momentum", m.momentum).text, truth_text(m.affine),
       truth_text(m.bias), truth_text(m.tracks));
  return created(work, &m, sizeof m, self);
}

static void forward_batch(workspace *work, const void *self, const call *c, Value *outs) {
  const norm *m = self;
  Value x = input(c, 0);
  int64_t sizes[MAX_DIMS];
  const size_t n = shape_of(work, x, sizes);
  const size_t least = m->dims == 1 ? 2 : m->dims + 2;
  if (work->status == TD_OK && (n < least || n > m->dims + 2) && !(m->instance && n == m->dims + 1))
    fail(work, TD_ERR_SHAPE, "the input must have a batch dim, a channel dim and the dims that the type needs");
  const size_t first = m->affine ? 2 : 0;
  Value mean = m->tracks ? state(c, first) : none, variance = m->tracks ? state(c, first + 1) : none;
  Value weight = m->affine ? state(c, 0) : none, bias = m->affine ? state(c, 1) : none;
  double momentum = m->momentum;
  if (m->tracks && c->training && !m->instance) { /* instance norms do not count */
    Value counter = state(c, first + 2), count = none;
    call2(work, OP_add_, counter, Integer(1));
    if (momentum < 0) {
      calls(work, OP_item, &counter, 1, NULL, none, &count, 1);
      momentum = work->status == TD_OK ? 1.0 / (double)count.as.i : 0;
    }
  }
  Value args[] = {x,
                  weight,
                  bias,
                  mean,
                  variance,
                  truth(c->training || !m->tracks),
                  Number(momentum < 0 ? 0 : momentum),
                  Number(m->eps),
                  truth(0)};
  outs[0] = call_n(work, m->instance ? OP_instance_norm : OP_batch_norm, args, 9, NULL, none);
}

/* ---- Layer, group and RMS norm ----------------------------------------------------------------------------------- */
static void normalized_shape(workspace *work, const td_config *config, norm *m) {
  const int64_t *list = NULL;
  int64_t one = 0;
  host->config_ints(config, text("normalized_shape"), &list, &m->dims, NULL);
  if (m->dims == 0) one = config_int(work, config, "normalized_shape", 0, 1);
  if (m->dims > MAX_NORMALIZED) refuse(work, "normalized_shape", "have at most 8 dims");
  if (work->status != TD_OK) {
    m->dims = 0; /* more than there is room for */
    return;
  }
  for (size_t i = 0; i < m->dims; ++i) at_least(work, "normalized_shape", m->shape[i] = list[i], 1);
  if (m->dims == 0) m->shape[0] = one, m->dims = 1;
}

static td_status create_layer(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  norm m = {0};
  normalized_shape(work, config, &m);
  m.eps = config_double(work, config, "eps", 1e-5);
  m.affine = config_bool(work, config, "elementwise_affine", 1);
  m.bias = config_bool(work, config, "bias", 1) && m.affine;
  if (m.affine) PARAMETER("weight", filled(work, m.shape, m.dims, 1));
  if (m.bias) PARAMETER("bias", filled(work, m.shape, m.dims, 0));
  show(work, "%s, eps=%s, elementwise_affine=%s, bias=%s", shown_tuple(m.shape, m.dims).text,
       shown_number(config, "eps", m.eps).text, truth_text(m.affine), truth_text(m.bias));
  return created(work, &m, sizeof m, self);
}

static void forward_layer(workspace *work, const void *self, const call *c, Value *outs) {
  const norm *m = self;
  Value args[] = {input(c, 0), ints(m->shape, m->dims), state(c, 0), state(c, 1), Number(m->eps)};
  outs[0] = call_n(work, OP_layer_norm, args, 5, NULL, none);
}

static td_status create_rms(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  norm m = {0};
  normalized_shape(work, config, &m);
  m.eps = config_double(work, config, "eps", -1);
  m.affine = config_bool(work, config, "elementwise_affine", 1);
  if (m.affine) PARAMETER("weight", filled(work, m.shape, m.dims, 1));
  show(work, "%s, eps=%s, elementwise_affine=%s", shown_tuple(m.shape, m.dims).text,
       m.eps < 0 ? "None" : shown_number(config, "eps", m.eps).text, truth_text(m.affine));
  return created(work, &m, sizeof m, self);
}

/* In steps, as LibTorch has an operator for it only since 2.4. */
static void forward_rms(workspace *work, const void *self, const call *c, Value *outs) {
  const norm *m = self;
  Value x = input(c, 0);
  int64_t sizes[MAX_DIMS], over[MAX_NORMALIZED];
  const size_t n = shape_of(work, x, sizes);
  if (work->status == TD_OK && (n < m->dims || memcmp(sizes + n - m->dims, m->shape, m->dims * sizeof *sizes) != 0))
    fail(work, TD_ERR_SHAPE, "the input must end with the normalized shape");
  for (size_t i = 0; i < m->dims; ++i) over[i] = -(int64_t)(i + 1);
  const double eps = m->eps >= 0                       ? m->eps
                     : dtype_of(x) == TD_DTYPE_FLOAT64 ? 2.220446049250313e-16
                                                       : 1.1920928955078125e-07;
  Value square = call2(work, OP_pow, x, Integer(2));
  Value mean = call3(work, OP_mean, square, ints(over, m->dims), truth(1));
  Value y = call2(work, OP_mul, x, call1(work, OP_rsqrt, call2(work, OP_add, mean, Number(eps))));
  outs[0] = m->affine ? call2(work, OP_mul, y, state(c, 0)) : y;
}

static td_status create_group(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  norm m = {0};
  m.groups = config_int(work, config, "num_groups", 0, 1);
  const int64_t channels = config_int(work, config, "num_channels", 0, 1);
  m.eps = config_double(work, config, "eps", 1e-5);
  m.affine = config_bool(work, config, "affine", 1);
  if (work->status == TD_OK && channels % m.groups) refuse(work, "num_channels", "be divisible by num_groups");
  if (m.affine) {
    PARAMETER("weight", filled(work, &channels, 1, 1));
    PARAMETER("bias", filled(work, &channels, 1, 0));
  }
  show(work, "%lld, %lld, eps=%s, affine=%s, bias=%s", (long long)m.groups, (long long)channels,
       shown_number(config, "eps", m.eps).text, truth_text(m.affine), truth_text(m.affine));
  return created(work, &m, sizeof m, self);
}

static void forward_group(workspace *work, const void *self, const call *c, Value *outs) {
  const norm *m = self;
  Value args[] = {input(c, 0), Integer(m->groups), state(c, 0), state(c, 1), Number(m->eps)};
  outs[0] = call_n(work, OP_group_norm, args, 5, NULL, none);
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
#define BATCH_NORM(name, type_id, dims, instance)                                                                     \
  static td_status create_##name(workspace *work, const td_config *config, td_module_builder *builder, void **self) { \
    return create_batch(work, config, builder, self, dims, instance);                                                 \
  }                                                                                                                   \
  MODULE(name, type_id, create_##name, forward_batch, 1, 1, 1)

BATCH_NORM(batch1, "td.batch_norm1d", 1, 0);
BATCH_NORM(batch2, "td.batch_norm2d", 2, 0);
BATCH_NORM(batch3, "td.batch_norm3d", 3, 0);
BATCH_NORM(instance1, "td.instance_norm1d", 1, 1);
BATCH_NORM(instance2, "td.instance_norm2d", 2, 1);
BATCH_NORM(instance3, "td.instance_norm3d", 3, 1);
MODULE(layer, "td.layer_norm", create_layer, forward_layer, 1, 1, 1);
MODULE(rms, "td.rms_norm", create_rms, forward_rms, 1, 1, 1);
MODULE(group, "td.group_norm", create_group, forward_group, 1, 1, 1);

static const td_plugin_type *const types[] = {&batch1_type.type,    &batch2_type.type,    &batch3_type.type,
                                              &instance1_type.type, &instance2_type.type, &instance3_type.type,
                                              &layer_type.type,     &rms_type.type,       &group_type.type};

/* clang-format off */
#define BATCH_CONFIG(otherwise)                                                                                \
  SCHEMA(REQUIRED("num_features"), WHOLE("num_features", 1), NUMBER_IN("eps", 1e-5), NUMBER_IN("momentum", 0.1), \
         FLAG("affine", otherwise), FLAG("track_running_stats", otherwise))
#define LAYER_CONFIG(...) \
  SCHEMA(REQUIRED("normalized_shape"), SIZES("normalized_shape", 1), FLAG("elementwise_affine", true), __VA_ARGS__)
static const td_str schemas[] = {
    BATCH_CONFIG(true), BATCH_CONFIG(true), BATCH_CONFIG(true),
    BATCH_CONFIG(false), BATCH_CONFIG(false), BATCH_CONFIG(false),
    LAYER_CONFIG(NUMBER_IN("eps", 1e-5), FLAG("bias", true)), LAYER_CONFIG(MEMBER("eps", "type": "number")),
    SCHEMA(REQUIRED("num_groups", "num_channels"), WHOLE("num_groups", 1), WHOLE("num_channels", 1), NUMBER_IN("eps", 1e-5), FLAG("affine", true))};
/* clang-format on */
PLUGIN("td.norm", types, schemas)
