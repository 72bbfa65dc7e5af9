#include <algorithm>

#include "core/storage/torch_save/pickled.h"

namespace td::storage::pickled {

namespace {

Item object(std::string_view name) {
  Item o;
  o.kind = Kind::object;
  o.text = name;
  return o;
}

const Item* argument(const Program& p, const std::vector<Index>& arguments, size_t i, Kind kind) {
  const Item* a = i < arguments.size() ? &p.items[arguments[i]] : nullptr;
  return a && a->kind == kind ? a : nullptr;
}

// storage, offset, sizes, strides; then in _v2 what needs no reader, and in _v3 the dtype behind two of those.
Item tensor(const Program& p, const Item& name, const std::vector<Index>& arguments, bool has_dtype) {
  constexpr size_t dtype = 6;
  const Item* type = argument(p, arguments, dtype, Kind::name);
  if (!argument(p, arguments, storage_part, Kind::storage) || !argument(p, arguments, offset_part, Kind::integer) ||
      !argument(p, arguments, sizes_part, Kind::list) || !argument(p, arguments, strides_part, Kind::list) ||
      (has_dtype && !type))
    return object(name.text);
  Item t;
  t.kind = Kind::tensor;
  t.members.assign(arguments.begin(), arguments.begin() + strides_part + 1);
  if (has_dtype) t.text = type->text;
  return t;
}

// Of a device's name and number.
Item device(Program& p, const std::vector<Index>& arguments) {
  constexpr size_t longest = 64;
  const Item *type = argument(p, arguments, 0, Kind::text), *number = argument(p, arguments, 1, Kind::integer);
  if (!type || type->text.size() > longest || arguments.size() > 2 || (arguments.size() == 2 && !number))
    return object("torch.device");
  Item text = *type;
  if (number) text.text = p.owned.emplace_back(std::string(type->text) + ':' + std::to_string(number->i));
  return text;
}

}  // namespace

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

Made call(Program& p, const Item& name, Index arguments) {
  const std::string_view f = name.text;
  if (name.kind != Kind::name) return {object("an unknown class")};
  if (p.items[arguments].kind != Kind::list) return {object(f)};
  const std::vector<Index>& a = p.items[arguments].members;
  Item made;
  if (f == "collections.OrderedDict" && a.empty()) return made.kind = Kind::dict, Made{made};
  if (f == "torch._utils._rebuild_tensor" || f == "torch._utils._rebuild_tensor_v2") return {tensor(p, name, a, false)};
  if (f == "torch._utils._rebuild_tensor_v3") return {tensor(p, name, a, true)};
  if (f == "torch._utils._rebuild_parameter" || f == "torch._utils._rebuild_parameter_with_state")
    return argument(p, a, 0, Kind::tensor) ? Made{{}, true, a[0]} : Made{object(f)};
  // A tensor that somebody gave attributes: the function, the class, its arguments, the attributes.
  if (f == "torch._tensor._rebuild_from_type_v2" && a.size() == 4) {
    const Item *function = argument(p, a, 0, Kind::name), *type = argument(p, a, 1, Kind::name);
    const bool plain = type && (type->text == "torch.Tensor" || type->text == "torch.nn.parameter.Parameter");
    return function && plain && function->text != f ? call(p, *function, a[2]) : Made{object(type ? type->text : f)};
  }
  if (f == "torch.Size" && a.size() == 1 && argument(p, a, 0, Kind::list)) return {{}, true, a[0]};
  if (f == "torch.device") return {device(p, a)};
  // Bytes, in the protocol that has none.
  if (f == "_codecs.encode" && a.size() == 2 && argument(p, a, 0, Kind::text)) {
    made = p.items[a[0]];
    made.kind = Kind::bytes, made.latin1 = true;
    return {made};
  }
  if ((f == "__builtin__.bytes" || f == "builtins.bytes") && a.empty()) return made.kind = Kind::bytes, Made{made};
  return {object(f)};
}

Item persistent(const Program& p, Index identity) {
  const std::vector<Index>& id = p.items[identity].members;
  const Item *word = argument(p, id, 0, Kind::text), *key = argument(p, id, 2, Kind::text),
             *elements = argument(p, id, 4, Kind::integer);
  if (!word || word->text != "storage" || !argument(p, id, 1, Kind::name) || !key || !is_plain(key->text) || !elements)
    return object("a persistent id");
  Item s;
  s.kind = Kind::storage;
  s.text = key->text;
  s.i = elements->i;
  s.members = {id[1]};
  return s;
}

}  // namespace td::storage::pickled
