// Maps rows to dense indices by first occurrence: rows -> bytes -> hash -> (hash of the hashes) -> index.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <c10/util/intrusive_ptr.h>

#include "core/dict/node.h"
#include "core/query/hasher.h"
#include "core/query/index_map.h"

namespace td {

class Query final : public c10::intrusive_ptr_target {
 public:
  struct Options {
    Path index_key{"_index"}, hash_key{"_hash"};
    std::string hash_type = "td.siphash", hash_config;
  };

  Query(std::vector<Path> in_keys, Options options);

  // Writes the int64 index of every row of `data`, and its hash if asked to. All checks come before the map grows; on
  // failure neither the map nor `data` has changed.
  void forward(Node& data, bool extend, bool write_hash);

  size_t size() const { return map_.size(); }

 private:
  void hash_rows(const Node& data, at::Tensor& hashes) const;
  void check_writable(const Node& data, PathView path, int64_t n_rows) const;

  std::vector<Path> in_keys_;
  Options options_;
  std::deque<Hasher> hashers_;  // one for each key and, with several keys, one for the row of their hashes
  IndexMap map_;
};

}  // namespace td
