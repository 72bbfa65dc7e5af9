/* td.max_pool1d .. 3d, td.avg_pool1d .. 3d, td.adaptive_avg_pool1d .. 3d and td.adaptive_max_pool1d .. 3d: torch.nn's.
 *
 * Config  max: {"kernel_size": 2 or [2, 2], "stride": kernel_size, "padding": 0, "dilation": 1, "ceil_mode": false}
 *         avg: {"kernel_size", "stride", "padding", "ceil_mode", "count_include_pad": true}
 *         adaptive: {"output_size": 1 or [1, 1]}
 * State   none. With two outputs, max pools give the indices too, as return_indices=True does.
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(max1, "max_pool1d_with_indices", "") \
  X(max2, "max_pool2d_with_indices", "") X(max3, "max_pool3d_with_indices", "") X(plain_max1, "max_pool1d", "") \
  X(plain_max2, "max_pool2d", "") X(plain_max3, "max_pool3d", "") X(avg1, "avg_pool1d", "") \
  X(avg2, "avg_pool2d", "") X(avg3, "avg_pool3d", "") X(adaptive_avg1, "adaptive_avg_pool1d", "") \
  X(adaptive_avg2, "adaptive_avg_pool2d", "") X(adaptive_avg3, "adaptive_avg_pool3d", "") \
  X(adaptive_max1, "adaptive_max_pool1d", "") X(adaptive_max2, "adaptive_max_pool2d", "") \
  X(adaptive_max3, "adaptive_max_pool3d", "")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

typedef struct pool {
  size_t dims;
  int64_t kernel[3], stride[3], padding[3], dilation[3];
  int ceil_mode, count_include_pad, tuples; /* tuples: a single number prints as one, too */
} pool;

static sizes_text shown_window(const td_config *config, const char *name, const int64_t *sizes, const pool *m) {
  return m->tuples ? shown_tuple(sizes, m->dims) : shown_sizes(config, name, sizes, m->dims);
}

static void config_window(workspace *work, const td_config *config, pool *m) {
  config_sizes(work, config, "kernel_size", m->kernel, m->dims, 0, 1);
  int64_t stride[3] = {0, 0, 0};
  config_sizes(work, config, "stride", stride, m->dims, 0, 0);
  config_sizes(work, config, "padding", m->padding, m->dims, 0, 0);
  m->ceil_mode = config_bool(work, config, "ceil_mode", 0);
  for (size_t i = 0; i < m->dims; ++i) m->stride[i] = stride[i] ? stride[i] : m->kernel[i];
  if (work->status != TD_OK) return;
  show(work, "kernel_size=%s, stride=%s, padding=%s", shown_window(config, "kernel_size", m->kernel, m).text,
       shown_window(config, stride[0] ? "stride" : "kernel_size", m->stride, m).text,
       shown_window(config, "padding", m->padding, m).text);
}

static td_status create_max(workspace *work, const td_config *config, void **self, size_t dims) {
  pool m = {.dims = dims};
  config_window(work, config, &m);
  config_sizes(work, config, "dilation", m.dilation, dims, 1, 1);
  show(work, ", dilation=%s, ceil_mode=%s", shown_sizes(config, "dilation", m.dilation, dims).text,
       truth_text(m.ceil_mode));
  return created(work, &m, sizeof m, self);
}

static td_status create_avg(workspace *work, const td_config *config, void **self, size_t dims) {
  pool m = {.dims = dims, .tuples = dims == 1}; /* AvgPool1d keeps its arguments so */
  config_window(work, config, &m);
  m.count_include_pad = config_bool(work, config, "count_include_pad", 1);
  return created(work, &m, sizeof m, self);
}

static td_status create_adaptive(workspace *work, const td_config *config, void **self, size_t dims) {
  pool m = {.dims = dims};
  config_sizes(work, config, "output_size", m.kernel, dims, 0, 1);
  show(work, "output_size=%s", shown_sizes(config, "output_size", m.kernel, dims).text);
  return created(work, &m, sizeof m, self);
}

static void forward_max(workspace *work, const void *self, const call *c, Value *outs) {
  const pool *m = self;
  const size_t n = m->dims;
  Value args[] = {input(c, 0),         ints(m->kernel, n),   ints(m->stride, n),
                  ints(m->padding, n), ints(m->dilation, n), truth(m->ceil_mode)};
  if (c->n_outputs == 2)
    calls(work, OP_max1 + (int)n - 1, args, 6, NULL, none, outs, 2);
  else /* has kernels and derivatives that the other lacks, under vmap for instance */
    outs[0] = call_n(work, OP_plain_max1 + (int)n - 1, args, 6, NULL, none);
}

static void forward_avg(workspace *work, const void *self, const call *c, Value *outs) {
  const pool *m = self;
  const size_t n = m->dims;
  Value args[] = {input(c, 0),         ints(m->kernel, n),  ints(m->stride, n),
                  ints(m->padding, n), truth(m->ceil_mode), truth(m->count_include_pad)};
  outs[0] = call_n(work, OP_avg1 + (int)n - 1, args, 6, NULL, none);
}

static void forward_adaptive_avg(workspace *work, const void *self, const call *c, Value *outs) {
  const pool *m = self;
  outs[0] = call2(work, OP_adaptive_avg1 + (int)m->dims - 1, input(c, 0), ints(m->kernel, m->dims));
}

static void forward_adaptive_max(workspace *work, const void *self, const call *c, Value *outs) {
  const pool *m = self;
  Value args[] = {input(c, 0), ints(m->kernel, m->dims)};
  calls(work, OP_adaptive_max1 + (int)m->dims - 1, args, 2, NULL, none, outs, 2);
}

#define POOL(name, type_id, kind, forward, dims, outputs)                                                             \
  static td_status create_##name(workspace *work, const td_config *config, td_module_builder *builder, void **self) { \
    (void)builder;                                                                                                    \
    return create_##kind(work, config, self, dims);                                                                   \
  }                                                                                                                   \
  MODULE(name, type_id, create_##name, forward_##forward, 1, 1, outputs)

POOL(max1, "td.max_pool1d", max, max, 1, 2);
POOL(max2, "td.max_pool2d", max, max, 2, 2);
POOL(max3, "td.max_pool3d", max, max, 3, 2);
POOL(avg1, "td.avg_pool1d", avg, avg, 1, 1);
POOL(avg2, "td.avg_pool2d", avg, avg, 2, 1);
POOL(avg3, "td.avg_pool3d", avg, avg, 3, 1);
POOL(adaptive_avg1, "td.adaptive_avg_pool1d", adaptive, adaptive_avg, 1, 1);
POOL(adaptive_avg2, "td.adaptive_avg_pool2d", adaptive, adaptive_avg, 2, 1);
POOL(adaptive_avg3, "td.adaptive_avg_pool3d", adaptive, adaptive_avg, 3, 1);
POOL(adaptive_max1, "td.adaptive_max_pool1d", adaptive, adaptive_max, 1, 2);
POOL(adaptive_max2, "td.adaptive_max_pool2d", adaptive, adaptive_max, 2, 2);
POOL(adaptive_max3, "td.adaptive_max_pool3d", adaptive, adaptive_max, 3, 2);

static const td_plugin_type *const types[] = {
    &max1_type.type,          &max2_type.type,          &max3_type.type,          &avg1_type.type,
    &avg2_type.type,          &avg3_type.type,          &adaptive_avg1_type.type, &adaptive_avg2_type.type,
    &adaptive_avg3_type.type, &adaptive_max1_type.type, &adaptive_max2_type.type, &adaptive_max3_type.type};

/* clang-format off */
#define WINDOW_CONFIG(more)                                                                                  \
  SCHEMA(REQUIRED("kernel_size"), SIZES("kernel_size", 1), SIZES("stride", 1), SIZES_OR("padding", 0, 0), \
         FLAG("ceil_mode", false), more)
#define MAX_CONFIG WINDOW_CONFIG(SIZES_OR("dilation", 1, 1))
#define AVG_CONFIG WINDOW_CONFIG(FLAG("count_include_pad", true))
#define ADAPTIVE_CONFIG SCHEMA(REQUIRED("output_size"), SIZES("output_size", 1))
static const td_str schemas[] = {MAX_CONFIG, MAX_CONFIG, MAX_CONFIG, AVG_CONFIG, AVG_CONFIG, AVG_CONFIG,
 ADAPTIVE_CONFIG, ADAPTIVE_CONFIG, ADAPTIVE_CONFIG, ADAPTIVE_CONFIG, ADAPTIVE_CONFIG, ADAPTIVE_CONFIG};
/* clang-format on */
PLUGIN("td.pool", types, schemas)
