/* td.conv1d, td.conv2d, td.conv3d and td.conv_transpose1d, td.conv_transpose2d, td.conv_transpose3d: torch.nn.Conv1d and
 * its kin.
 *
 * Config  {"in_channels": 3, "out_channels": 8, "kernel_size": 3 or [3, 3], "stride": 1, "padding": 0, "dilation": 1,
 *          "groups": 1, "bias": true}, and
 *         "padding": "same"|"valid" and
 *         "padding_mode": "zeros"|"reflect"|"replicate"|"circular" for convolutions, "output_padding": 0 for transposed ones
 * State   weight [out, in / groups, kernel...], for transposed ones [in, out / groups, kernel...]; bias [out]
 * Start   torch.nn's, with its numbers for the same seed
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(conv1d, "conv1d", "") \
  X(conv2d, "conv2d", "") X(conv3d, "conv3d", "") X(conv_transpose1d, "conv_transpose1d", "") \
  X(conv_transpose2d, "conv_transpose2d", "input") X(conv_transpose3d, "conv_transpose3d", "input") \
  X(pad, "pad", "")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

static const char *const paddings[] = {"valid", "same", NULL};
static const char *const padding_modes[] = {"zeros", "reflect", "replicate", "circular", NULL};

typedef struct conv {
  size_t dims;
  int transposed, mode, pads; /* pads: by an operator of its own, before the convolution */
  int64_t stride[3], padding[3], dilation[3], output_padding[3], groups;
  int64_t around[6]; /* the padding as pad takes it: the last dim first, both sides */
} conv;

/* ", stride=(2, 2)", unless every number is `otherwise` */
static void show_unless(workspace *work, const char *name, const int64_t *sizes, size_t n, int64_t otherwise) {
  int same = 1;
  for (size_t i = 0; i < n; ++i) same = same && sizes[i] == otherwise;
  if (!same) show(work, ", %s=%s", name, shown_tuple(sizes, n).text);
}

/* "same": the output is as large as the input; where the kernel is even, the end gets one more. */
static void same_padding(workspace *work, conv *m, const int64_t *kernel) {
  for (size_t i = 0; i < m->dims; ++i) {
    const int64_t total = m->dilation[i] * (kernel[i] - 1), before = total / 2;
    if (m->stride[i] != 1) refuse(work, "stride", "be 1 for padding \"same\"");
    m->around[2 * (m->dims - 1 - i)] = m->padding[i] = before;
    m->around[2 * (m->dims - 1 - i) + 1] = total - before;
    m->pads = m->pads || total - before != before;
  }
}

static td_status create_conv(workspace *work, const td_config *config, td_module_builder *builder, void **self,
                             size_t dims, int transposed) {
  conv m = {.dims = dims, .transposed = transposed};
  const int64_t in = config_int(work, config, "in_channels", 0, 1),
                out = config_int(work, config, "out_channels", 0, 1);
  int64_t kernel[3] = {1, 1, 1};
  config_sizes(work, config, "kernel_size", kernel, dims, 0, 1);
  config_sizes(work, config, "stride", m.stride, dims, 1, 1);
  td_str word = {NULL, 0};
  const int by_word = !transposed && work->status == TD_OK &&
                      host->config_str(config, text("padding"), &word, NULL) == TD_OK && word.data;
  const int same = by_word ? config_word(work, config, "padding", paddings) : 0;
  if (!by_word) config_sizes(work, config, "padding", m.padding, dims, 0, 0);
  config_sizes(work, config, "dilation", m.dilation, dims, 1, 1);
  m.groups = config_int(work, config, "groups", 1, 1);
  const int bias = config_bool(work, config, "bias", 1);
  if (transposed)
    config_sizes(work, config, "output_padding", m.output_padding, dims, 0, 0);
  else
    m.mode = config_word(work, config, "padding_mode", padding_modes);
  if (work->status == TD_OK && (in % m.groups || out % m.groups))
    refuse(work, "in_channels and out_channels", "be divisible by groups");
  for (size_t i = 0; i < dims; ++i) m.around[2 * i] = m.around[2 * i + 1] = m.padding[dims - 1 - i];
  m.pads = m.mode != 0;
  if (same && work->status == TD_OK) same_padding(work, &m, kernel);

  int64_t shape[5] = {transposed ? in : out, (transposed ? out : in) / m.groups};
  int64_t fan_in = shape[1];
  for (size_t i = 0; i < dims; ++i) shape[2 + i] = kernel[i], fan_in *= kernel[i];
  PARAMETER("weight", kaiming_uniform(work, shape, 2 + dims, fan_in));
  if (bias) PARAMETER("bias", uniform(work, &out, 1, 1.0 / sqrt((double)fan_in)));

  show(work, "%lld, %lld, kernel_size=%s, stride=%s", (long long)in, (long long)out, shown_tuple(kernel, dims).text,
       shown_tuple(m.stride, dims).text);
  if (by_word)
    show(work, ", padding=%s", paddings[same]);
  else
    show_unless(work, "padding", m.padding, dims, 0);
  show_unless(work, "dilation", m.dilation, dims, 1);
  show_unless(work, "output_padding", m.output_padding, dims, 0);
  if (m.groups != 1) show(work, ", groups=%lld", (long long)m.groups);
  if (!bias) show(work, ", bias=False");
  if (m.mode) show(work, ", padding_mode=%s", padding_modes[m.mode]);
  return created(work, &m, sizeof m, self);
}

static void forward_conv(workspace *work, const void *self, const call *c, Value *outs) {
  const conv *m = self;
  const size_t n = m->dims;
  Value x = input(c, 0), padding = ints(m->padding, n);
  static const int64_t zero[3];
  if (m->pads) {
    Value args[] = {x,
                    ints(m->around, 2 * n),
                    {.kind = TD_VALUE_STR, .as.str = {m->mode ? padding_modes[m->mode] : "constant", TD_STRLEN}}};
    x = call_n(work, OP_pad, args, 3, NULL, none);
    padding = ints(zero, n);
  }
  if (m->transposed) {
    Value args[] = {x,
                    state(c, 0),
                    state(c, 1),
                    ints(m->stride, n),
                    padding,
                    ints(m->output_padding, n),
                    Integer(m->groups),
                    ints(m->dilation, n)};
    outs[0] = call_n(work, OP_conv_transpose1d + (int)n - 1, args, 8, NULL, none);
  } else {
    Value args[] = {x, state(c, 0), state(c, 1), ints(m->stride, n), padding, ints(m->dilation, n), Integer(m->groups)};
    outs[0] = call_n(work, OP_conv1d + (int)n - 1, args, 7, NULL, none);
  }
}

#define CONV(name, type_id, dims, transposed)                                                                         \
  static td_status create_##name(workspace *work, const td_config *config, td_module_builder *builder, void **self) { \
    return create_conv(work, config, builder, self, dims, transposed);                                                \
  }                                                                                                                   \
  MODULE(name, type_id, create_##name, forward_conv, 1, 1, 1)

CONV(conv1d, "td.conv1d", 1, 0);
CONV(conv2d, "td.conv2d", 2, 0);
CONV(conv3d, "td.conv3d", 3, 0);
CONV(conv_transpose1d, "td.conv_transpose1d", 1, 1);
CONV(conv_transpose2d, "td.conv_transpose2d", 2, 1);
CONV(conv_transpose3d, "td.conv_transpose3d", 3, 1);

static const td_plugin_type *const types[] = {&conv1d_type.type,           &conv2d_type.type,
                                              &conv3d_type.type,           &conv_transpose1d_type.type,
                                              &conv_transpose2d_type.type, &conv_transpose3d_type.type};

/* clang-format off */
#define CONV_CONFIG(padding, more)                                                                                 \
  SCHEMA(REQUIRED("in_channels", "out_channels", "kernel_size"), WHOLE("in_channels", 1), WHOLE("out_channels", 1), SIZES("kernel_size", 1), \
         SIZES_OR("stride", 1, 1), padding, SIZES_OR("dilation", 1, 1), \
         WHOLE_OR("groups", 1, 1), FLAG("bias", true), more)
#define FORWARD_CONFIG                                                                                             \
  CONV_CONFIG(MEMBER("padding", "type": ["integer", "array", "string"], "minimum": 0, LIST_OF(0), "default": 0), \
              ONE_OF("padding_mode", "zeros", "reflect", "replicate", "circular"))
#define TRANSPOSED_CONFIG CONV_CONFIG(SIZES_OR("padding", 0, 0), SIZES_OR("output_padding", 0, 0))
static const td_str schemas[] = {FORWARD_CONFIG,    FORWARD_CONFIG,    FORWARD_CONFIG,
                                 TRANSPOSED_CONFIG, TRANSPOSED_CONFIG, TRANSPOSED_CONFIG};
/* clang-format on */
PLUGIN("td.conv", types, schemas)
