// Indices across the border.
#pragma once

#include <vector>

#include "capi/convert.h"
#include "core/dict/shape/indices.h"

namespace td::capi {

IndexList indices(const td_index* given, size_t n);

}  // namespace td::capi
