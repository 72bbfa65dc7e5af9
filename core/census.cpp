#include "core/census.h"

#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "core/error.h"
#include "core/query/map_header.h"
#include "core/shm/channel_header.h"
#include "core/shm/header.h"
#include "core/shm/registry.h"
#include "core/system/lock_bytes.h"

namespace td {

namespace {

namespace bj = boost::json;

// What stands behind a name, as far as its first page tells.
struct Found {
  enum Kind { segment, channel, map } kind;
  int64_t bytes;
  shm::Process owner;
  uint64_t owner_byte;
  bool keep;
  shm::Identity file;
};

constexpr const char* kind_names[] = {"segment", "channel", "map"};

// False for files that are not ours to talk of. Throws Error for those that were ours and are damaged.
bool look(const std::string& name, Found& found) {
  std::string path;
  storage::Fd file;
  try {
    path = shm::path_of(name);
    file = shm::open_named(path);
  } catch (const Error&) {
    return false;  // of another user, no file, or a name that we never give
  }
  if (!file) return false;
  int64_t size = storage::size_of(file, path);
  std::string page = storage::read_bytes(file, 0, std::min(size, shm::header_page), path);
  found.bytes = size;
  found.file = shm::identity(file);
  if (shm::has_magic(page)) {
    shm::Facts f = shm::read_header(page, size, path);
    found.kind = Found::segment, found.owner = f.owner, found.owner_byte = f.owner_byte, found.keep = f.keep;
    return true;
  }
  if (shm::has_map_magic(page)) {
    shm::MapFacts f = shm::read_map_header(page, size, path);
    found.kind = Found::map, found.owner = f.owner, found.owner_byte = 0, found.keep = f.keep;
    return true;
  }
  if (!shm::has_channel_magic(page)) return false;
  shm::ChannelFacts f = shm::read_channel_header(page, size, path);
  found.kind = Found::channel, found.owner = f.owner, found.owner_byte = 0, found.keep = f.keep;
  return true;
}

// The locks of processes that are in a channel or write to a map.
int64_t last_byte(const Found& found) {
  return found.kind == Found::map ? shm::map_writer_byte : shm::channel_owner_byte;
}

// No process is in it, and none can join while `locks` holds the bytes of all places.
bool deserted(shm::LockBytes& locks, const Found& found) {
  return locks.lock_all(last_byte(found));
}

bool anybody(const std::string& path, const Found& found) {
  if (found.kind == Found::segment) return shm::owner_alive(found.owner_byte, found.owner);
  storage::Fd file = shm::open_shared(path);
  if (!file) return false;
  shm::LockBytes locks(std::move(file));
  for (int64_t byte = 0; byte <= last_byte(found); ++byte)
    if (locks.held(byte)) return true;
  return false;
}

bool prune_one(const std::string& path, const Found& found) {
  if (found.keep) return false;
  if (found.kind == Found::segment)
    return shm::unlink_safely(path, found.file, [&] { return !shm::owner_alive(found.owner_byte, found.owner); });
  storage::Fd file = shm::open_shared(path);
  if (!file || !(shm::identity(file) == found.file)) return false;
  shm::LockBytes locks(std::move(file));
  return shm::unlink_safely(path, found.file, [&] { return deserted(locks, found); });
}

}  // namespace

std::string list_shared(std::string_view prefix) {
  bj::array all;
  for (const std::string& name : shm::names_with(prefix)) {
    Found f;
    try {
      if (!look(name, f)) continue;
      all.push_back(bj::object{{"name", name},
                               {"kind", kind_names[f.kind]},
                               {"bytes", f.bytes},
                               {"pid", f.owner.pid},
                               {"alive", anybody(shm::path_of(name), f)},
                               {"keep", f.keep}});
    } catch (const Error& e) {
      if (e.code() == Code::not_found) continue;  // the name went, or went to another file, in this moment
      all.push_back(bj::object{{"name", name}, {"kind", "damaged"}, {"error", e.what()}});
    }
  }
  return bj::serialize(all);
}

int64_t prune_shared(std::string_view prefix) {
  int64_t removed = 0;
  for (const std::string& name : shm::names_with(prefix)) {
    Found f;
    bool known = false;
    try {
      known = look(name, f);
    } catch (const Error&) {  // damaged: only its owner, or a person, knows whether it may go
    }
    try {
      if (known) removed += prune_one(shm::path_of(name), f);
    } catch (const Error& e) {
      if (e.code() != Code::not_found) throw;  // another file has taken the name since, and its owner is alive
    }
  }
  return removed;
}

}  // namespace td
