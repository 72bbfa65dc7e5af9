// Another value in the place of non-tensor data.
#pragma once

#include "core/dict/node.h"

namespace td {

// One value for the whole batch; the dict may be locked. Throws Error(key) unless there is data under `path`.
void write_data(Node& node, PathView path, const Value& value);

}  // namespace td
