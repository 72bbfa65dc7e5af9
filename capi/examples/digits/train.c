/* Eight small networks trained as one: their parameters lie stacked in one dict, and td_module_vmap runs all of them in
 * the operators of one. */
#include <unistd.h>

#include "digits.h"

enum { BATCH = 64 };
static const char config[] = "{\"in_features\": 64, \"hidden\": [64], \"out_features\": 10}";

static td_module *make_net(uint64_t seed) {
  td_generator *generator;
  td_module *mlp, *net;
  must(td_generator_new(seed, &generator, &err));
  must(td_module_new(TD_STR("td.mlp"), TD_STR(config), generator, &mlp, &err));
  must(td_module_tensordict(mlp, TD_KEY("pixels"), 1, TD_KEY("logits"), 1, NULL, &net, &err));
  td_module_release(mlp);
  td_generator_release(generator);
  return net;
}

static td_tensor *shuffled(int64_t n, td_generator *generator) {
  td_named_value kwarg = {{"generator", TD_STRLEN}, {TD_VALUE_GENERATOR, 0, 0, {0}}};
  kwarg.value.as.generator = generator;
  return op("randperm", (td_value[]){td_value_int(n)}, 1, &kwarg);
}

/* The mean of the members' losses: each depends on the parameters of one member only, so no gradients mix. */
static void learn(const ensemble *self, td_optimizer *adam, const td_dict *batch) {
  td_dict *all;
  must(td_module_vmap(self->net, self->states, batch, NULL, &all, &err));
  td_tensor *logits = get(all, "logits"),
            *label = get(all, "label"); /* [MEMBERS, BATCH, CLASSES] and [MEMBERS, BATCH] */
  td_tensor *rows = OP("flatten", T(logits), td_value_int(0), td_value_int(1));
  td_tensor *targets = OP("flatten", T(label), td_value_int(0), td_value_int(1));
  td_tensor *loss = OP("cross_entropy_loss", T(rows), T(targets));
  must(td_optimizer_zero_grad(adam, &err));
  must(td_tensor_backward(loss, NULL, 0, &err));
  must(td_optimizer_step(adam, &err));
  td_tensor_release(loss), td_tensor_release(targets), td_tensor_release(rows);
  td_tensor_release(label), td_tensor_release(logits), td_dict_release(all);
}

ensemble ensemble_train(const td_dict *rows, int epochs, td_generator *generator) {
  ensemble self;
  td_module *nets[MEMBERS];
  for (int i = 0; i < MEMBERS; i++) nets[i] = make_net((uint64_t)i);
  must(td_dict_from_modules(nets, MEMBERS, NULL, &self.states, &err));
  self.net = nets[0];
  for (int i = 1; i < MEMBERS; i++) td_module_release(nets[i]);

  td_adam_options options = TD_ADAM_OPTIONS_INIT;
  td_optimizer *adam;
  options.lr = 2e-3;
  must(td_optimizer_adam(self.states, &options, &adam, &err));
  int64_t n = td_dict_len(rows);
  for (int epoch = 0; epoch < epochs; epoch++) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r   epoch %d of %d ", epoch + 1, epochs);
    td_tensor *order = shuffled(n, generator);
    for (int64_t at = 0; at < n; at += BATCH) {
      int64_t size = n - at < BATCH ? n - at : BATCH;
      td_tensor *chosen = OP("narrow", T(order), td_value_int(0), td_value_int(at), td_value_int(size));
      td_dict *batch = rows_of(rows, chosen);
      learn(&self, adam, batch);
      td_dict_release(batch);
      td_tensor_release(chosen);
    }
    td_tensor_release(order);
  }
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%*s\r", 40, "");
  td_optimizer_release(adam);
  return self;
}

td_tensor *ensemble_probability(const ensemble *self, const td_dict *rows) {
  td_no_grad *scope;
  td_dict *all;
  must(td_no_grad_begin(&scope, &err));
  must(td_module_vmap(self->net, self->states, rows, NULL, &all, &err));
  td_tensor *logits = get(all, "logits");
  td_tensor *probability = OP("softmax", T(logits), td_value_int(-1));
  td_tensor_release(logits);
  td_dict_release(all);
  must(td_no_grad_end(scope, &err));
  td_no_grad_release(scope);
  return probability;
}

void ensemble_release(ensemble *self) {
  td_module_release(self->net);
  td_dict_release(self->states);
}
