// A part of Dict: a function of the caller's, called once for each tensor.
//
//     Dict doubled = td.map([](const Tensor& x) { return x * 2; });
//     Dict sums = td.map([](const Key& key, const Tensor& a, const Tensor& b) { return a + b; }, {other});
#ifndef TENSORDICT_DICT_MAP_HPP
#define TENSORDICT_DICT_MAP_HPP

#include <functional>
#include <variant>

#include "../data.hpp"
#include "part.hpp"

namespace tensordict {

// What becomes of nodes in which nothing is left.
enum class Emptied : td_emptied {
  drop = TD_EMPTIED_DROP,          // dropped, unless they were empty before
  drop_all = TD_EMPTIED_DROP_ALL,  // dropped
  keep = TD_EMPTIED_KEEP,
};

// What a function makes of data: nothing, which drops the entry, other data or a tensor.
using MappedData = std::variant<std::monostate, DataList, Tensor>;
using DataFunction = std::function<MappedData(const Key&, const std::vector<std::optional<DataList>>&)>;

struct MapOptions {
  std::optional<Shape> batch_size = std::nullopt;  // of every node of the result; none: as before
  Emptied emptied = Emptied::drop;
  bool in_place = false;         // results are copied into the leaves; none leaves one as it is
  bool missing_as_null = false;  // the function gets none for leaves that one of the others lacks
  DataFunction data = nullptr;   // for the non-tensor entries of all dicts; none: they stay
};

namespace detail {

// One tensor of one that may be missing.
inline std::optional<Tensor> borrow_maybe(td_tensor* raw) {
  if (!raw) return std::nullopt;
  return Tensor::borrow(raw);
}

// The forms that a function over leaves may have.
template <class F>
std::optional<Tensor> call_leaf(F& function, const Key& key, td_tensor* const* tensors, std::size_t n) {
  using Maybe = std::optional<Tensor>;
  const auto need = [&](std::size_t wanted) {
    if (n != wanted) throw ArgumentError("the function takes another number of tensors than there are dicts");
  };
  if constexpr (std::is_invocable_v<F&, const Tensor&>) {
    return need(1), Maybe(function(Tensor::borrow(tensors[0])));
  } else if constexpr (std::is_invocable_v<F&, const Key&, const Tensor&>) {
    return need(1), Maybe(function(key, Tensor::borrow(tensors[0])));
  } else if constexpr (std::is_invocable_v<F&, const Key&, const Tensor&, const Tensor&>) {
    need(2);
    if (!tensors[1]) throw KeyError("the other dict lacks a leaf: take it as a const std::optional<Tensor>&");
    return Maybe(function(key, Tensor::borrow(tensors[0]), Tensor::borrow(tensors[1])));
  } else {
    std::vector<Maybe> all;
    for (std::size_t i = 0; i < n; ++i) all.push_back(borrow_maybe(tensors[i]));
    return Maybe(function(key, static_cast<const std::vector<Maybe>&>(all)));
  }
}

template <class F>
td_status map_leaf(void* userdata, const td_key* key, td_tensor* const* tensors, std::size_t n, td_tensor** out,
                   td_error** err) noexcept {
  return guard(err, [&] {
    std::optional<Tensor> made = call_leaf(*static_cast<F*>(userdata), Key::copy_of(*key), tensors, n);
    if (made) *out = made->release();
  });
}

inline td_status map_data(void* userdata, const td_key* key, td_data_list* const* lists, std::size_t n,
                          td_data_list** out_data, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    std::vector<std::optional<DataList>> all;
    for (std::size_t i = 0; i < n; ++i)
      all.push_back(lists[i] ? std::optional(DataList::borrow(lists[i])) : std::nullopt);
    MappedData made = (*static_cast<DataFunction*>(userdata))(Key::copy_of(*key), all);
    if (auto* list = std::get_if<DataList>(&made)) *out_data = list->release();
    if (auto* tensor = std::get_if<Tensor>(&made)) *out_tensor = tensor->release();
  });
}

}  // namespace detail

template <class D>
class DictMap : public detail::DictPart<D, DictMap<D>> {
  using Part = detail::DictPart<D, DictMap<D>>;
  using Part::self;

 public:
  // The function takes a tensor; a key and a tensor; a key and the tensors of two dicts; or a key and a
  // std::vector<std::optional<Tensor>>. It gives a tensor, or an optional one: none drops the entry.
  template <class F>
  D map(F function, const MapOptions& options = {}) const {
    return map(std::move(function), {}, options);
  }
  template <class F>
  D map(F function, detail::Borrowed<D> others, const MapOptions& options = {}) const {
    td_map_options raw = TD_MAP_OPTIONS_INIT;
    const std::int64_t none = 0;
    if (options.batch_size) {
      raw.batch_size = options.batch_size->empty() ? &none : options.batch_size->data();
      raw.ndim = options.batch_size->size();
    }
    raw.emptied = static_cast<td_emptied>(options.emptied);
    raw.in_place = options.in_place;
    raw.missing_as_null = options.missing_as_null;
    td_map_data_function data = TD_MAP_DATA_FUNCTION_INIT;
    if (options.data) {
      data = {sizeof data, detail::map_data, detail::keep(options.data), detail::destroy<DataFunction>};
      raw.data = &data;
    }
    const td_map_function kept{sizeof kept, detail::map_leaf<F>, detail::keep(std::move(function)), detail::destroy<F>};
    return detail::made<D>(td_dict_map, self(), &kept, others.data(), others.size(), &raw);
  }
  // All entries of all dicts; a tensor that all have is what the function makes of it, as for `map`.
  template <class F>
  static D merge(detail::Borrowed<D> dicts, F function) {
    const td_map_function kept{sizeof kept, detail::map_leaf<F>, detail::keep(std::move(function)), detail::destroy<F>};
    return detail::made<D>(td_dict_merge_with, dicts.data(), dicts.size(), &kept);
  }
};

}  // namespace tensordict

#endif
