#include "core/shm/channel_body.h"

#include "core/error.h"

namespace td {

namespace shm {

ChannelBody::ChannelBody(std::string path, storage::Fd file, const ChannelFacts& facts, storage::Outline schema,
                         uint32_t roles)
    : path_(std::move(path)),
      facts_(facts),
      layout_(channel_layout(facts)),
      access_(roles & produces ? Access::read_write : Access::read_only),
      control_(file, layout_.schema, storage::Mapping::Mode::write, path_),
      data_(file, layout_.total, roles & produces ? storage::Mapping::Mode::write : storage::Mapping::Mode::read,
            path_),
      views_(std::move(schema)),
      member_(*reinterpret_cast<Control*>(control_.data() + layout_.control), facts_.rules, std::move(file)) {}

void ChannelBody::join(uint32_t roles, bool by_name) {
  bool joined = member_.join(roles, this_process().pid);
  if (!named(member_.locks().fd()) && by_name)
    throw Error(Code::not_found, "the channel was removed during the call").where(path_);
  if (!joined)
    throw Error(Code::nospace, "all " + std::to_string(facts_.rules.members) + " places of the channel are taken")
        .where(path_)
        .hint("create it with more members");
  if (roles == 0) return;
  lost_.store(member_.lost());
}

void ChannelBody::check_ours() const {
  if (!member_.ours()) throw_forked(path_);
}

bool ChannelBody::hold_one_more() {
  if (facts_.max_held == 0) return true;
  if (held_.fetch_add(1) < facts_.max_held) return true;
  held_.fetch_sub(1);
  return false;
}

uint64_t ChannelBody::lost_since_last() {
  uint64_t now = member_.lost();
  if (now == lost_.load(std::memory_order_relaxed)) return 0;
  uint64_t before = lost_.exchange(now);
  return now >= before ? now - before : 0;
}

void throw_forked(const std::string& path) {
  throw Error(Code::unsupported, "the channel was opened before this process was forked")
      .where(path)
      .hint("open it again in the child");
}

void throw_role(const std::string& path, Role role) {
  throw Error(Code::argument,
              role == produces ? "this handle did not join as a producer" : "this handle did not join as a consumer")
      .where(path)
      .hint("give the role when the channel is created or opened");
}

void throw_result(Result r, const ChannelBody& body, bool taking, int64_t timeout_ms) {
  const Control& c = body.member().slots().control();
  switch (r) {
    case Result::timeout:
      if (taking)
        throw Error(Code::timeout, "no message within " + std::to_string(timeout_ms) + " ms").where(body.path());
      throw Error(Code::timeout, "no slot became free within " + std::to_string(timeout_ms) + " ms")
          .where(body.path())
          .hint_naming(c.consumers.load() ? "{channel_dump} shows who holds the slots" : "there is no consumer");
    case Result::deserted:
      throw Error(Code::not_found, "no message within " + std::to_string(timeout_ms) + " ms, and there is no producer")
          .where(body.path())
          .hint("wait for one to come, or stop");
    case Result::full:
      throw Error(Code::nospace, "all " + std::to_string(body.facts().rules.slots) + " slots are in use")
          .where(body.path())
          .hint("take messages faster, or create it with more slots or another overflow policy");
    case Result::cancelled:
      throw Error(Code::cancelled, taking ? "waiting for a message was cancelled" : "waiting for a slot was cancelled")
          .where(body.path());
    case Result::closed:
      throw Error(Code::closed, "the channel is closed").where(body.path());
    default:
      throw Error(Code::corrupt, "the control words of the channel contradict its rules")
          .where(body.path())
          .hint("a process wrote over them: remove the channel and create it again");
  }
}

}  // namespace shm

}  // namespace td
