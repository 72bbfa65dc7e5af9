// Making, reading and changing entries; choosing and renaming keys.
#include "program.hpp"

namespace replay {
namespace {

// Values of a stack, row-major, from lists in lists.
void flatten(const json::value& v, std::size_t depth, std::vector<Data>& out) {
  if (depth == 0)
    out.push_back(Program::data(v));
  else
    for (const json::value& one : v.as_array()) flatten(one, depth - 1, out);
}

bool is_data(const json::value& spec) {
  return spec.is_object() && (spec.get_object().contains("one") || spec.get_object().contains("stack"));
}

void set_value(Program& p, Dict& d, const Key& key, const json::value& spec) {
  if (is_data(spec) && spec.get_object().contains("one")) {
    d.set(key, Program::data(spec.at("one")));
  } else if (is_data(spec)) {
    std::vector<Data> values;
    flatten(spec.at("stack"), d.batch_dims(), values);
    d.set_data_stack(key, values);
  } else if (spec.is_string() && std::holds_alternative<Dict>(p.at_register(spec))) {
    d.set(key, p.dict(spec));
  } else {
    d.set(key, p.tensor(spec));
  }
}

void make_new(Program& p) {
  DictOptions options;
  if (p.find("device") && !p.at("device").is_null()) options.device = p.word("device");
  Dict d(p.ints("batch"), options);
  if (p.find("names")) d.set_names(Program::names(p.at("names")));
  p.put(std::move(d));
}

// A dict is built of tensors, dicts and numbers; items of other kinds are set one by one.
void build(Program& p) {
  const json::array& specs = p.at("items").as_array();
  bool plain = true;
  for (const json::value& item : specs) plain = plain && !is_data(item.at(1));
  const Shape batch = p.ints("batch");
  if (plain) {
    std::vector<Key> keys;
    for (const json::value& item : specs) keys.push_back(Program::key_of(item.at(0)));
    std::vector<Item> items;
    for (std::size_t i = 0; i < keys.size(); ++i) items.emplace_back(keys[i], p.value(specs[i].at(1)));
    return p.put(Dict::build(items, batch));
  }
  Dict d(batch);
  for (const json::value& item : specs) set_value(p, d, Program::key_of(item.at(0)), item.at(1));
  p.put(std::move(d));
}

void get(Program& p) {
  const Dict& d = p.dict();
  const Key key = p.key();
  Entry found = d.find(key);
  if (found.is_dict()) return p.put(found.dict().share());
  if (found.is_data()) return p.put(Plain{observe(found.data())});
  p.put(d.get(key));
}

void pop(Program& p) {
  Dict& d = p.dict();
  const Key key = p.key();
  const EntryKind kind = d.kind(key);
  if (kind == EntryKind::dict) return p.put(d.pop_dict(key));
  if (kind != EntryKind::data) return p.put(d.pop(key));
  const DataList list = d.data(key);
  d.erase(key);
  p.put(Plain{observe(list)});
}

void list_keys(Program& p) {
  static const std::pair<const char*, KeysFlag> names[] = {{"nested", KeysFlag::nested},
                                                           {"leaves", KeysFlag::leaves},
                                                           {"sorted", KeysFlag::sorted},
                                                           {"children_first", KeysFlag::children_first},
                                                           {"data", KeysFlag::data}};
  KeysFlag flags = KeysFlag::root;
  if (p.find("flags"))
    for (const json::value& flag : p.at("flags").as_array())
      for (const auto& [name, bit] : names)
        if (flag.as_string() == name) flags = flags | bit;
  json::array seen;
  for (const Key& key : p.dict().keys(flags)) seen.push_back(json::value_from(key.parts()));
  p.put(json::value(std::move(seen)));
}

// Writes a number over every element of a register.
void write(Program& p) {
  const Register& r = p.at_register(p.at("td"));
  std::vector<Tensor> targets;
  if (const auto* d = std::get_if<Dict>(&r)) {
    for (const Key& key : d->keys(KeysFlag::nested | KeysFlag::leaves)) targets.push_back(d->get(key));
  } else if (const auto* t = std::get_if<Tensor>(&r)) {
    targets.push_back(t->share());
  }
  const Op fill("fill_", "Scalar");
  for (const Tensor& t : targets) fill(t, p.value(p.at("value")));
}

void same(Program& p) {
  const Register &a = p.at_register(p.at("a")), &b = p.at_register(p.at("b"));
  const auto *left = std::get_if<Dict>(&a), *right = std::get_if<Dict>(&b);
  const auto *x = std::get_if<Tensor>(&a), *y = std::get_if<Tensor>(&b);
  p.put(json::value((left && right && left->is(*right)) || (x && y && x->is(*y))));
}

void split_keys(Program& p) {
  std::vector<std::vector<Key>> sets;
  for (const json::value& one : p.at("sets").as_array()) sets.push_back(Program::keys_of(one));
  p.put(p.dict().split_keys(sets, p.flag("strict", true)));
}

void rename_names(Program& p) {
  std::vector<std::optional<std::string>> from, to;
  for (const auto& pair : p.at("map").as_object()) {
    from.push_back(std::string(pair.key()));
    to.push_back(pair.value().is_null() ? std::nullopt : std::optional(json::value_to<std::string>(pair.value())));
  }
  p.dict().rename_names(from, to);
}

void separates(Program& p) {
  SeparateOptions options;
  options.strict = p.flag("strict", true);
  options.keep_empty = p.flag("keep_empty");
  if (p.find("fill")) options.fill = &p.tensor("fill");
  p.put(p.dict().separates(p.keys(), options));
}

std::string separator(Program& p) {
  return p.find("separator") ? p.word("separator") : ".";
}

void update(Program& p) {
  UpdateOptions options;
  options.inplace = p.flag("inplace");
  options.clone = p.flag("clone");
  p.dict().update(p.dict("src"), options);
}

}  // namespace

Operations entry_operations() {
  return {
      {"new", make_new},
      {"build", build},
      {"fromkeys", [](Program& p) { p.put(Dict::fromkeys(p.keys(), p.tensor())); }},
      {"merge", [](Program& p) { p.put(merge(p.dicts())); }},
      {"tensor", [](Program& p) { p.put(p.tensor().share()); }},
      {"release", [](Program& p) { p.release(p.word("what")); }},
      {"get", get},
      {"get_at", [](Program& p) { p.put(p.dict().get_at(p.key(), p.index())); }},
      {"has", [](Program& p) { p.put(json::value(p.dict().contains(p.key()))); }},
      {"keys", list_keys},
      {"len", [](Program& p) { p.put(json::value(p.dict().len())); }},
      {"count", [](Program& p) { p.put(json::value(static_cast<std::int64_t>(p.dict().count()))); }},
      {"numel", [](Program& p) { p.put(json::value(p.dict().numel())); }},
      {"nbytes", [](Program& p) { p.put(json::value(p.dict().nbytes())); }},
      {"is_empty", [](Program& p) { p.put(json::value(p.dict().is_empty())); }},
      {"is_contiguous", [](Program& p) { p.put(json::value(p.dict().is_contiguous())); }},
      {"is_locked", [](Program& p) { p.put(json::value(p.dict().is_locked())); }},
      {"repr", [](Program& p) { p.put(json::value(p.dict().repr())); }},
      {"same", same},
      {"set", [](Program& p) { set_value(p, p.dict(), p.key(), p.at("value")); }},
      {"set_unbatched", [](Program& p) { p.dict().set_unbatched(p.key(), p.tensor()); }},
      {"set_", [](Program& p) { p.dict().copy_into(p.key(), p.tensor()); }},
      {"set_at_", [](Program& p) { p.dict().copy_into_at(p.key(), p.index(), p.tensor()); }},
      {"set_data", [](Program& p) { p.dict().set(p.key(), Program::data(p.at("value"))); }},
      {"set_data_", [](Program& p) { p.dict().set_data_(p.key(), Program::data(p.at("value"))); }},
      {"delete", [](Program& p) { p.dict().erase(p.key()); }},
      {"pop", pop},
      {"clear", [](Program& p) { p.dict().clear(); }},
      {"create_nested", [](Program& p) { p.dict().create_nested(p.key()); }},
      {"update", update},
      {"update_", [](Program& p) { p.dict().update_values(p.dict("src")); }},
      {"fill_", [](Program& p) { p.dict().fill_(p.key(), p.real("value")); }},
      {"zero_", [](Program& p) { p.dict().zero_(); }},
      {"write", write},
      {"lock", [](Program& p) { p.dict().lock(); }},
      {"unlock", [](Program& p) { p.dict().unlock(); }},
      {"rename_key", [](Program& p) { p.dict().rename(p.key("old"), p.key("new"), p.flag("safe")); }},
      {"select", [](Program& p) { p.put(p.dict().select(p.keys(), p.flag("strict", true))); }},
      {"select_", [](Program& p) { p.dict().select_(p.keys(), p.flag("strict", true)); }},
      {"exclude", [](Program& p) { p.put(p.dict().exclude(p.keys())); }},
      {"exclude_", [](Program& p) { p.dict().exclude_(p.keys()); }},
      {"split_keys", split_keys},
      {"separates", separates},
      {"empty", [](Program& p) { p.put(p.dict().empty(p.flag("recurse"))); }},
      {"filter_empty_", [](Program& p) { p.dict().filter_empty_(); }},
      {"flatten_keys", [](Program& p) { p.put(p.dict().flatten_keys(separator(p))); }},
      {"unflatten_keys", [](Program& p) { p.put(p.dict().unflatten_keys(separator(p))); }},
      {"set_batch_size", [](Program& p) { p.dict().set_batch_size(p.ints("batch")); }},
      {"auto_batch_size",
       [](Program& p) {
         const Shape limit = p.ints_or_none("limit");
         p.dict().auto_batch_size_(limit.empty() ? -1 : limit[0]);
       }},
      {"set_names", [](Program& p) { p.dict().set_names(Program::names(p.at("names"))); }},
      {"refine_names", [](Program& p) { p.dict().refine_names(Program::names(p.at("names"))); }},
      {"rename_names", rename_names},
  };
}

}  // namespace replay
