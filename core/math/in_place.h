// The operands of an operator that writes a dict: each is brought to the structure of that dict, member by member where
// it has a lazy stack.
#pragma once

#include <vector>

#include "core/math/dict_arg.h"

namespace td {

class InPlace {
 public:
  // `operands` are dicts, the target among them, tensors and numbers; `batch` is the target's batch size, to which they
  // broadcast. `fill` stands for missing leaves with Missing::fill. Throws Error(key), Error(shape).
  InPlace(const Node& target, const std::vector<DictArg*>& operands, at::IntArrayRef batch, Missing missing,
          const at::Tensor& fill);

 private:
  Nodes held_;  // what the operands stand on now
};

}  // namespace td
