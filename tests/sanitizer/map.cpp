// The algorithm of shared index maps, without LibTorch, in threads under the thread sanitizer: one thread adds rows in
// batches, takes some back, and grows the tables, the others look rows up in plain memory meanwhile.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "core/query/map_words.h"
#include "tests/sanitizer/need.h"

namespace {

using namespace td;
using namespace td::shm;

constexpr uint64_t rows = 30000, batch = 37;

int64_t hash_of(uint64_t row) {
  return static_cast<int64_t>(row * UINT64_C(0x9e3779b97f4a7c15));
}

struct Memory final : MapSpace {
  MapShape shape{rows, 512, 8};
  MapWords words{};
  std::unique_ptr<int64_t[]> all_hashes{new int64_t[rows]};
  std::unique_ptr<uint64_t[]> all_slots{new uint64_t[shape.all_slots()]};

  void hashes(uint64_t) override {}
  void slots(uint64_t begin, uint64_t end) override {
    for (uint64_t i = begin; i < end; ++i) all_slots[i] = 0;
  }
};

void read(const Memory &m, const std::atomic<bool> &done, std::atomic<uint64_t> &looks) {
  MapReader reader(m.words, m.all_hashes.get(), m.all_slots.get(), m.shape);
  std::vector<int64_t> wanted(batch), found(batch);
  uint64_t last = 0, at = 0;
  while (!done.load(std::memory_order_relaxed) || last < rows) {
    uint64_t count = reader.count();
    need(count >= last, "the map has shrunk");
    need(count % batch == 0 || count == rows, "half a batch is there");
    last = count;
    for (uint64_t i = 0; i < batch; ++i) wanted[i] = hash_of((at + i * 811) % rows);
    reader.look_up(wanted.data(), batch, found.data(), count);
    for (uint64_t i = 0; i < batch; ++i) {
      uint64_t row = (at + i * 811) % rows;
      need(found[i] == (row < count ? static_cast<int64_t>(row) : -1), "a row is not where it was put");
    }
    at = (at + 1299709) % rows;
    looks.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace

int main() {
  Memory m;
  m.slots(0, m.shape.first_slots);
  std::atomic<bool> done{false};
  std::atomic<uint64_t> looks{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) readers.emplace_back([&] { read(m, done, looks); });
  int64_t wanted[batch + 1], given[batch + 1];
  for (uint64_t at = 0; at < rows;) {
    MapWriter writer(m.words, m.all_hashes.get(), m.all_slots.get(), m.shape, m);  // the one before may have died
    need(writer.take_over(1), "take over");
    for (int i = 0; i < 20 && at < rows; ++i) {
      uint64_t n = rows - at < batch ? rows - at : batch;
      for (uint64_t j = 0; j < n; ++j) wanted[j] = hash_of(at + (j * 5) % n);
      if (i % 4 == 1) {  // thinks better of it, or dies before it is done
        need(writer.extend(wanted, n, given), "extend");
        if (i % 8 == 1) break;
        writer.undo();
      }
      for (uint64_t j = 0; j < n; ++j) wanted[j] = hash_of(at + j);
      wanted[n] = wanted[0];
      need(writer.extend(wanted, n + 1, given), "extend");
      for (uint64_t j = 0; j <= n; ++j) need(given[j] == static_cast<int64_t>(at + j % n), "another index");
      writer.keep();
      at += n;
    }
  }
  done.store(true);
  for (std::thread &t : readers) t.join();
  MapWriter writer(m.words, m.all_hashes.get(), m.all_slots.get(), m.shape, m);
  need(writer.take_over(2), "take over");
  wanted[0] = hash_of(rows);
  need(!writer.extend(wanted, 1, given), "more than the capacity");
  std::printf("map: %llu rows, %llu batches looked up\n", static_cast<unsigned long long>(rows),
              static_cast<unsigned long long>(looks.load()));
}
