/* td.identity, td.flatten, td.unflatten and the dropouts td.dropout, td.dropout1d .. 3d, td.alpha_dropout: torch.nn's.
 *
 * Config  flatten: {"start_dim": 1, "end_dim": -1}; unflatten: {"dim": 1, "sizes": [2, 3]}; dropouts: {"p": 0.5}
 * State   none. Dropouts draw from LibTorch's default generator, in training mode only.
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(flatten, "flatten", "using_ints") \
  X(reshape, "reshape", "") X(dropout, "dropout", "") X(feature_dropout, "feature_dropout", "") \
  X(alpha_dropout, "alpha_dropout", "") X(alias, "alias", "")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

enum { MAX_SIZES = 16 };

typedef struct shape {
  int64_t start, end, sizes[MAX_SIZES];
  size_t n_sizes;
  double p;
  int op;
} shape;

static td_status create_identity(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  (void)config, (void)builder;
  return created(work, "", 1, self);
}
static void forward_identity(workspace *work, const void *self, const call *c, Value *outs) {
  (void)work, (void)self;
  outs[0] = input(c, 0);
}

static td_status create_flatten(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  (void)builder;
  shape m = {.start = config_int(work, config, "start_dim", 1, INT64_MIN)};
  m.end = config_int(work, config, "end_dim", -1, INT64_MIN);
  show(work, "start_dim=%lld, end_dim=%lld", (long long)m.start, (long long)m.end);
  return created(work, &m, sizeof m, self);
}
static void forward_flatten(workspace *work, const void *self, const call *c, Value *outs) {
  const shape *m = self;
  outs[0] = call3(work, OP_flatten, input(c, 0), Integer(m->start), Integer(m->end));
}

static td_status create_unflatten(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  (void)builder;
  shape m = {.start = config_int(work, config, "dim", 1, INT64_MIN)};
  const int64_t *sizes = NULL;
  if (work->status == TD_OK) work->status = host->config_ints(config, text("sizes"), &sizes, &m.n_sizes, work->err);
  if (m.n_sizes < 1 || m.n_sizes > MAX_SIZES) refuse(work, "sizes", "be given and have at most 16 sizes");
  if (work->status == TD_OK) memcpy(m.sizes, sizes, m.n_sizes * sizeof *sizes);
  if (work->status == TD_OK)
    show(work, "dim=%lld, unflattened_size=%s", (long long)m.start, shown_tuple(m.sizes, m.n_sizes).text);
  return created(work, &m, sizeof m, self);
}
static void forward_unflatten(workspace *work, const void *self, const call *c, Value *outs) {
  const shape *m = self;
  int64_t sizes[MAX_DIMS], wanted[MAX_DIMS + MAX_SIZES], known = 1;
  const size_t n = shape_of(work, input(c, 0), sizes);
  const int64_t dim = m->start < 0 ? m->start + (int64_t)n : m->start;
  if (work->status != TD_OK) return;
  if (dim < 0 || dim >= (int64_t)n) {
    fail(work, TD_ERR_INDEX, "dim is out of range for the input");
    return;
  }
  size_t open = m->n_sizes;
  for (size_t i = 0; i < m->n_sizes; ++i) {
    if (m->sizes[i] == -1 && open == m->n_sizes)
      open = i;
    else if (m->sizes[i] > 0 && known <= sizes[dim])
      known *= m->sizes[i];
    else
      known = sizes[dim] + 1;
  }
  if (open < m->n_sizes ? known > sizes[dim] || sizes[dim] % known : known != sizes[dim]) {
    fail(work, TD_ERR_SHAPE, "the product of the sizes is not the size of the dim");
    return;
  }
  memcpy(wanted, sizes, (size_t)dim * sizeof *sizes);
  for (size_t i = 0; i < m->n_sizes; ++i) wanted[(size_t)dim + i] = i == open ? sizes[dim] / known : m->sizes[i];
  memcpy(wanted + (size_t)dim + m->n_sizes, sizes + dim + 1, (n - (size_t)dim - 1) * sizeof *sizes);
  outs[0] = call2(work, OP_reshape, input(c, 0), ints(wanted, n - 1 + m->n_sizes));
}

static td_status create_dropout_of(workspace *work, const td_config *config, void **self, int op) {
  shape m = {.p = config_double(work, config, "p", 0.5), .op = op};
  if (work->status == TD_OK && !(m.p >= 0 && m.p <= 1)) refuse(work, "p", "be in [0, 1]");
  show(work, "p=%s, inplace=False", shown_number(config, "p", m.p).text);
  return created(work, &m, sizeof m, self);
}
static void forward_dropout(workspace *work, const void *self, const call *c, Value *outs) {
  const shape *m = self;
  outs[0] = call3(work, m->op, input(c, 0), Number(m->p), truth(c->training));
}

#define DROPOUT(name, type_id, op)                                                                                    \
  static td_status create_##name(workspace *work, const td_config *config, td_module_builder *builder, void **self) { \
    (void)builder;                                                                                                    \
    return create_dropout_of(work, config, self, op);                                                                 \
  }                                                                                                                   \
  MODULE(name, type_id, create_##name, forward_dropout, 1, 1, 1)

MODULE(identity, "td.identity", create_identity, forward_identity, 1, 1, 1);
MODULE(flatten, "td.flatten", create_flatten, forward_flatten, 1, 1, 1);
MODULE(unflatten, "td.unflatten", create_unflatten, forward_unflatten, 1, 1, 1);
DROPOUT(dropout, "td.dropout", OP_dropout);
DROPOUT(dropout1d, "td.dropout1d", OP_feature_dropout);
DROPOUT(dropout2d, "td.dropout2d", OP_feature_dropout);
DROPOUT(dropout3d, "td.dropout3d", OP_feature_dropout);
DROPOUT(alpha, "td.alpha_dropout", OP_alpha_dropout);

static const td_plugin_type *const types[] = {&identity_type.type,  &flatten_type.type,   &unflatten_type.type,
                                              &dropout_type.type,   &dropout1d_type.type, &dropout2d_type.type,
                                              &dropout3d_type.type, &alpha_type.type};

/* clang-format off */
#define DROPOUT_CONFIG SCHEMA(REQUIRED(), BETWEEN("p", 0, 1, 0.5))
static const td_str schemas[] = {
    NO_CONFIG, SCHEMA(REQUIRED(), ANY_WHOLE("start_dim", 1), ANY_WHOLE("end_dim", -1)),
    SCHEMA(REQUIRED("sizes"), ANY_WHOLE("dim", 1), MEMBER("sizes", "type": "array", "minItems": 1, "maxItems": 16, "items": {"type": "integer"})),
    DROPOUT_CONFIG, DROPOUT_CONFIG, DROPOUT_CONFIG, DROPOUT_CONFIG, DROPOUT_CONFIG};
/* clang-format on */
PLUGIN("td.shape", types, schemas)
