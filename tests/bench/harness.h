// Rows of the benchmark: what a call of ours takes, beside its floors, which do the same work by hand with LibTorch, a
// C++ container or the system. All of a row runs in one process, interleaved, so that a busy machine slows all of it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace bench {

double wall_ns();

class Row {
 public:
  using Loop = std::function<void(benchmark::State&)>;
  using Sample = std::function<double(int calls)>;  // nanoseconds of one of so many calls, on the clock on the wall
  struct Part {
    std::string how;
    Loop loop;
    Sample sample;
  };

  // The library's call; `body` is run many times and releases what it makes.
  template <class F>
  Row& ours(F body) {
    ours_ = {"ours", loop(body), sample(body)};
    return *this;
  }
  // The same work by hand; `how` is shown in the table. The first floor is the one to be near.
  template <class F>
  Row& floor(std::string how, F body) {
    floors_.push_back({std::move(how), loop(body), sample(body)});
    return *this;
  }

  // Of rows that wait for another process or thread: short samples on the clock on the wall, of which the table has the
  // median and the 99th percentile, as a mean would say how often the machine made one of the two wait.
  Row& sampled() {
    sampled_ = true;
    return *this;
  }
  // The same for what only `body` can time, which returns nanoseconds.
  Row& ours_timed(Sample body) {
    ours_ = {"ours", {}, std::move(body)};
    return sampled();
  }
  Row& floor_timed(std::string how, Sample body) {
    floors_.push_back({std::move(how), {}, std::move(body)});
    return *this;
  }

  // Of rows that take long; of sampled ones, the parts that do.
  Row& repeat_at_most(int times) {
    repeat_at_most_ = times;
    return *this;
  }

  int max_repetitions() const { return repeat_at_most_; }
  bool takes_long() const { return repeat_at_most_ < as_many_as_asked; }
  bool by_samples() const { return sampled_; }
  const Part& ours() const { return ours_; }
  const std::vector<Part>& floors() const { return floors_; }

 private:
  template <class F>
  static Loop loop(F body) {
    return [body = std::move(body)](benchmark::State& state) mutable {
      for (auto _ : state) body();
    };
  }
  template <class F>
  static Sample sample(F body) {
    return [body = std::move(body)](int calls) mutable {
      double start = wall_ns();
      for (int i = 0; i < calls; ++i) body();
      return (wall_ns() - start) / calls;
    };
  }

  Part ours_;
  std::vector<Part> floors_;
  bool sampled_ = false;
  static constexpr int as_many_as_asked = 1000;
  int repeat_at_most_ = as_many_as_asked;
};

// The table: what each row needs is made just before it is measured, and dropped after it.
class Rows {
 public:
  using SetUp = std::function<void(Row&)>;

  // python_peer.py measures rows by the same names.
  void add(std::string name, SetUp set_up) { rows_.emplace_back(std::move(name), std::move(set_up)); }
  const std::vector<std::pair<std::string, SetUp>>& all() const { return rows_; }

 private:
  std::vector<std::pair<std::string, SetUp>> rows_;
};

// One for each file of rows.
void add_dict_rows(Rows& rows);
void add_op_rows(Rows& rows);
void add_container_rows(Rows& rows);
void add_ensemble_rows(Rows& rows);
void add_vmap_rows(Rows& rows);
void add_storage_rows(Rows& rows);
void add_query_rows(Rows& rows);
void add_round_trip_rows(Rows& rows);
void add_channel_rows(Rows& rows);
void add_dist_rows(Rows& rows);
void add_hook_rows(Rows& rows);
void add_group_rows(Rows& rows);

}  // namespace bench
