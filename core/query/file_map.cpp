#include "core/query/file_map.h"

#include <algorithm>
#include <cstring>

#include <fcntl.h>

#include "core/error.h"
#include "core/shm/header.h"
#include "core/shm/registry.h"
#include "core/storage/staged_file.h"
#include "core/system/crc32c.h"
#include "core/system/space.h"

namespace td {

namespace {

constexpr int64_t default_map_capacity = int64_t{1} << 26;

bool is_path(std::string_view name_or_path) {
  return !name_or_path.empty() && name_or_path[0] == '/';
}

shm::MapFacts facts_for(const Indices& from, const std::string& origin, int64_t capacity, bool keep) {
  if (from.exact())
    throw Error(Code::unsupported, "a map with exact keys cannot be in a file")
        .hint_naming("save the result of {query_state} instead");
  if (capacity < from.next() || capacity > IndexTable::limit)
    throw Error(Code::argument, "the capacity is " + std::to_string(capacity) + ", but the next index of the map is " +
                                    std::to_string(from.next()))
        .hint("the capacity must be at least the next index, and at most " + std::to_string(IndexTable::limit));
  shm::MapFacts f;
  f.shape = shm::map_shape(static_cast<uint64_t>(from.next()), static_cast<uint64_t>(capacity));
  f.origin_bytes = static_cast<int64_t>(origin.size());
  f.origin_crc = shm::crc32c(origin);
  f.holes = static_cast<uint64_t>(from.next() - from.size());
  f.owner = shm::this_process();
  f.keep = keep;
  return f;
}

// What lies in front of the hashes.
void write_front(const storage::Fd& file, const shm::MapFacts& facts, const std::string& origin,
                 const std::string& where) {
  shm::MapLayout layout = shm::map_layout(facts);
  storage::reserve(file.get(), 0, layout.hashes, where);
  storage::Mapping front(file, layout.hashes, storage::Mapping::Mode::write, where);
  shm::write_map_header(front.data(), facts);
  if (!origin.empty()) std::memcpy(front.data() + layout.origin, origin.data(), origin.size());
}

[[noreturn]] void map_name_taken(const std::string& path) {
  throw Error(Code::exists, "a map with this name exists")
      .where(path)
      .hint_naming("open it with {QUERY_MAP_WRITE}, remove it with {query_unlink}, or choose another name");
}

}  // namespace

// ---- Making and opening ---------------------------------------------------------------------------------------------

FileMap::FileMap(std::string path, const shm::MapFacts& facts, storage::Fd file, bool to_write)
    : path_(std::move(path)),
      facts_(facts),
      layout_(shm::map_layout(facts)),
      mapping_(file, layout_.total, to_write ? storage::Mapping::Mode::write : storage::Mapping::Mode::read, path_),
      reader_(*reinterpret_cast<shm::MapWords*>(at(layout_.words)), reinterpret_cast<int64_t*>(at(layout_.hashes)),
              reinterpret_cast<uint64_t*>(at(layout_.slots)), facts_.shape) {
  if (!to_write) return;
  identity_ = shm::identity(file);
  locks_ = std::make_unique<shm::LockBytes>(std::move(file));
  writer_ = std::make_unique<shm::MapWriter>(
      *reinterpret_cast<shm::MapWords*>(at(layout_.words)), reinterpret_cast<int64_t*>(at(layout_.hashes)),
      reinterpret_cast<uint64_t*>(at(layout_.slots)), facts_.shape, static_cast<shm::MapSpace&>(*this));
}

FileMapPtr FileMap::share(std::string_view name, const Indices& from, const std::string& origin,
                          const Options& options) {
  std::string path = shm::path_of(name);
  int64_t capacity = options.capacity > 0 ? options.capacity : std::max(default_map_capacity, from.next());
  shm::MapFacts facts = facts_for(from, origin, capacity, options.keep);
  if (shm::taken(path)) map_name_taken(path);
  storage::Fd file = shm::make_unnamed(0, path);
  storage::truncate(file, shm::map_layout(facts).total, path);
  write_front(file, facts, origin, path);
  auto made = c10::make_intrusive<FileMap>(path, facts, std::move(file), true);
  if (options.large_pages) shm::prefer_large_pages(made->mapping_.data(), made->mapping_.size());
  made->origin_ = origin;
  made->locks_->lock(shm::map_writer_byte);
  made->fill(from.state());
  if (!shm::publish(made->locks_->fd(), path)) map_name_taken(path);
  made->unlink_ = !options.keep;
  return made;
}

void FileMap::save(const std::string& path, const Indices& from, const std::string& origin, const Options& options) {
  int64_t capacity = options.capacity > 0 ? options.capacity : std::max<int64_t>(1, from.next());
  shm::MapFacts facts = facts_for(from, origin, capacity, true);
  storage::StagedFile staged(path, options.overwrite);
  storage::truncate(staged.file(), shm::map_layout(facts).total, path);
  write_front(staged.file(), facts, origin, path);
  auto made = c10::make_intrusive<FileMap>(path, facts, storage::duplicate(staged.file(), path), true);
  made->fill(from.state());
  made.reset();
  staged.publish(true);
}

FileMapPtr FileMap::open(std::string_view name_or_path, bool to_write) {
  bool by_name = !is_path(name_or_path);
  std::string path = by_name ? shm::path_of(name_or_path) : storage::checked_path(name_or_path);
  storage::Fd file = !by_name   ? storage::open_regular(AT_FDCWD, path, path, nullptr, to_write)
                     : to_write ? shm::open_shared(path)
                                : shm::open_named(path);
  if (!file) throw Error(Code::not_found, "no map with this name exists").where(path);
  int64_t size = storage::size_of(file, path);
  std::string page = storage::read_bytes(file, 0, std::min(size, shm::header_page), path);
  shm::MapFacts facts = shm::read_map_header(page, size, path);
  std::string origin = storage::read_bytes(file, shm::map_layout(facts).origin, facts.origin_bytes, path);
  if (shm::crc32c(origin) != facts.origin_crc)
    throw Error(Code::corrupt, "the checksum of the hash types and their states is wrong").where(path);
  auto made = c10::make_intrusive<FileMap>(path, facts, std::move(file), to_write);
  made->origin_ = std::move(origin);
  if (!made->reader_.possible() || facts.holes > made->reader_.count())
    throw Error(Code::corrupt, "the map has more rows or tables than its capacity allows").where(path);
  if (to_write) made->become_writer(by_name);
  return made;
}

// The lock first: only its holder may read and repair what the last writer left.
void FileMap::become_writer(bool by_name) {
  if (!locks_->lock(shm::map_writer_byte))
    throw Error(Code::locked, "another process, or another handle in this process, has the map open for writing")
        .where(path_)
        .hint_naming("process " + std::to_string(reader_.writer_pid()) +
                     "; open it with {QUERY_MAP_READ} or {QUERY_MAP_COPY}");
  if (!shm::named(locks_->fd())) throw Error(Code::not_found, "the map was removed during the call").where(path_);
  uint64_t generation = reader_.generation();
  storage::reserve(locks_->fd(), layout_.slots + static_cast<int64_t>(facts_.shape.first_slot(generation)) * 8,
                   static_cast<int64_t>(facts_.shape.slots(generation)) * 8, path_);
  if (!writer_->take_over(shm::this_process().pid))
    throw Error(Code::corrupt, "the map has more rows or tables than its capacity allows").where(path_);
  unlink_ = by_name && !facts_.keep;
}

void FileMap::fill(const State& state) {
  slots(0, facts_.shape.first_slots);
  writer_->take_over(shm::this_process().pid);
  std::vector<int64_t> given;
  int64_t next = 0;
  for (size_t begin = 0, end; begin < state.hashes.size(); begin = end) {
    for (; next < state.indices[begin]; ++next) writer_->skip();
    end = begin + 1;
    while (end < state.hashes.size() && state.indices[end] == state.indices[end - 1] + 1) ++end;
    given.resize(end - begin);
    if (!writer_->extend(&state.hashes[begin], given.size(), given.data()))
      throw Error(Code::internal, "a map of this layout has no room for its rows").where(path_);
    next += static_cast<int64_t>(given.size());
  }
  for (; next < state.next; ++next) writer_->skip();
  writer_->keep();
}

FileMap::~FileMap() {
  if (!locks_ || !locks_->ours()) return;
  if (writer_) writer_->undo();
  if (!unlink_) return;
  try {
    shm::unlink_safely(path_, identity_);
  } catch (const std::exception&) {  // the name stays for td_segment_prune
  }
}

void FileMap::unlink(std::string_view name) {
  std::string path = shm::path_of(name);
  storage::Fd file = shm::open_named(path);
  if (!file) throw Error(Code::not_found, "no map with this name exists").where(path);
  int64_t size = storage::size_of(file, path);
  if (!shm::has_map_magic(storage::read_bytes(file, 0, std::min(size, shm::header_page), path)))
    throw Error(Code::corrupt, "it is not a map file").where(path);
  shm::unlink_safely(path, shm::identity(file));
}

// ---- The map --------------------------------------------------------------------------------------------------------

int64_t FileMap::nbytes() const {
  uint64_t tables = facts_.shape.first_slot(reader_.generation() + 1);
  return layout_.hashes + static_cast<int64_t>(std::max(reserved_, reader_.count()) + tables) * 8;
}

void FileMap::look_up(const int64_t* wanted, size_t n, int64_t* indices, int64_t below, const Keys*) const {
  reader_.look_up(wanted, n, indices, static_cast<uint64_t>(below));
}

void FileMap::extend(const int64_t* wanted, size_t n, int64_t* indices, const Keys*) {
  if (!writer_)
    throw Error(Code::locked, "the map is open for reading only")
        .where(path_)
        .hint_naming("look rows up with {QUERY_NO_EXTEND}, or open it with {QUERY_MAP_WRITE} or {QUERY_MAP_COPY}");
  if (!locks_->ours())
    throw Error(Code::unsupported, "the map was opened before the fork that made this process")
        .where(path_)
        .hint("open it again in this process");
  bool fits = false;
  try {
    fits = writer_->extend(wanted, n, indices);
  } catch (...) {
    writer_->undo();
    throw;
  }
  if (!fits)
    throw Error(Code::nospace, "the map is full: it has room for " + std::to_string(facts_.shape.capacity) + " rows")
        .where(path_)
        .hint("make a map with a larger capacity");
}

void FileMap::keep() noexcept {
  if (writer_ && locks_->ours()) writer_->keep();
}

void FileMap::undo() noexcept {
  if (writer_ && locks_->ours()) writer_->undo();
}

void FileMap::only_grows() const {
  throw Error(Code::unsupported,
              "rows cannot be removed from a map in a file, because other processes may be reading it")
      .where(path_)
      .hint_naming("open it with {QUERY_MAP_COPY}, or make another one");
}

int64_t FileMap::erase(const int64_t*, size_t, const Keys*) {
  only_grows();
}
void FileMap::clear() {
  only_grows();
}
void FileMap::load(State) {
  only_grows();
}

Indices::State FileMap::state(int64_t below) const {
  State state;
  state.next = below;
  auto n = static_cast<size_t>(state.next);
  std::vector<int64_t> found(n);
  reader_.look_up(reader_.hashes(), n, found.data(), n);
  for (size_t i = 0; i < n; ++i) {
    if (found[i] != static_cast<int64_t>(i)) continue;  // a hole
    state.hashes.push_back(reader_.hashes()[i]);
    state.indices.push_back(static_cast<int64_t>(i));
  }
  return state;
}

// ---- Space ----------------------------------------------------------------------------------------------------------

void FileMap::hashes(uint64_t end) {
  if (end <= reserved_) return;
  uint64_t more = std::min(facts_.shape.capacity, end + end / 4 + 4096);
  storage::reserve(locks_->fd(), layout_.hashes + static_cast<int64_t>(reserved_) * 8,
                   static_cast<int64_t>(more - reserved_) * 8, path_);
  reserved_ = more;
}

void FileMap::slots(uint64_t begin, uint64_t end) {
  storage::reserve_zeros(locks_->fd(), layout_.slots + static_cast<int64_t>(begin) * 8,
                         static_cast<int64_t>(end - begin) * 8, path_);
}

}  // namespace td
