/* Kept as it is: a program that was built with the first header of this major trains a line with a callback as a module. */
#include "kept.h"

static int destroyed;

/* w * x + b */
static td_status line(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs, size_t n_outputs,
                      td_error **error) {
  const td_tensor *x = inputs[0], *w = inputs[1];
  td_value args[] = {td_value_tensor(x), td_value_tensor(w)}, result;
  check(userdata == &destroyed && n_inputs == 2 && n_outputs == 1);
  const td_status status = td_op_run(TD_STR("mul.Tensor"), args, 2, NULL, 0, &result, 1, error);
  if (status == TD_OK) outputs[0] = result.as.tensor;
  return status;
}

static void destroy(void *userdata) {
  ++*(int *)userdata;
}

int main(void) {
  td_module *function, *module, *both;
  td_dict *params, *data;
  td_tensor *w, *x, *y;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, line, &destroyed, destroy), &function, &err));
  const td_key in[] = {*TD_KEY("x"), *TD_KEY("w")};
  must(td_module_tensordict(function, in, 2, TD_KEY("y"), 1, NULL, &module, &err));
  td_sequential_options sequence = TD_SEQUENTIAL_OPTIONS_INIT;
  must(td_module_sequential((td_module *const[]){module}, 1, &sequence, &both, &err));

  must(td_dict_new(TD_NO_DIMS, NULL, &params, &err));
  must(td_tensor_full(TD_SHAPE(1), TD_VALUE(td_value_double(0.5)), TD_DTYPE_FLOAT64, TD_NO_STR, &w, &err));
  must(td_tensor_requires_grad_(w, 1, &err));
  must(td_dict_set(params, TD_KEY("w"), w, &err));
  td_adam_options options = TD_ADAM_OPTIONS_INIT;
  options.lr = 0.1;
  td_optimizer *adam;
  td_schedule *schedule;
  must(td_optimizer_adam(params, &options, &adam, &err));
  must(td_schedule_new_exponential(adam, 0.99, &schedule, &err));
  must(td_tensor_full(TD_SHAPE(4), TD_VALUE(td_value_int(2)), TD_DTYPE_FLOAT64, TD_NO_STR, &x, &err));
  double last = 0;
  for (int step = 0; step < 60; ++step) {
    td_tensor *wanted;
    td_value loss;
    must(td_dict_new(TD_NO_DIMS, NULL, &data, &err));
    must(td_dict_set(data, TD_KEY("x"), x, &err));
    must(td_dict_set(data, TD_KEY("w"), w, &err));
    must(td_module_forward(both, data, &err));
    must(td_dict_get(data, TD_KEY("y"), &y, &err));
    must(td_tensor_full(TD_SHAPE(4), TD_VALUE(td_value_int(6)), TD_DTYPE_FLOAT64, TD_NO_STR, &wanted, &err));
    must(td_op_run(TD_STR("mse_loss"), (td_value[]){td_value_tensor(y), td_value_tensor(wanted)}, 2, NULL, 0, &loss, 1,
                   &err));
    must(td_optimizer_zero_grad(adam, &err));
    must(td_tensor_backward(loss.as.tensor, NULL, 0, &err));
    must(td_optimizer_step(adam, &err));
    must(td_schedule_step(schedule, &err));
    td_value number;
    must(td_tensor_item(loss.as.tensor, &number, &err));
    check(number.kind == TD_VALUE_DOUBLE);
    last = number.as.f;
    td_value_clear(&loss);
    td_tensor_release(wanted), td_tensor_release(y), td_dict_release(data);
  }
  check(last < 0.5 && td_schedule_steps(schedule) == 60);
  td_schedule_release(schedule), td_optimizer_release(adam);
  td_tensor_release(x), td_tensor_release(w), td_dict_release(params);
  td_module_release(both), td_module_release(module), td_module_release(function);
  check(destroyed == 1);
  return 0;
}
