// The files of an archive, compressed: each is a stream of its own, so that several threads make what one would.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/storage/archive/archive_encode.h"
#include "core/storage/memmap/memmap_plan.h"

namespace td::storage {

// The bytes of a planned file from front to end, in parts that no library finds too long.
void for_each_part(const PlannedFile& f, const Part& part);

class Packer {
 public:
  // `files` stay where they are. More than one thread: they work ahead of the caller, who only takes what they made.
  Packer(std::vector<const PlannedFile*> files, Compression compression, size_t threads);
  ~Packer();  // drops what is under way
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  // Gives the stream of the next file to `out`, on this thread, and returns the checksum of its bytes.
  uint32_t next(const Part& out);

 private:
  struct Stream {
    std::deque<std::string> parts;
    uint32_t crc = 0;
    bool ended = false;
    std::exception_ptr failure;
  };
  void work();
  void check();
  void keep(size_t i, const void* bytes, size_t size);

  std::vector<const PlannedFile*> files_;
  Compression compression_;
  size_t max_held_;

  std::mutex mutex_;  // of what follows, where there are workers
  std::condition_variable changed_;
  std::vector<Stream> streams_;
  size_t begun_ = 0, taken_ = 0, held_ = 0;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace td::storage
