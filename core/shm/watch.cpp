#include "core/shm/watch.h"

#include <algorithm>
#include <cerrno>

#include "core/fork.h"

#if defined(__linux__)
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>
#endif

namespace td::shm {

#if defined(__linux__)

namespace {

constexpr int64_t crowded_ns = 1000 * 1000;  // between looks at those for which there is no room

}  // namespace

// Of the process; never freed, as its thread lives as long. A forked child has neither the thread nor the list.
class Watcher {
 public:
  static Watcher& only;

  int add(Watch& w) {
    ProcessLock hold(mutex_);
    if (process_ != getpid()) first_ = nullptr, running_ = false, process_ = getpid();
    if (!running_)
      if (int error = start()) return error;
    running_ = true;
    w.process_ = process_;
    w.after_ = first_;
    if (first_) first_->before_ = &w;
    first_ = &w;
    w.member_.lie_down(w.what_);
    kick();
    return 0;
  }

  void remove(Watch& w) {
    ProcessLock hold(mutex_);
    if (w.process_ != getpid()) return;
    if (w.after_) w.after_->before_ = w.before_;
    (w.before_ ? w.before_->after_ : first_) = w.after_;
    if (!w.lit_) w.member_.get_up(w.what_);
  }

  void dim(Watch& w, bool empty) {
    ProcessLock hold(mutex_);
    if (!w.lit_) return;
    if (w.member_.ready(w.what_)) {
      if (empty) w.report();
      return;
    }
    uint64_t count;
    while (read(w.fd(), &count, sizeof count) < 0 && errno == EINTR) {
    }
    w.lit_ = false;
    w.member_.lie_down(w.what_);
    if (w.member_.ready(w.what_))  // it came before its senders could see the new waiter
      w.light();
    else
      kick();
  }

 private:
  // With all signals blocked: the handlers of the program run in its own threads.
  int start() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int error = pthread_create(
        &thread, nullptr,
        [](void* self) -> void* {
          for (;;) static_cast<Watcher*>(self)->turn();
        },
        this);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!error) pthread_detach(thread);
    return error;
  }

  void kick() {
    kicks_.fetch_add(1);
    wake_all(kicks_);
  }

  void turn() {
    Watched words[max_watched] = {{&kicks_, kicks_.load()}};
    size_t many = 1;
    int64_t ns = INT64_C(1) << 50;  // without anybody to look after, until a kick
    {
      ProcessLock hold(mutex_);
      for (Watch* w = first_; w; w = w->after_) {
        if (w->lit_) continue;
        ns = std::min(ns, slice_ns);
        w->member_.look_around();
        HalfWord& count = w->member_.event_of(w->what_).count;
        uint32_t seen = count.load();  // before looking: what changes after that look changes the count
        if (w->member_.ready(w->what_))
          w->light();
        else if (many < max_watched)
          words[many++] = {&count, seen};
        else
          ns = crowded_ns;
      }
    }
    sleep_on_any(words, many, ns);
  }

  ProcessMutex mutex_;
  Watch* first_ = nullptr;
  HalfWord kicks_{0};
  bool running_ = false;
  int64_t process_ = 0;
};

Watcher& Watcher::only = *new Watcher;

std::unique_ptr<Watch> Watch::make(Membership& member, Role what, int& error) {
  storage::Fd fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  error = fd ? 0 : errno;
  if (error) return nullptr;
  std::unique_ptr<Watch> made(new Watch(member, what, std::move(fd)));
  error = Watcher::only.add(*made);
  return error ? nullptr : std::move(made);
}

Watch::~Watch() {
  Watcher::only.remove(*this);
}

void Watch::light() {
  member_.get_up(what_);
  lit_ = true;
  report();
}

void Watch::report() {
  uint64_t one = 1;
  while (write(fd(), &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void Watch::dim(bool empty) {
  Watcher::only.dim(*this, empty);
}

#else

std::unique_ptr<Watch> Watch::make(Membership&, Role, int& error) {
  error = ENOSYS;
  return nullptr;
}
Watch::~Watch() = default;
void Watch::light() {}
void Watch::report() {}
void Watch::dim(bool) {}

#endif

}  // namespace td::shm
