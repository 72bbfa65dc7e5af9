#include "core/group/gloo/engine_transport.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include <ATen/ops/empty_like.h>

#include "core/group/gloo/failure.h"

namespace td::group {

namespace {

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

}  // namespace

EngineTransport::EngineTransport(EnginePtr engine, StorePtr store, EngineFacts facts)
    : values_(std::move(store), facts.where, facts.timeout_ms),
      facts_(std::move(facts)),
      engine_(std::move(engine)),
      is_gloo_(engine_->getBackendName() == "gloo") {}

// ---- One rank to another --------------------------------------------------------------------------------------------

namespace {

class WorkPassage final : public Passage {
 public:
  WorkPassage(at::Tensor message, c10::intrusive_ptr<c10d::Work> work, int32_t peer, int64_t timeout_ms, bool patient)
      : message_(std::move(message)), work_(std::move(work)), peer_(peer), timeout_ms_(timeout_ms), patient_(patient) {}

  bool wait() override {
    constexpr std::chrono::milliseconds no_limit{INT32_MAX};  // 24 days
    try {
      return patient_ ? work_->wait(no_limit) : work_->wait();
    } catch (...) {
      throw transfer_failure(peer_, timeout_ms_);
    }
  }

  void give_up() noexcept override {
    try {
      work_->abort();
    } catch (...) {  // it has ended already
    }
  }

 private:
  at::Tensor message_;  // ends after the work, which writes to it
  c10::intrusive_ptr<c10d::Work> work_;
  int32_t peer_;
  int64_t timeout_ms_;
  bool patient_;
};

}  // namespace

template <class Begin>
std::unique_ptr<Passage> EngineTransport::begin(const at::Tensor& message, int32_t peer, bool patient, Begin begin) {
  try {
    std::vector<at::Tensor> one{message};
    return std::make_unique<WorkPassage>(message, begin(one), peer, facts_.timeout_ms, patient);
  } catch (...) {
    throw transfer_failure(peer, facts_.timeout_ms);
  }
}

std::unique_ptr<Passage> EngineTransport::begin_send(const at::Tensor& m, int32_t peer, int32_t tag, bool patient) {
  return begin(m, peer, patient, [&](std::vector<at::Tensor>& one) { return engine_->send(one, peer, tag); });
}

std::unique_ptr<Passage> EngineTransport::begin_receive(const at::Tensor& m, int32_t peer, int32_t tag, bool patient) {
  return begin(m, peer, patient, [&](std::vector<at::Tensor>& one) { return engine_->recv(one, peer, tag); });
}

std::function<void()> EngineTransport::post(std::vector<at::Tensor> messages, int32_t peer, int32_t tag) {
  std::vector<std::shared_ptr<Passage>> passages;
  for (const at::Tensor& message : messages) passages.push_back(begin_send(message, peer, tag, false));
  return [passages = std::move(passages)] {
    for (const auto& passage : passages) passage->wait();
  };
}

void EngineTransport::receive(const at::Tensor& message, int32_t peer, int32_t tag) {
  begin_receive(message, peer, tag, false)->wait();
}

// ---- All ranks ------------------------------------------------------------------------------------------------------

template <class F>
void EngineTransport::together(F start) {
  try {
    start()->wait();
  } catch (...) {
    throw collective_failure();
  }
}

void EngineTransport::barrier() {
  together([&] { return engine_->barrier(); });
}

void EngineTransport::broadcast(const at::Tensor& t, int32_t root) {
  std::vector<at::Tensor> one{t};
  c10d::BroadcastOptions o;
  o.rootRank = root;
  together([&] { return engine_->broadcast(one, o); });
}

void EngineTransport::all_reduce(const at::Tensor& t, Reduction op) {
  std::vector<at::Tensor> one{t};
  c10d::AllreduceOptions o;
  o.reduceOp = op_of(op);
  together([&] { return engine_->allreduce(one, o); });
}

void EngineTransport::reduce(const at::Tensor& t, Reduction op, int32_t root) {
  std::vector<at::Tensor> one{t};
  c10d::ReduceOptions o;
  o.reduceOp = op_of(op), o.rootRank = root;
  together([&] { return engine_->reduce(one, o); });
}

std::vector<at::Tensor> EngineTransport::all_gather(const at::Tensor& t) {
  std::vector<at::Tensor> one{t};
  std::vector<std::vector<at::Tensor>> all{one_from_each(t)};
  together([&] { return engine_->allgather(all, one); });
  return all[0];
}

std::vector<at::Tensor> EngineTransport::gather(const at::Tensor& t, int32_t root) {
  std::vector<at::Tensor> one{t};
  std::vector<std::vector<at::Tensor>> all;
  if (root == facts_.rank) all.push_back(one_from_each(t));
  c10d::GatherOptions o;
  o.rootRank = root;
  together([&] { return engine_->gather(all, one, o); });
  return all.empty() ? std::vector<at::Tensor>() : all[0];
}

std::vector<at::Tensor> EngineTransport::one_from_each(const at::Tensor& t) const {
  std::vector<at::Tensor> all;
  for (int32_t i = 0; i < facts_.size; ++i) all.push_back(at::empty_like(t));
  return all;
}

// Names the rank whose connection is closed, which a receive that is never answered finds out at once.
Error EngineTransport::collective_failure() {
  const Error e = current_error();
  const Failure why = failure_of(e.message());
  if (why == Failure::timeout)
    return Error(Code::timeout, "not all ranks came " + in_time(facts_.timeout_ms))
        .where(facts_.where)
        .hint("the group is closed for this rank now: open another one under another prefix");
  for (int32_t peer = 0; is_gloo_ && peer < facts_.size; ++peer) {
    if (peer == facts_.rank) continue;
    try {
      std::vector<at::Tensor> none{at::empty({0}, at::kByte)};
      engine_->recv(none, peer, max_tag + 1 + probes_++ % max_tag);
    } catch (...) {
      if (failure_of(current_error().message()) != Failure::pair_closed)
        return transfer_failure(peer, facts_.timeout_ms);
    }
  }
  if (why == Failure::unknown) return Error(Code::io, "the ranks did not meet: " + e.message()).where(facts_.where);
  return Error(Code::closed, "a connection of the group is closed").where(facts_.where).hint("open another group");
}

}  // namespace td::group
