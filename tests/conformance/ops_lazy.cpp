// Lazy stacks and parameters.
#include "ops.h"

namespace conformance {
namespace {

std::vector<td_dict *> members(Program &p) {
  std::vector<td_dict *> found;
  for (const json::value &v : p.at("tds").as_array()) found.push_back(p.dict(v));
  return found;
}

template <class F>
void stack(Program &p, F function) {
  auto dicts = members(p);
  p.put(made<td_dict>(function, dicts.data(), dicts.size(), p.integer("dim", 0)));
}

void tensors(Program &p, td_tensor_list *made_list) {
  std::shared_ptr<td_tensor_list> list(made_list, td_tensor_list_release);
  for (size_t i = 0; i < td_tensor_list_size(made_list); ++i)
    p.put_at("." + std::to_string(i), own(made<td_tensor>(td_tensor_list_get, made_list, i)));
}

void set_list(Program &p) {
  std::vector<td_tensor *> values;
  for (const json::value &v : p.at("values").as_array()) values.push_back(p.tensor(v));
  call(td_dict_set_list, p.dict(), p.key(), values.data(), values.size());
}

void get_padded(Program &p) {
  td_padding_options options = TD_PADDING_OPTIONS_INIT;
  const td_value value = td_value_double(p.find("padding") ? p.real("padding") : 0.0);
  options.value = &value;
  options.left = p.flag("left");
  td_tensor *padded = nullptr;
  call(td_dict_get_padded, p.dict(), p.key(), &options, &padded, nullptr);
  p.put(padded);
}

void get_jagged(Program &p) {
  td_tensor *values = nullptr, *offsets = nullptr;
  call(td_dict_get_jagged, p.dict(), p.key(), &values, &offsets);
  p.put_at(".0", own(values));
  p.put_at(".1", own(offsets));
}

void entry_shape(Program &p) {
  int64_t sizes[16];
  size_t n = 0;
  call(td_dict_entry_shape, p.dict(), p.key(), sizes, size_t{16}, &n);
  p.put(json::value(json::array(sizes, sizes + std::min(n, size_t{16}))));
}

void params(Program &p) {
  td_params_options options = TD_PARAMS_OPTIONS_INIT;
  options.no_convert = p.flag("no_convert");
  options.lock = p.flag("lock");
  p.put(made<td_dict>(td_dict_params, p.dict(), &options));
}

// Names of the tensors that a function lists, joined with dots.
template <class F>
void names(Program &p, F function) {
  td_keys *found = nullptr;
  td_tensor_list *tensors = nullptr;
  call(function, p.dict(), &found, &tensors);
  Keys keys = own(found);
  td_tensor_list_release(tensors);
  json::array seen;
  for (size_t i = 0; i < td_keys_size(found); ++i) {
    td_key key;
    call(td_keys_get, found, i, &key);
    std::string joined;
    for (size_t k = 0; k < key.n; ++k) joined += (k ? "." : "") + std::string(key.parts[k].data, key.parts[k].size);
    seen.push_back(json::string(joined));
  }
  p.put(json::value(std::move(seen)));
}

const NamedOperation kOperations[] = {
    {"lazy_stack", [](Program &p) { stack(p, td_dict_lazy_stack); }},
    {"maybe_dense_stack", [](Program &p) { stack(p, td_dict_maybe_dense_stack); }},
    {"lazy_new",
     [](Program &p) {
       auto element = p.ints("element");
       p.put(made<td_dict>(td_dict_lazy_new, element.data(), element.size(), p.integer("dim", 0)));
     }},
    {"to_lazy_stack", [](Program &p) { p.put(made<td_dict>(td_dict_to_lazy_stack, p.dict(), p.integer("dim", 0))); }},
    {"member",
     [](Program &p) {
       std::shared_ptr<td_dict_list> list(made<td_dict_list>(td_dict_members, p.dict()), td_dict_list_release);
       p.put(made<td_dict>(td_dict_list_get, list.get(), static_cast<size_t>(p.integer("at"))));
     }},
    {"append", [](Program &p) { call(td_dict_append, p.dict(), p.dict("value")); }},
    {"insert",
     [](Program &p) {
       auto dicts = members(p);
       call(td_dict_insert, p.dict(), static_cast<size_t>(p.integer("at")), dicts.data(), dicts.size());
     }},
    {"get_list", [](Program &p) { tensors(p, made<td_tensor_list>(td_dict_get_list, p.dict(), p.key())); }},
    {"set_list", set_list},
    {"get_jagged", get_jagged},
    {"get_padded", get_padded},
    {"entry_shape", entry_shape},
    {"params", params},
    {"parameter_names", [](Program &p) { names(p, td_dict_parameters); }},
    {"count_parameters",
     [](Program &p) { p.put(json::value(td_dict_param_count(p.dict(), td_bool(p.flag("duplicates"))))); }},
    {"buffer_names", [](Program &p) { names(p, td_dict_buffers); }},
};

}  // namespace

Operations lazy_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
