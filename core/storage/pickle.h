// The one thing that Python pickles and this library can say itself: bytes. Nothing else in a pickle is looked at, and
// none is run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/dict/data/data.h"
#include "core/torch_compat.h"

namespace td::storage {

// Of {"data": bytes}, as NonTensorData has it; nothing if the pickle holds something else.
std::string pickle_bytes(std::string_view bytes);
optional<std::string> unpickle_bytes(std::string_view pickle);

// Of lists of bytes, nested as `batch` says, row-major.
std::string pickle_bytes(const std::vector<const Value*>& values, at::IntArrayRef batch);
optional<std::vector<Value>> unpickle_bytes(std::string_view pickle, at::IntArrayRef batch);

}  // namespace td::storage
