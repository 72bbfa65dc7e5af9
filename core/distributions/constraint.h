// Constraints on parameters and values of distributions: torch.distributions.constraints.
#pragma once

#include <string>

#include <ATen/core/Tensor.h>

#include "plugins/tensordict_plugin.h"

namespace td {

// A constraint over events of `event_dims` trailing dims.
struct Constraint {
  td_constraint kind = TD_CONSTRAINT_NONE;
  size_t event_dims = 0;
  std::string own_text;  // of TD_CONSTRAINT_OWN

  bool real() const { return kind == TD_CONSTRAINT_REAL && event_dims == 0; }  // exactly Real(), as Python asks
  std::string text() const;                                                    // as its repr in Python
};

// bool, without the event dims: which events satisfy it. Never called for NONE and OWN.
at::Tensor satisfying(const Constraint& constraint, const at::Tensor& value);

// All of them. True for NONE, and where values cannot be read: inside vmap.
bool satisfied(const Constraint& constraint, const at::Tensor& value);

// A tensor whose values cannot be looked at, because it stands for many: inside vmap.
bool batched_by_vmap(const at::Tensor& t);

}  // namespace td
