// A store of LibTorch 2 leaves a question of LibTorch 1.13 without an answer, and 1.13 waits for one without a limit.
#pragma once

#include "core/group/place.h"

namespace td::group {

// Waits for a server, and throws Error(version) if it does not answer as one of LibTorch 1.13.
void check_old_server(const Place& place, int64_t timeout_ms);

}  // namespace td::group
