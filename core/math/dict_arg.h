// The arguments of an operator over the leaves of dicts.
#pragma once

#include <string_view>

#include "core/dict/node.h"
#include "core/tensor/op.h"

namespace td {

// An argument that may stand for a leaf of a dict.
struct DictArg {
  Arg value;
  const Node* dict = nullptr;  // when set, `value` is ignored
};

struct NamedDictArg {
  std::string_view name;
  DictArg arg;
};

// Says how leaves are handled that not every dict has.
enum class Missing { error, skip, fill };

}  // namespace td
