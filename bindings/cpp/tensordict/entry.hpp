// Entries: what stands under a key, of whatever kind, and the places where something may stand.
//
//     td["next"]["obs"] = obs;
//     if (td["next"].exists()) ...
//     for (const auto& [key, entry] : td.items())
//       if (entry.is_dict()) show(entry.dict());
#ifndef TENSORDICT_ENTRY_HPP
#define TENSORDICT_ENTRY_HPP

#include "dict.hpp"

namespace tensordict {

// A tensor, a dict, data, or nothing.
class Entry {
 public:
  using Any = std::variant<std::monostate, Tensor, Dict, DataList>;

  Entry() = default;
  Entry(Tensor tensor) : any_(std::move(tensor)) {}
  Entry(Dict dict) : any_(std::move(dict)) {}
  Entry(DataList data) : any_(std::move(data)) {}

  EntryKind kind() const noexcept { return static_cast<EntryKind>(any_.index()); }
  explicit operator bool() const noexcept { return kind() != EntryKind::none; }
  bool is_tensor() const noexcept { return kind() == EntryKind::tensor; }
  bool is_dict() const noexcept { return kind() == EntryKind::dict; }
  bool is_data() const noexcept { return kind() == EntryKind::data; }

  // What it is; KeyError if it is something else.
  const Tensor& tensor() const { return need<Tensor>("tensor"); }
  const Dict& dict() const { return need<Dict>("dict"); }
  Dict& dict() { return const_cast<Dict&>(need<Dict>("dict")); }
  const DataList& data() const { return need<DataList>("data"); }
  // For std::visit.
  const Any& any() const noexcept { return any_; }

  // A reference of its own to what another holds.
  static Entry borrow(const td_entry& raw) {
    if (raw.tensor) return Tensor::borrow(raw.tensor);
    if (raw.dict) return Dict::borrow(raw.dict);
    if (raw.data) return DataList::borrow(raw.data);
    return Entry();
  }

 private:
  template <class T>
  const T& need(const char* what) const {
    if (const T* value = std::get_if<T>(&any_)) return *value;
    throw KeyError(std::string("the entry is no ") + what);
  }
  Any any_;
};

// A place in a dict to read from. It keeps the dict and the key, so that it may go into a variable; Dict::get with a key in
// braces, or with a Path, is faster.
class ConstSlot {
 public:
  ConstSlot(Dict dict, Key key) : dict_(std::move(dict)), key_(std::move(key)) {}

  ConstSlot operator[](std::string_view part) const { return ConstSlot(dict_.share(), key_ / part); }
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  ConstSlot operator[](I) const = delete;  // take the tensor or the dict first, then index it

  const Key& key() const noexcept { return key_; }
  EntryKind kind() const { return dict_.kind(key_); }
  bool exists() const { return dict_.contains(key_); }

  Tensor tensor() const { return dict_.get(key_); }
  Dict dict() const { return dict_.get_dict(key_); }
  DataList data() const { return dict_.data(key_); }
  // The first value of non-tensor data, which is the only one unless there is one for each batch element.
  Data value() const { return data()[0]; }
  Entry entry() const { return dict_.find(key_); }

  operator Tensor() const { return tensor(); }
  operator Dict() const { return dict(); }

 protected:
  Dict dict_;
  Key key_;
};

// One to write to, too.
class Slot : public ConstSlot {
 public:
  using ConstSlot::ConstSlot;
  Slot(const Slot&) = delete;
  Slot(Slot&&) = default;

  Slot operator[](std::string_view part) { return Slot(dict_.share(), key_ / part); }
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  Slot operator[](I) = delete;

  Slot& operator=(const Tensor& value) { return set(value); }
  Slot& operator=(const Dict& value) { return set(value); }
  Slot& operator=(const Data& value) { return set(value); }
  // The same entry under another key: `td["a"] = td["b"]`.
  Slot& operator=(const ConstSlot& other) { return put(other.entry()); }
  Slot& operator=(const Slot& other) { return put(other.entry()); }

  // Copies into the memory of the tensor that is there.
  Slot& copy_from(const Tensor& value) {
    dict_.copy_into(key_, value);
    return *this;
  }
  void erase() { dict_.erase(key_); }

 private:
  template <class V>
  Slot& set(const V& value) {
    dict_.set(key_, value);
    return *this;
  }
  Slot& put(const Entry& entry) {
    if (entry.is_tensor()) return set(entry.tensor());
    if (entry.is_dict()) return set(entry.dict());
    if (!entry.data().is_stack()) return set(entry.data()[0]);
    dict_.set_data_stack(key_, entry.data().to_vector());
    return *this;
  }
};

inline ConstSlot Dict::operator[](const KeyView& key) const {
  return ConstSlot(share(), Key::copy_of(key.raw()));
}
inline Slot Dict::operator[](const KeyView& key) {
  return Slot(share(), Key::copy_of(key.raw()));
}

// A range of pairs of a key and an entry, all taken at one moment.
class Items : public Handle<Items, td_entries, td_entries_retain, td_entries_release> {
 public:
  struct Pair {
    Key key;
    Entry entry;
  };

  explicit Items(Adopted raw) : Handle(raw) { detail::call(td_entries_view, get(), &keys_, &entries_, &n_); }
  std::size_t size() const noexcept { return n_; }
  Pair operator[](std::size_t i) const { return Pair{Key::copy_of(keys_[i]), Entry::borrow(entries_[i])}; }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Pair;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Pair;

    Iterator(const Items* items, std::size_t i) noexcept : items_(items), i_(i) {}
    Pair operator*() const { return (*items_)[i_]; }
    Iterator& operator++() noexcept {
      ++i_;
      return *this;
    }
    friend bool operator==(Iterator a, Iterator b) noexcept { return a.i_ == b.i_; }
    friend bool operator!=(Iterator a, Iterator b) noexcept { return a.i_ != b.i_; }

   private:
    const Items* items_;
    std::size_t i_;
  };
  Iterator begin() const noexcept { return Iterator(this, 0); }
  Iterator end() const noexcept { return Iterator(this, size()); }

 private:
  const td_key* keys_ = nullptr;  // of the handle
  const td_entry* entries_ = nullptr;
  std::size_t n_ = 0;
};

namespace detail {

// An entry that was looked up, until it is given back.
struct LookedUp {
  td_entry raw{};
  LookedUp(const td_dict* dict, const KeyView& key) { call(td_dict_lookup, dict, KeyArgument(key), &raw); }
  LookedUp(const LookedUp&) = delete;
  ~LookedUp() { td_entry_clear(&raw); }
};

}  // namespace detail

template <class D>
Entry DictAccess<D>::find(const KeyView& key) const {
  return Entry::borrow(detail::LookedUp(self(), key).raw);
}

template <class D>
std::optional<Tensor> DictAccess<D>::find_tensor(const KeyView& key) const {
  detail::LookedUp found(self(), key);
  if (!found.raw.tensor) return std::nullopt;
  return Tensor::adopt(std::exchange(found.raw.tensor, nullptr));
}

template <class D>
Items DictAccess<D>::items(KeysFlag flags) const {
  return detail::made<Items>(td_dict_entries, self(), static_cast<std::uint64_t>(flags));
}

template <class D>
std::pair<std::string, Entry> DictAccess<D>::popitem() {
  td_string* key = nullptr;
  td_tensor* tensor = nullptr;
  td_dict* dict = nullptr;
  td_data_list* data = nullptr;
  detail::call(td_dict_popitem, self(), &key, &tensor, &dict, &data);
  Entry entry = tensor ? Entry(Tensor::adopt(tensor)) : dict ? Entry(D::adopt(dict)) : Entry(DataList::adopt(data));
  return {detail::take_text(key), std::move(entry)};
}

}  // namespace tensordict

#endif
