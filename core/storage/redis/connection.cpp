#include "core/storage/redis/connection.h"

#include <hiredis/hiredis.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "core/system/clock.h"

namespace td::storage::redis {

namespace {

constexpr size_t greeting_limit = 65536, piece = 1 << 18;

struct Context {
  redisContext* c;
  ~Context() {
    if (c) redisFree(c);
  }
};

bool would_block() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

}  // namespace

Error Connection::failed(Code code, const std::string& why) const {
  return Error(code, why).where(address_.text);
}

// libhiredis finds the server; the socket is then ours, which never raises SIGPIPE.
void Connection::connect() {
  const timeval wait{timeout_ms_ / 1000, static_cast<suseconds_t>(timeout_ms_ % 1000 * 1000)};
  Context context{address_.path.empty() ? redisConnectWithTimeout(address_.host.c_str(), address_.port, wait)
                                        : redisConnectUnixWithTimeout(address_.path.c_str(), wait)};
  if (!context.c) throw std::bad_alloc();
  if (context.c->err) {
    const std::string says = context.c->errstr;
    const bool late = context.c->err == REDIS_ERR_IO && says.find("timed out") != says.npos;
    throw failed(late ? Code::timeout : Code::closed, "the server cannot be reached: " + says)
        .hint("see that it runs, and that the URL is right");
  }
  fd_ = Fd(fcntl(context.c->fd, F_DUPFD_CLOEXEC, 0));
  if (!fd_) throw os_error(errno, "connect", address_.text);
  reader_ = std::make_unique<ReplyReader>();
  owner_ = getpid();
  Request greeting;
  if (!address_.password.empty())
    greeting.add(address_.user.empty() ? Request::Words{"AUTH", address_.password}
                                       : Request::Words{"AUTH", address_.user, address_.password});
  if (address_.db) greeting.add({"SELECT", std::to_string(address_.db)});
  try {
    for (const Reply& reply : exchange(greeting, greeting_limit)) accepted(reply);
  } catch (Error& e) {
    close();
    throw e.where(address_.text);
  }
}

void Connection::close() {
  fd_ = Fd();
  reader_.reset();
}

std::vector<Reply> Connection::ask(const Request& request, size_t limit, Lost lost) {
  if (fd_ && owner_ != getpid()) close();
  const bool before = static_cast<bool>(fd_);
  for (bool again = before && lost == Lost::ask_again;; again = false) {
    if (!fd_) connect();
    try {
      return exchange(request, limit);
    } catch (const Error& e) {
      close();
      if (!again || e.code() != Code::closed) throw;
    } catch (...) {
      close();
      throw;
    }
  }
}

optional<std::vector<Reply>> Connection::transaction(const Request& request, size_t limit, Lost lost) {
  Request whole;
  whole.add({"MULTI"}).append(request);
  whole.add({"EXEC"});
  std::vector<Reply> replies = ask(whole, limit, lost);
  for (size_t i = 0; i + 1 < replies.size(); ++i) accepted(replies[i]);
  if (is_nil(replies.back())) return nullopt;
  list_of(replies.back());
  std::vector<Reply> results = std::move(replies.back().items);
  if (results.size() != request.commands()) throw Error(Code::corrupt, "the server's answer lacks results");
  return results;
}

std::vector<Reply> Connection::exchange(const Request& request, size_t limit) {
  std::vector<Reply> replies;
  const auto& chunks = request.chunks();
  size_t chunk = 0, sent = 0, received = 0;
  std::vector<char> buffer(request.commands() ? piece : 0);
  for (int64_t moved = shm::monotonic_ms(); replies.size() < request.commands();) {
    pollfd p{fd_.get(), static_cast<short>(chunk < chunks.size() ? POLLIN | POLLOUT : POLLIN), 0};
    const int64_t left = moved + timeout_ms_ - shm::monotonic_ms();
    const int ready = left > 0 ? poll(&p, 1, static_cast<int>(std::min<int64_t>(left, INT32_MAX))) : 0;
    if (ready < 0 && errno != EINTR) throw os_error(errno, "wait for the server", address_.text);
    if (ready == 0) {
      throw failed(Code::timeout, "the server did not answer within " + std::to_string(timeout_ms_) + " ms")
          .hint("it may be busy, or unreachable; the next call connects again");
    }
    if (p.revents & POLLOUT) {
      const std::string_view text = chunks[chunk].text();
      const ssize_t n = send(fd_.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && !would_block()) chunk = chunks.size(), sent = 0;  // the server may still say why
      if (n > 0) moved = shm::monotonic_ms(), sent += static_cast<size_t>(n);
      if (chunk < chunks.size() && sent == text.size()) ++chunk, sent = 0;
    }
    if (p.revents & (POLLIN | POLLHUP | POLLERR)) {
      const ssize_t n = recv(fd_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
      const bool gone = n == 0 || (n < 0 && !would_block());
      if (gone && !replies.empty()) accepted(replies.back());
      if (gone) throw failed(Code::closed, "the server has closed the connection").hint("the next call connects again");
      if (n < 0) continue;
      moved = shm::monotonic_ms();
      received += static_cast<size_t>(n);
      if (received > limit) throw failed(Code::corrupt, "the server sends more than it was asked for");
      reader_->feed(buffer.data(), static_cast<size_t>(n));
      for (Reply reply; replies.size() < request.commands() && reader_->next(reply);)
        replies.push_back(std::move(reply));
    }
  }
  return replies;
}

}  // namespace td::storage::redis
