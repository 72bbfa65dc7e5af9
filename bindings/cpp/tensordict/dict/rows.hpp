// A part of Dict: index, and rows by position, by mask and by value.
#ifndef TENSORDICT_DICT_ROWS_HPP
#define TENSORDICT_DICT_ROWS_HPP

#include "../data.hpp"
#include "list.hpp"

namespace tensordict {

// The rows of each value of an entry. The values are one of the two, as the entry is a tensor or data.
template <class D>
struct Groups {
  std::optional<Tensor> values;
  std::optional<DataList> data;
  std::vector<D> dicts;
};

// Where the masks of padded samples are: under a key, in a dict of their own, or one for all entries.
template <class D>
struct UnpadOptions {
  std::int64_t pad_dim = 0;                    // counted without the dim of the samples
  std::optional<Key> mask_key = std::nullopt;  // none: "masks", unless one of the next is given
  const D* masks = nullptr;
  const Tensor* mask = nullptr;
};

template <class D>
class DictRows : public detail::DictPart<D, DictRows<D>> {
  using Part = detail::DictPart<D, DictRows<D>>;
  using Part::done, Part::made, Part::self;
  using Key_ = detail::KeyArgument;

 public:
  // Of the batch dims of every entry: integers, slices and newdim give views, tensors give copies. One component is
  // `td[slice(2, 5)]`, too.
  D index(const Indices& i) const { return made(td_dict_index, i.data(), i.size()); }
  // Those rows without a copy: always locked, and what is written into its entries goes to this dict.
  D window(const Indices& i) { return made(td_dict_window, i.data(), i.size()); }
  // Writes the entries of `value`, or one number into every tensor: td[index] = value.
  D& set_at(const Indices& i, const D& value) { return done(td_dict_set_at, i.data(), i.size(), value.get()); }
  D& set_at(const Indices& i, Number value) { return done(td_dict_set_at_value, i.data(), i.size(), value); }
  // Of the tensor under `key`: the index may go on into the dims after the batch dims.
  Tensor get_at(const KeyView& key, const Indices& i) const {
    return detail::made<Tensor>(td_dict_get_at, self(), Key_(key), i.data(), i.size());
  }
  D& copy_into_at(const KeyView& key, const Indices& i, const Tensor& value) {
    return done(td_dict_copy_into_at, Key_(key), i.data(), i.size(), value.get());
  }

  // For each element of `index` that position along batch dim `dim`.
  D gather(std::int64_t dim, const Tensor& index) const { return made(td_dict_gather, dim, index.get()); }
  // The rows where `mask` is true.
  D masked_select(const Tensor& mask) const { return made(td_dict_masked_select, mask.get()); }
  D masked_fill(const Tensor& mask, Number value) const { return made(td_dict_masked_fill, mask.get(), value); }
  D& masked_fill_(const Tensor& mask, Number value) { return done(td_dict_masked_fill_, mask.get(), value); }
  // Entries of this dict where `condition` holds, else of `other`; `pad` stands for one that only one of them has.
  D where(const Tensor& condition, const D& other, std::optional<double> pad = std::nullopt) const {
    const td_value number = td_value_double(pad.value_or(0));
    return made(td_dict_where, condition.get(), other.get(), pad ? &number : nullptr);
  }
  // For each position along `dim`: is that slice of `key` among the slices of `reference`?
  Tensor isin(const D& reference, const KeyView& key, std::int64_t dim = 0) const {
    return detail::made<Tensor>(td_dict_isin, self(), reference.get(), Key_(key), dim);
  }
  // The first of each different slice of `key`, and for each position the place of its value.
  std::pair<D, Tensor> remove_duplicates(const KeyView& key, std::int64_t dim = 0) const {
    td_dict* out = nullptr;
    td_tensor* inverse = nullptr;
    detail::call(td_dict_remove_duplicates, self(), Key_(key), dim, &out, &inverse);
    D owned = D::adopt(out);
    return {std::move(owned), Tensor::adopt(inverse)};
  }
  // One dict for each value of `key`, sorted; the values are a tensor, or data if `key` is.
  Groups<D> group_by(const KeyView& key) const {
    td_tensor* values = nullptr;
    td_data_list* data = nullptr;
    td_dict_list* groups = nullptr;
    detail::call(td_dict_group_by, self(), Key_(key), &values, &data, &groups);
    Groups<D> out;
    const DictList list = DictList::adopt(groups);
    if (values) out.values = Tensor::adopt(values);
    if (data) out.data = DataList::adopt(data);
    out.dicts = detail::dicts_in<D>(list);
    return out;
  }

  // Grows batch dims: `pairs` are what is added before and after each of them; negative ones crop.
  D pad(Ints pairs, Number value = 0) const { return made(td_dict_pad, pairs.data(), pairs.size(), value); }
  // The samples that pad_sequence stacked, as a lazy stack of views.
  D unpad_sequence(const UnpadOptions<D>& options = {}) const {
    td_unpad_sequence_options raw = TD_UNPAD_SEQUENCE_OPTIONS_INIT;
    const detail::OptionalKey key(options.mask_key);
    raw.pad_dim = options.pad_dim;
    raw.mask_key = key.get();
    raw.masks = options.masks ? options.masks->get() : nullptr;
    raw.mask = options.mask ? options.mask->get() : nullptr;
    return made(td_dict_unpad_sequence, &raw);
  }
};

}  // namespace tensordict

#endif
