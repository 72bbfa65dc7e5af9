// An ensemble of linear layers under vmap, forwards and backwards.
#include "modules.h"

namespace {

using namespace vectors;  // NOLINT: a test

std::vector<int64_t> ints(const json::value &list) {
  std::vector<int64_t> out;
  for (const json::value &d : list.as_array()) out.push_back(d.as_int64());
  return out;
}

Own<td_module> policy_of() {
  Own<td_module> linear = made("td.linear", R"({"in_features": 2, "out_features": 1})");
  Err err;
  td_module *policy;
  must(td_module_tensordict(linear.get(), TD_KEY("x"), 1, TD_KEY("y"), 1, nullptr, &policy, err), err, "a module");
  return Own<td_module>(policy);
}

// Three linear layers over data of a batch size: what batch size and shapes come out.
void run_batch_sizes(const Object &v) {
  std::vector<Own<td_module>> modules;
  for (int i = 0; i < 3; ++i) modules.push_back(policy_of());
  std::vector<td_module *> handles = handles_of(modules);
  std::vector<int64_t> batch = ints(v.at("batch"));
  Err err;
  td_dict *states, *data, *result;
  must(td_dict_from_modules(handles.data(), handles.size(), nullptr, &states, err), err, "from_modules");
  Own<td_dict> hold_states(states);
  must(td_dict_new(batch.data(), batch.size(), nullptr, &data, err), err, "a dict");
  Own<td_dict> hold_data(data);
  const KeyList names = keys_of(json::parse(R"(["x", ["n", "z"]])"));
  for (size_t i = 0; i < 2; ++i) {
    std::vector<int64_t> dims = batch;
    dims.push_back(i == 0 ? 2 : 4);
    td_tensor *t;
    must(td_tensor_full(dims.data(), dims.size(), TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32, TD_NO_STR, &t, err),
         err, "a tensor");
    must(td_dict_set(data, names[i].get(), Own<td_tensor>(t).get(), err), err, "set");
  }
  td_vmap_options options = TD_VMAP_OPTIONS_INIT;
  if (!v.at("data_dim").is_null())
    options.map_data = 1, options.data_dim = static_cast<int32_t>(v.at("data_dim").as_int64());
  must(td_module_vmap(modules[0].get(), states, data, &options, &result, err), err, "vmap");
  Own<td_dict> hold(result);
  int64_t got[8];
  const size_t n = td_dict_batch_size(result, got, 8);
  check(std::vector<int64_t>(got, got + n) == ints(v.at("out_batch")), "the batch size");
  check(leaf_keys(result).size() == v.at("shapes").as_array().size(), "the number of leaves");
  for (const json::value &leaf : v.at("shapes").as_array()) {
    Key key(leaf.as_array()[0]);
    td_tensor *t;
    must(td_dict_get(result, key.get(), &t, err), err, key.text());
    check_shape(Own<td_tensor>(t).get(), leaf.as_array()[1], key.text());
  }
}

const Kind vmap("vmap", [](const Object &v) {
  if (v.contains("out_batch")) return run_batch_sizes(v);
  if (!v.contains("weights")) throw Failure("a vector of this kind that this program does not know");
  std::vector<Own<td_module>> modules;
  size_t n = v.at("weights").as_array().size();
  Own<td_module> single = made("td.linear", R"({"in_features": 2, "out_features": 1})");
  for (size_t i = 0; i < n; ++i) modules.push_back(made("td.linear", R"({"in_features": 2, "out_features": 1})"));
  std::vector<td_module *> handles = handles_of(modules);
  Err err;
  td_dict *states, *data, *result;
  td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
  must(td_dict_from_modules(handles.data(), n, &options, &states, err), err, "from_modules");
  Own<td_dict> hold_states(states);
  json::array biases(n, json::array{v.at("bias")});
  td_no_grad *no_grad;
  must(td_no_grad_begin(&no_grad, err), err, "no_grad");
  td_status a = td_dict_copy_into(states, TD_KEY("weight"), tensor(v.at("weights"), TD_DTYPE_FLOAT32).get(), err);
  td_status b = td_dict_copy_into(states, TD_KEY("bias"), tensor(biases, TD_DTYPE_FLOAT32).get(), err);
  must(td_no_grad_end(no_grad, err), err, "no_grad");
  td_no_grad_release(no_grad);
  must(a == TD_OK ? b : a, err, "the weights");

  td_module *policy;
  must(td_module_tensordict(single.get(), TD_KEY("x"), 1, TD_KEY("y"), 1, nullptr, &policy, err), err, "a module");
  Own<td_module> hold_policy(policy);
  must(td_dict_new(TD_NO_DIMS, nullptr, &data, err), err, "a dict");
  Own<td_dict> hold_data(data);
  must(td_dict_set(data, TD_KEY("x"), tensor(v.at("x"), TD_DTYPE_FLOAT32).get(), err), err, "x");
  td_dict *under;  // the states as the module with keys has them
  must(td_dict_new(TD_SHAPE(static_cast<int64_t>(n)), nullptr, &under, err), err, "a dict");
  Own<td_dict> hold_under(under);
  must(td_dict_set_dict(under, TD_KEY("module"), states, err), err, "module");
  must(td_module_vmap(policy, under, data, nullptr, &result, err), err, "vmap");
  Own<td_dict> hold_result(result);
  td_tensor *y, *weight, *bias, *grad;
  must(td_dict_get(result, TD_KEY("y"), &y, err), err, "y");
  Own<td_tensor> hold_y(y);
  check_values(y, v.at("y"), 1e-6, "y");

  td_op *sum;
  must(td_op_find(TD_STR("sum"), TD_NO_STR, &sum, err), err, "sum");
  td_value arg = td_value_tensor(y), total;
  td_status called = td_op_call(sum, &arg, 1, nullptr, 0, &total, 1, err);
  td_op_release(sum);
  must(called, err, "sum");
  Own<td_tensor> hold_total(total.as.tensor);
  must(td_tensor_backward(total.as.tensor, nullptr, 0, err), err, "backward");
  must(td_dict_get(states, TD_KEY("weight"), &weight, err), err, "weight");
  Own<td_tensor> hold_weight(weight);
  must(td_tensor_grad(weight, &grad, err), err, "grad");
  check_values(Own<td_tensor>(grad).get(), v.at("grad_weight"), 1e-6, "the gradient of the weights");
  must(td_dict_get(states, TD_KEY("bias"), &bias, err), err, "bias");
  Own<td_tensor> hold_bias(bias);
  must(td_tensor_grad(bias, &grad, err), err, "grad");
  check_values(Own<td_tensor>(grad).get(), v.at("grad_bias"), 1e-6, "the gradient of the biases");
});

}  // namespace
