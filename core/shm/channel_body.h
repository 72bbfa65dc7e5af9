// A channel as one process has it open: what the channel itself, its messages and their views stand on.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "core/shm/channel_header.h"
#include "core/shm/member.h"
#include "core/shm/slot_views.h"
#include "core/system/mapping.h"

namespace td {

namespace shm {

// The mapping and the membership. Views and messages hold it too: while one lives, its slot has an owner.
class ChannelBody {
 public:
  ChannelBody(std::string path, storage::Fd file, const ChannelFacts& facts, storage::Outline schema, uint32_t roles);

  Membership& member() { return member_; }
  const Membership& member() const { return member_; }
  void join(uint32_t roles, bool by_name);  // a file that was found by its name may have lost it
  void check_ours() const;                  // throws in a forked child

  char* slot(unsigned i) const { return data_.data() + layout_.slots + layout_.stride * i; }
  Access access() const { return access_; }
  const SlotViews& views() const { return views_; }
  const ChannelFacts& facts() const { return facts_; }
  const std::string& path() const { return path_; }
  int64_t nbytes() const { return layout_.total; }
  int64_t slot_bytes() const { return facts_.slot_bytes; }

  bool hold_one_more();  // false if that is more than a member may
  void hold_one_less() {
    if (facts_.max_held != 0) held_.fetch_sub(1);
  }
  uint64_t lost_since_last();

  // Lives as long as the body does; ends before it.
  void keep(std::shared_ptr<const void> what) { kept_ = std::move(what); }

 private:
  std::string path_;
  ChannelFacts facts_;
  ChannelLayout layout_;
  Access access_;
  storage::Mapping control_, data_;
  SlotViews views_;
  Membership member_;
  std::atomic<uint32_t> held_{0};
  std::atomic<uint64_t> lost_{0};
  std::shared_ptr<const void> kept_;
};
using ChannelBodyPtr = std::shared_ptr<ChannelBody>;

// What a channel throws, whichever kind it is.
[[noreturn]] void throw_forked(const std::string& path);
[[noreturn]] void throw_role(const std::string& path, Role role);

// Throws the Error of a result that is not `done`.
[[noreturn]] void throw_result(Result r, const ChannelBody& body, bool taking, int64_t timeout_ms);

}  // namespace shm

}  // namespace td
