#include "core/group/gloo/old_protocol.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/clock.h"
#include "core/system/fd.h"
#include "core/torch_compat.h"

namespace td::group {

namespace {

struct Addresses {
  addrinfo* first = nullptr;
  ~Addresses() {
    if (first) freeaddrinfo(first);
  }
};

timeval seconds(int64_t ms, int64_t most) {
  return {std::clamp<int64_t>(ms / 1000, 1, most), 0};
}

storage::Fd connected(const Place& place, int64_t timeout_ms) {
  const timeval patience = seconds(timeout_ms, 60);
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  Addresses found;
  if (getaddrinfo(place.host.c_str(), std::to_string(place.port).c_str(), &hints, &found.first)) return storage::Fd();
  for (const addrinfo* a = found.first; a; a = a->ai_next) {
    storage::Fd fd(socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol));
    if (!fd) continue;
    setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd.get(), a->ai_addr, a->ai_addrlen) == 0) return fd;
  }
  return storage::Fd();
}

}  // namespace

void check_old_server(const Place& place, int64_t timeout_ms) {
  constexpr int64_t max_answer_s = 10;
  const int64_t begin = shm::monotonic_ms();
  storage::Fd fd;
  for (int64_t left = timeout_ms; !(fd = connected(place, left));) {
    left = timeout_ms - (shm::monotonic_ms() - begin);
    if (left <= 0) return;  // the store says so itself
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const timeval patience = seconds(timeout_ms, max_answer_s);
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  // "Are these keys there", of one key: the number of the question, that of the keys, and each with its size.
  const std::string key = "td";
  std::string question(1, 4);
  for (uint64_t n : {uint64_t{1}, uint64_t{key.size()}}) question.append(reinterpret_cast<const char*>(&n), sizeof n);
  question += key;
  char answer = 0;
  if (send(fd.get(), question.data(), question.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(question.size()) &&
      recv(fd.get(), &answer, 1, 0) == 1)
    return;
  throw Error(Code::version, "the store does not answer in the protocol of LibTorch " TORCH_VERSION)
      .where(place.text)
      .hint("LibTorch 1.13 and LibTorch 2 cannot use the store of each other");
}

}  // namespace td::group
