// All tensors of a dict as one, for what takes a vector, and back.
//
//     auto [flat, layout] = pack(td);                      // [32, 13]
//     Dict again = layout.unpack(flat[slice(0, 8)]);       // views
#ifndef TENSORDICT_PACK_HPP
#define TENSORDICT_PACK_HPP

#include <ostream>

#include "dict.hpp"

namespace tensordict {

// Where each tensor is in the one that all were packed into, immutable. It fits every dict of these keys and features.
class PackLayout : public Handle<PackLayout, td_pack_layout, td_pack_layout_retain, td_pack_layout_release> {
 public:
  // A tensor with the shape of its features, or a node with the batch dims that it has beyond the root's.
  struct Entry {
    Key key;
    Shape dims = {};
  };

  explicit PackLayout(Adopted raw) noexcept : Handle(raw) {}
  // Of columns in this order; `device` says that the dict had one.
  explicit PackLayout(const std::vector<Entry>& columns, std::int64_t dim = -1, const std::vector<Entry>& nested = {},
                      std::string_view device = {})
      : PackLayout(made_of(columns, dim, nested, device)) {}

  // A dict of views, of as many rows as the tensor has.
  Dict unpack(const Tensor& packed) const { return detail::made<Dict>(td_pack_layout_unpack, get(), packed.get()); }

  Keys keys() const { return detail::made<Keys>(td_pack_layout_keys, get()); }
  Keys nested() const { return detail::made<Keys>(td_pack_layout_nested, get()); }
  Shape shape(std::size_t i) const {
    return detail::sizes_of([&](std::int64_t* out, std::size_t n) { return td_pack_layout_shape(get(), i, out, n); });
  }
  Shape nested_shape(std::size_t i) const {
    return detail::sizes_of(
        [&](std::int64_t* out, std::size_t n) { return td_pack_layout_nested_shape(get(), i, out, n); });
  }
  std::int64_t offset(std::size_t i) const noexcept { return td_pack_layout_offset(get(), i); }
  std::int64_t numel() const noexcept { return td_pack_layout_numel(get()); }
  std::int64_t dim() const noexcept { return td_pack_layout_dim(get()); }
  std::optional<std::string> device() const { return detail::maybe(td_pack_layout_device(get())); }
  std::string repr() const { return detail::text_of(td_pack_layout_repr, get()); }

  friend bool operator==(const PackLayout& a, const PackLayout& b) noexcept {
    return td_pack_layout_equal(a.get(), b.get());
  }
  friend bool operator!=(const PackLayout& a, const PackLayout& b) noexcept { return !(a == b); }

 private:
  class Entries {
   public:
    explicit Entries(const std::vector<Entry>& entries) {
      for (const Entry& e : entries) keys_.emplace_back(e.key);
      for (const KeyView& key : keys_) raw_keys_.push_back(key.raw());
      for (std::size_t i = 0; i < entries.size(); ++i)
        raws_.push_back(td_pack_entry{&raw_keys_[i], entries[i].dims.data(), entries[i].dims.size()});
    }
    const td_pack_entry* data() const noexcept { return raws_.data(); }
    std::size_t size() const noexcept { return raws_.size(); }

   private:
    std::vector<KeyView> keys_;
    std::vector<td_key> raw_keys_;
    std::vector<td_pack_entry> raws_;
  };

  static PackLayout made_of(const std::vector<Entry>& columns, std::int64_t dim, const std::vector<Entry>& nested,
                            std::string_view device) {
    const Entries raw_columns(columns), raw_nested(nested);
    return detail::made<PackLayout>(td_pack_layout_new, raw_columns.data(), raw_columns.size(), raw_nested.data(),
                                    raw_nested.size(), dim, detail::optional_str(device));
  }
};

namespace detail {

inline std::pair<Tensor, PackLayout> packed(const Dict& td, const td_pack_layout* like, std::int64_t dim) {
  td_tensor* flat = nullptr;
  td_pack_layout* layout = nullptr;
  call(td_dict_pack, td.get(), dim, like, &flat, &layout);
  Tensor owned = Tensor::adopt(flat);
  return {std::move(owned), PackLayout::adopt(layout)};
}

}  // namespace detail

// The features of all tensors side by side along a new dim, by sorted keys, and where each of them is.
inline std::pair<Tensor, PackLayout> pack(const Dict& td, std::int64_t dim = -1) {
  return detail::packed(td, nullptr, dim);
}
// The same by the columns of a layout, which has these tensors.
inline std::pair<Tensor, PackLayout> pack(const Dict& td, const PackLayout& layout, std::int64_t dim = -1) {
  return detail::packed(td, layout.get(), dim);
}

inline std::ostream& operator<<(std::ostream& out, const PackLayout& layout) {
  return out << layout.repr();
}

}  // namespace tensordict

#endif
