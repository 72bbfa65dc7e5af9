#include "core/storage/memmap/meta.h"

namespace td::storage {

std::string bare_class(std::string_view python_class) {
  return std::string(python_class.substr(python_class.rfind('.') + 1));
}

std::string public_class(std::string_view python_class) {
  return "tensordict:" + bare_class(python_class);
}

}  // namespace td::storage
