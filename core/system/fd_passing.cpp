#include "core/system/fd_passing.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>

#include "core/error.h"
#include "core/system/clock.h"

#if defined(__linux__)
#include <poll.h>
#include <sys/socket.h>
#endif

namespace td::shm {

#if defined(__linux__)

namespace {

// A descriptor travels with bytes, which say what it is.
constexpr char hand_over[8] = {'T', 'D', 'M', 'E', 'M', 'O', 'R', 'Y'};
constexpr size_t max_descriptors = 16;

std::string name_of(int socket) {
  return "socket " + std::to_string(socket);
}

void check_socket(int socket) {
  int domain = 0;
  socklen_t size = sizeof domain;
  if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX)
    throw Error(Code::argument, "it is not a Unix socket")
        .where(name_of(socket))
        .hint("socketpair(AF_UNIX, SOCK_SEQPACKET, ...), or one that is bound to a path");
}

void wait_for_input(int socket, int64_t timeout_ms) {
  constexpr int64_t ns_per_ms = 1000000;
  int64_t deadline = timeout_ms < 0 || timeout_ms > INT_MAX ? INT64_MAX : monotonic_ns() + timeout_ms * ns_per_ms;
  for (;;) {
    int64_t left = deadline == INT64_MAX ? -1 : std::max<int64_t>(0, (deadline - monotonic_ns()) / ns_per_ms + 1);
    pollfd p = {socket, POLLIN, 0};
    int ready = poll(&p, 1, timeout_ms == 0 ? 0 : static_cast<int>(left));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) throw os_error(errno, "wait", name_of(socket));
    if (deadline != INT64_MAX && monotonic_ns() >= deadline)
      throw Error(Code::timeout, "nothing arrived within " + std::to_string(timeout_ms) + " ms").where(name_of(socket));
  }
}

// Takes the first into `first` and closes the others; says how many there were.
size_t descriptors_of(msghdr& message, storage::Fd& first) {
  size_t count = 0;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = 0; at + sizeof(int) <= c->cmsg_len - CMSG_LEN(0); at += sizeof(int), ++count) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(c) + at, sizeof fd);
      storage::Fd own(fd);
      if (count == 0) first = std::move(own);
    }
  }
  return count;
}

}  // namespace

void send_descriptor(int socket, int fd) {
  check_socket(socket);
  char bytes[sizeof hand_over];
  std::memcpy(bytes, hand_over, sizeof bytes);
  iovec part = {bytes, sizeof bytes};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof fd)] = {};
  msghdr message = {};
  message.msg_iov = &part, message.msg_iovlen = 1;
  message.msg_control = space, message.msg_controllen = sizeof space;
  cmsghdr* c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(c), &fd, sizeof fd);
  ssize_t n;
  do {
    n = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (n < 0 && errno == EINTR);
  if (n == static_cast<ssize_t>(sizeof bytes)) return;
  if (n >= 0) throw Error(Code::io, "the socket took a part of the message").where(name_of(socket));
  if (errno == EAGAIN || errno == EWOULDBLOCK)
    throw Error(Code::timeout, "the socket is full, and must not block").where(name_of(socket));
  if (errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN)
    throw Error(Code::closed, "the other end is closed").where(name_of(socket));
  throw os_error(errno, "send", name_of(socket));
}

storage::Fd receive_descriptor(int socket, int64_t timeout_ms) {
  check_socket(socket);
  char bytes[sizeof hand_over];
  alignas(cmsghdr) char space[CMSG_SPACE(max_descriptors * sizeof(int))];
  iovec part = {bytes, sizeof bytes};
  msghdr message = {};
  ssize_t n;
  do {  // another thread may be faster than this one
    wait_for_input(socket, timeout_ms);
    message = {};
    message.msg_iov = &part, message.msg_iovlen = 1;
    message.msg_control = space, message.msg_controllen = sizeof space;
    n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  } while (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK));
  if (n < 0 && errno != ECONNRESET && errno != ENOTCONN) throw os_error(errno, "receive", name_of(socket));
  if (n <= 0) throw Error(Code::closed, "the other end is closed").where(name_of(socket));
  storage::Fd fd;
  size_t count = descriptors_of(message, fd);
  bool whole = n == static_cast<ssize_t>(sizeof bytes) && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC));
  if (count != 1 || !whole || std::memcmp(bytes, hand_over, sizeof bytes) != 0)
    throw Error(Code::corrupt, "the message that arrived does not hold a segment").where(name_of(socket));
  return fd;
}

#else

void send_descriptor(int, int) {
  throw Error(Code::unsupported, "shared segments need Linux").hint("share a memmap directory instead");
}
storage::Fd receive_descriptor(int, int64_t) {
  throw Error(Code::unsupported, "shared segments need Linux").hint("share a memmap directory instead");
}

#endif

}  // namespace td::shm
