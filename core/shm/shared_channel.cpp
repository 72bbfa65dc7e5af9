#include "core/shm/shared_channel.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include "core/error.h"
#include "core/shm/header.h"
#include "core/shm/new_name.h"
#include "core/shm/registry.h"
#include "core/system/crc32c.h"
#include "core/tensor/factory.h"
#include "core/tensor/stored.h"

namespace td {

namespace {

using shm::ChannelFacts;
using shm::ChannelLayout;

bool anybody_in(const shm::LockBytes& locks) {
  for (int64_t byte = 0; byte <= shm::channel_owner_byte; ++byte)
    if (locks.held(byte)) return true;
  return false;
}

// One without its owner lives on while it has members.
shm::Occupant look_at_channel(const std::string& path) {
  shm::Occupant there;
  storage::Fd both = shm::open_shared(path);
  if (!both) return there;
  int64_t size = storage::size_of(both, path);
  ChannelFacts facts =
      shm::read_channel_header(storage::read_bytes(both, 0, std::min(size, shm::header_page), path), size, path);
  there.pid = facts.owner.pid;
  there.identity = shm::identity(both);
  auto locks = std::make_shared<shm::LockBytes>(std::move(both));
  there.standing = shm::alive(facts.owner) ? shm::Occupant::owned
                   : anybody_in(*locks)    ? shm::Occupant::in_use
                                           : shm::Occupant::dead;
  // A process that locks all of these keeps others from joining until the name is removed.
  there.still_dead = [facts, locks] { return !shm::alive(facts.owner) && locks->lock_all(shm::channel_owner_byte); };
  return there;
}

int64_t bytes_for(const storage::Outline& schema) {
  int64_t end = storage::end_of(schema, 0);
  return (end + shm::tensor_alignment - 1) / shm::tensor_alignment * shm::tensor_alignment;
}

}  // namespace

// ---- Making and opening ---------------------------------------------------------------------------------------------

SharedChannel::Plan SharedChannel::plan(const Node& schema, const ChannelFacts& wanted) {
  check_rules(wanted.rules);
  Plan made{wanted, storage::plan(schema, 0, shm::tensor_alignment), {}};
  made.json = storage::to_json(made.outline);
  made.facts.slot_bytes = bytes_for(made.outline);
  made.facts.schema_bytes = static_cast<int64_t>(made.json.size());
  made.facts.schema_crc = shm::crc32c(made.json);
  return made;
}

SharedChannel::Plan SharedChannel::plan(std::string json, const ChannelFacts& told, const std::string& where) {
  check_rules(told.rules);
  storage::Extents extents{0, told.slot_bytes, shm::tensor_alignment, true};
  Plan made{told, storage::parse_outline(json, extents, where), std::move(json)};
  made.facts.schema_bytes = static_cast<int64_t>(made.json.size());
  made.facts.schema_crc = shm::crc32c(made.json);
  return made;
}

shm::ChannelBodyPtr SharedChannel::make_unnamed(const std::string& path, Plan plan, uint32_t roles) {
  ChannelFacts& facts = plan.facts;
  facts.owner = shm::this_process();
  ChannelLayout layout = shm::channel_layout(facts);
  storage::Fd file = shm::make_unnamed(layout.total, path);
  {
    storage::Mapping front(file, layout.slots, storage::Mapping::Mode::write, path);
    shm::write_channel_header(front.data(), facts);
    std::memcpy(front.data() + layout.schema, plan.json.data(), plan.json.size());
  }
  auto body = std::make_shared<shm::ChannelBody>(path, std::move(file), facts, std::move(plan.outline), roles);
  body->member().locks().lock(shm::channel_owner_byte);
  body->join(roles, false);
  return body;
}

SharedChannelPtr SharedChannel::create(std::string_view name, const Node& schema, const ChannelFacts& wanted,
                                       uint32_t roles, bool replace_dead) {
  std::string path = shm::path_of(name);
  Plan plan = SharedChannel::plan(schema, wanted);
  shm::channel_layout(plan.facts);  // what no file can hold is said first
  shm::NewName new_name(path, "channel", look_at_channel, replace_dead);
  new_name.check();
  auto body = make_unnamed(path, std::move(plan), roles);
  const int file = body->member().locks().fd();
  const shm::Identity identity = shm::identity(file);  // nothing may fail once the name is given
  auto made = c10::make_intrusive<SharedChannel>(body);
  new_name.give(file);
  if (!wanted.keep) made->owned_ = identity;
  return made;
}

SharedChannelPtr SharedChannel::join(uint32_t roles) const {
  body_->check_ours();
  const std::string link = "/proc/self/fd/" + std::to_string(body_->member().locks().fd());
  storage::Fd file(::open(link.c_str(), O_RDWR | O_CLOEXEC));  // a description of its own, as its locks are
  if (!file) throw os_error(errno, "open the channel again", path());
  ChannelFacts facts = body_->facts();
  facts.max_held = 0;
  auto body = std::make_shared<shm::ChannelBody>(path(), std::move(file), facts, body_->views().outline(), roles);
  body->join(roles, false);
  return c10::make_intrusive<SharedChannel>(std::move(body));
}

SharedChannelPtr SharedChannel::open(std::string_view name, uint32_t roles, const shm::Patience& patience) {
  std::string path = shm::path_of(name);
  return shm::when_there(path, patience, [&] { return open_now(path, roles); });
}

SharedChannelPtr SharedChannel::open_now(const std::string& path, uint32_t roles) {
  storage::Fd file = shm::open_shared(path);
  if (!file) throw Error(Code::not_found, "there is no such channel").where(path);
  int64_t size = storage::size_of(file, path);
  ChannelFacts facts =
      shm::read_channel_header(storage::read_bytes(file, 0, std::min(size, shm::header_page), path), size, path);
  ChannelLayout layout = shm::channel_layout(facts);
  std::string json = storage::read_bytes(file, layout.schema, facts.schema_bytes, path);
  if (shm::crc32c(json) != facts.schema_crc)
    throw Error(Code::corrupt, "the checksum of the schema is wrong").where(path);
  storage::Extents extents{0, facts.slot_bytes, shm::tensor_alignment, true};
  storage::Outline outline = storage::parse_outline(json, extents, path);
  auto body = std::make_shared<shm::ChannelBody>(path, std::move(file), facts, std::move(outline), roles);
  if (body->member().slots().state() == shm::Result::corrupt) shm::throw_result(shm::Result::corrupt, *body, true, 0);
  body->join(roles, true);
  return c10::make_intrusive<SharedChannel>(std::move(body));
}

void SharedChannel::unlink(std::string_view name) {
  std::string path = shm::path_of(name);
  storage::Fd file = shm::open_named(path);
  if (!file) throw Error(Code::not_found, "there is no such channel").where(path);
  int64_t size = std::min(storage::size_of(file, path), shm::header_page);
  if (!shm::has_channel_magic(storage::read_bytes(file, 0, size, path)))
    throw Error(Code::corrupt, "it is not a channel")
        .where(path)
        .hint("it is not removed; do that yourself if you are sure");
  if (!shm::unlink_safely(path, shm::identity(file)))
    throw Error(Code::not_found, "there is no such channel").where(path);
}

SharedChannel::~SharedChannel() {
  for (auto& there : watches_) delete there.load();
  if (!owned_ || !body_->member().ours()) return;
  try {
    shm::unlink_safely(path(), *owned_);
  } catch (
      const std::
          exception&) {  // a destructor cannot fail: the name stays, and create will report that its owner has ended
  }
}

// ---- Messages -------------------------------------------------------------------------------------------------------

namespace shm {

namespace {

void check_role(const ChannelBody& body, Role role) {
  if (body.member().ours() && (body.member().roles() & role)) return;
  body.check_ours();
  throw_role(body.path(), role);
}

// Counts one more claim, unless it comes to nothing.
class HoldOne {
 public:
  explicit HoldOne(ChannelBody& body) : body_(&body) {
    if (!body.hold_one_more())
      throw Error(Code::nospace, "this handle holds " + std::to_string(body.facts().max_held) + " messages already")
          .where(body.path())
          .hint("release or publish one first");
  }
  ~HoldOne() {
    if (body_) body_->hold_one_less();
  }
  void keep() { body_ = nullptr; }

 private:
  ChannelBody* body_;
};

}  // namespace

}  // namespace shm

MessagePtr SharedChannel::acquire(int64_t timeout_ms, const Cancel* cancel) {
  shm::check_role(*body_, shm::produces);
  shm::HoldOne one(*body_);
  shm::Claim claim;
  shm::Result r = body_->member().acquire(timeout_ms, claim, cancel ? &cancel->flag : nullptr);
  attempted(shm::produces, r);
  if (r != shm::Result::done) shm::throw_result(r, *body_, false, timeout_ms);
  one.keep();
  return c10::make_intrusive<Message>(body_, claim, 0);
}

MessagePtr SharedChannel::take(int64_t timeout_ms, const Cancel* cancel) {
  shm::check_role(*body_, shm::consumes);
  shm::HoldOne one(*body_);
  shm::Claim claim;
  shm::Result r = body_->member().take(timeout_ms, claim, cancel ? &cancel->flag : nullptr);
  attempted(shm::consumes, r);
  if (r != shm::Result::done) shm::throw_result(r, *body_, true, timeout_ms);
  one.keep();
  return c10::make_intrusive<Message>(body_, claim, body_->lost_since_last());
}

int SharedChannel::descriptor(shm::Role what) {
  shm::check_role(*body_, what);
  if (shm::Watch* there = watch(what).load()) return there->fd();
  int error = 0;
  std::unique_ptr<shm::Watch> made = shm::Watch::make(body_->member(), what, error);
  if (!made && error == ENOSYS) throw Error(Code::unsupported, "this platform has no eventfd").where(path());
  if (!made) throw os_error(error, "make a descriptor for poll", path());
  shm::Watch* none = nullptr;
  if (watch(what).compare_exchange_strong(none, made.get())) return made.release()->fd();
  return none->fd();  // another thread was first
}

void SharedChannel::close() {
  body_->check_ours();
  body_->member().close();
}

unsigned SharedChannel::sweep() {
  body_->check_ours();
  return body_->member().sweep();
}

NodePtr SharedChannel::schema() const {
  return zeros_of(body_->views().outline());
}

NodePtr SharedChannel::zeros_of(const storage::Outline& outline) {
  return storage::build(outline, [](const storage::PlacedLeaf& leaf) {
    at::Tensor zeros = full(leaf.type.sizes, 0, leaf.type.dtype, "cpu");
    return leaf.type.stored == 0 ? zeros : as_stored(zeros, leaf.type.stored);
  });
}

}  // namespace td
