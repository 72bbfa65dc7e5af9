// Copies, autograd, dtype, states.
#include "dtypes.h"
#include "ops.h"

namespace conformance {
namespace {

void grad(Program &p) {
  td_dict *found = made<td_dict>(td_dict_grad, p.dict());
  if (found) return p.put(found);
  p.put(json::value(json::object{{"none", true}}));
}

void to(Program &p) {
  const json::value *dtype = p.find("dtype");
  const json::value *device = p.find("device");
  const td_dtype as = dtype && !dtype->is_null() ? dtype_of(json::value_to<std::string>(*dtype)) : TD_DTYPE_NONE;
  p.put(made<td_dict>(td_dict_to, p.dict(), as, device && !device->is_null() ? p.str(*device) : td_str{nullptr, 0}));
}

void load_state_dict(Program &p) {
  td_load_state_options options = TD_LOAD_STATE_OPTIONS_INIT;
  options.lenient = !p.flag("strict", true);
  options.assign = p.flag("assign");
  call(td_dict_load_state_dict, p.dict(), p.dict("state"), &options);
}

td_dtype dtype_or_same(Program &p) {
  return p.find("dtype") ? dtype_of(p.word("dtype")) : TD_DTYPE_NONE;
}

void new_empty(Program &p) {
  auto sizes = p.ints("sizes");
  Dict empty = own(made<td_dict>(td_dict_new_empty, p.dict(), sizes.data(), sizes.size(), dtype_or_same(p)));
  call(td_dict_zero_, empty.get());
  p.put(std::move(empty));
}

void new_full(Program &p) {
  auto sizes = p.ints("sizes");
  p.put(made<td_dict>(td_dict_new_full, p.dict(), sizes.data(), sizes.size(), TD_VALUE(p.number("value")),
                      dtype_or_same(p)));
}

void new_tensor(Program &p) {
  td_new_tensor_options options = TD_NEW_TENSOR_OPTIONS_INIT;
  options.dtype = dtype_or_same(p);
  options.requires_grad = p.flag("requires_grad");
  const json::value &data = p.at("data");
  std::vector<double> numbers;
  td_value value = data.is_array() ? td_value_none() : p.value(data);
  if (data.is_array()) {
    for (const json::value &number : data.as_array()) numbers.push_back(number.to_number<double>());
    value.kind = TD_VALUE_DOUBLES;
    value.size = numbers.size();
    value.as.doubles = numbers.data();
  }
  p.put(made<td_dict>(td_dict_new_tensor, p.dict(), &value, &options));
}

const NamedOperation kOperations[] = {
    {"new_tensor", new_tensor},
    {"new_empty", new_empty},
    {"new_full", new_full},
    {"to_tensordict", [](Program &p) { p.put(made<td_dict>(td_dict_to_tensordict, p.dict())); }},
    {"become", [](Program &p) { call(td_dict_become, p.dict(), p.dict("other")); }},
    {"detach_", [](Program &p) { call(td_dict_detach_, p.dict()); }},
    {"copy", [](Program &p) { p.put(made<td_dict>(td_dict_copy, p.dict())); }},
    {"clone", [](Program &p) { p.put(made<td_dict>(td_dict_clone, p.dict())); }},
    {"requires_grad", [](Program &p) { p.put(json::value(td_dict_requires_grad(p.dict()) != 0)); }},
    {"requires_grad_", [](Program &p) { call(td_dict_requires_grad_, p.dict(), td_bool(p.flag("value", true))); }},
    {"detach", [](Program &p) { p.put(made<td_dict>(td_dict_detach, p.dict())); }},
    {"grad", grad},
    {"data",
     [](Program &p) {
       std::shared_ptr<td_op> data(made<td_op>(td_op_find, TD_STR("data"), td_str{nullptr, 0}), td_op_release);
       const td_value self = td_value_dict(p.dict());
       p.put(made<td_dict>(td_dict_pointwise, data.get(), &self, size_t{1}, nullptr, size_t{0}, nullptr));
     }},
    {"zero_grad", [](Program &p) { call(td_dict_zero_grad, p.dict(), td_bool(p.flag("set_to_none", true))); }},
    {"backward",
     [](Program &p) {
       call(td_dict_backward, p.dict(), p.find("gradient") ? p.dict("gradient") : nullptr, nullptr, nullptr);
     }},
    {"to", to},
    {"state_dict", [](Program &p) { p.put(made<td_dict>(td_dict_state_dict, p.dict())); }},
    {"load_state_dict", load_state_dict},
};

}  // namespace

Operations state_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
