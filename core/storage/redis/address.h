// Where a dict is: a server, a database in it, and the id of the dict there.
#pragma once

#include <cstdint>
#include <string>

namespace td::storage::redis {

struct Address {
  std::string host, path;  // one of them: a host with a port, or the path of a Unix socket
  uint16_t port = 6379;
  int db = 0;
  std::string user, password;
  std::string prefix = "tensordict", id;
  std::string text;  // for errors, without the password
};

// Of redis://[[USER]:PASSWORD@]HOST[:PORT][/DB] or unix://[[USER]:PASSWORD@]/PATH, followed by ?id=ID, and by prefix=,
// db=, username= and password= behind &; what is written %20 is a space. Throws Error(argument).
enum class Id { needed, refused };
Address parse_url(const std::string& url, Id id);

}  // namespace td::storage::redis
