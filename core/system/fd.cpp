#include "core/system/fd.h"

#include <unistd.h>

namespace td::storage {

Fd::~Fd() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace td::storage
