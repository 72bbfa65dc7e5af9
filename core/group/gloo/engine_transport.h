// A transport over an engine of c10d: one that this library has made, or that of a group that Python has made.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "core/error.h"
#include "core/group/gloo/store_values.h"
#include "core/group/transport.h"

namespace td::group {

using EnginePtr = c10::intrusive_ptr<c10d::TD_TORCH_GROUP_ENGINE>;

struct EngineFacts {
  std::string where;       // as errors name it
  std::vector<bool> ours;  // which ranks are this library
  int64_t timeout_ms = 0;  // 0 if only the engine knows it
  int32_t rank = 0, size = 0;
};

class EngineTransport final : public Transport {
 public:
  // Values need a store, and fail with Error(unsupported) without one.
  EngineTransport(EnginePtr engine, StorePtr store, EngineFacts facts);

  int32_t rank() const override { return facts_.rank; }
  int32_t size() const override { return facts_.size; }

  std::function<void()> post(std::vector<at::Tensor> messages, int32_t peer, int32_t tag) override;
  void receive(const at::Tensor& message, int32_t peer, int32_t tag) override;
  std::unique_ptr<Passage> begin_send(const at::Tensor& m, int32_t peer, int32_t tag, bool patient) override;
  std::unique_ptr<Passage> begin_receive(const at::Tensor& m, int32_t peer, int32_t tag, bool patient) override;

  void barrier() override;
  void broadcast(const at::Tensor& t, int32_t root) override;
  void all_reduce(const at::Tensor& t, Reduction op) override;
  void reduce(const at::Tensor& t, Reduction op, int32_t root) override;
  std::vector<at::Tensor> all_gather(const at::Tensor& t) override;
  std::vector<at::Tensor> gather(const at::Tensor& t, int32_t root) override;

  bool knows_headers(int32_t peer) const override { return facts_.ours[static_cast<size_t>(peer)]; }

  void set(const std::string& key, const std::string& value) override { values_.set(key, value); }
  optional<std::string> get(const std::string& key) override { return values_.get(key); }
  int64_t add(const std::string& key, int64_t n) override { return values_.add(key, n); }
  bool remove(const std::string& key) override { return values_.remove(key); }

 private:
  template <class F>
  void together(F start);
  template <class Begin>
  std::unique_ptr<Passage> begin(const at::Tensor& message, int32_t peer, bool patient, Begin begin);
  std::vector<at::Tensor> one_from_each(const at::Tensor& t) const;
  Error collective_failure();

  StoreValues values_;
  EngineFacts facts_;
  EnginePtr engine_;  // ends before the store
  bool is_gloo_;
  std::atomic<int32_t> probes_{0};
};

}  // namespace td::group
