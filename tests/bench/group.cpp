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

}  // namespace

void add_group_rows(Rows& rows) {
  add_round_trip(rows, "group round trip, 1 leaf of 1 KiB", 1, 256);
  add_round_trip(rows, "group round trip, 100 leaves of 1 KiB", 100, 256);
  add_round_trip(rows, "group round trip, 1 leaf of 4 MiB", 1, 1 << 20);
  add_all_reduce(rows);
}

}  // namespace bench
