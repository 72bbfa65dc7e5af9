#include "core/shm/message.h"

#include <algorithm>
#include <cstring>

#include "core/dict/copy.h"
#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

// What is used by others than the node that holds it.
struct Used {
  int64_t views = 0, tensors = 0, stored_uses = 0;
  size_t storage_uses = 0;

  void add_parts(const Node& node) {
    if (node.each_member([this](const NodePtr& m, size_t) { add(m); })) return;
    node.parts([this](const Entry& e) {
      if (e.is_node()) {
        add(e.node());
      } else if (e.is_tensor()) {
        views += e.tensor().use_count() > 1;
        ++tensors;
        const c10::Storage& storage = e.tensor().storage();
        if (stored_mark(storage) != 0)  // one of its own, which uses the common one
          stored_uses += static_cast<int64_t>(storage.use_count()) - 1;
        else
          storage_uses = storage.use_count();
      }
    });
  }
  void add(const NodePtr& node) {
    views += node.use_count() > 1;
    add_parts(*node);
  }
};

}  // namespace

namespace shm {

// In a forked child this does nothing: the slot is the parent's.
Lease::~Lease() {
  if (!held_) return;
  body_->hold_one_less();
  if (body_->member().ours()) body_->member().give_back(claim_);
}

Result Lease::publish() {
  Result r = body_->member().publish(claim_);
  // Closed: given back already. Corrupt: it has no owner any more.
  held_ = false;
  body_->hold_one_less();
  return r;
}

}  // namespace shm

// Views may be made until the lock that is returned goes; they share the lease.
std::unique_lock<std::mutex> Message::sharing() const {
  body_.check_ours();  // before the lock, which another thread may have held when this process was forked
  std::unique_lock<std::mutex> lock(mutex_);
  if (published_)
    throw Error(Code::closed, "the message is published").where(body_.path()).hint("acquire another one to write to");
  if (!shared_) shared_ = std::make_shared<shm::Lease>(std::move(own_));
  return lock;
}

NodePtr Message::dict() const {
  const auto lock = sharing();
  if (dict_) return dict_;
  dict_ = body_.views().over(body_.slot(shared_->claim().slot), body_.slot_bytes(), shared_,
                             taken() ? Access::read_only : body_.access());
  return dict_;
}

at::Tensor Message::bytes() const {
  const auto lock = sharing();
  return from_memory(body_.slot(shared_->claim().slot), at::kByte, {body_.slot_bytes()}, {}, shared_,
                     taken() ? Access::read_only : body_.access());
}

void Message::copy_to(char* bytes) const {
  std::memcpy(bytes, body_.slot(slot()), static_cast<size_t>(body_.slot_bytes()));
}

void Message::copy_from(const char* bytes) {
  std::memcpy(body_.slot(slot()), bytes, static_cast<size_t>(body_.slot_bytes()));
}

NodePtr Message::clone() const {
  body_.check_ours();
  if (published_) throw Error(Code::closed, "the message is published").where(body_.path()).hint("clone it before");
  char* slot = body_.slot(own_.claim().slot);
  return deep_copy(*body_.views().over(slot, body_.slot_bytes(), nullptr, Access::read_only));
}

int64_t Message::open_views() const {
  body_.check_ours();
  std::lock_guard<std::mutex> guard(mutex_);
  if (!dict_) return 0;
  Used used;
  used.add(dict_);
  // All other tensors of the dict share one storage, which other tensors over the slot use too.
  int64_t others = static_cast<int64_t>(used.storage_uses) - used.tensors;
  return used.views + used.stored_uses + std::max<int64_t>(others, 0);
}

void Message::publish() {
  body_.check_ours();
  if (taken())
    throw Error(Code::argument, "the message was taken, not acquired")
        .where(body_.path())
        .hint_naming("acquire one with {channel_acquire}, and publish that");
  if (published_.exchange(true)) throw Error(Code::closed, "the message is published already").where(body_.path());
  shm::Lease& lease = shared_ ? *shared_ : own_;
  shm::Result r = lease.publish();
  number_ = lease.claim().ticket;
  dict_.reset();
  if (r != shm::Result::done) shm::throw_result(r, body_, false, 0);
}

}  // namespace td
