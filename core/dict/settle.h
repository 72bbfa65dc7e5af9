// Finishes a rebuild whose leaves came from elsewhere: a callback, a broadcast, a reduction.
#pragma once

#include "core/dict/copy.h"
#include "core/dict/node.h"

namespace td {

// Says whether nodes that are empty once leaves were dropped stay in the result.
enum class Emptied { drop, drop_all, keep };  // `drop` leaves those alone that were empty before

// Undefined leaves are dropped and the others moved to their node's device. Throws Error(shape) naming the leaf that
// lacks the batch dims of its node.
void settle(Node& made, Emptied emptied);

// The same tree around other leaves, every node with the batch size `batch` and without names. Throws Error(shape) for
// non-tensor entries with different values.
NodePtr rebuild_flat(const Node& node, const Leaves& leaves, at::IntArrayRef batch);

// A non-tensor entry for another batch; throws Error(shape) if it has different values. `path` is named in the error.
DataPtr for_batch(const Data& data, at::IntArrayRef batch, PathView path);

// True if several elements are one place in memory, as expand leaves them: LibTorch refuses to write there.
bool overlaps(const at::Tensor& t);

}  // namespace td
