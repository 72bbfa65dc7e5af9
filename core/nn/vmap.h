// Many members of an ensemble in one vectorised call. vmap.cpp is the only file that knows functorch.
#pragma once

#include "core/nn/module.h"
#include "core/torch_compat.h"

namespace td {

enum class Randomness { error, different, same };

struct VmapOptions {
  Randomness randomness = Randomness::error;
  optional<int64_t> data_dim;  // the batch dim of the data that is mapped; none: every member gets all of it
};

// Runs the module once for each state in `states` (batch size [N]). The result is a new dict of batch size [N, batch...]
// with all entries of `data` and all outputs. Throws Error(shape) if the sizes do not fit, Error(index) for the dim.
NodePtr vmap(const Module& module, const Node& states, const Node& data, const VmapOptions& options);

}  // namespace td
