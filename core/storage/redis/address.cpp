#include "core/storage/redis/address.h"

#include <cstdlib>
#include <string_view>

#include "core/dict/key.h"
#include "core/error.h"

namespace td::storage::redis {

namespace {

Error bad_url(const std::string& why) {
  return Error(Code::argument, why).hint("give redis://HOST:PORT/DB?id=ID or unix:///PATH?id=ID");
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string unescaped(std::string_view text, const char* what) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) throw bad_url(std::string(what) + " of the URL has a % without two digits after it");
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (out.find('\0') != out.npos) throw bad_url(std::string(what) + " of the URL has a zero byte");
  check_utf8(out, what);
  return out;
}

int url_number(std::string_view text, const char* what, int largest) {
  int n = 0;
  bool good = !text.empty() && text.size() <= 9;
  for (char c : text) good = good && c >= '0' && c <= '9';
  if (good) n = std::atoi(std::string(text).c_str());
  if (good && n <= largest) return n;
  throw bad_url(std::string(what) + " of the URL is '" + std::string(text) + "', not a number up to " +
                std::to_string(largest));
}

// What stands before `mark`, which is taken from `rest` with it; all of `rest` without one.
std::string_view take_until(std::string_view& rest, char mark) {
  const size_t at = rest.find(mark);
  std::string_view taken = rest.substr(0, at);
  rest = at == rest.npos ? std::string_view() : rest.substr(at + 1);
  return taken;
}

void take_login(std::string_view login, Address& out) {
  out.user = unescaped(take_until(login, ':'), "the user");
  out.password = unescaped(login, "the password");
}

void take_server(std::string_view server, Address& out) {
  const size_t bracket = server.rfind(']'), colon = server.rfind(':');
  if (colon != server.npos && (bracket == server.npos || colon > bracket)) {
    out.port = static_cast<uint16_t>(url_number(server.substr(colon + 1), "the port", 65535));
    server = server.substr(0, colon);
  }
  if (server.size() > 2 && server.front() == '[' && server.back() == ']') server = server.substr(1, server.size() - 2);
  out.host = unescaped(server, "the host");
  if (out.host.empty() || out.port == 0) throw bad_url("the URL has no host or the port 0");
}

constexpr int max_databases = 1 << 20;

void take_option(std::string_view option, Address& out) {
  std::string_view name = take_until(option, '=');
  std::string value = unescaped(option, "an option");
  if (name == "id")
    out.id = value;
  else if (name == "prefix")
    out.prefix = value;
  else if (name == "db")
    out.db = url_number(value, "the database", max_databases);
  else if (name == "username")
    out.user = value;
  else if (name == "password")
    out.password = value;
  else
    throw bad_url("the URL has the unknown option '" + std::string(name) + "'");
}

}  // namespace

Address parse_url(const std::string& url, Id id) {
  constexpr std::string_view tcp = "redis://", local = "unix://", tls = "rediss://";
  std::string_view rest = url;
  Address out;
  if (rest.substr(0, tls.size()) == tls)
    throw Error(Code::unsupported, "connections are not encrypted").hint("use redis:// in networks that you trust");
  const bool is_tcp = rest.substr(0, tcp.size()) == tcp;
  if (!is_tcp && rest.substr(0, local.size()) != local) throw bad_url("the URL begins with another scheme");
  rest.remove_prefix(is_tcp ? tcp.size() : local.size());
  std::string_view place = take_until(rest, '?');
  if (const size_t at = place.rfind('@'); at != place.npos) {
    take_login(place.substr(0, at), out);
    place.remove_prefix(at + 1);
  }
  if (is_tcp) {
    take_server(take_until(place, '/'), out);
    if (!place.empty()) out.db = url_number(place, "the database", max_databases);
  } else {
    out.path = unescaped(place, "the path");
    if (out.path.empty() || out.path[0] != '/') throw bad_url("the URL has no absolute path of a socket");
  }
  while (!rest.empty()) take_option(take_until(rest, '&'), out);
  if (out.prefix.empty()) throw bad_url("the prefix of the URL is empty");
  if (id == Id::needed && out.id.empty()) throw bad_url("the URL does not say which dict: it has no id");
  if (id == Id::refused && !out.id.empty()) throw bad_url("the URL has an id, but the call lists all dicts");
  const std::string where = is_tcp ? "redis://" + out.host + ':' + std::to_string(out.port) : "unix://" + out.path;
  out.text = where + (is_tcp ? "/" : "?db=") + std::to_string(out.db);
  if (!out.id.empty()) out.text += (is_tcp ? "?id=" : "&id=") + out.id;
  return out;
}

}  // namespace td::storage::redis
