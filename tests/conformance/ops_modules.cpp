// Modules that read and write keys.
#include <cstring>

#include "observe.h"
#include "ops.h"
#include "tensors.h"

namespace conformance {
namespace {

void set_to(td_tensor *target, td_tensor *value) {
  Tensor plain = own(made<td_tensor>(td_tensor_detach, target));
  call(td_tensor_copy_, plain.get(), value);
}

void linear(Program &p) {
  td_tensor *weight = p.tensor("weight");
  const std::vector<int64_t> shape = shape_of(weight);
  const bool bias = !p.at("bias").is_null();
  const std::string config =
      json::serialize(json::object{{"in_features", shape.at(1)}, {"out_features", shape.at(0)}, {"bias", bias}});
  Module m = own(made<td_module>(td_module_new, TD_STR("td.linear"), td_str{config.data(), config.size()}, nullptr));
  set_to(own(made<td_tensor>(td_module_get_parameter, m.get(), TD_KEY("weight"))).get(), weight);
  if (bias) set_to(own(made<td_tensor>(td_module_get_parameter, m.get(), TD_KEY("bias"))).get(), p.tensor("bias"));
  p.put(Register(m));
}

// ---- Functions of the caller ----

td_tensor *binary(const char *name, td_tensor *x, td_value y) {
  std::shared_ptr<td_op> op(made<td_op>(td_op_find, td_str{name, TD_STRLEN},
                                        td_str{y.kind == TD_VALUE_TENSOR ? "Tensor" : "Scalar", TD_STRLEN}),
                            td_op_release);
  const td_value arguments[] = {td_value_tensor(x), y};
  td_value result;
  call(td_op_call, op.get(), arguments, size_t{2}, nullptr, size_t{0}, &result, size_t{1});
  return result.as.tensor;
}

Tensor total(td_tensor *const *inputs, size_t n) {
  Tensor sum;
  for (size_t i = 0; i < n; ++i)
    if (inputs[i])
      sum = own(sum ? binary("add", sum.get(), td_value_tensor(inputs[i])) : binary("add", inputs[i], td_value_int(0)));
  if (!sum) throw Failure{TD_ERR_ARGUMENT, "nothing to add"};
  return sum;
}

void compute(const std::string &fn, td_tensor *const *inputs, size_t n, td_tensor **outputs, size_t n_outputs) {
  const size_t takes = fn == "total" ? n : fn == "product" ? 2 : 1;
  for (size_t i = 0; i < takes && fn != "total"; ++i)
    if (n != takes || !inputs[i]) throw Failure{TD_ERR_ARGUMENT, "an input is missing"};
  if (n_outputs != (fn == "pair" ? 2 : 1)) throw Failure{TD_ERR_ARGUMENT, "another number of outputs"};
  std::vector<Tensor> out;
  if (fn == "total") out = {total(inputs, n)};
  if (fn == "double") out = {own(binary("mul", inputs[0], td_value_int(2)))};
  if (fn == "product") out = {own(binary("mul", inputs[0], td_value_tensor(inputs[1])))};
  if (fn == "pair")
    out = {own(binary("add", inputs[0], td_value_int(1))), own(binary("mul", inputs[0], td_value_int(-1)))};
  for (size_t i = 0; i < out.size(); ++i) td_tensor_retain(outputs[i] = out[i].get());
}

void function(Program &p) {
  td_module_function made_of = {
      sizeof made_of,
      [](void *userdata, td_tensor *const *inputs, size_t n, td_tensor **outputs, size_t n_outputs, td_error **err) {
        try {
          compute(*static_cast<std::string *>(userdata), inputs, n, outputs, n_outputs);
          return td_status{TD_OK};
        } catch (const Failure &f) {
          if (err) *err = td_error_new(f.status, td_str{f.message.c_str(), TD_STRLEN});
          return f.status;
        }
      },
      new std::string(p.word("fn")), [](void *userdata) { delete static_cast<std::string *>(userdata); }};
  p.put(made<td_module>(td_module_from_function, &made_of));
}

// ---- Keys ----

td_inplace inplace(const json::value &v) {
  if (v.is_string()) return TD_INPLACE_EMPTY;
  return v.as_bool() ? TD_INPLACE_TRUE : TD_INPLACE_FALSE;
}

void module(Program &p) {
  auto in = p.keys(p.at("in_keys")), out = p.keys(p.at("out_keys"));
  td_tensordict_options options = TD_TENSORDICT_OPTIONS_INIT;
  if (p.find("inplace")) options.inplace = inplace(p.at("inplace"));
  p.put(
      made<td_module>(td_module_tensordict, p.module("inner"), in.data(), in.size(), out.data(), out.size(), &options));
}

void sequence(Program &p) {
  auto members = p.modules();
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  if (p.find("inplace")) options.inplace = inplace(p.at("inplace"));
  options.partial_tolerant = p.flag("partial_tolerant");
  std::vector<td_key> selected;
  if (p.find("selected")) selected = p.keys(p.at("selected"));
  options.selected_out_keys = selected.data();
  options.n_selected = selected.size();
  p.put(made<td_module>(td_module_sequential, members.data(), members.size(), &options));
}

void run_module(Program &p) {
  td_run_options options = TD_RUN_OPTIONS_INIT;
  if (p.find("out")) options.tensordict_out = p.dict("out");
  p.put(made<td_dict>(td_module_run, p.module(), p.dict(), &options));
}

void subsequence(Program &p) {
  std::vector<td_key> in, out;
  static const td_key kNone{};
  if (p.find("in_keys")) in = p.keys(p.at("in_keys"));
  if (p.find("out_keys")) out = p.keys(p.at("out_keys"));
  const td_key *given_in = !p.find("in_keys") ? nullptr : in.empty() ? &kNone : in.data();
  const td_key *given_out = !p.find("out_keys") ? nullptr : out.empty() ? &kNone : out.data();
  p.put(made<td_module>(td_module_select_subsequence, p.module(), given_in, in.size(), given_out, out.size()));
}

// ---- State ----

void vmap(Program &p) {
  td_vmap_options options = TD_VMAP_OPTIONS_INIT;
  if (p.find("data_dim")) options.map_data = 1, options.data_dim = static_cast<int32_t>(p.integer("data_dim"));
  p.put(made<td_dict>(td_module_vmap, p.module(), p.dict("states"), p.dict(), &options));
}

// What the copies draw is replaced by numbers that both sides know.
void ensemble(Program &p) {
  Module m = own(
      made<td_module>(td_module_ensemble, p.module(), p.integer("copies"), td_bool(p.flag("expand_input")), nullptr));
  td_keys *names = nullptr;
  td_tensor_list *tensors = nullptr;
  call(td_module_parameters, m.get(), nullptr, &names, &tensors);
  const Keys owned = own(names);
  std::shared_ptr<td_tensor_list> list(tensors, td_tensor_list_release);
  for (size_t i = 0; i < td_tensor_list_size(tensors); ++i) {
    td_key name;
    call(td_keys_get, names, i, &name);
    if (std::string(name.parts[0].data, name.parts[0].size) != "params_td") continue;  // the template's own
    Tensor t = own(made<td_tensor>(td_tensor_list_get, tensors, i));
    json::array numbers;
    for (int64_t k = 0; k < td_tensor_numel(t.get()); ++k) numbers.push_back(k % 7 - 3);
    const std::vector<int64_t> shape = shape_of(t.get());
    set_to(t.get(), literal({{"shape", json::array(shape.begin(), shape.end())}, {"data", std::move(numbers)}}).get());
  }
  p.put(Register(m));
}

void keys(Program &p, td_status (*list)(const td_module *, td_keys **, td_error **)) {
  p.put(json::value(observe_keys(own(made<td_keys>(list, p.module())).get())));
}

const NamedOperation kOperations[] = {
    {"linear", linear},
    {"function", function},
    {"module", module},
    {"sequence", sequence},
    {"run", run_module},
    {"in_keys", [](Program &p) { keys(p, td_module_in_keys); }},
    {"out_keys", [](Program &p) { keys(p, td_module_out_keys); }},
    {"select_out_keys",
     [](Program &p) {
       auto chosen = p.keys(p.at("keys"));
       call(td_module_select_out_keys, p.module(), chosen.data(), chosen.size());
     }},
    {"reset_out_keys", [](Program &p) { call(td_module_reset_out_keys, p.module()); }},
    {"subsequence", subsequence},
    {"from_module", [](Program &p) { p.put(made<td_dict>(td_dict_from_module, p.module())); }},
    {"from_modules",
     [](Program &p) {
       auto members = p.modules();
       p.put(made<td_dict>(td_dict_from_modules, members.data(), members.size(), nullptr));
     }},
    {"run_with", [](Program &p) { call(td_module_forward_with_state, p.module(), p.dict("state"), p.dict()); }},
    {"swap",
     [](Program &p) {
       p.scopes[p.word("to")] = own(made<td_scope>(td_module_swap, p.module(), p.dict(), td_bool(0)));
     }},
    {"vmap", vmap},
    {"ensemble", ensemble},
};

}  // namespace

Operations modules_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
