/* td.lstm, td.gru and td.rnn: torch.nn.LSTM, GRU and RNN.
 *
 * Config  {"input_size": 8, "hidden_size": 16, "num_layers": 1, "bias": true, "batch_first": false, "dropout": 0.0,
 *          "bidirectional": false}, "proj_size": 0 for lstm, "nonlinearity": "tanh"|"relu" for rnn
 * Inputs  x, then the first state: h_0, for lstm h_0 and c_0; zeros if it is not given. Without a batch dim, as there.
 * Outputs output, h_n, for lstm c_n; as many of them as are asked for
 * State   weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0 (weight_hr_l0), then _reverse, then the next layer
 * Start   uniform in (-1/sqrt(hidden_size), 1/sqrt(hidden_size)), torch.nn's numbers
 *
 * The operators are fused and have no rule for vmap: an ensemble loops over its members.
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(lstm, "lstm", "input") \
  X(gru, "gru", "input") X(tanh, "rnn_tanh", "input") X(relu, "rnn_relu", "input") X(zeros, "new_zeros", "") \
  X(unsqueeze, "unsqueeze", "") X(squeeze, "squeeze", "dim")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

enum { MAX_STATE = 640 };
enum kind { LSTM, GRU, RNN };

typedef struct recurrent {
  enum kind kind;
  int64_t hidden, output, layers;
  int bias, batch_first, bidirectional, relu;
  double dropout;
} recurrent;

static const char *const nonlinearities[] = {"tanh", "relu", NULL};

static td_status create_recurrent(workspace *work, const td_config *config, td_module_builder *builder, void **self,
                                  enum kind kind) {
  recurrent m = {.kind = kind};
  const int64_t in = config_int(work, config, "input_size", 0, 1);
  m.hidden = config_int(work, config, "hidden_size", 0, 1);
  m.layers = config_int(work, config, "num_layers", 1, 1);
  m.bias = config_bool(work, config, "bias", 1);
  m.batch_first = config_bool(work, config, "batch_first", 0);
  m.dropout = config_double(work, config, "dropout", 0);
  m.bidirectional = config_bool(work, config, "bidirectional", 0);
  const int64_t projected = kind == LSTM ? config_int(work, config, "proj_size", 0, 0) : 0;
  if (kind == RNN) m.relu = config_word(work, config, "nonlinearity", nonlinearities);
  if (work->status == TD_OK && !(m.dropout >= 0 && m.dropout <= 1)) refuse(work, "dropout", "be in [0, 1]");
  if (work->status == TD_OK && projected >= m.hidden && projected)
    refuse(work, "proj_size", "be less than hidden_size");
  m.output = projected ? projected : m.hidden;
  const int64_t directions = m.bidirectional ? 2 : 1, each = 2 + 2 * m.bias + (projected > 0);
  if (work->status == TD_OK && m.layers > MAX_STATE / (directions * each))
    refuse(work, "num_layers", "be smaller, because there would be too many parameters");
  if (work->status != TD_OK) return work->status;

  const int64_t gates = (kind == LSTM ? 4 : kind == GRU ? 3 : 1) * m.hidden;
  const double bound = 1 / sqrt((double)m.hidden);
  for (int64_t layer = 0; layer < m.layers; ++layer)
    for (int64_t d = 0; d < directions; ++d) {
      const int64_t from = layer == 0 ? in : m.output * directions;
      const struct {
        const char *name;
        int64_t shape[2];
        size_t dims;
        int there;
      } tensors[] = {{"weight_ih", {gates, from}, 2, 1},
                     {"weight_hh", {gates, m.output}, 2, 1},
                     {"bias_ih", {gates, 0}, 1, m.bias},
                     {"bias_hh", {gates, 0}, 1, m.bias},
                     {"weight_hr", {projected, m.hidden}, 2, projected > 0}};
      for (size_t i = 0; i < sizeof tensors / sizeof *tensors; ++i) {
        char name[64];
        if (!tensors[i].there) continue;
        snprintf(name, sizeof name, "%s_l%lld%s", tensors[i].name, (long long)layer, d ? "_reverse" : "");
        PARAMETER(name, uniform(work, tensors[i].shape, tensors[i].dims, bound));
        release_since(work, 0, none);
      }
    }
  show(work, "%lld, %lld", (long long)in, (long long)m.hidden);
  if (projected) show(work, ", proj_size=%lld", (long long)projected);
  if (m.layers != 1) show(work, ", num_layers=%lld", (long long)m.layers);
  if (!m.bias) show(work, ", bias=False");
  if (m.batch_first) show(work, ", batch_first=True");
  if (m.dropout != 0) show(work, ", dropout=%s", shown_number(config, "dropout", m.dropout).text);
  if (m.bidirectional) show(work, ", bidirectional=True");
  return created(work, &m, sizeof m, self);
}

static void forward_recurrent(workspace *work, const void *self, const call *c, Value *outs) {
  const recurrent *m = self;
  const size_t n_first = m->kind == LSTM ? 2 : 1;
  Value x = input(c, 0), first[2] = {input(c, 1), input(c, 2)};
  int64_t sizes[MAX_DIMS];
  const size_t n = shape_of(work, x, sizes);
  if (work->status != TD_OK) return;
  if (n != 2 && n != 3) {
    fail(work, TD_ERR_SHAPE, "the input must have a time dim, a feature dim and optionally a batch dim");
    return;
  }
  if (c->n_inputs != 1 && c->n_inputs != 1 + n_first) {
    fail(work, TD_ERR_ARGUMENT, "the inputs must be x alone, or x and the whole initial state");
    return;
  }
  const int64_t batch_dim = m->batch_first ? 0 : 1, batch = n == 3 ? sizes[batch_dim] : 1;
  if (n == 2) x = call2(work, OP_unsqueeze, x, Integer(batch_dim));
  for (size_t i = 0; i < n_first; ++i) {
    const int64_t shape[] = {m->layers * (m->bidirectional ? 2 : 1), batch, i == 0 ? m->output : m->hidden};
    if (!given(first[i]))
      first[i] = call2(work, OP_zeros, x, ints(shape, 3));
    else if (n == 2)
      first[i] = call2(work, OP_unsqueeze, first[i], Integer(1));
  }
  td_tensor *hidden[2] = {first[0].as.tensor, first[1].as.tensor};
  Value states = {.kind = TD_VALUE_TENSORS, .size = 2, .as.tensors = hidden};
  Value weights = {.kind = TD_VALUE_TENSORS, .size = c->n_state, .as.tensors = c->state};
  Value args[] = {x,
                  m->kind == LSTM ? states : first[0],
                  weights,
                  truth(m->bias),
                  Integer(m->layers),
                  Number(m->dropout),
                  truth(c->training),
                  truth(m->bidirectional),
                  truth(m->batch_first)};
  const int op = m->kind == LSTM ? OP_lstm : m->kind == GRU ? OP_gru : m->relu ? OP_relu : OP_tanh;
  calls(work, op, args, 9, NULL, none, outs, 1 + n_first);
  for (size_t i = 0; i <= n_first && n == 2; ++i)
    outs[i] = call2(work, OP_squeeze, outs[i], Integer(i == 0 ? batch_dim : 1));
}

#define RECURRENT(name, type_id, kind, most)                                                                          \
  static td_status create_##name(workspace *work, const td_config *config, td_module_builder *builder, void **self) { \
    return create_recurrent(work, config, builder, self, kind);                                                       \
  }                                                                                                                   \
  MODULE(name, type_id, create_##name, forward_recurrent, 1, most, most)

RECURRENT(lstm, "td.lstm", LSTM, 3);
RECURRENT(gru, "td.gru", GRU, 2);
RECURRENT(rnn, "td.rnn", RNN, 2);

static const td_plugin_type *const types[] = {&lstm_type.type, &gru_type.type, &rnn_type.type};

/* clang-format off */
#define RECURRENT_MEMBERS \
  WHOLE("input_size", 1), WHOLE("hidden_size", 1), WHOLE_OR("num_layers", 1, 1), FLAG("bias", true), \
  FLAG("batch_first", false), BETWEEN("dropout", 0, 1, 0.0), FLAG("bidirectional", false)
#define RECURRENT_CONFIG(...) SCHEMA(REQUIRED("input_size", "hidden_size"), __VA_ARGS__)
static const td_str schemas[] = {RECURRENT_CONFIG(RECURRENT_MEMBERS, WHOLE_OR("proj_size", 0, 0)),
                                 RECURRENT_CONFIG(RECURRENT_MEMBERS),
                                 RECURRENT_CONFIG(RECURRENT_MEMBERS, ONE_OF("nonlinearity", "tanh", "relu"))};
/* clang-format on */
PLUGIN("td.recurrent", types, schemas)
