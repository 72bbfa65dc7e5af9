// What c10d and Gloo throw says what happened in its text only.
#pragma once

#include <string>

#include "core/error.h"

namespace td::group {

enum class Failure { timeout, pair_closed, peer_closed, other_version, address_taken, unknown };

Failure failure_of(const std::string& text);

// "in 20 ms", or before the timeout if that is 0, which is not known then.
std::string in_time(int64_t timeout_ms);

// The current exception, inside a catch block: while the store was made or asked, or of a transfer with `peer`.
Error store_failure(const std::string& store, int64_t timeout_ms);
Error transfer_failure(int32_t peer, int64_t timeout_ms);

}  // namespace td::group
