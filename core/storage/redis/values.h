// Non-tensor data as Python's TensorDictStore keeps it: as JSON, one value or one for each row, or pickled. Pickles are
// never run.
#pragma once

#include <string>

#include "core/dict/data/data.h"
#include "core/dict/key.h"
#include "core/torch_compat.h"

namespace td::storage::redis {

struct Encoded {
  const char* encoding;
  std::string text;
};

// Throws Error(unsupported) for what the format cannot hold.
Encoded encode(const Data& data, PathView path);

// Throws Error(corrupt).
DataPtr decode(const std::string& encoding, const std::string& text, at::IntArrayRef batch);

}  // namespace td::storage::redis
