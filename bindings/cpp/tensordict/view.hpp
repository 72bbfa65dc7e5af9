// The elements of a tensor where they lie.
//
//     View<float> v = x.mutable_view<float>();
//     v(0, 3) = 1;
//     std::sort(v.begin(), v.end());            // row-major tensors only: v.span() says so
#ifndef TENSORDICT_VIEW_HPP
#define TENSORDICT_VIEW_HPP

#include <memory>
#include <utility>

#include "error.hpp"
#include "span.hpp"

namespace tensordict {

// Keeps the memory alive, and never moves it. Others may write the same memory: a view is as safe as a pointer to it.
template <class T>
class View {
 public:
  View(T* data, Shape shape, Shape strides, std::shared_ptr<const void> owner)
      : data_(data), shape_(std::move(shape)), strides_(std::move(strides)), owner_(std::move(owner)) {}

  T* data() const noexcept { return data_; }
  const Shape& shape() const noexcept { return shape_; }
  const Shape& strides() const noexcept { return strides_; }
  std::size_t ndim() const noexcept { return shape_.size(); }
  std::size_t size() const noexcept {
    std::size_t n = 1;
    for (std::int64_t s : shape_) n *= static_cast<std::size_t>(s);
    return n;
  }

  // One element; IndexError unless there is one index for each dim, in range.
  template <class... I>
  T& operator()(I... indices) const {
    const std::array<std::int64_t, sizeof...(I)> at{static_cast<std::int64_t>(indices)...};
    if (at.size() != shape_.size()) throw IndexError("a view takes one index for each of its dims");
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i] < 0 || at[i] >= shape_[i])
        throw IndexError("index " + std::to_string(at[i]) + " is out of range for dim " + std::to_string(i) +
                         " of size " + std::to_string(shape_[i]));
      offset += at[i] * strides_[i];
    }
    return data_[offset];
  }

  bool is_contiguous() const noexcept {
    std::int64_t wanted = 1;
    for (std::size_t i = shape_.size(); i-- > 0; wanted *= shape_[i]) {
      if (shape_[i] == 0) return true;
      if (shape_[i] != 1 && strides_[i] != wanted) return false;
    }
    return true;
  }
  // All elements in a row; ArgumentError for other strides: take Tensor::contiguous first.
  Span<T> span() const {
    if (!is_contiguous()) throw ArgumentError("the elements do not lie in a row: take contiguous() first");
    return Span<T>(data_, size());
  }
  T* begin() const { return span().begin(); }
  T* end() const { return span().end(); }
  T& operator[](std::size_t i) const { return span().at(i); }

 private:
  T* data_;
  Shape shape_, strides_;
  std::shared_ptr<const void> owner_;
};

}  // namespace tensordict

#endif
