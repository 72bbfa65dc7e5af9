// A part of Dict: lazy stacks, which are dicts seen as stacked, of different shapes and keys if need be. They are made by
// lazy_stack in stack.hpp.
#ifndef TENSORDICT_DICT_LAZY_HPP
#define TENSORDICT_DICT_LAZY_HPP

#include "list.hpp"

namespace tensordict {

struct PaddingOptions {
  double value = 0;
  bool left = false;                           // before the values; else after them
  std::optional<Key> mask_key = std::nullopt;  // of densify: where a dict of masks goes, true for values
};

template <class D>
class DictLazy : public detail::DictPart<D, DictLazy<D>> {
  using Part = detail::DictPart<D, DictLazy<D>>;
  using Part::done, Part::made, Part::self;
  using Key_ = detail::KeyArgument;

 public:
  // A lazy stack of the views that unbind gives.
  D to_lazy_stack(std::int64_t dim) const { return made(td_dict_to_lazy_stack, dim); }
  // -1 if the dict is not a lazy stack.
  std::int64_t stack_dim() const noexcept { return td_dict_stack_dim(self()); }
  // The members themselves: what is done to one shows here.
  std::vector<D> members() const { return detail::dicts_of<D>(td_dict_members, self()); }
  D& insert(std::size_t index, detail::Borrowed<D> dicts) {
    return done(td_dict_insert, index, dicts.data(), dicts.size());
  }
  D& append(const D& dict) { return done(td_dict_append, dict.get()); }

  // The shape of an entry; -1 where members differ.
  Shape entry_shape(const KeyView& key) const {
    return detail::sizes_of([&](std::int64_t* out, std::size_t n) {
      std::size_t ndim = 0;
      detail::call(td_dict_entry_shape, self(), Key_(key), out, n, &ndim);
      return ndim;
    });
  }
  // Of the tensors whose shape differs between members, which get refuses.
  Keys ragged_keys() const { return detail::made<Keys>(td_dict_ragged_keys, self()); }
  // Keys that the member at `index` has, and not all others.
  Keys exclusive_keys(std::size_t index) const { return detail::made<Keys>(td_dict_exclusive_keys, self(), index); }

  // The tensor of each member.
  std::vector<Tensor> get_list(const KeyView& key) const {
    return detail::made<TensorList>(td_dict_get_list, self(), Key_(key)).to_vector();
  }
  D& set_list(const KeyView& key, Tensors values) {
    return done(td_dict_set_list, Key_(key), values.data(), values.size());
  }
  // The members' tensors stacked, each dim as long as the longest, and the mask that is true for values.
  std::pair<Tensor, Tensor> get_padded(const KeyView& key, const PaddingOptions& options = {}) const {
    const Padding raw(options);
    td_tensor *out = nullptr, *mask = nullptr;
    detail::call(td_dict_get_padded, self(), Key_(key), raw.get(), &out, &mask);
    return pair_of(out, mask);
  }
  // The members' tensors joined, and where each begins.
  std::pair<Tensor, Tensor> get_jagged(const KeyView& key) const {
    td_tensor *values = nullptr, *offsets = nullptr;
    detail::call(td_dict_get_jagged, self(), Key_(key), &values, &offsets);
    return pair_of(values, offsets);
  }
  // A dense dict of the entries that any member has; what is missing is padding.
  D densify(const PaddingOptions& options = {}) const {
    const Padding raw(options);
    return made(td_dict_densify, raw.get());
  }

 private:
  class Padding {
   public:
    explicit Padding(const PaddingOptions& options)
        : mask_key_(options.mask_key), value_(td_value_double(options.value)) {
      raw_.value = &value_;
      raw_.left = options.left;
      raw_.mask_key = mask_key_.get();
    }
    Padding(const Padding&) = delete;
    const td_padding_options* get() const noexcept { return &raw_; }

   private:
    detail::OptionalKey mask_key_;
    td_value value_;
    td_padding_options raw_ = TD_PADDING_OPTIONS_INIT;
  };

  static std::pair<Tensor, Tensor> pair_of(td_tensor* a, td_tensor* b) {
    Tensor owned = Tensor::adopt(a);
    return {std::move(owned), Tensor::adopt(b)};
  }
};

}  // namespace tensordict

#endif
