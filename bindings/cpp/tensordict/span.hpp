// Arrays that are looked at, not owned: Span, which becomes a std::span where the compiler has it, and lists of numbers as
// arguments.
#ifndef TENSORDICT_SPAN_HPP
#define TENSORDICT_SPAN_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <type_traits>
#include <vector>
#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif

namespace tensordict {

template <class T>
class Span {
 public:
  using value_type = std::remove_cv_t<T>;

  constexpr Span() noexcept = default;
  constexpr Span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr Span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  // std::vector, std::array, std::string and their like.
  template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C&>().data()), T*>>>
  constexpr Span(C& container) noexcept : data_(container.data()), size_(container.size()) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }
  constexpr T& operator[](std::size_t i) const { return data_[i]; }
  constexpr T& at(std::size_t i) const {
    if (i >= size_) throw std::out_of_range("tensordict::Span::at");
    return data_[i];
  }
  constexpr T& front() const { return data_[0]; }
  constexpr T& back() const { return data_[size_ - 1]; }
  constexpr Span subspan(std::size_t offset, std::size_t count) const {
    if (offset > size_ || count > size_ - offset) throw std::out_of_range("tensordict::Span::subspan");
    return Span(data_ + offset, count);
  }

#if defined(__cpp_lib_span)
  constexpr operator std::span<T>() const noexcept {
    return std::span<T>(data_, size_);
  }
#endif

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Sizes, or names of nothing yet: what a tensor or a dict answers with.
using Shape = std::vector<std::int64_t>;

// Numbers as an argument: `{2, 3}`, a Shape, an array. It borrows them for the call, and must not go into a variable.
template <class T>
class List {
 public:
  constexpr List() noexcept = default;
  constexpr List(const T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  constexpr List(std::initializer_list<T> list) noexcept : List(list.begin(), list.size()) {}
  List(const std::vector<T>& list) noexcept : List(list.data(), list.size()) {}
  template <std::size_t N>
  constexpr List(const std::array<T, N>& list) noexcept : List(list.data(), N) {}
  constexpr List(Span<const T> list) noexcept : List(list.data(), list.size()) {}
  constexpr List(Span<T> list) noexcept : List(list.data(), list.size()) {}

  constexpr const T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr const T* begin() const noexcept { return data_; }
  constexpr const T* end() const noexcept { return data_ + size_; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

using Ints = List<std::int64_t>;

namespace detail {

// The sizes that a getter fills into an array and counts.
template <class F>
Shape sizes_of(F fill) {
  Shape out(fill(nullptr, 0));
  const std::size_t n = fill(out.data(), out.size());
  out.resize(n < out.size() ? n : out.size());
  return out;
}

// Handles as an argument, `{a, b}` or a std::vector of them, without taking them away from their owner.
template <class H>
class Borrowed {
 public:
  Borrowed() = default;
  struct One {
    One(const H& handle) noexcept : raw(handle.get()) {}
    typename H::Raw* raw;
  };
  Borrowed(std::initializer_list<One> list) {
    for (const One& handle : list) raws_.push_back(handle.raw);
  }
  Borrowed(const std::vector<H>& list) : Borrowed(Span<const H>(list)) {}
  template <std::size_t N>
  Borrowed(const std::array<H, N>& list) : Borrowed(Span<const H>(list)) {}
  Borrowed(Span<const H> list) {
    for (const H& handle : list) raws_.push_back(handle.get());
  }
  typename H::Raw* const* data() const noexcept { return raws_.data(); }
  std::size_t size() const noexcept { return raws_.size(); }

 private:
  std::vector<typename H::Raw*> raws_;
};

}  // namespace detail
}  // namespace tensordict

#endif
