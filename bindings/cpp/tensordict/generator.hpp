// Random numbers.
#ifndef TENSORDICT_GENERATOR_HPP
#define TENSORDICT_GENERATOR_HPP

#include "handle.hpp"

namespace tensordict {

class Tensor;

// A generator on the CPU: the same seed gives the same numbers as torch.Generator().manual_seed(seed).
class Generator : public Handle<Generator, td_generator, td_generator_retain, td_generator_release> {
 public:
  explicit Generator(Adopted raw) noexcept : Handle(raw) {}
  explicit Generator(std::uint64_t seed) : Generator(detail::made<Generator>(td_generator_new, seed)) {}

  // Starts the sequence of `seed` again.
  void seed(std::uint64_t seed) { detail::call(td_generator_seed, get(), seed); }
  std::uint64_t initial_seed() const noexcept { return td_generator_initial_seed(get()); }

  // Where it is in its sequence, as bytes: those of torch.Generator.get_state.
  Tensor state() const;
  void load_state(const Tensor& state);
};

// Seeds LibTorch's default generators, for the whole process.
inline void manual_seed(std::uint64_t seed) {
  detail::call(td_manual_seed, seed);
}

// A generator as an argument; without one the default generator is meant.
class WithGenerator {
 public:
  WithGenerator() = default;
  WithGenerator(Generator& generator) noexcept : raw_(generator.get()) {}
  td_generator* get() const noexcept { return raw_; }

 private:
  td_generator* raw_ = nullptr;
};

}  // namespace tensordict

#endif
