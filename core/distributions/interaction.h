// Ways in which a module gets a value from a distribution: tensordict.nn.InteractionType.
#pragma once

#include <string_view>

#include "core/distributions/distribution.h"

namespace td {

enum class Interaction { none, mode, median, mean, random, deterministic };  // none: the caller's default applies

// Any case; throws Error(argument).
Interaction parse_interaction(std::string_view name);

// Of this thread, over every module's own default; none unless it was set. Returns what it was.
Interaction current_interaction();
Interaction set_interaction(Interaction type);

// The thread's type until the end of the block.
class InteractionScope {
 public:
  explicit InteractionScope(Interaction type) : before_(set_interaction(type)) {}
  InteractionScope(const InteractionScope&) = delete;
  ~InteractionScope() { set_interaction(before_); }

 private:
  Interaction before_;
};

// A value as `type` says: mode, median, mean, or a draw of `shape` with gradients where there are any. A value that is
// no draw is repeated `shape` times. Where the mean is not known, it is that of `n_empirical` draws (0: 1000).
struct DrawOptions {
  at::IntArrayRef shape;
  Generator* generator = nullptr;
  int64_t n_empirical = 0;
};
at::Tensor interact(const Distribution& dist, Interaction type, const DrawOptions& options);

}  // namespace td
