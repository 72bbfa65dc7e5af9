// Values of leaves on their way from the server: ranges of their strings, and what is made of these.
#pragma once

#include <string>
#include <vector>

#include "core/storage/redis/layout.h"
#include "core/storage/redis/moment.h"
#include "core/storage/redis/rows.h"

namespace td::storage::redis {

class Fetch {
 public:
  // Of a leaf that can be read; data is fetched whole. Throws Error(index).
  Fetch(const Leaf& leaf, const IndexList& part);
  // Of a leaf of a lazy stack, the bytes of a member or of all.
  Fetch(const Leaf& leaf, optional<size_t> member);

  void ask(Request& request, const std::string& key) const;
  size_t answers() const { return ranges_.size(); }
  int64_t bytes() const;                                          // of all answers
  Fetched take(std::vector<Reply>& replies, size_t first) const;  // throws Error(corrupt) for other sizes

 private:
  LeafType type_;
  bool data_;  // the answers are the text
  IndexList part_;
  Dims sizes_;
  std::vector<Rows::Run> runs_, ranges_;
  int64_t bytes_ = 0;
};

// A tensor of these bytes, which the server sent.
at::Tensor tensor_of(const LeafType& type, std::string bytes);

}  // namespace td::storage::redis
