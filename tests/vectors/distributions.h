// Distributions as the vectors describe them: {"dist": "Independent(Normal,1)", "loc": ...}.
#pragma once

#include "vectors.h"

namespace vectors {

// "LKJCholesky" is td.lkj_cholesky; tensordict's own types have names that torch.distributions uses for others.
std::string type_of(const std::string &name);

// Of its parameters by name; those that the type does not take as tensors go into its config. With `may_refuse` the
// error is left in `err` and the result is null.
Own<td_dist> distribution(const std::string &name, const Object &params, td_dtype dtype, Err &err,
                          bool may_refuse = false);
Own<td_dist> distribution(const std::string &name, const Object &params, td_dtype dtype);

Own<td_dict> params_of(const Object &params, td_dtype dtype);

}  // namespace vectors
