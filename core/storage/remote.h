// Dicts that stay in a Redis or Valkey server, laid out as Python's TensorDictStore does it. Where libhiredis was not
// there when this was built, each of these throws Error(unsupported).
#pragma once

#include <string>
#include <vector>

#include "core/dict/node.h"

namespace td::storage {

bool has_redis();

struct RemoteOptions {
  bool write = false;
  int64_t timeout_ms = 10000;  // of every wait for the server
  Dims batch;                  // of a new one
};

// A dict whose entries stay on the server, or a lazy stack of such dicts; nothing is written by opening it. Throws
// Error(not_found).
NodePtr open_remote(const std::string& url, const RemoteOptions& options);

// One without entries, open to be written. Throws Error(exists).
NodePtr create_remote(const std::string& url, const RemoteOptions& options);

// The ids of the dicts under the prefix, sorted.
std::vector<std::string> list_remotes(const std::string& url, const RemoteOptions& options);

// All that the server has of it, in one step. Throws Error(not_found).
void remove_remote(const std::string& url, const RemoteOptions& options);

}  // namespace td::storage
