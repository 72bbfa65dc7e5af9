// What a dict holds as tagged values, and back.
#pragma once

#include <vector>

#include "capi/convert.h"
#include "core/nn/module.h"
#include "core/nn/vmap.h"

namespace td::capi {

Entry entry_of(const td_value& v);  // borrows; NONE is an empty entry
// Takes over all that a callback has given, then throws for one that is not the kind of an entry.
std::vector<Entry> adopt_values(std::vector<td_value>& values);
td_value borrowed_value(const Entry& e);  // for a callback, as long as the entry lives
td_value owned_value(const Entry& e);     // for the caller
Randomness randomness(td_randomness r);
Inputs inputs_of(const td_value* args, size_t n_args, const td_named_value* kwargs, size_t n_kwargs);

}  // namespace td::capi
