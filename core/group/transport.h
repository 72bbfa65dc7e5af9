// What joins the ranks of a group: it carries bytes between them, and values that all of them see.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/torch_compat.h"

namespace td::group {

struct Options {
  std::string store;    // "tcp://HOST:PORT", "file:///PATH" or "env://"
  std::string prefix;   // of the keys under which the ranks meet
  std::string address;  // that this rank listens on
  int64_t timeout_ms = 0;
  int32_t rank = 0, size = 0;
  bool serve = false;             // this rank holds the store
  bool serve_everywhere = false;  // which may listen on every address of the machine
};

constexpr int32_t max_tag = (1 << 30) - 1;  // those above are for the engine

// As errors name it.
inline std::string rank_text(int32_t rank) {
  return "rank " + std::to_string(rank);
}

enum class Reduction { sum, product, min, max };

// Of the store in which the ranks meet. All throw Error(closed) once it has gone.
class Values {
 public:
  virtual ~Values() = default;
  virtual void set(const std::string& key, const std::string& value) = 0;
  virtual optional<std::string> get(const std::string& key) = 0;  // nothing if nobody has set it yet
  virtual int64_t add(const std::string& key, int64_t n) = 0;
  virtual bool remove(const std::string& key) = 0;  // false if there is none
};

// A message under way. Once it is destroyed, the engine does not touch its tensor any more.
class Passage {
 public:
  virtual ~Passage() = default;
  virtual bool wait() = 0;              // once; false if it was given up
  virtual void give_up() noexcept = 0;  // by another thread: ends the wait, and not the transfer
};

class Transport : public Values {
 public:
  virtual int32_t rank() const = 0;
  virtual int32_t size() const = 0;

  // All throw Error(closed) and Error(timeout), which name the rank.

  // Contiguous tensors, in their order, each as one message. They are on their way when `post` returns; what it returns
  // waits until they have arrived.
  virtual std::function<void()> post(std::vector<at::Tensor> messages, int32_t peer, int32_t tag) = 0;
  virtual void receive(const at::Tensor& message, int32_t peer, int32_t tag) = 0;

  // One message, whose wait has no limit if it is `patient`.
  virtual std::unique_ptr<Passage> begin_send(const at::Tensor& message, int32_t peer, int32_t tag, bool patient) = 0;
  virtual std::unique_ptr<Passage> begin_receive(const at::Tensor& message, int32_t peer, int32_t tag,
                                                 bool patient) = 0;

  // All ranks call the same of these, with tensors of one dtype and size; one at a time.
  virtual void barrier() = 0;
  virtual void broadcast(const at::Tensor& t, int32_t root) = 0;
  virtual void all_reduce(const at::Tensor& t, Reduction op) = 0;
  virtual void reduce(const at::Tensor& t, Reduction op, int32_t root) = 0;
  virtual std::vector<at::Tensor> all_gather(const at::Tensor& t) = 0;
  virtual std::vector<at::Tensor> gather(const at::Tensor& t, int32_t root) = 0;  // nothing but on the root

  // True if that rank is this library too, which says what comes before it comes.
  virtual bool knows_headers(int32_t peer) const = 0;
};

struct Place;

// Waits for all ranks. Throws Error(unsupported) in a build without an engine.
std::unique_ptr<Transport> connect(const Options& options, const Place& place);

// The store alone, which this process serves if the options say so.
std::unique_ptr<Values> open_values(const Options& options, const Place& place);

// The group that Python has made in this process. `beside_stock`: the other ranks are stock Python; else all of them
// adopt it, and this waits for them. Throws Error(not_found), Error(unsupported).
std::unique_ptr<Transport> adopt(const std::string& name, bool beside_stock);

bool has_transport();

}  // namespace td::group
