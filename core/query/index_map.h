// Dense indices for 64-bit hashes: the first occurrence of a hash gets the next free index. Every value is legal as a
// hash, 0 and -1 too.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace td {

class IndexMap {
 public:
  size_t size() const { return hashes_.size(); }

  // The index of each hash; size() for those not seen before.
  void look_up(const int64_t* hashes, size_t n, int64_t* indices) const;

  // The same, but hashes not seen before get new indices in their order. Nothing has changed if it throws.
  void extend(const int64_t* hashes, size_t n, int64_t* indices);

  // Forgets the hashes that came after the first `size`.
  void shrink(size_t size) noexcept;

 private:
  boost::unordered_flat_map<int64_t, int64_t> indices_;
  std::vector<int64_t> hashes_;  // in the order of their indices
};

}  // namespace td
