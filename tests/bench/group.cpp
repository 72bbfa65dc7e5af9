// Two ranks of a group, beside the engine that carries their bytes: LibTorch's Gloo, told by hand to carry as many.
#define USE_C10D_GLOO

#include <memory>
#include <string>
#include <vector>

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <ATen/ops/ones.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"
#include "tests/unit/support/ports.h"

namespace bench {

namespace {

using Gloo = c10d::ProcessGroupGloo;
using Engine = c10::intrusive_ptr<Gloo>;
using Group = std::shared_ptr<td_group>;

std::string new_place() {
  static int count = 0;
  return "/dev/shm/td-bench-" + std::to_string(getpid()) + "-" + std::to_string(count++);
}

// Runs `serve` in another process, for ever.
template <class F>
void in_child(F serve) {
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) stop("fork");
  if (pid > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  td_after_fork();
  serve();
  _exit(0);
}

Group open_group(const std::string& place, int32_t rank) {
  td_group_options o = TD_GROUP_OPTIONS_INIT;
  o.rank = rank, o.size = 2;
  td_group* made = nullptr;
  must(td_group_open(TD_STR(("file://" + place).c_str()), &o, &made, &failure));
  return Group(made, td_group_release);
}

Engine open_engine(const std::string& place, int rank) {
  auto options = Gloo::Options::create(std::chrono::seconds(300));
  options->devices.push_back(Gloo::createDeviceForHostname("127.0.0.1"));
  return c10::make_intrusive<Gloo>(c10::make_intrusive<c10d::FileStore>(place, 2), rank, 2, options);
}

Dict leaves_of(size_t n, int64_t floats) {
  Dict d = new_dict({});
  for (size_t i = 0; i < n; ++i) {
    const std::string name = leaf_name(i);
    must(td_dict_set(d.get(), TD_KEY(name.c_str()), copy_of(at::ones({floats})).get(), &failure));
  }
  return d;
}

// There and back, as only then both sides are done.
void add_round_trip(Rows& rows, const std::string& name, size_t n, int64_t floats) {
  rows.add(name, [=](Row& row) {
    const std::string ours = new_place(), by_hand = new_place();
    const auto bytes = static_cast<int64_t>(n) * floats * 4;
    in_child([&] {
      Group group = open_group(ours, 1);
      Dict d = leaves_of(n, floats);
      for (;;) {
        if (td_dict_recv(d.get(), group.get(), 0, nullptr, nullptr) != TD_OK) return;
        if (td_dict_send(d.get(), group.get(), 0, nullptr, nullptr) != TD_OK) return;
      }
    });
    in_child([&] {
      Engine engine = open_engine(by_hand, 1);
      std::vector<at::Tensor> block{at::ones({bytes}, at::kByte)};
      try {
        for (;;) {
          engine->recv(block, 0, 0)->wait();
          engine->send(block, 0, 0)->wait();
        }
      } catch (...) {
        // The other side has gone.
      }
    });
    Group group = open_group(ours, 0);
    Engine engine = open_engine(by_hand, 0);
    Dict d = leaves_of(n, floats);
    auto block = std::make_shared<std::vector<at::Tensor>>(1, at::ones({bytes}, at::kByte));
    row.ours([=] {
         must(td_dict_send(d.get(), group.get(), 1, nullptr, nullptr));
         must(td_dict_recv(d.get(), group.get(), 1, nullptr, nullptr));
       })
        .floor("one message of as many bytes, by Gloo alone",
               [=] {
                 engine->send(*block, 1, 0)->wait();
                 engine->recv(*block, 1, 0)->wait();
               })
        .sampled();
  });
}

void add_all_reduce(Rows& rows) {
  rows.add("group all_reduce, 100 leaves of 1 KiB in a bucket", [](Row& row) {
    constexpr size_t n = 100;
    constexpr int64_t floats = 256;
    const std::string ours = new_place(), by_hand = new_place();
    td_group_reduce_options o = TD_GROUP_REDUCE_OPTIONS_INIT;
    o.bucket_bytes = 1 << 20, o.reduction = TD_GROUP_REDUCTION_MAX;  // of ones, which stay so
    in_child([&] {
      Group group = open_group(ours, 1);
      Dict d = leaves_of(n, floats);
      while (td_dict_all_reduce(d.get(), group.get(), &o, nullptr) == TD_OK) continue;
    });
    c10d::AllreduceOptions most;
    most.reduceOp = c10d::ReduceOp::MAX;
    in_child([&] {
      Engine engine = open_engine(by_hand, 1);
      std::vector<at::Tensor> block{at::ones({static_cast<int64_t>(n) * floats})};
      try {
        for (;;) engine->allreduce(block, most)->wait();
      } catch (...) {
        // The other side has gone.
      }
    });
    Group group = open_group(ours, 0);
    Engine engine = open_engine(by_hand, 0);
    Dict d = leaves_of(n, floats);
    auto block = std::make_shared<std::vector<at::Tensor>>(1, at::ones({static_cast<int64_t>(n) * floats}));
    row.ours([=] { must(td_dict_all_reduce(d.get(), group.get(), &o, nullptr)); })
        .floor("one all_reduce of as many numbers, by Gloo alone", [=] { engine->allreduce(*block, most)->wait(); })
        .sampled();
  });
}

// What a producer in another process publishes as fast as it is taken. Each sample is of `many` messages, so that those
// that lie ready when it begins do not count.
void add_channel(Rows& rows, const std::string& name, int64_t floats, int32_t slots, int many) {
  rows.add(name, [=](Row& row) {
    constexpr size_t window = 8;
    const std::string by_hand = new_place(), port = std::to_string(free_port());
    if (port == "0") stop("a port");
    in_child([&] {
      td_channel* channel = nullptr;
      td_channel_open_options o = TD_CHANNEL_OPEN_OPTIONS_INIT;
      o.timeout_ms = 60000;
      const std::string address = "tcp://127.0.0.1:" + port + "/bench";
      if (td_channel_open(TD_STR(address.c_str()), TD_CHANNEL_ROLE_PRODUCES, &o, &channel, nullptr) != TD_OK) return;
      td_message* message = nullptr;
      while (td_channel_acquire(channel, -1, nullptr, &message, nullptr) == TD_OK) {
        td_message_publish(message, nullptr);
        td_message_release(message);
      }
    });
    in_child([&] {
      Engine engine = open_engine(by_hand, 1);
      std::vector<at::Tensor> blocks[window];
      c10::intrusive_ptr<c10d::Work> works[window];
      for (auto& block : blocks) block = {at::ones({floats * 4}, at::kByte)};
      try {
        for (size_t next = 0;; next = (next + 1) % window) {
          if (works[next]) works[next]->wait();
          works[next] = engine->send(blocks[next], 0, 0);
        }
      } catch (...) {
        // The other side has gone.
      }
    });
    td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
    o.roles = TD_CHANNEL_ROLE_CONSUMES, o.slots = slots;
    td_channel* made = nullptr;
    const std::string address = "tcp://0.0.0.0:" + port + "/bench";
    must(td_channel_create(TD_STR(address.c_str()), leaves_of(1, floats).get(), &o, &made, &failure));
    const std::shared_ptr<td_channel> channel(made, td_channel_release);
    struct Hand {
      Engine engine;
      std::vector<at::Tensor> blocks[window];
      c10::intrusive_ptr<c10d::Work> works[window];
      size_t next = 0;
      void take() {
        works[next]->wait();
        works[next] = engine->recv(blocks[next], 1, 0);
        next = (next + 1) % window;
      }
    };
    auto hand = std::make_shared<Hand>();
    hand->engine = open_engine(by_hand, 0);
    for (size_t i = 0; i < window; ++i) {
      hand->blocks[i] = {at::ones({floats * 4}, at::kByte)};
      hand->works[i] = hand->engine->recv(hand->blocks[i], 1, 0);
    }
    row.ours_timed([=](int) {
         auto take = [&] {
           td_message* message = nullptr;
           must(td_channel_take(channel.get(), -1, nullptr, &message, &failure));
           td_message_release(message);
         };
         for (int i = 0; i < 2 * slots; ++i) take();
         const double begin = wall_ns();
         for (int i = 0; i < many; ++i) take();
         return (wall_ns() - begin) / many;
       })
        .floor_timed("a message of as many bytes, eight at once, by Gloo alone", [=](int) {
          for (size_t i = 0; i < window; ++i) hand->take();
          const double begin = wall_ns();
          for (int i = 0; i < many; ++i) hand->take();
          return (wall_ns() - begin) / many;
        });
  });
}

}  // namespace

void add_group_rows(Rows& rows) {
  add_round_trip(rows, "group round trip, 1 leaf of 1 KiB", 1, 256);
  add_round_trip(rows, "group round trip, 100 leaves of 1 KiB", 100, 256);
  add_round_trip(rows, "group round trip, 1 leaf of 4 MiB", 1, 1 << 20);
  add_all_reduce(rows);
  add_channel(rows, "channel over TCP, 1 MiB", 1 << 18, 8, 100);
  add_channel(rows, "channel over TCP, 1 KiB, 64 slots", 256, 64, 10000);
}

}  // namespace bench
