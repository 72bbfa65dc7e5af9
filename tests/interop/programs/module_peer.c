/* The library's side of test_modules.py: runs modules of one type on what Python saved. For each line on stdin,
 *
 *   TYPE <tab> CONFIG <tab> DIR <tab> OUTPUTS <tab> TRAINING
 *
 * it prints "done". DIR/inputs holds "0", "1" ..., DIR/state the state to run with. It saves DIR/initial, the state that the
 * type starts with for seed 7; DIR/repr, the module as text; DIR/outputs; DIR/after, the state after the call; and
 * DIR/grads, what the sum of the first output's elements, each weighted by its number, gives the parameters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

static void save(td_dict *d, const char *directory, const char *name) {
  td_dict *plain = NULL;
  check(td_dict_detach(d, &plain, &err));
  check(td_save(plain, TD_STR(in(directory, name)), NULL, &err));
  td_dict_release(plain);
}

static td_tensor *call(const char *name, const char *overload, const td_value *args, size_t n) {
  td_op *op = NULL;
  td_value out;
  check(td_op_find(TD_STR(name), TD_STR(overload), &op, &err));
  check(td_op_call(op, args, n, NULL, 0, &out, 1, &err));
  td_op_release(op);
  return out.as.tensor;
}

static void backward(td_tensor *y) {
  td_value flat_args[] = {td_value_tensor(y), td_value_int(0), td_value_int(-1)};
  td_tensor *flat = call("flatten", "using_ints", flat_args, 3);
  int64_t n = 0;
  td_tensor_shape(flat, &n, 1);
  float *numbers = malloc((size_t)n * sizeof *numbers);
  for (int64_t i = 0; i < n; ++i) numbers[i] = (float)(i % 7);
  td_tensor *weights = NULL;
  check(td_tensor_copy_from(numbers, TD_DTYPE_FLOAT32, &n, 1, &weights, &err));
  free(numbers);
  td_value product_args[] = {td_value_tensor(flat), td_value_tensor(weights)};
  td_tensor *sum = call("dot", "", product_args, 2);
  check(td_tensor_backward(sum, NULL, 0, &err));
  td_tensor_release(sum), td_tensor_release(weights), td_tensor_release(flat);
}

static void run(const char *type, const char *config, const char *directory, size_t n_outputs, td_bool training) {
  size_t n_inputs = 0;
  td_module *module = NULL;
  td_generator *rng = NULL;
  td_dict *state = NULL, *given = NULL, *inputs = NULL, *outputs = NULL, *grads = NULL;
  check(td_generator_new(7, &rng, &err));
  check(td_module_new(TD_STR(type), TD_STR(config), rng, &module, &err));
  check(td_module_train(module, training, &err));
  check(td_dict_from_module(module, &state, &err));
  save(state, directory, "initial");
  td_string *shown = NULL;
  check(td_module_repr(module, &shown, &err));
  FILE *text = fopen(in(directory, "repr"), "w");
  if (!text || fputs(td_string_view(shown).data, text) < 0 || fclose(text)) exit(1);
  td_string_release(shown);
  check(td_open(TD_STR(in(directory, "state")), NULL, &given, &err));
  check(td_dict_load_state_dict(state, given, NULL, &err));

  td_tensor *xs[8], *ys[8];
  check(td_open(TD_STR(in(directory, "inputs")), NULL, &inputs, &err));
  for (char name[] = "0"; n_inputs < 8; ++n_inputs, ++name[0]) {
    td_entry_kind kind;
    check(td_dict_entry_kind(inputs, TD_KEY(name), &kind, &err));
    if (kind == TD_ENTRY_NONE) break;
    check(td_dict_get(inputs, TD_KEY(name), &xs[n_inputs], &err));
  }
  check(td_module_call(module, xs, n_inputs, ys, n_outputs, &err));
  if (td_tensor_requires_grad(ys[0])) backward(ys[0]);
  check(td_dict_new(NULL, 0, NULL, &outputs, &err));
  for (size_t i = 0; i < n_outputs; ++i) {
    char name[] = {(char)('0' + i), 0};
    check(td_dict_set(outputs, TD_KEY(name), ys[i], &err));
    td_tensor_release(ys[i]);
  }
  save(outputs, directory, "outputs");
  save(state, directory, "after");
  check(td_dict_grad(state, &grads, &err));
  if (grads) save(grads, directory, "grads");

  for (size_t i = 0; i < n_inputs; ++i) td_tensor_release(xs[i]);
  td_dict_release(grads), td_dict_release(outputs), td_dict_release(inputs), td_dict_release(given);
  td_dict_release(state), td_module_release(module), td_generator_release(rng);
}

int main(void) {
  for (char line[8192]; fgets(line, sizeof line, stdin);) {
    char *parts[5], *at = line;
    line[strcspn(line, "\n")] = 0;
    for (int i = 0; i < 5; ++i) {
      parts[i] = at;
      at += strcspn(at, "\t");
      if (*at) *at++ = 0;
    }
    run(parts[0], parts[1], parts[2], (size_t)atoi(parts[3]), parts[4][0] == '1');
    puts("done"), fflush(stdout);
  }
  return 0;
}
