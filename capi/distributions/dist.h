// What the files of the distributions share.
#pragma once

#include "core/distributions/distribution.h"
#include "core/distributions/interaction.h"
#include "tensordict.h"

namespace td::capi {

Interaction interaction(td_interaction type);      // throws Error(argument)
Distribution::Stat dist_stat(td_dist_stat which);  // throws Error(argument)

}  // namespace td::capi
