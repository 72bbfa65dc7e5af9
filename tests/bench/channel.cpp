// Channels and snapshots, but for the round trips.
#include <atomic>
#include <memory>
#include <string>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ATen/ops/from_blob.h>

#include "tests/bench/channels.h"
#include "tests/bench/harness.h"

namespace bench {

namespace {

// From the signal to the slot that the killed process held, while this one waits for it.
double recover(td_channel* ch, const std::string& name, std::atomic<int>& holds) {
  holds.store(0);
  pid_t pid = fork();
  if (pid < 0) stop("fork");
  if (pid == 0) {
    td_after_fork();
    td_channel* mine = nullptr;
    td_message* m = nullptr;
    must(td_channel_open(TD_STR(name.c_str()), TD_CHANNEL_ROLE_PRODUCES, nullptr, &mine, nullptr));
    must(td_channel_acquire(mine, -1, NULL, &m, nullptr));
    holds.store(1);
    for (;;) pause();
  }
  while (!holds.load()) usleep(100);
  double start = wall_ns();
  kill(pid, SIGKILL);
  td_message* m = nullptr;
  must(td_channel_acquire(ch, -1, NULL, &m, nullptr));
  double took = wall_ns() - start;
  td_message_release(m);
  waitpid(pid, nullptr, 0);
  return took;
}

double kill_and_wait() {
  pid_t pid = fork();
  if (pid < 0) stop("fork");
  if (pid == 0)
    for (;;) pause();
  double start = wall_ns();
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  return wall_ns() - start;
}

void add_recovery(Rows& rows) {
  rows.add("channel recovery after SIGKILL", [](Row& row) {
    std::string name = channel_name("killed");
    ChannelHandle ch = make_channel(name, bytes_dict(1 << 10), 1, TD_CHANNEL_ROLE_PRODUCES);
    auto* holds = static_cast<std::atomic<int>*>(
        mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (holds == MAP_FAILED) stop("mmap");
    row.ours_timed([=](int) { return recover(ch.get(), name, *holds); })
        .floor_timed("the end of a killed process", [](int) { return kill_and_wait(); });
  });
}

void add_take(Rows& rows) {
  rows.add("channel take, 10 views", [](Row& row) {
    Tensors leaves = random_leaves(10);
    ChannelHandle ch = make_channel(channel_name("views"), dict_of(leaves, 128), 4,
                                    TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES);
    row.ours([=] {
         send(ch.get());
         td_message* m = nullptr;
         td_dict* d = nullptr;
         must(td_channel_take(ch.get(), -1, NULL, &m, nullptr));
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
  add_recovery(rows);
  add_take(rows);
  add_snapshot(rows);
}

}  // namespace bench
