// Threads that meet in one dict. Those that look something up write nothing that others read, and never fail; one that
// changes the entries waits until they are out. Of two that change one dict, the later one is refused: Error(busy).
#pragma once

#include <atomic>
#include <cstdint>

namespace td {

// One per thread that has met a dict. Never freed: a later thread takes it over.
struct alignas(64) Reader {
  std::atomic<uint64_t> section{0};  // odd while the thread looks something up
  std::atomic<bool> taken{true};
  Reader* next = nullptr;
};

// In the static block of thread-local storage, so that it is reached without a call.
extern __thread Reader* reader_of_thread __attribute__((tls_model("initial-exec")));
extern bool fences_by_kernel;  // a writer makes the kernel order the memory of all threads, so that readers need not
Reader& new_reader();
inline Reader& reader() {
  Reader* r = reader_of_thread;
  return __builtin_expect(r != nullptr, 1) ? *r : new_reader();
}

class Section;

// Guards the entries of one node. They may be read in a Section or a Walk, and changed in a Change.
class Gate {
 public:
  Gate() : home_(&reader()) {}

  // Within a section: false if another thread is changing the entries; then leave the section and begin again later.
  bool admits(const Section& section) const;

 private:
  friend class Walk;
  friend class Change;
  static constexpr uint32_t changing = 1, seen = 2, walker = 4;  // and the number of walkers above

  mutable std::atomic<uint32_t> state_{0};
  std::atomic<const Reader*> home_;  // only this thread has looked in since the last change, unless `seen`
};

// A short look: nothing in it waits, throws, or takes memory.
class Section {
 public:
  Section() : me_(reader()) {
    const uint64_t inside = me_.section.load(std::memory_order_relaxed) + 1;
    if (fences_by_kernel) {
      me_.section.store(inside, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      me_.section.exchange(inside, std::memory_order_seq_cst);
    }
  }
  Section(const Section&) = delete;
  ~Section() { me_.section.store(me_.section.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

 private:
  friend class Gate;
  Reader& me_;
};

inline bool Gate::admits(const Section& section) const {
  const uint32_t state = state_.load(std::memory_order_seq_cst);
  if (state & changing) return false;
  if (home_.load(std::memory_order_relaxed) == &section.me_ || (state & seen)) return true;
  return (state_.fetch_or(seen, std::memory_order_seq_cst) & changing) == 0;
}

// Gives way to a change that is under way; `round` counts how often.
void give_way(unsigned round);

// A look that may last: over all entries, with other calls between.
class Walk {
 public:
  explicit Walk(const Gate& gate) : gate_(&gate) {
    for (unsigned round = 0; gate.state_.fetch_add(Gate::walker, std::memory_order_seq_cst) & Gate::changing;
         give_way(round++))
      gate.state_.fetch_sub(Gate::walker, std::memory_order_release);
  }
  Walk(Walk&& other) noexcept : gate_(other.gate_) { other.gate_ = nullptr; }
  Walk& operator=(Walk&&) = delete;
  ~Walk() {
    if (gate_) gate_->state_.fetch_sub(Gate::walker, std::memory_order_release);
  }

 private:
  const Gate* gate_;
};

// Exclusive access to the entries, for a moment. Throws Error(busy) if another thread walks over them for long.
class Change {
 public:
  explicit Change(Gate& gate);
  Change(const Change&) = delete;
  ~Change();

 private:
  Gate& gate_;
};

// Marks a node as being changed, from the first check to the end, so that other writers find the change.
class Writer {
 public:
  // Within a Change: of a thread that claims later, the Change is over before that thread looks at the entries.
  bool claimed_by_another() const {
    const Reader* there = thread_.load(std::memory_order_acquire);
    return there && there != &reader();
  }

 private:
  friend class Claim;
  std::atomic<const Reader*> thread_{nullptr};
};

// Throws Error(busy) if another thread has the claim. A thread may claim again what it has claimed.
class Claim {
 public:
  explicit Claim(Writer& writer);
  Claim(Claim&& other) noexcept : writer_(other.writer_) { other.writer_ = nullptr; }
  Claim& operator=(Claim&&) = delete;
  bool first() const { return writer_ != nullptr; }  // of this thread
  ~Claim() {
    if (writer_) writer_->thread_.store(nullptr, std::memory_order_release);
  }

 private:
  Writer* writer_;
};

}  // namespace td
