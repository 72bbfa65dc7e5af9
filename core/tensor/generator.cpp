#include "core/tensor/generator.h"

#include <mutex>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

namespace td {

Generator::Generator(uint64_t seed) : generator_(at::make_generator<at::CPUGeneratorImpl>(seed)) {}

void Generator::seed(uint64_t value) {
  std::lock_guard<std::mutex> hold(generator_.mutex());
  generator_.set_current_seed(value);
}

void manual_seed(uint64_t value) {
  at::manual_seed(value);
}

}  // namespace td
