// Tagged values across the border.
#pragma once

#include <vector>

#include "capi/convert.h"
#include "core/math/apply.h"
#include "core/tensor/op.h"

namespace td::capi {

Arg argument(const td_value& v);  // DICT is an error here
DictArg dict_argument(const td_value& v);
c10::SmallVector<Arg, 6> arguments(const td_value* values, size_t n);
std::vector<NamedArg> named_arguments(const td_named_value* values, size_t n);

// A number of any kind, exact. Throws Error(argument) for NULL and for values that are no numbers.
c10::Scalar number(const td_value* v, const char* what);
td_value scalar_value(const c10::Scalar& s, bool is_unsigned);  // a number
std::string kind_name(td_value_kind kind);                      // "INT"

// Gives an operator's results to the caller: all or none.
void own_results(const Op::Results& results, td_value* outs, size_t n_outs);

}  // namespace td::capi
