// The map of a query in a file, together with what made its hashes:
//   [uint32 size][the types and configs][for each hash: uint32 size, its state], the hash of the hashes last.
#include <cstring>

#include "core/error.h"
#include "core/query/layered_map.h"
#include "core/query/query.h"

namespace td {

namespace {

constexpr size_t no_state = 8;  // what save_state gives for a hash that has none

void append(std::string& to, const std::string& bytes) {
  if (bytes.size() > UINT32_MAX) throw Error(Code::unsupported, "the state of a hash is larger than 4 GiB");
  auto size = static_cast<uint32_t>(bytes.size());
  to.append(reinterpret_cast<const char*>(&size), sizeof size);
  to += bytes;
}

std::string_view next_piece(std::string_view& from, const std::string& where) {
  uint32_t size = 0;
  if (from.size() >= sizeof size) std::memcpy(&size, from.data(), sizeof size);
  if (from.size() < sizeof size || size > from.size() - sizeof size)
    throw Error(Code::corrupt, "the hash types and their states are truncated").where(where);
  std::string_view piece = from.substr(sizeof size, size);
  from.remove_prefix(sizeof size + size);
  return piece;
}

}  // namespace

std::string Query::origin() const {
  std::string all;
  append(all, identity());
  for (const HasherPtr& hasher : all_hashers()) {
    std::string state = hasher->identity().empty() ? std::string() : saved_state(*hasher);
    if (map_->next() == 0 && state.size() > no_state)
      throw Error(Code::argument, "a hash draws its state at its first use, but the file must contain it")
          .where(hasher->identity())
          .hint("run the query once first");
    append(all, state);
  }
  return all;
}

// Copies of ours, with the states in the file.
std::vector<HasherPtr> Query::hashers_of(const std::string& origin, const std::string& where) const {
  std::string_view rest = origin;
  if (next_piece(rest, where) != identity())
    throw Error(Code::argument, "the hashes were made by other hash types or configs")
        .where(where)
        .hint("make the query with the same hash types and configs; it now has:" + identity());
  std::vector<HasherPtr> all = all_hashers();
  for (HasherPtr& hasher : all) {
    std::string_view state = next_piece(rest, where);
    if (state.size() <= no_state || hasher->identity().empty()) continue;
    hasher = hasher->clone();
    restore_state(*hasher, state);
  }
  if (!rest.empty()) throw Error(Code::corrupt, "there are bytes after the hash types and their states").where(where);
  return all;
}

// What has a map of the caller's would lose it, or cannot read it out.
void Query::check_no_custom_map(const char* what) const {
  if (custom_map(map_))
    throw Error(Code::unsupported, std::string("a custom map cannot be ") + what)
        .hint_naming("save the result of {query_state} instead");
}

void Query::share(std::string_view name, const FileMap::Options& options) {
  check_no_custom_map("moved to shared memory");
  map_ = FileMap::share(name, *map_, origin(), options);
}

void Query::save(const std::string& path, const FileMap::Options& options) const {
  check_no_custom_map("written to a map file");
  FileMap::save(path, *map_, origin(), options);
}

void Query::open(std::string_view name_or_path, Opened how) {
  check_no_custom_map("replaced by one in a file");
  if (map_->exact() || options_.capacity > 0)
    throw Error(Code::unsupported, "a map in a file cannot have exact keys or a limit at which old rows are removed");
  FileMapPtr file = FileMap::open(name_or_path, how == Opened::write);
  std::vector<HasherPtr> hashers = hashers_of(file->origin(), file->path());
  IndicesPtr map =
      how == Opened::copy ? IndicesPtr(c10::make_intrusive<LayeredMap>(std::move(file))) : IndicesPtr(file);
  map_ = std::move(map);
  use(std::move(hashers));
}

}  // namespace td
