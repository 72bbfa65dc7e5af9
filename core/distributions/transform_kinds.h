// The makers of the kinds of transform, for parse_transforms.
#pragma once

#include "core/distributions/distribution.h"
#include "core/distributions/transform.h"

namespace td {

TransformPtr elementwise_transform(std::string_view name);  // null for an unknown name
TransformPtr clamped_tanh();
TransformPtr affine(at::Tensor loc, at::Tensor scale, size_t event_dims);
TransformPtr power(at::Tensor exponent);
TransformPtr coupled_transform(std::string_view name);  // softmax, stick_breaking, lower_cholesky; null if it is none
TransformPtr matrix_transform(std::string_view name);   // corr_cholesky, positive_definite; null if it is none
TransformPtr cumulative_transform(DistributionPtr of);
TransformPtr independent_transform(TransformPtr of, size_t ndims);
TransformPtr reshape_transform(std::vector<int64_t> in, std::vector<int64_t> out);
TransformPtr stacked_transform(std::vector<TransformPtr> of, int64_t dim);
TransformPtr concatenated_transform(std::vector<TransformPtr> of, int64_t dim, std::vector<int64_t> lengths);

}  // namespace td
