// What c10d and Gloo throw says what happened in its text only.
#pragma once

#include "core/error.h"

namespace td::group {

enum class Failure { timeout, pair_closed, peer_closed, other_version, address_taken, unknown };

Failure failure_of(const std::string& text);

// The current exception, inside a catch block: while the store was made or asked, or of a transfer with `peer`.
Error store_failure(const std::string& store, int64_t timeout_ms);
Error transfer_failure(int32_t peer, int64_t timeout_ms);

}  // namespace td::group
