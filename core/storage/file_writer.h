// Writes the files of a save, on one thread or several, and tells how far it is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/storage/options.h"
#include "core/system/file.h"

namespace td::storage {

class FileWriter {
 public:
  // A piece of work, which writes files.
  using Job = std::function<void(FileWriter&)>;

  FileWriter(const SaveOptions& options, int64_t total);
  ~FileWriter();  // waits for what is under way and drops the rest
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // Runs now or later. Throws what an earlier one threw, or what the progress function did.
  void add(Job job);
  void finish();                   // waits for all
  void tell(bool always = false);  // on the thread that saves only

  // For jobs: appends to a file, piece by piece.
  void write(const Fd& file, const void* bytes, size_t size, const std::string& where);
  void write_at(const Fd& file, int64_t offset, const void* bytes, size_t size, const std::string& where);
  void count(int64_t bytes) { written_ += bytes; }  // that are there without being written
  bool syncs() const { return sync_; }

 private:
  bool alone() const { return workers_.empty(); }
  void work();
  void run(const Job& job);
  void check();

  const Progress& progress_;
  int64_t total_, told_ = 0;
  bool sync_;
  std::thread::id owner_;
  std::atomic<int64_t> written_{0};
  std::atomic<bool> stop_{false};

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  size_t running_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> workers_;
};

}  // namespace td::storage
