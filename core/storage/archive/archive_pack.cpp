#include "core/storage/archive/archive_pack.h"

#include <algorithm>
#include <memory>
#include <new>
#include <system_error>

#include "core/error.h"
#include "core/storage/archive/zip.h"
#include "core/tensor/memory.h"

namespace td::storage {

namespace {

constexpr size_t largest_part = size_t{16} << 20, step = size_t{256} << 10;
constexpr size_t max_packers = 64, ahead_of_turn = size_t{64} << 20;  // for each thread

// A worker that is not wanted any more.
struct Stopped {};

// `goes_on` is asked now and then: what compresses well gives no bytes for long.
uint32_t pack_file(const PlannedFile& f, Compression how, const Part& out, const std::function<void()>& goes_on) {
  std::unique_ptr<Encoder> encoder = make_encoder(how);
  uint32_t crc = 0;
  for_each_part(f, [&](const void* bytes, size_t size) {
    for (const char* p = static_cast<const char*>(bytes); size > 0;) {
      size_t n = std::min(size, step);
      goes_on();
      crc = zip::crc32(crc, p, n);
      encoder->pack(p, n, false, out);
      p += n, size -= n;
    }
  });
  encoder->pack(nullptr, 0, true, out);
  return crc;
}

}  // namespace

void for_each_part(const PlannedFile& f, const Part& part) {
  auto cut = [&](const char* p, size_t size) {
    for (; size > 0; size -= std::min(size, largest_part)) {
      part(p, std::min(size, largest_part));
      p += std::min(size, largest_part);
    }
  };
  for (const at::Tensor& t : f.tensors) {
    at::Tensor d = dense(t);
    if (d.numel() > 0) cut(static_cast<const char*>(data(d)), static_cast<size_t>(d.numel()) * d.element_size());
  }
  cut(f.text.data(), f.text.size());
  if (!f.tensors.empty() || !f.text.empty()) return;
  static constexpr char nothing[4096] = {};
  for (int64_t left = f.bytes; left > 0; left -= static_cast<int64_t>(sizeof nothing))
    part(nothing, static_cast<size_t>(std::min<int64_t>(left, sizeof nothing)));
}

Packer::Packer(std::vector<const PlannedFile*> files, Compression compression, size_t threads)
    : files_(std::move(files)), compression_(compression), streams_(files_.size()) {
  threads = std::min({threads, max_packers, files_.size()});
  max_held_ = threads * ahead_of_turn;
  if (threads <= 1) return;
  try {
    for (size_t i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // Those that could be started do the work, or the caller.
  }
}

Packer::~Packer() {
  {
    std::lock_guard<std::mutex> hold(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (std::thread& t : workers_) t.join();
}

uint32_t Packer::next(const Part& out) {
  if (workers_.empty()) return pack_file(*files_[taken_++], compression_, out, [] {});
  std::unique_lock<std::mutex> hold(mutex_);
  Stream& s = streams_[taken_++];
  changed_.notify_all();  // its maker need not wait for room any more
  for (;;) {
    changed_.wait(hold, [&] { return !s.parts.empty() || s.ended; });
    if (s.parts.empty()) break;
    std::string part = std::move(s.parts.front());
    s.parts.pop_front();
    held_ -= part.size();
    hold.unlock();
    out(part.data(), part.size());
    hold.lock();
  }
  if (s.failure) std::rethrow_exception(s.failure);
  return s.crc;
}

void Packer::work() {
  for (;;) {
    size_t i;
    {
      std::lock_guard<std::mutex> hold(mutex_);
      if (stop_ || begun_ == files_.size()) return;
      i = begun_++;
    }
    std::exception_ptr failure;
    uint32_t crc = 0;
    try {
      crc = pack_file(
          *files_[i], compression_, [&](const void* bytes, size_t size) { keep(i, bytes, size); }, [this] { check(); });
    } catch (const Stopped&) {
      return;
    } catch (...) {
      failure = std::current_exception();
    }
    std::lock_guard<std::mutex> hold(mutex_);
    streams_[i].crc = crc;
    streams_[i].failure = failure;
    streams_[i].ended = true;
    changed_.notify_all();
  }
}

void Packer::check() {
  std::lock_guard<std::mutex> hold(mutex_);
  if (stop_) throw Stopped();
}

// Files are begun in their order, so the one whose turn it is never waits for those behind it.
void Packer::keep(size_t i, const void* bytes, size_t size) {
  std::string part(static_cast<const char*>(bytes), size);
  std::unique_lock<std::mutex> hold(mutex_);
  changed_.wait(hold, [&] { return stop_ || i < taken_ || held_ + size <= max_held_; });
  if (stop_) throw Stopped();
  held_ += size;
  streams_[i].parts.push_back(std::move(part));
  if (i < taken_) changed_.notify_all();
}

}  // namespace td::storage
