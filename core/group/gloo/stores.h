// The store in which the ranks meet: LibTorch's, over TCP or in a file.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "core/group/place.h"

namespace td::group {

using StorePtr = c10::intrusive_ptr<c10d::Store>;

// Throws Error(unsupported) for a server that this LibTorch would let listen everywhere, unless the options allow it,
// and Error(version) if the server is that of another LibTorch.
StorePtr open_store(const Place& place, const Options& options);

// Of a group that this process did not come into: its end must not take the file away from those that are in it.
void leave_to_others(StorePtr store);

}  // namespace td::group
