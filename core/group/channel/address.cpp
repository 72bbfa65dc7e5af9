#include "core/group/channel/address.h"

#include <cerrno>
#include <memory>

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/error.h"
#include "core/system/fd.h"

namespace td::group {

namespace {

constexpr std::string_view scheme = "tcp://";
constexpr size_t max_name_bytes = 200;
constexpr int connecting_ms = 3000;

using Found = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

// Numbers only, if it is `numeric`.
Found look_up(const std::string& host, const std::string& port, bool numeric, int& failed) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  if (numeric) hints.ai_flags = AI_NUMERICHOST;
  failed = getaddrinfo(host.c_str(), port.empty() ? nullptr : port.c_str(), &hints, &found);
  return Found(failed ? nullptr : found, freeaddrinfo);
}

bool connects(int fd, const addrinfo& a) {
  if (connect(fd, a.ai_addr, a.ai_addrlen) == 0) return true;
  if (errno != EINPROGRESS) return false;
  pollfd wait{fd, POLLOUT, 0};
  if (poll(&wait, 1, connecting_ms) != 1) return false;
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

std::string numeric_name(int fd, int (*which)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage a{};
  socklen_t size = sizeof a;
  char text[NI_MAXHOST] = "";
  if (which(fd, reinterpret_cast<sockaddr*>(&a), &size) != 0 ||
      getnameinfo(reinterpret_cast<sockaddr*>(&a), size, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0)
    return {};
  return text;
}

}  // namespace

bool is_address(std::string_view name) {
  return name.substr(0, scheme.size()) == scheme;
}

Address parse_address(std::string_view text) {
  Address a;
  a.text = text;
  const std::string_view rest = text.substr(scheme.size());
  const size_t slash = rest.find('/');
  if (slash == rest.npos || slash + 1 == rest.size() || rest.size() - slash - 1 > max_name_bytes)
    throw Error(Code::argument, "the address of the channel has no name of 1 to 200 bytes")
        .where(a.text)
        .hint("give tcp://HOST:PORT/NAME");
  a.name = rest.substr(slash + 1);
  Options o;
  o.store = std::string(scheme) + std::string(rest.substr(0, slash));
  const Place place = place_of(o);
  a.host = place.host, a.port = place.port;
  a.everywhere = a.host == "0.0.0.0" || a.host == "::";
  return a;
}

Options Address::options(const std::string& prefix) const {
  Options o;
  const bool colons = host.find(':') != host.npos;
  o.store = std::string(scheme) + (colons ? '[' + host + ']' : host) + ':' + std::to_string(port);
  o.prefix = prefix;
  o.timeout_ms = silence_ms;
  o.size = 2;
  return o;
}

Route route_to(const Address& address) {
  int failed = 0;
  const Found found = look_up(address.host, std::to_string(address.port), false, failed);
  if (!found)
    throw Error(Code::not_found, std::string("the host is not known: ") + gai_strerror(failed)).where(address.text);
  int error = 0;
  for (const addrinfo* a = found.get(); a; a = a->ai_next) {
    const storage::Fd fd(socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol));
    if (fd && connects(fd.get(), *a)) return {numeric_name(fd.get(), getsockname), numeric_name(fd.get(), getpeername)};
    error = errno;
  }
  if (error == EMFILE || error == ENFILE || error == ENOMEM) throw os_error(error, "connect", address.text);
  throw Error(Code::not_found, "nothing listens at this address")
      .where(address.text)
      .hint("the channel ends with the process that created it");
}

bool is_here(const std::string& numeric) {
  int failed = 0;
  const Found found = look_up(numeric, {}, true, failed);
  if (!found) return false;
  const storage::Fd fd(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return fd && bind(fd.get(), found->ai_addr, found->ai_addrlen) == 0;
}

}  // namespace td::group
