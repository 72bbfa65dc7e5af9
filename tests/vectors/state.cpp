// The state of modules: from_module(s), stack_module_state.
#include <map>

#include "modules.h"

namespace {

using namespace vectors;  // NOLINT: a test

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

const char *dtype_name(td_dtype d) {
  return d == TD_DTYPE_FLOAT32 ? "float32" : d == TD_DTYPE_FLOAT64 ? "float64" : d == TD_DTYPE_INT64 ? "int64" : "?";
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
    if (!leaf.contains("stride0")) continue;
    int64_t strides[8];
    td_tensor_strides(t, strides, 8);
    check(strides[0] == leaf.at("stride0").as_int64(), "the first stride of " + text);
  }
}

void read_options(const Object &kwargs, td_from_modules_options &options) {
  auto flag = [&](const char *name) { return kwargs.contains(name) && kwargs.at(name).as_bool(); };
  options.expand_identical = flag("expand_identical");
  options.lazy_stack = flag("lazy_stack");
  options.as_module = flag("as_module");
  options.use_state_dict = flag("use_state_dict");
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
  if (v.contains("kwargs")) read_options(v.at("kwargs").as_object(), options);
  if (v.at("id").as_string() == "from_modules.use_state_dict") options.use_state_dict = 1;
  std::vector<td_module *> handles = handles_of(modules);
  if (v.contains("shared") && v.at("shared").as_bool()) handles.assign(handles.size(), handles[0]);
  Err err;
  td_dict *state;
  must(td_dict_from_modules(handles.data(), handles.size(), &options, &state, err), err, "from_modules");
  Own<td_dict> hold(state);
  check_leaves(state, v.at("leaves").as_object());
  int64_t batch = 0;
  check(td_dict_batch_size(state, &batch, 1) == 1 && batch == n, "the batch size");
  if (v.contains("locked")) check(td_dict_is_locked(state) == v.at("locked").as_bool(), "the lock");
  if (!v.contains("kwargs")) return;
  const td_dict_kind kind = options.as_module    ? TD_DICT_KIND_PARAMS
                            : options.lazy_stack ? TD_DICT_KIND_LAZY_STACK
                                                 : TD_DICT_KIND_TENSORDICT;
  check(td_dict_kind_of(state) == kind, "the kind of dict is " + std::to_string(td_dict_kind_of(state)));
});

bool says(const Object &v, const char *part) {
  return v.at("id").as_string().find(part) != json::string::npos;
}

const Kind from_modules_error("from_modules_error", [](const Object &v) {
  std::vector<Own<td_module>> modules;
  td_from_modules_options options = TD_FROM_MODULES_OPTIONS_INIT;
  read_options(v.at("kwargs").as_object(), options);
  if (!says(v, "none")) {
    modules.push_back(linear(1));
    modules.push_back(says(v, "shape") ? linear(2) : linear(1, !says(v, "missing")));
  }
  std::vector<td_module *> handles = handles_of(modules);
  Err err;
  td_dict *state = nullptr;
  refused(td_dict_from_modules(handles.data(), handles.size(), &options, &state, err), err, "from_modules");
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
    must(td_tensor_requires_grad_(weight, 0, err), err, "requires_grad_");
  }
  Own<td_dict> params, buffers;
  refused(stack(modules, params, buffers, err), err, "stack_module_state");
});

}  // namespace
