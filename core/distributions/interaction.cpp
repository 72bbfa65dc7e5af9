#include "core/distributions/interaction.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <c10/util/Exception.h>

#include "core/distributions/independent.h"
#include "core/distributions/ops.h"
#include "core/error.h"

namespace td {

namespace {

thread_local Interaction interaction_of_thread = Interaction::none;

constexpr int64_t default_draws = 1000;  // that stand for a mean, as in the original

// What "deterministic" takes where the distribution has no deterministic sample of its own.
Interaction point_of(const Distribution& dist) {
  switch (dist.point()) {
    case Distribution::Point::mode:
      return Interaction::mode;
    case Distribution::Point::mean:
      return Interaction::mean;
    default:
      break;
  }
  Constraint support = dist.support();
  bool mean = support.real() || support.kind == TD_CONSTRAINT_NONE;
  TORCH_WARN("deterministic_sample wasn't found when queried on ", dist.class_name(), ": falling back on ",
             mean ? "mean" : "mode", " instead.");
  return mean ? Interaction::mean : Interaction::mode;
}

at::Tensor draw(const Distribution& dist, at::IntArrayRef shape, Generator* generator) {
  return dist.has_rsample() ? dist.rsample(shape, generator) : dist.sample(shape, generator);
}

at::Tensor chosen(const Distribution& dist, Interaction type, const DrawOptions& options) {
  using Stat = Distribution::Stat;
  if (type == Interaction::deterministic) {
    if (dist.has(Stat::deterministic)) return dist.stat(Stat::deterministic);
    auto* independent = dynamic_cast<const Independent*>(&dist);
    if (independent && independent->base().has(Stat::deterministic))
      return independent->base().stat(Stat::deterministic);
    type = point_of(dist);
  }
  if (type == Interaction::mode) return dist.stat(Stat::mode);
  if (type == Interaction::median) {
    if (!dist.has(Stat::median))
      throw Error(Code::unsupported, "method " + dist.class_name() + ".median is not implemented");
    return dist.stat(Stat::median);
  }
  if (dist.has(Stat::mean)) return dist.stat(Stat::mean);
  return draw(dist, {options.n_empirical > 0 ? options.n_empirical : default_draws}, options.generator).mean(0);
}

}  // namespace

Interaction parse_interaction(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::pair<const char*, Interaction> names[] = {{"mode", Interaction::mode},
                                                           {"median", Interaction::median},
                                                           {"mean", Interaction::mean},
                                                           {"random", Interaction::random},
                                                           {"deterministic", Interaction::deterministic}};
  for (auto& [text, type] : names)
    if (lower == text) return type;
  throw Error(Code::argument, "'" + std::string(name) + "' is not a valid InteractionType")
      .hint("use mode, median, mean, random or deterministic");
}

Interaction current_interaction() {
  return interaction_of_thread;
}

Interaction set_interaction(Interaction type) {
  return std::exchange(interaction_of_thread, type);
}

at::Tensor interact(const Distribution& dist, Interaction type, const DrawOptions& options) {
  if (type == Interaction::random) return draw(dist, options.shape, options.generator);
  if (dist.point() == Distribution::Point::refused && type != Interaction::median)
    throw Error(Code::unsupported, "DETERMINISTIC, MEAN and MODE are not implemented for " + dist.class_name() + ".");
  at::Tensor value = chosen(dist, type, options);
  if (options.shape.empty()) return value;
  std::vector<int64_t> sizes = options.shape.vec();
  sizes.insert(sizes.end(), value.sizes().begin(), value.sizes().end());
  return value.expand(sizes);
}

}  // namespace td
