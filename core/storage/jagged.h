// Components of different sizes along one dim, as one tensor of them all and the places where each begins.
#pragma once

#include <cstddef>
#include <vector>

#include "core/dict/lazy/without_members.h"

namespace td::storage {

using Components = std::vector<at::Tensor>;  // of one dtype and number of dims

// The only dim in which they differ; if they are all the same, what `type` says, or the first that can be. The first
// `batch` dims cannot. Throws Error(unsupported).
int64_t ragged_dim(const Components& components, const ComponentType& type, size_t batch);

// Returns the sum of their sizes along that dim. Throws Error(shape) if they differ in another.
int64_t joint_size(const Components& components, int64_t dim);

// All of them as one tensor, where there are none one of that type.
at::Tensor joint(Components components, const ComponentType& type, int64_t dim);

// Returns where each begins in their concatenation, and the end.
at::Tensor offsets_of(const Components& components, int64_t dim);

// Views of `values`. Throws Error(corrupt) for offsets and lengths (empty: up to the next) that do not lie in them.
Components components_of(const at::Tensor& values, int64_t dim, const std::vector<int64_t>& offsets,
                         const std::vector<int64_t>& lengths);

}  // namespace td::storage
