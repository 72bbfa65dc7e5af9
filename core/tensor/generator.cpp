#include "core/tensor/generator.h"

#include <mutex>

#include <pthread.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

namespace td {

namespace {

// A thread that draws from LibTorch's default generator holds its mutex: a fork waits for it, so the child can draw too.
std::mutex& default_mutex() {
  at::Generator shared = at::detail::getDefaultCPUGenerator();
  return shared.mutex();
}
[[maybe_unused]] const int watched =
    pthread_atfork([] { default_mutex().lock(); }, [] { default_mutex().unlock(); }, [] { default_mutex().unlock(); });

}  // namespace

Generator::Generator(uint64_t seed) : generator_(at::make_generator<at::CPUGeneratorImpl>(seed)) {}

void Generator::seed(uint64_t value) {
  std::lock_guard<std::mutex> hold(generator_.mutex());
  generator_.set_current_seed(value);
}

void manual_seed(uint64_t value) {
  at::manual_seed(value);
}

}  // namespace td
