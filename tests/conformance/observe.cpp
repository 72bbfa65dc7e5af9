#include "observe.h"

#include <algorithm>

#include "dtypes.h"
#include "tensors.h"

namespace conformance {
namespace {

json::value plain(const td_data &d) {
  switch (d.kind) {
    case TD_DATA_NONE:
      return nullptr;
    case TD_DATA_BOOL:
      return d.i != 0;
    case TD_DATA_INT:
      return d.i;
    case TD_DATA_DOUBLE:
      return number(d.f);
    case TD_DATA_JSON:
      return json::parse(json::string_view(d.text.data, d.text.size));
    default:
      return json::string(d.text.data, d.text.size);
  }
}

// Row-major values as lists in lists.
json::value nested(const td_data_list *list, const std::vector<int64_t> &shape, size_t dim, size_t &next) {
  if (dim == shape.size()) {
    td_data d;
    call(td_data_list_get, list, next++, &d);
    return plain(d);
  }
  json::array out;
  for (int64_t i = 0; i < shape[dim]; ++i) out.push_back(nested(list, shape, dim + 1, next));
  return out;
}

// Gives objects numbers in the order in which they are met, so that equal pictures mean equal sharing.
class Observer {
 public:
  json::object seen;  // all registers

  void add(const std::string &name, const Register &r) {
    if (const Dict *d = std::get_if<Dict>(&r))
      seen[name] = dict(*d);
    else if (const Tensor *t = std::get_if<Tensor>(&r))
      seen[name] = tensor(*t);
    else if (const Module *m = std::get_if<Module>(&r))
      seen[name] = module(m->get());
    else
      seen[name] = std::get<Plain>(r).seen;
  }

  // "memory": [class, bytes from its start] for tensors of which another one has some of the same bytes.
  void add_memory();

 private:
  std::vector<Dict> dicts_;
  // Kept alive so that no address is used twice; the observation is filled in later.
  std::vector<Tensor> tensors_;
  std::vector<json::array> memory_;

  json::object tensor(const Tensor &t) {
    json::object o;
    o["dtype"] = dtype_name(td_tensor_dtype(t.get()));
    const std::vector<int64_t> shape = shape_of(t.get());
    o["shape"] = json::array(shape.begin(), shape.end());
    o["data"] = elements(t.get());
    if (td_tensor_requires_grad(t.get())) o["requires_grad"] = true;
    o["tensor"] = tensors_.size();  // its place in memory_, until add_memory replaces it
    tensors_.push_back(t);
    return o;
  }

  json::object module(td_module *m) {
    td_keys *found = nullptr;
    td_tensor_list *tensors = nullptr;
    call(td_module_parameters, m, nullptr, &found, &tensors);
    Keys names = own(found);
    std::shared_ptr<td_tensor_list> list(tensors, td_tensor_list_release);
    json::object parameters, o;
    const json::array parts = observe_keys(found);
    for (size_t i = 0; i < parts.size(); ++i) {
      std::string name;
      for (const json::value &part : parts[i].as_array())
        name += (name.empty() ? "" : ".") + json::value_to<std::string>(part);
      parameters[name] = tensor(own(made<td_tensor>(td_tensor_list_get, tensors, i)));
    }
    o["module"] = std::move(parameters);
    if (!td_module_has_keys(m)) return o;
    o["in_keys"] = observe_keys(own(made<td_keys>(td_module_in_keys, m)).get(), true);
    o["out_keys"] = observe_keys(own(made<td_keys>(td_module_out_keys, m)).get(), true);
    return o;
  }

  json::value entry(const td_dict *d, const td_key *key) {
    td_entry_kind kind;
    call(td_dict_entry_kind, d, key, &kind);
    if (kind == TD_ENTRY_DICT) return dict(own(made<td_dict>(td_dict_get_dict, d, key)));
    if (kind == TD_ENTRY_TENSOR) {
      json::object seen = tensor(own(made<td_tensor>(td_dict_get, d, key)));
      td_bool unbatched = 0;
      call(td_dict_is_unbatched, d, key, &unbatched);
      if (unbatched) seen["unbatched"] = true;
      return seen;
    }
    DataList list = own(made<td_data_list>(td_dict_get_data, d, key));
    return observe_data(list.get());
  }

  json::object dict(const Dict &d) {
    json::object o;
    if (td_dict_kind_of(d.get()) ==
        TD_DICT_KIND_PERSISTENT) {  // the original makes these anew whenever they are asked for
      o["kind"] = "persistent";
    } else {
      auto known = std::find(dicts_.begin(), dicts_.end(), d);
      if (known != dicts_.end()) return {{"same", known - dicts_.begin()}};
      dicts_.push_back(d);
      o["dict"] = dicts_.size() - 1;
    }
    std::vector<int64_t> batch(td_dict_batch_size(d.get(), nullptr, 0));
    td_dict_batch_size(d.get(), batch.data(), batch.size());
    o["batch"] = json::array(batch.begin(), batch.end());
    json::array names;
    bool any = false;
    for (size_t i = 0; i < batch.size(); ++i) {
      Text name = own(made<td_string>(td_dict_name, d.get(), static_cast<int64_t>(i)));
      any = any || name;
      if (name)
        names.push_back(json::string(text(name)));
      else
        names.push_back(nullptr);
    }
    if (any) o["names"] = std::move(names);
    if (td_dict_is_locked(d.get())) o["locked"] = true;
    if (const td_str device = td_dict_device(d.get()); device.data)
      o["device"] = json::string(device.data, device.size);
    if (td_dict_kind_of(d.get()) == TD_DICT_KIND_LAZY_STACK) return members(d, std::move(o));
    if (td_dict_kind_of(d.get()) == TD_DICT_KIND_PARAMS) o["kind"] = "params";
    json::object entries;
    Keys keys = own(made<td_keys>(td_dict_keys, d.get(), uint64_t{0}));
    for (size_t i = 0; i < td_keys_size(keys.get()); ++i) {
      td_key key;
      call(td_keys_get, keys.get(), i, &key);
      entries[json::string_view(key.parts[0].data, key.parts[0].size)] = entry(d.get(), &key);
    }
    o["entries"] = std::move(entries);
    return o;
  }

  json::object members(const Dict &d, json::object o) {
    o["stack_dim"] = td_dict_stack_dim(d.get());
    json::array names, seen_members;
    Keys keys = own(made<td_keys>(td_dict_keys, d.get(), uint64_t{0}));
    for (size_t i = 0; i < td_keys_size(keys.get()); ++i) {
      td_key key;
      call(td_keys_get, keys.get(), i, &key);
      names.push_back(json::string(key.parts[0].data, key.parts[0].size));
    }
    std::shared_ptr<td_dict_list> list(made<td_dict_list>(td_dict_members, d.get()), td_dict_list_release);
    for (size_t i = 0; i < td_dict_list_size(list.get()); ++i)
      seen_members.push_back(dict(own(made<td_dict>(td_dict_list_get, list.get(), i))));
    o["keys"] = std::move(names);
    o["members"] = std::move(seen_members);
    return o;
  }

  void fill(json::value &v) {
    if (!v.is_object()) return;
    json::object &o = v.get_object();
    if (const json::value *place = o.if_contains("tensor"); place && o.contains("dtype")) {
      json::array memory = memory_[place->to_number<size_t>()];
      o.erase("tensor");
      if (!memory.empty()) o["memory"] = std::move(memory);
    } else if (json::value *entries = o.if_contains("entries"); entries && o.contains("batch")) {
      for (auto &e : entries->get_object()) fill(e.value());
    } else if (json::value *parameters = o.if_contains("module")) {
      for (auto &e : parameters->get_object()) fill(e.value());
    } else if (json::value *members = o.if_contains("members"); members && o.contains("dict")) {
      for (json::value &m : members->get_array()) fill(m);
    }
  }
};

void Observer::add_memory() {
  struct Span {
    const char *start, *stop;
    size_t place;
  };
  struct Group {
    const char *base, *stop;
    std::vector<Span> members;
    size_t first;
  };
  std::vector<Span> spans;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    auto [start, stop] = extent(tensors_[i].get());
    if (start != stop) spans.push_back({start, stop, i});
  }
  std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.start < b.start; });
  std::vector<Group> groups;
  for (const Span &s : spans) {
    if (groups.empty() || s.start >= groups.back().stop) groups.push_back({s.start, s.stop, {}, s.place});
    Group &g = groups.back();
    g.members.push_back(s);
    g.stop = std::max(g.stop, s.stop);
    g.first = std::min(g.first, s.place);
  }
  groups.erase(std::remove_if(groups.begin(), groups.end(), [](const Group &g) { return g.members.size() < 2; }),
               groups.end());
  std::sort(groups.begin(), groups.end(), [](const Group &a, const Group &b) { return a.first < b.first; });
  memory_.assign(tensors_.size(), {});
  for (size_t n = 0; n < groups.size(); ++n)
    for (const Span &s : groups[n].members) memory_[s.place] = json::array{n, s.start - groups[n].base};
  for (auto &r : seen) fill(r.value());
}

}  // namespace

json::object observe_data(const td_data_list *list) {
  std::vector<int64_t> shape(td_data_list_shape(list, nullptr, 0));
  td_data_list_shape(list, shape.data(), shape.size());
  size_t next = 0;
  if (td_data_list_is_stack(list)) return {{"stack", nested(list, shape, 0, next)}};
  return {{"one", nested(list, {}, 0, next)}};
}

json::array observe_keys(const td_keys *keys, bool brief) {
  json::array seen;
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    call(td_keys_get, keys, i, &key);
    json::array parts;
    for (size_t k = 0; k < key.n; ++k) parts.push_back(json::string(key.parts[k].data, key.parts[k].size));
    if (brief && key.n == 1)
      seen.push_back(parts[0]);
    else
      seen.push_back(std::move(parts));
  }
  return seen;
}

json::object observe(const Program &program) {
  Observer observer;
  for (const std::string &name : program.order) observer.add(name, program.registers.at(name));
  observer.add_memory();
  return observer.seen;
}

}  // namespace conformance
