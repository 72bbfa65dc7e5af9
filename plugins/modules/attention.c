/* td.multihead_attention and td.transformer_encoder_layer: torch.nn.MultiheadAttention, torch.nn.TransformerEncoderLayer.
 *
 * Config  attention: {"embed_dim": 16, "num_heads": 4, "dropout": 0.0, "bias": true, "kdim": embed_dim, "vdim": embed_dim,
 *          "batch_first": false, "is_causal": false, "average_attn_weights": true, "add_bias_kv": false,
 *          "add_zero_attn": false}
 *         layer: {"d_model": 16, "nhead": 4, "dim_feedforward": 2048, "dropout": 0.1, "activation": "relu"|"gelu",
 *          "layer_norm_eps": 1e-5, "batch_first": false, "norm_first": false, "bias": true, "is_causal": false}
 * Inputs  attention: query, key, value; layer: the source. Then a key padding mask [batch, keys], then a mask [queries, keys]
 *         or [batch * heads, queries, keys]: bool masks hide what is true, others are added
 * Outputs attention: the output, and the weights if a second output is asked for
 * State   torch.nn's names, shapes and numbers
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(linear, "linear", "") \
  X(narrow, "narrow", "") X(transpose, "transpose", "int") X(reshape, "reshape", "") X(matmul, "matmul", "") \
  X(mul, "mul", "Scalar") X(add, "add", "Tensor") X(masked_fill, "masked_fill", "Scalar") \
  X(softmax, "softmax", "int") X(dropout, "dropout", "") X(mean, "mean", "dim") X(unsqueeze, "unsqueeze", "") \
  X(squeeze, "squeeze", "dim") X(ones, "new_ones", "") X(triu, "triu", "") X(to, "to", "dtype") \
  X(layer_norm, "layer_norm", "") X(relu, "relu", "") X(gelu, "gelu", "") \
  X(cat, "cat", "") X(expand, "expand", "") X(pad, "constant_pad_nd", "")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

typedef struct attention {
  int64_t embed, heads, kdim, vdim;
  double dropout;
  int bias, batch_first, causal, average, together; /* together: one weight for query, key and value */
  int bias_kv, zero;                                /* one more key and value: learned, and of zeros */
} attention;

typedef struct encoder {
  attention attention;
  int64_t feedforward;
  double dropout, eps;
  int gelu, norm_first, bias;
} encoder;

/* ---- Multi-head attention ---------------------------------------------------------------------------------------- */
static Value xavier_uniform(workspace *work, int64_t out, int64_t in) {
  const int64_t shape[] = {out, in};
  return uniform(work, shape, 2, sqrt(3.0) * sqrt(2.0 / (double)(in + out)));
}

static void check_heads(workspace *work, const attention *m, const char *dim, const char *heads) {
  if (work->status == TD_OK && m->embed % m->heads) {
    char must[64];
    snprintf(must, sizeof must, "be divisible by %s", heads);
    refuse(work, dim, must);
  }
  if (work->status == TD_OK && !(m->dropout >= 0 && m->dropout <= 1)) refuse(work, "dropout", "be in [0, 1]");
}

/* torch.nn draws the output projection first, as a Linear, and forgets its bias. */
static void declare_attention(workspace *work, td_module_builder *builder, const attention *m, const char *prefix) {
  const int64_t square[] = {m->embed, m->embed}, three = 3 * m->embed;
  char name[96];
  Value out = kaiming_uniform(work, square, 2, m->embed);
  if (m->bias) uniform(work, square, 1, 1.0 / sqrt((double)m->embed));
#define NAMED(suffix) (snprintf(name, sizeof name, "%s%s", prefix, suffix), name)
  if (m->together) {
    PARAMETER(NAMED("in_proj_weight"), xavier_uniform(work, three, m->embed));
  } else {
    PARAMETER(NAMED("q_proj_weight"), xavier_uniform(work, m->embed, m->embed));
    PARAMETER(NAMED("k_proj_weight"), xavier_uniform(work, m->embed, m->kdim));
    PARAMETER(NAMED("v_proj_weight"), xavier_uniform(work, m->embed, m->vdim));
  }
  if (m->bias) PARAMETER(NAMED("in_proj_bias"), filled(work, &three, 1, 0));
  const int64_t row[] = {1, 1, m->embed};
  if (m->bias_kv) PARAMETER(NAMED("bias_k"), normal(work, row, 3, sqrt(1.0 / (double)m->embed)));
  if (m->bias_kv) PARAMETER(NAMED("bias_v"), normal(work, row, 3, sqrt(1.0 / (double)m->embed)));
  PARAMETER(NAMED("out_proj.weight"), out);
  if (m->bias) PARAMETER(NAMED("out_proj.bias"), filled(work, square, 1, 0));
}

static size_t attention_state(const attention *m) {
  return (m->together ? 1u : 3u) + 1u + (m->bias ? 2u : 0u) + (m->bias_kv ? 2u : 0u);
}

/* [batch, time, heads * size] as [batch, heads, time, size] */
static Value split_heads(workspace *work, Value x, const int64_t *batch_and_time, const attention *m) {
  const int64_t shape[] = {batch_and_time[0], batch_and_time[1], m->heads, m->embed / m->heads};
  return call3(work, OP_transpose, call2(work, OP_reshape, x, ints(shape, 4)), Integer(1), Integer(2));
}

/* `x`, [batch, heads, time, size], with a learned row and one of zeros at the end of its time, where the config says so. */
static Value with_more_rows(workspace *work, Value x, td_tensor *learned, int64_t batch, const attention *m) {
  static const int64_t one_row[] = {0, 0, 0, 1}, single[] = {1, 1};
  if (m->bias_kv) {
    const int64_t shape[] = {batch, m->heads, 1, m->embed / m->heads};
    Value row = call2(work, OP_expand, split_heads(work, tensor(learned), single, m), ints(shape, 4));
    td_tensor *both[] = {x.as.tensor, row.as.tensor};
    if (work->status != TD_OK) return none;
    x = call2(work, OP_cat, (Value){.kind = TD_VALUE_TENSORS, .size = 2, .as.tensors = both}, Integer(2));
  }
  return m->zero ? call3(work, OP_pad, x, ints(one_row, 4), Integer(0)) : x;
}

/* Masks do not hide the `more` keys at the end. */
static Value hide(workspace *work, Value scores, Value mask, int64_t more, const int64_t *shape, size_t n) {
  const int64_t end[] = {0, more};
  Value aligned = call2(work, OP_reshape, mask, ints(shape, n));
  if (more) aligned = call3(work, OP_pad, aligned, ints(end, 2), Integer(0));
  return dtype_of(mask) == TD_DTYPE_BOOL ? call3(work, OP_masked_fill, scores, aligned, Number(-INFINITY))
                                         : call2(work, OP_add, scores, aligned);
}

/* query, key and value are [batch, time, features]; so is the result. */
static Value attend(workspace *work, const attention *m, td_tensor *const *state, Value query, Value key, Value value,
                    Value padding, Value mask, int training, Value *weights) {
  int64_t q_shape[MAX_DIMS], k_shape[MAX_DIMS], mask_shape[MAX_DIMS];
  shape_of(work, query, q_shape), shape_of(work, key, k_shape);
  if (work->status != TD_OK) return none;
  const int64_t batch = q_shape[0], queries = q_shape[1], keys = k_shape[1];
  Value sides[] = {query, key, value}, biases = none;
  const size_t n_weights = m->together ? 1 : 3;
  if (m->bias) biases = tensor(state[n_weights]);
  for (int i = 0; i < 3; ++i) {
    Value weight = m->together
                       ? call4(work, OP_narrow, tensor(state[0]), Integer(0), Integer(i * m->embed), Integer(m->embed))
                       : tensor(state[i]);
    Value bias = m->bias ? call4(work, OP_narrow, biases, Integer(0), Integer(i * m->embed), Integer(m->embed)) : none;
    const int64_t times[] = {batch, i == 0 ? queries : keys};
    sides[i] = split_heads(work, call3(work, OP_linear, sides[i], weight, bias), times, m);
  }
  const int64_t more = m->bias_kv + m->zero;
  const size_t learned = n_weights + (m->bias ? 1 : 0);
  for (int i = 1; i < 3; ++i)
    sides[i] = with_more_rows(work, sides[i], m->bias_kv ? state[learned + (size_t)i - 1] : NULL, batch, m);
  Value scaled = call2(work, OP_mul, sides[0], Number(sqrt(1.0 / (double)(m->embed / m->heads))));
  Value scores = call2(work, OP_matmul, scaled, call3(work, OP_transpose, sides[1], Integer(-2), Integer(-1)));
  if (m->causal) {
    const int64_t all[] = {queries, keys};
    Value later = call2(work, OP_triu, call2(work, OP_ones, query, ints(all, 2)), Integer(1));
    scores = hide(work, scores, call2(work, OP_to, later, (Value){.kind = TD_VALUE_DTYPE, .as.i = TD_DTYPE_BOOL}), more,
                  all, 2);
  }
  if (given(padding)) {
    const int64_t aligned[] = {batch, 1, 1, keys};
    scores = hide(work, scores, padding, more, aligned, 4);
  }
  if (given(mask)) {
    const int64_t one[] = {queries, keys}, each[] = {batch, m->heads, queries, keys};
    const int single = shape_of(work, mask, mask_shape) == 2;
    scores = hide(work, scores, mask, more, single ? one : each, single ? 2 : 4);
  }
  Value p = call3(work, OP_dropout, call2(work, OP_softmax, scores, Integer(-1)), Number(m->dropout), truth(training));
  static const int64_t heads_dim = 1;
  if (weights) *weights = m->average ? call2(work, OP_mean, p, ints(&heads_dim, 1)) : p;
  Value joined = call3(work, OP_transpose, call2(work, OP_matmul, p, sides[2]), Integer(1), Integer(2));
  const int64_t shape[] = {batch, queries, m->embed};
  const size_t out = learned + (m->bias_kv ? 2 : 0);
  return call3(work, OP_linear, call2(work, OP_reshape, joined, ints(shape, 3)), tensor(state[out]),
               m->bias ? tensor(state[out + 1]) : none);
}

/* [batch, time, features], however the caller has it; `rank` gets the dims that it had. */
static Value batched(workspace *work, Value x, int batch_first, size_t *rank) {
  int64_t sizes[MAX_DIMS];
  *rank = shape_of(work, x, sizes);
  if (work->status == TD_OK && *rank != 2 && *rank != 3)
    return fail(work, TD_ERR_SHAPE, "the inputs must have a time dim, a feature dim and optionally a batch dim");
  if (*rank == 2) return call2(work, OP_unsqueeze, x, Integer(0));
  return batch_first ? x : call3(work, OP_transpose, x, Integer(0), Integer(1));
}

static Value as_given(workspace *work, Value x, int batch_first, size_t rank) {
  if (rank == 2) return call2(work, OP_squeeze, x, Integer(0));
  return batch_first ? x : call3(work, OP_transpose, x, Integer(0), Integer(1));
}

/* The children of torch.nn's module. */
static void show_attention(workspace *work, const attention *m, const char *indent) {
  show(work, "%s(out_proj): NonDynamicallyQuantizableLinear(in_features=%lld, out_features=%lld, bias=%s)\n", indent,
       (long long)m->embed, (long long)m->embed, truth_text(m->bias));
}

static td_status create_attention(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  attention m = {.embed = config_int(work, config, "embed_dim", 0, 1),
                 .heads = config_int(work, config, "num_heads", 0, 1)};
  m.dropout = config_double(work, config, "dropout", 0);
  m.bias = config_bool(work, config, "bias", 1);
  m.kdim = config_int(work, config, "kdim", m.embed, 1);
  m.vdim = config_int(work, config, "vdim", m.embed, 1);
  m.batch_first = config_bool(work, config, "batch_first", 0);
  m.causal = config_bool(work, config, "is_causal", 0);
  m.average = config_bool(work, config, "average_attn_weights", 1);
  m.bias_kv = config_bool(work, config, "add_bias_kv", 0);
  m.zero = config_bool(work, config, "add_zero_attn", 0);
  m.together = m.kdim == m.embed && m.vdim == m.embed;
  check_heads(work, &m, "embed_dim", "num_heads");
  if (work->status == TD_OK) declare_attention(work, builder, &m, "");
  show_attention(work, &m, "");
  return created(work, &m, sizeof m, self);
}

static void forward_attention(workspace *work, const void *self, const call *c, Value *outs) {
  const attention *m = self;
  size_t rank = 0, other = 0;
  Value query = batched(work, input(c, 0), m->batch_first, &rank),
        key = batched(work, input(c, 1), m->batch_first, &other);
  Value value = batched(work, input(c, 2), m->batch_first, &other);
  Value y = attend(work, m, c->state, query, key, value, input(c, 3), input(c, 4), c->training,
                   c->n_outputs == 2 ? &outs[1] : NULL);
  outs[0] = as_given(work, y, m->batch_first, rank);
  if (c->n_outputs == 2 && rank == 2) outs[1] = call2(work, OP_squeeze, outs[1], Integer(0));
}

/* ---- Transformer encoder layer ----------------------------------------------------------------------------------- */
static const char *const activations[] = {"relu", "gelu", NULL};

static void declare_linear(workspace *work, td_module_builder *builder, const char *name, int64_t out, int64_t in,
                           int bias) {
  const int64_t shape[] = {out, in};
  char full[64];
  snprintf(full, sizeof full, "%s.weight", name);
  PARAMETER(full, kaiming_uniform(work, shape, 2, in));
  snprintf(full, sizeof full, "%s.bias", name);
  if (bias) PARAMETER(full, uniform(work, shape, 1, 1.0 / sqrt((double)in)));
}

static void show_encoder(workspace *work, const td_config *config, const encoder *m) {
  const long long dim = m->attention.embed, inner = m->feedforward;
  const char *bias = truth_text(m->bias);
  const number_text p = shown_number(config, "dropout", m->dropout),
                    eps = shown_number(config, "layer_norm_eps", m->eps);
  show(work, "(self_attn): MultiheadAttention(\n");
  show_attention(work, &m->attention, "  ");
  show(work, ")\n(linear1): Linear(in_features=%lld, out_features=%lld, bias=%s)\n", dim, inner, bias);
  show(work, "(dropout): Dropout(p=%s, inplace=False)\n", p.text);
  show(work, "(linear2): Linear(in_features=%lld, out_features=%lld, bias=%s)\n", inner, dim, bias);
  for (int i = 1; i <= 2; ++i)
    show(work, "(norm%d): LayerNorm((%lld,), eps=%s, elementwise_affine=True, bias=%s)\n", i, dim, eps.text, bias);
  for (int i = 1; i <= 2; ++i) show(work, "(dropout%d): Dropout(p=%s, inplace=False)\n", i, p.text);
}

static td_status create_encoder(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  encoder m = {.feedforward = config_int(work, config, "dim_feedforward", 2048, 1)};
  attention *a = &m.attention;
  a->embed = a->kdim = a->vdim = config_int(work, config, "d_model", 0, 1);
  a->heads = config_int(work, config, "nhead", 0, 1);
  a->dropout = m.dropout = config_double(work, config, "dropout", 0.1);
  m.gelu = config_word(work, config, "activation", activations);
  m.eps = config_double(work, config, "layer_norm_eps", 1e-5);
  a->batch_first = config_bool(work, config, "batch_first", 0);
  m.norm_first = config_bool(work, config, "norm_first", 0);
  a->bias = m.bias = config_bool(work, config, "bias", 1);
  a->causal = config_bool(work, config, "is_causal", 0);
  a->together = a->average = 1;
  check_heads(work, a, "d_model", "nhead");
  if (work->status != TD_OK) return work->status;
  declare_attention(work, builder, a, "self_attn.");
  declare_linear(work, builder, "linear1", m.feedforward, a->embed, m.bias);
  declare_linear(work, builder, "linear2", a->embed, m.feedforward, m.bias);
  for (int i = 0; i < 2; ++i) {
    PARAMETER(i ? "norm2.weight" : "norm1.weight", filled(work, &a->embed, 1, 1));
    if (m.bias) PARAMETER(i ? "norm2.bias" : "norm1.bias", filled(work, &a->embed, 1, 0));
  }
  show_encoder(work, config, &m);
  return created(work, &m, sizeof m, self);
}

static void forward_encoder(workspace *work, const void *self, const call *c, Value *outs) {
  const encoder *m = self;
  const attention *a = &m->attention;
  const size_t each = m->bias ? 2 : 1, linears = attention_state(a), norms = linears + 2 * each;
  size_t rank = 0;
  Value x = batched(work, input(c, 0), a->batch_first, &rank), drop = Number(m->dropout), training = truth(c->training);
#define BIAS(at) (m->bias ? state(c, (at) + 1) : none)
#define NORM(x, i)                                                                        \
  ((args_[0] = (x), args_[1] = ints(&a->embed, 1), args_[2] = state(c, norms + (i)*each), \
    args_[3] = BIAS(norms + (i)*each), args_[4] = Number(m->eps)),                        \
   call_n(work, OP_layer_norm, args_, 5, NULL, none))
  Value args_[5];
  Value source = m->norm_first ? NORM(x, 0) : x;
  Value attended = attend(work, a, c->state, source, source, source, input(c, 1), input(c, 2), c->training, NULL);
  x = call2(work, OP_add, x, call3(work, OP_dropout, attended, drop, training));
  if (!m->norm_first) x = NORM(x, 0);
  Value inner = m->norm_first ? NORM(x, 1) : x;
  inner = call3(work, OP_linear, inner, state(c, linears), BIAS(linears));
  inner = call3(work, OP_dropout, call1(work, m->gelu ? OP_gelu : OP_relu, inner), drop, training);
  inner = call3(work, OP_linear, inner, state(c, linears + each), BIAS(linears + each));
  x = call2(work, OP_add, x, call3(work, OP_dropout, inner, drop, training));
  if (!m->norm_first) x = NORM(x, 1);
  outs[0] = as_given(work, x, a->batch_first, rank);
}

MODULE(attention, "td.multihead_attention", create_attention, forward_attention, 3, 5, 2);
MODULE(encoder, "td.transformer_encoder_layer", create_encoder, forward_encoder, 1, 3, 1);

static const td_plugin_type *const types[] = {&attention_type.type, &encoder_type.type};

/* clang-format off */
static const td_str schemas[] = {
    SCHEMA(REQUIRED("embed_dim", "num_heads"), WHOLE("embed_dim", 1), WHOLE("num_heads", 1), BETWEEN("dropout", 0, 1, 0.0), FLAG("bias", true), WHOLE("kdim", 1), WHOLE("vdim", 1), FLAG("batch_first", false), FLAG("is_causal", false), FLAG("average_attn_weights", true), FLAG("add_bias_kv", false), FLAG("add_zero_attn", false)),
    SCHEMA(REQUIRED("d_model", "nhead"), WHOLE("d_model", 1), WHOLE("nhead", 1), WHOLE_OR("dim_feedforward", 1, 2048), BETWEEN("dropout", 0, 1, 0.1), ONE_OF("activation", "relu", "gelu"), NUMBER_IN("layer_norm_eps", 1e-5), FLAG("batch_first", false), FLAG("norm_first", false), FLAG("bias", true), FLAG("is_causal", false))};
/* clang-format on */
PLUGIN("td.attention", types, schemas)
