#include "core/shm/registry.h"

#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include <pthread.h>

#include "core/error.h"
#include "core/fork.h"
#include "core/shm/registry_file.h"
#include "core/system/lock_bytes.h"

namespace td::shm {

namespace {

constexpr int64_t removal_byte = 0;
constexpr int max_wait_ms = 2000;

// Never freed: the byte is held for as long as the process lives.
struct Registry {
  ProcessMutex mutex;
  std::mutex removing;
  std::shared_ptr<LockBytes> locks;  // null, or closed by a fork
  uint64_t mine = 0;

  Registry() {
    // A thread that was removing a name is not in the child, but its lock is.
    pthread_atfork(nullptr, nullptr, [] { new (&only.removing) std::mutex; });
  }
  static Registry& only;

  std::shared_ptr<LockBytes> open() {
    ProcessLock hold(mutex);
    if (locks && locks->ours() && is_registry(locks->fd())) return locks;
    mine = 0;
    locks = std::make_shared<LockBytes>(open_registry());
    return locks;
  }
};

Registry& Registry::only = *new Registry;

// Held while a name is checked and removed, so that a new file of the same name is never removed instead.
class Removal {
 public:
  Removal() : threads_(Registry::only.removing), locks_(Registry::only.open()) {
    for (int ms = 0; !locks_->lock(removal_byte); ++ms) {
      if (ms == max_wait_ms)
        throw Error(Code::timeout, "another process has been removing names for two seconds")
            .hint("it may be stopped; see who holds the lock of /dev/shm/.td.*.registry*");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  ~Removal() { locks_->unlock(removal_byte); }

 private:
  std::lock_guard<std::mutex> threads_;
  std::shared_ptr<LockBytes> locks_;
};

}  // namespace

uint64_t owner_byte() {
  std::shared_ptr<LockBytes> locks = Registry::only.open();
  ProcessLock hold(Registry::only.mutex);
  uint64_t& mine = Registry::only.mine;
  while (mine == 0) {
    uint64_t byte = 0;
    random_bytes(&byte, sizeof byte);
    byte = byte >> 2 | 1;  // never byte 0, and within the offsets of a file
    if (locks->lock(static_cast<int64_t>(byte))) mine = byte;
  }
  return mine;
}

bool owner_alive(uint64_t byte, const Process& process) {
  if (alive(process)) return true;
  std::shared_ptr<LockBytes> locks = Registry::only.open();
  ProcessLock hold(Registry::only.mutex);
  if (byte == Registry::only.mine) return true;
  return byte != 0 && byte < uint64_t{1} << 62 && locks->held(static_cast<int64_t>(byte));
}

bool unlink_safely(const std::string& path, const Identity& file, const std::function<bool()>& may) {
  Removal removal;
  return (!may || may()) && unlink_if(path, file);
}

}  // namespace td::shm
