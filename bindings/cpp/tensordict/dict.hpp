// Dicts: batched, nested, ordered maps from keys to tensors, dicts and non-tensor data. Every entry's leading dims equal the
// batch size; that is checked when it is set, and only then.
//
//     Dict td({32});
//     td["next"]["obs"] = Tensor::zeros({32, 4});          // makes the node "next"
//     Tensor obs = td["next"]["obs"];                      // the same tensor, a new reference
//     Dict first = td[slice(0, 8)] * 2;
//     for (const auto& [key, entry] : first.items()) std::cout << key.joined() << "\n";
//
// The functions stand in the parts under dict/, a chapter each.
#ifndef TENSORDICT_DICT_HPP
#define TENSORDICT_DICT_HPP

#include <ostream>

#include "dict/access.hpp"
#include "dict/choose.hpp"
#include "dict/group.hpp"
#include "dict/lazy.hpp"
#include "dict/map.hpp"
#include "dict/math.hpp"
#include "dict/remote.hpp"
#include "dict/rows.hpp"
#include "dict/shape.hpp"
#include "dict/state.hpp"
#include "dict/storage.hpp"
#include "dict/update.hpp"

namespace tensordict {

class Slot;
class ConstSlot;
class Module;

enum class DictKind : td_dict_kind {
  tensordict = TD_DICT_KIND_TENSORDICT,
  lazy_stack = TD_DICT_KIND_LAZY_STACK,
  params = TD_DICT_KIND_PARAMS,
  persistent = TD_DICT_KIND_PERSISTENT,
  window = TD_DICT_KIND_WINDOW,
};

// A key with its value: a tensor or a dict; numbers become tensors without dims, lists of numbers tensors of one dim, text
// non-tensor data. It borrows both for the call.
struct Item {
  Item(KeyView its_key, Value its_value) : key(std::move(its_key)), value(std::move(its_value)) {}
  KeyView key;
  Value value;
};

struct DictOptions {
  std::string device = {};  // every tensor set later is moved there; "": no constraint
};

// Where a field lies in every record of an array: `{"x", DType::float32, offsetof(Record, x), {3}}`.
struct Field {
  Key key;
  DType dtype;
  std::size_t offset;
  Shape dims = {};
};

// Two handles may stand for one dict: `share`, and a node that is taken out, do not copy. Functions that are const may run at
// the same time as each other, the others need the dict for themselves.
class Dict : public Handle<Dict, td_dict, td_dict_retain, td_dict_release>,
             public DictAccess<Dict>,
             public DictUpdate<Dict>,
             public DictChoose<Dict>,
             public DictRows<Dict>,
             public DictLazy<Dict>,
             public DictShape<Dict>,
             public DictMath<Dict>,
             public DictMap<Dict>,
             public DictState<Dict>,
             public DictStorage<Dict>,
             public DictRemote<Dict>,
             public DictGroup<Dict> {
 public:
  explicit Dict(Adopted raw) noexcept : Handle(raw) {}

  // Without entries; `Dict({})` has no batch dims.
  explicit Dict(Ints batch_size, const DictOptions& options = {}) : Dict(created(batch_size, options)) {}
  // Of these entries, in their order: `Dict({{"obs", obs}, {{"next", "obs"}, next}}, {32})`.
  Dict(std::initializer_list<Item> items, Ints batch_size, const DictOptions& options = {})
      : Dict(built(Span<const Item>(items.begin(), items.size()), batch_size, options)) {}
  static Dict build(Span<const Item> items, Ints batch_size, const DictOptions& options = {}) {
    return built(items, batch_size, options);
  }

  // Has `value` itself under every key, and no batch dims.
  static Dict fromkeys(const KeyViews& keys, const Tensor& value) {
    return detail::made<Dict>(td_dict_from_keys, keys.data(), keys.size(), value.get());
  }
  // The state of a module; the tensors are its own. Of several modules: stacked, see from_modules in module.hpp.
  static Dict from_module(const Module& module);
  // Zeros from the text that repr gives, here or in Python; `device` takes the place of every device in it.
  static Dict parse(std::string_view text, std::string_view device = {}) {
    td_parse_options raw = TD_PARSE_OPTIONS_INIT;
    raw.device = detail::optional_str(device);
    return detail::made<Dict>(td_dict_parse, detail::str(text), &raw);
  }
  // Without batch dims, from a JSON object: objects are dicts, all else is data. And from a list of objects.
  static Dict from_json(std::string_view json) { return detail::made<Dict>(td_dict_from_json, detail::str(json)); }
  static std::vector<Dict> list_from_json(std::string_view json) {
    return detail::dicts_of<Dict>(td_dict_list_from_json, detail::str(json));
  }
  // Over an array of records: each field is an entry on the caller's memory. `release()` is called when the last view is gone.
  template <class R, class F>
  static Dict from_struct_array(R* records, Ints batch_size, const std::vector<Field>& fields, F release) {
    const Fields raw(fields);
    auto* run = +[](void* userdata) {
      const std::unique_ptr<F> owned(static_cast<F*>(userdata));
      (*owned)();
    };
    return detail::made<Dict>(td_dict_from_struct_array, static_cast<void*>(records), sizeof(R), batch_size.data(),
                              batch_size.size(), raw.data(), raw.size(), static_cast<td_release_fn>(run),
                              detail::keep(std::move(release)));
  }
  // Copies entries into an array of such records.
  template <class R>
  void to_struct_array(const std::vector<Field>& fields, Span<R> records) const {
    const Fields raw(fields);
    detail::call(td_dict_to_struct_array, get(), raw.data(), raw.size(), sizeof(R), static_cast<void*>(records.data()),
                 records.size() * sizeof(R));
  }

  DictKind dict_kind() const noexcept { return static_cast<DictKind>(td_dict_kind_of(get())); }
  // The first batch size, 0 without batch dims; and the number of entries at the root.
  std::int64_t len() const noexcept { return td_dict_len(get()); }
  std::size_t count() const noexcept { return td_dict_count(get()); }
  std::int64_t nbytes() const noexcept { return td_dict_nbytes(get()); }
  std::int64_t depth() const noexcept { return td_dict_depth(get()); }

  // New nodes around the same tensors; a deep copy; a deep copy of plain dicts.
  Dict copy() const { return detail::made<Dict>(td_dict_copy, get()); }
  Dict clone() const { return detail::made<Dict>(td_dict_clone, get()); }
  Dict to_tensordict() const { return detail::made<Dict>(td_dict_to_tensordict, get()); }

  using DictAccess<Dict>::get;
  using Handle::get;

  // `td["next"]["obs"]` or `td[{"next", "obs"}]`: see entry.hpp.
  ConstSlot operator[](const KeyView& key) const;
  Slot operator[](const KeyView& key);
  // Of the batch dims: td[0], td[slice(2, 5)], td[mask].
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  Dict operator[](I i) const {
    return index({Index(i)});
  }
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  Dict operator[](I i) {
    return index({Index(i)});  // without it, td[0] might as well be a key
  }
  Dict operator[](const Index& i) const { return index({i}); }

 private:
  static Dict created(Ints batch_size, const DictOptions& options) {
    const td_dict_options raw = raw_of(options);
    return detail::made<Dict>(td_dict_new, batch_size.data(), batch_size.size(), &raw);
  }
  static Dict built(Span<const Item> items, Ints batch_size, const DictOptions& options) {
    const td_dict_options raw = raw_of(options);
    std::vector<td_key> keys;
    std::vector<td_item> all;
    keys.reserve(items.size());
    for (const Item& item : items) {
      keys.push_back(item.key.raw());
      all.push_back(td_item{&keys.back(), item.value.raw()});
    }
    return detail::made<Dict>(td_dict_from_items, batch_size.data(), batch_size.size(), all.data(), all.size(), &raw);
  }
  static td_dict_options raw_of(const DictOptions& options) {
    td_dict_options raw = TD_DICT_OPTIONS_INIT;
    raw.device = detail::optional_str(options.device);
    return raw;
  }

  class Fields {
   public:
    explicit Fields(const std::vector<Field>& fields) {
      for (const Field& field : fields) keys_.emplace_back(field.key);
      for (const KeyView& key : keys_) raw_keys_.push_back(key.raw());
      for (std::size_t i = 0; i < fields.size(); ++i) {
        const Field& f = fields[i];
        raws_.push_back(td_field{&raw_keys_[i], detail::raw(f.dtype), 0, f.dims.empty() ? nullptr : f.dims.data(),
                                 f.dims.size(), f.offset});
      }
    }
    const td_field* data() const noexcept { return raws_.data(); }
    std::size_t size() const noexcept { return raws_.size(); }

   private:
    std::vector<KeyView> keys_;
    std::vector<td_key> raw_keys_;
    std::vector<td_field> raws_;
  };
};

using Dicts = detail::Borrowed<Dict>;

inline Dict Result::dict() const {
  return Dict::borrow(need(TD_VALUE_DICT, "a dict").dict);
}

inline std::ostream& operator<<(std::ostream& out, const Dict& dict) {
  return out << dict.repr();
}

}  // namespace tensordict

#endif
