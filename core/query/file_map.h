// An index map in a file, in shared memory or on disk: one process writes to it, others read it meanwhile, without
// locks and without a system call. It only grows.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/query/indices.h"
#include "core/query/map_header.h"
#include "core/system/lock_bytes.h"
#include "core/system/mapping.h"

namespace td {

class FileMap;
using FileMapPtr = c10::intrusive_ptr<FileMap>;

class FileMap final : public Indices, private shm::MapSpace {
 public:
  struct Options {
    int64_t capacity = 0;
    bool keep = false;         // the name outlives its writers
    bool large_pages = false;  // where the system has them
    bool overwrite = false;    // files only
  };

  // A file with what `from` has, and `origin`, which says what made the hashes: under a name in shared memory, with
  // this process as the writer; or at a path on disk.
  static FileMapPtr share(std::string_view name, const Indices& from, const std::string& origin,
                          const Options& options);
  static void save(const std::string& path, const Indices& from, const std::string& origin, const Options& options);

  // A path if it begins with a slash, else a name. Throws Error(not_found), Error(corrupt), Error(version), and
  // Error(locked) if it is to be written and another process does so.
  static FileMapPtr open(std::string_view name_or_path, bool to_write);
  static void unlink(std::string_view name);

  const std::string& origin() const { return origin_; }
  const std::string& path() const { return path_; }

  int64_t holes() const { return static_cast<int64_t>(facts_.holes); }  // indices without a row
  int64_t size() const override { return next() - holes(); }
  int64_t next() const override { return static_cast<int64_t>(reader_.count()); }
  int64_t nbytes() const override;

  void look_up(const int64_t* hashes, size_t n, int64_t* indices, int64_t below, const Keys* keys) const override;
  // Throws Error(locked) if it was opened for reading only, Error(nospace).
  void extend(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys) override;
  void keep() noexcept override;
  void undo() noexcept override;
  int64_t erase(const int64_t* hashes, size_t n, const Keys* keys) override;
  void clear() override;
  State state() const override { return state(next()); }
  State state(int64_t below) const;  // of the first indices
  void load(State state) override;

  ~FileMap() override;

 private:
  friend class c10::intrusive_ptr<FileMap>;
  FileMap(std::string path, const shm::MapFacts& facts, storage::Fd file, bool to_write);

  char* at(int64_t offset) const { return mapping_.data() + offset; }
  void fill(const State& state);
  void become_writer(bool by_name);
  [[noreturn]] void only_grows() const;

  void hashes(uint64_t end) override;
  void slots(uint64_t begin, uint64_t end) override;

  std::string path_, origin_;
  shm::MapFacts facts_;
  shm::MapLayout layout_;
  storage::Mapping mapping_;
  shm::MapReader reader_;
  std::unique_ptr<shm::LockBytes> locks_;  // of the writer
  std::unique_ptr<shm::MapWriter> writer_;
  shm::Identity identity_;
  uint64_t reserved_ = 0;  // hashes with space behind them
  bool unlink_ = false;    // the name goes with this writer
};

}  // namespace td
