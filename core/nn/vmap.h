// A function or a module over many members at once, in one vectorised call.
#pragma once

#include "core/nn/module.h"
#include "core/nn/randomness.h"
#include "core/torch_compat.h"

namespace td {

struct VmapOptions {
  Randomness randomness = Randomness::error;
  optional<int64_t> data_dim{};  // the batch dim of the data that is mapped; none: every member gets all of it
};

// Runs the module once for each state in `states` (batch size [N]). The result is a new dict of batch size [N,
// batch...] with all entries of `data` and all outputs. Throws Error(shape) if the sizes do not fit, Error(index) for
// the dim.
NodePtr vmap(const Module& module, const Node& states, const Node& data, const VmapOptions& options);

// The same where the tensors of the state have the members along dim 0.
NodePtr vmap_state(const Module& module, const Layout& layout, TensorsView stacked, int64_t members, const Node& data,
                   const VmapOptions& options);

struct VmapFunctionOptions {
  Randomness randomness = Randomness::error;
  std::vector<optional<int64_t>> in_dims;  // one for each argument; none: every member gets all of it
  std::vector<int64_t> out_dims;           // one for each result
  int64_t chunk_size = 0;                  // as many members at once; 0: all
};

// Runs `function` over members along a batch dim of each dict, and a dim of each tensor, which it does not see. Results
// have the members along `out_dims`. Throws Error(shape) for sizes that differ, Error(index), Error(argument) if
// nothing is mapped.
using Mapped = c10::function_ref<std::vector<Entry>(const std::vector<Entry>&)>;
std::vector<Entry> vmap(Mapped function, const std::vector<Entry>& arguments, const VmapFunctionOptions& options);

}  // namespace td
