// tensordict_plugin_distribution.hpp: a distribution as a C++17 class, beside the hashes and modules of
// tensordict_plugin.hpp.
//
// SPDX-License-Identifier: MIT
//
//     struct Exponential {
//       static constexpr td::plugin::Distribution type{"org.example.exponential", "1.0.0"};
//       static constexpr std::string_view params[] = {"rate"};
//       using Params = const std::vector<td::plugin::Tensor>&;  // in the order of `params`, broadcast together
//       td::plugin::Tensor rsample(Params p, const std::vector<std::int64_t>& dims, td_generator* generator) const;
//       td::plugin::Tensor log_prob(Params p, const td::plugin::Tensor& value) const;
//       td::plugin::Tensor mean(Params p) const;
//     };
//     TD_PLUGIN("org.example.exponential", "Example", "1.0.0", "MIT", distribution, Exponential)
//
// Every member function is optional: what a class lacks is UNSUPPORTED. rsample also serves as sample. A draw is a
// number; `static void more(td_distribution_type& table)` may set what the table of tensordict_plugin.h has beside this:
// names, rules of parameters, supports, draws that are vectors, divergences.
#ifndef TENSORDICT_PLUGIN_DISTRIBUTION_HPP
#define TENSORDICT_PLUGIN_DISTRIBUTION_HPP

#include "tensordict_plugin.hpp"

namespace td {
namespace plugin {

struct Distribution {
  std::string_view id, version;
  std::uint64_t flags = 0;
};

namespace detail {

template <class T>
constexpr std::size_t n_params = sizeof(T::params) / sizeof(*T::params);

template <class T>
std::vector<Tensor> borrowed(td_tensor *const *params) {
  std::vector<Tensor> all;
  for (std::size_t i = 0; i < n_params<T>; ++i) all.push_back(Tensor::borrow(params[i]));
  return all;
}

template <class T, auto member>
td_status draw(const void *self, td_tensor *const *params, const std::int64_t *dims, std::size_t ndim,
               td_generator *generator, td_tensor **out, td_error **err) {
  return guard(err, [&] {
    const std::vector<std::int64_t> shape(dims, dims + ndim);
    *out = (static_cast<const T *>(self)->*member)(borrowed<T>(params), shape, generator).release();
  });
}
template <class T, auto member>
td_status at_value(const void *self, td_tensor *const *params, const td_tensor *value, td_tensor **out,
                   td_error **err) {
  return guard(err, [&] {
    *out = (static_cast<const T *>(self)->*member)(borrowed<T>(params), Tensor::borrow(value)).release();
  });
}
template <class T, auto member>
td_status statistic(const void *self, td_tensor *const *params, td_tensor **out, td_error **err) {
  return guard(err, [&] { *out = (static_cast<const T *>(self)->*member)(borrowed<T>(params)).release(); });
}

// Fills `table.name` if the class has a member of this name.
#define TD_FILL_IF_THERE(name, call)                                                \
  template <class T, class = void>                                                  \
  struct fill_##name {                                                              \
    static void in(td_distribution_type &) {}                                       \
  };                                                                                \
  template <class T>                                                                \
  struct fill_##name<T, std::void_t<decltype(&T::name)>> {                          \
    static void in(td_distribution_type &table) { table.name = call<T, &T::name>; } \
  };
TD_FILL_IF_THERE(sample, draw)
TD_FILL_IF_THERE(rsample, draw)
TD_FILL_IF_THERE(log_prob, at_value)
TD_FILL_IF_THERE(cdf, at_value)
TD_FILL_IF_THERE(icdf, at_value)
TD_FILL_IF_THERE(within, at_value)
TD_FILL_IF_THERE(entropy, statistic)
TD_FILL_IF_THERE(mean, statistic)
TD_FILL_IF_THERE(mode, statistic)
TD_FILL_IF_THERE(median, statistic)
TD_FILL_IF_THERE(variance, statistic)
TD_FILL_IF_THERE(stddev, statistic)
#undef TD_FILL_IF_THERE

template <class T, class = void>
struct fill_more {
  static void in(td_distribution_type &) {}
};
template <class T>
struct fill_more<T, std::void_t<decltype(&T::more)>> {
  static void in(td_distribution_type &table) { T::more(table); }
};

}  // namespace detail

template <class T>
const td_plugin_type *distribution() {
  static const td_distribution_type table = [] {
    static td_str names[detail::n_params<T>];
    for (std::size_t i = 0; i < detail::n_params<T>; ++i) names[i] = view(T::params[i]);
    td_distribution_type t{};
    t.type =
        detail::head(sizeof t, TD_PLUGIN_KIND_DISTRIBUTION, view(T::type.id), view(T::type.version), T::type.flags);
    t.params = names;
    t.n_params = detail::n_params<T>;
    t.create = detail::create<T>;
    t.destroy = detail::destroy<T>;
    detail::fill_sample<T>::in(t), detail::fill_rsample<T>::in(t);
    if (!t.sample) t.sample = t.rsample;
    detail::fill_log_prob<T>::in(t), detail::fill_cdf<T>::in(t), detail::fill_icdf<T>::in(t);
    detail::fill_within<T>::in(t), detail::fill_entropy<T>::in(t), detail::fill_mean<T>::in(t);
    detail::fill_mode<T>::in(t), detail::fill_median<T>::in(t), detail::fill_variance<T>::in(t);
    detail::fill_stddev<T>::in(t), detail::fill_more<T>::in(t);
    return t;
  }();
  return &table.type;
}

}  // namespace plugin
}  // namespace td

#define TD_DISTRIBUTION(Class) ::td::plugin::entry<::td::plugin::distribution<Class>, Class>()

#endif  // TENSORDICT_PLUGIN_DISTRIBUTION_HPP
