#include "core/group/gloo/version_wall.h"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "core/error.h"
#include "core/group/gloo/failure.h"
#include "core/system/clock.h"

namespace td::group {

namespace {

struct Card {
  int wire = 0;
  int32_t size = 0;
  std::string version;
};

std::string ours(const Options& options) {
  return std::to_string(TD_TORCH_GROUP_WIRE) + ' ' + std::to_string(options.size) + ' ' + TORCH_VERSION;
}

std::string key_of(int32_t rank) {
  return "td/" + std::to_string(rank);
}

std::string key_of_gloo(int32_t rank) {
  return "0/" + std::to_string(rank);
}

void check(const std::vector<uint8_t>& bytes, int32_t rank, const std::string& where, const Options& options) {
  Card card;
  std::istringstream text(std::string(bytes.begin(), bytes.end()));
  const std::string who = "rank " + std::to_string(rank);
  if (!(text >> card.wire >> card.size >> card.version))
    throw Error(Code::corrupt, who + " has left something else under its key").where(where);
  if (card.wire != TD_TORCH_GROUP_WIRE)
    throw Error(Code::version, who + " has LibTorch " + card.version + ", this one has " TORCH_VERSION)
        .where(where)
        .hint("all ranks of a group need LibTorch 2, or all need 1.13");
  if (card.size != options.size)
    throw Error(Code::argument, who + " is in a group of size " + std::to_string(card.size) + ", this one of size " +
                                    std::to_string(options.size))
        .where(where);
}

class Meeting {
 public:
  Meeting(c10d::Store& store, const std::string& where, const Options& options)
      : store_(store),
        where_(where),
        options_(options),
        here_(static_cast<size_t>(options.size)),
        ours_(here_.size()) {}

  std::vector<bool> wait() {
    enter();
    const int64_t begin = shm::monotonic_ns();
    for (int64_t pause_ms = 1; !all_here(); pause_ms = std::min<int64_t>(pause_ms * 2, 50)) {
      if ((shm::monotonic_ns() - begin) / 1000000 >= options_.timeout_ms) throw missing();
      std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    }
    return ours_;
  }

 private:
  void enter() {
    if (store_.add(key_of(options_.rank) + "/claim", 1) != 1)
      throw Error(Code::exists, "rank " + std::to_string(options_.rank) + " is taken")
          .where(where_)
          .hint("a group cannot be opened twice: give each group its own prefix or file");
    const std::string card = ours(options_);
    store_.set(key_of(options_.rank), std::vector<uint8_t>(card.begin(), card.end()));
    here_[static_cast<size_t>(options_.rank)] = ours_[static_cast<size_t>(options_.rank)] = true;
  }

  bool all_here() {
    bool all = true;
    for (int32_t rank = 0; rank < options_.size; ++rank) {
      const auto i = static_cast<size_t>(rank);
      if (!here_[i]) here_[i] = look(rank);
      all = all && here_[i];
    }
    return all;
  }

  bool look(int32_t rank) {
    const bool card = store_.check({key_of(rank)});
    if (!card && !store_.check({key_of_gloo(rank)})) return false;
    // It may have come between the two questions.
    if (card || store_.check({key_of(rank)})) {
      check(store_.get(key_of(rank)), rank, where_, options_);
      ours_[static_cast<size_t>(rank)] = true;
    }
    return true;
  }

  Error missing() const {
    std::string ranks;
    for (size_t i = 0; i < here_.size(); ++i)
      if (!here_[i]) ranks += (ranks.empty() ? "" : ", ") + std::to_string(i);
    return Error(Code::timeout, "of " + std::to_string(here_.size()) + " ranks these did not come in " +
                                    std::to_string(options_.timeout_ms) + " ms: " + ranks)
        .where(where_)
        .hint("they need the same store, prefix and size");
  }

  c10d::Store& store_;
  const std::string& where_;
  const Options& options_;
  std::vector<bool> here_, ours_;
};

}  // namespace

std::vector<bool> meet(c10d::Store& store, const std::string& where, const Options& options) {
  try {
    return Meeting(store, where, options).wait();
  } catch (const Error&) {
    throw;
  } catch (...) {
    throw store_failure(where, options.timeout_ms);
  }
}

}  // namespace td::group
