// A descriptor that goes from process to process through a Unix socket.
#pragma once

#include "core/system/file.h"

namespace td::shm {

// Throws Error(argument) if `socket` is no Unix socket, Error(closed) if no process is at its other end, Error(timeout)
// if it would block and must not.
void send_descriptor(int socket, int fd);

// Waits up to `timeout_ms`, without limit if that is negative. Throws Error(timeout), Error(closed), or Error(corrupt)
// if what came is something else; descriptors in it are closed then.
storage::Fd receive_descriptor(int socket, int64_t timeout_ms);

}  // namespace td::shm
