// What all objects of the library have in common here: one owner, who gives the reference back at the end.
#ifndef TENSORDICT_HANDLE_HPP
#define TENSORDICT_HANDLE_HPP

#include "call.hpp"

namespace tensordict {

// Owns one reference. Handles move and do not copy: `share` makes a second handle to the same object, and says so. One that
// was moved from holds nothing: it may be destroyed and assigned to, and calls of it fail with ArgumentError.
//
// D is the class that derives from it. Functions of a `const D` may run at the same time as each other.
template <class D, class T, void (*Retain)(const T*), void (*Release)(const T*)>
class Handle {
 public:
  using Raw = T;

  // Takes over a reference that tensordict.h has handed out.
  static D adopt(T* raw) { return D(Adopted{raw}); }
  // Adds a reference of its own to one that is borrowed.
  static D borrow(const T* raw) {
    Retain(raw);
    return adopt(const_cast<T*>(raw));
  }

  Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }

  // Another handle to the same object.
  D share() const { return borrow(raw_); }

  // For functions of tensordict.h; the handle keeps its reference.
  T* get() const noexcept { return raw_; }
  // Gives the reference away.
  T* release() noexcept { return std::exchange(raw_, nullptr); }

  // Whether it holds something. It does not convert to bool: `if (x > 0)` of tensors would always be true.
  bool defined() const noexcept { return raw_ != nullptr; }
  // Whether both are the same object.
  bool is(const Handle& other) const noexcept { return raw_ == other.raw_; }

 protected:
  // Made of a T* only, so that braces around a number or nothing are no handle.
  struct Adopted {
    template <class P, class = std::enable_if_t<std::is_same_v<P, T*>>>
    explicit Adopted(P owned) noexcept : raw(owned) {}
    T* raw;
  };
  explicit Handle(Adopted adopted) noexcept : raw_(adopted.raw) {}
  ~Handle() { Release(raw_); }

 private:
  T* raw_;
};

}  // namespace tensordict

#endif
