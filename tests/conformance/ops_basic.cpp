// Making, reading and changing entries.
#include <algorithm>

#include "observe.h"
#include "ops.h"
#include "tensors.h"

namespace conformance {
namespace {

// The values of lists in lists, row-major, and their shape; below `levels` of them a list is a value.
void flatten(Program &p, const json::value &v, size_t depth, size_t levels, std::vector<int64_t> &shape,
             std::vector<td_data> &out) {
  if (!v.is_array() || depth == levels) return out.push_back(p.data(v));
  const json::array &rows = v.get_array();
  if (depth == shape.size()) shape.push_back(static_cast<int64_t>(rows.size()));
  if (shape[depth] != static_cast<int64_t>(rows.size())) throw BadProgram("a stack's lists have different lengths");
  for (const json::value &one : rows) flatten(p, one, depth + 1, levels, shape, out);
}

// The dict that holds an entry, if it is there.
Dict holder(td_dict *d, const td_key *key) {
  td_dict_retain(d);
  Dict at = own(d);
  for (size_t n = 0; n + 1 < key->n; ++n) {
    const td_key part{key->parts + n, 1};
    td_entry_kind kind;
    call(td_dict_entry_kind, at.get(), &part, &kind);
    if (kind != TD_ENTRY_DICT) break;
    at = own(made<td_dict>(td_dict_get_dict, at.get(), &part));
  }
  return at;
}

// The library is told how many values there are; that their shape is the batch size is for us to see.
void set_stack(Program &p, td_dict *d, const td_key *key, const json::value &lists, size_t levels) {
  std::vector<int64_t> shape;
  std::vector<td_data> values;
  flatten(p, lists, 0, levels, shape, values);
  const Dict at = holder(d, key);
  std::vector<int64_t> batch(td_dict_batch_size(at.get(), nullptr, 0));
  td_dict_batch_size(at.get(), batch.data(), batch.size());
  if (shape != batch) throw BadProgram("the lists of a stack have another shape than the batch");
  call(td_dict_set_data_stack, d, key, values.data(), values.size());
}

void set_value(Program &p, td_dict *d, const td_key *key, const json::value &spec, size_t levels = SIZE_MAX) {
  if (spec.is_object() && spec.get_object().contains("one"))
    return call(td_dict_set_data, d, key, TD_DATA(p.data(spec.at("one"))));
  if (spec.is_object() && spec.get_object().contains("stack")) return set_stack(p, d, key, spec.at("stack"), levels);
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

// td_dict_from_items takes tensors and dicts; items of other kinds are set one by one.
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
    return p.put(made<td_dict>(td_dict_from_items, batch.data(), batch.size(), given.data(), given.size(), nullptr));
  }
  Dict d = own(made<td_dict>(td_dict_new, batch.data(), batch.size(), nullptr));
  for (const json::value &item : items) set_value(p, d.get(), p.key(item.at(0)), item.at(1), batch.size());
  p.put(Register(d));
}

td_entry_kind kind_of(td_dict *d, const td_key *key) {
  td_entry_kind kind;
  call(td_dict_entry_kind, d, key, &kind);
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
  call(td_dict_remove, d, key);
  p.put(Register(Plain{observe_data(list.get())}));
}

void popitem(Program &p) {
  td_string *key = nullptr;
  td_tensor *tensor = nullptr;
  td_dict *dict = nullptr;
  td_data_list *data = nullptr;
  call(td_dict_popitem, p.dict(), &key, &tensor, &dict, &data);
  td_string_release(key);
  if (dict) return p.put(dict);
  if (tensor) return p.put(tensor);
  p.put(Register(Plain{observe_data(own(data).get())}));
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
  p.put(json::value(observe_keys(keys.get())));
}

// Writes a number over every element of a register; first where autograd may refuse it, so that nothing has changed then.
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
  std::stable_partition(targets.begin(), targets.end(),
                        [](const Tensor &t) { return td_tensor_requires_grad(t.get()); });
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
       p.put(made<td_dict>(td_dict_from_keys, keys.data(), keys.size(), p.tensor()));
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
    {"repr",
     [](Program &p) { p.put(json::value(text(own(made<td_string>(td_dict_repr, p.dict(), td_repr_flags{0}))))); }},
    {"same", same},
    {"set", [](Program &p) { set_value(p, p.dict(), p.key(), p.at("value")); }},
    {"set_unbatched", [](Program &p) { call(td_dict_set_unbatched, p.dict(), p.key(), p.tensor()); }},
    {"set_", [](Program &p) { call(td_dict_copy_into, p.dict(), p.key(), p.tensor()); }},
    {"set_at_",
     [](Program &p) {
       auto index = p.index();
       call(td_dict_copy_into_at, p.dict(), p.key(), index.data(), index.size(), p.tensor());
     }},
    {"set_data", [](Program &p) { call(td_dict_set_data, p.dict(), p.key(), TD_DATA(p.data(p.at("value")))); }},
    {"set_data_", [](Program &p) { call(td_dict_set_data_, p.dict(), p.key(), TD_DATA(p.data(p.at("value")))); }},
    {"delete", [](Program &p) { call(td_dict_remove, p.dict(), p.key()); }},
    {"pop", pop},
    {"popitem", popitem},
    {"replace", [](Program &p) { p.put(made<td_dict>(td_dict_replace, p.dict(), p.dict("src"))); }},
    {"clear", [](Program &p) { call(td_dict_clear, p.dict()); }},
    {"create_nested", [](Program &p) { call(td_dict_create_nested, p.dict(), p.key()); }},
    {"update",
     [](Program &p) {
       td_dict_update_options options = TD_DICT_UPDATE_OPTIONS_INIT;
       options.inplace = p.flag("inplace");
       options.clone = p.flag("clone");
       call(td_dict_update, p.dict(), p.dict("src"), &options);
     }},
    {"update_", [](Program &p) { call(td_dict_update_, p.dict(), p.dict("src")); }},
    {"fill_", [](Program &p) { call(td_dict_fill_, p.dict(), p.key(), TD_VALUE(p.number("value"))); }},
    {"zero_", [](Program &p) { call(td_dict_zero_, p.dict()); }},
    {"write", write},
    {"lock", [](Program &p) { call(td_dict_lock_, p.dict()); }},
    {"unlock", [](Program &p) { call(td_dict_unlock_, p.dict()); }},
};

}  // namespace

Operations basic_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
