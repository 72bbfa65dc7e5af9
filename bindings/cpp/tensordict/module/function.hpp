// Functions of the caller's as modules: the forms that they may have, and how they are called.
#ifndef TENSORDICT_MODULE_FUNCTION_HPP
#define TENSORDICT_MODULE_FUNCTION_HPP

#include <tuple>

#include "../stack.hpp"

namespace tensordict {

// What a function gives: a tensor, a dict, or data, of which numbers become tensors.
using Output = std::variant<Tensor, Dict, Data>;

// `return outputs(tensor, dict, "text", Data(3));`
template <class... A>
std::vector<Output> outputs(A&&... each) {
  std::vector<Output> out;
  (out.emplace_back(std::forward<A>(each)), ...);
  return out;
}

// Arguments by name.
using NamedEntries = std::vector<std::pair<std::string, Entry>>;

namespace detail {

template <class F, class Indices>
struct TakesTensors;
template <std::size_t>
using TensorArgument = const Tensor&;
template <class F, std::size_t... I>
struct TakesTensors<F, std::index_sequence<I...>> : std::is_invocable<F&, TensorArgument<I>...> {};

// How many tensors F takes; 0 if it takes a vector of them.
template <class F, std::size_t n = 1>
constexpr std::size_t tensors_taken() {
  if constexpr (n > 8)
    return 0;
  else if constexpr (TakesTensors<F, std::make_index_sequence<n>>::value)
    return n;
  else
    return tensors_taken<F, n + 1>();
}

template <class F, std::size_t... I>
decltype(auto) spread(F& function, const std::vector<Tensor>& inputs, std::index_sequence<I...>) {
  return function(inputs[I]...);
}

template <class F>
decltype(auto) call_with_tensors(F& function, const std::vector<Tensor>& inputs) {
  constexpr std::size_t n = tensors_taken<F>();
  if constexpr (n == 0) {
    return function(inputs);
  } else {
    if (inputs.size() != n)
      throw ArgumentError("the function takes " + std::to_string(n) + " tensors, and got " +
                          std::to_string(inputs.size()));
    return spread(function, inputs, std::make_index_sequence<n>());
  }
}

inline std::vector<Tensor> tensors_of(Tensor one) {
  std::vector<Tensor> out;
  out.push_back(std::move(one));
  return out;
}
inline std::vector<Tensor> tensors_of(std::vector<Tensor> all) {
  return all;
}
template <class... T>
std::vector<Tensor> tensors_of(std::tuple<T...> all) {
  std::vector<Tensor> out;
  std::apply([&](auto&... each) { (out.push_back(std::move(each)), ...); }, all);
  return out;
}
inline std::vector<Tensor> tensors_of(std::pair<Tensor, Tensor> both) {
  return tensors_of(std::tuple<Tensor, Tensor>(std::move(both.first), std::move(both.second)));
}

inline std::vector<Tensor> borrow_all(td_tensor* const* raws, std::size_t n) {
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(Tensor::borrow(raws[i]));
  return out;
}

// Hands the tensors over to whoever called.
inline void give(std::vector<Tensor> made, td_tensor** outputs, std::size_t n) {
  if (made.size() != n)
    throw ArgumentError("the function gave " + std::to_string(made.size()) + " tensors, and " + std::to_string(n) +
                        " were expected");
  for (const Tensor& one : made)
    if (!one.defined()) throw ArgumentError("the function gave a tensor that was moved away");
  for (std::size_t i = 0; i < n; ++i) outputs[i] = made[i].release();
}

template <class F>
td_status call_tensors(void* userdata, td_tensor* const* inputs, std::size_t n_inputs, td_tensor** outputs,
                       std::size_t n_outputs, td_error** err) noexcept {
  return guard(err, [&] {
    give(tensors_of(call_with_tensors(*static_cast<F*>(userdata), borrow_all(inputs, n_inputs))), outputs, n_outputs);
  });
}

inline Entry entry_of(const td_value& value) {
  if (value.kind == TD_VALUE_TENSOR && value.as.tensor) return Entry(Tensor::borrow(value.as.tensor));
  if (value.kind == TD_VALUE_DICT) return Entry(Dict::borrow(value.as.dict));
  if (value.kind == TD_VALUE_DATA) return Entry(DataList::borrow(value.as.data));
  return Entry();
}

inline std::vector<Entry> entries_of(const td_value* values, std::size_t n) {
  std::vector<Entry> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(entry_of(values[i]));
  return out;
}

inline std::vector<Output> outputs_of(Output one) {
  std::vector<Output> out;
  out.push_back(std::move(one));
  return out;
}
inline std::vector<Output> outputs_of(std::vector<Output> all) {
  return all;
}
inline std::vector<Output> outputs_of(std::vector<Tensor> all) {
  std::vector<Output> out;
  for (Tensor& one : all) out.emplace_back(std::move(one));
  return out;
}

// A value that owns what it points to. What a number is in Python, it is here: a tensor.
inline td_value give_value(Output& output) {
  struct Visitor {
    td_value operator()(Tensor& tensor) const { return td_value_tensor(tensor.release()); }
    td_value operator()(Dict& dict) const { return td_value_dict(dict.release()); }
    td_value operator()(const Data& data) const {
      if (const auto* b = std::get_if<bool>(&data.any())) return td_value_bool(*b);
      if (const auto* i = std::get_if<std::int64_t>(&data.any())) return td_value_int(*i);
      if (const auto* f = std::get_if<double>(&data.any())) return td_value_double(*f);
      if (data.is_none()) return td_value_none();
      return td_value_data(DataList(data).release());
    }
  };
  return std::visit(Visitor(), output);
}

template <class F>
td_status call_values(void* userdata, const td_value* args, std::size_t n_args, const td_named_value* kwargs,
                      std::size_t n_kwargs, td_value* outs, std::size_t capacity, std::size_t* n_outs,
                      td_error** err) noexcept {
  return guard(err, [&] {
    F& function = *static_cast<F*>(userdata);
    const std::vector<Entry> entries = entries_of(args, n_args);
    std::vector<Output> made;
    if constexpr (std::is_invocable_v<F&, const std::vector<Entry>&>) {
      if (n_kwargs) throw ArgumentError("the function takes no arguments by name");
      made = outputs_of(function(entries));
    } else {
      NamedEntries named;
      for (std::size_t i = 0; i < n_kwargs; ++i)
        named.emplace_back(std::string(view(kwargs[i].name)), entry_of(kwargs[i].value));
      made = outputs_of(function(entries, static_cast<const NamedEntries&>(named)));
    }
    if (made.size() > capacity) throw ArgumentError("the function gave more values than there is room for");
    std::size_t i = 0;
    try {
      for (; i < made.size(); ++i) outs[i] = give_value(made[i]);
    } catch (...) {
      while (i-- > 0) td_value_clear(&outs[i]);
      throw;
    }
    *n_outs = made.size();
  });
}

template <class F>
td_status call_dict(void* userdata, td_dict* data, td_dict** out, td_error** err) noexcept {
  return guard(err, [&] {
    F& function = *static_cast<F*>(userdata);
    Dict borrowed = Dict::borrow(data);
    if constexpr (std::is_void_v<decltype(function(borrowed))>) {
      function(borrowed);
      *out = borrowed.release();
    } else {
      Dict given = function(borrowed);
      *out = given.release();
    }
  });
}

// The function as the struct that tensordict.h takes, which owns it.
template <class Raw, class F, class Call>
Lent<Raw> callback(F&& function, Call call) {
  return {Raw{sizeof(Raw), call, keep(std::forward<F>(function)), destroy<std::decay_t<F>>}};
}

}  // namespace detail
}  // namespace tensordict

#endif
