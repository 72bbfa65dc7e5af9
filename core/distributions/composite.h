// Several distributions under keys, over dicts: tensordict.nn.CompositeDistribution.
#pragma once

#include <vector>

#include "core/dict/key.h"
#include "core/distributions/interaction.h"

namespace td {

class Composite final : public Distribution {
 public:
  struct Part {
    Path name;  // of its samples
    DistributionPtr dist;
  };
  Composite(at::IntArrayRef batch, std::vector<Part> parts);

  const std::vector<Part>& parts() const { return parts_; }

  // Dicts of batch size shape + batch.
  NodePtr sample_dict(at::IntArrayRef shape, Generator* generator) const;
  NodePtr rsample_dict(at::IntArrayRef shape, Generator* generator) const;
  NodePtr interact_dict(Interaction type, const DrawOptions& options) const;
  NodePtr stat_dict(Stat which) const;  // for the entropy under name + "_entropy", closed or by one draw

  // "<name>_log_prob" for each part, and "sample_log_prob" for their sum, in a new dict of the sample's batch size.
  NodePtr log_prob_dict(const Node& sample, bool include_sum) const;
  // The sum: each part's summed over the dims beyond the sample's batch, then all.
  at::Tensor log_prob_sum(const Node& sample) const;
  at::Tensor entropy_sum() const;
  // Write "<name>_cdf" and "<name>_icdf" into the sample; icdf reads "<name>_cdf", or the cdf of the sample itself.
  void write_cdf(Node& sample) const;
  void write_icdf(Node& sample) const;

  std::string class_name() const override { return "CompositeDistribution"; }
  std::string repr() const override;
  bool has_rsample() const override;
  Constraint support() const override { return {}; }
  bool has(Stat) const override { return false; }
  // For one tensor there is nothing here but the sums.
  at::Tensor sample(at::IntArrayRef, Generator*) const override { no_tensor(); }
  at::Tensor rsample(at::IntArrayRef, Generator*) const override { no_tensor(); }
  at::Tensor value(ValueOf, const at::Tensor&) const override { no_tensor(); }
  at::Tensor stat(Stat which) const override;
  DistributionPtr expand(at::IntArrayRef batch) const override;  // every part, which keeps its dims beyond the batch

 private:
  [[noreturn]] void no_tensor() const;
  template <class F>
  NodePtr collect(at::IntArrayRef shape, F&& draw) const;
  at::Tensor entropy_of(const Distribution& dist) const;
  void write_all(Node& sample, const char* suffix, const std::vector<at::Tensor>& values) const;
  std::vector<Part> parts_;
};

// A key with `suffix` after its last part.
Path with_suffix(const Path& key, const char* suffix);

}  // namespace td
