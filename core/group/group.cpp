#include "core/group/group.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <unistd.h>

#include "core/error.h"
#include "core/group/place.h"
#include "core/system/clock.h"

namespace td {

using group::rank_text;

namespace {

void check_key(const std::string& key) {
  if (key.empty()) throw Error(Code::argument, "the key of a value is empty");
}

}  // namespace

c10::intrusive_ptr<Group> Group::open(group::Options options) {
  constexpr int32_t max_size = 1 << 16;
  const group::Place place = group::place_of(options);
  if (options.timeout_ms < 0)
    throw Error(Code::argument, "the option timeout_ms is " + std::to_string(options.timeout_ms));
  if (options.size < 1 || options.size > max_size)
    throw Error(Code::argument,
                "the option size is " + std::to_string(options.size) + ", not 1 to " + std::to_string(max_size));
  if (options.rank < 0 || options.rank >= options.size)
    throw Error(Code::argument, "the option rank is " + std::to_string(options.rank) + ", not 0 to " +
                                    std::to_string(options.size - 1));
  return c10::make_intrusive<Group>(group::connect(options, place));
}

c10::intrusive_ptr<Group> Group::adopt(const std::string& name, bool beside_stock) {
  if (name.empty()) throw Error(Code::argument, "the name of the group is empty");
  return c10::make_intrusive<Group>(group::adopt(name, beside_stock));
}

Group::Group(std::unique_ptr<group::Transport> transport)
    : rank_(transport->rank()), size_(transport->size()), process_(getpid()), transport_(std::move(transport)) {}

Group::~Group() {
  // The threads of the engine are not in a forked child: ending them would never return.
  if (getpid() != process_) (void)transport_.release();
}

group::Transport& Group::transport() const {
  if (getpid() != process_)
    throw Error(Code::unsupported, "a forked child has no part in the group of its parent")
        .hint("open a group in the child");
  return *transport_;
}

group::Transport& Group::transport_to(int32_t peer, int32_t tag) const {
  if (peer < 0 || peer >= size() || peer == rank())
    throw Error(Code::argument,
                peer == rank() ? "a rank cannot exchange dicts with itself"
                               : "there is no " + rank_text(peer) + " in a group of size " + std::to_string(size()));
  if (tag < 0 || tag > group::max_tag)
    throw Error(Code::argument, "the tag " + std::to_string(tag) + " is not 0 to " + std::to_string(group::max_tag));
  return transport();
}

void Group::check_root(int32_t root) const {
  if (root < 0 || root >= size())
    throw Error(Code::argument, "there is no " + rank_text(root) + " in a group of size " + std::to_string(size()));
}

bool Group::all_ours() const {
  for (int32_t i = 0; i < size(); ++i)
    if (!transport_->knows_headers(i)) return false;
  return true;
}

void Group::barrier() const {
  group::Transport& all = transport();
  std::lock_guard<std::mutex> lock(together_);
  all.barrier();
}

void Group::set(const std::string& key, const std::string& value) const {
  check_key(key);
  transport().set(key, value);
}

std::string Group::get(const std::string& key, int64_t timeout_ms, shm::CancelFlag* cancel) const {
  check_key(key);
  const int64_t begin = shm::monotonic_ms();
  // Stores have no way to end a wait: they are asked, ever more rarely.
  for (int64_t pause_us = 200;; pause_us = std::min<int64_t>(pause_us * 2, 10000)) {
    if (cancel && cancel->requested()) throw Error(Code::cancelled, "the wait was cancelled").where(key);
    if (optional<std::string> value = transport().get(key)) return *std::move(value);
    if (timeout_ms == 0) throw Error(Code::not_found, "no rank has set this value").where(key);
    if (timeout_ms > 0 && shm::monotonic_ms() - begin >= timeout_ms)
      throw Error(Code::timeout, "no rank has set this value in " + std::to_string(timeout_ms) + " ms").where(key);
    std::this_thread::sleep_for(std::chrono::microseconds(pause_us));
  }
}

int64_t Group::add(const std::string& key, int64_t n) const {
  check_key(key);
  return transport().add(key, n);
}

bool Group::remove(const std::string& key) const {
  check_key(key);
  return transport().remove(key);
}

}  // namespace td
