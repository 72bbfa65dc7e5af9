// Plain data across the border: strings, keys, shapes, options.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <c10/util/SmallVector.h>

#include "capi/guard.h"
#include "capi/handles.h"
#include "core/dict/key.h"
#include "core/dict/node.h"
#include "core/dict/walk.h"
#include "core/tensor/device_name.h"

namespace td::capi {

// The bytes of a td_str; throws Error(argument) for NULL data with a size. NULL data with size 0 or TD_STRLEN is empty.
std::string_view text(td_str s, const char* what);
inline bool given(td_str s) {
  return s.data != nullptr;
}
inline td_str view(std::string_view s) {
  return {s.data(), s.size()};
}

td_string* own_string(std::string s);
Ptr<td_keys> keys_of(std::vector<Path> paths);
td_keys* own_keys(std::vector<Path> paths);

// A td_key as a borrowed path, hashed on the stack unless it was prepared.
class KeyArg {
 public:
  explicit KeyArg(const td_key* key);
  operator PathView() const {  // NOLINT
    return prepared_ ? prepared_->view() : PathView(parts_.data(), parts_.size());
  }
  bool is_prepared() const { return prepared_ != nullptr; }
  Path path() const { return prepared_ ? Path(prepared_->keys()) : Path(PathView(*this)); }

 private:
  const Path* prepared_ = nullptr;
  c10::SmallVector<KeyView, 4> parts_;
};

KeyChoice key_choice(uint64_t flags);  // TD_KEYS_...; throws Error(argument) for others

std::vector<Path> paths(const td_key* keys, size_t n, const char* what);

at::IntArrayRef dims(const int64_t* data, size_t ndim);

// Fills a caller's buffer and returns the number of entries there are.
size_t fill(at::IntArrayRef from, int64_t* out, size_t capacity);

// The caller's owner of foreign memory: released exactly once, also when nothing is made of it.
std::shared_ptr<const void> owner_of(td_release_fn fn, void* owner);

template <class T>
T& out(T* pointer, const char* what = "the output pointer") {
  if (!pointer) throw_null(what);
  return *pointer;
}

// Hands an object to the caller. C++ evaluates the right side of `out(x) = own(...)` first: with a NULL pointer the
// reference would be lost.
template <class H>
void give(H** pointer, Ptr<H> object) {
  H*& slot = out(pointer);
  slot = own<H>(std::move(object));
}
inline void give(td_tensor** pointer, at::Tensor t) {
  td_tensor*& slot = out(pointer);
  slot = own(std::move(t));
}

// "cpu"; NULL data without a device.
inline td_str device_text(const optional<at::Device>& device) noexcept {
  return device ? view(device_name(*device)) : td_str{nullptr, 0};
}

inline void give(td_string** pointer, std::string s) {
  td_string*& slot = out(pointer);
  slot = own_string(std::move(s));
}
// NULL for text that is absent.
inline void give_text(td_string** pointer, std::string s) {
  td_string*& slot = out(pointer);
  slot = s.empty() ? nullptr : own_string(std::move(s));
}

// An array that lives as long as what holds it.
template <class T, class V>
void give_view(const std::vector<T>& all, const V** out_view, size_t* out_size) {
  static_assert(sizeof(T) == sizeof(V), "an element is a handle");
  const V*& view = out(out_view);
  out(out_size) = all.size();
  view = reinterpret_cast<const V*>(all.data());
}

// A place in a list of `n`, where -1 is the last; `what` names an element.
size_t position(int64_t index, size_t n, const char* what);
// The same without throwing: n for an index that is not of the list.
size_t place(int64_t index, size_t n) noexcept;

[[noreturn]] void throw_options(size_t struct_size);
[[noreturn]] void throw_reserved();

// Refuses sizes that no compiler gives such a struct: one that ends inside a member would hand over half a pointer.
template <class S>
void check_struct_size(size_t size) {
  if (size < sizeof(size_t) || size > 65536 || size % alignof(S) != 0) throw_options(size);
}

// Chosen for the structs that have reserved bytes.
template <class O>
auto check_reserved(const O& given, int) -> decltype(std::begin(given.reserved), void()) {
  for (uint8_t byte : given.reserved)
    if (byte != 0) throw_reserved();
}
template <class O>
void check_reserved(const O&, long) {}

// The caller's options, whatever the version of the header they were built with: what a shorter struct lacks is zero,
// which means the default; a longer one is accepted if what we do not know is zero, and so must be what is reserved.
template <class O>
O options(const O* given) {
  O read{};
  if (given) {
    size_t size = given->struct_size;
    check_struct_size<O>(size);
    const char* tail = reinterpret_cast<const char*>(given);
    for (size_t i = sizeof(O); i < size; ++i)
      if (tail[i] != 0) throw_options(size);
    std::memcpy(static_cast<void*>(&read), given, size < sizeof(O) ? size : sizeof(O));
    check_reserved(read, 0);
  }
  read.struct_size = sizeof(O);
  return read;
}

// In options 0 means the default.
template <class T>
T or_default(T given, T otherwise) {
  return given == T{} ? otherwise : given;
}

// The other way round, for structs that we fill: as much as the caller's has room for, and zeros in what we do not
// know.
template <class S>
void report(S* result, const S& facts) {
  S& to = out(result);
  size_t size = to.struct_size;
  check_struct_size<S>(size);
  std::memset(static_cast<void*>(&to), 0, size);
  std::memcpy(static_cast<void*>(&to), &facts, size < sizeof(S) ? size : sizeof(S));
  to.struct_size = size;
}

}  // namespace td::capi
