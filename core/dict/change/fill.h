// One number written into many tensors.
#pragma once

#include "core/dict/node.h"

namespace td {

// One value everywhere in the tensor under `path`, or in all tensors below it; an empty path is the whole dict.
void fill(Node& node, PathView path, const c10::Scalar& value);

}  // namespace td
