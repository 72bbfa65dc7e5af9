#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "check.hpp"

using namespace tensordict;

namespace {

bool has_groups() {
  if (has_feature("group")) return true;
  std::printf("SKIPPED, NOTHING WAS TESTED: the library was built without groups\n");
  return false;
}

// Runs `body` in n forked processes. Each of them must give back what it got.
template <class F>
void run_processes(int n, F body) {
  std::vector<pid_t> children;
  std::fflush(stdout);
  for (std::int32_t rank = 0; rank < n; ++rank) {
    children.push_back(fork());
    if (children.back()) continue;
    after_fork();
    const int before = check::failed();
    try {
      body(rank);
    } catch (const std::exception& e) {
      check::fail(__FILE__, __LINE__, "rank " + std::to_string(rank) + " threw: " + e.what());
    }
    for (const td_object_kind kind : {TD_OBJECT_GROUP, TD_OBJECT_WORK, TD_OBJECT_DICT, TD_OBJECT_CANCEL})
      CHECK_EQ(live_objects(kind), 0);
    std::fflush(stdout);
    _exit(check::failed() != before);
  }
  for (const pid_t child : children) {
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
  }
}

GroupOptions options_of(std::int32_t rank, std::int32_t size) {
  GroupOptions options;
  options.rank = rank, options.size = size;
  options.timeout = Timeout(60000);
  return options;
}

// One that was free a moment ago.
int free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  CHECK(bind(fd, any, size) == 0 && getsockname(fd, any, &size) == 0);
  close(fd);
  return ntohs(address.sin_port);
}

// Two ranks that meet in a file.
template <class F>
void run_ranks(F body) {
  if (!has_groups()) return;
  const check::TemporaryDirectory directory;
  const std::string store = "file://" + directory / "meet";
  run_processes(2, [&](std::int32_t rank) {
    const Group group = Group::open(store, options_of(rank, 2));
    body(group, rank);
    group.barrier();  // none leaves before the other is done
  });
}

Dict batch(float value) {
  return Dict({{"a", Tensor::full({2, 3}, value)}, {{"below", "n"}, Tensor::full({2}, value + 1)}}, {2});
}

bool is_batch_of(const Dict& td, float value) {
  return td.count() == 2 && td.get("a").to_vector<float>() == std::vector<float>(6, value) &&
         td.get({"below", "n"}).to_vector<float>() == std::vector<float>(2, value + 1);
}

}  // namespace

TEST(group, ranks_meet_and_share_values) {
  run_ranks([](const Group& group, std::int32_t rank) {
    CHECK_EQ(group.rank(), rank);
    CHECK_EQ(group.size(), 2u);
    if (rank == 1) group.set("who", std::string("one\0more", 8));
    CHECK_EQ(group.get("who"), std::string("one\0more", 8));
    group.add("n", rank + 1);
    group.barrier();
    CHECK_EQ(group.add("n", 0), 3);
    group.barrier();
    if (rank == 0) CHECK(group.remove("who"));
    group.barrier();
    CHECK(!group.remove("who"));
    CHECK_THROWS(NotFoundError, group.get("who", Timeout(0)));
    CHECK_THROWS(TimeoutError, group.get("who", Timeout(10)));
    CHECK_THROWS(ArgumentError, group.set("", "x"));
    const Cancel stop;
    stop.request();
    CHECK_THROWS(CancelledError, group.get("who", forever, &stop));
    const Group same = group.share();
    CHECK(same.is(group) && same.get() == group.get());
  });
}

TEST(group, options_reach_the_library) {
  if (!has_groups()) return;
  const check::TemporaryDirectory directory;
  const std::string store = "file://" + directory / "meet";
  run_processes(1, [&](std::int32_t) {
    CHECK_THROWS(ArgumentError, Group::open("somewhere", options_of(0, 1)));
    CHECK_THROWS(ArgumentError, Group::open(store));  // it has no size
    CHECK_THROWS(ArgumentError, Group::open(store, options_of(2, 2)));
    unsetenv("MASTER_ADDR");
    CHECK_THROWS(ArgumentError, Group::open("env://"));

    const Group first = Group::open(store, options_of(0, 1));
    CHECK_THROWS(ExistsError, Group::open(store, options_of(0, 1)));
    GroupOptions options = options_of(0, 1);
    options.prefix = "another";
    const Group second = Group::open(store, options);
    first.set("k", "v");
    CHECK_EQ(second.get("k", Timeout(0)), "v");

    options.prefix = "third";
    options.address = "no such machine.invalid";
    CHECK_THROWS(Error, Group::open(store, options));

    options = options_of(1, 3);
    options.prefix = "fourth";
    options.timeout = Timeout(200);
    const std::string text = CHECK_THROWS(TimeoutError, Group::open(store, options));
    CHECK(text.find("200 ms: 0, 2") != std::string::npos);

    const std::string name = CHECK_THROWS(Error, Group::adopt_stock("no such group", true));
    CHECK(!name.empty());
    CHECK_THROWS(ArgumentError, Group::adopt_stock(""));
  });
}

TEST(group, a_rank_serves_a_store) {
  if (!has_groups()) return;
  const std::string store = "tcp://127.0.0.1:" + std::to_string(free_port());
  run_processes(1, [&](std::int32_t) {
    GroupOptions options = options_of(0, 1);
    options.timeout = Timeout(300);
    CHECK_THROWS(TimeoutError, Group::open(store, options));  // the other rank does not come
    options.timeout = Timeout(60000);
    options.serve = options.serve_everywhere = true;
    const Group group = Group::open(store, options);
    CHECK_EQ(group.add("n", 2), 2);
  });
}

TEST(group, dicts_are_sent_and_received) {
  run_ranks([](const Group& group, std::int32_t rank) {
    TransferOptions first, second;
    first.tag = 1, first.by_leaf = first.pseudo_rand = true;
    second.tag = 2;
    if (rank == 0) {
      batch(3).send(group, 1);
      group.barrier();
      batch(4).send(group, 1, first);
      batch(5).send(group, 1, second);
      Dict({2}).send(group, 1);
      batch(6).send(group, 1);
    } else {
      Dict td = batch(0);
      td.lock();
      CHECK(td.recv(group, 0).is(td));
      CHECK(is_batch_of(td, 3));
      group.barrier();
      td.recv(group, 0, first);
      CHECK(is_batch_of(td, 4));
      td.recv(group, 0, second);
      CHECK(is_batch_of(td, 5));
      CHECK_THROWS(ShapeError, td.recv(group, 0));
      CHECK(is_batch_of(td, 5));
      td.recv(group, 0);
      CHECK(is_batch_of(td, 6));
    }
    Dict td = batch(0);
    first.tag = -1;
    CHECK_THROWS(ArgumentError, td.send(group, 1 - rank, first));
    CHECK_THROWS(ArgumentError, td.recv(group, 1 - rank, first));
    CHECK_THROWS(ArgumentError, td.isend(group, 1 - rank, first));
    CHECK_THROWS(ArgumentError, td.irecv(group, 1 - rank, first));
    CHECK_THROWS(ArgumentError, td.send(group, rank));
    CHECK_THROWS(ArgumentError, td.recv(group, 2));
  });
}

TEST(group, tags_keep_transfers_apart) {
  run_ranks([](const Group& group, std::int32_t rank) {
    TransferOptions tagged;
    tagged.tag = 7;
    if (rank == 0) {
      const Work work = batch(1).isend(group, 1, tagged);
      batch(2).send(group, 1);
      work.wait();
      CHECK(work.done());
    } else {
      Dict td = batch(0), late = batch(0);
      td.recv(group, 0);
      late.irecv(group, 0, tagged).wait();
      CHECK(is_batch_of(td, 2));
      CHECK(is_batch_of(late, 1));
    }
  });
}

TEST(group, transfers_are_waited_for_later) {
  run_ranks([](const Group& group, std::int32_t rank) {
    if (rank == 1) {
      std::optional<Dict> td(batch(0));
      const Dict same = td->share();
      const Work work = td->irecv(group, 0);
      td.reset();  // the work keeps the dict
      CHECK(!work.done());
      CHECK_THROWS(TimeoutError, work.wait(Timeout(0)));
      const Cancel stop;
      stop.request();
      CHECK_THROWS(CancelledError, work.wait(forever, &stop));
      CHECK(is_batch_of(same, 0));
      group.barrier();
      work.wait(Timeout(60000));
      CHECK(work.done());
      CHECK(is_batch_of(same, 8));
      batch(0).irecv(group, 0);  // never waited for
      CHECK_THROWS(ShapeError, batch(0).irecv(group, 0).wait());
    } else {
      group.barrier();
      Dict td = batch(8);
      const Work work = td.isend(group, 1);
      td.zero_();  // too late to matter
      work.wait();
      batch(9).isend(group, 1);
      Dict({2}).isend(group, 1).wait();
    }
  });
}

TEST(group, dicts_arrive_with_their_structure) {
  run_ranks([](const Group& group, std::int32_t rank) {
    if (rank == 0) {
      Dict td = batch(2);
      td.set({"below", "task"}, "digits");
      td.init_remote(group, 1);
    } else {
      const Dict td = Dict::from_remote_init(group, 0);
      CHECK(is_batch_of(td, 2));
      CHECK_EQ(td.data({"below", "task"})[0].text(), "digits");
    }
    const Dict weights = batch(5);
    const Dict mine = Dict::broadcast(rank == 1 ? &weights : nullptr, group, 1);
    CHECK(is_batch_of(mine, 5) && !mine.is(weights));
    CHECK_THROWS(ArgumentError, Dict::broadcast(&weights, group, 2));
  });
}

TEST(group, dicts_are_reduced) {
  run_ranks([](const Group& group, std::int32_t rank) {
    const float mine = rank == 0 ? 2 : 3;
    const auto reduced = [&](GroupReduction reduction, std::int64_t bucket_bytes) {
      GroupReduceOptions options;
      options.reduction = reduction;
      options.bucket_bytes = bucket_bytes;
      Dict td({{"x", Tensor::full({2}, mine)}, {"y", Tensor::full({2}, 10 * mine)}}, {2});
      CHECK(td.all_reduce(group, options).is(td));
      return std::vector<float>{td.get("x")[1].item<float>(), td.get("y")[1].item<float>()};
    };
    CHECK(reduced(GroupReduction::sum, 0) == std::vector<float>({5, 50}));
    CHECK(reduced(GroupReduction::product, 1 << 20) == std::vector<float>({6, 600}));
    CHECK(reduced(GroupReduction::min, 0) == std::vector<float>({2, 20}));
    CHECK(reduced(GroupReduction::max, 8) == std::vector<float>({3, 30}));
    GroupReduceOptions wrong;
    wrong.bucket_bytes = -1;
    Dict td({{"x", Tensor::full({2}, mine)}}, {2});
    CHECK_THROWS(Error, td.all_reduce(group, wrong));
    td.all_reduce(group);
    CHECK_EQ(td.get("x")[0].item<float>(), 5.f);
    td.reduce_to(group, 1);
    CHECK_EQ(td.get("x")[0].item<float>(), rank == 1 ? 10.f : 5.f);
    GroupReduceOptions smallest;
    smallest.reduction = GroupReduction::min;
    td.reduce_to(group, 1, smallest);
    CHECK_EQ(td.get("x")[0].item<float>(), 5.f);
  });
}

TEST(group, dicts_are_gathered) {
  run_ranks([](const Group& group, std::int32_t rank) {
    Dict mine = batch(static_cast<float>(rank));
    if (rank == 1) mine.set("more", Tensor::zeros({2}));
    const std::vector<Dict> all = mine.all_gather(group);
    CHECK_EQ(all.size(), 2u);
    CHECK(is_batch_of(all[0], 0));
    CHECK(all[1].contains("more") && all[1].count() == 3);

    Dict one({{"a", Tensor::full({2}, rank + 1)}}, {2}), rows({{"a", Tensor::zeros({1, 2})}}, {1, 2});
    Dict& target = rank == 0 ? rows : one;
    CHECK(target.gather_and_stack(group, 0).is(target));
    CHECK(target.get("a").to_vector<float>() == std::vector<float>({2, 2}));
  });
}

TEST(group, a_rank_that_has_gone_is_closed) {
  if (!has_groups()) return;
  const check::TemporaryDirectory directory;
  const std::string store = "file://" + directory / "meet";
  run_processes(2, [&](std::int32_t rank) {
    const Group group = Group::open(store, options_of(rank, 2));
    group.barrier();
    if (rank == 1) return;
    Dict td = batch(0);
    CHECK_THROWS(ClosedError, td.recv(group, 1));
    CHECK(is_batch_of(td, 0));
  });
}
