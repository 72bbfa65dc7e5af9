// What the files of the distributions share.
#pragma once

#include "core/distributions/distribution.h"
#include "tensordict.h"

namespace td::capi {

Distribution::Stat dist_stat(td_dist_stat which);  // throws Error(argument)

}  // namespace td::capi
