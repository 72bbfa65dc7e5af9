#include "core/group/gloo/stores.h"

#include <cerrno>
#include <mutex>
#include <string>
#include <vector>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "core/error.h"
#include "core/group/gloo/failure.h"
#include "core/group/gloo/old_protocol.h"
#include "core/system/fd.h"

namespace td::group {

namespace {

#if TD_TORCH_STORE_TAKES_SOCKET
// A socket that listens on that address alone; the store takes it over.
int bound_socket(const Place& place) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  if (const int failed = getaddrinfo(place.host.c_str(), std::to_string(place.port).c_str(), &hints, &found))
    throw Error(Code::argument, std::string("the host of the store is unknown: ") + gai_strerror(failed))
        .where(place.text);
  int error = 0;
  for (const addrinfo* a = found; a; a = a->ai_next) {
    storage::Fd fd(socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol));
    const int on = 1;
    if (fd && setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(fd.get(), a->ai_addr, a->ai_addrlen) == 0) {
      freeaddrinfo(found);
      return fd.release();
    }
    error = errno;
  }
  freeaddrinfo(found);
  if (error == EADDRINUSE) throw Error(Code::exists, "the port of the store is taken").where(place.text);
  throw os_error(error, "bind", place.text);
}
#endif

StorePtr open_tcp(const Place& place, const Options& options) {
  c10d::TCPStoreOptions o;
  o.port = place.port;
  o.isServer = options.serve;
  o.timeout = std::chrono::milliseconds(options.timeout_ms);
  // A stock server waits until all have counted themselves; ours asks for the ranks by name.
  o.waitWorkers = !options.serve;
  if (!options.serve) o.numWorkers = static_cast<size_t>(options.size);
#if TD_TORCH_STORE_TAKES_SOCKET
  o.useLibUV = false;
  if (options.serve && !options.serve_everywhere) o.masterListenFd = bound_socket(place);
#else
  if (options.serve && !options.serve_everywhere)
    throw Error(Code::unsupported, "the store of this LibTorch would listen on every address of the machine")
        .where(place.text)
        .hint("set serve_everywhere behind a firewall, meet in a file, or use LibTorch 2.4 or later");
#endif
  if (TD_TORCH_GROUP_WIRE == 1 && !options.serve) check_old_server(place, options.timeout_ms);
  return c10::make_intrusive<c10d::TCPStore>(place.host, o);
}

}  // namespace

StorePtr open_store(const Place& place, const Options& options) {
  try {
    if (place.file) return c10::make_intrusive<c10d::FileStore>(place.path, options.size);
    return open_tcp(place, options);
  } catch (const Error&) {
    throw;
  } catch (...) {
    // A server that is not there is waited for; this one was, and hung up at the first question.
    if (failure_of(current_error().message()) == Failure::peer_closed)
      throw Error(Code::version, "the store speaks another protocol than LibTorch " TORCH_VERSION)
          .where(place.text)
          .hint("LibTorch 1.13 and LibTorch 2 cannot use the store of each other");
    throw store_failure(place.text, options.timeout_ms);
  }
}

void leave_to_others(StorePtr store) {
#if TD_TORCH_STORE_COUNTS_USERS
  store.reset();
#else
  static std::mutex mutex;
  static auto& kept = *new std::vector<StorePtr>;
  std::lock_guard<std::mutex> lock(mutex);
  kept.push_back(std::move(store));
#endif
}

}  // namespace td::group
