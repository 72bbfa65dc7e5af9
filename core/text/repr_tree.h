// The parsed text of a repr, before a dict is made of it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/dict/node.h"

namespace td {

struct ReprLeaf {
  std::string type;           // "Tensor"; empty in the compact form
  optional<Dims> shape;       // -1: ragged, in a lazy stack
  std::string device, dtype;  // "float32"; empty where the text does not say
  optional<bool> requires_grad;
  bool shared = false;
};

struct ReprData {
  std::string text;  // what Python's str gave, or of a stack its lists; of the compact form the name of its type
  optional<Dims> batch;
  std::string device;
  bool stacked = false, named_only = false, metadata = false;
};

struct ReprNode;
struct ReprField {
  std::string key;
  size_t at;  // where the value stands in the text
  std::variant<ReprLeaf, ReprData, std::unique_ptr<ReprNode>> value;
};

struct ReprNode {
  std::string type;  // "TensorDict"
  size_t at = 0;
  std::vector<ReprField> fields;
  std::vector<std::pair<int64_t, std::vector<ReprField>>> exclusive;  // of a lazy stack, by the place of the member
  optional<Dims> batch;
  optional<std::string> device;  // empty: none
  optional<int64_t> stack_dim;
  bool shared = false, params = false;  // params: within TensorDictParams(params=...)
};

// "line 3, column 9", counting from 1.
std::string position_text(std::string_view text, size_t at);

}  // namespace td
