// Transforms from a description in JSON.
#pragma once

#include <string_view>
#include <vector>

#include "core/dict/node.h"
#include "core/distributions/transform.h"

namespace td {

// The transforms that a JSON text describes:
// "exp" "sigmoid" "tanh" "softplus" "abs" "softmax" "stick_breaking" "lower_cholesky" "corr_cholesky"
// "positive_definite"
//   {"type": "cdf", "of": "td.normal", "params": {"loc": 0, "scale": "key"}, "config": {}}
//   {"type": "tanh", "clamp": true}                       kept away from -1 and 1, so that its inverse stays finite
//   {"type": "affine", "loc": 0.5, "scale": "key", "event_dim": 0}      numbers, or keys of tensors in `params`
//   {"type": "power", "exponent": 2}
//   {"type": "inverse", "of": T} {"type": "compose", "of": [T, ...]} {"type": "independent", "of": T, "ndims": 1}
//   {"type": "reshape", "in": [6], "out": [2, 3]}
//   {"type": "stack", "of": [T, ...], "dim": 0} {"type": "cat", "of": [T, ...], "dim": 0, "lengths": [1, 2]}
// or a list of them. `params` may be null. Throws Error(argument) that names what it does not know.
std::vector<TransformPtr> parse_transforms(std::string_view json, const Node* params);

}  // namespace td
