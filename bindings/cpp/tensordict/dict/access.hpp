// A part of Dict: entries by key.
#ifndef TENSORDICT_DICT_ACCESS_HPP
#define TENSORDICT_DICT_ACCESS_HPP

#include "../data.hpp"
#include "part.hpp"

namespace tensordict {

class Entry;
class Items;

// What stands under a key.
enum class EntryKind : td_entry_kind {
  none = TD_ENTRY_NONE,
  tensor = TD_ENTRY_TENSOR,
  dict = TD_ENTRY_DICT,
  data = TD_ENTRY_DATA,
};

// Which keys are listed: `KeysFlag::nested | KeysFlag::leaves`.
enum class KeysFlag : std::uint64_t {
  root = 0,
  nested = TD_KEYS_NESTED,                  // go into nodes; a node is listed before what it holds
  leaves = TD_KEYS_LEAVES,                  // tensors only
  sorted = TD_KEYS_SORTED,                  // by the parts joined with dots; else in insertion order
  children_first = TD_KEYS_CHILDREN_FIRST,  // what a node holds is listed before the node
  data = TD_KEYS_DATA,                      // with leaves: non-tensor entries too
  data_only = TD_KEYS_DATA_ONLY,
};
constexpr KeysFlag operator|(KeysFlag a, KeysFlag b) noexcept {
  return static_cast<KeysFlag>(static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b));
}

template <class D>
class DictAccess : public detail::DictPart<D, DictAccess<D>> {
  using Part = detail::DictPart<D, DictAccess<D>>;
  using Part::done, Part::made, Part::self;
  using Key_ = detail::KeyArgument;

 public:
  // The tensor itself, a new reference; KeyError if there is none.
  Tensor get(const KeyView& key) const { return detail::made<Tensor>(td_dict_get, self(), Key_(key)); }
  Tensor get(const Path& path) const { return detail::made<Tensor>(td_dict_get_path, self(), path.get()); }
  // Several in one call; all or none.
  std::vector<Tensor> get_many(Span<const Path> paths) const {
    const detail::Borrowed<Path> raws(paths);
    detail::NewHandles<Tensor> out(paths.size());
    detail::call(td_dict_get_many, self(), raws.data(), raws.size(), out.data());
    return out.take();
  }
  // The node itself: what is done to it shows here.
  D get_dict(const KeyView& key) const { return made(td_dict_get_dict, Key_(key)); }
  // Non-tensor data.
  DataList data(const KeyView& key) const { return detail::made<DataList>(td_dict_get_data, self(), Key_(key)); }

  EntryKind kind(const KeyView& key) const {
    return static_cast<EntryKind>(detail::got<td_entry_kind>(td_dict_entry_kind, self(), Key_(key)));
  }
  bool contains(const KeyView& key) const { return kind(key) != EntryKind::none; }
  // The entry of whatever kind; an empty one if it is missing.
  Entry find(const KeyView& key) const;
  // The tensor, or nothing if there is no tensor under the key.
  std::optional<Tensor> find_tensor(const KeyView& key) const;

  // Replaces what is there; missing nodes are made. A tensor and a dict are stored themselves, data is copied.
  D& set(const KeyView& key, const Tensor& value) { return done(td_dict_set, Key_(key), value.get()); }
  D& set(const Path& path, const Tensor& value) { return done(td_dict_set_path, path.get(), value.get()); }
  // A tensor of any shape that belongs to the whole batch: what is done to the batch dims leaves it as it is.
  D& set_unbatched(const KeyView& key, const Tensor& value) {
    return done(td_dict_set_unbatched, Key_(key), value.get());
  }
  bool is_unbatched(const KeyView& key) const {
    return detail::got<td_bool>(td_dict_is_unbatched, self(), Key_(key)) != 0;
  }
  D& set(const KeyView& key, const D& value) { return done(td_dict_set_dict, Key_(key), value.get()); }
  D& set(const KeyView& key, const Data& value) { return done(td_dict_set_data, Key_(key), detail::lend(value.raw())); }
  // Another value in the place of data that are there; allowed on a locked dict.
  D& set_data_(const KeyView& key, const Data& value) {
    return done(td_dict_set_data_, Key_(key), detail::lend(value.raw()));
  }
  // One value for each batch element, row-major.
  D& set_data_stack(const KeyView& key, const std::vector<Data>& values) {
    std::vector<td_data> raws;
    for (const Data& value : values) raws.push_back(value.raw());
    return done(td_dict_set_data_stack, Key_(key), raws.data(), raws.size());
  }
  // One after another; all or none.
  D& set_many(Span<const Path> paths, Tensors values) {
    if (paths.size() != values.size()) throw ArgumentError("there is not one value for each path");
    const detail::Borrowed<Path> raws(paths);
    return done(td_dict_set_many, raws.data(), values.data(), values.size());
  }

  // Copies `value` into the memory of the tensor under `key`; allowed on a locked dict.
  D& copy_into(const KeyView& key, const Tensor& value) { return done(td_dict_copy_into, Key_(key), value.get()); }
  // The tensor under `key`, which is `value` from now on if there was no entry.
  Tensor setdefault(const KeyView& key, const Tensor& value) {
    return detail::made<Tensor>(td_dict_set_default, self(), Key_(key), value.get());
  }

  D& erase(const KeyView& key) { return done(td_dict_remove, Key_(key)); }
  D& clear() { return done(td_dict_clear); }
  // Remove the entry and hand it out.
  Tensor pop(const KeyView& key) { return detail::made<Tensor>(td_dict_pop, self(), Key_(key)); }
  D pop_dict(const KeyView& key) { return made(td_dict_pop_dict, Key_(key)); }
  // The entry of the root that was inserted last, with its key.
  std::pair<std::string, Entry> popitem();
  // An empty node, and those on the way to it.
  D& create_nested(const KeyView& key) { return done(td_dict_create_nested, Key_(key)); }

  // A snapshot; the root's in insertion order, unless the flags say otherwise.
  Keys keys(KeysFlag flags = KeysFlag::root) const {
    return detail::made<Keys>(td_dict_keys, self(), static_cast<std::uint64_t>(flags));
  }
  // `for (auto [key, entry] : td.items())`, over a snapshot of the entries.
  Items items(KeysFlag flags = KeysFlag::root) const;
  // All tensors, nested ones too, with their keys in the same order.
  std::pair<Keys, std::vector<Tensor>> leaves() const {
    td_keys* keys = nullptr;
    td_tensor_list* tensors = nullptr;
    detail::call(td_dict_leaves, self(), &keys, &tensors);
    Keys owned = Keys::adopt(keys);
    return {std::move(owned), TensorList::adopt(tensors).to_vector()};
  }
};

}  // namespace tensordict

#endif
