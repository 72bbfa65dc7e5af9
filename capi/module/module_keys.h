// What the files of the modules with keys share.
#pragma once

#include "core/nn/sequential.h"
#include "tensordict.h"

namespace td::capi {

Sequential::Options sequential_options(const td_sequential_options* given, size_t n_members);

}  // namespace td::capi
