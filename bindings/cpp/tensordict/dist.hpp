// Distributions. Types come from plugins: "td.normal", "td.gamma", "td.categorical" and so on.
//
//     Dist normal = Dist::create("td.normal", Dict({{"loc", loc}, {"scale", scale}}, {}));
//     Tensor x = normal.rsample({10}, rng), p = normal.log_prob(x);
#ifndef TENSORDICT_DIST_HPP
#define TENSORDICT_DIST_HPP

#include "transform.hpp"

namespace tensordict {

// How a value is taken from a distribution.
enum class Interaction : td_interaction {
  standard = TD_INTERACTION_DEFAULT,  // whoever asks has a default
  mode = TD_INTERACTION_MODE,
  median = TD_INTERACTION_MEDIAN,
  mean = TD_INTERACTION_MEAN,
  random = TD_INTERACTION_RANDOM,
  deterministic = TD_INTERACTION_DETERMINISTIC,
};

inline Interaction interaction_from_name(std::string_view name) {
  return static_cast<Interaction>(detail::got<td_interaction>(td_interaction_from_name, detail::str(name)));
}
inline Interaction current_interaction() noexcept {
  return static_cast<Interaction>(td_interaction_get());
}

// The calling thread's type while it lives, over the default of every module.
class SetInteraction {
 public:
  explicit SetInteraction(Interaction type)
      : previous_(detail::got<td_interaction>(td_interaction_set, static_cast<td_interaction>(type))) {}
  SetInteraction(const SetInteraction&) = delete;
  SetInteraction& operator=(const SetInteraction&) = delete;
  ~SetInteraction() { td_interaction_set(previous_, nullptr, nullptr); }

 private:
  td_interaction previous_;
};

// Whether distributions made from now on check their parameters and values.
inline void set_default_validate_args(bool validate) noexcept {
  td_dist_set_default_validate_args(detail::raw(validate));
}
inline bool default_validate_args() noexcept {
  return td_dist_default_validate_args();
}

enum class DistStat : td_dist_stat {
  mean = TD_DIST_STAT_MEAN,
  mode = TD_DIST_STAT_MODE,
  variance = TD_DIST_STAT_VARIANCE,
  entropy = TD_DIST_STAT_ENTROPY,
  median = TD_DIST_STAT_MEDIAN,
  stddev = TD_DIST_STAT_STDDEV,
  deterministic = TD_DIST_STAT_DETERMINISTIC,
  perplexity = TD_DIST_STAT_PERPLEXITY,
};

// A part of a composite distribution.
struct DistPart {
  Key params;  // the dict of its parameters, in the params of the whole
  std::string type;
  std::string config = {};
  std::optional<Key> name = std::nullopt;  // of its samples; none: the same as `params`
};

namespace detail {

class RawDistParts {
 public:
  explicit RawDistParts(const std::vector<DistPart>& parts) {
    for (const DistPart& part : parts) views_.emplace_back(part.params);
    for (const DistPart& part : parts) views_.emplace_back(part.name ? *part.name : part.params);
    for (const KeyView& view : views_) keys_.push_back(view.raw());
    for (std::size_t i = 0; i < parts.size(); ++i)
      raws_.push_back(td_dist_part{keys_[i], str(parts[i].type), optional_str(parts[i].config),
                                   parts[i].name ? &keys_[parts.size() + i] : nullptr});
  }
  const td_dist_part* data() const noexcept { return raws_.data(); }
  std::size_t size() const noexcept { return raws_.size(); }

 private:
  std::vector<KeyView> views_;
  std::vector<td_key> keys_;
  std::vector<td_dist_part> raws_;
};

}  // namespace detail

class Dist : public Handle<Dist, td_dist, td_dist_retain, td_dist_release> {
 public:
  explicit Dist(Adopted raw) noexcept : Handle(raw) {}

  // From its parameters, which are kept by reference and broadcast; `config` is a JSON object.
  static Dist create(std::string_view type, const Dict& params, std::string_view config = {}) {
    return detail::made<Dist>(td_dist_new, detail::str(type), params.get(), detail::optional_str(config));
  }
  // The last `ndims` batch dims as event dims.
  static Dist independent(const Dist& base, std::int64_t ndims) {
    return detail::made<Dist>(td_dist_independent, base.get(), ndims);
  }
  // What transforms make of a distribution: from JSON, or transforms that are there.
  static Dist transformed(const Dist& base, std::string_view json, const Dict* params = nullptr) {
    return detail::made<Dist>(td_dist_transformed, base.get(), detail::str(json), params ? params->get() : nullptr);
  }
  static Dist transformed(const Dist& base, detail::Borrowed<Transform> parts) {
    return detail::made<Dist>(td_dist_transformed_by, base.get(), parts.data(), parts.size());
  }
  // One of the elements along the last batch dim of `components`, chosen by a categorical distribution.
  static Dist mixture(const Dist& mixture, const Dist& components) {
    return detail::made<Dist>(td_dist_mixture, mixture.get(), components.get());
  }
  // Several under keys, over dicts: each made from the dict of its parameters, or distributions that are there.
  static Dist composite(const Dict& params, const std::vector<DistPart>& parts) {
    const detail::RawDistParts raw(parts);
    return detail::made<Dist>(td_dist_composite, params.get(), raw.data(), raw.size());
  }
  static Dist composite_of(Ints batch, const KeyViews& names, detail::Borrowed<Dist> dists) {
    if (names.size() != dists.size()) throw ArgumentError("there is not one name for each distribution");
    return detail::made<Dist>(td_dist_composite_of, batch.data(), batch.size(), names.data(), dists.data(),
                              dists.size());
  }

  // `shape` + batch shape values, without and with gradients to the parameters.
  Tensor sample(Ints shape = {}, WithGenerator generator = {}) const {
    return detail::made<Tensor>(td_dist_sample, get(), shape.data(), shape.size(), generator.get());
  }
  Tensor rsample(Ints shape = {}, WithGenerator generator = {}) const {
    return detail::made<Tensor>(td_dist_rsample, get(), shape.data(), shape.size(), generator.get());
  }
  Tensor log_prob(const Tensor& value) const { return one(td_dist_log_prob, value); }
  Tensor cdf(const Tensor& value) const { return one(td_dist_cdf, value); }
  Tensor icdf(const Tensor& value) const { return one(td_dist_icdf, value); }
  Tensor stat(DistStat which) const {
    return detail::made<Tensor>(td_dist_get, get(), static_cast<td_dist_stat>(which));
  }
  Tensor mean() const { return stat(DistStat::mean); }
  Tensor mode() const { return stat(DistStat::mode); }
  Tensor variance() const { return stat(DistStat::variance); }
  Tensor stddev() const { return stat(DistStat::stddev); }
  Tensor entropy() const { return stat(DistStat::entropy); }
  // A value as `type` says; `n_empirical` > 0: where there is no mean, that of so many draws.
  Tensor interact(Interaction type, Ints shape = {}, std::int64_t n_empirical = 0, WithGenerator generator = {}) const {
    return detail::made<Tensor>(td_dist_interact, get(), static_cast<td_interaction>(type), shape.data(), shape.size(),
                                n_empirical, generator.get());
  }
  Tensor enumerate_support(bool expand = true) const {
    return detail::made<Tensor>(td_dist_enumerate_support, get(), detail::raw(expand));
  }
  Dist expand(Ints batch) const { return detail::made<Dist>(td_dist_expand, get(), batch.data(), batch.size()); }

  Shape batch_shape() const {
    return detail::sizes_of([&](std::int64_t* out, std::size_t n) { return td_dist_batch_shape(get(), out, n); });
  }
  Shape event_shape() const {
    return detail::sizes_of([&](std::int64_t* out, std::size_t n) { return td_dist_event_shape(get(), out, n); });
  }
  bool has_rsample() const noexcept { return td_dist_has_rsample(get()); }
  bool has_enumerate_support() const noexcept { return td_dist_has_enumerate_support(get()); }
  std::string repr() const { return detail::text_of(td_dist_repr, get()); }

  // Of a composite distribution.
  Dict sample_dict(Ints shape = {}, WithGenerator generator = {}) const {
    return detail::made<Dict>(td_dist_sample_dict, get(), shape.data(), shape.size(), generator.get());
  }
  Dict rsample_dict(Ints shape = {}, WithGenerator generator = {}) const {
    return detail::made<Dict>(td_dist_rsample_dict, get(), shape.data(), shape.size(), generator.get());
  }
  Dict stat_dict(DistStat which) const {
    return detail::made<Dict>(td_dist_get_dict, get(), static_cast<td_dist_stat>(which));
  }
  Dict interact_dict(Interaction type, Ints shape = {}, std::int64_t n_empirical = 0,
                     WithGenerator generator = {}) const {
    return detail::made<Dict>(td_dist_interact_dict, get(), static_cast<td_interaction>(type), shape.data(),
                              shape.size(), n_empirical, generator.get());
  }
  // Each part's "<name>_log_prob", with their sum; and the log-probability of the whole.
  Dict log_prob_dict(const Dict& sample, bool include_sum = true) const {
    return detail::made<Dict>(td_dist_log_prob_dict, get(), sample.get(), detail::raw(include_sum));
  }
  Tensor log_prob(const Dict& sample) const { return detail::made<Tensor>(td_dist_log_prob_sum, get(), sample.get()); }
  // Write "<name>_cdf" and "<name>_icdf" into the sample.
  void cdf_dict(Dict& sample) const { detail::call(td_dist_cdf_dict, get(), sample.get()); }
  void icdf_dict(Dict& sample) const { detail::call(td_dist_icdf_dict, get(), sample.get()); }

 private:
  template <class F>
  Tensor one(F function, const Tensor& value) const {
    return detail::made<Tensor>(function, get(), value.get());
  }
};

inline Tensor kl_divergence(const Dist& p, const Dist& q) {
  return detail::made<Tensor>(td_dist_kl_divergence, p.get(), q.get());
}

inline Transform Transform::cdf_of(const Dist& dist) {
  return detail::made<Transform>(td_transform_cdf_of, dist.get());
}

}  // namespace tensordict

#endif
