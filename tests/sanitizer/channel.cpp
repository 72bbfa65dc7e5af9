// The algorithms of a channel, without LibTorch, in threads under the thread sanitizer: every member is a thread with a
// description of its own of one file, and the messages are plain memory, so that a missing order between two members is a
// race that the sanitizer sees.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/shm/member.h"
#include "core/shm/snapshot_words.h"
#include "core/shm/watch.h"
#include "tests/sanitizer/need.h"

namespace {

using namespace td::shm;

constexpr int words = 16, per_producer = 4000;

class File {
 public:
  File() : fd_(memfd_create("channel", MFD_CLOEXEC)) { need(fd_ >= 0, "memfd_create"); }
  ~File() { close(fd_); }
  td::storage::Fd description() const {
    std::string path = "/proc/self/fd/" + std::to_string(fd_);
    int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    need(fd >= 0, "open");
    return td::storage::Fd(fd);
  }

 private:
  int fd_;
};

struct Scene {
  Rules rules;
  File file;
  std::unique_ptr<Control> control{new Control()};
  uint64_t slots[max_slots][words] = {};
  std::atomic<long> published{0}, taken{0}, lost{0};
  std::atomic<int> subscribed{0};
};

void produce(Scene &s, uint64_t id) {
  Membership me(*s.control, s.rules, s.file.description());
  need(me.join(produces, id), "join");
  for (uint64_t i = 0; i < per_producer; ++i) {
    Claim c;
    Result r = me.acquire(10000, c);
    need(r == Result::done, "acquire");
    if (i % 97 == 13) {  // thinks better of it
      need(me.give_back(c) == Result::done, "give back");
      need(me.acquire(10000, c) == Result::done, "acquire again");
    }
    for (uint64_t w = 0; w < words; ++w) s.slots[c.slot][w] = id << 32 | i;
    need(me.publish(c) == Result::done, "publish");
    s.published.fetch_add(1, std::memory_order_relaxed);
  }
}

Result take_by_poll(Membership &me, Watch &watch, Claim &c) {
  for (;;) {
    pollfd p = {watch.fd(), POLLIN, 0};
    need(poll(&p, 1, 10000) == 1, "poll");
    Result r = me.take(0, c);
    watch.attempted(r != Result::done);
    if (r != Result::timeout && r != Result::deserted) return r;
  }
}

void consume(Scene &s, uint64_t id, int stints) {
  std::vector<int64_t> last(64, -1);
  for (int stint = 0;; ++stint) {
    Membership me(*s.control, s.rules, s.file.description());
    need(me.join(consumes, id), "join");
    int error = 0;
    std::unique_ptr<Watch> watch = id == 1 ? Watch::make(me, td::shm::consumes, error) : nullptr;
    need(error == 0, "a descriptor for poll");
    s.subscribed.fetch_add(1);
    uint64_t before = me.lost();
    for (int n = 0; stint + 1 >= stints || n < 300; ++n) {
      Claim c;
      Result r = watch ? take_by_poll(me, *watch, c) : me.take(10000, c);
      if (r == Result::closed) {
        s.lost.fetch_add(static_cast<long>(me.lost() - before));
        return;
      }
      need(r == Result::done, "take");
      uint64_t first = s.slots[c.slot][0];
      for (uint64_t w = 1; w < words; ++w) need(s.slots[c.slot][w] == first, "a torn message");
      int64_t seq = static_cast<int64_t>(first & 0xffffffff);
      need(seq > last[first >> 32], "a message out of its order");
      last[first >> 32] = seq;
      need(me.give_back(c) == Result::done, "give back");
      s.taken.fetch_add(1, std::memory_order_relaxed);
    }
    me.sweep();
    s.lost.fetch_add(static_cast<long>(me.lost() - before));
  }
}

void run(ChannelMode mode, Overflow overflow, uint32_t slots, int stints) {
  Scene s;
  s.rules = {mode, overflow, slots, 8, 2};
  std::vector<std::thread> consumers, producers;
  for (uint64_t i = 0; i < 2; ++i) consumers.emplace_back([&s, i, stints] { consume(s, i, stints); });
  while (s.subscribed.load() < 2) std::this_thread::yield();
  for (uint64_t i = 0; i < 2; ++i) producers.emplace_back([&s, i] { produce(s, i); });
  for (std::thread &t : producers) t.join();
  Membership closer(*s.control, s.rules, s.file.description());
  closer.close();
  for (std::thread &t : consumers) t.join();
  long taken = s.taken.load(), published = s.published.load();
  std::printf("%s, overflow %u: %ld published, %ld taken, %ld lost\n",
              mode == ChannelMode::queue ? "queue" : "broadcast", static_cast<unsigned>(overflow), published, taken,
              s.lost.load());
  if (mode == ChannelMode::queue)
    need(taken + static_cast<long>(s.control->counters[dropped].load()) == published, "messages do not add up");
  else if (stints == 1)
    need(taken + s.lost.load() == 2 * published, "messages of subscribers do not add up");
}

// A thread of a subscriber was about to claim a message that went away. A producer was killed while it published the next
// one into the slot, so the claim is had, and is taken back only when the third producer has published.
void late_claim() {
  Rules rules = {ChannelMode::broadcast, Overflow::drop_oldest, 1, 8, 2};
  std::unique_ptr<Control> control(new Control());
  Slots slots(*control, rules);
  Word &readers = control->slots[0].readers;
  constexpr unsigned subscriber = 0, killed = 1, producer = 2;
  control->consumers.store(uint64_t{1} << subscriber);
  Claim c, taken;
  need(slots.acquire(killed, c) == Result::done, "acquire");
  readers.store(reader_bits(subscriber, Reading::queued));
  need(slots.clean(killed), "clean");
  need(slots.acquire(producer, c) == Result::done, "acquire after a clean");
  readers.store(reader_bits(subscriber, Reading::claimed));
  need(slots.publish(producer, c) == Result::done, "publish");
  Result r = slots.take(subscriber, taken);  // another thread
  uint64_t claimed = reader_bits(subscriber, Reading::claimed);
  readers.compare_exchange_strong(claimed, reader_bits(subscriber, Reading::queued));  // as Slots::unclaim
  if (r == Result::none) r = slots.take(subscriber, taken);
  bool freed = false;
  need(r == Result::done, "the message is lost");
  need(slots.give_back(subscriber, taken, freed) == Result::done, "a late claim took that of another thread away");
  need(slots.take(subscriber, taken) == Result::none, "a message came twice");
}

// Who waits for a slot that a message has which may be dropped is told so: nobody else will give that slot back.
void droppable(ChannelMode mode) {
  Rules rules = {mode, Overflow::drop_oldest, 1, 8, 2};
  std::unique_ptr<Control> control(new Control());
  File file;
  Membership producer(*control, rules, file.description()), reader(*control, rules, file.description()),
      other(*control, rules, file.description());
  need(producer.join(produces, 1) && reader.join(consumes, 2) && other.join(consumes, 3), "join");
  control->freed.sleepers.store(uint64_t{1} << 7);
  Claim c;
  need(producer.acquire(0, c) == Result::done, "acquire");
  uint32_t before = control->freed.count.load();
  need(producer.publish(c) == Result::done, "publish");
  need(control->freed.count.load() != before, "nobody is woken for a slot whose message may be dropped");
  if (mode == ChannelMode::queue) return;
  control->freed.sleepers.store(uint64_t{1} << 7);
  need(reader.take(0, c) == Result::done, "take");
  before = control->freed.count.load();
  need(reader.give_back(c) == Result::done, "give back");
  need(control->freed.count.load() != before, "nobody is woken for a slot whose last reader has left it");
}

// A message may come after a take that found nothing and before the look at the descriptor: another event reports it.
void told_again() {
  Rules rules = {ChannelMode::queue, Overflow::block, 2, 8, 2};
  std::unique_ptr<Control> control(new Control());
  File file;
  Membership producer(*control, rules, file.description()), reader(*control, rules, file.description());
  need(producer.join(produces, 1) && reader.join(consumes, 2), "join");
  int error = 0;
  std::unique_ptr<Watch> watch = Watch::make(reader, consumes, error);
  need(watch != nullptr, "a descriptor for poll");
  td::storage::Fd loop(epoll_create1(EPOLL_CLOEXEC));
  epoll_event event = {EPOLLIN | EPOLLET, {}};
  need(epoll_ctl(loop.get(), EPOLL_CTL_ADD, watch->fd(), &event) == 0, "epoll_ctl");
  Claim c;
  need(producer.acquire(0, c) == Result::done && producer.publish(c) == Result::done, "publish");
  need(epoll_wait(loop.get(), &event, 1, 10000) == 1, "the message is an event");
  need(epoll_wait(loop.get(), &event, 1, 0) == 0, "it is one event");
  watch->attempted(false);
  need(epoll_wait(loop.get(), &event, 1, 0) == 0, "who took one asks again");
  watch->attempted(true);
  need(epoll_wait(loop.get(), &event, 1, 0) == 1, "who found nothing waits for an event");
}

void snapshots() {
  File file;
  std::unique_ptr<SnapshotWords> all(new SnapshotWords());
  static uint64_t buffers[4][words];
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int r = 0; r < 2; ++r)
    readers.emplace_back([&] {
      Snapshots me(*all, 4, file.description());
      uint64_t last = 0;
      while (!done.load(std::memory_order_relaxed)) {
        unsigned b;
        need(me.pin(b) == Snapshots::Found::done, "pin");
        for (int w = 1; w < words; ++w) need(buffers[b][w] == buffers[b][0], "a torn snapshot");
        need(buffers[b][0] >= last, "a snapshot older than the last");
        last = buffers[b][0];
        me.let_go(b);
      }
    });
  Snapshots writer(*all, 4, file.description());
  for (uint64_t i = 1; i <= 20000; ++i) {
    unsigned b;
    Snapshots::Found f = writer.begin(b);
    need(f == Snapshots::Found::done, "three buffers for two readers");
    for (uint64_t &w : buffers[b]) w = i;
    writer.commit(b);
  }
  done.store(true);
  for (std::thread &t : readers) t.join();
  std::printf("snapshots: 20000 updates\n");
}

}  // namespace

int main() {
  run(ChannelMode::queue, Overflow::block, 4, 1);
  run(ChannelMode::queue, Overflow::block, 3, 5);
  run(ChannelMode::queue, Overflow::drop_oldest, 3, 1);
  run(ChannelMode::broadcast, Overflow::block, 4, 1);
  run(ChannelMode::broadcast, Overflow::drop_oldest, 4, 1);
  run(ChannelMode::broadcast, Overflow::drop_oldest, 4, 5);
  late_claim();
  droppable(ChannelMode::queue);
  droppable(ChannelMode::broadcast);
  told_again();
  snapshots();
}
