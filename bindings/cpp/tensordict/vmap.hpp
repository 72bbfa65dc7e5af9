// Functions of one member, called once for all of them.
//
//     std::vector<Output> y = vmap([](const std::vector<Entry>& x) { return outputs(x[0].tensor() * 2); }, {batch}, 1);
#ifndef TENSORDICT_VMAP_HPP
#define TENSORDICT_VMAP_HPP

#include "module.hpp"

namespace tensordict {

struct VmapFunctionOptions {
  Randomness randomness = Randomness::error;
  std::vector<std::int32_t> in_dims = {};   // for each argument the dim of the members, or vmap_shared; none: 0 for all
  std::vector<std::int64_t> out_dims = {};  // for each result; none: 0 for all
  std::int64_t chunk_size = 0;              // so many members at once; 0: all
};

namespace detail {

template <class F>
td_status vmap_member(void* userdata, const td_value* args, std::size_t n_args, td_value* outs, std::size_t n_outs,
                      td_error** err) noexcept {
  return guard(err, [&] {
    const std::vector<Entry> entries = entries_of(args, n_args);
    std::vector<Output> made = outputs_of((*static_cast<F*>(userdata))(entries));
    if (made.size() != n_outs) throw ArgumentError("the function gave another number of results than expected");
    for (const Output& one : made)
      if (std::holds_alternative<Data>(one))
        throw ArgumentError("a function to be mapped gives tensors and dicts only");
    for (std::size_t i = 0; i < n_outs; ++i) outs[i] = give_value(made[i]);
  });
}

}  // namespace detail

// `function(const std::vector<Entry>&)` gets each argument without the dim of the members, and gives `n` outputs.
template <class F>
std::vector<Output> vmap(F function, std::initializer_list<Value> arguments, std::size_t n,
                         const VmapFunctionOptions& options = {}) {
  Arguments all;
  for (const Value& value : arguments) all.add(value);
  if (!options.in_dims.empty() && options.in_dims.size() != all.size())
    throw ArgumentError("there is not one in_dim for each argument");
  if (!options.out_dims.empty() && options.out_dims.size() != n)
    throw ArgumentError("there is not one out_dim for each result");
  td_vmap_function_options raw = TD_VMAP_FUNCTION_OPTIONS_INIT;
  raw.randomness = static_cast<td_randomness>(options.randomness);
  raw.in_dims = options.in_dims.empty() ? nullptr : options.in_dims.data();
  raw.out_dims = options.out_dims.empty() ? nullptr : options.out_dims.data();
  raw.chunk_size = options.chunk_size;
  detail::Outputs outs(n);
  detail::call(td_vmap, detail::vmap_member<F>, static_cast<void*>(&function), all.data(), all.size(), &raw,
               outs.data(), n);
  std::vector<Output> given;
  for (Result& result : detail::results_of(outs, n)) {
    if (result.kind() == TD_VALUE_DICT)
      given.emplace_back(result.dict());
    else
      given.emplace_back(result.tensor());
  }
  return given;
}

}  // namespace tensordict

#endif
