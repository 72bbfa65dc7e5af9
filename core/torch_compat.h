// Every difference between the LibTorch versions that this tree builds with (1.13 to 2.14) is here.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>
#include <c10/util/Exception.h>
#include <c10/util/Optional.h>

#if __has_include(<torch/headeronly/version.h>)
#include <torch/headeronly/version.h>
#else
#include <torch/version.h>
#endif

#define TD_TORCH (TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR)

// uint16, uint32 and uint64 tensors came with 2.3.
#define TD_TORCH_HAS_WIDE_UINT (TD_TORCH >= 203)
// The server of a TCPStore takes a socket that is bound already, and can do without libuv, since 2.4.
#define TD_TORCH_STORE_TAKES_SOCKET (TD_TORCH >= 204)
// Ranks of one number can talk with each other; those of 1.13 and of 2.x cannot.
#define TD_TORCH_GROUP_WIRE (TD_TORCH >= 200 ? 2 : 1)
// The last user of a FileStore removes the file; before 2.0 whoever ends as the n-th does.
#define TD_TORCH_STORE_COUNTS_USERS (TD_TORCH >= 200)
// What carries the bytes of a group of c10d; since 2.0 a group has one for each kind of device.
#if TD_TORCH >= 200
#define TD_TORCH_GROUP_ENGINE Backend
#else
#define TD_TORCH_GROUP_ENGINE ProcessGroup
#endif
// LibTorch finds the groups that Python has made by their names, since 2.2.
#define TD_TORCH_KNOWS_GROUPS (TD_TORCH >= 202)

namespace td {

// c10::optional became std::optional in 2.x; the schemas' types follow it.
template <class T>
using optional = c10::optional<T>;
using c10::nullopt;

// storage().mutable_data() is absent on 1.13.
inline void* storage_data(const c10::Storage& storage) {
  return storage.data_ptr().get();
}

// The store of a group of c10d, where LibTorch tells it; null before 2.6.
template <class Group>
auto store_of(const Group& group, int) -> decltype(group.getStore()) {
  return group.getStore();
}
template <class Group>
std::nullptr_t store_of(const Group&, long) {
  return nullptr;
}

// The handler of warnings, and who is asked for it, have other names since 2.0.
#if TD_TORCH >= 200
namespace torch_warnings = c10::WarningUtils;
template <void (*Tell)(const c10::SourceLocation&, const std::string&)>
class WarningHandlerOf final : public c10::WarningHandler {
  void process(const c10::Warning& warning) override { Tell(warning.source_location(), warning.msg()); }
};
#else
namespace torch_warnings = c10::Warning;
template <void (*Tell)(const c10::SourceLocation&, const std::string&)>
class WarningHandlerOf final : public c10::WarningHandler {
  void process(const c10::SourceLocation& at, const std::string& text, const bool) override { Tell(at, text); }
};
#endif

}  // namespace td
