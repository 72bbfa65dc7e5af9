// Making, reading and changing entries.
#include "observe.h"
#include "ops.h"
#include "tensors.h"

namespace conformance {
namespace {

// Values of a stack, row-major, from lists in lists.
void flatten(Program &p, const json::value &v, size_t depth, std::vector<td_data> &out) {
  if (depth == 0)
    out.push_back(p.data(v));
  else
    for (const json::value &one : v.as_array()) flatten(p, one, depth - 1, out);
}

void set_value(Program &p, td_dict *d, const td_key *key, const json::value &spec) {
  if (spec.is_object() && spec.get_object().contains("one"))
    return call(td_dict_set_data, d, key, p.data(spec.at("one")));
  if (spec.is_object() && spec.get_object().contains("stack")) {
    std::vector<td_data> values;
    flatten(p, spec.at("stack"), td_dict_batch_size(d, nullptr, 0), values);
    return call(td_dict_set_data_stack, d, key, values.data(), values.size());
  }
  if (spec.is_string() && std::holds_alternative<Dict>(p.at_register(spec)))
    return call(td_dict_set_dict, d, key, p.dict(spec));
  call(td_dict_set, d, key, p.tensor(spec));
}

void make_new(Program &p) {
  td_dict_options options = TD_DICT_OPTIONS_INIT;
  if (p.find("device") && !p.at("device").is_null()) options.device = p.str(p.at("device"));
  std::vector<int64_t> batch = p.ints("batch");
  Dict d = own(made<td_dict>(td_dict_new, batch.data(), batch.size(), &options));
  if (p.find("names")) {
    std::vector<td_str> names = p.names(p.at("names"));
    call(td_dict_set_names, d.get(), names.data(), names.size());
  }
  p.put(Register(d));
}

// td_dict_build takes tensors and dicts; items of other kinds are set one by one.
void build(Program &p) {
  std::vector<int64_t> batch = p.ints("batch");
  const json::array &items = p.at("items").as_array();
  std::vector<td_item> given;
  bool plain = true;
  for (const json::value &item : items) {
    const json::value &spec = item.as_array().at(1);
    plain = plain && !(spec.is_object() && (spec.get_object().contains("one") || spec.get_object().contains("stack")));
  }
  if (plain) {
    for (const json::value &item : items) given.push_back({p.key(item.at(0)), p.value(item.at(1))});
    return p.put(made<td_dict>(td_dict_build, batch.data(), batch.size(), given.data(), given.size(), nullptr));
  }
  Dict d = own(made<td_dict>(td_dict_new, batch.data(), batch.size(), nullptr));
  for (const json::value &item : items) set_value(p, d.get(), p.key(item.at(0)), item.at(1));
  p.put(Register(d));
}

td_entry_kind kind_of(td_dict *d, const td_key *key) {
  td_entry_kind kind;
  call(td_dict_has, d, key, &kind);
  return kind;
}

void get(Program &p) {
  td_dict *d = p.dict();
  const td_key *key = p.key();
  const td_entry_kind kind = kind_of(d, key);
  if (kind == TD_ENTRY_DICT) return p.put(made<td_dict>(td_dict_get_dict, d, key));
  if (kind != TD_ENTRY_DATA) return p.put(made<td_tensor>(td_dict_get, d, key));
  DataList list = own(made<td_data_list>(td_dict_get_data, d, key));
  p.put(Register(Plain{observe_data(list.get())}));
}

void pop(Program &p) {
  td_dict *d = p.dict();
  const td_key *key = p.key();
  const td_entry_kind kind = kind_of(d, key);
  if (kind == TD_ENTRY_DICT) return p.put(made<td_dict>(td_dict_pop_dict, d, key));
  if (kind != TD_ENTRY_DATA) return p.put(made<td_tensor>(td_dict_pop, d, key));
  DataList list = own(made<td_data_list>(td_dict_get_data, d, key));
  call(td_dict_delete, d, key);
  p.put(Register(Plain{observe_data(list.get())}));
}

void list_keys(Program &p) {
  static const std::pair<const char *, uint64_t> names[] = {{"nested", TD_KEYS_NESTED},
                                                            {"leaves", TD_KEYS_LEAVES},
                                                            {"sorted", TD_KEYS_SORTED},
                                                            {"children_first", TD_KEYS_CHILDREN_FIRST},
                                                            {"data", TD_KEYS_DATA}};
  uint64_t flags = 0;
  if (p.find("flags"))
    for (const json::value &flag : p.at("flags").as_array())
      for (auto &[name, bit] : names)
        if (flag.as_string() == name) flags |= bit;
  Keys keys = own(made<td_keys>(td_dict_keys, p.dict(), flags));
  json::array seen;
  for (size_t i = 0; i < td_keys_size(keys.get()); ++i) {
    td_key key;
    call(td_keys_get, keys.get(), i, &key);
    json::array parts;
    for (size_t k = 0; k < key.n; ++k) parts.push_back(json::string(key.parts[k].data, key.parts[k].size));
    seen.push_back(std::move(parts));
  }
  p.put(json::value(std::move(seen)));
}

// Writes a number over every element of a register.
void write(Program &p) {
  const Register &r = p.at_register(p.at("td"));
  std::vector<Tensor> targets;
  if (const Dict *d = std::get_if<Dict>(&r)) {
    Keys keys = own(made<td_keys>(td_dict_keys, d->get(), uint64_t{TD_KEYS_NESTED | TD_KEYS_LEAVES}));
    for (size_t i = 0; i < td_keys_size(keys.get()); ++i) {
      td_key key;
      call(td_keys_get, keys.get(), i, &key);
      targets.push_back(own(made<td_tensor>(td_dict_get, d->get(), &key)));
    }
  } else if (const Tensor *t = std::get_if<Tensor>(&r)) {
    targets.push_back(*t);
  }
  std::shared_ptr<td_op> fill(made<td_op>(td_op_find, TD_STR("fill_"), TD_STR("Scalar")), td_op_release);
  for (const Tensor &t : targets) {
    const td_value arguments[] = {td_value_tensor(t.get()), p.value(p.at("value"))};
    td_value filled;
    call(td_op_call, fill.get(), arguments, size_t{2}, nullptr, size_t{0}, &filled, size_t{1});
    td_value_clear(&filled);
  }
}

void same(Program &p) {
  const Register &a = p.at_register(p.at("a")), &b = p.at_register(p.at("b"));
  const Dict *left = std::get_if<Dict>(&a), *right = std::get_if<Dict>(&b);
  const Tensor *x = std::get_if<Tensor>(&a), *y = std::get_if<Tensor>(&b);
  p.put(json::value((left && right && *left == *right) || (x && y && *x == *y)));
}

const NamedOperation kOperations[] = {
    {"new", make_new},
    {"build", build},
    {"fromkeys",
     [](Program &p) {
       auto keys = p.keys(p.at("keys"));
       p.put(made<td_dict>(td_dict_fromkeys, keys.data(), keys.size(), p.tensor()));
     }},
    {"merge",
     [](Program &p) {
       auto dicts = p.dicts();
       p.put(made<td_dict>(td_dict_merge, dicts.data(), dicts.size()));
     }},
    {"tensor",
     [](Program &p) {
       td_tensor *t = p.tensor();
       td_tensor_retain(t);
       p.put(t);
     }},
    {"release", [](Program &p) { p.release(p.word("what")); }},
    {"get", get},
    {"get_at",
     [](Program &p) {
       auto index = p.index();
       p.put(made<td_tensor>(td_dict_get_at, p.dict(), p.key(), index.data(), index.size()));
     }},
    {"has", [](Program &p) { p.put(json::value(kind_of(p.dict(), p.key()) != TD_ENTRY_NONE)); }},
    {"keys", list_keys},
    {"len", [](Program &p) { p.put(json::value(td_dict_len(p.dict()))); }},
    {"count", [](Program &p) { p.put(json::value(static_cast<int64_t>(td_dict_count(p.dict())))); }},
    {"numel", [](Program &p) { p.put(json::value(td_dict_numel(p.dict()))); }},
    {"nbytes", [](Program &p) { p.put(json::value(td_dict_nbytes(p.dict()))); }},
    {"is_empty", [](Program &p) { p.put(json::value(td_dict_is_empty(p.dict()) != 0)); }},
    {"is_contiguous", [](Program &p) { p.put(json::value(td_dict_is_contiguous(p.dict()) != 0)); }},
    {"is_locked", [](Program &p) { p.put(json::value(td_dict_is_locked(p.dict()) != 0)); }},
    {"repr", [](Program &p) { p.put(json::value(text(own(made<td_string>(td_dict_repr, p.dict()))))); }},
    {"same", same},
    {"set", [](Program &p) { set_value(p, p.dict(), p.key(), p.at("value")); }},
    {"set_", [](Program &p) { call(td_dict_copy_into, p.dict(), p.key(), p.tensor()); }},
    {"set_at_",
     [](Program &p) {
       auto index = p.index();
       call(td_dict_copy_into_at, p.dict(), p.key(), index.data(), index.size(), p.tensor());
     }},
    {"set_data", [](Program &p) { call(td_dict_set_data, p.dict(), p.key(), p.data(p.at("value"))); }},
    {"delete", [](Program &p) { call(td_dict_delete, p.dict(), p.key()); }},
    {"pop", pop},
    {"clear", [](Program &p) { call(td_dict_clear, p.dict()); }},
    {"create_nested", [](Program &p) { call(td_dict_create_nested, p.dict(), p.key()); }},
    {"update",
     [](Program &p) {
       td_dict_update_options options = TD_DICT_UPDATE_OPTIONS_INIT;
       options.inplace = p.flag("inplace");
       options.clone = p.flag("clone");
       call(td_dict_update, p.dict(), p.dict("src"), &options);
     }},
    {"update_", [](Program &p) { call(td_dict_update_values, p.dict(), p.dict("src")); }},
    {"fill_", [](Program &p) { call(td_dict_fill_, p.dict(), p.key(), p.real("value")); }},
    {"zero_", [](Program &p) { call(td_dict_zero_, p.dict()); }},
    {"write", write},
    {"lock", [](Program &p) { call(td_dict_lock, p.dict()); }},
    {"unlock", [](Program &p) { call(td_dict_unlock, p.dict()); }},
};

}  // namespace

Operations basic_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
