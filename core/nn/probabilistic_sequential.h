// A sequence with probabilistic members, which can give their distribution.
#pragma once

#include "core/nn/probabilistic.h"
#include "core/nn/sequential.h"

namespace td {

class ProbabilisticSequential final : public Sequential, public Probabilistic {
 public:
  // `composite`: its distribution is that of all probabilistic members; else that of the last member. Not given: if
  // there are several, or the last member has none. Throws Error(argument) for no members, or for a last one that has
  // to have one.
  ProbabilisticSequential(const std::vector<ModulePtr>& members, Options options, optional<bool> composite);
  std::string type_name() const override { return "ProbabilisticTensorDictSequential"; }

  // Runs all members but the last, with the interaction type of the last one that has a choice. Gives `out`, which gets
  // what they write, or what they make of the data if that is null.
  NodePtr dist_params(State state, const NodePtr& data, const NodePtr& out) const;

  DistributionPtr dist(State state, const NodePtr& data, const NodePtr& out, bool given_samples) const override;
  DistributionPtr dist_of_params(const Node& params) const override;
  at::Tensor log_prob(State state, const NodePtr& data, const LogProbOptions& options) const override;
  NodePtr log_prob_dict(State state, const NodePtr& data, const LogProbOptions& options) const override;
  Keys params_keys() const override;
  Keys sample_keys() const override;
  Keys log_prob_keys() const override;
  Dims num_samples() const override;
  Interaction interaction() const override;
  bool aggregates() const override;

 protected:
  NodePtr run_members(State state, NodePtr data, const Run& how) const override;
  NodePtr target(const NodePtr& data, const NodePtr& given) const override;
  void check_members(const std::vector<ModulePtr>& members) const override;
  void refresh() override;
  ModulePtr of_members(const std::vector<ModulePtr>& members, Options options, Part part) const override;

 private:
  NodePtr run_before_last(State state, NodePtr data, const Run& how) const;
  Keys out_keys_before_last() const;
  DistributionPtr composite_dist(State state, const NodePtr& data, bool given_samples) const;
  void refresh_sampling();

  bool composite_;
  bool requires_sample_ = true;  // of the last member; false if those before it write what it would draw
};

}  // namespace td
