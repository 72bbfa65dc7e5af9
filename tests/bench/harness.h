// Rows of the benchmark: what a call of ours takes, beside its floors, which do the same work by hand with LibTorch, a
// C++ container or the system. All of a row runs in one process, interleaved, so that a busy machine slows all of it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace bench {

class Row {
 public:
  using Loop = std::function<void(benchmark::State&)>;
  struct Floor {
    std::string how;
    Loop loop;
  };

  // The library's call; `body` is run many times and releases what it makes.
  template <class F>
  Row& ours(F body) {
    ours_ = loop(std::move(body));
    return *this;
  }
  // The same work by hand; `how` is shown in the table. The first floor is the one to be near.
  template <class F>
  Row& floor(std::string how, F body) {
    floors_.push_back({std::move(how), loop(std::move(body))});
    return *this;
  }

  // Of rows that wait for another process.
  Row& wall_time() {
    wall_time_ = true;
    return *this;
  }

  // Of rows that take long.
  Row& repeat_at_most(int times) {
    repeat_at_most_ = times;
    return *this;
  }

  int most_repetitions() const { return repeat_at_most_; }
  bool by_wall_time() const { return wall_time_; }
  const Loop& ours() const { return ours_; }
  const std::vector<Floor>& floors() const { return floors_; }

 private:
  template <class F>
  static Loop loop(F body) {
    return [body = std::move(body)](benchmark::State& state) mutable {
      for (auto _ : state) body();
    };
  }

  Loop ours_;
  std::vector<Floor> floors_;
  bool wall_time_ = false;
  int repeat_at_most_ = 1000;
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
void add_channel_rows(Rows& rows);
void add_dist_rows(Rows& rows);

}  // namespace bench
