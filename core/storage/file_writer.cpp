#include "core/storage/file_writer.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "core/error.h"

namespace td::storage {

namespace {

constexpr size_t piece = size_t{16} << 20;
constexpr size_t max_threads = 64, jobs_a_thread = 4;

}  // namespace

FileWriter::FileWriter(const SaveOptions& options, int64_t total)
    : progress_(options.progress), total_(total), sync_(options.sync), owner_(std::this_thread::get_id()) {
  size_t threads = std::min(options.threads, max_threads);
  workers_.reserve(threads);  // a thread that is started must not be lost
  try {
    for (size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::exception&) {
    // Those that could be started do the work.
  }
}

FileWriter::~FileWriter() {
  stop_ = true;
  {
    std::lock_guard<std::mutex> hold(mutex_);
    jobs_.clear();
    closing_ = true;
  }
  changed_.notify_all();
  for (std::thread& t : workers_) t.join();
}

void FileWriter::add(Job job) {
  check();
  if (alone()) {
    job(*this);
    return tell();
  }
  {
    std::unique_lock<std::mutex> hold(mutex_);
    if (jobs_.size() >= jobs_a_thread * workers_.size()) {
      jobs_.push_back(std::move(job));
      job = std::move(jobs_.front());
      jobs_.pop_front();
      hold.unlock();
      job(*this);
      return tell();
    }
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
  tell();
}

void FileWriter::finish() {
  while (!alone()) {
    std::unique_lock<std::mutex> hold(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    if (!jobs_.empty()) {
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      hold.unlock();
      job(*this);
      tell();
      continue;
    }
    if (running_ == 0) break;
    changed_.wait_for(hold, std::chrono::milliseconds(20));
    hold.unlock();
    tell();
  }
  tell(true);
}

void FileWriter::work() {
  std::unique_lock<std::mutex> hold(mutex_);
  for (;;) {
    changed_.wait(hold, [this] { return closing_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    ++running_;
    hold.unlock();
    run(job);
    job = nullptr;
    hold.lock();
    --running_;
    changed_.notify_all();
  }
}

void FileWriter::run(const Job& job) {
  try {
    if (!stop_) job(*this);
  } catch (...) {
    stop_ = true;
    std::lock_guard<std::mutex> hold(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void FileWriter::check() {
  if (!stop_) return;
  std::lock_guard<std::mutex> hold(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void FileWriter::write(const Fd& file, const void* bytes, size_t size, const std::string& where) {
  const char* next = static_cast<const char*>(bytes);
  bool here = std::this_thread::get_id() == owner_;
  while (size > 0 && !stop_) {
    size_t n = std::min(size, piece);
    write_bytes(file, next, n, where);
    next += n, size -= n;
    written_ += static_cast<int64_t>(n);
    if (here) tell();
  }
}

void FileWriter::write_at(const Fd& file, int64_t offset, const void* bytes, size_t size, const std::string& where) {
  if (stop_) return;
  write_bytes_at(file, offset, bytes, size, where);
  written_ += static_cast<int64_t>(size);
}

void FileWriter::tell(bool always) {
  if (!progress_) return;
  int64_t done = std::min<int64_t>(written_, total_), step = std::max<int64_t>(total_ / 1000, 4096);
  if (!always && done - told_ < step) return;
  told_ = done;
  progress_(done, total_);
}

}  // namespace td::storage
