// Round trips through channels: a message to a process that answers each with one of 8 bytes, so twice a hand-over, which is
// acquire, publish, take and release. The first floor carries a word there and back, the others the message and a word.
#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/interprocess/ipc/message_queue.hpp>

#include "tests/bench/channels.h"
#include "tests/bench/harness.h"

namespace bench {

namespace {

namespace ipc = boost::interprocess;

void receive(td_channel* ch) {
  td_message* m = nullptr;
  must(td_channel_take(ch, -1, NULL, &m, nullptr));
  td_message_release(m);
}

// This process on one CPU and its peers on another, where there are two, so that nobody moves one of them to the other's;
// the CPUs of before when this object goes.
class Apart {
 public:
  Apart() {
    sched_getaffinity(0, sizeof before_, &before_);
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &before_)) cpus.push_back(cpu);
    if (cpus.size() < 2) return;
    other() = cpus[1];
    stay_on(cpus[0]);
  }
  ~Apart() {
    sched_setaffinity(0, sizeof before_, &before_);
    other() = -1;
  }
  static void join_peers() {
    if (other() >= 0) stay_on(other());
  }

 private:
  static int& other() {
    static int cpu = -1;
    return cpu;
  }
  static void stay_on(int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  cpu_set_t before_;
};

// A process that runs `body` until this object goes.
std::shared_ptr<void> peer(const std::function<void()>& body) {
  pid_t pid = fork();
  if (pid < 0) stop("fork");
  if (pid == 0) {
    Apart::join_peers();
    td_after_fork();
    body();
    _exit(0);
  }
  return std::shared_ptr<void>(nullptr, [pid](void*) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  });
}

struct alignas(128) Lane {
  std::atomic<uint64_t> word{0};
};
struct Lanes {
  Lane there, back;
};

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// Spins; naps when nothing has come for so long that another part must be running.
void raw_answers(Lanes& lanes) {
  for (uint64_t next = 1;; ++next) {
    for (int idle = 0; lanes.there.word.load(std::memory_order_acquire) != next; ++idle)
      idle > 20000 ? static_cast<void>(usleep(1000)) : relax();
    lanes.back.word.store(next, std::memory_order_release);
  }
}

void add_raw_floor(Row& row) {
  auto* memory = mmap(nullptr, sizeof(Lanes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) stop("mmap");
  auto* lanes = new (memory) Lanes;
  std::shared_ptr<void> other = peer([=] { raw_answers(*lanes); });
  auto next = std::make_shared<uint64_t>(0);
  row.floor("a spin on shared words", [=, keep = other] {
    lanes->there.word.store(++*next, std::memory_order_release);
    while (lanes->back.word.load(std::memory_order_acquire) != *next) relax();
  });
}

bool read_all(int fd, std::vector<char>& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t n = read(fd, bytes.data() + done, bytes.size() - done);
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

bool write_all(int fd, const std::vector<char>& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

// The message goes there, a word comes back; nothing but a channel hands over a message without copying it.
void add_pipe_floor(Row& row, size_t size) {
  int there[2], back[2];
  if (pipe(there) || pipe(back)) stop("pipe");
  std::shared_ptr<void> other = peer([=] {
    std::vector<char> message(size), word(8);
    while (read_all(there[0], message) && write_all(back[1], word)) {
    }
  });
  auto message = std::make_shared<std::vector<char>>(size);
  row.floor("pipes", [=, keep = other] {
    std::vector<char> word(8);
    if (!write_all(there[1], *message) || !read_all(back[0], word)) stop("pipe");
  });
}

void add_queue_floor(Row& row, size_t size) {
  using Queue = ipc::message_queue;
  std::string to = channel_name("queue.there"), from = channel_name("queue.back");
  auto there = std::make_shared<Queue>(ipc::create_only, to.c_str(), 2, size);
  auto back = std::make_shared<Queue>(ipc::create_only, from.c_str(), 2, 8);
  std::shared_ptr<void> other = peer([=] {
    std::vector<char> message(size);
    uint64_t word = 1;
    Queue::size_type n;
    unsigned priority;
    for (;;) {
      there->receive(message.data(), size, n, priority);
      back->send(&word, sizeof word, 0);
    }
  });
  Queue::remove(to.c_str());
  Queue::remove(from.c_str());
  auto message = std::make_shared<std::vector<char>>(size);
  row.floor("boost message_queue", [=, keep = other] {
    uint64_t word;
    Queue::size_type n;
    unsigned priority;
    there->send(message->data(), size, 0);
    back->receive(&word, sizeof word, n, priority);
  });
}

void add_round_trip(Rows& rows, const std::string& size_name, int64_t size) {
  rows.add("channel round trip, " + size_name, [=](Row& row) {
    auto apart = std::make_shared<Apart>();
    std::string to = channel_name("there"), from = channel_name("back");
    ChannelHandle out = make_channel(to, bytes_dict(size), 2, TD_CHANNEL_ROLE_PRODUCES);
    ChannelHandle in = make_channel(from, bytes_dict(8), 2, TD_CHANNEL_ROLE_CONSUMES);
    std::shared_ptr<void> other = peer([=] {
      td_channel *questions = nullptr, *answers = nullptr;
      must(td_channel_open(TD_STR(to.c_str()), TD_CHANNEL_ROLE_CONSUMES, nullptr, &questions, nullptr));
      must(td_channel_open(TD_STR(from.c_str()), TD_CHANNEL_ROLE_PRODUCES, nullptr, &answers, nullptr));
      for (;;) {
        receive(questions);
        send(answers);
      }
    });
    row.sampled().repeat_at_most(size < (1 << 24) ? 15 : 5).ours([=, keep = other, held = apart] {
      send(out.get());
      receive(in.get());
    });
    add_raw_floor(row);
    add_pipe_floor(row, static_cast<size_t>(size));
    add_queue_floor(row, static_cast<size_t>(size));
  });
}

}  // namespace

void add_round_trip_rows(Rows& rows) {
  add_round_trip(rows, "1 KiB", 1 << 10);
  add_round_trip(rows, "1 MiB", 1 << 20);
  add_round_trip(rows, "16 MiB", 1 << 24);
  add_round_trip(rows, "256 MiB", int64_t{1} << 28);
}

}  // namespace bench
