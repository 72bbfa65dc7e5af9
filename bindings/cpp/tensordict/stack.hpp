// Functions of several dicts, and operators between them.
#ifndef TENSORDICT_STACK_HPP
#define TENSORDICT_STACK_HPP

#include "entry.hpp"

namespace tensordict {

// Along a new batch dim, and along one that is there.
inline Dict stack(Dicts dicts, std::int64_t dim = 0) {
  return detail::made<Dict>(td_dict_stack, dicts.data(), dicts.size(), dim);
}
inline Dict cat(Dicts dicts, std::int64_t dim = 0) {
  return detail::made<Dict>(td_dict_cat, dicts.data(), dicts.size(), dim);
}
// The same into the entries of `target`, which may be locked; all or nothing.
inline void stack_into(Dicts dicts, std::int64_t dim, Dict& target) {
  detail::call(td_dict_stack_into, dicts.data(), dicts.size(), dim, target.get());
}
inline void cat_into(Dicts dicts, std::int64_t dim, Dict& target) {
  detail::call(td_dict_cat_into, dicts.data(), dicts.size(), dim, target.get());
}

// The dicts themselves, seen as stacked; one without members yet; and a stack of new tensors where keys and shapes agree.
inline Dict lazy_stack(Dicts dicts, std::int64_t dim = 0) {
  return detail::made<Dict>(td_dict_lazy_stack, dicts.data(), dicts.size(), dim);
}
inline Dict empty_lazy_stack(Ints element, std::int64_t dim = 0) {
  return detail::made<Dict>(td_dict_lazy_new, element.data(), element.size(), dim);
}
inline Dict maybe_dense_stack(Dicts dicts, std::int64_t dim = 0) {
  return detail::made<Dict>(td_dict_maybe_dense_stack, dicts.data(), dicts.size(), dim);
}

// The entries of all; of several tensors under one key the first wins.
inline Dict merge(Dicts dicts) {
  return detail::made<Dict>(td_dict_merge, dicts.data(), dicts.size());
}

struct PadSequenceOptions {
  std::int64_t pad_dim = 0;  // of each entry; negative counts from its last dim
  double value = 0;
  std::optional<Key> mask_key = std::nullopt;       // where a dict of masks goes, true for values
  std::vector<std::pair<Key, double>> values = {};  // numbers for some tensors, instead of `value`
  bool left = false;                                // padding comes before the values
};

// Stacks dicts along a new dim 0 after padding each entry at one end of one dim to the longest.
inline Dict pad_sequence(Dicts dicts, const PadSequenceOptions& options = {}) {
  td_pad_sequence_options raw = TD_PAD_SEQUENCE_OPTIONS_INIT;
  const detail::OptionalKey mask(options.mask_key);
  std::vector<Key> names;
  for (const auto& [key, value] : options.values) names.push_back(key);
  const KeyViews keys(names);
  std::vector<td_item> values;
  for (std::size_t i = 0; i < keys.size(); ++i)
    values.push_back(td_item{keys.data() + i, td_value_double(options.values[i].second)});
  raw.pad_dim = options.pad_dim;
  const td_value value = td_value_double(options.value);
  raw.value = &value;
  raw.mask_key = mask.get();
  raw.values = values.empty() ? nullptr : values.data();
  raw.n_values = values.size();
  raw.left = options.left;
  return detail::made<Dict>(td_dict_pad_sequence, dicts.data(), dicts.size(), &raw);
}

// Pointwise, as Python's `td + other`: dicts are matched by key and by batch dims, a tensor has one element for each batch
// element, and a number goes to every leaf. Comparisons give a dict of bools.
namespace detail {

template <class B>
using IfOperand =
    std::enable_if_t<std::is_arithmetic_v<B> || std::is_base_of_v<Tensor, B> || std::is_base_of_v<Dict, B>>;

template <class... A>
Dict pointwise(const Op& op, const A&... operands) {
  return Dict::pointwise(op, Arguments::of(operands...), PointwiseOptions());
}

}  // namespace detail

template <class B, class = detail::IfOperand<B>>
Dict operator+(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().add, a, b);
}
template <class B, class = detail::IfOperand<B>>
Dict operator-(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().sub, a, b);
}
template <class B, class = detail::IfOperand<B>>
Dict operator*(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().mul, a, b);
}
template <class B, class = detail::IfOperand<B>>
Dict operator/(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().div, a, b);
}
template <class B, class = detail::IfOperand<B>>
Dict operator==(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().eq, a, b);
}
template <class B, class = detail::IfOperand<B>>
Dict operator!=(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().ne, a, b);
}
template <class B, class = detail::IfOperand<B>>
Dict operator<(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().lt, a, b);
}
template <class B, class = detail::IfOperand<B>>
Dict operator<=(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().le, a, b);
}
template <class B, class = detail::IfOperand<B>>
Dict operator>(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().gt, a, b);
}
template <class B, class = detail::IfOperand<B>>
Dict operator>=(const Dict& a, const B& b) {
  return detail::pointwise(detail::KnownOps::get().ge, a, b);
}
template <class N, class = detail::IfNumber<N>>
Dict operator+(N a, const Dict& b) {
  return b + a;
}
template <class N, class = detail::IfNumber<N>>
Dict operator*(N a, const Dict& b) {
  return b * a;
}
template <class N, class = detail::IfNumber<N>>
Dict operator-(N a, const Dict& b) {
  return detail::pointwise(detail::KnownOps::get().rsub, b, a);
}
template <class N, class = detail::IfNumber<N>>
Dict operator/(N a, const Dict& b) {
  return detail::pointwise(detail::KnownOps::get().reciprocal, b) * a;
}
inline Dict operator-(const Dict& a) {
  return detail::pointwise(detail::KnownOps::get().neg, a);
}

// In place: the leaves are written, all or none.
template <class B, class = detail::IfOperand<B>>
Dict& operator+=(Dict& a, const B& b) {
  detail::pointwise(detail::KnownOps::get().add_, a, b);
  return a;
}
template <class B, class = detail::IfOperand<B>>
Dict& operator-=(Dict& a, const B& b) {
  detail::pointwise(detail::KnownOps::get().sub_, a, b);
  return a;
}
template <class B, class = detail::IfOperand<B>>
Dict& operator*=(Dict& a, const B& b) {
  detail::pointwise(detail::KnownOps::get().mul_, a, b);
  return a;
}
template <class B, class = detail::IfOperand<B>>
Dict& operator/=(Dict& a, const B& b) {
  detail::pointwise(detail::KnownOps::get().div_, a, b);
  return a;
}

inline Tensor Tensor::index(Indices indices) const {
  return detail::made<Tensor>(td_tensor_index, get(), indices.data(), indices.size());
}

inline void Tensor::set_at(Indices indices, const Tensor& value) {
  detail::call(td_tensor_set_at, get(), indices.data(), indices.size(), value.get());
}

}  // namespace tensordict

#endif
