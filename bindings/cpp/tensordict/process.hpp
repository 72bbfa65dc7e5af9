// The library itself: its version, what it can do, what of it is alive.
#ifndef TENSORDICT_PROCESS_HPP
#define TENSORDICT_PROCESS_HPP

#include "call.hpp"

namespace tensordict {

// Of the library that is loaded, "0.2.0".
inline std::string_view version() noexcept {
  return detail::view(td_version());
}

inline std::int32_t abi_version() noexcept {
  return td_abi_version();
}

// Throws VersionError if the library that is loaded is not one for this header; a program that loads it itself asks first.
inline void check_version() {
  if (abi_version() != TD_ABI_MAJOR)
    throw VersionError("libtensordict has ABI " + std::to_string(abi_version()) + ", and this program needs ABI " +
                       std::to_string(TD_ABI_MAJOR) + ": install libtensordict.so." + std::to_string(TD_ABI_MAJOR));
}

// How the library was built, as a JSON object.
inline std::string build_info() {
  return detail::text_of(td_build_info);
}

// "segment", "cuda", "uint16", "archive", "bzip2", "lzma", "hdf5", "group", "redis".
inline bool has_feature(std::string_view name) noexcept {
  return td_has_feature(detail::str(name));
}

// Handles of a kind that are alive now, and bytes of mapped files and segments: what a leak test compares.
inline std::int64_t live_objects(td_object_kind kind) noexcept {
  return td_live_objects(kind);
}
inline std::int64_t live_bytes() noexcept {
  return td_live_bytes();
}

// How far the library may leave LibTorch's operators for its own code: TD_FAST_NONE, TD_FAST_VIEWS, TD_FAST_ARENA.
inline void set_fast_level(td_fast_level level) {
  detail::call(td_set_fast_level, level);
}

inline td_fast_level fast_level() noexcept {
  return td_get_fast_level();
}

// Threads that LibTorch uses inside one operator, for the whole process.
inline void set_num_threads(std::int32_t n) {
  detail::call(td_set_num_threads, n);
}

inline std::int32_t num_threads() noexcept {
  return td_get_num_threads();
}

// Sets the function that receives LibTorch's warnings from calls of this library, with file and line; nullptr for none.
// One function for the whole process, called on the thread of the call; it may still run on others when it was replaced.
using WarningFunction = void (*)(std::string_view text, std::string_view where) noexcept;
inline void set_warning_callback(WarningFunction function) {
  td_warning_function told = TD_WARNING_FUNCTION_INIT;
  told.fn = [](void* userdata, td_str text, td_str where) {
    reinterpret_cast<WarningFunction>(userdata)(detail::view(text), detail::view(where));
  };
  told.userdata = reinterpret_cast<void*>(function);
  detail::call(td_set_warning_callback, function ? &told : nullptr);
}

// A forked child calls this first.
inline void after_fork() noexcept {
  td_after_fork();
}

}  // namespace tensordict

#endif
