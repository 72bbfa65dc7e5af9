// The batch size that the entries of a dict allow.
#pragma once

#include "core/dict/node.h"

namespace td {

// Sets the longest batch size that the entries have in common, at most `limit` dims (-1: any number), here and for each
// node below.
void auto_batch_size(Node& node, int64_t limit);

}  // namespace td
