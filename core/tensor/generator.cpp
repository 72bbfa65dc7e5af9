#include "core/tensor/generator.h"

#include <mutex>

#include <pthread.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/Tensor.h>

#include "core/error.h"
#include "core/tensor/dims.h"

namespace td {

namespace {

// A thread that draws from LibTorch's default generator holds its mutex: a fork waits for it, so the child can draw
// too.
at::Generator* locked = nullptr;

void lock_default() {
  static at::Generator* generator = nullptr;  // never freed: LibTorch's own reference ends with the process
  try {
    if (!generator) generator = new at::Generator(at::detail::getDefaultCPUGenerator());
    generator->mutex().lock();
    locked = generator;
  } catch (...) {
    locked = nullptr;  // one that cannot be made is not held either
  }
}
void unlock_default() {
  if (locked) locked->mutex().unlock();
}

// Before every ProcessMutex, so that a fork locks it after them, as those do that draw while they hold one.
__attribute__((constructor(101))) void watch_default() {
  pthread_atfork(lock_default, unlock_default, unlock_default);
}

}  // namespace

Generator::Generator(uint64_t seed) : generator_(at::make_generator<at::CPUGeneratorImpl>(seed)) {}

void Generator::seed(uint64_t value) {
  std::lock_guard<std::mutex> hold(generator_.mutex());
  generator_.set_current_seed(value);
}

uint64_t Generator::initial_seed() const {
  std::lock_guard<std::mutex> hold(generator_.mutex());
  return generator_.current_seed();
}

at::Tensor Generator::state() const {
  std::lock_guard<std::mutex> hold(generator_.mutex());
  return generator_.get_state();
}

void Generator::load_state(const at::Tensor& given) {
  if (given.scalar_type() != at::kByte)
    throw Error(Code::dtype,
                std::string("a generator state must be uint8, but this is ") + c10::toString(given.scalar_type()));
  const at::Tensor bytes = given.detach().cpu().contiguous();
  std::lock_guard<std::mutex> hold(generator_.mutex());
  const int64_t size = generator_.get_state().numel();
  if (bytes.dim() != 1 || bytes.numel() != size)
    throw Error(Code::shape, "the state of a generator has " + std::to_string(size) +
                                 " bytes, but this tensor has shape " + to_string(bytes.sizes()));
  try {
    generator_.set_state(bytes);
  } catch (const c10::Error&) {
    throw Error(Code::corrupt, "these bytes are not the state of a generator");
  }
}

void manual_seed(uint64_t value) {
  at::manual_seed(value);
}

}  // namespace td
