// What a dict holds as tagged values, and back.
#pragma once

#include <vector>

#include "capi/convert.h"
#include "core/nn/module.h"
#include "core/nn/vmap.h"

namespace td::capi {

Entry entry_of(const td_value& v);  // borrows; NONE is an empty entry

// The outputs that a callback fills. Room is made before the call, so that all it returns is taken over.
class FilledValues {
 public:
  explicit FilledValues(size_t n) : values_(n, td_value_none()), entries_(n) {}
  td_value* data() { return values_.data(); }
  size_t size() const { return values_.size(); }

  // After a call that succeeded; throws for a value that is not the kind of an entry.
  std::vector<Entry> take();

 private:
  std::vector<td_value> values_;
  std::vector<Entry> entries_;
};

td_value borrowed_value(const Entry& e);  // for a callback, as long as the entry lives
td_value owned_value(const Entry& e);     // for the caller
Randomness randomness(td_randomness r);
Inputs inputs_of(const td_value* args, size_t n_args, const td_named_value* kwargs, size_t n_kwargs);

}  // namespace td::capi
