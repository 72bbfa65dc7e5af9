// Indices: integers, slices, masks and tensors of positions.
//
//     td[0];  td[slice(2, 5)];  td[mask];
//     td.index({slice(0, to_end, 2), newdim, ellipsis});
#ifndef TENSORDICT_INDEX_HPP
#define TENSORDICT_INDEX_HPP

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "handle.hpp"

namespace tensordict {

class Tensor;

struct Slice {
  std::int64_t start, stop, step;
};
// A slice without stop.
inline constexpr std::int64_t to_end = TD_END;
// start:stop:step; negative numbers count from the end, and step is at least 1.
constexpr Slice slice(std::int64_t start, std::int64_t stop = to_end, std::int64_t step = 1) noexcept {
  return Slice{start, stop, step};
}

struct NewDim {};
struct Ellipsis {};
inline constexpr NewDim newdim{};      // a new dim of size 1
inline constexpr Ellipsis ellipsis{};  // as many full slices as are left

// One component. It borrows a tensor for the call, and must not go into a variable.
class Index {
 public:
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  Index(I i) noexcept : raw_{TD_INDEX_KIND_INT, 0, static_cast<std::int64_t>(i), 0, 0, nullptr, nullptr, 0} {}
  Index(Slice s) noexcept : raw_{TD_INDEX_KIND_SLICE, 0, s.start, s.stop, s.step, nullptr, nullptr, 0} {}
  Index(NewDim) noexcept : raw_{TD_INDEX_KIND_NONE, 0, 0, 0, 0, nullptr, nullptr, 0} {}
  Index(Ellipsis) noexcept : raw_{TD_INDEX_KIND_ELLIPSIS, 0, 0, 0, 0, nullptr, nullptr, 0} {}
  // Positions, or a mask over as many dims as it has.
  template <void (*Retain)(const td_tensor*), void (*Release)(const td_tensor*)>
  Index(const Handle<Tensor, td_tensor, Retain, Release>& tensor) noexcept
      : raw_{TD_INDEX_KIND_TENSOR, 0, 0, 0, 0, tensor.get(), nullptr, 0} {}
  // Positions, without a tensor.
  Index(const std::vector<std::int64_t>& positions) noexcept
      : raw_{TD_INDEX_KIND_INTS, 0, 0, 0, 0, nullptr, positions.data(), positions.size()} {}

  const td_index& raw() const noexcept { return raw_; }

 private:
  td_index raw_;
};

// All components.
class Indices {
 public:
  Indices(std::initializer_list<Index> indices) {
    for (const Index& i : indices) raws_.push_back(i.raw());
  }
  Indices(const std::vector<Index>& indices) {
    for (const Index& i : indices) raws_.push_back(i.raw());
  }
  const td_index* data() const noexcept { return raws_.data(); }
  std::size_t size() const noexcept { return raws_.size(); }

 private:
  std::vector<td_index> raws_;
};

}  // namespace tensordict

#endif
