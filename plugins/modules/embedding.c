/* td.embedding and td.bilinear: torch.nn.Embedding, torch.nn.Bilinear.
 *
 * Config  embedding: {"num_embeddings": 100, "embedding_dim": 8, "padding_idx": -1 (none), "scale_grad_by_freq": false}
 *         bilinear: {"in1_features": 4, "in2_features": 5, "out_features": 3, "bias": true}
 * State   weight [num_embeddings, embedding_dim]; weight [out, in1, in2], bias [out]
 * Start   standard normal, the row of padding_idx 0; uniform in (-1/sqrt(in1), 1/sqrt(in1)). torch.nn's numbers
 *
 * SPDX-License-Identifier: MIT
 */
/* clang-format off */
#define OPERATORS(X) \
  X(full, "full", "") X(uniform_, "uniform_", "") X(normal_, "normal_", "") X(embedding, "embedding", "") \
  X(bilinear, "bilinear", "") X(select, "select", "int") X(zero_, "zero_", "")
/* clang-format on */
#include "../schema.h"
#include "layer.h"

typedef struct embedding {
  int64_t padding_idx;
  int scale_grad_by_freq;
} embedding;

static td_status create_embedding(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  const int64_t shape[] = {config_int(work, config, "num_embeddings", 0, 1),
                           config_int(work, config, "embedding_dim", 0, 1)};
  embedding m = {.padding_idx = config_int(work, config, "padding_idx", -1, -1)};
  m.scale_grad_by_freq = config_bool(work, config, "scale_grad_by_freq", 0);
  if (m.padding_idx >= shape[0]) refuse(work, "padding_idx", "be less than num_embeddings");
  Value weight = normal(work, shape, 2, 1);
  if (m.padding_idx >= 0) call1(work, OP_zero_, call3(work, OP_select, weight, Integer(0), Integer(m.padding_idx)));
  PARAMETER("weight", weight);
  show(work, "%lld, %lld", (long long)shape[0], (long long)shape[1]);
  if (m.padding_idx >= 0) show(work, ", padding_idx=%lld", (long long)m.padding_idx);
  if (m.scale_grad_by_freq) show(work, ", scale_grad_by_freq=True");
  return created(work, &m, sizeof m, self);
}

static void forward_embedding(workspace *work, const void *self, const call *c, Value *outs) {
  const embedding *m = self;
  Value args[] = {state(c, 0), input(c, 0), Integer(m->padding_idx), truth(m->scale_grad_by_freq)};
  outs[0] = call_n(work, OP_embedding, args, 4, NULL, none);
}

static td_status create_bilinear(workspace *work, const td_config *config, td_module_builder *builder, void **self) {
  const int64_t in1 = config_int(work, config, "in1_features", 0, 1),
                in2 = config_int(work, config, "in2_features", 0, 1);
  const int64_t shape[] = {config_int(work, config, "out_features", 0, 1), in1, in2};
  const int bias = config_bool(work, config, "bias", 1);
  const double bound = 1 / sqrt((double)in1);
  PARAMETER("weight", uniform(work, shape, 3, bound));
  if (bias) PARAMETER("bias", uniform(work, shape, 1, bound));
  show(work, "in1_features=%lld, in2_features=%lld, out_features=%lld, bias=%s", (long long)in1, (long long)in2,
       (long long)shape[0], truth_text(bias));
  return created(work, "", 1, self);
}

static void forward_bilinear(workspace *work, const void *self, const call *c, Value *outs) {
  (void)self;
  outs[0] = call4(work, OP_bilinear, input(c, 0), input(c, 1), state(c, 0), state(c, 1));
}

MODULE(embedding, "td.embedding", create_embedding, forward_embedding, 1, 1, 1);
MODULE(bilinear, "td.bilinear", create_bilinear, forward_bilinear, 2, 2, 1);

static const td_plugin_type *const types[] = {&embedding_type.type, &bilinear_type.type};

/* clang-format off */
static const td_str schemas[] = {
    SCHEMA(REQUIRED("num_embeddings", "embedding_dim"), WHOLE("num_embeddings", 1), WHOLE("embedding_dim", 1), WHOLE_OR("padding_idx", -1, -1), FLAG("scale_grad_by_freq", false)),
    SCHEMA(REQUIRED("in1_features", "in2_features", "out_features"), WHOLE("in1_features", 1), WHOLE("in2_features", 1), WHOLE("out_features", 1), FLAG("bias", true))};
/* clang-format on */
PLUGIN("td.embedding", types, schemas)
