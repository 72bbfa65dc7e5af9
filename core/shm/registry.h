// One hidden file for each user, empty, in which every process that owns segments holds the lock of a byte of its own:
// so the owners' lives are known without a descriptor for each segment, and across containers that share /dev/shm.
// Whoever removes names does it under the lock of byte 0.
#pragma once

#include <cstdint>
#include <functional>

#include "core/system/platform.h"

namespace td::shm {

// The byte that this process holds, from now on until it ends; the child of a fork gets one of its own.
uint64_t owner_byte();

// True if any process holds the byte, if the process runs, or if neither can be determined.
bool owner_alive(uint64_t byte, const Process& process);

// Removes the name if it still stands for that file and `may` agrees; false if not.
bool unlink_safely(const std::string& path, const Identity& file, const std::function<bool()>& may = nullptr);

}  // namespace td::shm
