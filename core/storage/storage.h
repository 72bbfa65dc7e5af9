// Dicts on disk: one door for every format.
#pragma once

#include <string>
#include <string_view>

#include "core/dict/node.h"

namespace td::storage {

enum class Mode { read, copy_on_write };

struct SaveOptions {
  bool overwrite = false;
  bool sync = false;
};

NodePtr open(std::string_view path, Mode mode);
void save(const Node& node, std::string_view path, const SaveOptions& options);

}  // namespace td::storage
