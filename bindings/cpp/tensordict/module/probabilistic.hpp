// A part of Module: modules that make a distribution of what they read, and write a value of it; sequences with such members.
//
//     Module policy = Module::probabilistic("td.normal", {"loc", "scale"}, {"action"});
//     Dist dist = policy.get_dist(td);
#ifndef TENSORDICT_MODULE_PROBABILISTIC_HPP
#define TENSORDICT_MODULE_PROBABILISTIC_HPP

#include "../dist.hpp"
#include "options.hpp"
#include "state.hpp"

namespace tensordict {

struct ProbabilisticOptions {
  Interaction default_interaction = Interaction::standard;  // deterministic
  bool return_log_prob = false;                             // writes the log-probability of the value, too
  bool aggregate = false;                                   // one key for the log-probability of all values
  std::vector<Key> log_prob_keys = {};
  std::int64_t n_empirical_estimate = 0;            // > 0: the mean of so many draws where there is no mean
  Shape num_samples = {};                           // dims that are put before those of the data
  Generator* generator = nullptr;                   // for all draws, or
  std::optional<Key> generator_key = std::nullopt;  // a seed in the data
  std::vector<std::string> param_names = {};        // one for each in-key: the parameters that they are
  const Dict* params = nullptr;                     // parameters that are not in the data
};

enum class ReturnComposite : td_return_composite {
  standard = TD_RETURN_COMPOSITE_DEFAULT,
  no = TD_RETURN_COMPOSITE_FALSE,  // the distribution of the last member
  yes = TD_RETURN_COMPOSITE_TRUE,  // one composite distribution of all probabilistic members
};

struct LogProbOptions {
  const Dist* dist = nullptr;  // none: as get_dist makes it of the data
  bool include_sum = false;    // log_prob_dict adds the sum of all
  bool given_samples = false;  // members of a composite sequence read the samples in the data
};

namespace detail {

class RawProbabilistic {
 public:
  explicit RawProbabilistic(const ProbabilisticOptions& options)
      : log_prob_keys_(options.log_prob_keys), names_(options.param_names), generator_key_(options.generator_key) {
    raw_.default_interaction = static_cast<td_interaction>(options.default_interaction);
    raw_.return_log_prob = options.return_log_prob;
    raw_.aggregate = options.aggregate;
    raw_.log_prob_keys = log_prob_keys_.size() ? log_prob_keys_.data() : nullptr;
    raw_.n_log_prob_keys = log_prob_keys_.size();
    raw_.n_empirical_estimate = options.n_empirical_estimate;
    raw_.num_samples = options.num_samples.empty() ? nullptr : options.num_samples.data();
    raw_.n_num_samples = options.num_samples.size();
    raw_.generator = options.generator ? options.generator->get() : nullptr;
    raw_.generator_key = generator_key_.get();
    raw_.param_names = names_.data_or_null();
    raw_.params = options.params ? options.params->get() : nullptr;
  }
  RawProbabilistic(const RawProbabilistic&) = delete;
  const td_probabilistic_options* get() const noexcept { return &raw_; }

 private:
  KeyViews log_prob_keys_;
  Texts names_;
  OptionalKey generator_key_;
  td_probabilistic_options raw_ = TD_PROBABILISTIC_OPTIONS_INIT;
};

template <class F>
td_status call_dist(void* userdata, const td_dict* params, td_dist** out, td_error** err) noexcept {
  return guard(err, [&] {
    const Dict borrowed = Dict::borrow(params);
    Dist dist = (*static_cast<F*>(userdata))(borrowed);
    *out = dist.release();
  });
}

}  // namespace detail

template <class D>
class ModuleProbabilistic : public detail::ModulePart<D, ModuleProbabilistic<D>> {
  using Part = detail::ModulePart<D, ModuleProbabilistic<D>>;
  using Part::self;

 public:
  // Of a distribution type and its config: reads the parameters, writes the value.
  static D probabilistic(std::string_view type, const KeyViews& in_keys, const KeyViews& out_keys,
                         const ProbabilisticOptions& options = {}, std::string_view config = {}) {
    detail::check_names(options.param_names.size(), in_keys.size());
    const detail::RawProbabilistic raw(options);
    return detail::made<D>(td_module_probabilistic, detail::optional_str(type), detail::optional_str(config),
                           in_keys.data(), in_keys.size(), out_keys.data(), out_keys.size(), raw.get());
  }
  // Of several parts, of the dict under `params`.
  static D probabilistic_composite(const KeyView& params, const std::vector<DistPart>& parts,
                                   const ProbabilisticOptions& options = {}) {
    const detail::RawProbabilistic raw(options);
    const detail::RawDistParts raw_parts(parts);
    return detail::made<D>(td_module_probabilistic_composite, detail::KeyArgument(params), raw_parts.data(),
                           raw_parts.size(), raw.get());
  }
  // Of any distribution: `function(const Dict& params)` makes it.
  template <class F>
  static D probabilistic_function(F function, const KeyViews& in_keys, const KeyViews& out_keys,
                                  const ProbabilisticOptions& options = {}) {
    detail::check_names(options.param_names.size(), in_keys.size());
    const detail::RawProbabilistic raw(options);
    return detail::made<D>(td_module_probabilistic_function,
                           detail::callback<td_dist_function>(std::move(function), detail::call_dist<F>),
                           in_keys.data(), in_keys.size(), out_keys.data(), out_keys.size(), raw.get());
  }
  static D probabilistic_sequential(detail::Borrowed<D> modules,
                                    ReturnComposite return_composite = ReturnComposite::standard,
                                    const SequenceOptions& options = {}) {
    detail::check_names(options.names.size(), modules.size());
    const detail::RawSequence raw(options);
    return detail::made<D>(td_module_probabilistic_sequential, modules.data(), modules.size(),
                           static_cast<td_return_composite>(return_composite), raw.get());
  }

  // The distribution that the module makes of the data; what a sequence writes on the way goes to `tensordict_out`, or to the
  // data.
  Dist get_dist(Dict& data, Dict* tensordict_out = nullptr) const {
    return detail::made<Dist>(td_module_get_dist, self(), data.get(), raw_or_null(tensordict_out));
  }
  // What all members but the last write.
  Dict get_dist_params(Dict& data, Dict* tensordict_out = nullptr) const {
    return detail::made<Dict>(td_module_get_dist_params, self(), data.get(), raw_or_null(tensordict_out));
  }
  // Of parameters that are there; nothing runs.
  Dist dist_from_params(const Dict& params) const {
    return detail::made<Dist>(td_module_dist_from_params, self(), params.get());
  }
  // The log-probability of the samples in the data: as one, or all of them in a new dict.
  Tensor log_prob(Dict& data, const LogProbOptions& options = {}) const {
    const td_log_prob_options raw = raw_of(options);
    return detail::made<Tensor>(td_module_log_prob, self(), data.get(), &raw);
  }
  Dict log_prob_dict(Dict& data, const LogProbOptions& options = {}) const {
    const td_log_prob_options raw = raw_of(options);
    return detail::made<Dict>(td_module_log_prob_dict, self(), data.get(), &raw);
  }

  Keys dist_params_keys() const { return detail::made<Keys>(td_module_dist_params_keys, self()); }
  Keys dist_sample_keys() const { return detail::made<Keys>(td_module_dist_sample_keys, self()); }
  Keys log_prob_keys() const { return detail::made<Keys>(td_module_log_prob_keys, self()); }
  Shape num_samples() const {
    return detail::sizes_of([&](std::int64_t* out, std::size_t n) { return td_module_num_samples(self(), out, n); });
  }
  Interaction default_interaction() const noexcept {
    return static_cast<Interaction>(td_module_default_interaction(self()));
  }

 private:
  static td_dict* raw_or_null(Dict* dict) noexcept { return dict ? dict->get() : nullptr; }
  static td_log_prob_options raw_of(const LogProbOptions& options) {
    td_log_prob_options raw = TD_LOG_PROB_OPTIONS_INIT;
    raw.dist = options.dist ? options.dist->get() : nullptr;
    raw.include_sum = options.include_sum;
    raw.given_samples = options.given_samples;
    return raw;
  }
};

}  // namespace tensordict

#endif
