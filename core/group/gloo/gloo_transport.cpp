// LibTorch's Gloo. The only file that needs its declarations.
#define USE_C10D_GLOO

#include <atomic>

#include <ATen/ops/empty_like.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "core/error.h"
#include "core/group/gloo/failure.h"
#include "core/group/gloo/stores.h"
#include "core/group/gloo/version_wall.h"
#include "core/system/no_signals.h"

namespace td::group {

namespace {

using Gloo = c10d::ProcessGroupGloo;

c10d::ReduceOp op_of(Reduction op) {
  switch (op) {
    case Reduction::product:
      return c10d::ReduceOp::PRODUCT;
    case Reduction::min:
      return c10d::ReduceOp::MIN;
    case Reduction::max:
      return c10d::ReduceOp::MAX;
    default:
      return c10d::ReduceOp::SUM;
  }
}

class GlooTransport final : public Transport {
 public:
  GlooTransport(const Options& options, const Place& place) : options_(options), place_(place) {
    shm::NoSignals quiet;
    store_ = open_store(place_, options_);
    auto prefixed = c10::make_intrusive<c10d::PrefixStore>(options_.prefix, store_);
    ours_ = meet(*prefixed, place_.text, options_);
    const std::chrono::milliseconds timeout(options_.timeout_ms);
    prefixed->setTimeout(timeout);
    auto gloo = Gloo::Options::create(timeout);
    try {
      gloo->devices.push_back(Gloo::createDeviceForHostname(options_.address));
    } catch (...) {
      throw Error(Code::argument, "this rank cannot listen on " + options_.address + ": " + current_error().message())
          .where(options_.address);
    }
    try {
      engine_ = c10::make_intrusive<Gloo>(prefixed, options_.rank, options_.size, gloo);
    } catch (...) {
      throw joining_failure();
    }
  }

  std::function<void()> post(std::vector<at::Tensor> messages, int32_t peer, int32_t tag) override {
    try {
      std::vector<c10::intrusive_ptr<c10d::Work>> works;
      for (const at::Tensor& message : messages) {
        std::vector<at::Tensor> one{message};
        works.push_back(engine_->send(one, peer, tag));
      }
      return [this, works = std::move(works), messages = std::move(messages), peer] {
        try {
          for (const auto& work : works) work->wait();
        } catch (...) {
          throw transfer_failure(peer, options_.timeout_ms);
        }
      };
    } catch (...) {
      throw transfer_failure(peer, options_.timeout_ms);
    }
  }

  void receive(const at::Tensor& message, int32_t peer, int32_t tag) override {
    try {
      std::vector<at::Tensor> one{message};
      engine_->recv(one, peer, tag)->wait();
    } catch (...) {
      throw transfer_failure(peer, options_.timeout_ms);
    }
  }

  void barrier() override {
    together([&] { return engine_->barrier(); });
  }

  void broadcast(const at::Tensor& t, int32_t root) override {
    std::vector<at::Tensor> one{t};
    c10d::BroadcastOptions o;
    o.rootRank = root;
    together([&] { return engine_->broadcast(one, o); });
  }

  void all_reduce(const at::Tensor& t, Reduction op) override {
    std::vector<at::Tensor> one{t};
    c10d::AllreduceOptions o;
    o.reduceOp = op_of(op);
    together([&] { return engine_->allreduce(one, o); });
  }

  void reduce(const at::Tensor& t, Reduction op, int32_t root) override {
    std::vector<at::Tensor> one{t};
    c10d::ReduceOptions o;
    o.reduceOp = op_of(op), o.rootRank = root;
    together([&] { return engine_->reduce(one, o); });
  }

  std::vector<at::Tensor> all_gather(const at::Tensor& t) override {
    std::vector<at::Tensor> one{t};
    std::vector<std::vector<at::Tensor>> all{one_from_each(t)};
    together([&] { return engine_->allgather(all, one); });
    return all[0];
  }

  std::vector<at::Tensor> gather(const at::Tensor& t, int32_t root) override {
    std::vector<at::Tensor> one{t};
    std::vector<std::vector<at::Tensor>> all;
    if (root == options_.rank) all.push_back(one_from_each(t));
    c10d::GatherOptions o;
    o.rootRank = root;
    together([&] { return engine_->gather(all, one, o); });
    return all.empty() ? std::vector<at::Tensor>() : all[0];
  }

  bool knows_headers(int32_t peer) const override { return ours_[static_cast<size_t>(peer)]; }

  void set(const std::string& key, const std::string& value) override {
    asking([&] { return store_->set(key, std::vector<uint8_t>(value.begin(), value.end())), 0; });
  }

  optional<std::string> get(const std::string& key) override {
    return asking([&]() -> optional<std::string> {
      if (!store_->check({key})) return nullopt;
      const std::vector<uint8_t> value = store_->get(key);
      return std::string(value.begin(), value.end());
    });
  }

  int64_t add(const std::string& key, int64_t n) override {
    return asking([&] { return store_->add(key, n); });
  }

  // What deleteKey returns says for some stores that it was done, not that there was a key.
  bool remove(const std::string& key) override {
    return asking([&] { return store_->check({key}) && store_->deleteKey(key); });
  }

 private:
  template <class F>
  void together(F start) {
    try {
      start()->wait();
    } catch (...) {
      throw collective_failure();
    }
  }

  std::vector<at::Tensor> one_from_each(const at::Tensor& t) const {
    std::vector<at::Tensor> all;
    for (int32_t i = 0; i < options_.size; ++i) all.push_back(at::empty_like(t));
    return all;
  }

  template <class F>
  auto asking(F ask) -> decltype(ask()) {
    try {
      return ask();
    } catch (...) {
      throw store_failure(place_.text, options_.timeout_ms);
    }
  }

  Error joining_failure() const {
    const Error e = current_error();
    switch (failure_of(e.message())) {
      case Failure::other_version:
        return Error(Code::version, "a rank has another version of Gloo")
            .where(place_.text)
            .hint("all ranks of a group need LibTorch 2, or all need 1.13");
      case Failure::timeout:
        return Error(Code::timeout, "not all ranks connected in " + std::to_string(options_.timeout_ms) + " ms")
            .where(place_.text);
      case Failure::peer_closed:
      case Failure::pair_closed:
        return Error(Code::closed, "a rank has gone while the group was made").where(place_.text);
      default:
        return Error(Code::io, "the ranks could not connect: " + e.message()).where(place_.text);
    }
  }

  // Whose connection is closed, which a receive that is never answered finds out at once.
  Error collective_failure() {
    const Error e = current_error();
    const Failure why = failure_of(e.message());
    if (why == Failure::timeout)
      return Error(Code::timeout, "not all ranks came in " + std::to_string(options_.timeout_ms) + " ms")
          .where(place_.text)
          .hint("the group is closed for this rank now: open another one under another prefix");
    for (int32_t peer = 0; peer < options_.size; ++peer) {
      if (peer == options_.rank) continue;
      try {
        std::vector<at::Tensor> none{at::empty({0}, at::kByte)};
        engine_->recv(none, peer, max_tag + 1 + probes_++ % max_tag);
      } catch (...) {
        if (failure_of(current_error().message()) != Failure::pair_closed)
          return transfer_failure(peer, options_.timeout_ms);
      }
    }
    if (why == Failure::unknown) return Error(Code::io, "the ranks did not meet: " + e.message()).where(place_.text);
    return Error(Code::closed, "a connection of the group is closed").where(place_.text).hint("open another group");
  }

  Options options_;
  Place place_;
  StorePtr store_;
  std::vector<bool> ours_;
  c10::intrusive_ptr<Gloo> engine_;
  std::atomic<int32_t> probes_{0};
};

}  // namespace

std::unique_ptr<Transport> connect(const Options& options, const Place& place) {
  return std::make_unique<GlooTransport>(options, place);
}

bool has_transport() {
  return true;
}

}  // namespace td::group
