// Tensors that move into memory which a process shares with its forks.
#pragma once

#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/dict/key.h"

namespace td::shm {

// Whole storages move, so that the tensors stay what they are and all their views go along. What is shared already
// stays where it is, and what a GPU has. Nothing has moved when it throws: Error(unsupported) naming a tensor that is
// sparse or on another device, Error(nospace).
void share(const std::vector<std::pair<Path, at::Tensor>>& tensors);

}  // namespace td::shm
