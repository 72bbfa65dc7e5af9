// Channels. A round trip is a message to a process that answers each with one of 8 bytes; the first floor carries a word
// there and back, the others the message and a word. Wall time, as those that sleep take little of the CPU's.
#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ATen/ops/from_blob.h>
#include <boost/interprocess/ipc/message_queue.hpp>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

namespace ipc = boost::interprocess;

std::string channel_name(const std::string& what) {
  return "td.bench." + std::to_string(getpid()) + "." + what;
}

using ChannelHandle = std::shared_ptr<td_channel>;

ChannelHandle make_channel(const std::string& name, const Dict& schema, int slots, td_channel_role roles) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = slots;
  o.roles = roles;
  td_channel* made = nullptr;
  must(td_channel_create(TD_STR(name.c_str()), schema.get(), &o, &made, &failure));
  return ChannelHandle(made, td_channel_release);
}

Dict bytes_dict(int64_t size) {
  Dict d = new_dict({});
  td_tensor* t = nullptr;
  must(td_tensor_zeros(&size, 1, TD_UINT8, TD_NO_STR, &t, &failure));
  must(td_dict_set(d.get(), TD_KEY("bytes"), own(t).get(), &failure));
  return d;
}

void send(td_channel* ch) {
  td_message* m = nullptr;
  must(td_channel_acquire(ch, -1, &m, nullptr));
  must(td_message_publish(m, nullptr));
  td_message_release(m);
}

void receive(td_channel* ch) {
  td_message* m = nullptr;
  must(td_channel_take(ch, -1, &m, nullptr));
  td_message_release(m);
}

// A process that runs `body` until this object goes.
std::shared_ptr<void> peer(const std::function<void()>& body) {
  pid_t pid = fork();
  if (pid < 0) stop("fork");
  if (pid == 0) {
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

// Spins; naps when nothing has come for so long that another row must be running.
void raw_answers(Lanes& lanes) {
  for (uint64_t next = 1;; ++next) {
    for (int idle = 0; lanes.there.word.load(std::memory_order_acquire) != next; ++idle)
      if (idle > 20000) usleep(50);
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
    while (lanes->back.word.load(std::memory_order_acquire) != *next) {
    }
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
  auto there = std::make_shared<Queue>(ipc::create_only, to.c_str(), 8, size);
  auto back = std::make_shared<Queue>(ipc::create_only, from.c_str(), 8, 8);
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
    std::string to = channel_name("there"), from = channel_name("back");
    ChannelHandle out = make_channel(to, bytes_dict(size), size < (1 << 24) ? 4 : 1, TD_CHANNEL_PRODUCES);
    ChannelHandle in = make_channel(from, bytes_dict(8), 4, TD_CHANNEL_CONSUMES);
    std::shared_ptr<void> other = peer([=] {
      td_channel *questions = nullptr, *answers = nullptr;
      must(td_channel_open(TD_STR(to.c_str()), TD_CHANNEL_CONSUMES, &questions, nullptr));
      must(td_channel_open(TD_STR(from.c_str()), TD_CHANNEL_PRODUCES, &answers, nullptr));
      for (;;) {
        receive(questions);
        send(answers);
      }
    });
    row.wall_time().repeat_at_most(size < (1 << 24) ? 15 : 5).ours([=, keep = other] {
      send(out.get());
      receive(in.get());
    });
    add_raw_floor(row);
    add_pipe_floor(row, static_cast<size_t>(size));
    add_queue_floor(row, static_cast<size_t>(size));
  });
}

void add_take(Rows& rows) {
  rows.add("channel take, 10 views", [](Row& row) {
    Tensors leaves = random_leaves(10);
    ChannelHandle ch =
        make_channel(channel_name("views"), dict_of(leaves, 128), 4, TD_CHANNEL_PRODUCES + TD_CHANNEL_CONSUMES);
    row.ours([=] {
         send(ch.get());
         td_message* m = nullptr;
         td_dict* d = nullptr;
         must(td_channel_take(ch.get(), -1, &m, nullptr));
         must(td_message_dict(m, &d, nullptr));
         td_dict_release(d);
         td_message_release(m);
       })
        .floor("from_blob for each leaf", [=] {
          each(leaves, [](const at::Tensor& t) { return at::from_blob(t.data_ptr(), t.sizes(), [](void*) {}); });
        });
  });
}

void add_snapshot(Rows& rows) {
  rows.add("segment snapshot, 10 leaves", [](Row& row) {
    Tensors leaves = random_leaves(10);
    td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
    o.snapshots = 3;
    td_segment* made = nullptr;
    must(td_segment_create(TD_STR(channel_name("snapshot").c_str()), dict_of(leaves, 128).get(), &o, &made, &failure));
    std::shared_ptr<td_segment> segment(made, td_segment_release);
    row.ours([=] {
         td_dict* d = nullptr;
         must(td_segment_snapshot(segment.get(), &d, nullptr));
         td_dict_release(d);
       })
        .floor("a copy of each leaf", [=] { each(leaves, [](const at::Tensor& t) { return t.clone(); }); });
  });
}

}  // namespace

void add_channel_rows(Rows& rows) {
  add_round_trip(rows, "1 KiB", 1 << 10);
  add_round_trip(rows, "1 MiB", 1 << 20);
  add_round_trip(rows, "256 MiB", int64_t{1} << 28);
  add_take(rows);
  add_snapshot(rows);
}

}  // namespace bench
