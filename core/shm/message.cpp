#include "core/shm/message.h"

#include "core/error.h"

namespace td {

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

NodePtr Message::dict() const {
  body_.check_ours();  // before the lock, which another thread may have held when this process was forked
  std::lock_guard<std::mutex> guard(mutex_);
  if (published_)
    throw Error(Code::closed, "the message is published").where(body_.path()).hint("acquire another one to write to");
  if (dict_) return dict_;
  if (!shared_) shared_ = std::make_shared<shm::Lease>(std::move(own_));
  dict_ = body_.views().over(body_.slot(shared_->claim().slot), body_.slot_bytes(), shared_,
                             taken() ? Access::read_only : body_.access());
  return dict_;
}

void Message::publish() {
  body_.check_ours();
  if (taken())
    throw Error(Code::argument, "the message was taken, not acquired")
        .where(body_.path())
        .hint("acquire one with td_channel_acquire, and publish that");
  if (published_.exchange(true)) throw Error(Code::closed, "the message is published already").where(body_.path());
  shm::Lease& lease = shared_ ? *shared_ : own_;
  shm::Result r = lease.publish();
  number_ = lease.claim().ticket;
  dict_.reset();
  if (r != shm::Result::done) shm::throw_result(r, body_, false, 0);
}

}  // namespace td
