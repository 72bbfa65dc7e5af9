// Vectors of modules, sequences and their state.
#include <algorithm>
#include <map>

#include "vectors.h"

namespace {

using namespace vectors;  // NOLINT: a test

// Output i is input i (of the n there are) plus n, as in the examples of the original.
td_status add_count(void *, td_tensor *const *inputs, size_t n, td_tensor **outputs, size_t n_outputs, td_error **err) {
  td_op *add;
  td_status s = td_op_find(TD_STR("add"), TD_STR("Scalar"), &add, err);
  for (size_t i = 0; i < n_outputs && s == TD_OK; ++i) {
    td_value args[] = {td_value_tensor(inputs[i % n]), td_value_int(static_cast<int64_t>(n))}, y;
    s = td_op_call(add, args, 2, nullptr, 0, &y, 1, err);
    if (s == TD_OK) outputs[i] = y.as.tensor;
  }
  td_op_release(add);
  return s;
}

Own<td_module> keyed(const Object &spec) {
  Err err;
  td_module *inner, *out;
  must(td_module_from_function({add_count, nullptr, nullptr}, &inner, err), err, "a function");
  Own<td_module> hold(inner);
  KeyList in = keys_of(spec.at("in")), outs = keys_of(spec.at("out"));
  std::vector<td_key> raw_in = raw(in), raw_out = raw(outs);
  must(td_module_tensordict(inner, raw_in.data(), raw_in.size(), raw_out.data(), raw_out.size(), &out, err), err,
       "a module");
  return Own<td_module>(out);
}

Own<td_module> sequence(const json::value &spec, const td_sequential_options *options = nullptr) {
  std::vector<Own<td_module>> members;
  std::vector<td_module *> handles;
  for (const json::value &m : spec.as_array()) {
    const Object &o = m.as_object();
    members.push_back(o.contains("seq") ? sequence(o.at("seq")) : keyed(o));
    handles.push_back(members.back().get());
  }
  Err err;
  td_module *out;
  must(td_module_sequential_with(handles.data(), handles.size(), options, &out, err), err, "a sequence");
  return Own<td_module>(out);
}

KeyList in_keys(const td_module *m) {
  Err err;
  td_keys *keys;
  must(td_module_in_keys(m, &keys, err), err, "in_keys");
  return keys_of(Own<td_keys>(keys).get());
}

KeyList out_keys(const td_module *m) {
  Err err;
  td_keys *keys;
  must(td_module_out_keys(m, &keys, err), err, "out_keys");
  return keys_of(Own<td_keys>(keys).get());
}

// The members have the keys of the spec, at every depth.
void check_members(const td_module *m, const json::array &spec) {
  check(td_module_size(m) == spec.size(), "there are " + std::to_string(td_module_size(m)) + " members");
  for (size_t i = 0; i < spec.size(); ++i) {
    Err err;
    td_module *member;
    must(td_module_member(m, static_cast<int64_t>(i), &member, err), err, "a member");
    Own<td_module> hold(member);
    const Object &o = spec[i].as_object();
    if (o.contains("seq")) {
      check_members(member, o.at("seq").as_array());
      continue;
    }
    check_keys(in_keys(member), keys_of(o.at("in")), "the in-keys of member " + std::to_string(i));
    check_keys(out_keys(member), keys_of(o.at("out")), "the out-keys of member " + std::to_string(i));
  }
}

const Kind seq_keys("seq_keys", [](const Object &v) {
  Own<td_module> s = sequence(v.at("spec"));
  check_keys(in_keys(s.get()), keys_of(v.at("in_keys")), "the in-keys");
  check_keys(out_keys(s.get()), keys_of(v.at("out_keys")), "the out-keys");
});

const Kind select_subsequence("select_subsequence", [](const Object &v) {
  Own<td_module> s = sequence(v.at("spec"));
  static const td_key no_key = {nullptr, 0};
  KeyList in, out;
  if (!v.at("in_keys").is_null()) in = keys_of(v.at("in_keys"));
  if (!v.at("out_keys").is_null()) out = keys_of(v.at("out_keys"));
  std::vector<td_key> raw_in = raw(in), raw_out = raw(out);
  const td_key *given_in = v.at("in_keys").is_null() ? nullptr : raw_in.empty() ? &no_key : raw_in.data();
  const td_key *given_out = v.at("out_keys").is_null() ? nullptr : raw_out.empty() ? &no_key : raw_out.data();
  Err err;
  td_module *result = nullptr;
  td_status status =
      td_module_select_subsequence(s.get(), given_in, raw_in.size(), given_out, raw_out.size(), &result, err);
  if (v.contains("error")) return refused(status, err, "the selection");
  must(status, err, "the selection");
  Own<td_module> hold(result);
  check_members(result, v.at("result").as_array());
  check_keys(in_keys(result), keys_of(v.at("result_in_keys")), "the in-keys");
  check_keys(out_keys(result), keys_of(v.at("result_out_keys")), "the out-keys");
});

// ---- Running
Own<td_dict> dict_of(const KeyList &keys) {
  Err err;
  td_dict *d;
  must(td_dict_new(TD_NO_DIMS, nullptr, &d, err), err, "a dict");
  Own<td_dict> out(d);
  double value = 0;
  for (const Key &k : keys) {
    Own<td_tensor> t = tensor(json::value(value++), TD_FLOAT32);
    must(td_dict_set(d, k.get(), t.get(), err), err, k.text());
  }
  return out;
}

KeyList leaf_keys(const td_dict *d) {
  Err err;
  td_keys *keys;
  must(td_dict_keys(d, TD_KEYS_LEAVES | TD_KEYS_NESTED, &keys, err), err, "keys");
  return keys_of(Own<td_keys>(keys).get());
}

void check_same_set(KeyList got, KeyList expected, const std::string &what) {
  auto order = [](const Key &a, const Key &b) { return a.text() < b.text(); };
  std::sort(got.begin(), got.end(), order);
  std::sort(expected.begin(), expected.end(), order);
  check_keys(got, expected, what);
}

std::vector<Own<td_tensor>> dispatched(const td_module *m, const std::vector<td_value> &args,
                                       const std::vector<td_named_value> &kwargs, Err &err, td_status &status) {
  td_value outs[8];
  size_t n = 0;
  status = td_module_dispatch(m, args.data(), args.size(), kwargs.data(), kwargs.size(), TD_NO_STR, outs, 8, &n, err);
  std::vector<Own<td_tensor>> results;
  for (size_t i = 0; i < n; ++i) {
    check(outs[i].kind == TD_VALUE_TENSOR, "an output is no tensor");
    results.emplace_back(outs[i].as.tensor);
  }
  return results;
}

void run_module(const Object &v) {
  Own<td_module> m = keyed(v.at("module").as_object());
  Err err;
  if (v.contains("select")) {
    KeyList keys = keys_of(v.at("select"));
    std::vector<td_key> chosen = raw(keys);
    must(td_module_select_out_keys(m.get(), chosen.data(), chosen.size(), err), err, "select_out_keys");
  }
  Own<td_dict> data = dict_of(keys_of(v.at("input_keys")));
  td_dict *result;
  must(td_module_run(m.get(), data.get(), nullptr, &result, err), err, "run");
  Own<td_dict> hold(result);
  check_same_set(leaf_keys(result), keys_of(v.at("output_keys")), "the keys of the output");
  if (v.contains("same_object")) check((result == data.get()) == v.at("same_object").as_bool(), "the same object");
  if (!v.contains("dispatch_value")) return;
  td_status status;
  std::vector<td_value> args = {td_value_double(0), td_value_double(1)};
  auto outs = dispatched(m.get(), args, {}, err, status);
  must(status, err, "dispatch");
  check(outs.size() == 1, "one value is dispatched");
  check_values(outs[0].get(), v.at("dispatch_value"), 1e-6, "the dispatched value");
}

// [a->b, b->c] with inplace=False: the members write into the input all the same.
void run_sequence_to_new_dict(const Object &v) {
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  options.inplace = TD_INPLACE_FALSE;
  Own<td_module> s = sequence(json::parse(R"([{"in": ["a"], "out": ["b"]}, {"in": ["b"], "out": ["c"]}])"), &options);
  Err err;
  td_dict *data_handle, *result;
  must(td_dict_new(TD_SHAPE(3), nullptr, &data_handle, err), err, "a dict");
  Own<td_dict> data(data_handle);
  Own<td_tensor> a = tensor(json::parse("[0, 1, 2]"), TD_FLOAT32);
  must(td_dict_set(data_handle, TD_KEY("a"), a.get(), err), err, "a");
  must(td_module_run(s.get(), data_handle, nullptr, &result, err), err, "run");
  Own<td_dict> hold(result);
  check(result != data_handle, "another dict");
  check_same_set(leaf_keys(result), keys_of(v.at("output_keys")), "the keys of the output");
  check_same_set(leaf_keys(data_handle), keys_of(v.at("input_keys_after")), "the keys of the input");
  check(td_dict_batch_size(result, nullptr, 0) == v.at("output_batch_size").as_array().size(), "the batch size");
}

const Kind run("run", [](const Object &v) {
  if (v.contains("module")) return run_module(v);
  check(v.at("id").as_string() == "run.seq_inplace_false", "a vector of this kind that this program does not know");
  run_sequence_to_new_dict(v);
});

const Kind dispatch("dispatch", [](const Object &v) {
  Own<td_module> m = keyed(v.at("module").as_object());
  std::vector<td_value> args;
  std::vector<td_named_value> kwargs;
  std::vector<std::string> names;
  if (v.contains("args"))
    for (const json::value &a : v.at("args").as_array()) args.push_back(td_value_double(number(a)));
  if (v.contains("kwargs"))
    for (const auto &[name, a] : v.at("kwargs").as_object())
      kwargs.push_back({{name.data(), name.size()}, td_value_double(number(a))});
  Err err;
  td_status status;
  auto outs = dispatched(m.get(), args, kwargs, err, status);
  if (v.contains("error")) {
    refused(status, err, "dispatch");
    if (v.contains("message"))
      check(err.message().find(std::string(v.at("message").as_string())) != std::string::npos, err.message());
    return;
  }
  must(status, err, "dispatch");
  json::array expected = v.at("out").is_array() ? v.at("out").as_array() : json::array{v.at("out")};
  check(outs.size() == expected.size(), "the number of outputs");
  for (size_t i = 0; i < outs.size(); ++i) check_values(outs[i].get(), expected[i], 1e-6, "an output");
});

// ---- State
Own<td_module> chain(std::vector<Own<td_module>> members) {
  std::vector<td_module *> handles;
  for (const auto &m : members) handles.push_back(m.get());
  Err err;
  td_module *out;
  must(td_module_chain(handles.data(), handles.size(), nullptr, &out, err), err, "a chain");
  return Own<td_module>(out);
}

// Sequential(Linear(2, 3), ReLU, Sequential(BatchNorm1d(3), Linear(3, 1, bias=False)))
Own<td_module> nested_network(uint64_t seed) {
  std::vector<Own<td_module>> inner, outer;
  inner.push_back(made("td.batch_norm1d", R"({"num_features": 3})"));
  inner.push_back(made("td.linear", R"({"in_features": 3, "out_features": 1, "bias": false})", seed));
  outer.push_back(made("td.linear", R"({"in_features": 2, "out_features": 3})", seed));
  outer.push_back(made("td.relu", "{}"));
  outer.push_back(chain(std::move(inner)));
  return chain(std::move(outer));
}

Own<td_module> linear(int64_t out, bool bias = true) {
  return made("td.linear", R"({"in_features": 1, "out_features": )" + std::to_string(out) +
                               ", \"bias\": " + (bias ? "true" : "false") + "}");
}

std::vector<td_module *> handles_of(const std::vector<Own<td_module>> &modules) {
  std::vector<td_module *> out;
  for (const auto &m : modules) out.push_back(m.get());
  return out;
}

const char *dtype_name(td_dtype d) {
  return d == TD_FLOAT32 ? "float32" : d == TD_FLOAT64 ? "float64" : d == TD_INT64 ? "int64" : "?";
}

void check_shape(const td_tensor *t, const json::value &expected, const std::string &what) {
  std::vector<int64_t> dims;
  for (const json::value &d : expected.as_array()) dims.push_back(d.as_int64());
  check(shape(t) == dims, "the shape of " + what);
}

void check_leaves(const td_dict *d, const Object &leaves) {
  KeyList expected, got = leaf_keys(d);
  std::map<std::string, Key> by_text;
  for (const Key &k : got) by_text.emplace(k.text(), k);
  check(got.size() == leaves.size(), "there are " + std::to_string(got.size()) + " leaves");
  for (const auto &[name, value] : leaves) {
    std::string text(name);
    auto found = by_text.find(text);
    check(found != by_text.end(), "there is no " + text);
    const Object &leaf = value.as_object();
    Err err;
    td_tensor *t;
    must(td_dict_get(d, found->second.get(), &t, err), err, text);
    Own<td_tensor> hold(t);
    check_shape(t, leaf.at("shape"), text);
    check(leaf.at("dtype").as_string() == dtype_name(td_tensor_dtype(t)), "the dtype of " + text);
    check(td_tensor_requires_grad(t) == leaf.at("requires_grad").as_bool(), "requires_grad of " + text);
  }
}

const Kind from_module("from_module", [](const Object &v) {
  Own<td_module> m = nested_network(0);
  Err err;
  td_dict *state;
  must(td_dict_from_module(m.get(), &state, err), err, "from_module");
  check_leaves(Own<td_dict>(state).get(), v.at("leaves").as_object());
});

const Kind from_modules("from_modules", [](const Object &v) {
  std::vector<Own<td_module>> modules;
  const Object &first = v.at("leaves").as_object().begin()->value().as_object();
  int64_t n = first.at("shape").as_array()[0].as_int64();
  for (int64_t i = 0; i < n; ++i) modules.push_back(nested_network(static_cast<uint64_t>(i)));
  td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
  options.use_state_dict = v.at("id").as_string() == "from_modules.use_state_dict";
  std::vector<td_module *> handles = handles_of(modules);
  Err err;
  td_dict *state;
  must(td_dict_from_modules_with(handles.data(), handles.size(), &options, &state, err), err, "from_modules");
  Own<td_dict> hold(state);
  check_leaves(state, v.at("leaves").as_object());
  int64_t batch = 0;
  check(td_dict_batch_size(state, &batch, 1) == 1 && batch == n, "the batch size");
  if (v.contains("locked")) check(td_dict_is_locked(state) == v.at("locked").as_bool(), "the lock");
});

bool says(const Object &v, const char *part) {
  return v.at("id").as_string().find(part) != json::string::npos;
}

const Kind from_modules_error("from_modules_error", [](const Object &v) {
  std::vector<Own<td_module>> modules;
  td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
  const Object &kwargs = v.at("kwargs").as_object();
  auto flag = [&](const char *name) { return kwargs.contains(name) && kwargs.at(name).as_bool(); };
  options.expand_identical = flag("expand_identical");
  options.lazy_stack = flag("lazy_stack");
  options.as_module = flag("as_module");
  options.use_state_dict = flag("use_state_dict");
  if (!says(v, "none")) {
    modules.push_back(linear(1));
    modules.push_back(says(v, "shape") ? linear(2) : linear(1, !says(v, "missing")));
  }
  std::vector<td_module *> handles = handles_of(modules);
  Err err;
  td_dict *state = nullptr;
  refused(td_dict_from_modules_with(handles.data(), handles.size(), &options, &state, err), err, "from_modules");
});

void check_stacked(const td_dict *d, const Object &leaves) {
  check(leaf_keys(d).size() == leaves.size(), "there are " + std::to_string(leaf_keys(d).size()) + " leaves");
  for (const auto &[name, value] : leaves) {
    std::string text(name);
    const json::array &leaf = value.as_array();
    Err err;
    td_tensor *t;
    must(td_dict_get(d, TD_KEY(text.c_str()), &t, err), err, text);
    Own<td_tensor> hold(t);
    check_shape(t, leaf[0], text);
    check(td_tensor_requires_grad(t) == leaf[1].as_bool(), "requires_grad of " + text);
  }
}

td_status stack(const std::vector<Own<td_module>> &modules, Own<td_dict> &params, Own<td_dict> &buffers, Err &err) {
  std::vector<td_module *> handles = handles_of(modules);
  td_dict *p = nullptr, *b = nullptr;
  td_status status = td_module_stack_state(handles.data(), handles.size(), &p, &b, err);
  params.reset(p);
  buffers.reset(b);
  return status;
}

const Kind stack_module_state("stack_module_state", [](const Object &v) {
  std::vector<Own<td_module>> modules;
  for (uint64_t i = 0; i < 2; ++i) modules.push_back(nested_network(i));
  Own<td_dict> params, buffers;
  Err err;
  must(stack(modules, params, buffers, err), err, "stack_module_state");
  check_stacked(params.get(), v.at("params").as_object());
  check_stacked(buffers.get(), v.at("buffers").as_object());
});

const Kind stack_module_state_error("stack_module_state_error", [](const Object &v) {
  std::vector<Own<td_module>> modules;
  Err err;
  if (!says(v, "empty")) {
    modules.push_back(linear(1));
    modules.push_back(says(v, "class") || says(v, "type") ? made("td.relu", "{}") : linear(says(v, "shape") ? 2 : 1));
  }
  if (says(v, "train")) must(td_module_train(modules[1].get(), 0, err), err, "eval");
  if (says(v, "requires_grad")) {
    td_dict *state;
    td_tensor *weight;
    must(td_dict_from_module(modules[1].get(), &state, err), err, "from_module");
    Own<td_dict> hold(state);
    must(td_dict_get(state, TD_KEY("weight"), &weight, err), err, "weight");
    Own<td_tensor> hold_weight(weight);
    must(td_tensor_set_requires_grad(weight, 0, err), err, "requires_grad_");
  }
  Own<td_dict> params, buffers;
  refused(stack(modules, params, buffers, err), err, "stack_module_state");
});

// ---- vmap: an ensemble of linear layers, forwards and backwards
const Kind vmap("vmap", [](const Object &v) {
  if (!v.contains("weights")) throw Failure("a vector of this kind that this program does not know");
  std::vector<Own<td_module>> modules;
  size_t n = v.at("weights").as_array().size();
  Own<td_module> single = made("td.linear", R"({"in_features": 2, "out_features": 1})");
  for (size_t i = 0; i < n; ++i) modules.push_back(made("td.linear", R"({"in_features": 2, "out_features": 1})"));
  std::vector<td_module *> handles = handles_of(modules);
  Err err;
  td_dict *states, *data, *result;
  td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
  must(td_dict_from_modules_with(handles.data(), n, &options, &states, err), err, "from_modules");
  Own<td_dict> hold_states(states);
  json::array biases(n, json::array{v.at("bias")});
  td_no_grad *no_grad;
  must(td_no_grad_begin(&no_grad, err), err, "no_grad");
  td_status a = td_dict_copy_into(states, TD_KEY("weight"), tensor(v.at("weights"), TD_FLOAT32).get(), err);
  td_status b = td_dict_copy_into(states, TD_KEY("bias"), tensor(biases, TD_FLOAT32).get(), err);
  must(td_no_grad_end(no_grad, err), err, "no_grad");
  must(a == TD_OK ? b : a, err, "the weights");

  td_module *policy;
  must(td_module_tensordict(single.get(), TD_KEY("x"), 1, TD_KEY("y"), 1, &policy, err), err, "a module");
  Own<td_module> hold_policy(policy);
  must(td_dict_new(TD_NO_DIMS, nullptr, &data, err), err, "a dict");
  Own<td_dict> hold_data(data);
  must(td_dict_set(data, TD_KEY("x"), tensor(v.at("x"), TD_FLOAT32).get(), err), err, "x");
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

// ---- Parameters of distributions
Own<td_tensor> call_one(const td_module *m, const td_tensor *x, size_t n_outputs, std::vector<Own<td_tensor>> *all) {
  Err err;
  td_tensor *in = const_cast<td_tensor *>(x), *outs[4];
  must(td_module_call(m, &in, 1, outs, n_outputs, err), err, "call");
  for (size_t i = 1; i < n_outputs; ++i) all->emplace_back(outs[i]);
  return Own<td_tensor>(outs[0]);
}

td_dtype dtype_of(const Object &v) {
  return v.contains("dtype") && v.at("dtype").as_string() == "float32" ? TD_FLOAT32 : TD_FLOAT64;
}

// A mapping is what the extractor does to the second half of its input, if its bound is out of the way.
const Kind mapping("mapping", [](const Object &v) {
  std::string name(v.at("name").as_string());
  td_dtype dtype = dtype_of(v);
  if (name == "inv_softplus") {
    Own<td_module> inverse = made("td.inv_softplus", "{}");
    return check_values(call_one(inverse.get(), tensor(v.at("x"), dtype).get(), 1, nullptr).get(), v.at("y"), 1e-6,
                        "y");
  }
  Own<td_module> m = made("td.normal_param_extractor", "{\"scale_mapping\": \"" + name + "\", \"scale_lb\": -1e30}");
  json::array both(v.at("x").as_array().size(), json::value(0.0));
  for (const json::value &x : v.at("x").as_array()) both.push_back(x);
  std::vector<Own<td_tensor>> more;
  call_one(m.get(), tensor(both, dtype).get(), 2, &more);
  check_values(more[0].get(), v.at("y"), 1e-6, "y");
});

const Kind npe("npe", [](const Object &v) {
  std::string config = "{\"scale_mapping\": \"" + std::string(v.at("scale_mapping").as_string()) +
                       "\", \"scale_lb\": " + std::to_string(number(v.at("scale_lb"))) + "}";
  Own<td_module> m = made("td.normal_param_extractor", config);
  std::vector<Own<td_tensor>> more;
  Own<td_tensor> x = tensor(v.at("x"), TD_FLOAT32);
  if (v.contains("error")) {
    Err err;
    td_tensor *in = x.get(), *outs[2];
    return refused(td_module_call(m.get(), &in, 1, outs, 2, err), err, "the extractor");
  }
  Own<td_tensor> loc = call_one(m.get(), x.get(), 2, &more);
  check_values(loc.get(), v.at("loc"), 1e-6, "loc");
  check_values(more[0].get(), v.at("scale"), 1e-6, "scale");
});

}  // namespace
