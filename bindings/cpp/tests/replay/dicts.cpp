// Rows, shapes, lazy stacks, states and scopes.
#include "program.hpp"

namespace replay {
namespace {

void set_item(Program& p) {
  if (p.at("value").is_string())
    p.dict().set_at(p.index(), p.dict("value"));
  else
    p.dict().set_at(p.index(), p.real("value"));
}

void join_into(Program& p, void (*function)(Dicts, std::int64_t, Dict&)) {
  function(p.dicts(), p.integer("dim", 0), p.dict("target"));
}

void pad_sequence_of(Program& p) {
  PadSequenceOptions options;
  options.pad_dim = p.integer("pad_dim", 0);
  options.value = p.real("value", 0.0);
  if (p.find("mask_key")) options.mask_key = p.key("mask_key");
  p.put(pad_sequence(p.dicts(), options));
}

void unpad_sequence(Program& p) {
  UnpadOptions<Dict> options;
  options.pad_dim = p.integer("pad_dim", 0);
  if (p.find("mask")) options.mask = &p.tensor("mask");
  if (p.find("masks")) options.masks = &p.dict("masks");
  p.put(p.dict().unpad_sequence(options));
}

void pack_all(Program& p) {
  const std::int64_t dim = p.integer("dim", -1);
  auto [flat, layout] = p.find("like") ? pack(p.dict(), pack(p.dict("like"), dim).second, dim) : pack(p.dict(), dim);
  Dict again = layout.unpack(flat);
  p.put_at(".flat", std::move(flat));
  p.put_at(".layout", Plain{json::object{{"value", layout.repr()}}});
  p.put_at(".made", std::move(again));
}

void from_schema(Program& p) {
  std::vector<SchemaEntry> schema;
  for (const json::value& e : p.at("schema").as_array()) {
    Shape dims;
    for (const json::value& size : e.at(2).as_array()) dims.push_back(size.to_number<std::int64_t>());
    schema.push_back({Program::key_of(e.at(0)), dtype_named(std::string(e.at(1).as_string())), dims});
  }
  SchemaOptions options;
  if (p.find("storage")) options.storage = Storage::shared;
  p.put(Dict::from_schema(schema, p.ints("batch"), options));
}

void group_by(Program& p) {
  Groups<Dict> groups = p.dict().group_by(p.key());
  if (groups.values) p.put_at(".values", std::move(*groups.values));
  if (groups.data) p.put_at(".values", Plain{json::object{{"value", observe(*groups.data).at("stack")}}});
  p.put(std::move(groups.dicts));
}

void new_tensor(Program& p) {
  NewTensorOptions options;
  if (p.find("dtype")) options.dtype = p.dtype("dtype");
  options.requires_grad = p.flag("requires_grad");
  if (!p.at("data").is_array()) return p.put(p.dict().new_tensor(p.value(p.at("data")), options));
  std::vector<double> numbers;
  for (const json::value& number : p.at("data").as_array()) numbers.push_back(number_of(number));
  p.put(p.dict().new_tensor(Value(numbers), options));
}

void where(Program& p) {
  p.put(p.dict().where(p.tensor("condition"), p.dict("other"),
                       p.find("pad") ? std::optional(p.real("pad")) : std::nullopt));
}

void split(Program& p) {
  const std::int64_t dim = p.integer("dim");
  p.put(p.at("size").is_array() ? p.dict().split_sizes(p.ints("size"), dim) : p.dict().split(p.integer("size"), dim));
}

void tensor_split(Program& p) {
  const std::int64_t dim = p.integer("dim");
  p.put(p.at("sections").is_array() ? p.dict().tensor_split_at(p.ints("sections"), dim)
                                    : p.dict().tensor_split(p.integer("sections"), dim));
}

void set_list(Program& p) {
  std::vector<Tensor> values;
  for (const json::value& v : p.at("values").as_array()) values.push_back(p.tensor(v).share());
  p.dict().set_list(p.key(), values);
}

void get_padded(Program& p) {
  PaddingOptions options;
  options.value = p.real("padding", 0.0);
  options.left = p.flag("left");
  p.put(p.dict().get_padded(p.key(), options).first);
}

void entry_shape(Program& p) {
  const Shape shape = p.dict().entry_shape(p.key());
  p.put(json::value(json::array(shape.begin(), shape.end())));
}

void names(Program& p, const Keys& keys) {
  json::array seen;
  for (const Key& key : keys) seen.push_back(json::string(key.joined()));
  p.put(json::value(std::move(seen)));
}

void grad(Program& p) {
  std::optional<Dict> found = p.dict().grad();
  if (found) return p.put(std::move(*found));
  p.put(json::value(json::object{{"none", true}}));
}

void to(Program& p) {
  const json::value* device = p.find("device");
  p.put(p.dict().to(p.dtype("dtype"), device && !device->is_null() ? p.word("device") : std::string()));
}

void load_state_dict(Program& p) {
  p.dict().load_state_dict(p.dict("state"), {p.flag("strict", true), p.flag("assign")});
}

// The dict inside goes to the step's "to", under which the scope is kept.
void begin(Program& p, Scope scope) {
  p.put(scope->share());
  p.scopes.insert_or_assign(p.word("to"), std::move(scope));
}

void end_scope(Program& p) {
  p.scopes.at(p.word("scope")).end();
}

}  // namespace

Operations dict_operations() {
  return {
      {"index", [](Program& p) { p.put(p.dict().index(p.index())); }},
      {"set_item", set_item},
      {"stack", [](Program& p) { p.put(stack(p.dicts(), p.integer("dim", 0))); }},
      {"cat", [](Program& p) { p.put(cat(p.dicts(), p.integer("dim", 0))); }},
      {"stack_into", [](Program& p) { join_into(p, stack_into); }},
      {"cat_into", [](Program& p) { join_into(p, cat_into); }},
      {"pad", [](Program& p) { p.put(p.dict().pad(p.ints("pairs"), p.real("value", 0.0))); }},
      {"pad_sequence", pad_sequence_of},
      {"unpad_sequence", unpad_sequence},
      {"pack", pack_all},
      {"unpack", [](Program& p) { p.put(pack(p.dict(), p.integer("dim", -1)).second.unpack(p.tensor())); }},
      {"from_schema", from_schema},
      {"group_by", group_by},
      {"new_tensor", new_tensor},
      {"expand_as", [](Program& p) { p.put(p.dict().expand_as(p.dict("other"))); }},
      {"gather", [](Program& p) { p.put(p.dict().gather(p.integer("dim"), p.tensor("index"))); }},
      {"masked_select", [](Program& p) { p.put(p.dict().masked_select(p.tensor("mask"))); }},
      {"masked_fill", [](Program& p) { p.put(p.dict().masked_fill(p.tensor("mask"), p.real("value"))); }},
      {"masked_fill_", [](Program& p) { p.dict().masked_fill_(p.tensor("mask"), p.real("value")); }},
      {"where", where},
      {"is_in", [](Program& p) { p.put(p.dict().isin(p.dict("reference"), p.key(), p.integer("dim", 0))); }},
      {"unique", [](Program& p) { p.put(p.dict().remove_duplicates(p.key(), p.integer("dim", 0))); }},
      {"expand_right", [](Program& p) { p.put(p.tensor().expand_right(p.ints("shape"))); }},
      {"expand_as_right", [](Program& p) { p.put(p.tensor().expand_as_right(p.tensor("other"))); }},

      {"view", [](Program& p) { p.put(p.dict().view(p.ints("sizes"))); }},
      {"reshape", [](Program& p) { p.put(p.dict().reshape(p.ints("sizes"))); }},
      {"expand", [](Program& p) { p.put(p.dict().expand(p.ints("sizes"))); }},
      {"permute", [](Program& p) { p.put(p.dict().permute(p.ints("dims"))); }},
      {"repeat", [](Program& p) { p.put(p.dict().repeat(p.ints("repeats"))); }},
      {"tile", [](Program& p) { p.put(p.dict().tile(p.ints("repeats"))); }},
      {"flip", [](Program& p) { p.put(p.dict().flip(p.ints("dims"))); }},
      {"squeeze", [](Program& p) { p.put(p.dict().squeeze(p.ints_or_none("dim"))); }},
      {"flatten", [](Program& p) { p.put(p.dict().flatten(p.integer("start"), p.integer("end"))); }},
      {"unflatten", [](Program& p) { p.put(p.dict().unflatten(p.integer("dim"), p.ints("sizes"))); }},
      {"unsqueeze", [](Program& p) { p.put(p.dict().unsqueeze(p.integer("dim"))); }},
      {"transpose", [](Program& p) { p.put(p.dict().transpose(p.integer("dim0"), p.integer("dim1"))); }},
      {"movedim", [](Program& p) { p.put(p.dict().movedim(p.ints("source"), p.ints("destination"))); }},
      {"narrow", [](Program& p) { p.put(p.dict().narrow(p.integer("dim"), p.integer("start"), p.integer("length"))); }},
      {"split", split},
      {"chunk", [](Program& p) { p.put(p.dict().chunk(p.integer("chunks"), p.integer("dim"))); }},
      {"tensor_split", tensor_split},
      {"unbind", [](Program& p) { p.put(p.dict().unbind(p.integer("dim"))); }},
      {"contiguous", [](Program& p) { p.put(p.dict().contiguous()); }},
      {"repeat_interleave", [](Program& p) { p.put(p.dict().repeat_interleave(p.ints("repeats"), p.integer("dim"))); }},
      {"roll", [](Program& p) { p.put(p.dict().roll(p.ints("shifts"), p.ints_or_none("dims"))); }},
      {"rot90", [](Program& p) { p.put(p.dict().rot90(p.integer("times"), p.integer("dim0"), p.integer("dim1"))); }},

      {"lazy_stack", [](Program& p) { p.put(lazy_stack(p.dicts(), p.integer("dim", 0))); }},
      {"maybe_dense_stack", [](Program& p) { p.put(maybe_dense_stack(p.dicts(), p.integer("dim", 0))); }},
      {"lazy_new", [](Program& p) { p.put(empty_lazy_stack(p.ints("element"), p.integer("dim", 0))); }},
      {"to_lazy_stack", [](Program& p) { p.put(p.dict().to_lazy_stack(p.integer("dim", 0))); }},
      {"member",
       [](Program& p) { p.put(std::move(p.dict().members().at(static_cast<std::size_t>(p.integer("at"))))); }},
      {"append", [](Program& p) { p.dict().append(p.dict("value")); }},
      {"insert", [](Program& p) { p.dict().insert(static_cast<std::size_t>(p.integer("at")), p.dicts()); }},
      {"get_list", [](Program& p) { p.put(p.dict().get_list(p.key())); }},
      {"set_list", set_list},
      {"get_jagged", [](Program& p) { p.put(p.dict().get_jagged(p.key())); }},
      {"get_padded", get_padded},
      {"entry_shape", entry_shape},
      {"params",
       [](Program& p) {
         p.put(p.dict().params({p.flag("no_convert"), p.flag("lock")}));
       }},
      {"parameter_names", [](Program& p) { names(p, p.dict().parameters().first); }},
      {"buffer_names", [](Program& p) { names(p, p.dict().buffers().first); }},

      {"new_empty", [](Program& p) { p.put(p.dict().new_empty(p.ints("sizes"), p.dtype("dtype")).zero_().share()); }},
      {"new_full", [](Program& p) { p.put(p.dict().new_full(p.ints("sizes"), p.real("value"), p.dtype("dtype"))); }},
      {"to_tensordict", [](Program& p) { p.put(p.dict().to_tensordict()); }},
      {"become", [](Program& p) { p.dict().become(p.dict("other")); }},
      {"detach_", [](Program& p) { p.dict().detach_(); }},
      {"copy", [](Program& p) { p.put(p.dict().copy()); }},
      {"clone", [](Program& p) { p.put(p.dict().clone()); }},
      {"requires_grad", [](Program& p) { p.put(json::value(p.dict().requires_grad())); }},
      {"requires_grad_", [](Program& p) { p.dict().requires_grad_(p.flag("value", true)); }},
      {"detach", [](Program& p) { p.put(p.dict().detach()); }},
      {"grad", grad},
      {"zero_grad", [](Program& p) { p.dict().zero_grad(p.flag("set_to_none", true)); }},
      {"backward", [](Program& p) { p.dict().backward(p.find("gradient") ? &p.dict("gradient") : nullptr); }},
      {"to", to},
      {"state_dict", [](Program& p) { p.put(p.dict().state_dict()); }},
      {"load_state_dict", load_state_dict},

      {"scope_unlock", [](Program& p) { begin(p, Scope::unlock(p.dict())); }},
      {"scope_flatten_keys", [](Program& p) { begin(p, Scope::flatten_keys(p.dict(), p.word("separator"))); }},
      {"scope_unflatten_keys", [](Program& p) { begin(p, Scope::unflatten_keys(p.dict(), p.word("separator"))); }},
      {"scope_view", [](Program& p) { begin(p, Scope::view(p.dict(), p.ints("sizes"))); }},
      {"scope_flatten", [](Program& p) { begin(p, Scope::flatten(p.dict(), p.integer("start"), p.integer("end"))); }},
      {"scope_unflatten", [](Program& p) { begin(p, Scope::unflatten(p.dict(), p.integer("dim"), p.ints("sizes"))); }},
      {"scope_squeeze", [](Program& p) { begin(p, Scope::squeeze(p.dict(), p.ints("dim"))); }},
      {"scope_unsqueeze", [](Program& p) { begin(p, Scope::unsqueeze(p.dict(), p.integer("dim"))); }},
      {"scope_permute", [](Program& p) { begin(p, Scope::permute(p.dict(), p.ints("dims"))); }},
      {"scope_transpose",
       [](Program& p) { begin(p, Scope::transpose(p.dict(), p.integer("dim0"), p.integer("dim1"))); }},
      {"scope_movedim",
       [](Program& p) { begin(p, Scope::movedim(p.dict(), p.ints("source"), p.ints("destination"))); }},
      {"scope_flip", [](Program& p) { begin(p, Scope::flip(p.dict(), p.ints("dims"))); }},
      {"scope_roll", [](Program& p) { begin(p, Scope::roll(p.dict(), p.ints("shifts"), p.ints("dims"))); }},
      {"scope_end", end_scope},
  };
}

}  // namespace replay
