// Modules that make a distribution of what they read, and write a value of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/distributions/interaction.h"
#include "core/nn/keyed_module.h"

namespace td {

class Edit;

struct LogProbOptions {
  DistributionPtr dist{};      // null: made of the data
  bool include_sum = false;    // of all parts, under "sample_log_prob"
  bool given_samples = false;  // a sequence reads the samples that the data has, and draws only those that it lacks
};

// The common base of a module with a distribution and a sequence of such modules.
class Probabilistic {
 public:
  virtual ~Probabilistic() = default;

  // A sequence runs the modules before, which write into `out`, or into the data if that is null.
  virtual DistributionPtr dist(State state, const NodePtr& data, const NodePtr& out, bool given_samples) const = 0;
  virtual DistributionPtr dist_of_params(const Node& params) const = 0;

  // Of the samples in the data: the sum over all parts, or a new dict with one entry for each.
  virtual at::Tensor log_prob(State state, const NodePtr& data, const LogProbOptions& options) const = 0;
  virtual NodePtr log_prob_dict(State state, const NodePtr& data, const LogProbOptions& options) const = 0;

  // Of a sequence, those of its last module come first.
  virtual Keys params_keys() const = 0;
  virtual Keys sample_keys() const = 0;
  virtual Keys log_prob_keys() const = 0;
  virtual Dims num_samples() const = 0;
  virtual Interaction interaction() const = 0;  // unless the thread has one
  virtual bool aggregates() const = 0;          // the log-probability has one key for all
};

inline const Probabilistic* probabilistic(const Module& module) {
  return dynamic_cast<const Probabilistic*>(&module);
}

// The log-probabilities of the samples in `data`, those of samples[i] under keys[i]; others have their default names.
NodePtr log_prob_dict_of(const Distribution& dist, const Node& data, const Keys& samples, const Keys& keys,
                         bool include_sum);

class ProbabilisticModule final : public KeyedModule, public Probabilistic {
 public:
  struct Maker {
    std::function<DistributionPtr(const Node& params)> make;
    std::string name;   // as repr shows it
    bool plain = true;  // one value, under the only out-key
  };
  struct Options {
    Interaction interaction = Interaction::deterministic;
    bool return_log_prob = false, aggregate = false;
    Keys log_prob_keys{};  // empty: named after the samples
    int64_t n_empirical = 0;
    optional<Dims> num_samples{};
    c10::intrusive_ptr<Generator> generator{};
    optional<Path> generator_key{};          // of a seed in the data, which is replaced after each draw
    std::vector<std::string> param_names{};  // one for each in-key; empty: the last parts of the keys
    NodePtr constants{};                     // parameters that are not in the data
  };
  // Throws Error(argument) for keys, names or counts that do not fit each other.
  ProbabilisticModule(Maker maker, Keys in_keys, Keys sample_keys, Options options);

  std::string type_name() const override { return "ProbabilisticTensorDictModule"; }
  std::string extra_repr() const override;
  void select_out_keys(Keys keys) override;

  // Throws also Error(key) naming the parameters that the data lacks.
  DistributionPtr dist(const Node& data) const;
  // The value under each sample key, as a new dict. `type` is none: as this module takes it.
  NodePtr draw(const Distribution& dist, const NodePtr& data, Interaction type) const;

  DistributionPtr dist(State, const NodePtr& data, const NodePtr&, bool) const override { return dist(*data); }
  DistributionPtr dist_of_params(const Node& params) const override { return dist(params); }
  at::Tensor log_prob(State state, const NodePtr& data, const LogProbOptions& options) const override;
  NodePtr log_prob_dict(State state, const NodePtr& data, const LogProbOptions& options) const override;
  Keys params_keys() const override { return in_keys(); }
  Keys sample_keys() const override { return sample_keys_; }
  Keys log_prob_keys() const override { return options_.log_prob_keys; }
  Dims num_samples() const override { return options_.num_samples.value_or(Dims()); }
  Interaction interaction() const override { return options_.interaction; }
  bool aggregates() const override { return options_.aggregate; }

 protected:
  NodePtr do_run(State state, const NodePtr& data, const Run& how) const override;

 private:
  struct Seed {
    c10::intrusive_ptr<Generator> generator;
    Entry form;  // what stood under the generator's key, to be replaced by the next seed
  };
  Seed seed_of(const Node& data) const;
  Entry next_seed(const Seed& seed) const;
  NodePtr values(const Distribution& dist, Interaction type, Generator* generator) const;
  NodePtr scores(const Distribution& dist, const Node& data, bool include_sum) const;
  void write(Edit& edit, Node& target, const Node& values) const;
  void check_names() const;
  ProbabilisticModule(Maker maker, const Keys& in_keys, Keys sample_keys, Options options, int);  // completed options

  Maker maker_;
  Keys sample_keys_;
  Options options_;
};

}  // namespace td
